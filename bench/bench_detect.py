"""How fast identifiers are found: characters a second of one core, part by part, and Presidio beside it.

    python bench/bench_detect.py [--notes 200] [--presidio-python PATH] [--presidio-model NAME]

Long texts are generated notes; short ones are the queries of ASQ-PHI beside the project, or else pieces of
the notes, looked at one by one (`find`) and together (`find_many`). Presidio runs in a Python of its own,
given by its path, on the long texts in the same run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from reidrisk.demo import clinical_notes
from reidrisk.detect.detector import build_detector, find_repeats
from reidrisk.detect.dictionaries.find import DictionaryDetector
from reidrisk.detect.finding import Detector, find_in_each
from reidrisk.detect.known.index import KnownValues
from reidrisk.detect.patterns.find import PatternDetector
from reidrisk.detect.settings import SHIPPED_MODEL, DetectSettings

PRESIDIO = """
import json, sys, time
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider
engine = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": sys.argv[1]}]}
analyzer = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=engine).create_engine())
texts = json.load(sys.stdin)
analyzer.analyze(texts[0], language="en")
start = time.process_time()
for text in texts:
    analyzer.analyze(text, language="en")
print(time.process_time() - start)
"""
PEOPLE = 100_000
QUERIES = Path(__file__).parents[2] / "shared" / "data" / "corpora" / "asq_phi_800.jsonl"
SHORT = 150


def least_cpu_seconds(work: Callable[[], object], *, runs: int = 3) -> float:
    """CPU time of the shortest of several runs: other work on the machine does not count."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def short_texts(notes: Sequence[str]) -> list[str]:
    """Texts of about 150 characters."""
    if QUERIES.is_file():
        return [json.loads(line)["text"] for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    return [note[at : at + SHORT] for note in notes for at in range(0, len(note), SHORT)]


def print_short(detectors: dict[str, Detector], texts: Sequence[str]) -> None:
    """One by one and together, in turns: the machine is not always as fast."""
    size = sum(map(len, texts))
    print(f"{len(texts)} short texts, {size:,} characters: one by one, and together")
    for name, detector in detectors.items():
        alone, together = [], []
        for _ in range(3):
            alone.append(least_cpu_seconds(partial(find_all, detector, texts), runs=1))
            together.append(least_cpu_seconds(partial(find_in_each, detector, texts), runs=1))
        print(f"{name:20} {size / min(alone):12,.0f} {size / min(together):12,.0f}")


def find_all(detector: Detector, texts: Sequence[str]) -> None:
    for text in texts:
        detector.find(text)


def parts() -> dict[str, Detector]:
    rules = DetectSettings(model=None)
    found: dict[str, Detector] = {
        "patterns": PatternDetector(),
        "dictionaries": DictionaryDetector(),
        "rules together": build_detector(rules),
    }
    if SHIPPED_MODEL.exists():
        found["model"] = build_detector(DetectSettings(rules="none", consistency=False))
        found["everything"] = build_detector()
    return found


def known_values(texts: Sequence[str]) -> tuple[float, float]:
    """Seconds to prepare the values of many people, and to look for them in the texts."""
    spelled = str.maketrans("0123456789", "bdfgklmnrs")
    rows = [
        [
            ("name", f"Qu{number % 5000:04d} Z{number:06d}".translate(spelled).title()),
            ("mrn", f"{number:09d}"),
            ("dob", f"19{number % 90 + 10}-05-{number % 28 + 1:02d}"),
        ]
        for number in range(PEOPLE)
    ]
    start = time.process_time()
    known = KnownValues(rows)
    return time.process_time() - start, least_cpu_seconds(partial(find_all, known, texts))


def presidio_seconds(python: str, model: str, texts: Sequence[str]) -> float:
    done = subprocess.run(
        [python, "-c", PRESIDIO, model], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def growth(detector: Detector, text: str) -> float:
    """How much longer a text twice as long takes."""
    once, twice = (least_cpu_seconds(partial(detector.find, text * size)) for size in (4, 8))
    return twice / once


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("--notes", type=int, default=200)
    asked.add_argument("--presidio-python")
    asked.add_argument("--presidio-model", default="en_core_web_sm")
    given = asked.parse_args()
    texts = [document.text or "" for document in clinical_notes(documents=given.notes, seed=3).documents]
    size = sum(map(len, texts))
    print(f"{len(texts)} notes, {size:,} characters; characters a second of CPU time")
    speeds = {}
    detectors = parts()
    for name, detector in detectors.items():
        detector.find(texts[0])
        seconds = least_cpu_seconds(partial(find_all, detector, texts))
        speeds[name] = size / seconds
        twice = growth(detector, " ".join(texts[:40]))
        print(f"{name:20} {speeds[name]:12,.0f}   a text twice as long takes {twice:.2f} times as long")
    print_short(detectors, short_texts(texts))
    rules = PatternDetector()
    found = [(text, rules.find(text)) for text in texts]
    seconds = least_cpu_seconds(lambda: [list(find_repeats(text, findings)) for text, findings in found])
    print(f"{'consistency':20} {size / seconds:12,.0f}")
    prepared, looked = known_values(texts)
    print(f"{'known values':20} {size / looked:12,.0f}   of {PEOPLE:,} people, prepared in {prepared:.1f} s")
    if given.presidio_python:
        some = texts[: max(1, len(texts) // 10)]
        presidio = sum(map(len, some)) / presidio_seconds(given.presidio_python, given.presidio_model, some)
        whole = speeds.get("everything", speeds["rules together"])
        print(f"{'Presidio':20} {presidio:12,.0f}   ours is {whole / presidio:.1f} times as fast")


if __name__ == "__main__":
    main()

"""100,000 documents with 2 million spans, whole command from files: time, memory, share of pure JSON.

Then the limits that decide alone: with a share of leaking documents, with few and with 100,000 distinct
risks, and with 20,000 clusters.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from reidrisk.stats.observed_limit import ObservedRisk, SampleDesign
from timing import least_seconds, run_process

DOCUMENTS, SPANS = 100_000, 20
WORDS = 300


def write(folder: Path) -> None:
    """Notes of 300 words with 20 identifiers each; the tool misses one in twenty."""
    rng = np.random.default_rng(7)
    words = [f"{first}{second}" for first in "bdfgklmnprst" for second in ("alo", "eri", "inu", "oma", "ule")]
    kinds = (("NAME", "DIRECT"), ("ID", "DIRECT"), ("DATE", "QUASI"), ("CITY", "QUASI"), ("AGE", "QUASI"))
    with (folder / "gold.jsonl").open("w") as gold, (folder / "tool.jsonl").open("w") as tool:
        for number in range(DOCUMENTS):
            chosen = [words[place] for place in rng.integers(0, len(words), WORDS)]
            text = " ".join(chosen)
            starts = np.concatenate([[0], np.cumsum([len(word) + 1 for word in chosen[:-1]])])
            places = np.sort(rng.choice(WORDS, SPANS, replace=False))
            entities, spans = [], []
            caught = rng.random(SPANS) > 0.05
            for turn, place in enumerate(places):
                start = int(starts[place])
                end = start + len(chosen[place])
                kind, role = kinds[turn % len(kinds)]
                mark = {"start": start, "end": end}
                entities.append(
                    mark | {"type": kind, "id_type": role, "entity_id": None, "text": text[start:end]}
                )
                if caught[turn]:
                    spans.append(mark | {"label": kind, "score": 0.9})
            gold.write(json.dumps({"doc_id": f"d{number}", "text": text, "entities": entities}) + "\n")
            tool.write(json.dumps({"doc_id": f"d{number}", "spans": spans}) + "\n")


def only_parse(folder: Path) -> None:
    """The floor: both files through the JSON parser, nothing kept."""
    for name in ("gold.jsonl", "tool.jsonl"):
        with (folder / name).open() as lines:
            for line in lines:
                json.loads(line)


def limits() -> dict[str, ObservedRisk]:
    """Observed risks of 100,000 documents, of several kinds."""
    rng = np.random.default_rng(7)
    leaks = (rng.random(DOCUMENTS) < 0.03).astype(np.int64)
    share = np.array([[0.0, 1.0]])
    clusters = SampleDesign(rng.integers(0, DOCUMENTS // 5, DOCUMENTS))
    few = rng.binomial(8, 0.02, DOCUMENTS) / 8
    return {
        "a share": ObservedRisk(*SampleDesign().units(leaks, np.ones(2), share)),
        "nine distinct risks": ObservedRisk.of_values(few, np.ones(DOCUMENTS)),
        "100,000 distinct risks": ObservedRisk.of_values(rng.random(DOCUMENTS) ** 4, np.ones(DOCUMENTS)),
        "20,000 clusters": ObservedRisk(*clusters.units(leaks, np.ones(2), share)),
    }


def time_limits() -> None:
    for name, risk in limits().items():
        risk.limits(0.975)
        seconds = least_seconds(lambda risk=risk: risk.limits(0.975), runs=5)  # type: ignore[misc]
        print(f"both limits, {name}: {1000 * seconds:.1f} ms (at most 50)")


def main() -> None:
    time_limits()
    program = str(Path(sys.executable).with_name("reidrisk"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        size = sum(file.stat().st_size for file in folder.iterdir()) / 2**20
        floor = least_seconds(lambda: only_parse(folder), runs=1)
        done = run_process(
            program, "text", "evaluate", str(folder / "gold.jsonl"), str(folder / "tool.jsonl")
        )
    print(f"{DOCUMENTS:,} documents, {DOCUMENTS * SPANS:,} gold spans, {size:.0f} MB of JSONL")
    print(f"whole command: {done.seconds:.1f} s, {done.megabytes:.0f} MB, exit code {done.exit_code}")
    print(f"parsing the same JSON alone: {floor:.1f} s; ratio {done.seconds / floor:.1f}")


if __name__ == "__main__":
    main()

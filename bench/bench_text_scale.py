"""100,000 documents with 2 million spans, whole command from files: time, memory, share of pure JSON."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

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


def main() -> None:
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

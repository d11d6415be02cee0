"""Does an attack on linked tables succeed as often as predicted?

For each seed a database is generated (people with diagnoses on days, and drugs), released with a key of its
own, and attacked with 1,000 targets drawn at random: the adversary knows the quasi-identifiers and two true
events, with distances between dates or without. Printed are the predicted average risk, the success with its
Clopper–Pearson interval of 95 %, and whether the prediction lies in it. Goal: at least 9 of 10 runs.

    python bench/bench_relational_attack.py [--seeds 10 --people 400 --targets 1000]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from hashlib import sha256
from pathlib import Path

import numpy as np

from reidrisk.relational.attack import RelationalAttack
from reidrisk.relational.config import RelationalConfig, config_of
from reidrisk.relational.run import attack_relational, deidentify_relational

SETTINGS = {
    "person": "person.person_id",
    "keys": {"diagnosis.person_id": "person.person_id", "drug.person_id": "person.person_id"},
    "quasi": ["person.sex", "person.ward"],
    "events": {"diagnosis": ["code", "day"], "drug": ["drug"]},
    "known": {"total": 2},
    "columns": {
        "person.sex": "keep",
        "person.ward": "keep",
        "diagnosis.code": "keep",
        "diagnosis.day": "date",
        "drug.drug": {"rare": 10},
    },
}
GOAL = 0.9


def write_database(folder: Path, people: int, seed: int) -> Path:
    """Write people with some common and some rare diagnoses and drugs, on working days of a year."""
    rng = np.random.default_rng([seed, 22])
    folder.mkdir()
    rows: dict[str, list[str]] = {
        "person": ["person_id,sex,ward"],
        "diagnosis": ["person_id,code,day"],
        "drug": ["person_id,drug"],
    }
    first = np.datetime64("2021-01-04")
    for person in range(people):
        rows["person"].append(f"P{person:05},{'FM'[int(rng.integers(2))]},w{int(rng.integers(3))}")
        for _ in range(int(rng.integers(1, 6))):
            day = first + int(7 * rng.integers(52) + rng.integers(5))
            rows["diagnosis"].append(f"P{person:05},d{int(20 * rng.random() ** 2)},{day}")
        for _ in range(int(rng.integers(0, 5))):
            rows["drug"].append(f"P{person:05},r{int(20 * rng.random() ** 2)}")
    for name, lines in rows.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def attacked(folder: Path, know: str, seed: int, targets: int) -> RelationalAttack:
    """Release the database of a folder with a key of its own, and attack it."""
    config: RelationalConfig = config_of(
        {**SETTINGS, "dates": {"offset": 365, "know": know}}, folder=Path(), place="rel.yaml"
    )
    key = sha256(f"bench {seed}".encode()).digest()
    deidentify_relational(folder / "base", folder / know, key=key, config=config)
    return attack_relational(
        folder / know, against=folder / "base", config=config, key=key, targets=targets, seed=seed
    )


def main() -> None:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--people", type=int, default=400)
    parser.add_argument("--targets", type=int, default=1000)
    given = parser.parse_args()
    started = time.process_time()
    for know in ("intervals", "nothing"):
        inside = 0
        print(f"known of dates: {know}")
        print("seed  predicted  success  95 % interval       inside  offsets guessed to the day")
        for seed in range(given.seeds):
            with tempfile.TemporaryDirectory() as folder:
                write_database(Path(folder) / "base", given.people, seed)
                found = attacked(Path(folder), know, seed, given.targets)
            one = found.linkage[-1]
            low, high = one.guesses.limits
            inside += low <= one.predicted <= high
            alone = [row for row in found.offsets if not row.known]
            guessed = f"{alone[-1].guesses.right} of {alone[-1].guesses.tried}" if alone else "not attacked"
            print(
                f"{seed:4}     {one.predicted:.4f}   {one.guesses.right / one.guesses.tried:.4f}  "
                f"{low:.4f} to {high:.4f}    {'yes' if low <= one.predicted <= high else 'no':6}  {guessed}"
            )
        enough = "met" if inside >= GOAL * given.seeds else "MISSED"
        print(f"inside in {inside} of {given.seeds} runs; goal {GOAL:.0%}: {enough}")
    print(f"CPU {time.process_time() - started:.0f} s")


if __name__ == "__main__":
    main()

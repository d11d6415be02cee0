# ruff: noqa: S608 - tables that are made here
"""How long do linked tables take from files to a proved release, and to learn what they tell about people?

A million people and ten million events in five tables with keys, dates and codes of which some are far more
common than others. The goals, on two cores: a release with writing and proof in five minutes; the risk with
two known events in a minute and 4 GB.

    python bench/bench_relational_release.py [--people 1000000 --events 10000000 --format parquet]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

TABLES = ("conditions", "drugs", "procedures", "measurements")
"""Besides the visits."""
KEY = bytes(range(32))


def generate(folder: Path, people: int, events: int, suffix: str) -> None:
    """Write people, visits and events; each event belongs to a visit of its person."""
    folder.mkdir()
    with duckdb.connect(":memory:") as base:
        base.execute("SELECT setseed(0.7)")
        base.execute(
            "CREATE TABLE person AS SELECT i + 1 AS person_id, "
            "CASE WHEN random() < 0.5 THEN 'F' ELSE 'M' END AS sex, "
            "CAST(1930 + 80 * random() AS INTEGER) // 5 * 5 AS born, "
            f"'site ' || CAST(random() * 20 AS INTEGER) AS site FROM range({people}) AS t(i)"
        )
        day = "DATE '2015-01-01' + CAST(random() * 2500 AS INTEGER)"
        each = events // (len(TABLES) + 1)
        base.execute(
            "CREATE TABLE visits AS SELECT i + 1 AS visit_id, CAST(floor(pow(random(), 1.5) * "
            f"{people}) AS BIGINT) + 1 AS person_id, {day} AS visit_day, "
            f"'V' || CAST(random() * 5 AS INTEGER) AS kind FROM range({each}) AS t(i)"
        )
        for name in TABLES:
            base.execute(
                f"CREATE TABLE {name} AS SELECT v.person_id, v.visit_id, v.visit_day + "
                "CAST(random() * 9 AS INTEGER) AS day, "
                "CAST(floor(pow(random(), 3) * 400) AS INTEGER) AS code, 'as told ' || "
                "CAST(random() * 1000 AS INTEGER) AS words FROM visits AS v ORDER BY hash(v.visit_id)"
            )
        for name in ("person", "visits", *TABLES):
            form = "FORMAT parquet" if suffix == "parquet" else "FORMAT csv, HEADER"
            base.execute(f"COPY {name} TO '{folder / name}.{suffix}' ({form})")


def settings() -> dict[str, Any]:
    """What becomes of every column."""
    return {
        "person": "person.person_id",
        "keys": {
            **{f"{name}.person_id": "person.person_id" for name in ("visits", *TABLES)},
            **{f"{name}.visit_id": "visits.visit_id" for name in TABLES},
        },
        "quasi": ["person.sex", "person.born"],
        "events": {name: ["code"] for name in TABLES},
        "dates": {"know": "nothing"},
        "columns": {
            "person.sex": "keep",
            "person.born": "keep",
            "person.site": {"pseudonym": "site"},
            "visits.visit_id": "key",
            "visits.visit_day": "date",
            "visits.kind": "keep",
            **{
                f"{name}.{column}": how
                for name in TABLES
                for column, how in (("day", "date"), ("code", {"rare": 5}), ("words", "drop"))
            },
        },
    }


def run(folder: Path, job: str) -> None:
    """One job in this process, and what it took."""
    from reidrisk.relational.config import config_of
    from reidrisk.relational.risk import relational_risk
    from reidrisk.relational.run import deidentify_relational

    config = config_of(settings(), folder=folder, place="bench")
    start, wall = os.times(), time.perf_counter()
    if job == "release":
        out = folder.with_name("released")
        done = deidentify_relational(folder, out, key=KEY, config=config)
        size = sum(file.stat().st_size for file in out.iterdir()) / 2**20
        shown = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in done.seconds.items())
        what = f"{shown}; {size:.0f} MB written, proof {'holds' if done.acceptable else 'fails'}"
    else:
        found = relational_risk(folder, config, known=2, drivers=False).to_dict()
        last = found["by_known"][-1]
        what = f"{last['subsets']:,} sets ({last['method']}), average {last['average']:.5f}"
    end = os.times()
    cpu = end.user + end.system - start.user - start.system
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{job}: {time.perf_counter() - wall:.1f} s, {cpu:.1f} CPU s, {memory:.2f} GB ({what})")


def main() -> None:
    """Generate the tables, then run each job in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--format", choices=("parquet", "csv"), default="parquet")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--job", choices=("release", "risk"))
    given = parser.parse_args()
    if given.job:
        run(given.folder, given.job)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "tables"
        generate(folder, given.people, given.events, given.format)
        print(f"{given.people:,} people, {given.events:,} events, {given.format}")
        for job in ("release", "risk"):
            subprocess.run([sys.executable, __file__, "--folder", str(folder), "--job", job], check=True)


if __name__ == "__main__":
    main()

"""How long does a whole command take, from a file to a file, and does it stay within its memory?

Four questions in one run:
1. Adult (30,162 records, 9 quasi-identifiers, cell size 5, 2 %): start, read, search, write. Goal 1.5 s.
2. Three million perturbed Adult records: each drawn from Adult, each cell with 5 % chance from another
   record. Goal 5 s and 1 GB; the same records ten times over must not cost the search anything.
3. Ten million Parquet rows, 8 quasi-identifiers, about 750,000 distinct tuples: the risk figures against
   DuckDB's own bare group-by of the file (goal: at most 1.5 times), and
4. the de-identification of the same file with its writing (goal: 30 s and 3 GB).

Compiled code is cached before anything is timed. Adult is read from shared/, beside the project.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.tables.risk import table_risk
from timing import Process, least_seconds, run_process

ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult"
QUASI = "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class"
WIDE = ("sex", "age", "area", "month", "ward", "payer", "arrival", "outcome")
MILLIONS = 10


def deidentify(table: Path, quasi: str, hierarchies: Path, *more: str) -> Process:
    """The whole command, as a user types it."""
    out = table.with_name(f"out{table.suffix}")
    process = run_process(
        str(Path(sys.executable).with_name("reidrisk")), "table", "deidentify", str(table),
        "--quasi", quasi, "--hierarchies", str(hierarchies), "--out", str(out),
        "--json", str(table.with_name("out.json")), "--quiet", *more,
    )  # fmt: skip
    assert process.exit_code == 0, process
    return process


def told(what: str, process: Process, seconds: float, megabytes: float | None = None) -> None:
    goal = f"goal {seconds:g} s" + (f", {megabytes:,.0f} MB" if megabytes else "")
    ratio = process.seconds / seconds
    print(f"{what}: {process.seconds:.2f} s, {process.megabytes:,.0f} MB ({goal}; {ratio:.2f} of it)")


def perturbed(folder: Path, records: int, *, copies: int = 1) -> Path:
    """Records drawn from Adult with a few cells exchanged."""
    with (ADULT / "adult.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file, delimiter=";")
    rng = np.random.default_rng(7)
    drawn = rng.integers(0, len(rows), records)
    columns = {}
    for place, name in enumerate(head):
        values = np.array([row[place] for row in rows], dtype=np.object_)
        column, other = values[drawn], rng.random(records) < 0.05
        column[other] = values[rng.integers(0, len(rows), int(other.sum()))]
        columns[name] = column.astype(np.int64) if name == "age" else column
    path = folder / f"perturbed_{records}_{copies}.parquet"
    with duckdb.connect() as base:
        base.register("frame", columns)
        base.execute(
            f"COPY (SELECT frame.* FROM range({copies}), frame) TO '{path}'"  # noqa: S608 - our own path
        )
    return path


def wide_table(folder: Path) -> Path:
    """Ten million rows that repeat some 750,000 combinations."""
    path = folder / "wide.parquet"
    query = f"""
        SELECT id AS visit, hash(p, 1) % 2 AS sex, hash(p, 2) % 90 AS age, 'A' || (hash(p, 3) % 200) AS area,
               DATE '2020-01-01' + CAST(hash(p, 4) % 36 * 30 AS INTEGER) AS month,
               'W' || (hash(p, 5) % 12) AS ward, hash(p, 6) % 5 AS payer,
               hash(p, 7) % 4 AS arrival, hash(p, 8) % 3 AS outcome,
               hash(id) % 1000 / 10.0 AS cost
        FROM (SELECT id, CAST(floor(pow(random(), 1.5) * 750000) AS BIGINT) AS p
              FROM range({MILLIONS} * 1000000) AS rows(id))
    """  # noqa: S608 - numbers of our own
    with duckdb.connect() as base:
        base.execute("SELECT setseed(0.5)")
        base.execute(f"COPY ({query}) TO '{path}'")
    return path


def wide_hierarchies(folder: Path) -> Path:
    path = folder / "wide.yaml"
    path.write_text(
        """
sex: exact
age: {kind: number, levels: [{width: 5}, {width: 10}, {width: 30}]}
area: {kind: prefix, lengths: [3, 2, 1]}
month: {kind: date, levels: [day, quarter, year]}
ward: {kind: exact, suppress: true}
payer: {kind: exact, suppress: true}
arrival: {kind: exact, suppress: true}
outcome: {kind: exact, suppress: true}
"""
    )
    return path


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        adult = folder / "adult.csv"
        adult.write_bytes((ADULT / "adult.csv").read_bytes())
        limits = ("--max-suppression", "0.02")
        for suppress in ("records", "cells"):
            deidentify(adult, QUASI, ADULT, *limits, "--suppress", suppress)
            runs = [deidentify(adult, QUASI, ADULT, *limits, "--suppress", suppress) for _ in range(5)]
            told(f"Adult, {suppress}", min(runs, key=lambda run: run.seconds), 1.5)
        for records, copies in ((300_000, 1), (300_000, 10), (3_000_000, 1)):
            table = perturbed(folder, records, copies=copies)
            run = deidentify(table, QUASI, ADULT, *limits, "--suppress", "records")
            told(f"perturbed Adult, {records:,} records {copies} times", run, 5, 1000)
        wide = wide_table(folder)
        schema = Schema(quasi=WIDE)
        ours = least_seconds(lambda: table_risk(wide, schema, drivers=False), runs=3)
        bare = least_seconds(lambda: group_by(wide), runs=3)
        print(f"{MILLIONS} million rows, risk {ours:.2f} s, group-by {bare:.2f} s, ratio {ours / bare:.2f}")
        columns, hierarchies = ",".join(WIDE), wide_hierarchies(folder)
        for suppress in ("records", "cells"):
            run = deidentify(wide, columns, hierarchies, "--max-suppression", "0.05", "--suppress", suppress)
            told(f"{MILLIONS} million rows, de-identified, {suppress}", run, 30, 3000)


def group_by(table: Path) -> object:
    """What DuckDB itself needs for the class sizes."""
    names = ", ".join(WIDE)
    query = (
        f"SELECT size, count(*) FROM (SELECT count(*) AS size FROM '{table}' GROUP BY {names}) GROUP BY size"  # noqa: S608
    )
    with duckdb.connect() as base:
        return base.sql(query).fetchall()


if __name__ == "__main__":
    main()

"""How long does each measure of utility take, beside one scan of the file?

One million records of seven columns, a release with decades, prefixes and one cell in fifty suppressed.
A scan reads every column of the release and hashes its values: what anybody must do who looks at
all of it. Goal: everything together, from files, in 60 s and 1.5 GB on two cores.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reidrisk.tables.utility.data import both_tables
from reidrisk.tables.utility.distributions import distances, pair_changes, propensity_of
from reidrisk.tables.utility.models import model_changes
from reidrisk.tables.utility.plan import UtilityPlan
from reidrisk.tables.utility.queries import query_changes
from reidrisk.tables.utility.run import table_utility
from timing import least_seconds

PLAN = UtilityPlan(
    queries={"cost": "SELECT sex, ward, avg(cost) AS c, avg(middle(age)) AS a FROM data GROUP BY sex, ward"},
    models=("cost ~ age, sex, ward", "died ~ age, sex"),
)


def patients(rows: int) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    age = rng.integers(0, 100, rows)
    sex = rng.choice(["F", "M"], rows)
    return {
        "age": age,
        "sex": sex,
        "ward": rng.choice([f"ward {at}" for at in range(40)], rows),
        "zip": 53000 + rng.integers(0, 900, rows),
        "stay": rng.exponential(5, rows).round(1),
        "cost": (100 + 3 * age + 40 * (sex == "F") + rng.normal(0, 30, rows)).round(2),
        "died": (rng.random(rows) < age / 300).astype(np.int64),
    }


def released(original: dict[str, Any]) -> dict[str, Any]:
    start = original["age"] // 10 * 10
    ages = np.array([f"{at}-{at + 9}" for at in range(0, 100, 10)], dtype=object)[start // 10]
    ages[::50] = None
    zips = np.array([f"{at}**" for at in range(530, 539)], dtype=object)[original["zip"] // 100 - 530]
    return {**original, "age": ages, "zip": zips}


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def scan(path: Path) -> float:
    """All columns, every byte, by the same database."""
    connection = duckdb.connect()
    names = [row[0] for row in connection.execute("DESCRIBE FROM read_parquet(?)", [str(path)]).fetchall()]
    parts = ", ".join(f'sum(hash("{name}") % 7)' for name in names)
    query = f"SELECT {parts} FROM read_parquet(?)"  # noqa: S608 - names of our own
    return least_seconds(lambda: connection.execute(query, [str(path)]).fetchall(), runs=3)


def _opened(release: Path, original: Path) -> None:
    with both_tables(release, original, PLAN, {}, seed=7):
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as name:
        original, release = Path(name, "original.parquet"), Path(name, "released.parquet")
        table = patients(rows)
        pq.write_table(pa.table(table), original)
        pq.write_table(pa.table(released(table)), release)
        del table
        base = scan(release)
        print(f"{rows:,} records; one scan of the release: {base:.3f} s")
        table_utility(pq.read_table(release)[:500], pq.read_table(original)[:500], PLAN)  # warm
        before = getrusage(RUSAGE_SELF).ru_maxrss
        took = seconds(lambda: _opened(release, original))
        print(f"{'opened and counted':24} {took:7.2f} s  {took / base:7.1f} scans")
        with both_tables(release, original, PLAN, {}, seed=7) as both:
            steps: dict[str, Callable[[], object]] = {
                "distributions": lambda: distances(both),
                "rows drawn and coded": lambda: both.codes,
                "associations": lambda: pair_changes(both),
                "propensity score": lambda: propensity_of(both, PLAN),
                "one query": lambda: query_changes(both, PLAN),
                "two models": lambda: model_changes(both, PLAN, seed=7),
            }
            for title, step in steps.items():
                took = seconds(step)
                print(f"{title:24} {took:7.2f} s  {took / base:7.1f} scans")
        whole = seconds(lambda: table_utility(release, original, PLAN))
        peak = getrusage(RUSAGE_SELF).ru_maxrss
        print(f"{'everything, from files':24} {whole:7.2f} s  {whole / base:7.1f} scans")
        print(f"memory: {peak / 2**20:.2f} GB at most, {(peak - before) / 2**20:.2f} GB more than before")


if __name__ == "__main__":
    main()

"""What does Spark cost against the embedded engine on the same cores, and what would a billion rows cost?

Counts the classes of the tables *low* and *high* of `bench_drivers.py`, and releases *low*, with both
engines on this machine. From Spark's time a row follows what 10^9 and 10^10 rows take on 10 and 100 machines.

    python bench/bench_spark_tables.py [ROWS] [FOLDER] [--page FILE]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import reidrisk as rr
from bench_drivers import generate

ROWS = 5_000_000
CORES_A_MACHINE, EFFICIENCY = 16, 0.6
"""Assumed of a cluster: cores of one machine, and the share of their time that is work."""


CLUSTERS = ((1e9, 10), (1e9, 100), (1e10, 10), (1e10, 100))
"""Rows and machines."""


@dataclass(frozen=True)
class Cost:
    """What one job took with both engines."""

    job: str
    rows: int
    embedded: float
    """Seconds."""
    spark: float
    cores: int

    @property
    def ratio(self) -> float:
        """Spark over the embedded engine."""
        return self.spark / self.embedded

    @property
    def microseconds(self) -> float:
        """Of one core for one row, on Spark."""
        return 1e6 * self.spark * self.cores / self.rows

    def cluster_seconds(self, rows: float, machines: int) -> float:
        """On a cluster, if the time grows with the rows."""
        return self.microseconds * 1e-6 * rows / (machines * CORES_A_MACHINE * EFFICIENCY)


@contextmanager
def session(cores: int) -> Iterator[Any]:
    """A session of Spark on this machine, started once."""
    from reidrisk.engine.spark.session import spark_session

    with spark_session(f"local[{cores}]") as found:
        found.range(1000).count()
        yield found


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def costs(rows: int, folder: Path) -> Iterator[Cost]:
    """Each job with both engines; Spark is warm, as it is in a long session."""
    cores = os.cpu_count() or 1
    with session(cores) as spark:
        for name in ("low", "high"):
            path, columns = generate(name, rows, folder)
            schema = rr.Schema(quasi=tuple(columns.split(",")))
            ours = seconds(lambda: rr.table_risk(path, schema, drivers=False))  # noqa: B023 - called at once
            theirs = seconds(lambda: rr.table_risk(path, schema, drivers=False, engine=spark))  # noqa: B023
            yield Cost(f"count {name}", rows, ours, theirs, cores)
        yield _released(rows, folder, spark, cores)


def _released(rows: int, folder: Path, spark: Any, cores: int) -> Cost:
    path, columns = generate("low", rows, folder)
    schema = rr.Schema(quasi=tuple(columns.split(",")))
    hierarchies = {
        "age": rr.Hierarchy.numbers("age", [5, 10, 30]),
        **{
            name: rr.Hierarchy.of(name, {"kind": "exact", "suppress": True})
            for name in ("region", "race", "a")
        },
    }
    five = rr.Threshold.from_cell_size(5, "bench")

    def run(out: Path, engine: Any) -> None:
        rr.deidentify(path, schema, hierarchies, threshold=five, max_suppression=0.2, out=out, engine=engine)

    ours = seconds(lambda: run(folder / "ours.parquet", None))
    theirs = seconds(lambda: run(folder / f"theirs-{time.time_ns()}", spark))
    return Cost("release low", rows, ours, theirs, cores)


def page(found: list[Cost]) -> str:
    """The figures as tables of Markdown."""
    lines = [
        "| job | rows | embedded | Spark, same cores | ratio | core-µs a row on Spark |",
        "|---|---|---|---|---|---|",
        *(
            f"| {one.job} | {one.rows:,} | {one.embedded:.1f} s | {one.spark:.1f} s | {one.ratio:.1f} | "
            f"{one.microseconds:.1f} |"
            for one in found
        ),
        "",
        f"Estimated seconds ({CORES_A_MACHINE} cores a machine, {EFFICIENCY:.0%} of the time at work):",
        "",
        "| job | 10⁹ rows, 10 machines | 10⁹, 100 | 10¹⁰, 10 | 10¹⁰, 100 |",
        "|---|---|---|---|---|",
        *(
            f"| {one.job} | "
            + " | ".join(
                f"{one.cluster_seconds(rows, machines):,.0f}"
                for rows in (1e9, 1e10)
                for machines in (10, 100)
            )
            + " |"
            for one in found
        ),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("rows", nargs="?", type=lambda text: int(float(text)), default=ROWS)
    asked.add_argument("folder", nargs="?", type=Path)
    asked.add_argument("--page", type=Path)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        shown = page(list(costs(given.rows, given.folder or Path(scratch))))
    print(shown)
    if given.page:
        given.page.write_text(shown, encoding="utf-8")


if __name__ == "__main__":
    main()

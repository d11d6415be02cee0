"""How often is a text file parsed, and what does the command cost next to parsing it once?

A CSV file of visits with a person in each row: `table risk` with a unit column, and `table deidentify` that
writes a new CSV file. The database logs the bytes that it reads of the file: their sum over the size of the
file is how often it was parsed (a little more than once: the delimiter and the header are found first). Then
the processor time of each, and its ratio to parsing the file once. From the project's folder:

    python bench/bench_csv_once.py [--megabytes 200]
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.duckdb import session
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.hierarchy.hierarchy import read_hierarchies
from reidrisk.tables.risk import table_risk

ROW_BYTES = 63
SCHEMA = Schema(quasi=("sex", "born", "zip"), unit="person", other={"cost": "a", "visit": "a", "note": "a"})
RULES = """
born: {kind: number, levels: [5, 20]}
zip: {kind: prefix, lengths: [3, 1]}
"""


def write_visits(path: Path, rows: int) -> None:
    """About five visits of each person."""
    numbers = duckdb.table_function("range", [rows]).project(f"range AS i, range % {rows // 5} AS person")
    numbers.project(
        "person, if(person % 2 = 0, 'F', 'M') AS sex, 1930 + person * 7919 % 80 AS born, "
        "lpad(CAST(person * 104729 % 900 AS VARCHAR), 5, '0') AS zip, "
        "DATE '2020-01-01' + CAST(i % 1000 AS INTEGER) AS visit, round(i % 99991 / 7, 2) AS cost, "
        "'seen at the clinic, ' || i % 17 AS note"
    ).write_csv(str(path))


READ = """SELECT coalesce(sum(bytes), 0) FROM duckdb_logs_parsed('FileSystem')
WHERE op = 'READ' AND path = ?"""


class Reads:
    """The bytes that databases of this process read of a file, from their logs."""

    def __init__(self, path: Path) -> None:
        self.path, self.bytes = path, 0
        connected, end = session._connected, session._end

        def logged(*given: Any) -> Any:
            connection = connected(*given)
            connection.execute("CALL enable_logging('FileSystem')")
            return connection

        def counted(connection: Any, *rest: Any) -> None:
            with suppress(duckdb.ConnectionException):  # it was closed before
                found = connection.execute(READ, [str(self.path)]).fetchone()
                self.bytes += int(found[0])
            end(connection, *rest)

        vars(session).update(_connected=logged, _end=counted)

    @property
    def times(self) -> float:
        """How often the whole file was read since the last question."""
        read, self.bytes = self.bytes, 0
        return read / self.path.stat().st_size


def seconds(work: Callable[[], object]) -> float:
    """Of all processors, in one run: what else the machine does counts less than on the clock."""
    start = time.process_time()
    work()
    return time.process_time() - start


def parse_once(path: Path) -> None:
    """The limit: every field of every row, as text."""
    duckdb.read_csv(str(path), all_varchar=True).aggregate("max(COLUMNS(*))").fetchone()


def main() -> None:
    """Print how often the file is parsed, and the ratios."""
    options = argparse.ArgumentParser()
    options.add_argument("--megabytes", type=int, default=200)
    folder = Path(tempfile.mkdtemp(prefix="bench-csv-"))
    try:
        measure(folder, options.parse_args().megabytes * 10**6 // ROW_BYTES)
    finally:
        shutil.rmtree(folder)


def measure(folder: Path, rows: int) -> None:
    """Both commands on one file."""
    path = folder / "visits.csv"
    write_visits(path, rows)
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    once = seconds(lambda: parse_once(path))
    print(f"{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB; one bare parse: {once:.1f} s of processors")
    reads = Reads(path)
    options = DeidentifyOptions(treatments={"person": "number"})
    hierarchies = read_hierarchies(folder / "rules.yaml")
    five = Threshold.from_cell_size(5, "bench")
    for name, work in {
        "table risk": lambda: table_risk(path, SCHEMA, drivers=False),
        "table deidentify": lambda: deidentify(
            path, SCHEMA, hierarchies, threshold=five, options=options, out=folder / "out.csv"
        ),
    }.items():
        took = seconds(work)
        print(f"{name}: parsed {reads.times:.2f} times; {took:.1f} s, {took / once:.1f} times one parse")


if __name__ == "__main__":
    main()

"""How much longer is `table risk` than a bare group-by in DuckDB, with and without what drives the risk?

Two tables are generated: *low* has about 4 million distinct tuples in 100 million rows, *high* hardly two
records with the same tuple. Every figure is of a process of its own. Goals, in processor time: low within 3
times the group-by and 2 GB, without drivers within 1.3 times.

    python bench/bench_drivers.py [ROWS] [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import duckdb

from timing import Process, run_process

ROWS = 10_000_000
SEX = "CASE WHEN random() < 0.5 THEN 'F' ELSE 'M' END AS sex"
RACE = "CAST(6 * pow(random(), 2) AS INTEGER) AS race"
C = "CAST(random() * 2 AS INTEGER) AS c"
TABLES = {
    "low": (
        *(SEX, "CAST(random() * 89 AS INTEGER) AS age", "'R' || CAST(random() * 49 AS INTEGER) AS region"),
        *(RACE, "CAST(13 * pow(random(), 4) AS INTEGER) AS a", "1 AS b", C, "random() < 0.5 AS d"),
    ),
    "high": (
        *(SEX, "DATE '1930-01-01' + CAST(random() * 30000 AS INTEGER) AS birth"),
        *("lpad(CAST(CAST(random() * 39999 AS INTEGER) AS VARCHAR), 5, '0') AS zip", RACE),
        *("CAST(random() * 999 AS INTEGER) AS a", C),
    ),
}
BARE = """
import sys, duckdb
path, columns = sys.argv[1:]
groups = f"SELECT count(*) AS size FROM read_parquet('{path}') GROUP BY {columns}"
duckdb.execute(f"SELECT size, count(*) FROM ({groups}) GROUP BY size").fetchall()
"""
COMMAND = "from reidrisk.cli.main import run; run()"


def generate(name: str, rows: int, folder: Path) -> tuple[Path, str]:
    """Write a table; return it and its columns."""
    path = folder / f"{name}_{rows}.parquet"
    with duckdb.connect() as connection:
        connection.execute("SELECT setseed(0.42)")
        made = connection.sql(f"SELECT {', '.join(TABLES[name])} FROM range({rows})")  # noqa: S608 - our own
        columns = ",".join(made.columns)
        if not path.exists():
            made.write_parquet(str(path))
    return path, columns


def line(what: str, found: Process, bare: Process) -> str:
    """What a process took, and how much more than the group-by."""
    return (
        f"  {what:<24} {found.seconds:7.1f} s {found.cpu:7.1f} s CPU {found.megabytes:7.0f} MB   "
        f"{found.seconds / bare.seconds:5.2f} x time {found.cpu / bare.cpu:5.2f} x CPU"
    )


def main(rows: int, folder: Path) -> None:
    """Print a table of ratios for each of the two."""
    for name in TABLES:
        path, columns = generate(name, rows, folder)
        bare = run_process(sys.executable, "-c", BARE, str(path), columns)
        asked = (sys.executable, "-c", COMMAND, "table", "risk", str(path), "--quasi", columns, "--quiet")
        print(f"{name}, {rows:,} rows")
        print(line("bare group-by", bare, bare))
        for what, options in (("table risk --no-drivers", ("--no-drivers",)), ("table risk", ())):
            found = run_process(*asked, *options)
            if found.exit_code not in (0, 3):
                raise SystemExit(f"{what} ended with exit code {found.exit_code}")
            print(line(what, found, bare))


if __name__ == "__main__":
    number = int(float(sys.argv[1])) if len(sys.argv) > 1 else ROWS
    if len(sys.argv) > 2:
        main(number, Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(number, Path(temporary))

"""Cell suppression of Adult, k = 5, no generalization: cells, bound and time against ARX and the greedy."""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.suppress.groups import Codes
from reidrisk.stats.suppress.result import Suppression, cost
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Request, make_table
from reidrisk.stats.suppress.yardsticks import greedy, whole_records

ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult" / "adult.csv"
ARX = {3: 425, 5: 8_579, 7: 19_074, 8: 34_931, 9: 38_219}
"""Starred cells of ARX 3.9.2 with the first so many columns of the file."""
K = 5
AGREED_SECONDS = 60


def read_adult(path: Path) -> Codes:
    """The records as codes, columns in the order of the file."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = np.array(list(csv.reader(lines, delimiter=";"))[1:])
    columns = [np.unique(rows[:, column], return_inverse=True)[1] for column in range(rows.shape[1])]
    return np.stack(columns, axis=1).astype(np.int32)


def distinct(records: Codes) -> tuple[Codes, Ints]:
    """Distinct tuples and how many records have each."""
    codes, counts = np.unique(records, axis=0, return_counts=True)
    return np.ascontiguousarray(codes), counts.astype(np.int64)


def compile_all() -> None:
    """Machine code is made on first use and kept: not part of the time."""
    codes, counts = distinct(np.random.default_rng(1).integers(0, 5, (200, 3)).astype(np.int32))
    budget = Budget(rounds=1, ascents=20)
    suppress_cells(codes, counts, request=Request(4), budget=budget, rng=np.random.default_rng(1))


def line(records: Codes, columns: int) -> str:
    """One row of the table printed."""
    codes, counts = distinct(records[:, :columns])
    request = Request(K)
    start, used = time.perf_counter(), time.process_time()
    answer = suppress_cells(codes, counts, request=request, rng=np.random.default_rng(2026))
    wall, processor = time.perf_counter() - start, time.process_time() - used
    assert isinstance(answer, Suppression)
    table = make_table(codes, counts, request)
    simple, whole = cost(greedy(table), table), cost(whole_records(table), table)
    return (
        f"{columns:>2} {len(codes):>9,} {answer.cells:>8,} {answer.bound:>8,.0f} {answer.gap:>6.1%} "
        f"{ARX[columns]:>8,} {answer.cells / ARX[columns]:>6.3f} "
        f"{simple:>8,.0f} {answer.cells / simple:>6.3f} "
        f"{whole:>8,.0f} {wall:>6.1f} {processor:>6.1f}  {answer.method}"
    )


def main() -> None:
    if not ADULT.exists():
        sys.exit("Adult is not beside the repository: nothing measured.")
    records = read_adult(ADULT)
    compile_all()
    print(f"Adult, {len(records):,} records, k = {K}; agreed for 9 columns: under {AGREED_SECONDS} s")
    print(
        "qi    tuples    cells    bound    gap      ARX  ratio   greedy  ratio    whole   wall    cpu  method"
    )
    for columns in ARX:
        print(line(records, columns), flush=True)


if __name__ == "__main__":
    main()

"""Cell suppression: cells, bound and time against the greedy, and on Adult (k = 5) against ARX."""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from reidrisk.core.schema import Schema, Treatment
from reidrisk.core.threshold import Threshold
from reidrisk.demo.prescriptions import CONFIG, RECORDS, write_case
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped
from reidrisk.stats.suppress.large import greedy, whole_records
from reidrisk.stats.suppress.result import Suppression, cost
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Codes, Request, make_table
from reidrisk.tables.deidentify.config import read_config
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.run import deidentify

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


def demo_classes(folder: Path) -> list[Grouped]:
    """The visits of the demonstration: with nothing generalized, and at the levels chosen for k = 3."""
    write_case(folder)
    config = read_config(folder / CONFIG.name)
    said = config.values
    quasi = config.layouts[0].quasi
    schema = Schema(
        quasi=quasi, direct=tuple(said["direct"]), unit=said["unit"], reduce=said.get("reduce", {})
    )
    dropped: dict[str, Treatment] = dict.fromkeys(said["direct"], "drop")
    options = DeidentifyOptions(
        suppress="records", treatments=dropped, derived=config.derived, layouts=config.layouts
    )
    three = Threshold.from_cell_size(3, "the demonstration's second threshold")
    limit = said["max_suppression"]
    result = deidentify(
        folder / RECORDS, schema, config.hierarchies, threshold=three, max_suppression=limit, options=options
    )
    assert result.found is not None
    problem = result.found.problem
    return [problem.at(tuple(0 for _ in problem.top)), result.found.suppressed.classes]


def line(codes: Codes, counts: Ints, *, k: int, arx: int | None = None) -> str:
    """One row of the table printed."""
    columns = codes.shape[1]
    request = Request(k)
    start, used = time.perf_counter(), time.process_time()
    answer = suppress_cells(codes, counts, request=request, rng=np.random.default_rng(2026))
    wall, processor = time.perf_counter() - start, time.process_time() - used
    assert isinstance(answer, Suppression)
    table = make_table(codes, counts, request)
    simple, whole = cost(greedy(table), table), cost(whole_records(table), table)
    return (
        f"{columns:>2} {k:>2} {len(codes):>9,} {answer.cells:>8,} {answer.bound:>8,.0f} {answer.gap:>6.1%} "
        f"{arx or 0:>8,} {answer.cells / arx if arx else 0:>6.3f} "
        f"{simple:>8,.0f} {answer.cells / simple:>6.3f} "
        f"{whole:>8,.0f} {wall:>6.1f} {processor:>6.1f}  {answer.method}"
    )


def main() -> None:
    compile_all()
    print("qi  k    tuples    cells    bound    gap      ARX  ratio", end="   ")
    print("greedy  ratio    whole   wall    cpu  method")
    with TemporaryDirectory() as folder:
        exact, chosen = demo_classes(Path(folder))
    print(f"Demonstration, {exact.counts.sum():,} visits: nothing generalized, then the levels found for 1/3")
    print(line(exact.codes, exact.counts, k=K), flush=True)
    print(line(chosen.codes, chosen.counts, k=3), flush=True)
    if not ADULT.exists():
        sys.exit("Adult is not beside the repository: not measured.")
    records = read_adult(ADULT)
    print(f"Adult, {len(records):,} records, nothing generalized; agreed for 9 columns: {AGREED_SECONDS} s")
    for columns, arx in ARX.items():
        print(line(*distinct(records[:, :columns]), k=K, arx=arx), flush=True)


if __name__ == "__main__":
    main()

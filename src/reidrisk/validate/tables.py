"""Tables counted again by hand, searches against every other answer, attacks against their prediction."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.validate.check import Bench, Observed

SEED = 20_261
QUASI = ("sex", "age", "region")
Row = tuple[str, ...]
Rng = np.random.Generator


def write_people(path: Path, rng: Rng, records: int, *, empty: float = 0.02) -> Path:
    """A table as hospitals have it: skewed, with a share of empty cells, a comma and an umlaut in values."""
    ages = np.clip(rng.normal(50, 18, records), 0, 99).astype(int)
    regions = np.array(["North, upper", "Süd", "East", "West", ""])
    places = rng.choice(regions, records, p=[0.42 - empty, 0.3, 0.2, 0.08, empty])
    sexes = rng.choice(["F", "M", ""], records, p=[0.55, 0.45 - empty, empty])
    costs = rng.integers(10, 99, records)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*QUASI, "cost"])
        writer.writerows(zip(sexes, ages.astype(str), places, costs, strict=True))
    return path


def read_rows(path: Path, columns: Sequence[str] = QUASI) -> list[Row]:
    """The rows of a CSV file, read by Python's own reader."""
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(row[name] for name in columns) for row in csv.DictReader(file)]


def classes_by_hand(bench: Bench) -> Observed:
    """Measure tables with the engine, and count their classes with a dictionary."""
    from reidrisk.tables.risk import table_risk

    wrong = []
    sizes = (1, 7, 300, 5000) if bench.full else (1, 7, 300)
    for number in sizes:
        path = write_people(bench.folder / f"{number}.csv", np.random.default_rng([SEED, number]), number)
        found = table_risk(str(path), Schema(quasi=QUASI, other={"cost": "validation"}), drivers=False)
        by_hand = Counter(Counter(read_rows(path)).values())
        told = {row["size"]: row["classes"] for row in found.to_dict()["class_sizes"]}
        highest = found.to_dict()["prosecutor"]["highest"]
        if told != dict(by_hand) or highest != 1 / min(by_hand):
            wrong.append(f"table of {number} records")
    text = f"Class sizes and highest risk of {len(sizes)} tables are those counted by hand."
    return Observed(not wrong, f"Differs: {', '.join(wrong)}." if wrong else text)


def hierarchies() -> dict[str, Hierarchy]:
    """Steps of 5 and 20 years; regions as they are or suppressed."""
    return {"age": Hierarchy.numbers("age", [5, 20])}


def _released(bench: Bench, number: int, *, empty: float) -> tuple[Any, Path, int]:
    from reidrisk.tables.deidentify.options import DeidentifyOptions
    from reidrisk.tables.deidentify.run import deidentify

    cell_size = (2, 3, 5, 11)[number % 4]
    rng = np.random.default_rng([SEED, number])
    source = write_people(bench.folder / f"in{number}.csv", rng, 400, empty=empty)
    out = bench.folder / f"out{number}.csv"
    found = deidentify(
        str(source),
        Schema(quasi=QUASI, other={"cost": "validation"}),
        hierarchies(),
        threshold=Threshold.from_cell_size(cell_size, "validation"),
        max_suppression=0.5,
        options=DeidentifyOptions(suppress="cells" if number % 2 else "records", max_cell_suppression=None),
        out=out,
    )
    return found, out, cell_size


def k_anonymity(bench: Bench) -> Observed:
    """De-identify tables, and count the classes of the written files with a dictionary.

    In every second pair of tables no cell is empty before: there, the smallest class must be the reported
    one. Elsewhere it may be larger, since a file shows cells that were empty and cells that were suppressed
    alike, while the report counts them as two values.
    """
    wrong, number = [], 8 if bench.full else 4
    least = []
    for at in range(number):
        empty = 0.0 if at // 2 % 2 else 0.02
        found, out, cell_size = _released(bench, at, empty=empty)
        smallest = min(Counter(read_rows(out)).values())
        told = found.to_dict()["after"]["smallest_class"]
        least.append(f"{smallest} (cell size {cell_size})")
        if not (cell_size <= told <= smallest) or (told != smallest and not empty):
            wrong.append(f"release {at + 1}")
    text = f"Smallest classes of {number} released files: {', '.join(least)}."
    return Observed(
        not wrong, f"{', '.join(wrong)}: a class is too small or was told wrong. {text}" if wrong else text
    )


def search_optimum(bench: Bench) -> Observed:
    """Search random lattices, and compare with the best of all their nodes, counted in plain Python."""
    from reidrisk.stats.lattice.inputs import Criterion
    from reidrisk.stats.lattice.search import solve

    wrong, tried = [], 0
    for number in range(30 if bench.full else 10):
        rng = np.random.default_rng([SEED, 3, number])
        rows, ladders = _random_lattice(rng)
        cell_size, limit = int(rng.integers(2, 5)), float(rng.choice([0.0, 0.1, 0.3]))
        losses: tuple[Any, ...] = ("loss_gm", "dm")
        for loss in losses:
            best = _best_node(rows, ladders, cell_size, limit, loss)
            found = solve(*_as_inputs(rows, ladders), Criterion(cell_size, limit=limit), loss)
            score = None if found.solution is None else found.solution.score
            tried += 1
            if not _same_score(score, best) or not found.optimal:
                wrong.append(f"{loss} on lattice {number + 1}")
    text = f"{tried} searches found the optimum of the exhaustive count."
    return Observed(not wrong, f"Another optimum: {', '.join(wrong)}." if wrong else text)


def _same_score(score: float | None, best: float | None) -> bool:
    if score is None or best is None:
        return score is best
    return math.isclose(score, best, rel_tol=1e-9, abs_tol=1e-9)


Ladder = list[list[int]]
"""For each level the code of every value."""


def _random_lattice(rng: Rng) -> tuple[list[tuple[int, ...]], list[Ladder]]:
    values = [int(size) for size in rng.integers(3, 7, size=3)]
    ladders = [[list(range(size)), [code // 2 for code in range(size)], [0] * size] for size in values]
    records = int(rng.integers(20, 60))
    columns = [np.minimum(rng.geometric(0.4, records) - 1, size - 1) for size in values]
    return [tuple(int(code) for code in row) for row in np.stack(columns, axis=1)], ladders


def _as_inputs(rows: Sequence[tuple[int, ...]], ladders: Sequence[Ladder]) -> tuple[Any, list[Any]]:
    from reidrisk.stats.lattice.inputs import Recoding, Tuples

    codes, counts = np.unique(np.array(rows, dtype=np.int32), axis=0, return_counts=True)
    return Tuples(codes, counts.astype(np.int64)), [Recoding.of_rows(ladder) for ladder in ladders]


def _best_node(
    rows: Sequence[tuple[int, ...]], ladders: Sequence[Ladder], cell_size: int, limit: float, loss: str
) -> float | None:
    """The least loss of any node that suppresses few enough records; None if there is none."""
    best = None
    for node in product(*(range(len(ladder)) for ladder in ladders)):
        general = [
            tuple(ladder[level][code] for ladder, level, code in zip(ladders, node, row, strict=True))
            for row in rows
        ]
        kept = {key: size for key, size in Counter(general).items() if size >= cell_size}
        gone = len(rows) - sum(kept.values())
        if gone > math.floor(limit * len(rows) + 1e-9):
            continue
        score = _loss(rows, ladders, node, kept, loss)
        best = score if best is None else min(best, score)
    return best


def _loss(
    rows: Sequence[tuple[int, ...]],
    ladders: Sequence[Ladder],
    node: tuple[int, ...],
    kept: dict[tuple[int, ...], int],
    loss: str,
) -> float:
    """Discernibility, or the geometric mean of the lost shares of the domains (ARX 3.9.2)."""
    records, gone = len(rows), len(rows) - sum(kept.values())
    if loss == "dm":
        return float(sum(size**2 for size in kept.values()) + records * gone)
    product_of = 1.0
    for place, (ladder, level) in enumerate(zip(ladders, node, strict=True)):
        domain, leaves = len(ladder[0]), Counter(ladder[level])
        share = sum(size * leaves[key[place]] / domain for key, size in kept.items()) + gone
        least = records / domain
        product_of *= 1 + max(0.0, (share - least) / (records - least))
    return float(product_of ** (1 / len(ladders)) - 1)


def suppression_optimum(bench: Bench) -> Observed:
    """Suppress cells of tiny tables, and compare with the best of all ways to group their records."""
    from reidrisk.stats.suppress.result import Suppression
    from reidrisk.stats.suppress.solve import suppress_cells
    from reidrisk.stats.suppress.table import Budget, Request

    wrong, number = [], 40 if bench.full else 15
    for at in range(number):
        rng = np.random.default_rng([SEED, 4, at])
        rows = [tuple(int(cell) for cell in row) for row in rng.integers(0, 3, size=(7, 3))]
        cell_size = int(rng.integers(2, 4))
        codes, counts = np.unique(np.array(rows, dtype=np.int32), axis=0, return_counts=True)
        request, budget = Request(cell_size), Budget(ascents=60, rounds=8)
        found = suppress_cells(codes, counts.astype(np.int64), request=request, budget=budget, rng=rng)
        cells = found.cells if isinstance(found, Suppression) else None
        if cells != fewest_cells(rows, cell_size):
            wrong.append(f"table {at + 1}")
    text = f"As few suppressed cells as any grouping needs, in all {number} tables."
    return Observed(not wrong, f"Not the fewest cells: {', '.join(wrong)}." if wrong else text)


def fewest_cells(rows: Sequence[tuple[int, ...]], cell_size: int) -> int:
    """By trying every way to group the records; a group suppresses the columns on which it differs."""
    return min(
        sum(_cells(rows, group) for group in groups)
        for groups in _groupings(list(range(len(rows))))
        if min(map(len, groups)) >= cell_size
    )


def _cells(rows: Sequence[tuple[int, ...]], group: Sequence[int]) -> int:
    differing = sum(len({rows[member][column] for member in group}) > 1 for column in range(len(rows[0])))
    return len(group) * differing


def _groupings(members: list[int]) -> Iterator[list[list[int]]]:
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for others in _groupings(rest):
        for at, group in enumerate(others):
            yield [*others[:at], [first, *group], *others[at + 1 :]]
        yield [[first], *others]


def attack_and_prediction(bench: Bench) -> Observed:
    """Attack releases, and compare the share of right links with the risk that was predicted."""
    from reidrisk.tables.attack.plan import AttackPlan
    from reidrisk.tables.attack.run import attack_table
    from reidrisk.tables.risk import table_risk

    rows = []
    for number in range(6 if bench.full else 3):
        path = write_people(bench.folder / f"{number}.csv", np.random.default_rng([SEED, 5, number]), 900)
        schema = Schema(quasi=QUASI, other={"cost": "validation"})
        predicted = table_risk(str(path), schema, drivers=False).to_dict()["prosecutor"]["average"]
        plan = AttackPlan(quasi=QUASI, guesses=200, level=0.99)
        found = attack_table(str(path), str(path), plan, seed=number).to_dict()
        main = found["linkage"]["exact"]["main"]
        holds = main["low"] <= predicted <= main["high"]
        rows.append(
            {
                "id": f"release {number + 1}",
                "source": "Exact linkage of every record with the original table",
                "expected": predicted,
                "seen": main["value"],
                "holds": holds,
            }
        )
    right = sum(row["holds"] for row in rows)
    text = f"In {right} of {len(rows)} attacks the predicted risk is inside the interval of the attack."
    return Observed(right == len(rows), text, tuple(rows))

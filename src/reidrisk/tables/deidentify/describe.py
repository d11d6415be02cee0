"""Describe a solution in JSON types: levels, suppression, distributions and proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from math import fsum
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.association import SUPPRESSED_CODE, Association, associations, pair_associations
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.suppress.compatible import readings
from reidrisk.stats.suppress.result import tidy
from reidrisk.stats.utility import (
    ColumnInformation,
    ReleasedTuples,
    Utility,
    column_information,
    distribution,
    released_information,
    utility,
)
from reidrisk.tables.deidentify.by_tuple import TupleSolution
from reidrisk.tables.deidentify.figures import missing_values, released_of
from reidrisk.tables.deidentify.problem import SearchProblem, SuppressionPlan
from reidrisk.tables.deidentify.proposals import Proposal
from reidrisk.tables.deidentify.search import LevelSolution

ORDERED = (int, float, Decimal, date)
"""Types with a meaningful order; a datetime is a date."""
MOST_LABELS = 40
"""Largest number of values of a variable whose shares are listed."""


def solution_part(found: LevelSolution, worth: Utility) -> dict[str, Any]:
    """Describe the chosen node and what is suppressed there."""
    problem, suppressed = found.problem, found.suppressed
    names = problem.layout.quasi
    return {
        "levels": problem.named(found.solution.levels),
        "level_numbers": dict(zip(names, found.solution.levels, strict=True)),
        **suppression_part(suppressed, names),
        "cell_suppression": _cell_proof(suppressed),
        "utility": {
            "precision": worth.precision,
            "discernibility": worth.discernibility,
            "entropy": worth.entropy,
            "loss": loss_of(found, worth),
            "loss_name": problem.options.loss,
            "search_loss": found.solution.score,
            "granularity": 1 - fsum(column.loss for column in worth.columns) / len(worth.columns),
        },
        "proof": found.proof,
        "optimal": found.optimal,
    }


def suppression_part(suppressed: SuppressionPlan, names: Sequence[str]) -> dict[str, Any]:
    """Describe how many records and cells are suppressed, in all and by column."""
    records, cells = int(suppressed.numbers.sum()), suppressed.by_column.tolist()
    total = int(suppressed.by_column.sum())
    return {
        "records": records,
        "suppressed_records": suppressed.records,
        "suppressed_share": suppressed.records / records,
        "removed_records": suppressed.removed,
        "blank_records": suppressed.blank,
        "suppressed_cells": total,
        "cell_share": total / (records * len(names)),
        "by_column": dict(zip(names, cells, strict=True)),
        "by_column_share": {name: cell / records for name, cell in zip(names, cells, strict=True)},
        "cells_per_record": [{"cells": n, "records": number} for n, number in suppressed.cells_per_record()],
    }


def loss_of(found: LevelSolution, worth: Utility) -> float:
    """Return the chosen loss: that of the search for whole records, otherwise counted by cells."""
    if found.problem.options.suppress == "records":
        return found.solution.score
    by_cells = {
        "loss_gm": worth.loss_gm,
        "loss_am": worth.loss_am,
        "prec": 1 - worth.precision,
        "entropy": worth.entropy,
        "dm": float(worth.discernibility),
    }
    return by_cells[found.problem.options.loss]


def _cell_proof(suppressed: SuppressionPlan) -> dict[str, Any] | None:
    if suppressed.proof is None:
        return None
    proof = suppressed.proof
    return {"method": proof.method, "bound": proof.bound, "optimal": proof.optimal, "gap": proof.gap}


def candidates_part(found: LevelSolution, *, several: bool) -> list[dict[str, Any]]:
    """Describe every minimal node and the optimum, smallest loss first."""
    problem, best = found.problem, found.outcome.solution
    nodes = {node.levels: node for node in found.minimal.nodes}
    least = set(nodes)
    if best is not None:
        nodes.setdefault(best.levels, best)
    ordered = sorted(nodes.values(), key=lambda node: (node.score, node.levels))
    return [
        {
            "levels": problem.named(node.levels),
            "level_numbers": dict(zip(problem.layout.quasi, node.levels, strict=True)),
            "layout": problem.layout.name if several else None,
            "loss": node.score,
            "suppressed_records": node.suppressed,
            "suppressed_share": node.suppressed / problem.records,
            "minimal": node.levels in least,
            "optimum": best is not None and found.outcome.optimal and node.levels == best.levels,
            "chosen": node.levels == found.solution.levels,
        }
        for node in ordered
    ]


def readings_part(found: LevelSolution) -> dict[str, Any] | None:
    """Describe the classes under both readings of a suppressed cell; None if records were suppressed."""
    suppressed = found.suppressed
    if suppressed.proof is None:
        return None
    stars = tidy(suppressed.tuples, suppressed.masks, suppressed.numbers)
    both = readings(suppressed.classes.codes, stars, k=found.threshold.cell_size)
    return {
        name: {
            "smallest_class": reading.smallest,
            "highest": reading.highest,
            "average": reading.average,
            "share_above_threshold": reading.share_below,
        }
        for name, reading in (("value", both.value), ("wildcard", both.wildcard))
    }


def proposals_part(rows: Sequence[Proposal], columns: Sequence[str]) -> list[dict[str, Any]]:
    """Describe the comparison of solutions."""
    return [
        {
            "number": number,
            "name": row.name,
            "layout": row.layout,
            "levels": {column: row.levels.get(column) for column in columns},
            "shares": {str(size): share for size, share in row.shares.items()},
            "acceptable": {str(size): fine for size, fine in row.acceptable.items()},
            "chosen": row.chosen,
        }
        for number, row in enumerate(rows, start=1)
    ]


def worth_of(found: LevelSolution) -> tuple[ReleasedTuples, Utility]:
    """Return the release and all its measures of utility."""
    released = released_of(found)
    return released, utility(released, weights=found.problem.weights)


def variables_part(found: LevelSolution, released: ReleasedTuples) -> list[dict[str, Any]]:
    """Describe each variable: its level, suppressed cells, and distribution before and after."""
    return [_variable(found, released, place) for place in range(len(found.problem.levels))]


def _variable(found: LevelSolution, released: ReleasedTuples, place: int) -> dict[str, Any]:
    problem, levels = found.problem, found.problem.levels[place]
    level, recoding = found.solution.levels[place], found.problem.levels[place].recoding
    suppressed = int(found.suppressed.by_column[place])
    shares, others = _distribution(found, released, place)
    return {
        "column": levels.column,
        "level": levels.names[level],
        "level_number": level,
        "levels": list(levels.names),
        "max_level": None if recoding.highest is None else levels.names[recoding.highest],
        "reason": levels.reason,
        "values_before": len(problem.tuples.values[place]),
        "values_after": _values_after(found, place),
        "missing_before": missing_values(problem, place),
        "suppressed_cells": suppressed,
        "suppressed_share": suppressed / problem.records,
        **_information(released_information(released, place)),
        "distribution": shares,
        "other_labels": others,
    }


def _information(found: ColumnInformation) -> dict[str, Any]:
    """What a column tells before and after, alone."""
    return {
        "information_kept": found.kept,
        "unique_before": found.unique_before,
        "unique_after": found.unique_after,
    }


def _values_after(found: LevelSolution, place: int) -> int:
    """Count the distinct values after generalization, without suppressed cells."""
    kept = found.suppressed.bit(place) == 0
    codes = found.suppressed.classes.codes[:, place][found.suppressed.tuples[kept]]
    return int(np.count_nonzero(np.bincount(codes)))


def _distribution(
    found: LevelSolution, released: ReleasedTuples, place: int
) -> tuple[list[dict[str, Any]], int]:
    """Return the shares of values that enough records have; the rest together without a label."""
    levels, level = found.problem.levels[place], found.solution.levels[place]
    spread = distribution(released, place)
    codes = levels.recoding.levels[level]
    present = np.flatnonzero(spread.generalized > 0)
    enough = spread.generalized[present] * found.problem.records >= found.threshold.cell_size - 0.5
    order = _order(codes)
    listed = sorted(present[enough], key=lambda code: (-spread.generalized[code], order[code]))[:MOST_LABELS]
    names = dict(zip(codes.tolist(), levels.labels[level].tolist(), strict=True))
    rows = [
        {"label": label_text(names[code]), "before": spread.generalized[code], "after": spread.after[code]}
        for code in sorted(listed, key=lambda code: order[code])
    ]
    others = len(present) - len(listed)
    if others:
        rest = {
            "label": None,
            "before": max(0.0, float(spread.generalized.sum()) - sum(row["before"] for row in rows)),
            "after": max(0.0, float(spread.after.sum()) - sum(row["after"] for row in rows)),
        }
        rows.append(rest)
    return [{**row, "before": float(row["before"]), "after": float(row["after"])} for row in rows], others


def _order(codes: Codes) -> dict[int, int]:
    """Return the first value of each code, to sort labels by their original values."""
    values, first = np.unique(codes, return_index=True)
    return dict(zip(values.tolist(), first.tolist(), strict=True))


def label_text(label: Any) -> str:
    """Write a value as charts show it."""
    return "(missing)" if label is None else str(label)


def associations_part(found: LevelSolution, released: ReleasedTuples) -> list[dict[str, Any]]:
    """Describe the association of pairs of variables before and after."""
    return associations_rows(found.problem, lambda ordered: associations(released, ordered))


def associations_rows(
    problem: SearchProblem, measure: Callable[[Sequence[bool]], Sequence[Association]]
) -> list[dict[str, Any]]:
    """Describe every pair and its strength, measured by rank if the values have an order."""
    names = problem.layout.quasi
    ordered = [
        all(isinstance(value, ORDERED) for value in values if value is not None)
        for values in problem.tuples.values
    ]
    return [
        {
            "columns": [names[pair.columns[0]], names[pair.columns[1]]],
            "measure": pair.measure,
            "before": pair.before,
            "after": pair.after,
        }
        for pair in measure(ordered)
    ]


LOSS = "loss_am"
"""The loss that these methods minimize: the weighted mean of the columns' lost granularity."""


def tuple_solution_parts(found: TupleSolution, *, several: bool) -> dict[str, Any]:
    """Describe everything that depends on a solution by tuple."""
    return {
        "layout": found.problem.layout.name if several else None,
        "solution": _solution(found),
        "candidates": [],
        "readings": None,
        "variables": [_tuple_variable(found, place) for place in range(len(found.problem.levels))],
        "associations": _associations(found),
    }


def granularity(found: TupleSolution) -> Floats:
    """Return, by column, 1 minus the mean share of leaves that a cell covers besides its own."""
    counts, records = found.problem.tuples.counts, found.problem.records
    suppressed = [counts @ np.where(found.suppressed.bit(place) == 1, 1.0, column.loss)
            for place, column in enumerate(found.form.columns)]  # fmt: skip
    return 1 - np.array(suppressed) / records


def _solution(found: TupleSolution) -> dict[str, Any]:
    problem = found.problem
    kept, weights = granularity(found), np.array(problem.weights)
    loss = float(weights @ (1 - kept) / weights.sum())
    names = problem.layout.quasi
    return {
        "levels": found.levels(),
        "level_numbers": {name: _number(found, place) for place, name in enumerate(names)},
        "level_shares": {name: found.shares(place) for place, name in enumerate(names)},
        **suppression_part(found.suppressed, names),
        "cell_suppression": None,
        "utility": {
            "precision": _precision(found),
            "discernibility": found.suppressed.discernibility,
            "entropy": _entropy(found),
            "loss": loss,
            "loss_name": LOSS,
            "search_loss": loss,
            "granularity": float(kept.mean()),
            "by_column": dict(zip(names, kept.tolist(), strict=True)),
            "variance_lost": {
                name: column.within
                for name, column in zip(names, found.form.columns, strict=True)
                if column.within is not None
            },
        },
        "proof": found.proof,
        "optimal": found.optimal,
    }


def _number(found: TupleSolution, place: int) -> int | None:
    """Return the number of the level, if all cells of a column have the same."""
    names = found.problem.levels[place].names
    return names.index(found.level(place)) if found.level(place) in names else None


def _precision(found: TupleSolution) -> float | None:
    """Return 1 minus the mean of level / height over cells (1 if suppressed); None without levels."""
    counts, weights = found.problem.tuples.counts, np.array(found.problem.weights)
    parts = []
    for place, column in enumerate(found.form.columns):
        names = found.problem.levels[place].names
        if column.forms != names:
            return None
        height = column.form / max(1, len(names) - 1)
        parts.append(counts @ np.where(found.suppressed.bit(place) == 1, 1.0, height) / found.problem.records)
    return 1 - float(weights @ np.array(parts) / weights.sum())


def _entropy(found: TupleSolution) -> float:
    """Return the bits lost: how rare the value of each cell was among those with its released value."""
    return fsum(bit for place in range(len(found.form.columns)) for bit in _bits(found, place))


def _bits(found: TupleSolution, place: int) -> list[float]:
    """Return the bits that the cells of a column lost."""
    tuples, column = found.problem.tuples, found.form.columns[place]
    values = tuples.codes[:, place]
    shown = np.where(found.suppressed.bit(place) == 1, SUPPRESSED_CODE, column.codes + 1)
    width = int(values.max(initial=0)) + 1
    pairs, of = np.unique(shown.astype(np.int64) * width + values, return_inverse=True)
    both = np.bincount(of, weights=tuples.counts)
    same = np.bincount(shown, weights=tuples.counts)[pairs // width]
    return [float(bit) for bit in both * np.log2(same / both)]


def _tuple_information(found: TupleSolution, place: int) -> ColumnInformation:
    tuples, column = found.problem.tuples, found.form.columns[place]
    kept = found.suppressed.bit(place) == 0
    records = np.bincount(tuples.codes[:, place], weights=tuples.counts).astype(np.int64)
    after = np.bincount(column.codes[kept], weights=tuples.counts[kept]).astype(np.int64)
    return column_information(records, after, fsum(_bits(found, place)))


def _tuple_variable(found: TupleSolution, place: int) -> dict[str, Any]:
    problem, levels = found.problem, found.problem.levels[place]
    suppressed = int(found.suppressed.by_column[place])
    shares, others = _tuple_distribution(found, place)
    return {
        "column": levels.column,
        "level": found.level(place),
        "level_number": _number(found, place),
        "level_shares": found.shares(place),
        "levels": list(levels.names),
        "max_level": None if levels.recoding.highest is None else levels.names[levels.recoding.highest],
        "reason": levels.reason,
        "values_before": len(problem.tuples.values[place]),
        "values_after": len(np.unique(found.form.columns[place].codes[found.suppressed.bit(place) == 0])),
        "missing_before": missing_values(problem, place),
        "suppressed_cells": suppressed,
        "suppressed_share": suppressed / problem.records,
        **_information(_tuple_information(found, place)),
        "distribution": shares,
        "other_labels": others,
    }


def _tuple_distribution(found: TupleSolution, place: int) -> tuple[list[dict[str, Any]], int]:
    """Return released values with the share of records that had them before and have them now."""
    column, tuples = found.form.columns[place], found.problem.tuples
    kept = found.suppressed.bit(place) == 0
    after = np.bincount(column.codes[kept], weights=tuples.counts[kept], minlength=len(column.labels))
    before = np.bincount(tuples.codes[:, place], weights=tuples.counts)
    had = {label_text(value): number for value, number in zip(tuples.values[place], before, strict=True)}
    present = np.flatnonzero(after > 0)
    listed = sorted(sorted(present, key=lambda code: -after[code])[:MOST_LABELS])
    rows: list[dict[str, Any]] = [
        {
            "label": label_text(column.labels[code]),
            "before": float(had.get(label_text(column.labels[code]), 0)) / found.problem.records,
            "after": float(after[code]) / found.problem.records,
        }
        for code in listed
    ]
    others = len(present) - len(listed)
    if others or sum(row["before"] for row in rows) < 1 - 1e-9:
        rows.append({"label": None, "before": _rest(rows, "before", 1.0),
                     "after": _rest(rows, "after", float(after.sum()) / found.problem.records)})  # fmt: skip
    return rows, others


def _rest(rows: Sequence[dict[str, Any]], key: str, total: float) -> float:
    return max(0.0, total - fsum(float(row[key]) for row in rows))


def _associations(found: TupleSolution) -> list[dict[str, Any]]:
    tuples = found.problem.tuples
    after = [
        np.where(found.suppressed.bit(place) == 1, SUPPRESSED_CODE, column.codes + 1)
        for place, column in enumerate(found.form.columns)
    ]
    return associations_rows(
        found.problem,
        lambda ordered: pair_associations((tuples.codes, tuples.counts), (after, tuples.counts), ordered),
    )

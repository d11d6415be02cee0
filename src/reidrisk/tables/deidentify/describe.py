"""The parts of a result as JSON types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from math import fsum
from typing import Any

import numpy as np

from reidrisk.stats.association import Association, associations
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.suppress.compatible import readings
from reidrisk.stats.suppress.result import tidy
from reidrisk.stats.utility import ReleasedTuples, Utility, distribution, utility
from reidrisk.tables.deidentify.cells import Lost
from reidrisk.tables.deidentify.figures import missing_values, released_of
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.proposals import Proposal
from reidrisk.tables.deidentify.search import Found

ORDERED = (int, float, Decimal, date)
"""Types whose order means something; a datetime is a date."""
MOST_LABELS = 40
"""Values of a variable whose shares are listed."""


def solution_part(found: Found, worth: Utility) -> dict[str, Any]:
    """The chosen node and what is lost there."""
    problem, lost = found.problem, found.lost
    names = problem.layout.quasi
    return {
        "levels": problem.named(found.solution.levels),
        "level_numbers": dict(zip(names, found.solution.levels, strict=True)),
        **suppression_part(lost, names),
        "cell_suppression": _cell_proof(lost),
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


def suppression_part(lost: Lost, names: Sequence[str]) -> dict[str, Any]:
    """How many records and cells are lost, in all and by column."""
    records, cells = int(lost.numbers.sum()), lost.by_column.tolist()
    total = int(lost.by_column.sum())
    return {
        "records": records,
        "suppressed_records": lost.records,
        "suppressed_share": lost.records / records,
        "removed_records": lost.removed,
        "suppressed_cells": total,
        "cell_share": total / (records * len(names)),
        "by_column": dict(zip(names, cells, strict=True)),
        "by_column_share": {name: cell / records for name, cell in zip(names, cells, strict=True)},
        "cells_per_record": [{"cells": n, "records": number} for n, number in lost.cells_per_record()],
    }


def loss_of(found: Found, worth: Utility) -> float:
    """The loss that was asked for: of the search for whole records, else counted by cells."""
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


def _cell_proof(lost: Lost) -> dict[str, Any] | None:
    if lost.proof is None:
        return None
    proof = lost.proof
    return {"method": proof.method, "bound": proof.bound, "optimal": proof.optimal, "gap": proof.gap}


def candidates_part(found: Found, *, several: bool) -> list[dict[str, Any]]:
    """Every minimal node and the optimum, least loss first."""
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


def readings_part(found: Found) -> dict[str, Any] | None:
    """The classes under both readings of a suppressed cell; None if whole records were suppressed."""
    lost = found.lost
    if lost.proof is None:
        return None
    stars = tidy(lost.tuples, lost.masks, lost.numbers)
    both = readings(lost.classes.codes, stars, k=found.threshold.cell_size)
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
    """The table of solutions."""
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


def worth_of(found: Found) -> tuple[ReleasedTuples, Utility]:
    """The release and all its measures of utility."""
    released = released_of(found)
    return released, utility(released, weights=found.problem.weights)


def variables_part(found: Found, released: ReleasedTuples) -> list[dict[str, Any]]:
    """Each variable: its level, what was lost, its distribution before and after."""
    return [_variable(found, released, place) for place in range(len(found.problem.levels))]


def _variable(found: Found, released: ReleasedTuples, place: int) -> dict[str, Any]:
    problem, levels = found.problem, found.problem.levels[place]
    level, recoding = found.solution.levels[place], found.problem.levels[place].recoding
    lost = int(found.lost.by_column[place])
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
        "suppressed_cells": lost,
        "suppressed_share": lost / problem.records,
        "distribution": shares,
        "other_labels": others,
    }


def _values_after(found: Found, place: int) -> int:
    """Different values that are left, suppressed cells aside."""
    kept = found.lost.bit(place) == 0
    codes = found.lost.classes.codes[:, place][found.lost.tuples[kept]]
    return int(np.count_nonzero(np.bincount(codes)))


def _distribution(found: Found, released: ReleasedTuples, place: int) -> tuple[list[dict[str, Any]], int]:
    """Shares of the values that enough records have; the rest together under no name."""
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
    """The first value of each code: labels in the order of the values they stand for."""
    values, first = np.unique(codes, return_index=True)
    return dict(zip(values.tolist(), first.tolist(), strict=True))


def label_text(label: Any) -> str:
    """A value as charts show it."""
    return "(missing)" if label is None else str(label)


def associations_part(found: Found, released: ReleasedTuples) -> list[dict[str, Any]]:
    """How pairs of variables go together, before and after."""
    return associations_rows(found.problem, lambda ordered: associations(released, ordered))


def associations_rows(
    problem: Problem, measured: Callable[[Sequence[bool]], Sequence[Association]]
) -> list[dict[str, Any]]:
    """Every pair with its strength, measured by rank where the values have an order."""
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
        for pair in measured(ordered)
    ]

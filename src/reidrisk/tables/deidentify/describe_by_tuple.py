"""The parts of a result, where every tuple has values of its own, as JSON types."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.association import STAR, pair_associations
from reidrisk.tables.deidentify.by_tuple import FoundByTuple
from reidrisk.tables.deidentify.describe import MOST_LABELS, associations_rows, label_text, suppression_part
from reidrisk.tables.deidentify.figures import missing_values

LOSS = "loss_am"
"""What these methods keep small: the weighted mean of the columns' lost granularity."""


def found_parts(found: FoundByTuple, *, several: bool) -> dict[str, Any]:
    """All that there is to say only of a solution."""
    return {
        "layout": found.problem.layout.name if several else None,
        "solution": _solution(found),
        "candidates": [],
        "readings": None,
        "variables": [_variable(found, place) for place in range(len(found.problem.levels))],
        "associations": _associations(found),
    }


def granularity(found: FoundByTuple) -> Floats:
    """By column: 1 less the mean share of its leaves that a cell covers beyond its own."""
    counts, records = found.problem.tuples.counts, found.problem.records
    lost = [counts @ np.where(found.lost.bit(place) == 1, 1.0, column.lost)
            for place, column in enumerate(found.form.columns)]  # fmt: skip
    return 1 - np.array(lost) / records


def _solution(found: FoundByTuple) -> dict[str, Any]:
    problem = found.problem
    kept, weights = granularity(found), np.array(problem.weights)
    loss = float(weights @ (1 - kept) / weights.sum())
    after = found.lost.after().counts
    names = problem.layout.quasi
    return {
        "levels": found.levels(),
        "level_numbers": {name: _number(found, place) for place, name in enumerate(names)},
        "level_shares": {name: found.shares(place) for place, name in enumerate(names)},
        **suppression_part(found.lost, names),
        "cell_suppression": None,
        "utility": {
            "precision": _precision(found),
            "discernibility": int(after @ after),
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


def _number(found: FoundByTuple, place: int) -> int | None:
    """The number of the level, if all cells of a column have one."""
    names = found.problem.levels[place].names
    return names.index(found.level(place)) if found.level(place) in names else None


def _precision(found: FoundByTuple) -> float | None:
    """1 less the mean over cells of level / height, 1 for a star; None where values are no levels."""
    counts, weights = found.problem.tuples.counts, np.array(found.problem.weights)
    parts = []
    for place, column in enumerate(found.form.columns):
        names = found.problem.levels[place].names
        if column.forms != names:
            return None
        height = column.form / max(1, len(names) - 1)
        parts.append(counts @ np.where(found.lost.bit(place) == 1, 1.0, height) / found.problem.records)
    return 1 - float(weights @ np.array(parts) / weights.sum())


def _entropy(found: FoundByTuple) -> float:
    """Bits lost: for each cell how much rarer its value was among those that share its released value."""
    tuples = found.problem.tuples
    bits = []
    for place, column in enumerate(found.form.columns):
        values = tuples.codes[:, place]
        shown = np.where(found.lost.bit(place) == 1, STAR, column.codes + 1)
        width = int(values.max(initial=0)) + 1
        pairs, of = np.unique(shown.astype(np.int64) * width + values, return_inverse=True)
        both = np.bincount(of, weights=tuples.counts)
        alike = np.bincount(shown, weights=tuples.counts)[pairs // width]
        bits += (both * np.log2(alike / both)).tolist()
    return fsum(bits)


def _variable(found: FoundByTuple, place: int) -> dict[str, Any]:
    problem, levels = found.problem, found.problem.levels[place]
    lost = int(found.lost.by_column[place])
    shares, others = _distribution(found, place)
    return {
        "column": levels.column,
        "level": found.level(place),
        "level_number": _number(found, place),
        "level_shares": found.shares(place),
        "levels": list(levels.names),
        "max_level": None if levels.recoding.highest is None else levels.names[levels.recoding.highest],
        "reason": levels.reason,
        "values_before": len(problem.tuples.values[place]),
        "values_after": len(np.unique(found.form.columns[place].codes[found.lost.bit(place) == 0])),
        "missing_before": missing_values(problem, place),
        "suppressed_cells": lost,
        "suppressed_share": lost / problem.records,
        "distribution": shares,
        "other_labels": others,
    }


def _distribution(found: FoundByTuple, place: int) -> tuple[list[dict[str, Any]], int]:
    """Released values with the share of records that had them as they were, and that have them now."""
    column, tuples = found.form.columns[place], found.problem.tuples
    kept = found.lost.bit(place) == 0
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


def _associations(found: FoundByTuple) -> list[dict[str, Any]]:
    tuples = found.problem.tuples
    after = [
        np.where(found.lost.bit(place) == 1, STAR, column.codes + 1)
        for place, column in enumerate(found.form.columns)
    ]
    return associations_rows(
        found.problem,
        lambda ordered: pair_associations((tuples.codes, tuples.counts), (after, tuples.counts), ordered),
    )

"""Whether released records can be told from original ones: the propensity score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.stats.grouping import grouped
from reidrisk.stats.usefulness.design import interaction, join_blocks
from reidrisk.stats.usefulness.scores import Propensity, propensity
from reidrisk.tables.utility.comparable import Comparable
from reidrisk.tables.utility.data import Both
from reidrisk.tables.utility.encode import MOST_LEVELS, Encoded, encoded
from reidrisk.tables.utility.plan import UtilityPlan

MOST_TERMS = 100
"""Of the model; categories are joined until it has no more."""


@dataclass(frozen=True, slots=True)
class ToldApart:
    """The propensity score of a release, or why there is none."""

    found: Propensity | None
    columns: tuple[str, ...]
    reason: str | None = None

    @property
    def ratio(self) -> float | None:
        """How many times what chance alone would give."""
        return None if self.found is None else self.found.ratio

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = self.found
        return {
            "pmse": found.pmse if found else None,
            "largest": found.share * (1 - found.share) if found else None,
            "expected": found.expected if found else None,
            "ratio": self.ratio,
            "standardised": found.standardised if found else None,
            "parameters": found.parameters if found else None,
            "records": int(found.records) if found else None,
            "separated": found.is_held if found else None,
            "columns": list(self.columns),
            "reason": self.reason,
        }


def told_apart(both: Both, plan: UtilityPlan) -> ToldApart:
    """A logistic model of all compared columns and the interactions that were asked for."""
    used = [one for one in both.compared if one.tells]
    names = tuple(one.name for one in used)
    for pair in plan.interactions:
        for name in pair:
            if name not in names:
                why = both.apart.get(name, "it is not compared, or the release tells nothing of it")
                return ToldApart(None, names, f"The interaction with {name} cannot be made: {why}.")
    columns, pairs = _fitting(used, plan)
    if not columns:
        return ToldApart(None, names, "No column can be compared.")
    return ToldApart(_measured(both, columns, pairs), names)


def _fitting(used: Sequence[Comparable], plan: UtilityPlan) -> tuple[list[Encoded], list[tuple[int, int]]]:
    """The columns with as many categories as the model has room for."""
    most = MOST_LEVELS
    while True:
        columns = [encoded(one, least=plan.cell_size, most=most) for one in used]
        place = {one.name: at for at, one in enumerate(columns)}
        pairs = [(place[one], place[two]) for one, two in plan.interactions]
        width = sum(one.width for one in columns)
        width += sum(columns[one].width * columns[two].width for one, two in pairs)
        if width <= MOST_TERMS or most <= 2:
            return columns, pairs
        most //= 2


def _measured(both: Both, columns: list[Encoded], pairs: list[tuple[int, int]]) -> Propensity:
    parts, weights = [], []
    for after, codes in enumerate(both.codes):
        rows = np.stack([codes[one.name] for one in columns], axis=1)
        tuples = grouped(rows, np.ones(len(rows), dtype=np.int64))
        blocks = [one.block(tuples.codes[:, at], after=bool(after)) for at, one in enumerate(columns)]
        blocks += [interaction(blocks[one], blocks[two]) for one, two in pairs]
        parts.append(join_blocks(blocks, len(tuples.codes)).columns)
        weights.append(tuples.counts.astype(np.float64))
    released = np.repeat([0.0, 1.0], [len(part) for part in parts])
    return propensity(np.vstack(parts), released, np.concatenate(weights))

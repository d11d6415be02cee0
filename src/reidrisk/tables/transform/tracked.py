"""Rows of a table before and after transformations: whose record each of them was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.engine.replacing import is_moment, is_numeric, numbers_of, values_of
from reidrisk.engine.table import Table
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.proportion import interval
from reidrisk.stats.swap import Points, own_nearest
from reidrisk.tables.transform.planned import Planned

LEVEL = 0.95


def changed_columns(steps: Sequence[Planned]) -> tuple[str, ...]:
    """Columns whose values are changed, each once; what becomes a pseudonym can be held against nothing."""
    hidden = {name for one in steps if one.step.kind == "pseudonyms" for name in one.step.columns}
    every = dict.fromkeys(name for one in steps for name in one.step.changes)
    return tuple(name for name in every if name not in hidden)


@dataclass(frozen=True, slots=True, eq=False)
class Tracked:
    """The original values of some columns, and which of their rows are still there."""

    columns: tuple[str, ...]
    before: Points = field(repr=False)
    names: dict[str, dict[Any, int]] = field(repr=False)
    """Of columns of categories: the code of each value."""
    owner: Ints = field(repr=False)

    @classmethod
    def of(cls, table: Table, columns: tuple[str, ...]) -> Tracked:
        """As they are before anything is done."""
        names: dict[str, dict[Any, int]] = {}
        found = []
        for name in columns:
            if is_numeric(table, name) or is_moment(table, name):
                found.append(numbers_of(table, [name])[:, 0])
            else:
                codes, values = values_of(table, name)
                names[name] = {value: code for code, value in enumerate(values)}
                found.append(np.where(codes < 0, np.nan, codes))
        rows = np.stack(found, axis=1)
        return cls(
            columns, Points(rows, np.array([name in names for name in columns])), names, np.arange(len(rows))
        )

    def only(self, places: Ints) -> Tracked:
        """After other rows were left out."""
        return replace(self, owner=self.owner[places])

    def linkage(self, table: Table, seed: int) -> dict[str, Any] | None:
        """Changed records held against all originals; None if no row is left."""
        if not self.owner.size:
            return None
        after = np.stack([self._now(table, name) for name in self.columns], axis=1)
        own = self.before.rows[self.owner]
        same = ((after == own) | (np.isnan(after) & np.isnan(own))).all(axis=1)
        points = Points(after, self.before.categories)
        links = own_nearest(self.before, points, self.owner, np.random.default_rng(seed))
        low, high = interval(links.right, links.guesses, level=LEVEL)
        return {
            "columns": list(self.columns),
            "guesses": links.guesses,
            "right": links.right,
            "value": links.right / links.guesses,
            "low": low if links.right else 0.0,
            "high": high,
            "level": LEVEL,
            "originals": links.originals,
            "guessing": 1 / links.originals,
            "share_unchanged": float(same.mean()),
        }

    def _now(self, table: Table, name: str) -> Floats:
        if name not in self.names:
            return numbers_of(table, [name])[:, 0]
        codes, values = values_of(table, name)
        known = self.names[name]
        own = np.array([*(float(known.get(value, -1)) for value in values), np.nan])
        return np.asarray(own[codes])

"""Categories that stay or become others with known chances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from reidrisk.engine.replacing import known_columns, values_of, with_sources
from reidrisk.engine.table import Table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.perturb import (
    check_matrix,
    expected_change,
    invariant,
    is_correctable,
    least_certain,
    randomize,
    redraw_matrix,
)
from reidrisk.tables.transform.step import Done, Work

LISTED = 50
"""Values up to which the matrix is told."""
MOST = 1000
"""Different values that are randomised: more are no categories."""


@dataclass(frozen=True, slots=True)
class Pram:
    """Post-randomisation of one column."""

    kind: ClassVar[str] = "pram"

    column: str
    keep: float = 0.8
    """The chance that a value is not drawn anew, where no matrix is given."""
    matrix: Mapping[str, Mapping[str, float]] | None = None
    """By value: the chance of each value that it may become; values that are not named have none."""
    invariant: bool = True
    """Whether a matrix is changed so that the shares of the values stay, in expectation."""

    def __post_init__(self) -> None:
        if not 0 <= self.keep <= 1:
            raise InvalidSetting(f"A chance to stay of {self.keep}.", hint="A number from 0 to 1, as 0.8.")

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that it reads."""
        return (self.column,)

    @property
    def changes(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def apply(self, table: Table, work: Work) -> Done:
        """Draw every value; a missing one stays missing."""
        [name] = known_columns(table, [self.column])
        codes, values = values_of(table, name)
        if not 1 < len(values) <= MOST:
            raise BadData(
                f"Column {name!r} has {len(values)} different values: nothing to exchange, or no categories.",
                hint=f"Randomise columns of 2 to {MOST} values.",
            )
        counts = np.bincount(codes[codes >= 0], minlength=len(values))
        chances = self._chances([str(value) for value in values], counts)
        drawn = randomize(codes, chances, work.rng)
        first = np.zeros(len(values), dtype=np.int64)
        known = np.flatnonzero(codes >= 0)[::-1]
        first[codes[known]] = known
        sources = np.where((codes < 0) | (drawn == codes), np.arange(len(codes)), first[drawn])
        made = with_sources(table, name, sources, note=f"{name} randomised")
        changed = float((drawn != codes)[codes >= 0].mean())
        row = {
            "column": name,
            "share_changed": changed,
            "expected_changed": expected_change(chances, counts),
            "correctable": is_correctable(chances),
        }
        figures: dict[str, Any] = {
            "share_changed": changed,
            "by_column": [row],
            "least_certain": least_certain(chances, counts),
            "matrix": chances.round(6).tolist() if len(values) <= LISTED else None,
        }
        return Done(made, f"{name}: {100 * changed:.1f} % of the values changed by chance", figures)

    def _chances(self, names: list[str], counts: Ints) -> Floats:
        if self.matrix is None:
            return redraw_matrix(counts, self.keep)
        given = np.eye(len(names))
        for value, row in self.matrix.items():
            for other in (value, *row):
                if other not in names:
                    raise BadData(
                        f"The matrix of {self.column!r} names a value that the column does not have.",
                        hint="Write each value as it stands in the table.",
                    )
            given[names.index(value)] = [float(row.get(other, 0.0)) for other in names]
        return invariant(check_matrix(given), counts) if self.invariant else check_matrix(given)

"""Values of a column change places with others of nearly the same rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from reidrisk.engine.replacing import is_moment, is_numeric, known_columns, numbers_of, with_sources
from reidrisk.engine.table import Table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.swap import mean_rank_shift, swap_ranks
from reidrisk.tables.transform.noise import kept_in
from reidrisk.tables.transform.step import Done, Work


@dataclass(frozen=True, slots=True)
class RankSwap:
    """Rank swapping, each column on its own."""

    kind: ClassVar[str] = "rank_swap"

    columns: tuple[str, ...]
    within: float = 0.05
    """How far ranks may be apart, as a share of all."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or not 0 < self.within <= 1:
            raise InvalidSetting(
                "Rank swapping needs columns, and a share of ranks above 0.", hint="For example within: 0.05."
            )

    @property
    def changes(self) -> tuple[str, ...]:
        """All of them."""
        return self.columns

    def apply(self, table: Table, work: Work) -> Done:
        """Every column keeps exactly the values that it had."""
        names = known_columns(table, self.columns)
        for name in names:
            if not (is_numeric(table, name) or is_moment(table, name)):
                raise BadData(
                    f"Column {name!r} has no ranks: it is {table.types[name]}.",
                    hint="Swap numbers and dates; randomise categories with pram.",
                )
        before = numbers_of(table, names)
        after = before.copy()
        moved = []
        for at, name in enumerate(names):
            sources = swap_ranks(before[:, at], self.within, work.rng)
            after[:, at] = before[sources, at]
            moved.append(mean_rank_shift(before[:, at], after[:, at]))
            table = with_sources(table, name, sources, note=f"{name} swapped")
        found = kept_in(before, after, names)
        rows = [
            {**row, "mean_rank_shift": shift} for row, shift in zip(found["by_column"], moved, strict=True)
        ]
        changed = {row["column"]: row["share_changed"] or 0.0 for row in rows}
        text = f"values of {', '.join(names)} swapped within {100 * self.within:g} % of the ranks"
        figures = {"within": self.within, "share_changed": changed, **found, "by_column": rows}
        return Done(table, text, figures)

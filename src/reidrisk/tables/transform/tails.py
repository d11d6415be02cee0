"""Top and bottom coding: the ends of a column, where few people are, get one value each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import ceil
from typing import ClassVar

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.engine.replacing import is_moment, is_numeric, known_columns, numbers_of, with_sources
from reidrisk.engine.table import Table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.perturb import column_change
from reidrisk.tables.transform.step import Done, Work


@dataclass(frozen=True, slots=True)
class Tails:
    """The largest and the smallest values of a column become the least extreme of them."""

    kind: ClassVar[str] = "tails"

    column: str
    top: float = 0.0
    """The share of records in the upper tail."""
    bottom: float = 0.0
    """The same of the lower."""
    least: int = 5
    """Records that a tail has at least."""

    def __post_init__(self) -> None:
        for share in (self.top, self.bottom):
            if not 0 <= share < 0.5:
                raise InvalidSetting(f"A tail of {share}.", hint="A share from 0 to below 0.5, as 0.01.")
        if self.top == self.bottom == 0 or self.least < 1:
            raise InvalidSetting("No tail is coded, or it has no record.", hint="Give top, bottom, or both.")

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that it reads."""
        return (self.column,)

    @property
    def changes(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def apply(self, table: Table, work: Work) -> Done:
        """Each end holds its share of the records, and never fewer than `least`."""
        del work
        [name] = known_columns(table, [self.column])
        if not (is_numeric(table, name) or is_moment(table, name)):
            raise BadData(
                f"Column {name!r} has no order: it is {table.types[name]}.",
                hint="Only numbers and dates have tails.",
            )
        values = numbers_of(table, [name])[:, 0]
        sources, changed = coded_tails(values, top=self.top, bottom=self.bottom, least=self.least)
        made = with_sources(table, name, sources, note=f"{name} top or bottom coded")
        coded, known = values[sources], max(1, int((~np.isnan(values)).sum()))
        ends = {
            "share_top": int((coded < values).sum()) / known,
            "share_bottom": int((coded > values).sum()) / known,
        }
        figures = {
            "changed": changed,
            "share_changed": changed / max(1, len(values)),
            "by_column": [{"column": name, **asdict(column_change(values, coded)), **ends}],
        }
        return Done(made, f"{name}: {plural(changed, 'extreme value')} replaced", figures)


def coded_tails(values: Floats, *, top: float, bottom: float, least: int) -> tuple[Ints, int]:
    """For each row the row whose value it gets, and how many change; NaN stays."""
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    sources = np.arange(len(values))
    sizes = [max(least, ceil(share * len(order) - 1e-9)) if share else 0 for share in (bottom, top)]
    if sum(sizes) > len(order):
        raise BadData(
            f"There are {len(order)} values, fewer than the {sum(sizes)} of what is to be a tail.",
            hint="Code no tail of so few.",
        )
    for number, ranked in zip(sizes, (order, order[::-1]), strict=True):
        if number:
            sources[ranked[:number]] = ranked[number - 1]
    return sources, int(np.count_nonzero(values[sources[known]] != values[known]))

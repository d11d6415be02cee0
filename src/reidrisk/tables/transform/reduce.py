"""Steps that release less: top and bottom coding, and sampling of records."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, ClassVar

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.engine.protocol import Table, known_columns
from reidrisk.engine.results import MOMENTS, NUMBERS
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.perturb import column_change
from reidrisk.tables.transform.step import StepInputs, StepResult


@dataclass(frozen=True, slots=True)
class Tails:
    """Top and bottom coding: extreme values are replaced by the least extreme value of their tail."""

    kind: ClassVar[str] = "tails"

    column: str
    top: float = 0.0
    """The share of records in the upper tail."""
    bottom: float = 0.0
    """The share of records in the lower tail."""
    least: int = 5
    """Smallest number of records in a tail."""

    def __post_init__(self) -> None:
        for share in (self.top, self.bottom):
            if not 0 <= share < 0.5:
                raise InvalidSetting(
                    f"The share of a tail cannot be {share}.", hint="Choose 0 to below 0.5, for example 0.01."
                )
        if self.top == self.bottom == 0 or self.least < 1:
            raise InvalidSetting("No tail is given, or it has no records.", hint="Give top, bottom, or both.")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the step reads."""
        return (self.column,)

    @property
    def changes(self) -> tuple[str, ...]:
        """The column of the step."""
        return (self.column,)

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Code each tail: its share of the records, but at least `least`."""
        del work
        [name] = known_columns([self.column], table.columns, source=table.source)
        table = table.dates.read_ordered([name])
        if not (table.kinds[name] in NUMBERS or table.kinds[name] in MOMENTS):
            raise BadData(
                f"Column {name!r} has no order: its values are of kind {table.kinds[name]!r}.",
                hint="Only numbers and dates have tails.",
            )
        values = table.rows.numbers([name])[:, 0]
        sources, changed = code_tails(values, top=self.top, bottom=self.bottom, least=self.least)
        made = table.edit.take_from(name, sources, note=f"{name} top or bottom coded")
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
        return StepResult(made, f"{name}: {plural(changed, 'extreme value')} replaced", figures)


def code_tails(values: Floats, *, top: float, bottom: float, least: int) -> tuple[Ints, int]:
    """Return, for each row, the row whose value it gets, and how many values change; NaN stays."""
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    sources = np.arange(len(values))
    sizes = [max(least, ceil(share * len(order) - 1e-9)) if share else 0 for share in (bottom, top)]
    if sum(sizes) > len(order):
        raise BadData(
            f"There are {len(order)} values, fewer than the {sum(sizes)} that the tails need.",
            hint="Leave out this step for so few values.",
        )
    for number, ranked in zip(sizes, (order, order[::-1]), strict=True):
        if number:
            sources[ranked[:number]] = ranked[number - 1]
    return sources, int(np.count_nonzero(values[sources[known]] != values[known]))


@dataclass(frozen=True, slots=True)
class Sample:
    """Release a random sample of rows, or of people if a column identifies them."""

    kind: ClassVar[str] = "sample"

    share: float
    """Share of rows or people, above 0 and below 1."""
    person: str | None = None
    """The column of people: all rows of a person are kept, or none."""

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise InvalidSetting(
                f"The share of a sample cannot be {self.share}.",
                hint="Choose above 0 and below 1, for example 0.1.",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the step reads."""
        return () if self.person is None else (self.person,)

    @property
    def changes(self) -> tuple[str, ...]:
        """Empty: whole rows are removed."""
        return ()

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Sample by a hash of the person, or of the position of the row, and the seed."""
        before = table.count()
        if self.person is not None:
            known_columns([self.person], table.columns, source=table.source)
        left, places = table.edit.sampled(self.share, self.person, work.salt, note="a random sample")
        after = len(places)
        if before and not after:
            raise NothingToMeasure(
                f"None of {plural(before, 'row')} was sampled.",
                hint="Choose a larger share, and a column that identifies people.",
            )
        text = f"{plural(after, 'row')} of {before:,} sampled at random"
        rows = {"rows_before": before, "rows_after": after}
        figures: dict[str, Any] = {"share": self.share, "person": self.person, **rows, "by_column": []}
        return StepResult(left, text, figures, places)

"""What was measured against what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.tables.utility.distributions import ColumnDistance
from reidrisk.tables.utility.models import ModelChange
from reidrisk.tables.utility.pairs import PairChange
from reidrisk.tables.utility.plan import UtilityPlan
from reidrisk.tables.utility.queries import QueryChange
from reidrisk.tables.utility.telling import ToldApart

FIGURES = {
    "distribution": "the largest total variation of a column",
    "association": "the largest change of an association",
    "propensity": "the ratio of the propensity score to its expectation",
    "query": "the typical relative difference of a query",
    "query_largest": "the largest relative difference of a query",
    "model": "the score that a model loses",
}


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """All measures of a release."""

    columns: tuple[ColumnDistance, ...]
    pairs: tuple[PairChange, ...]
    told_apart: ToldApart | None
    """None if nobody asked."""
    queries: tuple[QueryChange, ...]
    models: tuple[ModelChange, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit, the worst that was measured and of what."""

    name: str
    figure: str
    limit: float
    value: float | None
    worst: str | None
    """The column, pair, query or model; one that could not be measured goes before all others."""
    reason: str | None = None

    @property
    def met(self) -> bool:
        """What could not be measured is not met."""
        return self.reason is None and self.value is not None and self.value <= self.limit

    def said(self) -> str:
        """In a clause."""
        if self.value is None:
            return f"{self.figure} is not known ({self.worst or 'nothing of this was asked'})"
        return f"{self.figure} is {self.value:.3g} ({self.worst}), the limit {self.limit:g}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "met": self.met}


def limits_of(plan: UtilityPlan, found: Measured) -> tuple[Limit, ...]:
    """Every limit that was set, in the order given."""
    return tuple(_limit(name, limit, list(_rows(name, found))) for name, limit in plan.limits.items())


_Row = tuple[str, float | None, str | None]


def _limit(name: str, limit: float, rows: Sequence[_Row]) -> Limit:
    if not rows:
        return Limit(name, FIGURES[name], limit, None, None, "Nothing of this was measured.")
    failed = next((row for row in rows if row[1] is None), None)
    if failed:
        return Limit(name, FIGURES[name], limit, None, failed[0], failed[2] or "It could not be measured.")
    worst, value, _ = max(rows, key=lambda row: row[1] or 0.0)
    return Limit(name, FIGURES[name], limit, value, worst)


def _rows(name: str, found: Measured) -> Iterable[_Row]:
    if name == "distribution":
        gone = "The release tells nothing of it."
        return [(one.column, one.total_variation, gone) for one in found.columns if one.reason is None]
    if name == "association":
        known = [one for one in found.pairs if one.change is not None]
        return [(" and ".join(one.columns), abs(one.change or 0.0), None) for one in known]
    if name == "propensity":
        told = found.told_apart
        return [] if told is None else [("all columns", told.ratio, told.reason)]
    if name == "model":
        return [(one.model, one.loss, one.reason) for one in found.models]
    figure: Callable[[QueryChange], float | None] = (
        (lambda one: one.typical) if name == "query" else (lambda one: one.largest)
    )
    return [(one.name, figure(one), one.reason) for one in found.queries]

"""Compare a released table with its source: the figures, the limits and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.engine.queries import check_query
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.utility.data import both_tables
from reidrisk.tables.utility.distributions import (
    ColumnDistance,
    PairChange,
    ToldApart,
    distances,
    pair_changes,
    told_apart,
)
from reidrisk.tables.utility.models import ModelChange, model_changes
from reidrisk.tables.utility.plan import UtilityPlan
from reidrisk.tables.utility.queries import QueryChange, query_changes

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

    def describe(self) -> str:
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


@dataclass(frozen=True)
class TableUtility(Result):
    """What users of a release still get out of it."""

    plan: UtilityPlan
    records: tuple[int, int]
    """Of the original and of the release."""
    found: Measured
    inputs: tuple[tuple[str, Any], ...]
    seed: int
    is_drawn: bool
    """Whether associations, scores and models rest on some of the rows."""
    notes: tuple[str, ...] = ()

    @property
    def limits(self) -> tuple[Limit, ...]:
        """Those that were set, with what was measured."""
        return limits_of(self.plan, self.found)

    @property
    def acceptable(self) -> bool:
        """Whether every limit is met; without one nothing is decided."""
        return all(limit.met for limit in self.limits)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no answer of a query, no record."""
        found = self.found
        return {
            "kind": "table_utility",
            "version": own_version(),
            "acceptable": self.acceptable,
            "decided": bool(self.plan.limits),
            "settings": {**dict(self.inputs), **self.plan.settings()},
            "seed": self.seed,
            "versions": versions(),
            "reasons": self._reasons(),
            "warnings": self._warnings(),
            "records": {"before": self.records[0], "after": self.records[1]},
            "columns": [one.to_dict() for one in found.columns],
            "associations": [one.to_dict() for one in found.pairs],
            "propensity": found.told_apart.to_dict() if found.told_apart else None,
            "queries": [one.to_dict() for one in found.queries],
            "models": [one.to_dict() for one in found.models],
            "limits": [one.to_dict() for one in self.limits],
            "notes": list(self.notes),
        }

    def _reasons(self) -> list[str]:
        return [*self._distributions(), *self._told_apart(), *self._queries(), *self._models()]

    def _distributions(self) -> list[str]:
        known = [one for one in self.found.columns if one.total_variation is not None]
        if not known:
            return ["No column can be compared with the original."]
        worst = max(known, key=lambda one: one.total_variation or 0.0)
        most = worst.total_variation or 0.0
        reasons = [
            f"Of {plural(len(known), 'column')}, the values of {worst.column} moved most: {100 * most:.1f} % "
            "of records would have to change to have the shares of before."
            if most >= 0.0005
            else f"The shares of values are those of before in all of {plural(len(known), 'column')}."
        ]
        pairs = [one for one in self.found.pairs if one.change is not None]
        if pairs and pairs[0].change is not None:
            one, two = pairs[0].columns
            reasons.append(
                f"The association that changed most is that of {one} and {two}: {pairs[0].before:.3f} "
                f"before, {pairs[0].after:.3f} after ({pairs[0].measure})."
            )
        return reasons

    def _told_apart(self) -> list[str]:
        told = self.found.told_apart
        if told is None:
            return []
        if told.found is None or told.ratio is None:
            return [f"No propensity score. {told.reason or 'The columns have single values.'}"]
        return [f"{_words(told.ratio)} The propensity score is {told.ratio:.2f} times its expectation."]

    def _queries(self) -> list[str]:
        return [
            f"Query {one.name}: {one.reason} {one.hint}"
            if one.reason
            else f"Query {one.name}: the typical relative difference is {_percent(one.typical)}, the largest "
            f"{_percent(one.largest)}; {plural(one.lost or 0, 'group')} lost, {one.new or 0:,} new."
            for one in self.found.queries
        ]

    def _models(self) -> list[str]:
        return [
            f"Model {one.model}: {one.reason}"
            if one.reason
            else f"Model {one.model}: {one.score} {_score(one.before)} before, {_score(one.after)} after; "
            f"{_conclusions(one.changed, sum(term.changes is not None for term in one.terms))}"
            for one in self.found.models
        ]

    def _warnings(self) -> list[str]:
        apart = [f"{one.column} is not compared: {one.reason}." for one in self.found.columns if one.reason]
        unread = [
            f"{100 * one.unread:.1f} % of the released values of {one.column} stand for nothing that the "
            "original has; they count as different."
            for one in self.found.columns
            if one.unread
        ]
        empty = [one.column for one in self.found.columns if one.values_after == 0]
        if empty:
            unread.append(f"The release tells nothing of {', '.join(empty)}: no value is left.")
        told = self.found.told_apart
        if told is not None and told.found is not None and told.found.is_held:
            unread.append("Some column alone tells the release from the original: look at missing values.")
        if self.is_drawn:
            unread.append(
                f"Associations, propensity score and models look at about {self.plan.rows:,} rows of each "
                "table, drawn by the seed; distributions and queries at all."
            )
        return [*apart, *unread]


def _words(ratio: float) -> str:
    """What a ratio means."""
    if ratio <= 1:
        return "Released records cannot be told from original ones."
    if ratio <= 3:
        return "Released records can hardly be told from original ones."
    if ratio <= 10:
        return "Released records differ somewhat from original ones."
    return "Released records can be told from original ones."


def _percent(value: float | None) -> str:
    return "unknown" if value is None else f"{100 * value:.1f} %"


def _score(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def _conclusions(changed: int, compared: int) -> str:
    if not compared:
        return "no coefficient can be compared."
    if not changed:
        return f"no conclusion changes ({plural(compared, 'coefficient')})."
    verb = "conclusion changes" if changed == 1 else "conclusions change"
    return f"{changed} of {compared} {verb}."


def table_utility(
    released: Any,
    original: Any,
    plan: UtilityPlan | None = None,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    seed: int = 7,
) -> TableUtility:
    """Distributions, associations, a propensity score, your queries and your models, before and after.

    Generalized values are compared at the released level: by their hierarchy, if there is one, and otherwise
    by the way they are written (20-29, 531**, 2019-Q1, {a, b}, *). Tables are files, folders, database
    tables or data frames.
    """
    plan = plan or UtilityPlan()
    for name, sql in plan.queries.items():
        check_query(name, sql)
    with both_tables(released, original, plan, hierarchies or {}, seed=seed) as both:
        found = Measured(
            distances(both),
            pair_changes(both),
            told_apart(both, plan) if plan.propensity else None,
            query_changes(both, plan),
            model_changes(both, plan, seed=seed),
        )
        tables = both.released, both.original
        return TableUtility(
            plan=plan,
            records=both.rows,
            found=found,
            inputs=(
                ("released", both.released.source),
                ("against", both.original.source),
                ("hierarchies", sorted(hierarchies) if hierarchies else None),
            ),
            seed=seed,
            is_drawn=both.is_drawn,
            notes=tuple(f"{table.source}: {note}" for table in tables for note in table.notes),
        )

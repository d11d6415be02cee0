"""Compare a released table with its source: the figures, the limits and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.engine.opening import check_query
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.utility.data import both_tables
from reidrisk.tables.utility.distributions import (
    ColumnDistance,
    PairChange,
    PropensityResult,
    distances,
    pair_changes,
    propensity_of,
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
    "model": "the loss of score of a model",
}


@dataclass(frozen=True, slots=True, eq=False)
class UtilityFigures:
    """All measures of the utility of a release."""

    columns: tuple[ColumnDistance, ...]
    pairs: tuple[PairChange, ...]
    propensity: PropensityResult | None
    """None unless requested."""
    queries: tuple[QueryChange, ...]
    models: tuple[ModelChange, ...]


@dataclass(frozen=True, slots=True)
class UtilityLimit:
    """A limit, the worst figure that was measured, and where."""

    name: str
    figure: str
    limit: float
    value: float | None
    worst: str | None
    """The column, pair, query or model; one that could not be measured counts as the worst."""
    reason: str | None = None

    @property
    def met(self) -> bool:
        """Whether the limit is met; False if it could not be measured."""
        return self.reason is None and self.value is not None and self.value <= self.limit

    def describe(self) -> str:
        """Describe the limit and the figure in a clause."""
        if self.value is None:
            return f"{self.figure} is not known ({self.worst or 'not requested'})"
        return f"{self.figure} is {self.value:.3g} ({self.worst}), the limit is {self.limit:g}"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {**asdict(self), "met": self.met}


def limits_of(plan: UtilityPlan, found: UtilityFigures) -> tuple[UtilityLimit, ...]:
    """Check every limit, in the order given."""
    return tuple(_limit(name, limit, list(_rows(name, found))) for name, limit in plan.limits.items())


_Row = tuple[str, float | None, str | None]


def _limit(name: str, limit: float, rows: Sequence[_Row]) -> UtilityLimit:
    if not rows:
        return UtilityLimit(name, FIGURES[name], limit, None, None, "This was not measured.")
    failed = next((row for row in rows if row[1] is None), None)
    if failed:
        return UtilityLimit(
            name, FIGURES[name], limit, None, failed[0], failed[2] or "It could not be measured."
        )
    worst, value, _ = max(rows, key=lambda row: row[1] or 0.0)
    return UtilityLimit(name, FIGURES[name], limit, value, worst)


def _rows(name: str, found: UtilityFigures) -> Iterable[_Row]:
    if name == "distribution":
        gone = "The release has no values of it."
        return [(one.column, one.total_variation, gone) for one in found.columns if one.reason is None]
    if name == "association":
        known = [one for one in found.pairs if one.change is not None]
        return [(" and ".join(one.columns), abs(one.change or 0.0), None) for one in known]
    if name == "propensity":
        score = found.propensity
        return [] if score is None else [("all columns", score.ratio, score.reason)]
    if name == "model":
        return [(one.model, one.loss, one.reason) for one in found.models]
    figure: Callable[[QueryChange], float | None] = (
        (lambda one: one.typical) if name == "query" else (lambda one: one.largest)
    )
    return [(one.name, figure(one), one.reason) for one in found.queries]


@dataclass(frozen=True)
class TableUtility(Result):
    """The utility of a release: how far results from it differ from those of the original."""

    _main_table = "columns"
    plan: UtilityPlan
    records: tuple[int, int]
    """Number of records of the original and of the release."""
    found: UtilityFigures
    inputs: tuple[tuple[str, Any], ...]
    seed: int
    is_drawn: bool
    """Whether associations, scores and models use only a sample of the rows."""
    notes: tuple[str, ...] = ()

    @property
    def limits(self) -> tuple[UtilityLimit, ...]:
        """The limits, with the figures that were measured."""
        return limits_of(self.plan, self.found)

    @property
    def acceptable(self) -> bool:
        """Whether every limit is met; without one nothing is decided."""
        return all(limit.met for limit in self.limits)

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types, without answers of queries or records."""
        found, reasons = self.found, self._reasons()
        return {
            "kind": "table_utility",
            "version": own_version(),
            "acceptable": self.acceptable,
            "decided": bool(self.plan.limits),
            "settings": {**dict(self.inputs), **self.plan.settings()},
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "warnings": self._warnings(),
            "records": {"before": self.records[0], "after": self.records[1]},
            "columns": [one.to_dict() for one in found.columns],
            "associations": [one.to_dict() for one in found.pairs],
            "propensity": found.propensity.to_dict() if found.propensity else None,
            "queries": [one.to_dict() for one in found.queries],
            "models": [one.to_dict() for one in found.models],
            "limits": [one.to_dict() for one in self.limits],
            "sampled": self._sampled(),
            "notes": list(self.notes),
        }

    def _reasons(self) -> list[Reason]:
        """Return findings that decide nothing; the limits decide."""
        sentences = (*self._distributions(), *self._propensity(), *self._queries(), *self._models())
        return [Reason(text, None) for text in sentences]

    def _distributions(self) -> list[str]:
        known = [one for one in self.found.columns if one.total_variation is not None]
        if not known:
            return ["No column can be compared with the original."]
        worst = max(known, key=lambda one: one.total_variation or 0.0)
        most = worst.total_variation or 0.0
        reasons = [
            f"Of {plural(len(known), 'column')}, the values of {worst.column} moved most: {100 * most:.1f} % "
            "of records would have to change to restore the original shares."
            if most >= 0.0005
            else f"The shares of values are the same as before in all of {plural(len(known), 'column')}."
        ]
        pairs = [one for one in self.found.pairs if one.change is not None]
        if pairs and pairs[0].change is not None:
            one, two = pairs[0].columns
            reasons.append(
                f"The association that changed most is between {one} and {two}: {pairs[0].before:.3f} "
                f"before, {pairs[0].after:.3f} after ({pairs[0].measure})."
            )
        return reasons

    def _propensity(self) -> list[str]:
        score = self.found.propensity
        if score is None:
            return []
        if score.found is None or score.ratio is None:
            return [f"No propensity score. {score.reason or 'Every column has a single value.'}"]
        return [
            f"{_ratio_text(score.ratio)} The propensity score is {score.ratio:.2f} times its expectation."
        ]

    def _queries(self) -> list[str]:
        return [
            f"Query {one.name}: {one.reason} {one.hint}"
            if one.reason
            else f"Query {one.name}: the typical relative difference is {_percent(one.typical)}, the largest "
            f"{_percent(one.largest)}; {plural(one.lost or 0, 'group')} missing, {one.new or 0:,} new."
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

    def _sampled(self) -> dict[str, Any] | None:
        """How rows were drawn; None if all were used."""
        if not self.is_drawn:
            return None
        return {
            "what": "rows",
            "drawn": self.plan.rows,
            "of": {"before": self.records[0], "after": self.records[1]},
            "seed": self.seed,
            "note": (
                f"Associations, propensity score and models use about {self.plan.rows:,} rows of each table, "
                "sampled with the seed; distributions and queries use all rows."
            ),
        }

    def _warnings(self) -> list[str]:
        apart = [f"{one.column} is not compared: {one.reason}." for one in self.found.columns if one.reason]
        unread = [
            f"{100 * one.unread:.1f} % of the released values of {one.column} match no original value; "
            "they count as different."
            for one in self.found.columns
            if one.unread
        ]
        empty = [one.column for one in self.found.columns if one.values_after == 0]
        if empty:
            unread.append(f"The release has no values of {', '.join(empty)}.")
        score = self.found.propensity
        if score is not None and score.found is not None and score.found.is_held:
            unread.append(
                "A single column distinguishes the release from the original: check its missing values."
            )
        sampled = self._sampled()
        if sampled is not None:
            unread.append(sampled["note"])
        return [*apart, *unread]


def _ratio_text(ratio: float) -> str:
    """Explain what a ratio means."""
    if ratio <= 1:
        return "Released records cannot be distinguished from original ones."
    if ratio <= 3:
        return "Released records can hardly be distinguished from original ones."
    if ratio <= 10:
        return "Released records differ somewhat from original ones."
    return "Released records can be distinguished from original ones."


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


@limited
def table_utility(  # noqa: PLR0913 - the tables, then how to compare and read them
    released: Any,
    original: Any,
    plan: UtilityPlan | Iterable[str] | None = None,
    *,
    columns: Sequence[str] | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    seed: int = 7,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> TableUtility:
    """Compare distributions, associations, a propensity score, your queries and your models.

    `plan` lists the columns to compare, or is a `UtilityPlan`; without it, or `columns`, all common columns
    are compared. Generalized values are compared at the released level: by their hierarchy, if there is one,
    and otherwise by how they are written (20-29, 531**, 2019-Q1, {a, b}, *). Tables are files, folders,
    database tables or data frames. `reading` says how dates are written and which values mean missing; the
    delimiter is that of `original`. `limits` says how much of the machine may be used.

    >>> import pyarrow as pa
    >>> original = pa.table({"sex": ["F", "M"] * 50, "cost": [*range(100)]})
    >>> table_utility(original, original, ["sex", "cost"]).to_dict()["columns"][0]["total_variation"]
    0.0
    """
    plan = UtilityPlan.of(plan, columns=columns)
    for name, sql in plan.queries.items():
        check_query(name, sql)
    with both_tables(released, original, plan, hierarchies or {}, seed=seed, reading=reading) as both:
        found = UtilityFigures(
            distances(both),
            pair_changes(both),
            propensity_of(both, plan) if plan.propensity else None,
            query_changes(both, plan),
            model_changes(both, plan, seed=seed),
        )
        tables = both.released, both.original
        notes = tuple(f"{table.source}: {note}" for table in tables for note in table.notes)
        return TableUtility(
            plan=plan,
            records=both.rows,
            found=found,
            inputs=(
                ("released", both.released.source),
                ("against", both.original.source),
                ("hierarchies", sorted(hierarchies) if hierarchies else None),
                ("read_as", list(notes)),
            ),
            seed=seed,
            is_drawn=both.is_drawn,
            notes=notes,
        )

"""Regression models fitted on both tables, and whether they lead to the same conclusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.grouping import grouped
from reidrisk.stats.usefulness.design import Block, apart, independent, joined
from reidrisk.stats.usefulness.distances import Ends, overlap
from reidrisk.stats.usefulness.fits import Fit, fit_linear, fit_logistic
from reidrisk.stats.usefulness.scores import cross_validated, scored
from reidrisk.tables.utility.data import ComparedTables
from reidrisk.tables.utility.encode import (
    CategoryTerms,
    ModelTerms,
    NumberTerms,
    categories,
    encode_column,
    own_categories,
)
from reidrisk.tables.utility.plan import UtilityModel, UtilityPlan


class Coefficient(NamedTuple):
    """A coefficient of a fitted model."""

    value: float
    error: float
    """Standard error; NaN if there is none."""
    reach: float
    """Half the width of the interval, in standard errors."""


@dataclass(frozen=True, slots=True)
class TermChange:
    """A coefficient before and after with its interval, and whether the conclusion is the same."""

    outcome: str | None
    """The predicted category."""
    term: str
    before: float | None
    before_ends: tuple[float, float] | None
    after: float | None
    after_ends: tuple[float, float] | None
    overlap: float | None
    changes: bool | None
    """Whether sign or significance differ; None if they cannot be compared."""
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        ends = {name: None if at is None else list(at) for name, at in self._ends()}
        return {**asdict(self), **ends}

    def _ends(self) -> list[tuple[str, tuple[float, float] | None]]:
        return [("before_ends", self.before_ends), ("after_ends", self.after_ends)]


def term_change(
    outcome: str | None, name: str, unit: float, found: tuple[Coefficient | None, Coefficient | None]
) -> TermChange:
    """Compare one term in both models, divided by its unit."""
    values: list[float | None] = []
    ends: list[Ends | None] = []
    for one in found:
        values.append(None if one is None else one.value / unit)
        if one is None or np.isnan(one.error):
            ends.append(None)
        else:
            half = one.error * one.reach
            ends.append(Ends((one.value - half) / unit, (one.value + half) / unit))
    before, after = ends
    if before is None or after is None:
        return TermChange(outcome, name, values[0], before, values[1], after, None, None, _why(found))
    changes = before.says != after.says
    return TermChange(outcome, name, values[0], before, values[1], after, overlap(before, after), changes)


def hidden_term(outcome: str | None, name: str, least: int) -> TermChange:
    """Return a term without values, because its coefficient would reveal the data of a few people."""
    reason = f"Not shown: fewer than {least} records of the original determine this coefficient."
    return TermChange(outcome, name, None, None, None, None, None, None, reason)


def _why(found: tuple[Coefficient | None, Coefficient | None]) -> str:
    """Explain why a coefficient is missing or has no interval."""
    where = ("original", "release")
    for one, side in zip(found, where, strict=True):
        if one is None:
            return f"In the {side} it does not occur, or depends on the terms before it."
        if np.isnan(one.error):
            return f"In the {side} all its records have the same outcome: the coefficient is unbounded."
    raise AssertionError("Both sides have an interval.")  # pragma: no cover


MOST_CLASSES = 10
"""Largest number of categories of a target; rarer ones are not predicted."""
TWO = 2
LEAST = 20
"""Smallest number of records for a model."""


@dataclass(frozen=True, slots=True)
class ModelChange:
    """A model before and after."""

    model: str
    score: str | None = None
    """R squared, or AUC."""
    before: float | None = None
    """Cross-validated score, trained and tested on the original."""
    after: float | None = None
    """Cross-validated score, trained and tested on the release."""
    transfer: float | None = None
    """Score of a model trained on the release and tested on the original."""
    records: tuple[int, int] | None = None
    terms: tuple[TermChange, ...] = ()
    reason: str | None = None

    @property
    def loss(self) -> float | None:
        """The score before minus the lower of the other scores; at least 0."""
        others = [score for score in (self.after, self.transfer) if score is not None]
        if self.before is None or not others:
            return None
        return max(0.0, self.before - min(others))

    @property
    def overlap(self) -> float | None:
        """Mean overlap of the intervals of coefficients."""
        found = [term.overlap for term in self.terms if term.overlap is not None]
        return sum(found) / len(found) if found else None

    @property
    def changed(self) -> int:
        """Number of coefficients whose conclusion changes."""
        return sum(bool(term.changes) for term in self.terms)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            **asdict(self),
            "records": None if self.records is None else list(self.records),
            "loss": self.loss,
            "overlap": self.overlap,
            "compared": sum(term.changes is not None for term in self.terms),
            "changed": self.changed,
            "terms": [term.to_dict() for term in self.terms],
        }


@dataclass(frozen=True, slots=True, eq=False)
class _ModelRows:
    """Distinct rows of one table with a target, and the number of records of each."""

    codes: Ints = field(repr=False)
    """Target first, then features."""
    folds: Ints = field(repr=False)
    weights: Floats = field(repr=False)
    after: bool

    @property
    def records(self) -> int:
        return int(self.weights.sum())

    def design(self, features: Sequence[ModelTerms]) -> Block:
        blocks = [one.block(self.codes[:, at], after=self.after) for at, one in enumerate(features, start=1)]
        return joined(blocks, len(self.codes))

    def outcome(self, target: ModelTerms, class_: int | None) -> Floats:
        """Return the number itself, or whether the target is the category."""
        values = (target.after if self.after else target.before)[self.codes[:, 0]]
        return np.asarray(values if class_ is None else values == class_, dtype=np.float64)


def model_changes(both: ComparedTables, plan: UtilityPlan, *, seed: int) -> tuple[ModelChange, ...]:
    """Fit every model in the order given; each has its own random folds."""
    return tuple(_model(both, model, plan, (seed, at)) for at, model in enumerate(plan.regressions))


def _model(
    both: ComparedTables, model: UtilityModel, plan: UtilityPlan, seed: tuple[int, int]
) -> ModelChange:
    names = (model.target, *model.features)
    for name in names:
        if name not in both.columns:
            return ModelChange(str(model), reason=f"{name} cannot be used: {both.apart[name]}.")
    columns = [both.columns[name] for name in names]
    target = _target(columns[0], plan)
    features = [encode_column(one, least=plan.cell_size) for one in columns[1:]]
    own = [
        one if isinstance(one, NumberTerms) else own_categories(column, least=plan.cell_size)
        for one, column in zip(features, columns[1:], strict=True)
    ]
    original, released = (_rows(both, names, target, (after, plan.folds), seed) for after in (False, True))
    reason = _why_impossible(target, original, released, sum(one.width for one in features))
    if reason:
        return ModelChange(str(model), reason=reason, records=(original.records, released.records))
    return _Regression(target, features, own, original, released, plan.level, plan.cell_size).result(
        str(model)
    )


def _target(column: Any, plan: UtilityPlan) -> ModelTerms:
    """Use a number, unless it has only two values, or else categories at the released level."""
    if column.numbers is not None and column.domain.present > TWO:
        return encode_column(column, least=plan.cell_size)
    return categories(column, least=plan.cell_size, most=MOST_CLASSES)


def _rows(
    both: ComparedTables,
    names: Sequence[str],
    target: ModelTerms,
    how: tuple[bool, int],
    seed: tuple[int, int],
) -> _ModelRows:
    after, folds = how
    codes = np.stack([both.codes[after][name] for name in names], axis=1)
    values = (target.after if after else target.before)[codes[:, 0]]
    there = ~np.isnan(values) if isinstance(target, NumberTerms) else np.isin(values, target.classes)
    codes = codes[there]
    # Rows in the same order are in the same folds of both tables.
    fold = np.random.default_rng(seed).permutation(len(codes)) % folds
    tuples = grouped(np.column_stack([codes, fold]).astype(np.int32), np.ones(len(codes), dtype=np.int64))
    found = tuples.codes.astype(np.int64)
    return _ModelRows(found[:, :-1], found[:, -1], tuples.counts.astype(np.float64), after)


def _why_impossible(target: ModelTerms, original: _ModelRows, released: _ModelRows, width: int) -> str | None:
    if isinstance(target, CategoryTerms) and not target.classes:
        return "The release has no category of the target in enough records."
    for rows, where in ((original, "original"), (released, "release")):
        if rows.records < max(LEAST, TWO * (width + 1)):
            return f"The {where} has too few records with a target for this number of terms."
        values = rows.outcome(target, None)
        if np.ptp(values) == 0:
            return f"The target has a single value in the {where}."
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Regression:
    """One model on both tables."""

    target: ModelTerms
    features: Sequence[ModelTerms]
    own: Sequence[ModelTerms]
    """Features at the level of detail of the original."""
    original: _ModelRows
    released: _ModelRows
    level: float
    least: int
    """Smallest number of original records for which a coefficient is shown."""

    @property
    def is_linear(self) -> bool:
        return isinstance(self.target, NumberTerms)

    @property
    def classes(self) -> list[int | None]:
        """What is predicted: the number, the rarer of two categories, or each category against the rest."""
        if not isinstance(self.target, CategoryTerms):
            return [None]
        both = [at for at in self.target.classes if self._share(at)]
        return [at for at in both if at != self.target.base] if len(both) == TWO else list(both)

    def _share(self, class_: int | None) -> float:
        """Return the records of the original with this category, or 0 if the release has none."""
        if self.released.outcome(self.target, class_) @ self.released.weights == 0:
            return 0.0
        return float(self.original.outcome(self.target, class_) @ self.original.weights)

    def result(self, name: str) -> ModelChange:
        one, two = self.original.design(self.features), self.released.design(self.features)
        detailed = self.original.design(self.own)
        terms: list[TermChange] = []
        scores: list[tuple[float | None, ...]] = []
        shares: list[float] = []
        for class_ in self.classes:
            before = self.original.outcome(self.target, class_), self.original.weights
            after = self.released.outcome(self.target, class_), self.released.weights
            scores.append(
                (
                    self._validated((detailed.columns, *before), self.original),
                    self._validated((two.columns, *after), self.released),
                    scored((two.columns, *after), (one.columns, *before), is_linear=self.is_linear),
                )
            )
            shares.append(1.0 if class_ is None else self._share(class_))
            terms += self._terms((one, *before), (two, *after), self._label(class_))
        return ModelChange(
            name,
            "R squared" if self.is_linear else "AUC",
            before=_mean([row[0] for row in scores], shares),
            after=_mean([row[1] for row in scores], shares),
            transfer=_mean([row[2] for row in scores], shares),
            records=(self.original.records, self.released.records),
            terms=tuple(terms),
        )

    def _validated(self, data: tuple[Floats, Floats, Floats], rows: _ModelRows) -> float | None:
        return cross_validated(data, rows.folds, is_linear=self.is_linear)

    def _label(self, class_: int | None) -> str | None:
        if class_ is None or not isinstance(self.target, CategoryTerms):
            return None
        return f"{self.target.name} = {self.target.labels[class_]}"

    def _terms(
        self, before: tuple[Block, Floats, Floats], after: tuple[Block, Floats, Floats], outcome: str | None
    ) -> list[TermChange]:
        one, two = self._fitted(*before), self._fitted(*after)
        names, units = before[0].names, before[0].units
        design, values, weights = before
        few = 0 < apart(values, weights) < self.least
        return [
            hidden_term(outcome, names[at], self.least)
            if few or 0 < apart(design.columns[:, at], weights) < self.least
            else term_change(outcome, names[at], units[at], (one.get(at), two.get(at)))
            for at in range(1, len(names))
        ]

    def _fitted(self, design: Block, outcome: Floats, weights: Floats) -> dict[int, Coefficient]:
        """Fit the model and return its coefficients by term."""
        kept = np.flatnonzero(independent(design.columns, weights))
        fit: Fit = (fit_linear if self.is_linear else fit_logistic)(design.columns[:, kept], outcome, weights)
        reach = fit.reach(self.level)
        return {
            int(at): Coefficient(float(fit.coefficients[place]), float(fit.errors[place]), reach)
            for place, at in enumerate(kept)
        }


def _mean(scores: Sequence[float | None], shares: Sequence[float]) -> float | None:
    """Return the mean weighted by the records of each category."""
    known = [(score, share) for score, share in zip(scores, shares, strict=True) if score is not None]
    total = sum(share for _, share in known)
    return sum(score * share for score, share in known) / total if total else None

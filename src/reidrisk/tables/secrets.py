"""What the classes of a table give away of its secret columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.engine.profile import shape_of
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.disclosure.classes import SecretClasses
from reidrisk.stats.disclosure.diversity import distinct_l, entropy_l, recursive_l, sure_share
from reidrisk.stats.disclosure.likeness import basic_beta, enhanced_beta, lacking, present_delta
from reidrisk.stats.disclosure.limits import SecretLimits, figure, within
from reidrisk.stats.grouping import packed
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

ORDERED = ("whole number", "number", "date")
NAMES = {"l": "l-diversity", "t": "t-closeness", "beta": "beta-likeness", "delta": "delta-disclosure"}


@dataclass(frozen=True, slots=True)
class SecretCheck:
    """One limit, and whether every class keeps it."""

    criterion: str
    limit: float
    worst: float | None
    """Of any class; None if it is infinite."""
    records: int
    """In classes that break the limit."""

    @property
    def holds(self) -> bool:
        """Whether no class breaks the limit."""
        return self.records == 0

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {**asdict(self), "holds": self.holds}


@dataclass(frozen=True, slots=True)
class SecretFound:
    """What one secret column gives away, over all classes; no value of it is in here."""

    column: str
    values: int
    records: int
    distance: str
    """How far values are from each other: equal, ordered or hierarchical."""
    limits: SecretLimits
    distinct_l: float
    entropy_l: float
    recursive_l: float
    t: float
    beta: float
    enhanced_beta: float | None
    """None: no limit is high enough."""
    delta: float
    classes: int
    classes_lacking: int
    """Classes in which a value of the table does not occur: strictly their delta is infinite."""
    same_classes: int
    """Classes of two records or more that all have the same value."""
    same_records: int
    guess: float
    """How often the most frequent value of a record's class is its own."""
    blind_guess: float
    """How often the most frequent value of the table is a record's own."""
    checks: tuple[SecretCheck, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether all limits are kept."""
        return all(check.holds for check in self.checks)

    def reason(self) -> str:
        """In a sentence for the verdict."""
        if self.same_records:
            one = "class" if self.same_classes == 1 else "classes"
            said = (
                f"In {self.same_classes:,} {one} of two or more ({plural(self.same_records, 'record')}) "
                f"all have the same {self.column}: who knows that somebody is in such a class knows it too, "
                "without telling the records apart."
            )
        else:
            said = f"In no class of two or more records do all have the same {self.column}."
        asked = "; ".join(_kept(check) for check in self.checks)
        return f"{said} Asked of every class: {asked}." if asked else said

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            **asdict(self),
            "checks": [check.to_dict() for check in self.checks],
            "acceptable": self.acceptable if self.checks else None,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> SecretFound:
        """What `to_dict` wrote."""
        checks = tuple(
            SecretCheck(**{name: value for name, value in check.items() if name != "holds"})
            for check in given["checks"]
        )
        said = {name: value for name, value in given.items() if name != "acceptable"}
        return cls(**{**said, "limits": SecretLimits(**given["limits"]), "checks": checks})


def _kept(check: SecretCheck) -> str:
    name = f"{NAMES[check.criterion]} of {check.limit:g}"
    if check.holds:
        return f"{name}, which is kept"
    return f"{name}, broken by classes with {plural(check.records, 'record')}"


@dataclass(frozen=True, slots=True)
class AskedSecrets:
    """What is asked of secret columns."""

    limits: SecretLimits
    hierarchies: Mapping[str, Hierarchy]


def measure_secrets(
    records: Table, quasi: Sequence[str], secrets: Sequence[str], asked: AskedSecrets
) -> tuple[SecretFound, ...]:
    """Every secret column in the classes of the quasi-identifiers."""
    found = []
    for column in secrets:
        tuples = distinct_tuples(records, (*quasi, column))
        limits = resolved(asked.limits, records.types[column])
        levels = levels_of(tuples, len(quasi), asked.hierarchies) if limits.distance == "hierarchical" else ()
        found.append(found_in(column, secret_classes(tuples, len(quasi)), limits, levels))
    return tuple(found)


def resolved(limits: SecretLimits, kind: str) -> SecretLimits:
    """The limits with a distance that fits the column."""
    if limits.distance != "auto":
        return limits
    return replace(limits, distance="ordered" if shape_of(kind) in ORDERED else "equal")


def levels_of(tuples: DistinctTuples, place: int, hierarchies: Mapping[str, Hierarchy]) -> tuple[Ints, ...]:
    """By level: the code of every value of a secret column."""
    column = tuples.columns[place]
    if column not in hierarchies:
        raise InvalidSetting(
            f"The hierarchical distance of {column!r} needs its hierarchy.",
            hint="Give one for it, or another distance: equal or ordered.",
        )
    values = tuples.values[place]
    counts = np.bincount(tuples.codes[:, place], weights=tuples.counts, minlength=len(values))
    built = hierarchies[column].on(values, counts.astype(np.int64))
    return tuple(level.astype(np.int64) for level in built.recoding.levels)


def secret_classes(tuples: DistinctTuples, place: int) -> SecretClasses:
    """The values of the column at this place in the classes of those before it."""
    codes = tuples.codes.astype(np.int64)
    _, group = np.unique(packed(codes, range(place)), return_inverse=True)
    return SecretClasses.count_up(group.astype(np.int64), codes[:, place], tuples.counts)


def found_in(
    column: str, classes: SecretClasses, limits: SecretLimits, levels: Sequence[Ints]
) -> SecretFound:
    """The figures of one column over all classes."""
    sure, size = sure_share(classes), classes.size
    same = (sure == 1.0) & (size > 1)
    enhanced = float(enhanced_beta(classes).max())
    return SecretFound(
        column=column,
        values=int(np.count_nonzero(classes.overall)),
        records=classes.records,
        distance=limits.distance,
        limits=limits,
        distinct_l=float(distinct_l(classes).min()),
        entropy_l=float(entropy_l(classes).min()),
        recursive_l=float(recursive_l(classes, c=limits.c).min()),
        t=float(figure(limits, "t", classes, levels).max()),
        beta=float(basic_beta(classes).max()),
        enhanced_beta=enhanced if np.isfinite(enhanced) else None,
        delta=float(present_delta(classes).max()),
        classes=size.size,
        classes_lacking=int(np.count_nonzero(lacking(classes))),
        same_classes=int(np.count_nonzero(same)),
        same_records=int(size[same].sum()),
        guess=float(sure @ size / classes.records),
        blind_guess=float(classes.overall.max()),
        checks=tuple(_check(name, limits, classes, levels) for name in limits.named()),
    )


def _check(name: str, limits: SecretLimits, classes: SecretClasses, levels: Sequence[Ints]) -> SecretCheck:
    limit: float = getattr(limits, name)
    figures: Floats = figure(limits, name, classes, levels)
    worst = float(figures.min() if name == "l" else figures.max())
    broken = ~within(name, limit, figures)
    return SecretCheck(name, limit, worst if np.isfinite(worst) else None, int(classes.size[broken].sum()))

"""Attribute disclosure: what the classes of a table reveal about its sensitive columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.core.reason import Reason
from reidrisk.core.wording import plural
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import Table
from reidrisk.engine.results import Kind
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.disclosure.classes import SensitiveClasses
from reidrisk.stats.disclosure.diversity import distinct_l, entropy_l, recursive_l, sure_share
from reidrisk.stats.disclosure.likeness import basic_beta, enhanced_beta, lacking, present_delta
from reidrisk.stats.disclosure.limits import SensitiveLimits, figure, within
from reidrisk.stats.grouping import packed
from reidrisk.tables.hierarchy.readable import with_readable

if TYPE_CHECKING:
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy

ORDERED = ("whole number", "number", "date")
NAMES = {"l": "l-diversity", "t": "t-closeness", "beta": "beta-likeness", "delta": "delta-disclosure"}


@dataclass(frozen=True, slots=True)
class DisclosureCheck:
    """One limit, and whether every class meets it."""

    criterion: str
    limit: float
    worst: float | None
    """Worst figure of any class; None if it is infinite."""
    records: int
    """Number of records in classes that exceed the limit."""

    @property
    def holds(self) -> bool:
        """Whether every class meets the limit."""
        return self.records == 0

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {**asdict(self), "holds": self.holds}


@dataclass(frozen=True, slots=True)
class AttributeDisclosure:
    """What the classes reveal about one sensitive column; contains no value of it."""

    column: str
    values: int
    records: int
    distance: str
    """How the distance between values is measured: equal, ordered or hierarchical."""
    limits: SensitiveLimits
    distinct_l: float
    entropy_l: float
    recursive_l: float
    t: float
    beta: float
    enhanced_beta: float | None
    """None if no limit is high enough."""
    delta: float
    classes: int
    classes_lacking: int
    """Classes that lack a value of the table: strictly speaking, their delta is infinite."""
    same_classes: int
    """Classes of two or more records that all have the same value."""
    same_records: int
    guess: float
    """Share of records whose value is the most frequent one of their class."""
    blind_guess: float
    """Share of records whose value is the most frequent one of the table."""
    checks: tuple[DisclosureCheck, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether all limits are met."""
        return all(check.holds for check in self.checks)

    def reason(self) -> Reason:
        """Explain the finding in the verdict; decides nothing without limits."""
        if self.same_records:
            one = "class" if self.same_classes == 1 else "classes"
            text = (
                f"In {self.same_classes:,} {one} of two or more records "
                f"({plural(self.same_records, 'record')} in all), all records have the same {self.column}: "
                "an intruder who knows that a person is in such a class learns the value without singling "
                "out a record."
            )
        else:
            text = f"No class of two or more records has the same {self.column} in all records."
        limits = "; ".join(_check_text(check) for check in self.checks)
        text = f"{text} Limits for every class: {limits}." if limits else text
        return Reason(text, self.acceptable if self.checks else None)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            **asdict(self),
            "checks": [check.to_dict() for check in self.checks],
            "acceptable": self.acceptable if self.checks else None,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> AttributeDisclosure:
        """Read what `to_dict` wrote."""
        checks = tuple(
            DisclosureCheck(**{name: value for name, value in check.items() if name != "holds"})
            for check in given["checks"]
        )
        fields = {name: value for name, value in given.items() if name != "acceptable"}
        return cls(**{**fields, "limits": SensitiveLimits(**given["limits"]), "checks": checks})


def _check_text(check: DisclosureCheck) -> str:
    name = f"{NAMES[check.criterion]} of {check.limit:g}"
    if check.holds:
        return f"{name}, met"
    return f"{name}, not met in classes with {plural(check.records, 'record')}"


@dataclass(frozen=True, slots=True)
class DisclosureSettings:
    """Limits on sensitive columns, and hierarchies for the distance between their values."""

    limits: SensitiveLimits
    hierarchies: Mapping[str, Hierarchy]


def measure_disclosure(
    records: Table, quasi: Sequence[str], columns: Sequence[str], settings: DisclosureSettings
) -> tuple[AttributeDisclosure, ...]:
    """Measure every sensitive column in the classes of the quasi-identifiers."""
    found = []
    for column in columns:
        tuples = records.tuples((*quasi, column))
        limits = resolve_distance(settings.limits, records.kinds[column])
        levels = (
            levels_of(tuples, len(quasi), settings.hierarchies) if limits.distance == "hierarchical" else ()
        )
        found.append(disclosure_in(column, sensitive_classes(tuples, len(quasi)), limits, levels))
    return tuple(found)


def with_sensitive_dates(
    records: Table, columns: Sequence[str], limits: SensitiveLimits, hierarchies: Mapping[str, Hierarchy]
) -> Table:
    """Return the records with dates in sensitive columns whose distances need them; refuse ambiguous ones."""
    if limits.distance == "hierarchical":
        return with_readable(records, hierarchies, columns)
    if limits.distance == "ordered" or (limits.distance == "auto" and limits.t is not None):
        return records.dates.read_likely(columns)
    return records


def resolve_distance(limits: SensitiveLimits, kind: Kind) -> SensitiveLimits:
    """Return the limits with a distance that fits the type of the column."""
    if limits.distance != "auto":
        return limits
    return replace(limits, distance="ordered" if kind in ORDERED else "equal")


def levels_of(tuples: DistinctTuples, place: int, hierarchies: Mapping[str, Hierarchy]) -> tuple[Ints, ...]:
    """Return, by level, the code of every value of a sensitive column."""
    column = tuples.columns[place]
    if column not in hierarchies:
        raise InvalidSetting(
            f"The hierarchical distance for {column!r} needs a hierarchy.",
            hint="Give a hierarchy for it, or choose another distance: equal or ordered.",
        )
    values = tuples.values[place]
    counts = np.bincount(tuples.codes[:, place], weights=tuples.counts, minlength=len(values))
    built = hierarchies[column].on(values, counts.astype(np.int64))
    return tuple(level.astype(np.int64) for level in built.recoding.levels)


def sensitive_classes(tuples: DistinctTuples, place: int) -> SensitiveClasses:
    """Count the values of the column at this place in the classes of the columns before it."""
    codes = tuples.codes.astype(np.int64)
    _, group = np.unique(packed(codes, range(place)), return_inverse=True)
    return SensitiveClasses.count_up(group.astype(np.int64), codes[:, place], tuples.counts)


def disclosure_in(
    column: str, classes: SensitiveClasses, limits: SensitiveLimits, levels: Sequence[Ints]
) -> AttributeDisclosure:
    """Compute the figures of one column over all classes."""
    sure, size = sure_share(classes), classes.size
    same = (sure == 1.0) & (size > 1)
    enhanced = float(enhanced_beta(classes).max())
    return AttributeDisclosure(
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


def _check(
    name: str, limits: SensitiveLimits, classes: SensitiveClasses, levels: Sequence[Ints]
) -> DisclosureCheck:
    limit: float = getattr(limits, name)
    figures: Floats = figure(limits, name, classes, levels)
    worst = float(figures.min() if name == "l" else figures.max())
    broken = ~within(name, limit, figures)
    return DisclosureCheck(
        name, limit, worst if np.isfinite(worst) else None, int(classes.size[broken].sum())
    )

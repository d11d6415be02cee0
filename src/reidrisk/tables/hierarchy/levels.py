"""The levels of a hierarchy on the values of one column, and the parts that every rule builds them from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reidrisk.core.wording import plural
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.inputs import Codes, Recoding

Objects = NDArray[np.object_]

EXACT = "exact"
"""Name of level 0, unless the rule has a better one."""
SUPPRESSED = "suppressed"
"""Name of the level that suppresses every value."""
STAR = "*"
"""Label of every value at that level."""


@dataclass(frozen=True, slots=True, eq=False)
class LevelLabels:
    """The labels of all values at one level above 0."""

    name: str
    labels: Objects = field(repr=False)
    """The label of each value: all texts or all whole numbers."""
    leaves: Ints | None = field(default=None, repr=False)
    """Rows of a listed hierarchy under each value's label; None if the values themselves are the rows."""
    is_suppressed: bool = False
    """Whether every value, including a missing one, becomes a star."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The levels of a hierarchy for the values of a column."""

    steps: tuple[LevelLabels, ...]
    base: str = EXACT
    """Name of level 0, the values themselves."""
    rows: int | None = None
    """Number of rows of a listed hierarchy, whether or not the data contain them."""


class ColumnValues(Protocol):
    """The distinct values of a column, and how often each occurs."""

    @property
    def column(self) -> str:
        """The name of the column."""

    @property
    def present(self) -> Objects:
        """The values; includes None only for rules that list missing values."""

    @property
    def counts(self) -> Ints | None:
        """Number of table rows with each value, if known."""


class Rule(Protocol):
    """How values are generalized."""

    @property
    def lists_missing(self) -> bool:
        """Whether the rule defines what a missing value becomes."""

    def chain(self, values: ColumnValues) -> Chain:
        """Build the levels above these values."""


def objects(items: Sequence[Any]) -> Objects:
    """Put objects of any type into an array."""
    array = np.empty(len(items), dtype=np.object_)
    array[:] = items
    return array


def label_each(keys: ArrayLike, label: Callable[[Any], str | int]) -> Objects:
    """Label every key; each distinct key is formatted once."""
    different, places = np.unique(np.asarray(keys), return_inverse=True)
    return objects([label(key) for key in different.tolist()])[places.reshape(-1)]


def suppressed_level(size: int) -> LevelLabels:
    """The level that suppresses every value."""
    return LevelLabels(SUPPRESSED, np.full(size, STAR, dtype=np.object_), is_suppressed=True)


def refuse_values(values: ColumnValues, odd: NDArray[np.bool_], what: str, *, hint: str) -> None:
    """Raise an error with the number of values that a rule cannot use; never show the values."""
    number = int(odd.sum())
    if not number:
        return
    rows = "" if values.counts is None else f" ({plural(int(values.counts[odd].sum()), 'row')})"
    raise BadData(f"Column {values.column!r} has {plural(number, 'value')}{rows} {what}.", hint=hint)


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """What each value of a column becomes at each level."""

    column: str
    names: tuple[str, ...]
    """Level names, level 0 first."""
    labels: tuple[Objects, ...] = field(repr=False)
    """By level and value; level 0 is the values themselves, None is a missing value."""
    recoding: Recoding = field(repr=False)
    """The labels as codes, with the rows under each and the levels that may be chosen."""
    reason: str = ""
    """Why no level above the maximum is acceptable."""

    def number(self, level: str | int) -> int:
        """Return the number of a level, given its name or number."""
        return number_of(level, self.names, column=self.column)


def number_of(level: str | int, names: tuple[str, ...], *, column: str) -> int:
    """Return the number of a level among its names; `exact` is always level 0."""
    text = str(level)
    if text in names:
        return names.index(text)
    if text == EXACT:
        return 0
    if text.isdecimal() and int(text) < len(names):
        return int(text)
    raise InvalidSetting.among(f"A level of {column!r}", text, names)


def with_base(chain: Chain, values: Objects) -> Chain:
    """If the first level leaves every value unchanged, use its name for level 0."""
    if not chain.steps or chain.base != EXACT:
        return chain
    first = chain.steps[0]
    if first.is_suppressed or not _same(values, first.labels):
        return chain
    return Chain(chain.steps[1:], first.name, chain.rows)


def _same(values: Objects, labels: Objects) -> bool:
    pairs = zip(values.tolist(), labels.tolist(), strict=True)
    return bool(values.size) and all(value == label or str(value) == label for value, label in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Codebook:
    """The codes of a chain: one for every label of a level, in order of appearance."""

    codes: tuple[Codes, ...]
    leaves: tuple[Ints, ...]
    labels: tuple[Objects, ...]
    domain: int


def code_levels(chain: Chain, values: Objects, *, missing: bool) -> Codebook:
    """Number the labels; a missing value that the rule does not list stays separate until suppressed."""
    domain = (values.size - missing if chain.rows is None else chain.rows) + missing
    base = np.arange(values.size, dtype=np.int32), np.ones(values.size, dtype=np.int64), values
    levels = [base, *(_coded_step(step, domain, missing=missing) for step in chain.steps)]
    codes, leaves, labels = zip(*levels, strict=True)
    return Codebook(codes, leaves, labels, domain)


def _coded_step(step: LevelLabels, domain: int, *, missing: bool) -> tuple[Codes, Ints, Objects]:
    labels = step.labels
    if missing:
        labels = np.append(labels, np.array([STAR if step.is_suppressed else None], dtype=np.object_))
    if step.is_suppressed:
        return np.zeros(labels.size, dtype=np.int32), np.array([domain], dtype=np.int64), labels
    codes = number_labels(labels.tolist())
    if step.leaves is None:
        return codes, np.bincount(codes).astype(np.int64), labels
    leaves = np.ones(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    leaves[codes[: step.leaves.size]] = step.leaves
    return codes, leaves, labels


def number_labels(labels: Sequence[Any]) -> Codes:
    """Assign a number to each distinct label, in order of appearance."""
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter(map(numbers.__getitem__, labels), dtype=np.int32, count=len(labels))


def check_nesting(names: tuple[str, ...], book: Codebook, *, column: str) -> None:
    """Refuse a level that splits a group of the level before it."""
    for level in range(1, len(names)):
        before, after = book.codes[level - 1], book.codes[level]
        image = np.zeros(book.leaves[level - 1].size, dtype=np.int32)
        image[before] = after
        if not np.array_equal(image[before], after):
            raise BadData(
                f"Column {column!r}: level {level} ({names[level]}) splits groups of level {level - 1} "
                f"({names[level - 1]}).",
                hint="Each level may only merge groups of the level before it: choose boundaries that are "
                "also boundaries of the finer level.",
            )

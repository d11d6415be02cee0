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
"""The name of level 0 unless the rule has a better one."""
SUPPRESSED = "suppressed"
"""The name of the level where nothing is told."""
STAR = "*"
"""What every value becomes there."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One level above the values."""

    name: str
    labels: Objects = field(repr=False)
    """What each value becomes: all texts or all whole numbers."""
    leaves: Ints | None = field(default=None, repr=False)
    """Rows of a listed hierarchy under each value's label; None if the values are the rows."""
    tells_nothing: bool = False
    """Whether every value, a missing one too, becomes the star."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The levels of a hierarchy on the values of a column."""

    steps: tuple[Step, ...]
    base: str = EXACT
    """The name of level 0, the values themselves."""
    rows: int | None = None
    """All rows of a listed hierarchy, whether or not the data hold them."""


class Values(Protocol):
    """The distinct values of a column, and how often each occurs."""

    @property
    def column(self) -> str:
        """The name of the column."""

    @property
    def present(self) -> Objects:
        """The values; None among them only for rules that list what is missing."""

    @property
    def counts(self) -> Ints | None:
        """Rows of the table with each value, where known."""


class Rule(Protocol):
    """How values become more general."""

    @property
    def lists_missing(self) -> bool:
        """Whether the rule says what a missing value becomes."""

    def chain(self, values: Values) -> Chain:
        """The levels above these values."""


def objects(items: Sequence[Any]) -> Objects:
    """An array of things, whatever they are."""
    found = np.empty(len(items), dtype=np.object_)
    found[:] = items
    return found


def labelled(keys: ArrayLike, label: Callable[[Any], str | int]) -> Objects:
    """A label for every key; each different key is put into words once."""
    different, places = np.unique(np.asarray(keys), return_inverse=True)
    return objects([label(key) for key in different.tolist()])[places.reshape(-1)]


def suppressed(size: int) -> Step:
    """The level where nothing is told."""
    return Step(SUPPRESSED, np.full(size, STAR, dtype=np.object_), tells_nothing=True)


def refuse(values: Values, odd: NDArray[np.bool_], what: str, *, hint: str) -> None:
    """Say how many values a rule cannot take; never which."""
    number = int(odd.sum())
    if not number:
        return
    rows = "" if values.counts is None else f" ({plural(int(values.counts[odd].sum()), 'row')})"
    raise BadData(f"Column {values.column!r} holds {plural(number, 'value')}{rows} {what}.", hint=hint)


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """What each value of a column becomes on each level."""

    column: str
    names: tuple[str, ...]
    """Level names, level 0 first."""
    labels: tuple[Objects, ...] = field(repr=False)
    """By level and value; level 0 are the values themselves, None is a missing value."""
    recoding: Recoding = field(repr=False)
    """The same as codes, with the rows under each and the levels that may be chosen."""
    reason: str = ""
    """Why no level above the highest is acceptable."""

    def number(self, level: str | int) -> int:
        """The number of a level by its name or number."""
        return number_of(level, self.names, column=self.column)


def number_of(level: str | int, names: tuple[str, ...], *, column: str) -> int:
    """The number of a level among its names; `exact` is level 0 whatever its name."""
    text = str(level)
    if text in names:
        return names.index(text)
    if text == EXACT:
        return 0
    if text.isdecimal() and int(text) < len(names):
        return int(text)
    raise InvalidSetting.among(f"A level of {column!r}", text, names)


def with_base(chain: Chain, values: Objects) -> Chain:
    """A first level that leaves every value as it is, is level 0 under a better name."""
    if not chain.steps or chain.base != EXACT:
        return chain
    first = chain.steps[0]
    if first.tells_nothing or not _same(values, first.labels):
        return chain
    return Chain(chain.steps[1:], first.name, chain.rows)


def _same(values: Objects, labels: Objects) -> bool:
    pairs = zip(values.tolist(), labels.tolist(), strict=True)
    return bool(values.size) and all(value == label or str(value) == label for value, label in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Codebook:
    """The codes of a chain: every label of a level has one, in order of appearance."""

    codes: tuple[Codes, ...]
    leaves: tuple[Ints, ...]
    labels: tuple[Objects, ...]
    domain: int


def coded(chain: Chain, values: Objects, *, missing: bool) -> Codebook:
    """Number the labels; a missing value that the rule does not list is apart until nothing is told."""
    domain = (values.size - missing if chain.rows is None else chain.rows) + missing
    base = np.arange(values.size, dtype=np.int32), np.ones(values.size, dtype=np.int64), values
    levels = [base, *(_coded_step(step, domain, missing=missing) for step in chain.steps)]
    codes, leaves, labels = zip(*levels, strict=True)
    return Codebook(codes, leaves, labels, domain)


def _coded_step(step: Step, domain: int, *, missing: bool) -> tuple[Codes, Ints, Objects]:
    labels = step.labels
    if missing:
        labels = np.append(labels, np.array([STAR if step.tells_nothing else None], dtype=np.object_))
    if step.tells_nothing:
        return np.zeros(labels.size, dtype=np.int32), np.array([domain], dtype=np.int64), labels
    codes = numbered(labels.tolist())
    if step.leaves is None:
        return codes, np.bincount(codes).astype(np.int64), labels
    leaves = np.ones(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    leaves[codes[: step.leaves.size]] = step.leaves
    return codes, leaves, labels


def numbered(labels: Sequence[Any]) -> Codes:
    """A number for each different label, in order of appearance."""
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter(map(numbers.__getitem__, labels), dtype=np.int32, count=len(labels))


def check_nesting(names: tuple[str, ...], book: Codebook, *, column: str) -> None:
    """Refuse a level that tells apart what the one before has joined."""
    for level in range(1, len(names)):
        before, after = book.codes[level - 1], book.codes[level]
        image = np.zeros(book.leaves[level - 1].size, dtype=np.int32)
        image[before] = after
        if not np.array_equal(image[before], after):
            raise BadData(
                f"Column {column!r}: level {level} ({names[level]}) splits what level {level - 1} "
                f"({names[level - 1]}) has joined.",
                hint="Each level must only join groups of the one before: choose borders that are also "
                "borders of the finer level.",
            )

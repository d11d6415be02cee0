"""Hierarchies that list every value: files of ARX and trees of categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import eq

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.tables.hierarchy import matching
from reidrisk.tables.hierarchy.chain import STAR, Chain, Objects, Step, Values, objects, refuse
from reidrisk.tables.hierarchy.levels import numbered


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Rows of a value and what it becomes on each level."""

    source: str
    """The file or the setting they come from, for messages."""
    texts: tuple[str, ...] = field(repr=False)
    """The values, as they are written there."""
    labels: tuple[Objects, ...] = field(repr=False)
    """For each level above 0 the label of every row."""
    names: tuple[str, ...]
    """Level names, level 0 first."""
    lists_missing: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lists_missing", matching.lists_missing(self.texts))

    def chain(self, values: Values) -> Chain:
        """The labels of the rows that mean the values."""
        rows = matching.rows_of(values.present.tolist(), self.texts)
        refuse(
            values,
            rows == matching.NOWHERE,
            f"without a row in {self.source}, and so without a parent",
            hint="Add a row for each value that the column holds, or correct the column.",
        )
        steps = [self._step(level, rows) for level in range(1, len(self.names))]
        return Chain(tuple(steps), self.names[0], len(self.texts))

    def _step(self, level: int, rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Step:
        labels = self.labels[level - 1]
        codes = numbered(labels.tolist())
        leaves = np.bincount(codes).astype(np.int64)[codes]
        nothing = bool(labels.size) and all(label == STAR for label in labels.tolist())
        return Step(self.names[level], labels[rows], leaves[rows], tells_nothing=nothing)


def listed(
    source: str, columns: Sequence[Sequence[str]], names: Sequence[str], *, places: Sequence[str]
) -> Listed:
    """Check columns (values, level 1, ...), their rows with the places where they stand."""
    _unique(source, columns[0], places)
    for level in range(1, len(columns)):
        _coarser(source, level, columns, places)
    labels = tuple(objects(column) for column in columns[1:])
    return Listed(source, tuple(columns[0]), labels, tuple(names))


def _unique(source: str, texts: Sequence[str], places: Sequence[str]) -> None:
    if len(set(texts)) == len(texts):
        return
    first: dict[str, str] = {}
    for text, place in zip(texts, places, strict=True):
        if text in first:
            raise BadData(
                f"{source}: {first[text]} and {place} list the same value.",
                hint="List each value once; a value has one parent.",
            )
        first[text] = place


def _coarser(source: str, level: int, columns: Sequence[Sequence[str]], places: Sequence[str]) -> None:
    finer, coarser = columns[level - 1], columns[level]
    parents = dict(zip(finer, coarser, strict=True))
    if all(map(eq, map(parents.__getitem__, finer), coarser)):
        return
    seen: dict[str, tuple[str, str]] = {}
    splits: list[tuple[str, str]] = []
    for before, after, place in zip(finer, coarser, places, strict=True):
        parent, first = seen.setdefault(before, (after, place))
        if parent != after:
            splits.append((first, place))
    first, place = splits[0]
    more = f" ({plural(len(splits), 'row')} in all)" if len(splits) > 1 else ""
    raise BadData(
        f"{source}: level {level} splits what level {level - 1} has joined: {first} and {place} are "
        f"alike on level {level - 1} but not on level {level}{more}.",
        hint="Each level must only join groups of the one before: give the two rows the same label on "
        f"level {level}, or different ones on level {level - 1}.",
    )

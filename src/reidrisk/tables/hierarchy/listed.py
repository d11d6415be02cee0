"""Hierarchies that list every value: trees in YAML and CSV files in the format of ARX."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import eq
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.spec import Spec
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.tables.hierarchy import matching
from reidrisk.tables.hierarchy.levels import (
    STAR,
    Chain,
    ColumnValues,
    LevelLabels,
    Objects,
    number_labels,
    objects,
    refuse_values,
)
from reidrisk.tables.hierarchy.matching import written


@dataclass(frozen=True, slots=True, eq=False)
class ListedHierarchy:
    """A hierarchy as rows: a value and its label at each level."""

    source: str
    """The file or setting that the rows come from, for messages."""
    texts: tuple[str, ...] = field(repr=False)
    """The values as written there."""
    labels: tuple[Objects, ...] = field(repr=False)
    """The label of every row, for each level above 0."""
    names: tuple[str, ...]
    """Level names, level 0 first."""
    lists_missing: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lists_missing", matching.lists_missing(self.texts))

    def chain(self, values: ColumnValues) -> Chain:
        """Build the labels of the rows that match the values."""
        rows = matching.rows_of(values.present.tolist(), self.texts)
        refuse_values(
            values,
            rows == matching.NOWHERE,
            f"without a row in {self.source}, and therefore without a parent",
            hint="Add a row for each value in the column, or correct the column.",
        )
        steps = [self._step(level, rows) for level in range(1, len(self.names))]
        return Chain(tuple(steps), self.names[0], len(self.texts))

    def _step(self, level: int, rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> LevelLabels:
        labels = self.labels[level - 1]
        codes = number_labels(labels.tolist())
        leaves = np.bincount(codes).astype(np.int64)[codes]
        nothing = bool(labels.size) and all(label == STAR for label in labels.tolist())
        return LevelLabels(self.names[level], labels[rows], leaves[rows], is_suppressed=nothing)


def build_listed(
    source: str, columns: Sequence[Sequence[str]], names: Sequence[str], *, places: Sequence[str]
) -> ListedHierarchy:
    """Check columns (values, level 1, ...) and build the hierarchy; `places` locate the rows in messages."""
    _unique(source, columns[0], places)
    for level in range(1, len(columns)):
        _coarser(source, level, columns, places)
    labels = tuple(objects(column) for column in columns[1:])
    return ListedHierarchy(source, tuple(columns[0]), labels, tuple(names))


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
        f"{source}: level {level} splits a group of level {level - 1}: {first} and {place} are "
        f"the same at level {level - 1} but not at level {level}{more}.",
        hint="Each level may only merge groups of the level before it: give the two rows the same label at "
        f"level {level}, or different labels at level {level - 1}.",
    )


HINT = "Write categories as names with lists below them, such as Heart: [infarction, angina]."


def tree_rule(spec: Spec) -> tuple[ListedHierarchy, bool]:
    """Read the hierarchy of a tree, and whether it needs a suppressed level above it."""
    place = spec.at("tree")
    paths = list(_leaves(spec.need("tree", hint=HINT), (), place))
    if not paths:
        raise InvalidSetting(f"{place} has no categories.", hint=HINT)
    height = max(len(path) for path, _ in paths)
    table = [_row(path, height) for path, _ in paths]
    names = _names(spec, height)
    columns = list(zip(*table, strict=True))
    found = build_listed(place, columns, names, places=[where for _, where in paths])
    single_root = height > 1 and len({row[-1] for row in table}) == 1
    return found, spec.flag("suppress", default=not single_root)


def _leaves(node: Any, above: tuple[str, ...], place: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every leaf with its path from the top, and its place in the settings."""
    if isinstance(node, Mapping):
        for key, below in node.items():
            name = _name(key, place)
            where = f"{place}.{name}"
            if below is None:
                yield (*above, name), where
            elif isinstance(below, Mapping | list | tuple) and not below:
                raise InvalidSetting(f"{where} has nothing below it.", hint=HINT)
            else:
                yield from _leaves(below, (*above, name), where)
    elif isinstance(node, list | tuple):
        for at, item in enumerate(node):
            yield from _leaves(item, above, f"{place}[{at}]")
    else:
        yield (*above, _name(node, place)), place


def _name(given: Any, place: str) -> str:
    if given is None or given == "":
        raise InvalidSetting(f"{place} has a category without a name.", hint=HINT)
    return written(given)


def _row(path: tuple[str, ...], height: int) -> list[str]:
    """Return the path, leaf first; a shallower leaf is repeated until its own parents begin."""
    return [path[-1]] * (height - len(path)) + list(reversed(path))


def _names(spec: Spec, height: int) -> list[str]:
    if spec.content.get("names") is None:
        return [str(level) for level in range(height)]
    given = spec.items("names", hint="Name the levels from the leaves up, such as [diagnosis, group].")
    if len(given) != height:
        raise InvalidSetting(
            f"{spec.at('names')} has {len(given)} names for {height} levels.",
            hint="Name every level of the tree from the leaves up, except the suppressed level at the top.",
        )
    for place, name in given:
        if not isinstance(name, str) or not name:
            raise InvalidSetting(f"{place} is not a name.", hint="Write a text.")
    return [name for _, name in given]


MARK = "hierarchy_"
DELIMITERS = ";\t,"
SAMPLE = 100_000
"""Number of characters used to detect the delimiter."""

_QUOTED = re.compile('"[^"]*"')


def read_arx_csv(path: Path) -> ListedHierarchy:
    """Read and check the hierarchy of one file."""
    source = path_text(path)
    rows = _rows(path, source)
    width = len(rows[0][1])
    for line, row in rows:
        if len(row) != width:
            raise BadData(
                f"{source}, line {line} has {len(row)} columns where line {rows[0][0]} has {width}.",
                hint="Every line has the value and one label for each level.",
            )
    columns = list(zip(*(row for _, row in rows), strict=True))
    for level in range(1, width):
        if "" in columns[level]:
            raise BadData(
                f"{source}, line {rows[columns[level].index('')][0]} has no label at level {level}.",
                hint="Give every value a label at every level; use * for a suppressed value.",
            )
    names = [str(level) for level in range(width)]
    return build_listed(source, columns, names, places=[f"line {line}" for line, _ in rows])


def column_of(path: Path) -> str | None:
    """Return the column in a file's name: `adult_hierarchy_marital-status.csv` gives marital-status."""
    _, mark, column = path.name.partition(MARK)
    stem = column[: -len(path.suffix)] if path.suffix.lower() == ".csv" else ""
    return stem if mark and stem else None


def _rows(path: Path, source: str) -> list[tuple[int, list[str]]]:
    text = _text(path, source)
    if not text.strip():
        raise BadData(f"{source} is empty.", hint="Write a row for each value: value;level 1;level 2;*")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if row]
    except csv.Error:
        raise BadData(
            f"{source}, line {reader.line_num} cannot be parsed.", hint="Close every quotation mark."
        ) from None


def _text(path: Path, source: str) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UnreadableFile(
            f"{source}, line {line} is not UTF-8.", hint="Save the file as UTF-8 text."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is not a path"
        raise UnreadableFile(
            f"{source} cannot be read: {reason}.", hint="Check the path and your permission to read it."
        ) from None


def _delimiter(text: str) -> str:
    """Return the character that occurs the same number of times in most lines; a semicolon if none does."""
    lines = [line for line in _QUOTED.sub("q", text[:SAMPLE]).splitlines() if line.strip()]
    best, most = DELIMITERS[0], 0
    for mark in DELIMITERS:
        times, agreeing = Counter(line.count(mark) for line in lines).most_common(1)[0]
        if times and agreeing > most:
            best, most = mark, agreeing
    return best

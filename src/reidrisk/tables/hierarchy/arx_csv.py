"""Hierarchies in the form of ARX: a row a value, then what it becomes on each level; no header."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, UnreadableFile
from reidrisk.tables.hierarchy.listed import Listed, listed

MARK = "hierarchy_"
DELIMITERS = ";\t,"
SAMPLE = 100_000
"""Characters of a file that show its delimiter."""

_QUOTED = re.compile('"[^"]*"')


def read_arx_csv(path: Path) -> Listed:
    """The hierarchy of one file, checked."""
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
                f"{source}, line {rows[columns[level].index('')][0]} has no label on level {level}.",
                hint="Give every value a label on every level; * is the label that tells nothing.",
            )
    names = [str(level) for level in range(width)]
    return listed(source, columns, names, places=[f"line {line}" for line, _ in rows])


def column_of(path: Path) -> str | None:
    """The column that a file's name speaks of: `adult_hierarchy_marital-status.csv` of marital-status."""
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
        reason = getattr(error, "strerror", None) or "this is no path"
        raise UnreadableFile(
            f"{source} cannot be read: {reason}.", hint="Check the path and your right to read it."
        ) from None


def _delimiter(text: str) -> str:
    """The character that stands equally often, and at least once, in most lines; a semicolon if none."""
    lines = [line for line in _QUOTED.sub("q", text[:SAMPLE]).splitlines() if line.strip()]
    best, most = DELIMITERS[0], 0
    for mark in DELIMITERS:
        times, agreeing = Counter(line.count(mark) for line in lines).most_common(1)[0]
        if times and agreeing > most:
            best, most = mark, agreeing
    return best

"""Plain text for the terminal: headings, tables, wrapped sentences and interval bars."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import zip_longest

from reidrisk.report.parts import Column, Facts, Table, Verdict

WIDTH = 100
"""Width in columns if the width of the terminal is unknown."""
LEAST_NAME = 8
"""Width of the name of a row in a narrow terminal."""
NARROWEST = 12
"""A column of words is not made narrower than this."""
_width = ContextVar("width", default=WIDTH)
INDENT = "  "
GAP = "  "
GLUE = "\ue000%"
"""A private-use character that stands for the space before a % sign while wrapping."""
_MARKS = {True: "[ok]", False: "[no]", None: "   -"}


@contextmanager
def terminal_width(columns: int | None) -> Iterator[None]:
    """Fit the output to a terminal of this width in columns; 100 if the width is unknown."""
    token = _width.set(columns or WIDTH)
    try:
        yield
    finally:
        _width.reset(token)


def note_lines(texts: Iterable[str]) -> list[str]:
    """Important notes below a verdict."""
    return [line for text in texts for line in wrap(text, first="  note: ", rest=" " * 8)]


def listed_lines(texts: Iterable[str], mark: str) -> list[str]:
    """A list of sentences, each with a bullet."""
    return [line for text in texts for line in wrap(text, first=mark, rest=" " * len(mark))]


def heading(title: str, explanation: str) -> list[str]:
    """An empty line, the title, and a sentence that explains it."""
    return ["", title.upper(), *wrap(explanation)]


def wrap(text: str, *, first: str = INDENT, rest: str = INDENT) -> list[str]:
    """Wrap a sentence to the width in columns; a number stays with its % sign."""
    lines: list[str] = []
    width = _width.get()
    line, room = first, width - len(first)
    for word in printable(text.replace(" %", GLUE)).split(" "):
        piece = _cut(word.replace(GLUE, " %"), width - len(rest))
        if width_of(piece) > room and line.strip():
            lines.append(line.rstrip())
            line, room = rest, width - len(rest)
        line += f"{piece} "
        room -= width_of(piece) + 1
    return [*lines, line.rstrip()]


def printable(text: str) -> str:
    r"""Without control characters: a name from a file must not steer the terminal.

    >>> printable("NAME\x1b[31m")
    'NAME?[31m'
    """
    return "".join(letter if letter.isprintable() or letter == GLUE[0] else "?" for letter in text)


def verdict_lines(verdict: Verdict) -> list[str]:
    """The verdict in capitals and its reasons."""
    lines = [verdict.word.upper()]
    for reason in verdict.reasons:
        lines += wrap(reason.text, first=f"  {_MARKS[reason.holds]} ", rest=" " * 7)
    return lines


def table_lines(table: Table) -> list[str]:
    """A titled table, numbers to the right; names in the first column are cut where room is short."""
    return [
        *heading(table.title, table.explanation),
        *grid(table.columns, table.rows),
        *(wrap(table.note) if table.note else ()),
    ]


def grid(columns: Sequence[Column], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows below the column names; text wraps within its column if the terminal is narrow."""
    body = [[printable(cell) for cell in row] for row in rows]
    widths = _column_widths(columns, body)
    heads = [
        textwrap.wrap(column.short or column.name, width)
        for column, width in zip(columns, widths, strict=True)
    ]
    tallest = max(len(head) for head in heads)
    padded = [[""] * (tallest - len(head)) + head for head in heads]
    lines = [list(line) for line in zip_longest(*padded, fillvalue="")]
    for row in body:
        cells = [
            [cell]
            if (at == 0 and not columns[0].is_prose) or width_of(cell) <= widths[at]
            else textwrap.wrap(cell, widths[at])
            for at, cell in enumerate(row)
        ]
        lines += [list(line) for line in zip_longest(*cells, fillvalue="")]
    fits = len(INDENT) + sum(widths) + len(GAP) * (len(widths) - 1) <= _width.get()
    return [_line(cells, columns, widths, gap=GAP if fits else " ") for cells in lines]


def _column_widths(columns: Sequence[Column], body: Sequence[Sequence[str]]) -> list[int]:
    """Widths of the cells; if the total is too wide, the row names are shortened first, then text columns."""
    widths = [
        max([_head_width(column), *(width_of(row[at]) for row in body)]) for at, column in enumerate(columns)
    ]
    room = _width.get() - len(INDENT) - len(GAP) * (len(widths) - 1)
    natural = widths[0]
    if not columns[0].is_prose:
        widths[0] = max(min(natural, room - sum(widths[1:])), LEAST_NAME)
    least = [_longest_word(column, [row[at] for row in body]) for at, column in enumerate(columns)]
    words = {at for at, column in enumerate(columns) if (at or column.is_prose) and not column.is_number}
    for shrinking in (words, set(range(1, len(columns)))):
        while sum(widths) > room:
            wide = [at for at in shrinking if widths[at] > max(least[at], NARROWEST if at in words else 0)]
            if not wide:
                break
            widths[max(wide, key=lambda at: widths[at])] -= 1
    if sum(widths) > room:
        widths[0] = min(natural, LEAST_NAME)
    return widths


def _longest_word(column: Column, cells: Sequence[str]) -> int:
    return max([_head_width(column), *(width_of(word) for cell in cells for word in cell.split())])


def fact_lines(facts: Facts) -> list[str]:
    """Facts as text, without their meanings, which pages show."""
    body = "; ".join(f"{fact.name.replace('_', ' ')} {fact.value}" for fact in facts.facts)
    return [*heading(facts.title, facts.explanation), *wrap(f"{body}.")]


def block_lines(block: Table | Facts) -> list[str]:
    """A table or facts."""
    return table_lines(block) if isinstance(block, Table) else fact_lines(block)


def bar(low: float, value: float, high: float, *, limit: float | None, top: float) -> str:
    """An interval on a line from 0 to `top`; the limit is a bar across it.

    >>> bar(0.1, 0.2, 0.3, limit=0.35, top=0.4)
    '           [----------o---------]     |     '
    """
    width = 44
    places = [min(round(part / top * (width - 1)), width - 1) for part in (low, value, high)]
    line = [" "] * width
    line[places[0] : places[2] + 1] = "-" * (places[2] - places[0] + 1)
    line[places[0]], line[places[2]] = "[", "]"
    if limit is not None:
        line[min(round(limit / top * (width - 1)), width - 1)] = "|"
    line[places[1]] = "o"
    return "".join(line)


def width_of(text: str) -> int:
    """The width of a text in columns: East Asian characters take two, combining marks none."""
    return sum(_columns_of(letter) for letter in text)


def _columns_of(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _head_width(column: Column) -> int:
    words = (column.short or column.name).split()
    pieces = [word.replace("-", "- ").split() if len(word) > 8 else [word] for word in words]
    return max(len(piece) for word in pieces for piece in word)


def _line(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int], *, gap: str) -> str:
    parts = []
    for cell, column, width in zip(cells, columns, widths, strict=True):
        text = _cut(cell, width)
        padding = " " * (width - width_of(text))
        parts.append(padding + text if column.is_number else text + padding)
    return (INDENT + gap.join(parts)).rstrip()


def _cut(text: str, width: int) -> str:
    if width_of(text) <= width:
        return text
    while width_of(text) > width - 2:
        text = text[:-1]
    return f"{text}.."

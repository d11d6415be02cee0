"""Tables of a Word document: header rows that repeat on every page, and a text alternative."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reidrisk.report.document_pdf import SHORT, widths
from reidrisk.report.parts import Fact, Facts, Table
from reidrisk.report.word.crossings import CrossReferences
from reidrisk.report.word.markup import clean, keep_with_next, paragraph, run, w
from reidrisk.report.word.styles import CELL_SIZES, INK, ROOM, ZONE

FACT_COLUMNS = ("Item", "Value", "Meaning")
SIGNATURE_COLUMNS = ("Role", "Name", "Date and signature")
MOST_LETTERS = 22
ON_ONE_PAGE = 10
"""A table with at most so many rows stays on one page; of longer ones, the header and two rows do."""
LINES = 0.85
"""Short cells get one line if the columns then fill no more than this share of the page."""
LETTER = 5.7
"""Width of a letter at a size of half a point, in twentieths of a point, in a wide font."""
BOLD, CAPITAL, DIGIT, WIDE = 1.2, 1.25, 1.12, 1.8
"""How much wider bold letters, capitals, digits and the letters m and w are."""
LEAST_SPARE = 3
"""In a table of numbers, each column gets at least the share of one that wants so many letters more."""
PADDING = 160
"""Margins of a cell, in twentieths of a point."""
INDENT = 120
"""Of the first cell of a row that belongs to the row above."""


@dataclass(frozen=True, slots=True)
class WordTable:
    """Cells of finished paragraphs, and what a word processor says of the table."""

    heads: Sequence[str]
    rows: Sequence[Sequence[ET.Element]]
    """A paragraph for each cell."""
    sizes: Sequence[int]
    """Widths of the columns in twentieths of a point."""
    title: str
    description: str
    marked: Sequence[int] = ()
    right: Sequence[bool] = ()
    """Which columns have numbers, and are aligned right."""
    style: str = "TableText"
    """The style of the header's cells."""
    is_signed: bool = False
    """Whether people sign in it."""
    has_note: bool = False
    """Whether a note follows, which stays with the last row."""


def drawn_table(given: WordTable) -> ET.Element:
    """The table; its first row is a header that repeats."""
    style, sizes = given.style, given.sizes
    heads = [
        paragraph([run(head, style="Strong")], style=style, looks=[w("keepNext"), *_aligned(given, place)])
        for place, head in enumerate(given.heads)
    ]
    kept = len(given.rows) - 1 if len(given.rows) <= ON_ONE_PAGE else 1
    for cells in (*given.rows[:kept], *(given.rows[-1:] if given.has_note else ())):
        for cell in cells:
            keep_with_next(cell)
    return w(
        "tbl",
        _properties(given, sizes),
        w("tblGrid", *(w("gridCol", w=size) for size in sizes)),
        w(
            "tr",
            w("trPr", w("cantSplit"), w("tblHeader")),
            *(w("tc", _cell(size, v_align="bottom"), head) for size, head in zip(sizes, heads, strict=True)),
        ),
        *(_row(given, place, cells, sizes) for place, cells in enumerate(given.rows)),
    )


def _properties(given: WordTable, sizes: Sequence[int]) -> ET.Element:
    return w(
        "tblPr",
        w("tblStyle", val="SignatureTable" if given.is_signed else "ReportTable"),
        w("tblW", w=sum(sizes), type="dxa"),
        w("tblLayout", type="fixed"),
        w("tblLook", val="0620", firstRow=1, lastRow=0, firstColumn=0, lastColumn=0, noHBand=1, noVBand=1),
        w("tblCaption", val=clean(given.title)),
        w("tblDescription", val=clean(given.description)) if given.description else None,
    )


def _row(given: WordTable, place: int, cells: Sequence[ET.Element], sizes: Sequence[int]) -> ET.Element:
    height = w("trHeight", val=794, hRule="atLeast") if given.is_signed else None
    fill = ZONE if place in given.marked else ""
    return w(
        "tr",
        w("trPr", w("cantSplit"), height),
        *(
            w("tc", _cell(size, fill=fill, is_line=given.is_signed and at > 0), cell)
            for at, (size, cell) in enumerate(zip(sizes, cells, strict=True))
        ),
    )


def _cell(size: int, *, fill: str = "", is_line: bool = False, v_align: str = "") -> ET.Element:
    line = w("tcBorders", w("bottom", val="single", sz=6, space=0, color=INK))
    return w(
        "tcPr",
        w("tcW", w=size, type="dxa"),
        line if is_line else None,
        w("shd", val="clear", color="auto", fill=fill) if fill else None,
        w("vAlign", val="bottom" if is_line else v_align) if is_line or v_align else None,
    )


def _aligned(given: WordTable, place: int) -> list[ET.Element]:
    return [w("jc", val="right")] if place < len(given.right) and given.right[place] else []


def fitting_columns(table: Table) -> tuple[str, list[int]]:
    """The largest style of cells in which every word fits into its column, and the widths of the columns.

    A token longer than MOST_LETTERS, such as a hash, may break anywhere.
    """
    words = [_longest_word(table, at) for at in range(len(table.columns))]
    lines = [max(words[at], _longest_line(table, at)) for at in range(len(table.columns))]
    for name, size in CELL_SIZES.items():
        style, letter = name.replace(" ", ""), size * LETTER
        least = [PADDING + letter * count for count in words]
        if sum(least) <= ROOM:
            break
    whole = [PADDING + letter * count for count in lines]
    least = whole if sum(whole) <= LINES * ROOM else least
    wanted = zip(widths(table), least, strict=True)
    is_figures = all(column.is_number for column in table.columns[1:])
    least_more = LEAST_SPARE * letter if is_figures else 1
    more = [max(letter * want - need, least_more) for want, need in wanted]
    spare = max(ROOM - sum(least), 0)
    found = [need + spare * one / sum(more) for need, one in zip(least, more, strict=True)]
    return style, [int(ROOM * size / sum(found)) for size in found]


def _longest_word(table: Table, at: int) -> float:
    """The width of the longest word of a column in letters; headers and names of rows are bold."""
    column = table.columns[at]
    cells = BOLD if at == 0 and not column.is_prose else 1.0
    return max(_width(column.name) * BOLD, *(_width(row[at]) * cells for row in table.rows), 1.0)


def _longest_line(table: Table, at: int) -> float:
    """The width of the longest cell of a column in letters, if all are short."""
    cells = [row[at].strip() for row in table.rows]
    if any(len(cell) > SHORT or "\n" in cell for cell in cells):
        return 1.0
    bold = BOLD if at == 0 and not table.columns[at].is_prose else 1.0
    return max((_letters(cell) for cell in cells), default=1.0) * bold


def _width(text: str) -> float:
    """The width of the longest word of a text in letters."""
    words = [word for word in re.split(r"[ \n]", text) if len(word) <= MOST_LETTERS]
    return max(map(_letters, words), default=1.0)


def _letters(text: str) -> float:
    """The width of a text in letters; capitals, digits, m and w are wider."""
    return sum(map(_letter, text))


def _letter(letter: str) -> float:
    if letter in "mw":
        return WIDE
    return CAPITAL if letter.isupper() else DIGIT if letter.isdigit() else 1.0


def _parts(*shares: int) -> list[int]:
    """Widths of columns as percentages of the page."""
    return [ROOM * share // sum(shares) for share in shares]


def table_cells(table: Table, references: CrossReferences) -> WordTable:
    """The cells of a table."""
    right = [column.is_number for column in table.columns]
    names = "" if table.columns[0].is_prose else "Strong"
    style, sizes = fitting_columns(table)
    rows = [
        [
            _text_cell(cell, references, style, is_right=right[at], look="" if at else names)
            for at, cell in enumerate(row)
        ]
        for row in table.rows
    ]
    heads = [column.name for column in table.columns]
    marked, has_note = table.marked, bool(table.note)
    return WordTable(
        heads, rows, sizes, table.title, table.explanation, marked, right, style, has_note=has_note
    )


def _text_cell(
    text: str, references: CrossReferences, style: str, *, is_right: bool, look: str
) -> ET.Element:
    is_inner = text.startswith("  ")
    looks = [
        *([w("ind", left=INDENT)] if is_inner else []),
        *([w("jc", val="right")] if is_right else []),
    ]
    runs = references.runs(text.strip(), style="" if is_inner else look)
    return paragraph(runs, style=style, looks=looks)


def facts_cells(given: Facts, references: CrossReferences) -> WordTable:
    """Names and values as rows; what they mean is a third column where something is said of it."""
    count = 3 if any(fact.meaning for fact in given.facts) else 2
    rows = [_fact_cells(fact, references)[:count] for fact in given.facts]
    values = sum(len(fact.value) for fact in given.facts)
    meanings = sum(len(fact.meaning) for fact in given.facts)
    value = round(70 * min(max(values / max(values + meanings, 1), 0.3), 0.7))
    sizes = _parts(30, value, 70 - value) if count == 3 else _parts(30, 70)
    return WordTable(FACT_COLUMNS[:count], rows, sizes, given.title, given.explanation)


def _fact_cells(fact: Fact, references: CrossReferences) -> list[ET.Element]:
    name = paragraph([run(fact.name, style="Strong")], style="TableText")
    others = (
        paragraph(references.runs(text), style="TableText", looks=()) for text in (fact.value, fact.meaning)
    )
    return [name, *others]


def title_cells(facts: Sequence[Fact]) -> WordTable:
    """Who releases the data, to whom and when: the names are the header."""
    row = [paragraph(fact.value, style="TableText") for fact in facts]
    return WordTable(
        [fact.name for fact in facts], [row], _parts(*(1,) * len(facts)), "About this report", ""
    )


def signature_cells(roles: Sequence[str]) -> WordTable:
    """A line to sign for each role."""
    rows = [
        [paragraph([run(role, style="Strong")], style="TableText"), *(paragraph([], style="TableText"),) * 2]
        for role in roles
    ]
    return WordTable(
        SIGNATURE_COLUMNS,
        rows,
        _parts(30, 32, 38),
        "Signatures",
        "A line to sign for each role.",
        is_signed=True,
    )

"""PDF files read with another program: what PDF/A-2a and PDF/UA-1 ask of a file, as far as it shows there.

This is no full check of the standards: colors, metadata schemas and glyph widths are left to veraPDF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any

import pikepdf
import pytest

from reidrisk.report.document_pdf import document_pdf
from reidrisk.report.writing import TEMPLATES, document_of
from tests.report.assessed import accepted, assessment
from tests.report.test_read_back import failed

CASES = {"refused": assessment, "acceptable": accepted, "failed": failed}
SHOWS = {"Tj", "TJ", "'", '"', "Do", "f", "F", "f*", "S", "s", "B", "b", "B*", "b*", "sh", "EI"}
"""Operators that draw."""
FORBIDDEN = ("/AA", "/OpenAction", "/AcroForm", "/Collection", "/NeedsRendering")


@cache
def made(name: str, template: str, *, annex: bool = False) -> bytes:
    document = document_of(CASES[name](), template=template)
    chosen = document.annex if annex else document
    assert chosen is not None
    return document_pdf(chosen)


def elements(pdf: pikepdf.Pdf) -> Iterator[tuple[str, pikepdf.Dictionary]]:
    """The elements of the structure in the order of reading, with their types."""

    def below(one: Any) -> Iterator[tuple[str, pikepdf.Dictionary]]:
        if isinstance(one, pikepdf.Array):
            for child in one:
                yield from below(child)
        elif isinstance(one, pikepdf.Dictionary) and "/S" in one:
            yield str(one.S)[1:], one
            yield from below(one.get("/K", pikepdf.Array()))

    yield from below(pdf.Root.StructTreeRoot.get("/K", pikepdf.Array()))


def children(one: pikepdf.Dictionary, *names: str) -> list[pikepdf.Dictionary]:
    kids = one.get("/K", pikepdf.Array())
    found = kids if isinstance(kids, pikepdf.Array) else [kids]
    return [
        kid for kid in found if isinstance(kid, pikepdf.Dictionary) and str(kid.get("/S", ""))[1:] in names
    ]


def rows_of(table: pikepdf.Dictionary) -> list[list[pikepdf.Dictionary]]:
    groups = [table, *children(table, "THead", "TBody", "TFoot")]
    return [children(row, "TH", "TD") for group in groups for row in children(group, "TR")]


def attribute(cell: pikepdf.Dictionary, name: str) -> Any:
    found = cell.get("/A", pikepdf.Array())
    for one in found if isinstance(found, pikepdf.Array) else [found]:
        if name in one:
            return one[name]
    return None


def faults(content: bytes) -> list[str]:
    """What is wrong with a file; empty if nothing was found."""
    with pikepdf.open(BytesIO(content)) as pdf:
        return [
            *whole_file(pdf),
            *fonts(pdf),
            *headings(pdf),
            *tables(pdf),
            *alternatives(pdf),
            *unmarked(pdf),
        ]


def whole_file(pdf: pikepdf.Pdf) -> Iterator[str]:
    root = pdf.Root
    yield from (f"the catalog has {name}" for name in FORBIDDEN if name in root)
    if pdf.is_encrypted:
        yield "it is encrypted"
    if str(root.get("/Lang", "")) not in ("en", "en-US"):
        yield "it has no language"
    nothing = pikepdf.Dictionary()
    if not root.get("/MarkInfo", nothing).get("/Marked"):
        yield "it is not tagged"
    if not root.get("/ViewerPreferences", nothing).get("/DisplayDocTitle"):
        yield "it does not show its title"
    if "/StructTreeRoot" not in root:
        yield "it has no structure"
    with pdf.open_metadata() as about:
        if not about.get("dc:title"):
            yield "it has no title"
    intents = [str(one.S) for one in root.get("/OutputIntents", [])]
    if "/GTS_PDFA1" not in intents:
        yield "it has no color profile"


def fonts(pdf: pikepdf.Pdf) -> Iterator[str]:
    for one in pdf.objects:
        if not isinstance(one, pikepdf.Dictionary) or one.get("/Type") != "/FontDescriptor":
            continue
        if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(one.keys()):
            yield "a font is not embedded"
    for one in pdf.objects:
        if (
            isinstance(one, pikepdf.Dictionary)
            and one.get("/Subtype") == "/Type0"
            and "/ToUnicode" not in one
        ):
            yield "a font does not say its letters"


def headings(pdf: pikepdf.Pdf) -> Iterator[str]:
    levels = [int(name[1:]) for name, _ in elements(pdf) if name[0] == "H" and name[1:].isdigit()]
    if not levels or levels[0] != 1:
        yield "the first heading is not of the first level"
    for before, after in pairwise(levels):
        if after > before + 1:
            yield f"a heading of level {after} follows one of level {before}"


def tables(pdf: pikepdf.Pdf) -> Iterator[str]:
    for name, table in elements(pdf):
        if name != "Table":
            continue
        rows = rows_of(table)
        if not rows or any(str(cell.S) != "/TH" for cell in rows[0]):
            yield "a table has no header row"
            continue
        if any(attribute(cell, "/Scope") != "/Column" for cell in rows[0]):
            yield "a header cell does not say what it heads"
        widths = {sum(int(attribute(cell, "/ColSpan") or 1) for cell in row) for row in rows}
        if len(widths) != 1:
            yield "a table has rows of different lengths"


def alternatives(pdf: pikepdf.Pdf) -> Iterator[str]:
    for name, one in elements(pdf):
        if name in ("Figure", "Formula") and not str(one.get("/Alt", "")).strip():
            yield f"a {name.lower()} has no text alternative"


def unmarked(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Drawing outside the structure, and not marked as decoration."""
    for number, page in enumerate(pdf.pages, start=1):
        depth = 0
        for instruction in pikepdf.parse_content_stream(page):
            sign = str(instruction.operator)
            depth += {"BDC": 1, "BMC": 1, "EMC": -1}.get(sign, 0)
            if sign in SHOWS and depth == 0:
                yield f"page {number} draws outside the structure: {sign}"
                break


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("name", CASES)
def test_another_program_finds_a_tagged_archive_file(name: str, template: str) -> None:
    assert faults(made(name, template)) == []


@pytest.mark.parametrize("name", CASES)
def test_the_annex_is_one_too(name: str) -> None:
    content = made(name, "general", annex=True)
    assert faults(content) == []
    with pikepdf.open(BytesIO(content)) as pdf:
        found = [name for name, _ in elements(pdf)]
    assert {"Table", "Figure", "Formula", "H1", "H2", "TOC", "L"} <= set(found)


def without_language(pdf: pikepdf.Pdf) -> None:
    del pdf.Root["/Lang"]


def without_alternative(pdf: pikepdf.Pdf) -> None:
    figure = next(one for name, one in elements(pdf) if name == "Figure")
    del figure["/Alt"]


def without_header(pdf: pikepdf.Pdf) -> None:
    cell = next(one for name, one in elements(pdf) if name == "TH")
    cell["/S"] = pikepdf.Name("/TD")


def without_font(pdf: pikepdf.Pdf) -> None:
    for one in pdf.objects:
        if isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/FontDescriptor":
            for name in ("/FontFile", "/FontFile2", "/FontFile3"):
                if name in one:
                    del one[name]


def with_a_level_left_out(pdf: pikepdf.Pdf) -> None:
    heading = next(one for name, one in elements(pdf) if name == "H2")
    heading["/S"] = pikepdf.Name("/H4")


def with_a_missing_cell(pdf: pikepdf.Pdf) -> None:
    row = next(one for name, one in elements(pdf) if name == "TR" and len(children(one, "TD")) > 1)
    del row.K[0]


def with_a_script(pdf: pikepdf.Pdf) -> None:
    pdf.Root["/OpenAction"] = pikepdf.Dictionary(S=pikepdf.Name("/JavaScript"), JS="1")


def with_loose_words(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].contents_add(b"BT (loose) Tj ET")


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (without_language, "no language"),
        (without_alternative, "no text alternative"),
        (without_header, "no header row"),
        (without_font, "not embedded"),
        (with_a_level_left_out, "follows one of level"),
        (with_a_missing_cell, "different lengths"),
        (with_a_script, "OpenAction"),
        (with_loose_words, "outside the structure"),
    ],
    ids=lambda given: given.__name__ if callable(given) else "",
)
def test_harm_done_to_a_file_is_noticed(harm: Callable[[pikepdf.Pdf], None], what: str) -> None:
    with pikepdf.open(BytesIO(made("refused", "general"))) as pdf:
        harm(pdf)
        changed = BytesIO()
        pdf.save(changed)
    assert any(what in fault for fault in faults(changed.getvalue()))

"""Documents made at random: what is removed is gone, everything else stays where it was."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.documents.document import Change, Look
from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.documents.pdf.structure import elements
from reidrisk.documents.proof.needles import counted
from tests.documents.pdf.building import helvetica, one_page

LETTERS = "abcdefghiklmnoprstuwyzABCDEFGHILMNOPRSTWZ0123456789"
WORDS = st.lists(st.text(LETTERS, min_size=3, max_size=9), min_size=4, max_size=14, unique_by=str.casefold)


@st.composite
def shown(draw: st.DrawFn, words: list[str], y: int) -> str:
    """Operators that show a line of words in one of the many ways to do so."""
    text = " ".join(words)
    font = draw(st.sampled_from(["/F1", "/Times", "/Mono", "/Bold"]))
    start = f"BT {font} {draw(st.integers(6, 16))} Tf {draw(st.sampled_from([0, 0.4]))} Tc "
    start += f"{draw(st.sampled_from([0, 1.5]))} Tw {draw(st.sampled_from([80, 100, 115]))} Tz "
    kind = draw(st.sampled_from(["Tj", "TJ", "words", "lines", "turned"]))
    if kind == "Tj":
        return f"{start} 40 {y} Td ({text}) Tj ET"
    if kind == "TJ":
        cuts = sorted(draw(st.sets(st.integers(1, len(text) - 1), max_size=6)))
        parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        kerns = [draw(st.integers(-40, 60)) for _ in parts]
        return (
            f"{start} 40 {y} Td [{' '.join(f'({p}) {k}' for p, k in zip(parts, kerns, strict=True))}] TJ ET"
        )
    if kind == "words":
        return f"{start} 40 {y} Td " + " ".join(f"({word} ) Tj" for word in words) + " ET"
    if kind == "lines":
        half = len(words) // 2
        return f"{start} 18 TL 40 {y + 18} Td ({' '.join(words[:half])}) ' ({' '.join(words[half:])}) ' ET"
    slope = draw(st.sampled_from(["0.8 0.6 -0.6 0.8", "0 1 -1 0", "-1 0 0 -1"]))
    return f"{start} {slope} 300 {y} Tm ({text}) Tj ET"


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[str]]:
    words = draw(WORDS)
    half = max(2, len(words) // 2)
    content = [draw(shown(words[:half], 600)), draw(shown(words[half:] or words[:1], 200))]
    removed = draw(st.lists(st.sampled_from(words), min_size=1, max_size=4, unique=True))
    return "\n".join(content), removed


def add_fonts(pdf: pikepdf.Pdf, page: Any) -> None:
    for name, base in (("Times", "Times-Roman"), ("Mono", "Courier"), ("Bold", "Helvetica-Bold")):
        font = helvetica()
        font.BaseFont = pikepdf.Name(f"/{base}")
        page.Resources.Font[f"/{name}"] = font


def whole_words(source: Path, values: list[str], *, before: str = r"\w") -> list[Change]:
    pattern = re.compile(rf"(?<!{before})(?:" + "|".join(map(re.escape, values)) + r")(?!\w)")
    return [
        Change(block.name, found.start(), found.end())
        for block in read_pdf(source)
        if block.name.startswith("page")
        for found in pattern.finditer(block.text)
    ]


def letters(path: Path) -> Counter[str]:
    document = pypdfium2.PdfDocument(path)
    text = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return Counter("".join(text.split()).replace("\ufffe", ""))


@settings(max_examples=40)
@given(documents())
def test_only_what_is_removed_goes(made: tuple[str, list[str]]) -> None:
    content, removed = made
    with tempfile.TemporaryDirectory() as folder:
        source = one_page(Path(folder) / "in.pdf", content, more=add_fonts)
        out = Path(folder) / "out.pdf"
        changes = whole_words(source, removed)
        assert len(changes) >= len(removed)
        gone = Counter[str]()
        for block in read_pdf(source):
            for change in changes:
                gone += Counter(block.text[change.start : change.end])
        written = write_pdf(source, out, changes, look=Look(labels=False))
        assert letters(source) - letters(out) == gone
        assert letters(out) - letters(source) == Counter()
        assert written.rasterised == ()
        after = " ".join(block.text for block in read_pdf(out))
        assert prove_document(out, removed, kept={value: counted(after, value) for value in removed}).holds


@cache
def typst_report(seed: int) -> bytes:
    typst = pytest.importorskip("typst")
    fonts = ["New Computer Modern", "Libertinus Serif", "DejaVu Sans Mono"]
    body = " ".join(
        f"Subject{chr(65 + n)} office difficult fluffy naïve żółw {n}00{n}-{seed}{n}" for n in range(9)
    )
    markup = f"""
    #set document(title: "Subject{chr(65)}", author: "SubjectB")
    #set text(font: "{fonts[seed % 3]}", size: {8 + seed}pt, hyphenate: true)
    #set page(columns: {1 + seed % 2}, header: [SubjectA header])
    #set par(justify: true)
    = SubjectA in a heading
    {body}
    #table(columns: 3, [SubjectB], [office], [1001-0001], [SubjectC], [fluffy], [x])
    #rotate(30deg)[SubjectD turned] #link("https://example.org/SubjectE")[SubjectE linked]
    #footnote[SubjectF in a note] $ x^2 + sum_(i=1)^n alpha_i $ SubjectG
    {body}
    """
    return bytes(typst.compile(markup.encode()))


@pytest.mark.parametrize("seed", range(4))
def test_reports_of_typst_lose_what_is_removed_and_nothing_else(tmp_path: Path, seed: int) -> None:
    source, out = tmp_path / "in.pdf", tmp_path / "out.pdf"
    source.write_bytes(typst_report(seed))
    values = [f"Subject{letter}" for letter in "ABCDEFGH"]
    changes = whole_words(source, values, before="[a-z]")  # the number of a footnote stands at its word
    assert len(changes) >= 2 * 7 + 7
    before = letters(source)
    written = write_pdf(source, out, changes, look=Look(labels=False))
    assert written.rasterised == ()
    removed = Counter[str]()
    for block in read_pdf(source):
        for change in changes:
            if change.block == block.name:
                removed += Counter(block.text[change.start : change.end])
    assert before - letters(out) == removed
    assert prove_document(out, values).holds


def test_the_structure_for_screen_readers_stays(tmp_path: Path) -> None:
    source, out = tmp_path / "in.pdf", tmp_path / "out.pdf"
    source.write_bytes(typst_report(0))
    write_pdf(source, out, whole_words(source, ["SubjectA", "SubjectB"]))
    with pikepdf.open(source) as before, pikepdf.open(out) as after:
        assert kinds(before) == kinds(after)
        assert after.Root.MarkInfo.Marked
        assert after.Root.Lang == before.Root.Lang


def kinds(pdf: pikepdf.Pdf) -> list[str]:
    return [str(element.S) for element in elements(pdf)]

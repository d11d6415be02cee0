"""Documents that Hypothesis makes up: the new text is the old one with exactly its changes."""

from __future__ import annotations

import re
import tempfile
from copy import deepcopy
from pathlib import Path
from xml.sax.saxutils import escape

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from reidrisk.documents.document import Change, Look
from reidrisk.documents.docx.format import read_docx, write_docx
from reidrisk.documents.docx.proof import DOCX_TEXTS
from tests.documents.docx.building import DOCUMENT, SPACES, Made, paragraph, whole
from tests.documents.docx.trap import trap

LETTERS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), max_size=12)
SIGNS = (
    "<w:tab/>",
    "<w:br/>",
    "<w:noBreakHyphen/>",
    '<w:sym w:font="Arial" w:char="F041"/>',
    "<w:softHyphen/>",
)
LOOKS = (
    "",
    "<w:rPr><w:b/></w:rPr>",
    '<w:rPr><w:rStyle w:val="x"/><w:sz w:val="20"/><w:lang w:val="pl"/></w:rPr>',
)

WRAPPERS = (
    "|",
    '<w:ins w:author="A">|</w:ins>',
    '<w:hyperlink w:anchor="x">|</w:hyperlink>',
    "<w:sdt><w:sdtContent>|</w:sdtContent></w:sdt>",
    "<w:smartTag>|</w:smartTag>",
    "<w:r><w:pict><w:txbxContent><w:p>|</w:p></w:txbxContent></w:pict></w:r>",
)


@st.composite
def runs(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.one_of(LETTERS.map(_piece), st.sampled_from(SIGNS)), max_size=4))
    inner = f"<w:r>{draw(st.sampled_from(LOOKS))}{''.join(pieces)}</w:r>"
    before, after = draw(st.sampled_from(WRAPPERS)).split("|")
    return f"{before}{inner}{after}"


def _piece(text: str) -> str:
    return f'<w:t xml:space="preserve">{escape(text)}</w:t>'


lines = st.lists(runs(), max_size=4).map(lambda found: f"<w:p>{''.join(found)}</w:p>")
tables = st.lists(lines, min_size=1, max_size=3).map(
    lambda cells: f"<w:tbl><w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr></w:tbl>"
)
bodies = st.lists(st.one_of(lines, tables), min_size=1, max_size=4).map("".join)


@settings(max_examples=30)
@given(bodies, bodies, st.data())
def test_a_change_takes_out_its_place_and_nothing_else(body: str, header: str, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = Made(body)
        made.part("header", "word/header1.xml", whole("w:hdr", header))
        path = made.save(Path(folder) / "in.docx")
        blocks = {block.name: block.text for block in read_docx(path)}
        changes, expected = [], dict(blocks)
        for name, text in blocks.items():
            ends = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
            for start, end in reversed(list(zip(ends[::2], ends[1::2], strict=False))):
                if not any(sign in text[start:end] for sign in " \t\n\u2028"):  # they may lie between places
                    new = data.draw(st.sampled_from((None, "20-25")))
                    changes.append(Change(name, start, end, new))
                    put = "PPD" if new is None else new
                    expected[name] = expected[name][:start] + put + expected[name][end:]
        out = Path(folder) / "out.docx"
        assert write_docx(path, out, changes, look=Look()).changes == len(changes)
        after = {block.name: block.text for block in read_docx(out)}
        assert after == {name: text for name, text in expected.items() if text.strip()}


@settings(max_examples=20)
@given(bodies)
def test_the_proof_reads_every_word_that_is_read(body: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Made(body + paragraph("end")).save(Path(folder) / "in.docx")
        write_docx(path, Path(folder) / "out.docx", [])
        words = " ".join(block.text for block in read_docx(Path(folder) / "out.docx")).split()
        by_parser = " ".join(text for _, text in DOCX_TEXTS[0](Path(folder) / "out.docx"))
        assert [word for word in words if word not in by_parser] == []


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 400), st.sampled_from("drs")), min_size=1, max_size=6
    )
)
def test_a_garbled_document_is_read_and_written_all_the_same(garble: list[tuple[int, int, str]]) -> None:
    made, _ = trap()
    root = etree.fromstring(f"<w:document {SPACES}><w:body>{made.body}</w:body></w:document>")
    for first, second, how in garble:
        found = [element for element in root.iter("*") if element is not root]
        one, other = found[first % len(found)], found[second % len(found)]
        if how == "d":
            other.append(deepcopy(one))
        elif how == "s":
            one.tag, other.tag = other.tag, one.tag
        elif len(found) > 50:
            one.getparent().remove(one)
    made.parts["word/document.xml"] = (DOCUMENT, etree.tostring(root))
    with tempfile.TemporaryDirectory() as folder:
        path, out = made.save(Path(folder) / "in.docx"), Path(folder) / "out.docx"
        changes = [
            Change(block.name, found.start(), found.end())
            for block in read_docx(path)
            for found in re.finditer(r"Zq\w+", block.text)
        ]
        write_docx(path, out, changes)
        assert not [block.name for block in read_docx(out) if re.search(r"Zq\w+", block.text)]

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from reidrisk.documents.docx.format import write_docx
from reidrisk.documents.docx.proof import DOCX_CONTENTS, DOCX_TEXTS, by_parser, by_patterns, raw_entries
from reidrisk.documents.words import words
from reidrisk.errors import UnreadableFile
from tests.documents.docx.building import Made, paragraph, run, whole
from tests.documents.docx.trap import trap
from tests.documents.searching import places_of

READERS = (*DOCX_TEXTS, *DOCX_CONTENTS)
FORMAT = sorted(
    words(
        "center auto Roman Strong Page Table Heading Black Bold Times Object Word Main Chart Header Author "
        "Continuous Preserve Office Custom Normal Image 2405"
    )
)


def test_words_of_the_format_are_not_taken_for_words_of_the_document(tmp_path: Path) -> None:
    made, _ = trap()
    styles = '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    styles += '<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/></w:style>'
    fonts = '<w:font w:name="Times New Roman"><w:altName w:val="Roman"/></w:font>'
    made.parts["word/styles.xml"] = ("", whole("w:styles", styles).encode())
    made.part("fontTable", "word/fontTable.xml", whole("w:fonts", fonts))
    look = '<w:pPr><w:pStyle w:val="Heading1"/><w:jc w:val="center"/><w:spacing w:line="2405"/></w:pPr>'
    made.body += f"<w:p>{look}{run('x', '<w:b/>')}</w:p>"
    out = tmp_path / "out.docx"
    write_docx(made.save(tmp_path / "in.docx"), out, [])
    assert places_of(out, FORMAT, READERS) == set()


@pytest.mark.parametrize("attribute", ["w:secret", "w:val", "descr", "x"])
def test_other_words_in_attributes_are_found(tmp_path: Path, attribute: str) -> None:
    path = Made(f'<w:p><w:thing {attribute}="McKay"/></w:p>').save(tmp_path / "in.docx")
    assert {value for value, _ in places_of(path, ["McKay"], READERS)} == {"McKay"}


def test_letters_in_other_entries_are_found(tmp_path: Path) -> None:
    made = Made(paragraph("x"))
    made.part(
        "image", "word/media/McKay.png", "\x00\x01 Jan Kowalski-Nowak".encode("utf-16-le"), content_type="i/p"
    )
    made.part("image", "word/media/b.png", b"\x00\xff\x00 Anna Maria Lee \xff\x00", content_type="i/p")
    path = made.save(tmp_path / "in.docx")
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = b"Bob Archer"
    wanted = ["McKay", "Kowalski", "Maria Lee", "Bob Archer"]
    assert {value for value, _ in places_of(path, wanted, [raw_entries])} == set(wanted)


def test_a_file_that_cannot_be_read_proves_nothing(tmp_path: Path) -> None:
    path = Made("").save(tmp_path / "in.docx")
    path.write_bytes(path.read_bytes()[:-40])
    broken = Made("")
    broken.parts["word/x.xml"] = ("", b"<not closed")
    with pytest.raises(UnreadableFile, match="nothing is proved"):
        list(by_patterns(path))
    with pytest.raises(UnreadableFile, match="nothing is proved"):
        list(by_parser(broken.save(tmp_path / "other.docx")))

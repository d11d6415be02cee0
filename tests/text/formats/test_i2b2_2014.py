"""i2b2 2014 and MEDDOCAN: offsets of parsed text, and no declaration of anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.errors import BadData, MisalignedOffsets, UnreadableFile
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.i2b2_2014 import I2b2Reader
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import read_documents

TEXT = "\nNé 😀 le 3 mai\n\tAnna Müller & Bo, Graz"
DATE = '<DATE id="P0" start="9" end="14" text="3 mai" TYPE="DATE" comment=""/>'
NAME = '<NAME comment="" TYPE="PATIENT" text="Anna Müller" end="27" start="16" id="P1"/>'


def xml(*tags: str, text: str = TEXT, root: str = "deIdi2b2", prolog: str = "") -> str:
    inside = f"<TEXT><![CDATA[{text}]]></TEXT><TAGS>{''.join(tags)}</TAGS>"
    return f'<?xml version="1.0" encoding="UTF-8" ?>{prolog}\n<{root}>\n{inside}\n</{root}>\n'


def save(folder: Path, content: str | bytes) -> Path:
    path = folder / "110-01.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path: Path) -> Document:
    assert I2b2Reader().recognizes(path, path.read_bytes())
    (document,) = read_documents(path, format="i2b2-2014", settings=ReadSettings())
    return document


def refused(path: Path, kind: type[BadData], says: str) -> None:
    with pytest.raises(kind, match=says) as info:
        list(read_documents(path, format="i2b2-2014", settings=ReadSettings()))
    message = str(info.value)
    assert "Hint:" in message
    assert "110-01.xml" in message
    assert "Müller" not in message


MARKS = (Annotation(9, 14, "DATE"), Annotation(16, 27, "PATIENT"))


@pytest.mark.parametrize("root", ["deIdi2b2", "MEDDOCAN"])
def test_a_file_with_emoji(tmp_path: Path, root: str) -> None:
    path = save(tmp_path, xml(DATE, NAME, root=root, prolog="<!-- <x> -->"))
    assert read(path) == Document("110-01", MARKS, TEXT, str(path))


def test_windows_line_ends_are_parsed_away_as_xml_asks(tmp_path: Path) -> None:
    assert read(save(tmp_path, xml(DATE, NAME).replace("\n", "\r\n"))).annotations == MARKS


def test_windows_line_ends_that_were_counted_are_noted(tmp_path: Path) -> None:
    tags = DATE.replace('"9"', '"10"').replace("14", "15"), NAME.replace("16", "18").replace("27", "29")
    document = read(save(tmp_path, xml(*tags).replace("\n", "\r\n")))
    assert document.annotations == MARKS
    assert document.notes == ("offsets were read as counting a line end as two characters",)


def test_escaped_text_byte_order_mark_and_no_tags(tmp_path: Path) -> None:
    escaped = "<MEDDOCAN><TAGS/><TEXT>Anna &amp; Bo &#128512;</TEXT></MEDDOCAN>"
    document = read(save(tmp_path, "\ufeff" + escaped))
    assert document.text == "Anna & Bo 😀"
    assert document.annotations == ()


def test_the_element_names_the_type_where_no_attribute_does(tmp_path: Path) -> None:
    tag = '<AGE start="9" end="14"/>'
    assert read(save(tmp_path, xml(tag))).annotations == (Annotation(9, 14, "AGE"),)


def test_newlines_in_attributes_become_spaces(tmp_path: Path) -> None:
    document = read(save(tmp_path, xml('<X id="1" start="11" end="20" text="mai\nAnna"/>')))
    assert document.annotations[0].start == 11
    assert "white space" in document.notes[0]


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        (xml(DATE, NAME.replace("16", "17")), MisalignedOffsets, "document '110-01', annotation 2"),
        (xml(DATE, DATE), UnreadableFile, "annotation 2: its id was used"),
        (xml(DATE.replace('"9"', '"９"')), UnreadableFile, "annotation 1: .*not a whole number"),
        (xml(DATE.replace('"9"', '"-9"')), UnreadableFile, "annotation 1: .*not a whole number"),
        (xml(DATE.replace('start="9" ', "")), UnreadableFile, "annotation 1: .*not a whole number"),
        (xml(DATE.replace('"9"', '"' + "9" * 9000 + '"')), UnreadableFile, "annotation 1"),
        (xml(DATE.replace('"9"', '"14"')), MisalignedOffsets, "annotation 1: its end"),
        (xml('<X start="9" end="900"/>'), MisalignedOffsets, "annotation 1: it ends at 900"),
        (xml('<X start="0" end="1"/>'), MisalignedOffsets, "annotation 1: it covers only white space"),
        (xml(DATE)[:-20], UnreadableFile, "line 6, column|line 5, column|line 4, column"),
        (xml(DATE).replace("Müller &", "Müller ]]> &"), UnreadableFile, "malformed"),
        (xml(DATE).replace("TAGS>", "MARKS>"), UnreadableFile, "has 0 <TAGS>"),
        (xml(DATE).replace("<TAGS>", "<TEXT>x</TEXT><TAGS>"), UnreadableFile, "has 2 <TEXT>"),
        (
            "<deIdi2b2><TEXT>Dr <PHI>Müller</PHI></TEXT><TAGS/></deIdi2b2>",
            UnreadableFile,
            "contains elements",
        ),
        (xml(DATE).encode("utf-16"), UnreadableFile, "byte 0 "),
        (xml(DATE).encode("latin-1", "replace"), UnreadableFile, r"byte \d+ "),
        (xml(DATE).replace("Anna", "An\0na"), UnreadableFile, "malformed"),
        (
            xml(DATE).replace("Anna", "An&#0;na").replace("<![CDATA[", "").replace("]]>", ""),
            UnreadableFile,
            "mal",
        ),
        ("", UnreadableFile, "no element found"),
        ("<a>" * 50_000, UnreadableFile, "more than 100 levels of nesting"),
    ],
)
def test_refusals(tmp_path: Path, content: str | bytes, kind: type[BadData], says: str) -> None:
    refused(save(tmp_path, content), kind, says)


BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>'


@pytest.mark.parametrize(
    "prolog",
    [
        BOMB,
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
        '<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///etc/hostname"> %a;]>',
        "<!DOCTYPE deIdi2b2>",
    ],
)
def test_document_types_and_entities_are_refused(tmp_path: Path, prolog: str) -> None:
    content = xml(DATE, prolog=prolog).replace("<TAGS>", "<TAGS>&c;&a;")
    refused(save(tmp_path, content), UnreadableFile, "declares a document type or an entity")


def test_an_entity_without_declaration_is_refused(tmp_path: Path) -> None:
    refused(save(tmp_path, xml(DATE).replace("<TAGS>", "<TAGS>&a;")), UnreadableFile, "undefined entity")


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="must be loaded as a whole"):
        list(
            read_documents(save(tmp_path, xml(DATE)), format="i2b2-2014", settings=ReadSettings(max_bytes=50))
        )


def test_other_roots_are_not_recognised(tmp_path: Path) -> None:
    assert not I2b2Reader().recognizes(tmp_path / "a.xml", b"<GateDocument><deIdi2b2>")
    assert not I2b2Reader().recognizes(tmp_path / "a.xml", b"")

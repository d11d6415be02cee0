"""i2b2 2006: tags inside the text, many records in a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.text.formats.files import marked, read, read_one, refused, save

from reidrisk.errors import UnreadableFile

RECORD = (
    '<RECORD ID="1">\n<TEXT>\nSeen <PHI TYPE="DATE">3 mai</PHI>\n'
    '<PHI TYPE="PATIENT">Ángel Müller</PHI> 😀 &amp; <PHI TYPE="ID">719435</PHI>\n</TEXT>\n</RECORD>'
)
FILE = f'<?xml version="1.0" encoding="UTF-8" ?>\n<ROOT>\n{RECORD}\n</ROOT>\n'
MARKS = [("DATE", "3 mai"), ("PATIENT", "Ángel Müller"), ("ID", "719435")]


def test_offsets_are_computed_along_the_text(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.xml", FILE), "i2b2-2006")
    assert document.id == "1"
    assert document.text == "\nSeen 3 mai\nÁngel Müller 😀 & 719435\n"
    assert marked(document) == MARKS


def test_windows_line_ends_are_parsed_away_as_xml_asks(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.xml", FILE.replace("\n", "\r\n")), "i2b2-2006")
    assert marked(document) == MARKS
    assert "\r" not in (document.text or "")


def test_records_are_documents(tmp_path: Path) -> None:
    two = FILE.replace("</ROOT>", RECORD.replace('"1"', '"2"') + "</ROOT>")
    assert [document.id for document in read(save(tmp_path, "a.xml", two), "i2b2-2006")] == ["1", "2"]


def test_the_unclosed_tag_of_the_published_file_is_closed_and_noted(tmp_path: Path) -> None:
    bad = FILE.replace("3 mai</PHI>", '25th of July<PHI TYPE="DOCTOR">')
    document = read_one(save(tmp_path, "a.xml", bad), "i2b2-2006")
    assert marked(document)[0] == ("DATE", "25th of July")
    assert document.notes == ("a tag that is not closed in the published file was closed",)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("3 mai</PHI>", '3<PHI TYPE="X"> mai</PHI></PHI>', "a.xml: document '1', annotation 1: it contains"),
        ("719435", "", "document '1', annotation 3: its end is not after its start"),
        ("719435", "\n", "document '1', annotation 3: it covers only white space"),
    ],
)
def test_a_tag_that_cannot_be_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    refused(save(tmp_path, "a.xml", FILE.replace(old, new)), "i2b2-2006", says)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("</TEXT>", "", "the XML is malformed"),
        ('ID="1"', "", 'no usable "ID"'),
        ("<ROOT>", "<!DOCTYPE x []><ROOT>", "declares a document type"),
        ("<TEXT>", "<TEXT></TEXT><TEXT>", "2 TEXT elements"),
        ('TYPE="ID"', "", 'annotation 3: "TYPE" is missing'),
        ("<TEXT>", "<PHI/><TEXT>", "is in the wrong place"),
    ],
)
def test_other_damage_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    refused(save(tmp_path, "a.xml", FILE.replace(old, new, 1)), "i2b2-2006", says, kind=UnreadableFile)

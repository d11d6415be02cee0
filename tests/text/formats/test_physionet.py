"""PhysioNet deid: bytes are counted, from the first of a record."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.text.formats.files import marked, read, read_one, refused, save

from reidrisk.errors import UnreadableFile
from reidrisk.text.read import read_documents

BODY = "Né 😀\r\nÁngel Müller in Graz.\r\n"
TEXT = (
    f"\r\nSTART_OF_RECORD=7||||2||||\r\n{BODY}||||END_OF_RECORD\r\n\r\n"
    "START_OF_RECORD=7||||3||||\nok\n||||END_OF_RECORD\n"
)
START = len("Né 😀\r\n".encode())
END = START + len("Ángel Müller".encode())
PHRASES = f"7 2 {START} {END} PTName Ángel Müller\n"


def test_phrases_have_types(tmp_path: Path) -> None:
    save(tmp_path, "id-phi.phrase", PHRASES)
    first, second = read(save(tmp_path, "id.text", TEXT), "physionet")
    assert (first.id, second.id) == ("7-2", "7-3")
    assert first.text == BODY
    assert marked(first) == [("PTName", "Ángel Müller")]
    assert first.notes == ("id-phi.phrase was read",)
    assert second.annotations == ()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("id.deid", f"Patient 7  Note 2\n{START}  {START}  {END}\n"),
        ("id.phi", f"\r\nPatient 7\tNote 2\r\n{START}\t{START}\t{END}\r\n"),
    ],
)
def test_lists_of_places(tmp_path: Path, name: str, content: str) -> None:
    save(tmp_path, "id.text", TEXT)
    path = save(tmp_path, name, content)
    assert marked(read(path, "physionet")[0]) == [("PHI", "Ángel Müller")]
    assert marked(read(tmp_path, "physionet")[0]) == [("PHI", "Ángel Müller")]


def test_latin_1_is_read_and_noted(tmp_path: Path) -> None:
    body = "Né\nÁngel Müller"
    record = f"START_OF_RECORD=1||||1||||\n{body}||||END_OF_RECORD\n".encode("latin-1")
    save(tmp_path, "id.text", record)
    document = read_one(save(tmp_path, "id.phi", "Patient 1\tNote 1\n3\t3\t15\n"), "physionet")
    assert marked(document) == [("PHI", "Ángel Müller")]
    assert document.notes == ("the text was read as Latin-1",)


def test_phrases_without_a_text_wait_for_it(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "id-phi.phrase", PHRASES), "physionet")
    assert document.text is None
    assert document.surfaces == ("Ángel Müller",)


def test_a_corrupted_offset_is_named(tmp_path: Path) -> None:
    save(tmp_path, "id.text", TEXT)
    wrong = PHRASES + f"7 2 {START + 1} {END} PTName Ángel Müller\n"
    path = save(tmp_path, "id-phi.phrase", wrong)
    refused(path, "physionet", r"id-phi\.phrase, document '7-2', annotation 2: it starts or ends inside")
    path = save(tmp_path, "id-phi.phrase", PHRASES.replace(f" {END} ", f" {END - 1} "))
    refused(path, "physionet", "annotation 1: it does not match")
    path = save(tmp_path, "id.phi", "Patient 7\tNote 2\n3\t3\t900\n")
    refused(path, "physionet", "annotation 1: it ends at")
    path = save(tmp_path, "id.phi", "Patient 8\tNote 2\n3\t3\t9\n")
    refused(path, "physionet", "the text has no record '8-2'")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("id.phi", "3\t3\t9\n", "line 1: the list does not start"),
        ("id.phi", "Patient 7 Note 2\n3\t4\t9\n", "line 2: the line is neither"),
        ("id.phi", "Patient 7 Note 2\nx\n", "line 2: the line is neither"),
        ("id.phrase", "7 2 3\n", "line 1: the line does not have six parts"),
        ("id.phrase", "7 2 3 x PTName Anna\n", "line 1: the start or the end"),
    ],
)
def test_damaged_lists_are_refused(tmp_path: Path, name: str, content: str, says: str) -> None:
    save(tmp_path, "id.text", TEXT)
    refused(save(tmp_path, name, content), "physionet", says, kind=UnreadableFile)


def test_offsets_without_their_text_are_refused(tmp_path: Path) -> None:
    path = save(tmp_path, "id.phi", "Patient 7\tNote 2\n3\t3\t9\n")
    refused(path, "physionet", "is not beside it", kind=UnreadableFile)
    (tmp_path / "id.phi").unlink()
    refused(save(tmp_path, "id.text", TEXT), "physionet", "no list of identifiers", kind=UnreadableFile)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("||||END_OF_RECORD", "", "does not end"),
        ("7||||3||||\n", "7|3\n", "the start of a record cannot be read"),
    ],
)
def test_damaged_records_are_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    save(tmp_path, "id.phi", "Patient 7\tNote 2\n")
    path = save(tmp_path, "id.text", TEXT.replace(old, new))
    with pytest.raises(UnreadableFile, match=says):
        list(read_documents(path))

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from reidrisk.documents.docx.format import read_docx, write_docx
from reidrisk.errors import UnreadableFile
from tests.documents.docx.building import DOCUMENT, Made, paragraph

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def _simple(tmp_path: Path, main_type: str = DOCUMENT) -> Path:
    return Made(paragraph("Ann"), main_type).save(tmp_path / "in.docx")


def _refused(path: Path) -> str:
    with pytest.raises(UnreadableFile) as raised:
        list(read_docx(path))
    with pytest.raises(UnreadableFile):
        write_docx(path, path.with_name("out.docx"), [])
    assert not path.with_name("out.docx").exists()
    return raised.value.problem.replace(str(path), "FILE")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "FILE is empty: 0 bytes."),
        (b"%PDF-1.7 ...", "FILE is not a DOCX file but PDF."),
        (b"{\\rtf1 x}", "FILE is not a DOCX file but RTF."),
        (b"plain text", "FILE is not a DOCX file but something else."),
        (OLE + bytes(600), "FILE is not a DOCX file but an old Office file."),
        (
            OLE + bytes(2**20) + "EncryptedPackage".encode("utf-16-le"),
            "FILE is encrypted and needs a password.",
        ),
        (b"PK\x03\x04 and then nothing of a zip file", "FILE is damaged: its parts cannot be read."),
    ],
)
def test_what_is_no_docx_is_named(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "in.docx"
    path.write_bytes(data)
    assert _refused(path) == problem


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert _refused(tmp_path / "none.docx") == "FILE cannot be read: No such file or directory."


def test_macros_are_refused(tmp_path: Path) -> None:
    kind = "application/vnd.ms-word.document.macroEnabled.main+xml"
    assert _refused(_simple(tmp_path, main_type=kind)) == "FILE holds macros, which can carry anything."
    made = Made(paragraph("Ann"))
    made.part("vbaProject", "word/vbaProject.bin", b"x", content_type="application/vnd.ms-office.vbaProject")
    assert "macros" in _refused(made.save(tmp_path / "other.docx"))


def test_other_office_files_and_other_zip_files_are_refused(tmp_path: Path) -> None:
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    assert _refused(_simple(tmp_path, main_type=kind)) == "FILE is not a DOCX file but another Office file."
    path = tmp_path / "zip.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.txt", "Ann")
    assert _refused(path) == "FILE is not a DOCX file but another zip file."


def test_a_part_that_unpacks_to_far_more_than_it_takes_is_refused(tmp_path: Path) -> None:
    path = _simple(tmp_path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/bomb.xml", bytes(4 * 2**20))
    assert _refused(path) == "FILE has more than 500 times its packed size inside."


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    path = _simple(tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("WORD/document.xml", "<secret/>")
    assert "two parts of one name" in _refused(path)


def test_a_name_that_leads_out_of_the_file_is_refused(tmp_path: Path) -> None:
    path = _simple(tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../x", "x")
    assert "leads out" in _refused(path)


@pytest.mark.parametrize("xml", ["<w:document", "<!DOCTYPE d [<!ENTITY e 'x'>]><d>&e;</d>", "", "\0"])
def test_malformed_parts_and_document_types_are_refused(tmp_path: Path, xml: str) -> None:
    path = tmp_path / "in.docx"
    made = Made(paragraph("Ann"))
    made.parts["word/document.xml"] = (DOCUMENT, xml.encode())
    assert "FILE" in _refused(made.save(path))


def test_a_file_cut_at_any_place_is_refused_or_read(tmp_path: Path) -> None:
    whole = _simple(tmp_path).read_bytes()
    path = tmp_path / "cut.docx"
    for end in range(1, len(whole), 41):
        path.write_bytes(whole[:end])
        assert "cut" not in _refused(path)


def test_damage_inside_a_part_is_refused(tmp_path: Path) -> None:
    data = bytearray(_simple(tmp_path).read_bytes())
    name = b"word/document.xml"
    place = data.index(name)
    size = struct.unpack("<I", data[place - 12 : place - 8])[0]
    start = place + len(name)
    data[start + 4 : start + size - 4] = bytes(size - 8)
    path = tmp_path / "damaged.docx"
    path.write_bytes(bytes(data))
    assert _refused(path) == "FILE is damaged: its parts cannot be read."

"""Zip files: folders in them are read where they are; what could do harm is refused."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from reidrisk.core.input_limits import changed_limits
from reidrisk.errors import UnreadableFile
from reidrisk.text.read import read_documents

LINE = '{"doc_id": "d1", "text": "Anna", "entities": [{"start": 0, "end": 4, "type": "NAME"}]}\n'
FILES = {"b.jsonl": LINE, "c.ann": "T1\tX 0 4\tAnna\n", "c.txt": "Anna"}


def pack(path: Path, files: dict[str, str], prefix: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(prefix + name, content)
    return path


@pytest.mark.parametrize("prefix", ["", "notes/", "a/b/", "./"])
def test_a_folder_in_a_zip_is_read_like_a_folder(tmp_path: Path, prefix: str) -> None:
    path = pack(tmp_path / "x.zip", FILES | {"__MACOSX/._b.jsonl": "x", ".hidden.xml": "broken"}, prefix)
    first, second = read_documents(path)
    assert (first.id, second.id) == ("d1", "c")
    assert second.text == "Anna"
    assert second.source == f"{path}/{prefix.removeprefix('./')}c.ann"
    assert [d.id for d in read_documents(path, format="brat")] == ["c"]
    assert list(tmp_path.iterdir()) == [path]


def test_the_suffix_does_not_matter(tmp_path: Path) -> None:
    assert [d.id for d in read_documents(pack(tmp_path / "x.data", FILES))] == ["d1", "c"]


def test_an_error_names_the_entry(tmp_path: Path) -> None:
    path = pack(tmp_path / "x.zip", FILES | {"c.txt": "Ann"}, "notes/")
    with pytest.raises(Exception, match=r"x\.zip/notes/c\.ann, document 'c', annotation 1: it ends at 4"):
        list(read_documents(path))


def test_a_zip_without_annotations_is_refused(tmp_path: Path) -> None:
    for files in ({}, {"a.md": "x"}, {"a/x.jsonl": LINE, "b/y.jsonl": LINE}):
        with pytest.raises(UnreadableFile, match="contains no annotation file"):
            read_documents(pack(tmp_path / "x.zip", files))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../b.jsonl", "entry 1: its name leads out of the zip file"),
        ("/b.jsonl", "leads out"),
        ("a/../../b.jsonl", "leads out"),
        ("a\\b.jsonl", "leads out"),
        ("C:b.jsonl", "leads out"),
        ("inner.zip", "a zip file inside a zip file"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(UnreadableFile, match=says):
        read_documents(pack(tmp_path / "x.zip", {name: LINE}))


def test_an_entry_without_a_name_is_refused(tmp_path: Path) -> None:
    """Found by fuzzing: the standard library itself fails on an empty name."""
    for name in ("", "."):
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(zipfile.ZipInfo(name), LINE)
        with pytest.raises(UnreadableFile, match="entry 1: it has no name"):
            read_documents(path)


def test_links_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    info = zipfile.ZipInfo("b.jsonl")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(UnreadableFile, match="it is a link"):
        read_documents(path)


def test_unusual_packing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("b.jsonl", LINE)
    with pytest.raises(UnreadableFile, match="uses an unusual compression"):
        read_documents(path)


def test_encrypted_entries_are_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "x.zip", {"b.jsonl": LINE})
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(bytes(data))
    with pytest.raises(UnreadableFile, match="it is encrypted"):
        read_documents(path)


def test_bombs_are_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "x.zip", {"b.jsonl": "\n" * 3_000_000})
    with pytest.raises(
        UnreadableFile, match=r"more than 500 times its packed size(.|\n)*--input-limit archive_ratio"
    ):
        read_documents(path)
    small = pack(tmp_path / "y.zip", FILES)
    with (
        changed_limits({"archive_bytes": 10}),
        pytest.raises(UnreadableFile, match="more than 10 bytes inside"),
    ):
        read_documents(small)
    with changed_limits({"archive_parts": 2}), pytest.raises(UnreadableFile, match="more than 2 parts"):
        read_documents(small)


def test_two_entries_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b.jsonl", LINE)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("b.jsonl", LINE)
    with pytest.raises(UnreadableFile, match="two files with the same name"):
        read_documents(path)


def test_damaged_data_are_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "x.zip", {"b.jsonl": LINE * 50})
    data = bytearray(path.read_bytes())
    data[45:60] = b"\xff" * 15
    path.write_bytes(bytes(data))
    with pytest.raises(
        UnreadableFile, match=r"b\.jsonl cannot be read: its data in the zip file are damaged"
    ):
        list(read_documents(path))
    path.write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(UnreadableFile, match="not a zip file, or is damaged"):
        read_documents(path)

"""Texts as they would be released: read from files and lines, recognised by their marks."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from reidrisk.errors import BadData, UnmatchedDocuments, UnreadableFile
from reidrisk.text.corpus import Document, ReleasedText
from reidrisk.text.formats.jsonl import write_jsonl
from reidrisk.text.read import read_documents

MARKED = "Seen 😀 by [NAME]\r\non 3 May.\r\n"
PLAIN = "Nothing to hide here.\r\n"


def save(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8", newline="")
    return folder


def lines(path: Path, *records: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_folder_of_texts_is_recognised_if_any_shows_marks(tmp_path: Path) -> None:
    folder = save(tmp_path / "out", a=PLAIN, b=MARKED)
    (folder / "README.md").write_text("how these were made")
    documents = list(read_documents(folder))
    assert documents == [
        Document("a", (), source=str(folder / "a.txt"), released=ReleasedText(PLAIN, "redacted")),
        Document("b", (), source=str(folder / "b.txt"), released=ReleasedText(MARKED, "redacted")),
    ]
    assert "hide" not in repr(documents)


def test_a_zip_file_of_texts_is_recognised_if_any_shows_marks(tmp_path: Path) -> None:
    path = tmp_path / "out.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("a.txt", PLAIN)
        archive.writestr("b.txt", MARKED)
    assert [(d.id, d.released) for d in read_documents(path)] == [
        ("a", ReleasedText(PLAIN, "redacted")),
        ("b", ReleasedText(MARKED, "redacted")),
    ]


def test_a_text_among_tagged_ones_holds_nothing(tmp_path: Path) -> None:
    folder = save(tmp_path / "out", a=PLAIN, b="Seen by <<NAME:Ann>>\r\n")
    assert [(d.id, d.text, len(d.annotations)) for d in read_documents(folder)] == [
        ("a", PLAIN, 0),
        ("b", "Seen by Ann\r\n", 1),
    ]


def test_an_empty_text_among_marked_ones_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"a\.txt is empty"):
        list(read_documents(save(tmp_path / "out", a=" ", b=MARKED)))


def test_texts_without_marks_must_be_named(tmp_path: Path) -> None:
    folder = save(tmp_path / "out", a=PLAIN)
    with pytest.raises(UnreadableFile, match=r"unknown format(.|\n)*redacted, surrogate"):
        list(read_documents(folder))
    (document,) = read_documents(folder, format="surrogate")
    assert document.released == ReleasedText(PLAIN, "surrogate")


def test_texts_beside_annotations_are_not_taken(tmp_path: Path) -> None:
    folder = save(tmp_path / "out", a=MARKED)
    (folder / "a.ann").write_text("T1\tNAME 0 4\tSeen\n")
    (document,) = read_documents(folder)
    assert (document.text, document.released) == (MARKED, None)
    assert [d.released for d in read_documents(folder / "a.txt")] == [None]
    (folder / "a.ann").rename(folder / "a.json")
    (folder / "a.json").write_text('{"a": [[0, 4]]}')
    assert [d.released for d in read_documents(folder)] == [None]


def test_lines_with_texts_only(tmp_path: Path) -> None:
    path = lines(tmp_path / "out.jsonl", {"doc_id": 1, "text": PLAIN}, {"doc_id": "b", "text": MARKED})
    assert [(d.id, d.released) for d in read_documents(path)] == [
        ("1", ReleasedText(PLAIN, "redacted")),
        ("b", ReleasedText(MARKED, "redacted")),
    ]
    assert [d.released for d in read_documents(path, format="surrogate")][1] == ReleasedText(
        MARKED, "surrogate"
    )
    assert [d.id for d in read_documents(tmp_path)] == ["1", "b"]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"doc_id": "d"}, "document 'd' has no text"),
        ({"doc_id": "d", "text": 3}, "not text"),
        ({"text": "Roe [NAME]"}, "no usable"),
        ({"doc_id": "d", "text": "Roe\0"}, "NUL"),
        ([], "not an object"),
    ],
)
def test_refusals(tmp_path: Path, record: dict[str, object], said: str) -> None:
    path = lines(tmp_path / "out.jsonl", {"doc_id": "a", "text": MARKED}, record)
    with pytest.raises(UnreadableFile, match=rf"out\.jsonl, line 2.*{said}(.|\n)*Hint:") as info:
        list(read_documents(path, format="redacted"))
    assert "Roe" not in str(info.value)


def test_one_document_twice_and_a_text_of_another_encoding_are_refused(tmp_path: Path) -> None:
    record: dict[str, object] = {"doc_id": "a", "text": MARKED}
    path = lines(tmp_path / "out.jsonl", record, record)
    with pytest.raises(UnmatchedDocuments, match="'a' twice"):
        list(read_documents(path))
    (tmp_path / "b.txt").write_bytes("[NAME]".encode("utf-16"))
    with pytest.raises(UnreadableFile, match="not valid UTF-8"):
        list(read_documents(tmp_path / "b.txt", format="redacted"))


def test_a_folder_remembers_nothing_that_changed(tmp_path: Path) -> None:
    folder = save(tmp_path / "out", a=PLAIN, b=MARKED)
    assert len(list(read_documents(folder))) == 2
    save(folder, b=PLAIN)
    with pytest.raises(UnreadableFile, match="unknown format"):
        list(read_documents(folder))
    (folder / "c.txt").write_text("███")
    assert len(list(read_documents(folder))) == 3


def test_a_released_text_is_not_written_as_one_without_identifiers(tmp_path: Path) -> None:
    folder = save(tmp_path / "out", a=MARKED)
    with pytest.raises(BadData, match="without offsets"):
        write_jsonl(read_documents(folder), tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()

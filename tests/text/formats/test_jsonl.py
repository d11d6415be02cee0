"""Our own format: round trips, streaming, and everything that is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reidrisk.errors import BadData, MisalignedOffsets, UnmatchedDocuments, UnreadableFile
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.jsonl import write_jsonl
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import read_documents

TEXT = "Né 😀 le 3 mai\r\n\tAnna Müller, Graz"
NAME = {"start": 16, "end": 27, "type": "NAME", "id_type": "DIRECT", "entity_id": "e1", "text": "Anna Müller"}
DATE = {"start": 8, "end": 13, "type": "DATE", "id_type": None, "entity_id": None, "text": "3 mai"}


def gold(*entities: Any, **more: Any) -> dict[str, Any]:
    return {"doc_id": "d1", "text": TEXT, "entities": list(entities), **more}


def save(folder: Path, *records: Any) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def read(path: Path, max_line: int = 10_000_000) -> list[Document]:
    return list(read_documents(path, format="jsonl", settings=ReadSettings(max_line=max_line)))


def refused(path: Path, kind: type[BadData]) -> str:
    with pytest.raises(kind) as info:
        read(path)
    message = str(info.value)
    assert "Hint:" in message
    assert path.name in message
    assert "Müller" not in message
    assert "Muller" not in message
    assert info.value.__cause__ is None
    return message


def test_a_gold_standard_with_emoji_and_windows_line_ends(tmp_path: Path) -> None:
    path = save(tmp_path, gold(NAME, DATE))
    assert read(path) == [
        Document(
            "d1",
            (Annotation(16, 27, "NAME", "direct", "e1"), Annotation(8, 13, "DATE")),
            TEXT,
            str(path),
        )
    ]


def test_the_output_of_a_tool_has_no_text(tmp_path: Path) -> None:
    spans = [{"start": 3, "end": 9, "label": "PER", "score": 1}, {"start": 1, "end": 2, "label": "X"}]
    (document,) = read(save(tmp_path, {"doc_id": 7, "tool": "t", "spans": spans, "seconds": 0.1}))
    assert document.id == "7"
    assert document.text is None
    assert document.annotations == (Annotation(3, 9, "PER", score=1.0), Annotation(1, 2, "X"))


def test_written_documents_are_read_again_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    marks = (
        Annotation(16, 27, "NAME", "direct", "e1", ((16, 20), (21, 27)), 0.25),
        Annotation(8, 13, "DATE", "ignored"),
        Annotation(29, 33, "CITY", "quasi", "e2"),
    )
    documents = [Document("d1", marks, TEXT, str(path)), Document("d2", marks, None, str(path))]
    write_jsonl(documents, path)
    assert read(path) == documents
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


def test_writing_fails_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("before")
    with pytest.raises(BadData, match="surrogate"):
        write_jsonl([Document("d1", (), TEXT), Document("d2", (), "\ud83d")], path)
    assert path.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(BadData, match=r"cannot be written(.|\n)*Hint:"):
        write_jsonl([], tmp_path / "missing" / "out.jsonl")


def test_lines_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    path = save(tmp_path, gold(NAME), gold({"start": "0"}))
    documents = read_documents(path, format="jsonl", settings=ReadSettings())
    assert next(documents).id == "d1"
    with pytest.raises(UnreadableFile, match="line 2, document 'd1', annotation 1"):
        next(documents)


def test_byte_order_mark_empty_lines_and_windows_lines(tmp_path: Path) -> None:
    path = save(tmp_path, gold(NAME))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().strip() + b"\r\n\r\n")
    assert read(path)[0].annotations[0].start == 16


def test_utf_16_offsets_are_understood_and_noted(tmp_path: Path) -> None:
    (document,) = read(save(tmp_path, gold(NAME | {"start": 17, "end": 28}, DATE | {"start": 9, "end": 14})))
    assert document.annotations[0].start == 16
    assert document.notes == ("offsets were read as UTF-16 units",)


def test_one_corrupted_offset_is_refused(tmp_path: Path) -> None:
    message = refused(save(tmp_path, gold(NAME, DATE | {"start": 9})), MisalignedOffsets)
    assert "document 'd1', annotation 2" in message


@pytest.mark.parametrize("value", ["16", 16.0, True, None, [], {}])
def test_offsets_of_another_type_are_refused(tmp_path: Path, value: Any) -> None:
    assert "annotation 2" in refused(save(tmp_path, gold(DATE, NAME | {"start": value})), UnreadableFile)
    assert "annotation 1" in refused(save(tmp_path, gold(NAME | {"end": value})), UnreadableFile)


@pytest.mark.parametrize("place", [(-1, 5), (5, 5), (9, 5), (5, 10**30), (5, 9999)])
def test_impossible_offsets_are_refused(tmp_path: Path, place: tuple[int, int]) -> None:
    span = {"start": place[0], "end": place[1], "type": "NAME"}
    assert "annotation 1" in refused(save(tmp_path, gold(span)), MisalignedOffsets)


def test_an_annotation_of_white_space_is_refused(tmp_path: Path) -> None:
    span = {"start": 13, "end": 16, "type": "NAME", "text": TEXT[13:16]}
    assert "white space" in refused(save(tmp_path, gold(span)), MisalignedOffsets)


@pytest.mark.parametrize(
    "change",
    [
        {"type": None},
        {"type": " "},
        {"type": 5},
        {"id_type": "Müller"},
        {"id_type": ["DIRECT"]},
        {"entity_id": 1.5},
        {"entity_id": True},
        {"text": 5},
        {"score": "high"},
        {"score": float("nan")},
        {"score": 10**400},
        {"id": {}},
        {"fragments": 2},
        {"fragments": [[16, 20, 27]]},
        {"fragments": [["16", 27]]},
    ],
)
def test_fields_of_another_type_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    assert "document 'd1', annotation 2" in refused(save(tmp_path, gold(DATE, NAME | change)), UnreadableFile)


@pytest.mark.parametrize("pieces", [[[16, 20], [19, 27]], [[21, 27], [16, 20]], [[16, 20], [21, 26]]])
def test_pieces_out_of_order_are_refused(tmp_path: Path, pieces: list[list[int]]) -> None:
    refused(save(tmp_path, gold(NAME | {"fragments": pieces})), MisalignedOffsets)


@pytest.mark.parametrize(
    "record",
    [
        [],
        "Müller",
        gold(doc_id=None),
        gold(doc_id="  "),
        gold(doc_id=True),
        gold(doc_id="Anna\nMüller"),
        gold(doc_id="Müller" * 50),
        gold(text=5),
        gold(spans=[]),
        {"doc_id": "d1", "text": TEXT},
        {"doc_id": "d1", "entities": {}},
        {"doc_id": "d1", "entities": ["Müller"]},
        gold(text="a\0b"),
    ],
)
def test_records_of_another_shape_are_refused(tmp_path: Path, record: Any) -> None:
    refused(save(tmp_path, record), UnreadableFile)


def test_an_annotation_id_given_twice_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path, gold(NAME | {"id": 1}, DATE | {"id": "1"}))
    assert "annotation 2" in refused(path, UnreadableFile)


def test_a_document_id_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnmatchedDocuments, match=r"document 'd1' twice(.|\n)*Hint:"):
        list(read_documents(save(tmp_path, gold(), gold())))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"doc_id": "M\xfcller"}', "byte 14 "),
        (b'{"doc_id": "Muller",', "line 2: the JSON is malformed at column 21"),
        (b"[" * 100_000, "line 2: the JSON has more than 100 levels of nesting"),
        (rb'{"doc_id": "\ud83dMuller", "entities": []}', "line 2: a .u escape is half of a surrogate pair"),
        (b'{"doc_id": ' + b"9" * 5000 + b"}", "line 2: a number has too many digits"),
        (b'{"doc_id": "a\0"}', "Invalid control character"),
        (b'{"doc_id": 1}\r{"doc_id": 2}', "Extra data"),
    ],
)
def test_lines_that_cannot_be_parsed_are_refused(tmp_path: Path, line: bytes, says: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_bytes(b"\n" + line + b"\n")
    assert re.search(says, refused(path, UnreadableFile))


def test_a_line_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path, gold(NAME), gold(NAME, extra="x" * 1000))
    with pytest.raises(UnreadableFile, match="line 2: the line is longer than 600 bytes"):
        read(path, max_line=600)

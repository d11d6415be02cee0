from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.text.corpus import Document
from reidrisk.text.grouping import Grouping
from reidrisk.text.read import read_documents


def of(text: str, document: Document) -> str:
    return Grouping.parse(text).of(document)


def test_documents_are_grouped_by_folder_field_type_or_part_of_the_id() -> None:
    note = Document(
        "wards/b2/110-01", (), "x", "notes/b2/file.txt", about=(("ward", "B2"), ("kind", "letter"))
    )
    assert of("folder", note) == "wards/b2"
    assert of("field:ward", note) == of("column:ward", note) == "B2"
    assert of("type", note) == "letter"
    assert of(r"(\d+)-", note) == of(r"id:(\d+)-", note) == "110"
    assert of("folder", Document("110", (), "x", "notes/b2/file.txt")) == "b2"
    assert of("folder", Document("110", (), "x")) == "."


@pytest.mark.parametrize("text", ["", "colour", "field:", "id:", "id:(", "(a"])
def test_what_is_no_grouping_is_refused(text: str) -> None:
    with pytest.raises(InvalidSetting, match=r"(?s)group.*field:NAME"):
        Grouping.parse(text)


def test_a_document_without_a_group_is_named_and_its_fields_listed() -> None:
    note = Document("a1", (), "x", about=(("year", "2019"),))
    with pytest.raises(BadData, match="'a1' has no field ward") as refused:
        of("field:ward", note)
    assert "year" in refused.value.hint
    with pytest.raises(BadData, match="does not match document 'a1'"):
        of(r"(\d{4})-", note)


def test_a_group_must_look_like_a_name_and_its_value_is_never_shown() -> None:
    note = Document("a1", (), "x", about=(("note", "Jane Doe " * 20),))
    with pytest.raises(BadData, match="no usable name") as refused:
        of("field:note", note)
    assert "Jane" not in str(refused.value)


def test_fields_come_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(
        '{"doc_id": "a", "text": "x", "entities": [], "ward": "B2", "meta": {"year": 2019, "long": ["y"]}}\n'
        '{"doc_id": "b", "entities": [], "body": "one\\ntwo"}\n',
        encoding="utf-8",
    )
    first, second = read_documents(path)
    assert first.about == (("ward", "B2"), ("meta.year", "2019"))
    assert second.about == (), "several lines are no name"
    assert "B2" not in repr(first)

"""Prodigy lines and the training list of spaCy 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.text.formats.files import marked, read, read_one, refused, save

from reidrisk.errors import UnreadableFile

TEXT = "Né 😀\r\nÁngel Müller in Graz"
SPAN = {"start": 6, "end": 18, "label": "PATIENT", "token_start": 3, "token_end": 4}


def line(**more: Any) -> str:
    return json.dumps({"text": TEXT, "spans": [SPAN], "meta": {"doc_id": "d1"}} | more) + "\n"


def test_a_task_with_its_id_in_the_meta(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.jsonl", line(answer="accept")), "prodigy")
    assert document.id == "d1"
    assert marked(document) == [("PATIENT", "Ángel Müller")]


def test_what_was_not_accepted_is_left_out_with_a_note(tmp_path: Path) -> None:
    lines = line(meta={"id": 1}) + line(answer="reject") + line(meta={"id": 3}) + line(answer="ignore")
    documents = read(save(tmp_path, "a.jsonl", lines), "prodigy")
    assert [document.id for document in documents] == ["1", "3"]
    assert documents[1].notes == ("2 rejected or ignored texts were left out",)


def test_tasks_without_ids_are_numbered_and_noted(tmp_path: Path) -> None:
    (first, second) = read(save(tmp_path, "a.jsonl", line(meta=None) + line(meta={}, spans=None)), "prodigy")
    assert (first.id, second.id) == ("1", "2")
    assert first.notes == ("the text has no id and is named by its position in the file",)


def test_a_corrupted_offset_is_named(tmp_path: Path) -> None:
    bad = line(spans=[SPAN, SPAN | {"end": 99}])
    refused(
        save(tmp_path, "a.jsonl", bad), "prodigy", r"a\.jsonl, document 'd1', annotation 2: it ends at 99"
    )
    bad = line(spans=[SPAN | {"text": "Graz"}])
    refused(save(tmp_path, "a.jsonl", bad), "prodigy", "annotation 1: it does not match")


@pytest.mark.parametrize(
    ("more", "says"),
    [({"text": 5}, "not text"), ({"text": None}, 'no "text"'), ({"spans": 5}, "not a list")],
)
def test_other_damage_is_refused(tmp_path: Path, more: dict[str, Any], says: str) -> None:
    refused(save(tmp_path, "a.jsonl", line(**more)), "prodigy", says, kind=UnreadableFile)


def train(*entities: Any, text: Any = TEXT) -> str:
    return json.dumps([[text, {"entities": list(entities)}], ["none", {"entities": []}]])


def test_the_training_list_is_numbered(tmp_path: Path) -> None:
    (first, second) = read(save(tmp_path, "a.json", train([6, 18, "PATIENT"])), "spacy-train")
    assert marked(first) == [("PATIENT", "Ángel Müller")]
    assert (first.id, second.id, second.annotations) == ("1", "2", ())


def test_a_corrupted_offset_of_the_training_list_is_named(tmp_path: Path) -> None:
    path = save(tmp_path, "a.json", train([6, 18, "PATIENT"], [6, 180, "X"]))
    refused(path, "spacy-train", r"a\.json, document '1', annotation 2: it ends at 180")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{}", "the file is not a list"),
        ("[[1, {}]]", "not a text and its entities"),
        ('[["x", []]]', "not an object"),
        ('[["x", {}]]', "not a list"),
    ],
)
def test_a_damaged_training_list_is_refused(tmp_path: Path, content: str, says: str) -> None:
    refused(save(tmp_path, "a.json", content), "spacy-train", says, kind=UnreadableFile)

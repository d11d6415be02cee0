"""doccano: labels and entities, code points or grapheme clusters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.text.formats.files import marked, read_one, refused, save

from reidrisk.errors import UnreadableFile
from reidrisk.text.read import read_documents

TEXT = "Ne\u0301 😀\r\nÁngel Müller in Graz"
START, END = TEXT.index("Ángel"), TEXT.index(" in")


def line(**more: Any) -> str:
    return json.dumps({"id": 1, "text": TEXT} | more, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("key", ["label", "labels"])
def test_labels_count_code_points(tmp_path: Path, key: str) -> None:
    document = read_one(save(tmp_path, "a.jsonl", line(**{key: [[START, END, "PATIENT"]]})), "doccano")
    assert document.id == "1"
    assert marked(document) == [("PATIENT", "Ángel Müller")]
    assert "use the format doccano-graphemes" in document.notes[0]


def test_entities_of_a_project_with_relations(tmp_path: Path) -> None:
    entity = {"id": 10, "label": "PATIENT", "start_offset": START, "end_offset": END}
    path = save(tmp_path, "a.jsonl", line(entities=[entity], relations=[], Comments=[]))
    assert marked(read_one(path, "doccano")) == [("PATIENT", "Ángel Müller")]


def test_grapheme_mode_counts_what_people_see(tmp_path: Path) -> None:
    # é of two code points and the line end of two are one cluster each
    path = save(tmp_path, "a.jsonl", line(label=[[START - 2, END - 2, "PATIENT"]]))
    (document,) = read_documents(path, format="doccano-graphemes")
    assert marked(document) == [("PATIENT", "Ángel Müller")]
    assert document.notes == ()


def test_a_text_without_clusters_needs_no_note(tmp_path: Path) -> None:
    path = save(tmp_path, "a.jsonl", json.dumps({"id": 1, "text": "Graz 😀", "label": [[0, 4, "X"]]}))
    assert read_one(path, "doccano").notes == ()


def test_a_corrupted_offset_is_named(tmp_path: Path) -> None:
    place = r"a\.jsonl, document '1', annotation 2: "
    bad = line(label=[[0, 3, "X"], [START, 99, "PATIENT"]])
    refused(save(tmp_path, "a.jsonl", bad), "doccano", place + "it ends at 99, beyond")
    refused(
        save(tmp_path, "a.jsonl", line(label=[[7, 6, "X"]])), "doccano", "line 1, document '1', annotation 1"
    )
    refused(
        save(tmp_path, "a.jsonl", line(label=[[0, 99, "X"]])), "doccano-graphemes", "annotation 1: it ends at"
    )


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "0 lists of labels"),
        ({"label": [], "labels": []}, "2 lists of labels"),
        ({"label": [[0, 1]]}, "not have three values"),
        ({"label": ["x"]}, "not a list"),
        ({"label": [[0, 1, None]]}, '"label" is missing'),
        ({"label": [], "text": None}, 'no "text"'),
        ({"label": [], "id": None}, 'no usable "id"'),
    ],
)
def test_other_damage_is_refused(tmp_path: Path, more: dict[str, Any], says: str) -> None:
    refused(save(tmp_path, "a.jsonl", line(**more)), "doccano", says, kind=UnreadableFile)

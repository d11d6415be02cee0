"""GATE JSON of gatenlp: offsets of Python or of Java, as the file says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.text.formats.files import marked, read_one, refused, save

from reidrisk.errors import UnreadableFile
from reidrisk.text.corpus import Annotation

TEXT = "Né 😀\r\nÁngel Müller in Graz"
FEATURES = {"identifier_type": "QUASI", "entity_id": "e1", "score": 0.5}


def file(start: int = 6, end: int = 18, **more: Any) -> str:
    marks = [
        {"type": "PATIENT", "start": start, "end": end, "id": 0, "features": FEATURES},
        {"type": "Token", "start": 0, "end": 2, "id": 1, "features": {}},
    ]
    sets = {"": {"name": "", "annotations": []}, "manual": {"name": "manual", "annotations": marks}}
    return json.dumps({"text": TEXT, "annotation_sets": sets, "features": {}, "offset_type": "p"} | more)


def test_offsets_of_python(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.bdocjs", file()), "bdoc")
    assert document.annotations == (Annotation(6, 18, "PATIENT", "quasi", "e1", (), 0.5),)


def test_offsets_of_java(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.json", file(7, 19, offset_type="j")), "bdoc")
    assert marked(document) == [("PATIENT", "Ángel Müller")]


def test_a_corrupted_offset_is_named(tmp_path: Path) -> None:
    place = r"a\.json, document 'a', annotation 1: "
    refused(save(tmp_path, "a.json", file(6, 180)), "bdoc", place + "it ends at 180, beyond")
    refused(
        save(tmp_path, "a.json", file(4, 19, offset_type="j")), "bdoc", place + "it starts or ends inside"
    )
    refused(save(tmp_path, "a.json", file(9, 9)), "bdoc", place + "its end is not after")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"text": None}, 'no "text"'),
        ({"offset_type": "x"}, "neither"),
        ({"annotation_sets": []}, "not an object"),
        ({"annotation_sets": {"x" * 300: {}}}, "too long or not printable"),
        ({"annotation_sets": {"a": {"annotations": [{"start": 0, "end": 2}]}}}, '"type" is missing'),
    ],
)
def test_other_damage_is_refused(tmp_path: Path, more: dict[str, Any], says: str) -> None:
    refused(save(tmp_path, "a.json", file(**more)), "bdoc", says, kind=UnreadableFile)

"""Label Studio: both exports, pages, several annotators, and its habits with white space and emoji."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.text.formats.files import marked, read, read_one, refused, save

from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.text.corpus import Annotation

TEXT = "Né 😀\r\nÁngel Müller in\u00a0Graz"
HTML = "<p>Né 😀<br/>Ángel &amp; Müller</p><!-- no text --><p>Graz</p>"


def region(start: Any = 6, end: Any = 18, text: str | None = "Ángel Müller", **more: Any) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": ["PATIENT"]}
    return {"id": "r1", "from_name": "label", "to_name": "text", "type": "labels", "value": value} | more


def task(*regions: dict[str, Any], **more: Any) -> dict[str, Any]:
    work = {"id": 1, "completed_by": 7, "was_cancelled": False, "result": list(regions)}
    return {
        "id": 5,
        "data": {"text": TEXT, "source": "ward"},
        "annotations": [work],
        "predictions": [],
    } | more


def saved(folder: Path, *tasks: dict[str, Any]) -> Path:
    return save(folder, "a.json", json.dumps(tasks, ensure_ascii=False))


def test_a_task_with_a_relation(tmp_path: Path) -> None:
    relation = {"type": "relation", "from_id": "r1", "to_id": "r1", "direction": "right"}
    document = read_one(saved(tmp_path, task(region(entity_id=3, score=0.5), relation)), "label-studio")
    assert document.id == "5"
    assert document.annotations == (Annotation(6, 18, "PATIENT", None, "3", (), 0.5),)


def test_old_versions_counted_utf16_units(tmp_path: Path) -> None:
    document = read_one(saved(tmp_path, task(region(7, 19))), "label-studio")
    assert marked(document) == [("PATIENT", "Ángel Müller")]
    assert document.notes == ("offsets were read as UTF-16 units",)


def test_line_ends_and_spaces_are_stored_otherwise(tmp_path: Path) -> None:
    document = read_one(saved(tmp_path, task(region(3, 26, "😀\\r\\nÁngel Müller in Graz"))), "label-studio")
    assert marked(document)[0][1].endswith("in\u00a0Graz")
    assert "ignoring differences" in document.notes[0]


def test_labels_that_are_roles(tmp_path: Path) -> None:
    one = region()
    one["value"]["labels"] = ["DIREKTE"]
    two = region()
    two["value"]["labels"] = ["QUASI", "PERSON"]
    document = read_one(saved(tmp_path, task(one, two)), "label-studio")
    assert [(a.type, a.role) for a in document.annotations] == [("DIREKTE", "direct"), ("PERSON", "quasi")]


def test_a_page_counts_its_text_and_line_breaks(tmp_path: Path) -> None:
    value = {
        "start": "/p[1]/text()[2]",
        "end": "/p[1]/text()[2]",
        "startOffset": 0,
        "endOffset": 14,
        "globalOffsets": {"start": 5, "end": 19},
        "text": "Ángel & Müller",
        "hypertextlabels": ["PATIENT"],
    }
    page = task({"value": value}, data={"html": HTML})
    document = read_one(saved(tmp_path, page), "label-studio")
    assert document.text == "Né 😀\nÁngel & MüllerGraz"
    assert marked(document) == [("PATIENT", "Ángel & Müller")]
    del value["globalOffsets"]
    refused(saved(tmp_path, page), "label-studio", "annotation 1: its offsets are paths", kind=UnreadableFile)


def test_the_short_export(tmp_path: Path) -> None:
    short = {"id": 9, "text": TEXT, "label": [region()["value"]], "annotator": 1, "annotation_id": 4}
    document = read_one(saved(tmp_path, short), "label-studio")
    assert (document.id, marked(document)) == ("9", [("PATIENT", "Ángel Müller")])


def test_one_of_several_annotators(tmp_path: Path) -> None:
    other = {"completed_by": {"id": 8, "email": "b@x.org"}, "result": []}
    cancelled = {"completed_by": 1, "was_cancelled": True, "result": [region(0, 2, "Né")]}
    both = task(region())
    both["annotations"] = [cancelled, *both["annotations"], other]
    path = saved(tmp_path, both, task(id=6, annotations=[cancelled]))
    document = read_one(path, "label-studio")
    assert marked(document) == [("PATIENT", "Ángel Müller")]
    assert document.notes == (
        "annotation 1 of 2 was read",
        "1 tasks without a finished annotation were left out",
    )
    assert read_one(path, "label-studio", annotator="b@x.org").annotations == ()
    with pytest.raises(InvalidSetting, match=r"Choose one of: 7, 8, b@x\.org"):
        read(path, "label-studio", annotator="nobody")


def test_predictions_are_read_where_nobody_annotated(tmp_path: Path) -> None:
    predicted = task(annotations=[], predictions=[{"result": [region(score=0.9)]}])
    document = read_one(saved(tmp_path, predicted), "label-studio")
    assert document.notes == ("predictions were read",)
    assert document.annotations[0].score == 0.9


def test_the_text_is_in_the_field_that_was_labelled(tmp_path: Path) -> None:
    named = task(region(to_name="body"), data={"body": TEXT, "title": "x"})
    assert marked(read_one(saved(tmp_path, named), "label-studio")) == [("PATIENT", "Ángel Müller")]
    unclear = task(region(), data={"body": TEXT, "title": "x"})
    refused(saved(tmp_path, unclear), "label-studio", "2 fields that could be", kind=UnreadableFile)


def test_a_corrupted_offset_is_named(tmp_path: Path) -> None:
    place = r"a\.json, document '5', annotation 2: "
    path = saved(tmp_path, task(region(), region(6, 17)))
    refused(path, "label-studio", place + "it does not match the text that the file stores")
    refused(saved(tmp_path, task(region(), region(9, 9))), "label-studio", place + "its end is not after")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"data": []}, "not an object"),
        ({"annotations": 5}, "not a list"),
        ({"annotations": [{"result": 5}]}, '"result" is not a list'),
        ({"annotations": [{"result": [5]}]}, "a region is not an object"),
        ({"annotations": [{"result": [region("a")]}]}, "paths in an HTML page"),
        ({"annotations": [{"result": [{"value": {"start": 0, "end": 2, "labels": []}}]}]}, "no label"),
        ({"id": None}, 'no usable "id"'),
    ],
)
def test_other_damage_is_refused(tmp_path: Path, more: dict[str, Any], says: str) -> None:
    refused(saved(tmp_path, task() | more), "label-studio", says, kind=UnreadableFile)

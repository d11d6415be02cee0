"""The Text Anonymization Benchmark: annotators, roles, entities and masks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reidrisk.errors import BadData, InvalidSetting, MisalignedOffsets, UnmatchedDocuments, UnreadableFile
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.formats.tab import TabReader
from reidrisk.text.read import read_documents

TEXT = "Né 😀 le 3 mai\r\n\tAnna Müller, Graz"


def mention(start: Any, end: Any, **more: Any) -> dict[str, Any]:
    surface = TEXT[start:end] if type(start) is type(end) is int else "Müller"
    known = {"entity_type": "PERSON", "identifier_type": "DIRECT", "entity_id": "e1", "span_text": surface}
    return {"start_offset": start, "end_offset": end, **known, **more}


def record(*mentions: Any, name: str = "d1", by: str = "annotator1") -> dict[str, Any]:
    return {"doc_id": name, "text": TEXT, "annotations": {by: {"entity_mentions": list(mentions)}}}


def save(folder: Path, content: Any) -> Path:
    path = folder / "tab.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def read(path: Path, annotator: str = "first") -> list[Document]:
    assert TabReader().recognizes(path, path.read_bytes())
    return list(read_documents(path, format="tab", settings=ReadSettings(annotator=annotator)))


def refused(path: Path, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says) as info:
        list(read_documents(path, format="tab", settings=ReadSettings()))
    message = str(info.value)
    assert "Hint:" in message
    assert "tab.json" in message
    assert "Müller" not in message


def test_mentions_with_emoji_and_windows_line_ends(tmp_path: Path) -> None:
    mentions = [
        mention(16, 27),
        mention(8, 13, entity_type="DATETIME", identifier_type="QUASI", entity_id="e2"),
        mention(29, 33, entity_type="LOC", identifier_type="NO_MASK", entity_id=None),
    ]
    path = save(tmp_path, [record(*mentions)])
    marks = (
        Annotation(16, 27, "PERSON", "direct", "e1"),
        Annotation(8, 13, "DATETIME", "quasi", "e2"),
        Annotation(29, 33, "LOC", "ignored"),
    )
    assert read(path) == [Document("d1", marks, TEXT, str(path))]
    assert read(save(tmp_path, record(*mentions))) == read(path)


def test_one_of_several_annotators_is_read_and_noted(tmp_path: Path) -> None:
    both = record(mention(16, 27))
    both["annotations"]["annotator2"] = {"entity_mentions": []}
    path = save(tmp_path, [both, record(name="d2")])
    first, _ = read(path)
    assert len(first.annotations) == 1
    assert first.notes == ("annotator 'annotator1' of 2 was read",)
    (second,) = read(path, "annotator2")
    assert second.annotations == ()
    assert second.notes[1] == "1 documents without annotator 'annotator2' were left out"
    with pytest.raises(InvalidSetting, match=r"Did you mean 'annotator\d'"):
        read(path, "anotator2")


def test_masks_are_documents_without_text(tmp_path: Path) -> None:
    path = save(tmp_path, {"d0": [], "d1": [[54, 62], [4, 9, "PERSON"], [1, 2, None]]})
    empty, full = read(path)
    assert (empty.id, empty.annotations, empty.text) == ("d0", (), None)
    assert full.annotations == tuple(Annotation(a, b, "MASK") for a, b in [(54, 62), (4, 9), (1, 2)])


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        (
            [record(mention(16, 27), mention(9, 13, span_text="Müller"))],
            MisalignedOffsets,
            "'d1', annotation 2",
        ),
        ([record(mention("16", 27))], UnreadableFile, "'d1', annotation 1"),
        ([record(mention(27, 16))], MisalignedOffsets, "'d1', annotation 1"),
        ([record(mention(16, 27, identifier_type="Müller"))], UnreadableFile, "'d1', annotation 1"),
        ([record(mention(16, 27, entity_type=None))], UnreadableFile, "'d1', annotation 1"),
        ([record("Müller")], UnreadableFile, "'d1', annotation 1: it is not an object"),
        ([record() | {"annotations": {}}], UnreadableFile, "'d1': the text or the annotator is missing"),
        ([record() | {"annotations": []}], UnreadableFile, "'d1': .*not an object"),
        ([record() | {"text": None}], UnreadableFile, "'d1': the text or"),
        ([record() | {"text": ["Müller"]}], UnreadableFile, "'d1': .*not text"),
        ([record() | {"annotations": {"a": []}}], UnreadableFile, "'d1': .*not an object"),
        ([record() | {"annotations": {"a": {}}}], UnreadableFile, "'d1': .*not a list"),
        ([record(by="Anna\nMüller")], UnreadableFile, "'d1': the name of an annotator"),
        ([record() | {"doc_id": None}], UnreadableFile, 'no usable "doc_id"'),
        (["Müller"], UnreadableFile, "not an object"),
        ("Müller", UnreadableFile, "not an object"),
        ({"d1": "Müller"}, UnreadableFile, "'d1': .*not a list"),
        ({"d1": [[1, 2], ["Müller", 3]]}, UnreadableFile, "'d1', annotation 2"),
        ({"d1": [[1, 2], [3]]}, UnreadableFile, "'d1', annotation 2"),
        ({"d1": [[1, 2], {"Müller": 1}]}, UnreadableFile, "'d1', annotation 2"),
        ({"d1": [[1, 2], [4, 4]]}, MisalignedOffsets, "'d1', annotation 2"),
        ({"": [[1, 2]]}, UnreadableFile, 'no usable "doc_id"'),
    ],
)
def test_refusals(tmp_path: Path, content: Any, kind: type[BadData], says: str) -> None:
    refused(save(tmp_path, content), kind, says)


def test_a_document_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnmatchedDocuments, match="'d1' twice"):
        list(read_documents(save(tmp_path, [record(), record()])))
    path = tmp_path / "tab.json"
    path.write_text('{"d1": [[1, 2]], "d1": [[3, 4]]}')
    refused(path, UnreadableFile, "same key twice")


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="must be loaded as a whole"):
        list(read_documents(save(tmp_path, [record()]), format="tab", settings=ReadSettings(max_bytes=50)))

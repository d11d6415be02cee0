"""Presidio: every shape of analyzer results and samples, and no anonymizer output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reidrisk.errors import BadData, MisalignedOffsets, UnmatchedDocuments, UnreadableFile
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.presidio import PresidioReader
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import read_documents

TEXT = "Né 😀 le 3 mai\r\n\tAnna Müller, Graz"
FOUND = [
    {"entity_type": "PERSON", "start": 16, "end": 27, "score": 0.85, "analysis_explanation": None},
    {"entity_type": "LOCATION", "start": 29, "end": 33, "score": 1},
]
MARKS = (Annotation(16, 27, "PERSON", score=0.85), Annotation(29, 33, "LOCATION", score=1.0))
SPAN = {"entity_type": "PERSON", "entity_value": "Anna Müller", "start_position": 16, "end_position": 27}
SAMPLE = {"full_text": TEXT, "masked": "x", "spans": [SPAN], "template_id": 1, "metadata": None}
ITEM = {"entity_type": "PERSON", "start": 0, "end": 8, "text": "Müller", "operator": "replace"}


def save(folder: Path, content: Any, name: str = "found.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def read(path: Path) -> list[Document]:
    assert PresidioReader().recognizes(path, path.read_bytes())
    return list(read_documents(path, format="presidio", settings=ReadSettings()))


def refused(path: Path, kind: type[BadData], says: str) -> None:
    with pytest.raises(kind, match=says) as info:
        list(read_documents(path, format="presidio", settings=ReadSettings()))
    message = str(info.value)
    assert "Hint:" in message
    assert path.name in message
    assert "Müller" not in message


def wrapped(**more: Any) -> dict[str, Any]:
    return {"doc_id": "d1", "text": TEXT, "results": FOUND, **more}


def test_wrapped_results_alone_in_a_list_and_in_lines(tmp_path: Path) -> None:
    path = save(tmp_path, wrapped())
    assert read(path) == [Document("d1", MARKS, TEXT, str(path))]
    assert [d.id for d in read(save(tmp_path, [wrapped(), wrapped(doc_id=2)]))] == ["d1", "2"]
    lines = tmp_path / "found.jsonl"
    lines.write_text(json.dumps(wrapped()) + "\n" + json.dumps(wrapped(doc_id="d2", text=None)) + "\n")
    assert [(d.id, d.text, d.annotations) for d in read(lines)] == [("d1", TEXT, MARKS), ("d2", None, MARKS)]


def test_results_by_document_and_bare(tmp_path: Path) -> None:
    mapping = read(save(tmp_path, {"d0": [], "d1": FOUND}))
    assert [(d.id, d.annotations) for d in mapping] == [("d0", ()), ("d1", MARKS)]
    (bare,) = read(save(tmp_path, FOUND, "note-7.json"))
    assert (bare.id, bare.text, bare.annotations) == ("note-7", None, MARKS)
    (nothing,) = read(save(tmp_path, [], "note-8.json"))
    assert (nothing.id, nothing.annotations) == ("note-8", ())


def test_samples_of_presidio_research(tmp_path: Path) -> None:
    samples = [SAMPLE | {"sample_id": 12}, SAMPLE | {"metadata": {"id": "m"}}, SAMPLE]
    documents = read(save(tmp_path, samples))
    assert [d.id for d in documents] == ["12", "m", "3"]
    assert {d.annotations for d in documents} == {(Annotation(16, 27, "PERSON"),)}
    assert [bool(d.notes) for d in documents] == [False, False, True]


@pytest.mark.parametrize(
    "content", [{"text": TEXT, "items": [ITEM]}, [ITEM], wrapped(results=[ITEM]), [{"items": []}]]
)
def test_the_output_of_the_anonymizer_is_refused(tmp_path: Path, content: Any) -> None:
    refused(save(tmp_path, content), UnreadableFile, r"output of the anonymizer(.|\n)*original text")


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        ([SAMPLE | {"spans": [SPAN, SPAN | {"start_position": 17}]}], MisalignedOffsets, "'1', annotation 2"),
        ([SAMPLE | {"spans": {}}], UnreadableFile, "'1': .*not a list"),
        ([SAMPLE | {"full_text": ["Müller"]}], UnreadableFile, "'1': .*not text"),
        (
            wrapped(results=[FOUND[0], FOUND[1] | {"end": 340}]),
            MisalignedOffsets,
            "'d1', annotation 2: it ends",
        ),
        (wrapped(results=[FOUND[0] | {"start": 13, "end": 15}]), MisalignedOffsets, "white space"),
        (wrapped(results=[FOUND[0] | {"score": "Müller"}]), UnreadableFile, "'d1', annotation 1"),
        (wrapped(results=[FOUND[0] | {"start": None}]), UnreadableFile, "'d1', annotation 1"),
        (wrapped(results="Müller"), UnreadableFile, "'d1': .*not a list"),
        (wrapped(doc_id=None), UnreadableFile, "no usable"),
        (wrapped(text=7), UnreadableFile, "not text"),
        ([wrapped(), "Müller"], UnreadableFile, "entry 2 is not an object"),
        ({"d1": "Müller"}, UnreadableFile, "'d1': .*not a list"),
        ("Müller", UnreadableFile, "not an object"),
    ],
)
def test_refusals(tmp_path: Path, content: Any, kind: type[BadData], says: str) -> None:
    refused(save(tmp_path, content), kind, says)


def test_a_document_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnmatchedDocuments, match="'d1' twice"):
        list(read_documents(save(tmp_path, [wrapped(), wrapped()])))


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="must be loaded as a whole"):
        list(
            read_documents(save(tmp_path, wrapped()), format="presidio", settings=ReadSettings(max_bytes=50))
        )

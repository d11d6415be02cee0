"""Released texts through the whole evaluation: the same counts as with offsets, and doubts in the result."""

from __future__ import annotations

from typing import Any

import pytest

import reidrisk as rr
from reidrisk.demo import clinical_notes, simulate_tool
from reidrisk.errors import BadData, MisalignedOffsets
from reidrisk.text.corpus import Corpus, Document, ReleasedText
from tests.text.alignment.markings import MARKINGS, redacted
from tests.text.builders import document

GOLD = document("By [NAMEd:Ann Lee] on [DATEq:3 May 2019], again in [CITYq:Graz], a town of some size.")
DOUBTFUL = document("To [DATEq:3 May] and to [DATEq:5 May] and to [NAMEd:Roe], who came from afar.")


def evaluate(gold: Any, released: list[Document], **options: Any) -> dict[str, Any]:
    return rr.evaluate_text(gold, released, settings=rr.text_settings("recommended", options)).to_dict()


def as_released(text: str, how: Any = "redacted", name: str = "doc") -> Document:
    return Document(name, (), source="out/doc.txt", released=ReleasedText(text, how))


def leaked(result: dict[str, Any]) -> dict[str, int]:
    return {row["type"]: row["leaked_instances"] for row in result["by_type"]}


@pytest.fixture(scope="module")
def notes() -> Corpus:
    return clinical_notes(seed=4, documents=24)


@pytest.mark.parametrize("marking", ["physionet", "blocks", "square"])
def test_the_counts_are_those_of_the_offsets(notes: Corpus, marking: str) -> None:
    tool = simulate_tool(notes, recall=0.9, seed=3)
    texts = [
        as_released(redacted(note.text or "", marks.annotations, MARKINGS[marking]), name=note.id)
        for note, marks in zip(notes, tool, strict=True)
    ]
    by_offsets, aligned = evaluate(notes, list(tool)), evaluate(notes, texts)
    assert aligned["alignment"]["documents"] == 24
    assert aligned["alignment"]["doubtful"] == 0
    assert aligned["by_type"] == by_offsets["by_type"]
    assert aligned["masking"] == by_offsets["masking"]
    assert aligned["direct"] == by_offsets["direct"]
    assert by_offsets["alignment"] == {}
    assert any("24 released texts aligned with" in note for note in aligned["notes"])


def test_a_leak_in_redacted_text() -> None:
    result = evaluate([GOLD], [as_released("By [NAME] on [DATE], again in Graz, a town of some size.")])
    assert leaked(result) == {"NAME": 0, "DATE": 0, "CITY": 1}


def test_doubtful_places_are_in_the_result_and_count_as_visible() -> None:
    released = as_released("To [DATE] and to [DATE], who came from afar.")
    result = evaluate([DOUBTFUL], [released])
    assert result["alignment"]["places"] == [{"document": "doc", "start": 8, "end": 29, "ways": 2}]
    assert (result["alignment"]["doubtful"], result["alignment"]["doubtful_documents"]) == (1, 1)
    assert any("1 ambiguous place in 1 document" in note for note in result["notes"])
    assert leaked(result) == {"NAME": 0, "DATE": 0}
    with pytest.raises(MisalignedOffsets, match=r"out/doc.txt, document 'doc': .* from 8 to 29 in 2 ways"):
        evaluate([DOUBTFUL], [released], ambiguous="error")


def test_a_word_in_doubt_leaks() -> None:
    gold = document("Then [NAMEd:Roe] met [NAMEd:Roe] and they left together on [DATEq:3 May] by train.")
    text = "Then Roe met [NAME] and they left together on [DATE] by train."
    surrogate = text.replace("[NAME]", "Eks").replace("[DATE]", "8 Jul")
    for how, released in (("redacted", text), ("surrogate", surrogate)):
        assert leaked(evaluate([gold], [as_released(released, how)])) == {"NAME": 1, "DATE": 0}


def test_surrogates_by_word_and_by_instance() -> None:
    text = "By Bo Lee on 9 Jul 2019, again in Graz, a town of some size."
    strict = evaluate([GOLD], [as_released(text, "surrogate")])
    assert leaked(strict) == {"NAME": 1, "DATE": 1, "CITY": 1}
    assert strict["alignment"]["kept_in_part"] == 2
    assert any("2 identifiers kept some words" in note for note in strict["notes"])
    by_instance = evaluate([GOLD], [as_released(text, "surrogate")], survivors="instance")
    assert leaked(by_instance) == {"NAME": 0, "DATE": 0, "CITY": 1}


def test_a_surrogate_that_happens_to_equal_the_original_is_a_leak() -> None:
    text = "By Ann Lee on 9 Jul 1985, again in Linz, a town of some size."
    for rule in ("word", "instance"):
        assert leaked(evaluate([GOLD], [as_released(text, "surrogate")], survivors=rule))["NAME"] == 1


def test_white_space_that_differs_is_noted() -> None:
    text = "By [NAME]\r\non [DATE], again  in [CITY], a town of some size."
    result = evaluate([GOLD], [as_released(text)])
    assert leaked(result) == {"NAME": 0, "DATE": 0, "CITY": 0}
    assert any("white space" in note for note in result["notes"])


def test_what_cannot_be_aligned_names_file_and_document() -> None:
    with pytest.raises(MisalignedOffsets, match=r"out/doc\.txt, document 'doc': the text after mark 1"):
        evaluate([GOLD], [as_released("By [NAME], elsewhere.")])
    with pytest.raises(BadData, match="has no text"):
        evaluate([Document("doc", GOLD.annotations)], [as_released("By [NAME].")])

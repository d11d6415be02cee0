"""Annotations that do not fit their text: refused, skipped or moved, and never counted for the tool."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import MisalignedOffsets
from reidrisk.text.convert import convert
from reidrisk.text.corpus import Annotation, Document, ReleasedText
from reidrisk.text.evaluate import gather_evidence
from reidrisk.text.evidence import Evidence, evidence_from_dict, evidence_to_dict
from reidrisk.text.formats.align import NEARBY, fit_offsets
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.leaks import LeakList
from reidrisk.text.pairing import credited_marks, uncredited
from reidrisk.text.read import read_documents

TEXT = "Anna Lee came to Graz on 3 May 2019. Later Dr. Cho called from Linz."
PLACES = {"NAME": "Anna Lee", "CITY": "Graz", "DATE": "3 May 2019", "DOCTOR": "Cho", "TOWN": "Linz"}
TYPES = rr.Counting.choose(types="NAME=direct,DOCTOR=direct,CITY=quasi,DATE=quasi,TOWN=quasi")


def mark(kind: str, by: int = 0) -> Annotation:
    start = TEXT.index(PLACES[kind]) + by
    return Annotation(start, start + len(PLACES[kind]), kind)


def note(*moved: tuple[str, int], text: bool = True, **more: Any) -> Document:
    """The text with all annotations, some of them shifted, and the stored texts of all."""
    shifts = dict(moved)
    marks = tuple(mark(kind, shifts.get(kind, 0)) for kind in PLACES)
    return Document("d", marks, TEXT if text else None, surfaces=tuple(PLACES.values()), **more)


def counted(gold: Document, tool: Document, how: Any, **more: Any) -> Evidence:
    chosen = rr.text_settings(options={"misaligned": how, **more})
    return gather_evidence([gold], [tool], settings=chosen, counting=TYPES)


def leaked(found: Evidence) -> int:
    return sum(kind.instances - kind.caught for kind in found.types)


EVERYTHING = Document("d", (Annotation(0, len(TEXT), "PHI"),), None)


@pytest.mark.parametrize("how", ["skip", "search"])
def test_a_skipped_annotation_of_the_gold_standard_is_a_leak_even_if_all_text_is_masked(how: str) -> None:
    gold = note(("NAME", 500))
    found = counted(gold, EVERYTHING, how)
    assert found.misaligned is not None
    assert (found.misaligned.gold_skipped, found.misaligned.gold_moved) == (1, 0)
    assert found.direct_leaks.tolist() == [1]
    assert leaked(found) == 1
    types = {kind.type: kind for kind in found.types}
    name = types["NAME"]
    assert (name.instances, name.caught, name.words, name.masked_words) == (1, 0, 2, 0)
    assert (name.documents, name.leaking_documents, name.excused) == (1, 1, 0)
    assert found.documents_with_direct_leak == 1


def test_skipped_quasi_identifiers_are_leaked_values() -> None:
    gold = note(("CITY", 7), ("TOWN", 300))
    found = counted(gold, EVERYTHING, "skip")
    assert found.values.tolist() == [3]
    assert found.leaked_values.tolist() == [2]
    unnamed = replace(gold, surfaces=tuple(None for _ in PLACES))
    # without stored texts only what is beyond the text is known not to fit; its value is one of its own
    assert counted(unnamed, EVERYTHING, "skip").leaked_values.tolist() == [1]


def test_a_moved_annotation_of_the_gold_standard_is_evaluated_where_its_text_is() -> None:
    gold = note(("CITY", 9))
    assert leaked(counted(gold, note(), "search")) == 0
    without = replace(note(), annotations=tuple(one for one in note().annotations if one.type != "CITY"))
    found = counted(gold, replace(without, surfaces=(), text=None), "search")
    assert {kind.type: kind.caught for kind in found.types if kind.type == "CITY"} == {"CITY": 0}
    assert found.misaligned is not None
    (place,) = found.misaligned.places
    start = TEXT.index("Graz")
    assert (place.side, place.document, place.type, place.start) == ("gold", "d", "CITY", start + 9)
    assert (place.found_start, place.found_end) == (start, start + 4)


@pytest.mark.parametrize("has_text", [True, False])
def test_a_skipped_annotation_of_the_tool_masks_nothing(*, has_text: bool) -> None:
    """At its stated place it would mask the town by chance."""
    by = TEXT.index("Linz") - TEXT.index("Graz")
    tool = note(("CITY", by), text=has_text)
    tool = replace(
        tool,
        annotations=tuple(one for one in tool.annotations if one.type != "TOWN"),
        surfaces=tool.surfaces[:-1],
    )
    found = counted(note(), tool, "skip")
    assert {kind.type for kind in found.types if kind.caught == 0} == {"CITY", "TOWN"}
    assert found.masked_words == found.masked_identifier_words + 1
    assert {label.type: (label.found, label.marked) for label in found.labels if label.marked} == {
        "CITY": (0, 1),
        "DATE": (1, 1),
        "DOCTOR": (1, 1),
        "NAME": (1, 1),
    }


def test_a_moved_annotation_of_the_tool_masks_only_what_both_places_cover() -> None:
    far, near = note(("NAME", 40), text=False), note(("NAME", 5), text=False)
    for tool, masked in ((far, 0), (near, 1)):
        found = counted(note(), tool, "search")
        assert found.misaligned is not None
        assert found.misaligned.tool_moved == 1
        assert {kind.type: kind.masked_words for kind in found.types if kind.type == "NAME"} == {
            "NAME": masked
        }
        assert leaked(found) == 1
    settled = fit_offsets(replace(near, text=TEXT), near.surfaces, "search")
    assert Annotation(5, 8, "NAME") in credited_marks(settled)
    assert uncredited(settled.misaligned) == ()
    assert len(uncredited(fit_offsets(replace(far, text=TEXT), far.surfaces, "search").misaligned)) == 1


@pytest.mark.parametrize(
    ("text", "stated", "surface", "found"),
    [
        ("Ann saw Bo.", (6, 8), "Bo", (8, 10)),
        ("Bo saw Bo.", (4, 6), "Bo", None),  # two places
        ("Ann saw Bosnia.", (6, 8), "Bo", None),  # part of a word
        ("Ann" + " " * (NEARBY + 1) + "Bo", (0, 2), "Bo", None),  # too far
        ("Ann" + " " * (NEARBY - 3) + "Bo", (0, 2), "Bo", (NEARBY, NEARBY + 2)),
        ("Ann saw Bo.", (100, 102), "Bo", (8, 10)),
        ("Ann saw Bo.", (300, 302), "Bo", None),
        ("a (+43) b", (0, 5), "(+43)", (2, 7)),
        ("Ann saw.", (0, 2), None, None),
    ],
)
def test_where_a_text_is_found(
    text: str, stated: tuple[int, int], surface: str | None, found: tuple[int, int] | None
) -> None:
    document = Document("d", (Annotation(*stated, "X"), Annotation(0, 1, "Y")), text)
    if surface is None:
        document = replace(document, annotations=(Annotation(40, 42, "X"), document.annotations[1]))
    result = fit_offsets(document, [surface, None], "search")
    (one,) = result.misaligned
    assert (one.found and (one.found.start, one.found.end)) == found
    assert [(mark.start, mark.end) for mark in result.annotations if mark.type == "X"] == [found] * bool(
        found
    )


def test_a_place_that_is_marked_already_is_not_found_again() -> None:
    marks = (Annotation(4, 6, "X"), Annotation(5, 7, "X"), Annotation(0, 3, "X"))
    result = fit_offsets(Document("d", marks, "Ann Bo Cy"), ["Bo", "Bo", "Ann"], "search")
    assert [one.found for one in result.misaligned] == [None]
    other = (Annotation(4, 6, "X"), Annotation(5, 7, "Y"), Annotation(0, 3, "X"))
    result = fit_offsets(Document("d", other, "Ann Bo Cy"), ["Bo", "Bo", "Ann"], "search")
    assert result.misaligned[0].found == Annotation(4, 6, "Y")


def test_the_unit_of_counting_is_the_one_with_the_fewest_misfits() -> None:
    text = "\ufeff" + TEXT
    shifted = tuple(mark(kind) for kind in PLACES)  # none counts the byte order mark
    broken = (*shifted[:-1], replace(shifted[-1], start=0, end=4))
    result = fit_offsets(Document("d", broken, text), list(PLACES.values()), "skip")
    assert [text[one.start : one.end] for one in result.annotations] == list(PLACES.values())[:-1]
    assert [one.stated.type for one in result.misaligned] == ["TOWN"]
    assert "byte order mark" in result.notes[0]


@given(
    st.dictionaries(st.sampled_from(sorted(PLACES)), st.integers(0, 90), max_size=4),
    st.dictionaries(st.sampled_from(sorted(PLACES)), st.integers(0, 90), max_size=4),
    st.lists(st.sampled_from(sorted(PLACES)), unique=True),
    st.sampled_from(["skip", "search"]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_misaligned_annotations_never_help_the_tool(
    gold: dict[str, int], tool: dict[str, int], missed: list[str], how: str, has_text: bool
) -> None:
    """Against the same tool and gold standard with right offsets, nothing more is caught."""

    def of_tool(shifts: dict[str, int]) -> Document:
        whole = note(*shifts.items(), text=has_text)
        kept = [at for at, kind in enumerate(PLACES) if kind not in missed]
        marks = tuple(whole.annotations[at] for at in kept)
        texts = tuple(whole.surfaces[at] for at in kept)
        return replace(whole, annotations=marks, surfaces=texts)

    right = counted(note(), of_tool({}), "refuse")
    found = counted(note(*gold.items()), of_tool(tool), how)
    assert leaked(found) >= leaked(right)
    assert found.documents_with_direct_leak >= right.documents_with_direct_leak
    assert (found.leaked_values >= right.leaked_values).all()
    assert sum(kind.instances for kind in found.types) == sum(kind.instances for kind in right.types)
    assert evidence_to_dict(evidence_from_dict(evidence_to_dict(found))) == evidence_to_dict(found)


def test_nothing_that_does_not_fit_is_read_by_default(tmp_path: Path) -> None:
    gold = note(("CITY", 2))
    path = tmp_path / "gold.jsonl"
    entities = [
        {"start": one.start, "end": one.end, "type": one.type, "text": text}
        for one, text in zip(gold.annotations, gold.surfaces, strict=True)
    ]
    path.write_text(json.dumps({"doc_id": "d", "text": TEXT, "entities": entities}))
    with pytest.raises(MisalignedOffsets, match=r"annotation 2.*does not match") as caught:
        list(read_documents(path))
    assert "--misaligned skip" in str(caught.value)
    assert "Graz" not in str(caught.value)
    (skipped,) = read_documents(path, settings=ReadSettings(misaligned="skip"))
    assert [one.type for one in skipped.annotations] == ["NAME", "DATE", "DOCTOR", "TOWN"]
    (moved,) = read_documents(path, settings=ReadSettings(misaligned="search"))
    assert sorted(moved.annotations, key=lambda one: one.type) == sorted(
        note().annotations, key=lambda one: one.type
    )


def test_results_list_type_and_offsets_and_never_the_text() -> None:
    leaks = LeakList(show_text=False)
    result = rr.evaluate_text(
        [note(("NAME", 500), ("CITY", 8))],
        [note(("DOCTOR", 4), text=False)],
        counting=TYPES,
        settings=rr.text_settings(options={"misaligned": "search"}),
        leaks=leaks,
    )
    found = result.to_dict()
    assert found["settings"]["misaligned"] == "search"
    listed = found["misaligned"]
    assert [listed[name] for name in ("gold_skipped", "gold_moved", "tool_skipped", "tool_moved")] == [
        1,
        1,
        0,
        1,
    ]
    assert [(one["side"], one["type"]) for one in listed["places"]] == [
        ("gold", "NAME"),
        ("gold", "CITY"),
        ("tool", "DOCTOR"),
    ]
    shown = str(result)
    assert "ANNOTATIONS THAT DO NOT FIT THEIR TEXT" in shown
    assert "moved to 17-21" in shown
    assert not any(text in shown + json.dumps(found) + repr(result) for text in ("Anna", "Graz", "Cho"))
    assert {(one.type, one.masked_words) for one in leaks.leaks} == {("NAME", 0), ("DOCTOR", 0)}


def test_a_tool_without_texts_may_mark_beyond_the_end() -> None:
    tool = Document("d", (Annotation(0, 8, "NAME"), Annotation(400, 404, "CITY")))
    with pytest.raises(MisalignedOffsets, match="ends at 404"):
        counted(note(), tool, "refuse")
    found = counted(note(), tool, "skip")
    assert found.misaligned is not None
    assert found.misaligned.tool_skipped == 1


def test_conversion_agreement_and_attack_say_what_was_skipped(tmp_path: Path) -> None:
    gold = note(("CITY", 5), ("TOWN", 300))
    path = tmp_path / "gold"
    path.mkdir()
    lines = [
        f"T{at}\t{one.type} {one.start} {one.end}\t{text}\n"
        for at, (one, text) in enumerate(zip(gold.annotations, gold.surfaces, strict=True), 1)
    ]
    (path / "d.ann").write_text("".join(lines))
    (path / "d.txt").write_text(TEXT)
    done = convert(path, "jsonl", tmp_path / "a.jsonl", settings=ReadSettings(misaligned="search"))
    assert done.annotations == 4
    assert "document 'd', CITY at 22-26: moved to 17-21" in str(done)
    assert "TOWN at 363-367: skipped" in str(done)
    assert "count as leaks" in str(done)
    agreed = rr.agree_annotators([path, [replace(note(), surfaces=())]], misaligned="skip").to_dict()
    assert "2 skipped, 0 moved" in " ".join(agreed["warnings"])
    released = [Document("d", (), released=ReleasedText(TEXT.replace("Anna Lee", "[NAME]"), "redacted"))]
    attacked = rr.attack_text(released, path, counting=TYPES, misaligned="skip").to_dict()
    assert "2 skipped" in " ".join(attacked["warnings"])

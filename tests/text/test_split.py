"""Texts about several patients are counted as one document per patient."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.core.user_pattern import UserPattern
from reidrisk.errors import BadData, InvalidSetting, MisalignedOffsets
from reidrisk.text.corpus import Annotation, Document, MisalignedMark
from reidrisk.text.evaluate import gather_evidence
from reidrisk.text.evidence import Evidence
from reidrisk.text.leaks import LeakList
from reidrisk.text.split import PatientSplit
from tests.cli.running import Run
from tests.text.builders import document, found

LIST = (
    "Ward B2\n"
    "Patient: [NAMEd:Anna Lee], [CITYq:Graz], [DATEq:2019-05-03]\n"
    "Patient: [NAMEd:Bo Cho], [CITYq:Linz], [DATEq:2019-05-04]\n"
    "Patient: [NAMEd:Cy Day], [CITYq:Wels], [DATEq:2019-05-05]\n"
)
GOLD = document(LIST, "ward-1")
TOOL = found(GOLD, "Anna Lee", "Graz", "2019-05-03", "Bo Cho", "Linz", "Wels")


def counted(gold: list[Document], tool: list[Document], pattern: str | None = "^Patient: ") -> Evidence:
    counting = rr.Counting.choose(split_patients=pattern)
    return gather_evidence(gold, tool, settings=rr.TextSettings(), counting=counting)


def test_each_patient_is_a_document() -> None:
    whole, parts = counted([GOLD], [TOOL], None), counted([GOLD], [TOOL])
    assert (whole.documents, parts.documents) == (1, 3)
    assert parts.direct_leaks.tolist() == [0, 0, 1]
    assert parts.leaked_values.tolist() == [0, 1, 1]
    assert parts.values.tolist() == [2, 2, 2]
    assert whole.leaked_values.tolist() == [2], "two values leak, but not of one patient"
    assert (parts.masked_words, parts.precision) == (whole.masked_words, whole.precision)
    assert any("1 of 1. They were split, and 3 documents" in note for note in parts.notes)


def test_parts_have_numbers_and_keep_the_offsets_of_the_text() -> None:
    leaks = LeakList()
    counting = rr.Counting.choose(split_patients="^Patient: ")
    rr.evaluate_text([GOLD], [TOOL], counting=counting, leaks=leaks)
    text = GOLD.text or ""
    assert [(one.document, text[one.start : one.end]) for one in leaks.leaks] == [
        ("ward-1#2", "2019-05-04"),
        ("ward-1#3", "Cy Day"),
        ("ward-1#3", "2019-05-05"),
    ]


def test_what_precedes_the_first_match_belongs_to_the_first_patient() -> None:
    gold = document("Seen by [DOCTORd:Dee Fox]\nPatient: [NAMEd:Bo]\nPatient: [NAMEd:Cy]\n")
    evidence = counted([gold], [found(gold, "Bo")])
    assert evidence.direct_leaks.tolist() == [1, 1]


def test_an_identifier_across_a_cut_is_an_error_and_a_mask_is_not() -> None:
    gold = document("Patient: [NAMEd:Bo Patient: Cy] now")
    with pytest.raises(MisalignedOffsets, match="annotation 1: the start of a patient's part") as caught:
        counted([gold], [Document("doc", ())], "Patient: ")
    assert "Bo" not in str(caught.value)
    everything = Document("ward-1", (Annotation(0, len(GOLD.text or ""), "PHI"),))
    assert counted([GOLD], [everything]).documents_with_direct_leak == 0
    pieces = Annotation(0, 60, "PHI", fragments=((0, 20), (25, 60)))
    parts = list(PatientSplit(UserPattern("^Patient: ", multiline=True)).parts(GOLD, (pieces,)))
    assert [one[1][0].pieces if one[1] else () for one in parts][2] == ()


def test_texts_without_a_match_stay_whole_and_a_pattern_that_never_matches_is_refused() -> None:
    other = document("[NAMEd:Ed] alone", "other")
    evidence = counted([GOLD, other], [TOOL, found(other, "Ed")])
    assert evidence.documents == 4
    with pytest.raises(BadData, match="occurs in no text"):
        counted([GOLD], [TOOL], "^Person: ")
    for wrong in ("(", ""):
        with pytest.raises(InvalidSetting, match="split_patients pattern"):
            rr.Counting.choose(split_patients=wrong)


def test_a_skipped_annotation_leaks_in_the_part_of_its_stated_place() -> None:
    text = GOLD.text or ""
    lost = MisalignedMark(Annotation(text.index("Bo"), text.index("Bo") + 2, "NAME", "direct"), None)
    gold = Document("ward-1", GOLD.annotations, text, misaligned=(lost,))
    everything = Document("ward-1", (Annotation(0, len(text), "PHI"),))
    assert counted([gold], [everything]).direct_leaks.tolist() == [0, 1, 0]


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=3), min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_splitting_gives_the_counts_of_separate_documents(leaks: list[list[bool]]) -> None:
    """A second way: each patient in a file of their own."""
    marked = [
        "".join(f"[CITYq:Town{at}] " if at else f"[NAMEd:Name{at}] " for at in range(len(one)))
        for one in leaks
    ]
    together = document("".join(f"Patient: {one}\n" for one in marked), "all")
    alone = [document(f"Patient: {one}\n", str(at)) for at, one in enumerate(marked)]
    caught = iter([hit for one in leaks for hit in one])
    marks = tuple(one for one in together.annotations if next(caught))
    tools = [
        Document(one.id, tuple(mark for mark, hit in zip(one.annotations, hits, strict=True) if hit))
        for one, hits in zip(alone, leaks, strict=True)
    ]
    split, separate = counted([together], [Document("all", marks)]), counted(alone, tools, None)
    assert split.types == separate.types
    for name in ("direct_leaks", "values", "leaked_values", "instances", "caught"):
        assert getattr(split, name).tolist() == getattr(separate, name).tolist()


def test_the_command_and_the_result(command: Run, tmp_path: Path) -> None:
    from reidrisk.text.formats.jsonl import write_jsonl

    write_jsonl([GOLD], tmp_path / "gold.jsonl")
    write_jsonl([TOOL], tmp_path / "tool.jsonl")
    files = (tmp_path / "gold.jsonl", tmp_path / "tool.jsonl")
    _, out, _ = command("text", "evaluate", *files, "--split-patients", "^Patient: ", "--json", "-")
    result = json.loads(out)
    assert result["documents"] == 3
    assert result["settings"]["split_patients"] == "^Patient: "
    code, _, err = command("text", "evaluate", *files, "--split-patients", "(")
    assert (code, "not a regular expression" in err) == (2, True)


def test_a_release_file_splits_and_reads_misaligned_annotations(tmp_path: Path) -> None:
    from reidrisk.text.formats.jsonl import write_jsonl

    lost = Annotation(10_000, 10_004, "NAME", "direct")
    write_jsonl([TOOL], tmp_path / "tool.jsonl")
    entities = [
        {"start": mark.start, "end": mark.end, "type": mark.type, "id_type": str(mark.role).upper()}
        for mark in (*GOLD.annotations, lost)
    ]
    record = {"doc_id": "ward-1", "text": GOLD.text, "entities": entities}
    (tmp_path / "gold.jsonl").write_text(json.dumps(record), encoding="utf-8")
    (tmp_path / "release.yaml").write_text(
        "reidrisk: 1\nrelease: {name: Ward}\ncontext: {preset: hospital, access: public}\nparts:\n"
        "  - name: notes\n    kind: text\n    gold: gold.jsonl\n    tool: tool.jsonl\n"
        "    split_patients: '^Patient: '\n    settings: {misaligned: skip}\n"
    )
    (whole,) = rr.assess(tmp_path / "release.yaml").to_dict()["parts"]
    part = whole["result"]
    assert part["documents"] == 3
    assert part["settings"]["split_patients"] == "^Patient: "
    assert part["misaligned"]["gold_skipped"] == 1
    assert part["observed"]["documents_with_direct_leak"] == 1

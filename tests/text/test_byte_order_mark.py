"""A byte order mark changes nothing: gold standard, tool output and findings are compared in one counting."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.errors import MisalignedOffsets
from reidrisk.resynthesis.corpus.note import Note
from reidrisk.resynthesis.findings_file import Marks
from reidrisk.text.convert import WRITERS, convert
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import gather_evidence
from reidrisk.text.evidence import Evidence, evidence_to_dict
from reidrisk.text.formats.writer import AnnotationWriter
from reidrisk.text.pairing import TextKey, in_text, same_text, shift_annotations
from reidrisk.text.read import read_documents

BOM = "\ufeff"
TEXT = "Anna Lee came to Graz on 3 May 2019. Anna left."
MARKS = ((0, 8, "NAME"), (17, 21, "CITY"), (25, 35, "DATE"), (37, 41, "NAME"))
TYPES = rr.Counting.choose(types="NAME=direct,CITY=quasi,DATE=quasi")
BY_NAME = pytest.mark.parametrize("writer", WRITERS, ids=[writer.name for writer in WRITERS])
BOTH = pytest.mark.parametrize("gold_has_mark", [True, False])


def note(*, has_mark: bool, name: str = "7-1") -> Document:
    marks = tuple(Annotation(start + has_mark, end + has_mark, kind) for start, end, kind in MARKS)
    return Document(name, marks, BOM * has_mark + TEXT)


def written(folder: Path, writer: AnnotationWriter, document: Document) -> Path:
    out = folder / f"{writer.name}{writer.suffix}"
    convert([document], writer.name, out)
    return out


def leaks(gold: Any, tool: Any) -> tuple[int, float, int]:
    """Leaked instances, precision, and the number of true positives by label."""
    found = counted(gold, tool)
    leaked = sum(kind.instances - kind.caught for kind in found.types)
    return leaked, found.precision, sum(label.found for label in found.labels)


def counted(gold: Any, tool: Any, counting: rr.Counting = TYPES) -> Evidence:
    return gather_evidence(gold, tool, settings=rr.TextSettings(), counting=counting)


def source(path: Path, writer: AnnotationWriter) -> rr.TextFiles:
    return rr.TextFiles(path, writer.reads_as)


@BOTH
@BY_NAME
def test_a_tool_of_any_format_without_the_mark_or_with_it(
    tmp_path: Path, writer: AnnotationWriter, *, gold_has_mark: bool
) -> None:
    name = "7-1" if writer.capabilities.ids else "1"
    tool = written(tmp_path, writer, note(has_mark=not gold_has_mark))
    assert leaks([note(has_mark=gold_has_mark, name=name)], source(tool, writer)) == (0, 1.0, 4)


@BOTH
@BY_NAME
def test_a_gold_standard_of_any_format_without_the_mark_or_with_it(
    tmp_path: Path, writer: AnnotationWriter, *, gold_has_mark: bool
) -> None:
    name = "7-1" if writer.capabilities.ids else "1"
    gold = written(tmp_path, writer, note(has_mark=gold_has_mark))
    assert leaks(source(gold, writer), [note(has_mark=not gold_has_mark, name=name)]) == (0, 1.0, 4)


def brat(folder: Path, *, text: str | None, counted: bool) -> Path:
    folder.mkdir()
    lines = [
        f"T{number}\t{kind} {start + counted} {end + counted}\t{TEXT[start:end]}\n"
        for number, (start, end, kind) in enumerate(MARKS, 1)
    ]
    (folder / "1.ann").write_text("".join(lines), encoding="utf-8")
    if text is not None:
        (folder / "1.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("tool_counts", [True, False])
@pytest.mark.parametrize("gold_counts", [True, False])
@pytest.mark.parametrize("has_mark", [True, False])
def test_stored_texts_say_whether_the_mark_was_counted(
    tmp_path: Path, *, has_mark: bool, gold_counts: bool, tool_counts: bool
) -> None:
    gold = brat(tmp_path / "gold", text=BOM * has_mark + TEXT, counted=gold_counts)
    tool = brat(tmp_path / "tool", text=None, counted=tool_counts)
    assert leaks(gold, tool) == (0, 1.0, 4)
    (document,) = read_documents(gold)
    assert bool(document.notes) == (has_mark != gold_counts)
    notes = counted(gold, tool).notes
    assert any("tool: " in one for one in notes) == (has_mark != tool_counts)


def test_offsets_without_any_text_are_counted_as_in_the_gold_standard() -> None:
    gold = note(has_mark=True)
    tool = replace(gold, text=None)
    assert leaks([gold], [tool]) == (0, 1.0, 4)
    notes = counted([gold], [tool]).notes
    assert any("byte order mark" in one and "(1 document)" in one for one in notes)
    uncounted = replace(note(has_mark=False), text=None)
    assert leaks([gold], [uncounted])[0] > 0
    assert not any("probably" in one for one in notes)
    assert any("probably did not count" in one for one in counted([gold], [uncounted]).notes)


def test_other_differences_of_texts_are_refused() -> None:
    with pytest.raises(MisalignedOffsets, match="different texts"):
        leaks([note(has_mark=True)], [replace(note(has_mark=True), text=BOM + BOM + TEXT)])


@pytest.mark.parametrize("file_has_mark", [True, False])
@pytest.mark.parametrize("mode", ["redact", "surrogate"])
def test_findings_count_the_mark_as_the_gold_standard_does(
    tmp_path: Path, mode: Any, *, file_has_mark: bool
) -> None:
    text = "Call Anna at 555-201-4477 or ann@example.org. Seen 3 May 2019."
    folder, gold = tmp_path / "texts", tmp_path / "gold"
    for place in (folder, gold):
        place.mkdir()
        (place / "1.txt").write_text(BOM * file_has_mark + text, encoding="utf-8")
    starts = [text.index(word) + file_has_mark for word in ("555", "ann@")]
    ends = [text.index(word) + file_has_mark for word in (" or", ". Seen")]
    (gold / "1.ann").write_text(
        f"T1\tPHONE {starts[0]} {ends[0]}\t555-201-4477\nT2\tEMAIL {starts[1]} {ends[1]}\tann@example.org\n"
    )
    findings = tmp_path / "findings.jsonl"
    options = rr.RunOptions(findings=findings)
    detect = rr.DetectSettings(model=None)
    rr.deidentify_text(
        folder, tmp_path / "out", settings=rr.ResynthesisSettings(mode=mode), detect=detect, options=options
    )
    spans = json.loads(findings.read_text())["spans"]
    assert {(one["start"], one["end"]) for one in spans} >= set(zip(starts, ends, strict=True))
    types = rr.Counting.choose(types="PHONE=direct,EMAIL=direct")
    assert counted(gold, findings, types).documents_with_direct_leak == 0
    new = (tmp_path / "out" / "1.txt").read_text(encoding="utf-8")
    assert new.startswith(BOM) == file_has_mark
    assert all(new[one["new_start"] : one["new_end"]].strip() for one in spans)


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("counted", [True, False])
def test_marks_of_a_reviewer_are_brought_to_the_text(tmp_path: Path, *, before: int, counted: bool) -> None:
    folder = brat(tmp_path / "marks", text=BOM * counted + TEXT, counted=counted)
    found = Marks(folder).of(Note("1", "", TEXT, before=before))
    assert [(one.start, one.end, one.type) for one in found] == list(MARKS)
    with pytest.raises(MisalignedOffsets, match="another text"):
        Marks(folder).of(Note("1", "", TEXT + ".", before=before))


def test_annotators_with_and_without_the_mark_agree() -> None:
    result = rr.agree_annotators([[note(has_mark=True)], [note(has_mark=False)]])
    assert result.to_dict()["conflicts"] == {}


def test_an_annotation_of_the_mark_alone_is_dropped_with_it() -> None:
    marks = (Annotation(0, 1, "X"), Annotation(0, 5, "X"), Annotation(0, 9, "X", fragments=((0, 1), (5, 9))))
    assert [one.pieces for one in shift_annotations(marks, -1)] == [((0, 4),), ((4, 8),)]
    document = Document("d", marks, BOM + TEXT)
    assert in_text(document, TextKey.of(BOM + TEXT), BOM + TEXT, "refuse") is document
    assert same_text(BOM + TEXT, TEXT)
    assert not same_text(BOM + TEXT, TEXT + " ")


def test_spanish_cases_with_a_mark(shared: Path, tmp_path: Path) -> None:
    """MEDDOCAN: 15 of 60 texts begin with a mark, which their annotations count."""
    folder = shared / "corpora" / "meddocan_brat_sample"
    gold = list(read_documents(folder))
    assert sum((one.text or "").startswith(BOM) for one in gold) == 15
    plain = []
    for one in gold:
        has_mark = (one.text or "").startswith(BOM)
        marks = shift_annotations(one.annotations, -1 if has_mark else 0)
        plain.append(replace(one, text=(one.text or "").removeprefix(BOM), annotations=marks))
    counting = rr.Counting.choose(types=_meddocan_types(gold))
    whole = evidence_to_dict(counted(gold, gold, counting))
    assert whole["masked_words"] == whole["masked_identifier_words"] == 2870
    surfaces = [
        replace(one, text=None, surfaces=tuple((one.text or "")[a.start : a.end] for a in one.annotations))
        for one in plain
    ]
    for tool in (plain, surfaces, shared / "corpora" / "meddocan_xml_sample"):
        found = evidence_to_dict(counted(folder, tool, counting))
        assert found | {"notes": whole["notes"]} == whole
    out = tmp_path / "plain.jsonl"
    convert(plain, "jsonl", out)
    found = evidence_to_dict(counted(out, folder, counting))
    assert found | {"notes": whole["notes"]} == whole


def _meddocan_types(documents: list[Document]) -> str:
    return ",".join(sorted({f"{mark.type}=quasi" for one in documents for mark in one.annotations}))

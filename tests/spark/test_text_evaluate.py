"""Evaluation on Spark: the numbers of one machine, and the same refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.shown_ids import showing_ids
from reidrisk.demo.notes import clinical_notes
from reidrisk.errors import InvalidSetting, MisalignedOffsets, UnknownColumn, UnmatchedDocuments
from reidrisk.text.evaluate import TextFiles, evaluate_text
from reidrisk.text.formats.jsonl import record_of, write_jsonl
from reidrisk.text.leaks import LeakList
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting
from tests.cli.running import Run
from tests.spark.conftest import needs_spark

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

PATIENT = "-0*([0-9])"
FIGURES = ("direct", "quasi", "gates", "by_type", "observed", "precision")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reidrisk.text.spark.gather.ROWS", 6)


def tool_spans(record: dict[str, Any]) -> list[dict[str, Any]]:
    """A tool that misses every fourth identifier, and calls all others NAME."""
    marks = [mark for at, mark in enumerate(record["entities"]) if at % 4]
    return [{"start": one["start"], "end": one["end"], "label": "NAME"} for one in marks]


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both sides as JSON lines and as Parquet: annotations nested there, as JSON text here."""
    needs_spark()
    root = tmp_path_factory.mktemp("sides")
    notes = clinical_notes(documents=20)
    records = [record_of(note) for note in notes]
    write_jsonl(notes, root / "gold.jsonl")
    spans = [{"doc_id": one["doc_id"], "spans": tool_spans(one)} for one in records]
    (root / "tool.jsonl").write_text("".join(json.dumps(one) + "\n" for one in spans), encoding="utf-8")
    gold = pa.Table.from_pylist([one | {"ward": "AB"[at % 2]} for at, one in enumerate(records)])
    (root / "gold").mkdir()
    pq.write_table(gold.slice(0, 13), root / "gold" / "a.parquet", row_group_size=4)
    pq.write_table(gold.slice(13, 0), root / "gold" / "b.parquet")
    pq.write_table(gold.slice(13), root / "gold" / "c.parquet")
    packed = [one | {"spans": json.dumps(one["spans"])} for one in reversed(spans)]
    pq.write_table(pa.Table.from_pylist(packed), root / "tool.parquet")
    return {name: root / name for name in ("gold.jsonl", "tool.jsonl", "gold", "tool.parquet")}


def numbers(result: Any) -> dict[str, Any]:
    """Everything but the names of the inputs, and the file of likely clusters."""
    shown: dict[str, Any] = result.to_dict()
    return {name: value for name, value in shown.items() if name not in ("inputs", "settings")}


def test_the_numbers_are_those_of_one_machine(spark: Any, sides: dict[str, Path]) -> None:
    counting = Counting.choose(patient=PATIENT, cluster="^([a-z]+)-")
    listed = [LeakList(), LeakList()]
    one = evaluate_text(sides["gold.jsonl"], sides["tool.jsonl"], counting=counting, leaks=listed[0])
    other = evaluate_text(
        sides["gold"], sides["tool.parquet"], counting=counting, leaks=listed[1], engine=spark
    )
    assert numbers(other) == numbers(one)
    assert listed[1].leaks == listed[0].leaks
    assert listed[0].leaks


def test_the_command_counts_at_a_master(
    command: Run, spark: Any, spark_master: str, sides: dict[str, Path]
) -> None:
    inputs = (str(sides["gold"]), str(sides["tool.parquet"]))
    code, printed, error = command(
        "text", "evaluate", *inputs, "--master", spark_master, "--by", "field:ward", "--json", "-"
    )
    assert code in (0, 3), error
    found = json.loads(printed)
    assert found["documents"] == 20
    here = evaluate_text(sides["gold.jsonl"], sides["tool.jsonl"]).to_dict()
    assert {name: found[name] for name in FIGURES} == {name: here[name] for name in FIGURES}
    assert [group["group"] for group in found["document_groups"]] == ["A", "B"]


def test_released_texts_are_aligned_by_the_workers(
    spark: Any, sides: dict[str, Path], tmp_path: Path
) -> None:
    records = [json.loads(line) for line in sides["gold.jsonl"].read_text(encoding="utf-8").splitlines()][:7]
    texts = []
    for record in records:
        text = record["text"]
        for one in reversed(tool_spans(record)):
            text = f"{text[: one['start']]}[**NAME**]{text[one['end'] :]}"
        texts.append({"doc_id": record["doc_id"], "text": text})
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "gold.parquet")
    pq.write_table(pa.Table.from_pylist(texts), tmp_path / "redacted.parquet")
    for name, rows in (("gold", records), ("redacted", texts)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    one = evaluate_text(tmp_path / "gold.jsonl", TextFiles(tmp_path / "redacted.jsonl", "redacted"))
    tool = TextFiles(tmp_path / "redacted.parquet", "redacted")
    assert numbers(evaluate_text(tmp_path / "gold.parquet", tool, engine=spark)) == numbers(one)


def test_documents_of_one_side_only_are_an_error_unless_allowed(
    spark: Any, sides: dict[str, Path], tmp_path: Path
) -> None:
    table = pq.read_table(sides["tool.parquet"])
    pq.write_table(table.slice(2), tmp_path / "fewer.parquet")
    with pytest.raises(UnmatchedDocuments, match="lacks document"):
        evaluate_text(sides["gold"], tmp_path / "fewer.parquet", engine=spark)
    allowed = TextSettings(unmatched="allow")
    found = evaluate_text(sides["gold"], tmp_path / "fewer.parquet", settings=allowed, engine=spark)
    assert found.evidence.unmatched == {"only_gold": 2, "only_tool": 0}
    pq.write_table(pa.concat_tables([table, table.slice(0, 1)]), tmp_path / "twice.parquet")
    with pytest.raises(UnmatchedDocuments, match="twice"):
        evaluate_text(sides["gold"], tmp_path / "twice.parquet", engine=spark)


def test_an_error_in_a_document_names_its_number_and_shows_no_text(
    spark: Any, sides: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents count over all parts; the id is shown only to those who ask, also by a worker."""
    monkeypatch.setattr("reidrisk.text.spark.gather.ROWS", 2)
    gold = pq.read_table(sides["gold"] / "a.parquet").slice(0, 4)
    ids = gold.column("doc_id").to_pylist()
    spans = [[], [], [], [{"start": 5, "end": 10**6, "label": "NAME"}]]
    marks = [{"doc_id": name, "spans": own} for name, own in zip(ids, spans, strict=True)]
    pq.write_table(gold, tmp_path / "gold.parquet")
    pq.write_table(pa.Table.from_pylist(marks), tmp_path / "bad.parquet")

    def message() -> str:
        with pytest.raises(MisalignedOffsets) as caught:
            evaluate_text(tmp_path / "gold.parquet", tmp_path / "bad.parquet", engine=spark)
        return str(caught.value)

    hidden = message()
    assert "annotation 1 of document 4 ends at" in hidden
    assert not any(name in hidden for name in ids)
    with showing_ids():
        shown = message()
    assert f"annotation 1 of document {ids[3]!r} ends at" in shown
    for said in (hidden, shown):
        assert gold.column("text")[3].as_py()[:20] not in said


def test_what_cannot_be_counted_is_refused_before_spark_starts(sides: dict[str, Path]) -> None:
    with pytest.raises(UnknownColumn, match="'spans'"):
        evaluate_text(sides["gold"], _without_marks(sides), engine="no master")
    with pytest.raises(InvalidSetting, match="Documents in memory"):
        evaluate_text(clinical_notes(documents=4), sides["tool.parquet"], engine="no master")
    with pytest.raises(InvalidSetting, match="not the format 'brat'"):
        evaluate_text(sides["gold"], TextFiles(sides["tool.parquet"], "brat"), engine="no master")


def _without_marks(sides: dict[str, Path]) -> Path:
    path = sides["gold"].parent / "ids.parquet"
    pq.write_table(pq.read_table(sides["tool.parquet"]).select(["doc_id"]), path)
    return path

"""Texts de-identified on Spark: the same as on one machine, whole, and resumed part by part."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.file_set import together
from reidrisk.errors import (
    BadData,
    FailedCheck,
    InvalidSetting,
    ReidRiskError,
    SparkFailure,
    UnknownColumn,
    UnreadableFile,
)
from reidrisk.resynthesis.corpus.note import SourceOptions
from reidrisk.resynthesis.run import RunOptions, deidentify_text
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.work_file import lock_work
from tests.cli.running import Run
from tests.spark.conftest import needs_spark

pytest.importorskip("pyspark")
pq = pytest.importorskip("pyarrow.parquet")

from tests.spark.notes import by_id, many_notes, read_folder, write_folder  # noqa: E402

KEY = b"a key of thirty-two bytes, for us"
SOURCE = SourceOptions(columns=("text", "Text"), person="patient.id")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reidrisk.resynthesis.spark.run.ROWS", 7)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(many_notes(), tmp_path_factory.mktemp("notes [1] ü"))


def run(source: Path, out: Path, engine: Any = None, /, *, mode: Any = "surrogate", **given: Any) -> Any:
    options = RunOptions(source=given.pop("source", SOURCE), **given)
    settings = ResynthesisSettings(mode=mode)
    return deidentify_text(source, out, settings=settings, key=KEY, options=options, engine=engine)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, Any]]:
    """The same notes de-identified on this machine."""
    folder = tmp_path_factory.mktemp("embedded")
    pq.write_table(many_notes(), folder / "all.parquet")
    result = run(folder / "all.parquet", folder / "out.parquet")
    return pq.read_table(folder / "out.parquet"), result.to_dict()


COUNTS = ("documents", "documents_without_findings", "characters", "replaced", "by_type", "by_source")


def test_the_command_gives_the_texts_of_one_machine(
    command: Run, spark: Any, spark_master: str, notes: Path, tmp_path: Path, expected: tuple[Any, Any]
) -> None:
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "key").chmod(0o600)
    out, found = tmp_path / "out", tmp_path / "found.jsonl"
    given = ("--column", "text", "--column", "Text", "--person", "patient.id", "--key", str(tmp_path / "key"))
    code, printed, error = command(
        "text", "deidentify", str(notes), "--master", spark_master, *given, "--out", str(out),
        "--findings", str(found), "--json", "-",
    )  # fmt: skip
    assert code == 0, error
    released, result = read_folder(out), json.loads(printed)
    assert by_id(released) == by_id(expected[0])
    assert released.schema == many_notes().schema
    assert {name: result[name] for name in COUNTS} == {name: expected[1][name] for name in COUNTS}
    assert result["resumed"] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["found.jsonl", "key", "out"]
    written = {path.relative_to(out).as_posix() for path in out.rglob("*.parquet")}
    assert {"part-00001-000000.parquet", "year=2020/part-00002-000001.parquet"} <= written
    assert pq.read_metadata(out / "year=2021" / "part-00003-000000.parquet").num_rows == 0
    lines = [json.loads(line) for line in found.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 2 * many_notes().num_rows
    assert sum(len(line["spans"]) for line in lines) == result["replaced"]
    assert lines[0]["doc_id"] == "row 1"


def test_labels_need_one_job_and_give_the_same_texts(spark: Any, notes: Path, tmp_path: Path) -> None:
    pq.write_table(many_notes(), tmp_path / "all.parquet")
    run(tmp_path / "all.parquet", tmp_path / "one.parquet", mode="label")
    run(notes, tmp_path / "out", spark, mode="label")
    assert by_id(read_folder(tmp_path / "out")) == by_id(pq.read_table(tmp_path / "one.parquet"))


class Stopped(Exception):
    """The driver ends here."""


def stop_after(monkeypatch: pytest.MonkeyPatch, stage: str, keep: int) -> None:
    """Let a stage finish only some of its parts, then end as if the driver were killed."""
    module: Any = import_module("reidrisk.resynthesis.spark.run")
    real = module.part_frame

    def frame(session: Any, source: Any, wanted: Any, columns: Any) -> Any:
        whole = len(columns) == len(source.schema.names)
        if whole != (stage == "texts"):
            return real(session, source, wanted, columns)

        class Partly:
            def mapInArrow(self, job: Any, schema: str) -> Any:
                real(session, source, wanted[:keep], columns).mapInArrow(job, schema).collect()
                raise Stopped

        return Partly()

    monkeypatch.setattr(module, "part_frame", frame)


def test_a_run_that_was_stopped_goes_on(
    spark: Any, notes: Path, tmp_path: Path, expected: tuple[Any, dict[str, Any]]
) -> None:
    """In the first job; test_killed.py has the second one."""
    out = tmp_path / "out"
    with pytest.MonkeyPatch.context() as patch:
        stop_after(patch, "found", 3)
        with pytest.raises(Stopped):
            run(notes, out, spark)
    assert not out.exists()
    assert len(list(tmp_path.glob(".out.work/*/found/*.parquet"))) == 3
    result = run(notes, out, spark, resume=True).to_dict()
    assert by_id(read_folder(out)) == by_id(expected[0])
    assert {name: result[name] for name in COUNTS} == {name: expected[1][name] for name in COUNTS}
    assert result["resumed"] == 0
    assert not (tmp_path / ".out.work").exists()


def test_what_does_not_go_on(spark: Any, tmp_path: Path) -> None:
    """Other settings, other texts, and a part that was cut off; a new run cleans up."""
    source, out = tmp_path / "notes.parquet", tmp_path / "out"
    pq.write_table(many_notes(), source)

    def stopped(mode: str) -> Path:
        with pytest.MonkeyPatch.context() as patch:
            stop_after(patch, "texts", 2)
            with pytest.raises(Stopped):
                run(source, out, spark, mode=mode)
        (about,) = (tmp_path / ".out.work").glob("*/about.json")
        return about.parent

    before = stopped("label")
    with pytest.raises(BadData, match="other texts, settings, version or key"):
        run(source, out, spark, mode="mask", resume=True)
    part = next(before.glob("texts/*.parquet"))
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.raises(FailedCheck, match="not written completely"):
        run(source, out, spark, mode="label", resume=True)
    assert not out.exists()
    pq.write_table(many_notes().slice(1), source)
    with pytest.raises(BadData, match="other texts, settings, version or key"):
        run(source, out, spark, mode="label", resume=True)
    assert stopped("mask") != before
    assert not before.exists()


def test_texts_wait_for_the_other_files_of_their_set(spark: Any, tmp_path: Path) -> None:
    """If those fail, the work is kept: a run that resumes it has nothing more to do."""
    source, out = tmp_path / "notes.parquet", tmp_path / "out"
    pq.write_table(many_notes().slice(0, 9), source)

    def fail() -> None:
        with together():
            run(source, out, spark, mode="label")
            assert not out.exists()
            raise Stopped

    with pytest.raises(Stopped):
        fail()
    assert sorted(one.name for one in tmp_path.iterdir()) == [".out.work", "notes.parquet"]
    assert (tmp_path / ".out.work").stat().st_mode & 0o777 == 0o700
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reidrisk.resynthesis.spark.run.part_frame", lambda *_: pytest.fail("done again"))
        assert run(source, out, spark, mode="label", resume=True).resumed == 2 * 9
    assert read_folder(out).num_rows == 9
    assert sorted(one.name for one in tmp_path.iterdir()) == ["notes.parquet", "out"]


def test_a_work_folder_has_one_run_and_goes_with_the_last(notes: Path, tmp_path: Path) -> None:
    needs_spark()
    out, work = tmp_path / "out", tmp_path / ".out.work"
    lock = lock_work(out)
    with pytest.raises(BadData, match="Another run is writing"):
        run(notes, out, "no master")
    lock.release()
    # As a run leaves it that was killed after its output had its name.
    (work / "0123456789abcdef" / "ready").mkdir(parents=True)
    out.mkdir()
    (out / "part-00000-000000.parquet").touch()
    with pytest.raises(UnreadableFile, match="not an empty folder"):
        run(notes, out, "no master")
    assert not work.exists()


def failing(_job: Any, batches: Iterator[Any]) -> Iterator[Any]:
    from reidrisk.engine.spark.failures import without_values

    with without_values():
        for batch in batches:
            raise ValueError(f"cannot use {batch.to_pylist()}")
        yield from ()


def test_a_failure_in_a_worker_shows_no_text(
    command: Run, spark: Any, spark_master: str, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reidrisk.resynthesis.spark.jobs.replace_texts", failing)
    given = ("--mode", "label", "--column", "text", "--out", str(tmp_path / "out"))
    code, printed, error = command("text", "deidentify", str(notes), "--master", spark_master, *given)
    assert code == 1
    assert "A Spark worker failed: ValueError in" in error
    assert "Łukasiewicz" not in printed + error
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_a_worker_that_sees_another_disk_says_so(tmp_path: Path) -> None:
    needs_spark()
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.resynthesis.spark.jobs import TextJob
    from reidrisk.resynthesis.worker import Setup

    setup = Setup(DetectSettings(), ResynthesisSettings(), KEY)
    job = TextJob.of(setup, work=tmp_path / "elsewhere", schema=None, source=SOURCE, parts={})
    with pytest.raises(SparkFailure, match="cannot see the folder"):
        job.worker()


def refusals(tmp_path: Path, notes: Path) -> list[tuple[type[ReidRiskError], str, dict[str, Any]]]:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("Ann Lee")
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    pq.write_table(many_notes().select(["text"]), mixed / "a.parquet")
    pq.write_table(many_notes().select(["Text"]), mixed / "b.parquet")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "a.parquet").write_bytes(b"PAR1 nothing else PAR1")
    return [
        (UnreadableFile, "contains no Parquet files", {"notes": tmp_path / "texts"}),
        (BadData, "has other columns", {"notes": mixed}),
        (UnreadableFile, "is not a Parquet file", {"notes": broken}),
        (UnknownColumn, "has no column 'txt'", {"source": SourceOptions(columns=("txt",))}),
        (UnknownColumn, "not text", {"source": SourceOptions(columns=("seen",))}),
        (InvalidSetting, "marks", {"marks": tmp_path / "x.jsonl"}),
        (InvalidSetting, "inside the input", {"out": notes / "out"}),
        (UnreadableFile, "not an empty folder", {"out": tmp_path / "texts"}),
    ]


def test_what_cannot_work_is_refused_before_spark_starts(notes: Path, tmp_path: Path) -> None:
    needs_spark()
    for kind, message, given in refusals(tmp_path, notes):
        source, out = given.pop("notes", notes), given.pop("out", tmp_path / "out")
        options = {"source": SourceOptions()} if source != notes else {}
        with pytest.raises(kind, match=message):
            run(source, out, "no master", **(options | given))
    assert not (tmp_path / "out").exists()

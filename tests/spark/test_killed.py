"""Workers that are missing, a worker that dies, and a driver that dies and leaves nothing complete.

One driver serves all these tests (killing.py), beside the other tests.
"""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import Any

import pytest

from reidrisk.engine.opening import open_table
from reidrisk.engine.spark import commit
from reidrisk.engine.spark.scan import SparkEngine
from tests.cli.running import Run
from tests.spark.plain_release import contents, few_columns, plain_release

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from tests.spark.killed_driver import DONE_BEFORE, ROWS, text_command, the_plan  # noqa: E402
from tests.spark.killing import Place  # noqa: E402
from tests.spark.notes import by_id, read_folder  # noqa: E402


@pytest.fixture(scope="module")
def killed(killing: Future[Place]) -> Place:
    """A driver went through all its steps, lost a worker, and was killed."""
    return killing.result()


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory, killed: Place) -> Any:
    """The texts as they should be: de-identified on this machine."""
    from reidrisk.cli.main import run

    folder = tmp_path_factory.mktemp("here")
    with pytest.raises(SystemExit, match="0"):
        run(text_command(killed.notes, killed.folder, str(folder / "here.parquet")))
    return by_id(pq.read_table(folder / "here.parquet"))


def rows_of(plan: Any) -> Any:
    is_text = {one.name: pa.types.is_string(one.type) for one in few_columns().schema}
    return plain_release(few_columns().to_pylist(), plan, is_text)


def test_without_workers_a_command_says_so_and_ends(killed: Place) -> None:
    assert "No Spark worker has accepted the job yet. Check that workers are registered" in killed.said
    assert "Error: No Spark worker accepted the job within 2 seconds." in killed.said
    assert "set spark.reidrisk.wait" in killed.said
    assert "exit code 1" in killed.said
    assert "Traceback" not in killed.said


def test_a_killed_worker_does_no_harm(killed: Place, texts: Any) -> None:
    assert (killed.folder / "lived").exists()
    assert contents(pq.read_table(killed.folder / "table")) == rows_of(the_plan(open_table(killed.table)))
    assert (killed.folder / "texts.code").read_text() == "0"
    assert by_id(read_folder(killed.folder / "texts")) == texts
    assert not killed.left("table") + killed.left("texts")


def test_after_a_killed_driver_tables_are_written_again(
    spark: Any, killed: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One table was written and about to be checked, of the other only a part was."""
    for name in ("checked", "written"):
        (work,) = killed.left(name)
        assert (killed.folder / work).stat().st_mode & 0o777 == 0o700
        assert not (killed.folder / name).exists()
    table = SparkEngine.on(spark).scan(killed.table)
    plan = the_plan(table)
    table.release(table, plan, killed.folder / "written", lambda _: None)
    assert contents(pq.read_table(killed.folder / "written")) == rows_of(plan)
    # The other goes on where it was stopped: rows that are complete are checked, not made again.
    monkeypatch.setattr(commit, "released", lambda *_: pytest.fail("the rows are made again"))
    seen: list[int] = []
    table.release(table, plan, killed.folder / "checked", lambda written: seen.append(written.count()))
    assert contents(pq.read_table(killed.folder / "checked")) == rows_of(plan)
    assert seen == [pq.read_table(killed.folder / "checked").num_rows]
    assert not killed.left("checked") + killed.left("written")


def test_after_a_killed_driver_texts_go_on(
    spark: Any, spark_master: str, command: Run, killed: Place, texts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts that were written stay as they are."""
    monkeypatch.setattr("reidrisk.resynthesis.spark.run.ROWS", ROWS)
    assert not (killed.folder / "stopped").exists()
    assert len(list(killed.folder.glob(".stopped.work/*/texts/*.parquet"))) == DONE_BEFORE
    again = text_command(killed.notes, killed.folder, "stopped", "--master", spark_master, "--resume")
    code, printed, error = command(*again, "--json", "-")
    assert code == 0, error
    assert json.loads(printed)["resumed"] == DONE_BEFORE * ROWS
    assert by_id(read_folder(killed.folder / "stopped")) == texts
    assert not [one.name for one in killed.folder.iterdir() if one.name.startswith(".")]

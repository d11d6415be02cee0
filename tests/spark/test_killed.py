"""Workers that are missing, a worker that dies, and a driver that dies and leaves nothing complete.

One driver serves all these tests, at the master of the other tests, with two workers of its own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.opening import open_table
from reidrisk.engine.spark import commit
from reidrisk.engine.spark.scan import SparkEngine
from tests.cli.running import Run
from tests.spark.conftest import DEFAULTS, ROOT, started_workers, wait_for, write_defaults
from tests.spark.plain_release import contents, mixed_table, plain_release, write_parts

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from tests.spark.killed_driver import DONE_BEFORE, ROWS, text_command, the_plan  # noqa: E402
from tests.spark.notes import by_id, many_notes, read_folder  # noqa: E402

WORKERS = ("own-0", "own-1")
OWN_DEFAULTS = DEFAULTS | {"spark.cores.max": "4", "spark.reidrisk.wait": "3s"}


class Place:
    """The folder of the driver, with what it reads and writes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.notes = folder, folder / "notes.parquet"
        self.table = write_parts(folder / "source", mixed_table())
        pq.write_table(many_notes(), self.notes)
        (folder / "key").write_bytes(b"a key of thirty-two bytes, for us")
        (folder / "key").chmod(0o600)
        (folder / "conf").mkdir()
        write_defaults(folder / "conf", OWN_DEFAULTS)

    @property
    def said(self) -> str:
        """What the driver printed as errors."""
        return (self.folder / "said.txt").read_text()

    def left(self, name: str) -> list[str]:
        """Hidden folders beside an output."""
        return sorted(one.name for one in self.folder.iterdir() if one.name.startswith(f".{name}."))

    def marks(self, gate: str, name: str) -> list[Path]:
        return sorted((self.folder / gate).glob(f"{name}-*"))


@contextmanager
def driver(master: str, place: Place) -> Iterator[subprocess.Popen[bytes]]:
    """In a group of its own, which includes its Java process."""
    own = {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "SPARK_CONF_DIR": str(place.folder / "conf"),
    }
    given = (master, str(place.table), str(place.notes), str(place.folder))
    with (place.folder / "said.txt").open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.spark.killed_driver", *given],
            env=os.environ | own, start_new_session=True, cwd=ROOT, stderr=said,
        )  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="module")
def killed(
    spark: Any, spark_master: str, cluster_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """A driver went through all its steps, lost a worker, and was killed."""
    place = Place(tmp_path_factory.mktemp("killed"))
    with driver(spark_master, place) as process:

        def wait(ready: Callable[[], Any]) -> None:
            wait_for(lambda: process.poll() is not None or ready(), "the driver does not go on")
            assert process.poll() is None, place.said

        wait((place.folder / "refused").exists)
        with started_workers(cluster_folder, spark_master, WORKERS, cores=2):
            wait(lambda: place.marks("first", "text"))
            work = Path(place.marks("first", "text")[0].read_text())
            victim = next(cluster_folder / name for name in WORKERS if name in work.parts)
            assert len(kill_worker(victim)) >= 3, "a worker, its executor, and Python"
            (place.folder / "first" / "open").touch()
            wait(lambda: place.marks("second", "text"))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            yield place
            (place.folder / "second" / "open").touch()


def kill_worker(work: Path) -> list[int]:
    """The worker whose folder this is, and all that it started, which work below that folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes().split(b"\0")
            below = (entry / "cwd").resolve().is_relative_to(work)
        except OSError:
            continue
        if below or str(work).encode() in command:
            found.append(int(entry.name))
            os.kill(found[-1], signal.SIGKILL)
    return found


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory, killed: Place) -> Any:
    """The texts as they should be: de-identified on this machine."""
    from reidrisk.cli.main import run

    folder = tmp_path_factory.mktemp("here")
    with pytest.raises(SystemExit, match="0"):
        run(text_command(killed.notes, killed.folder, str(folder / "here.parquet")))
    return by_id(pq.read_table(folder / "here.parquet"))


def rows_of(plan: Any) -> Any:
    is_text = {one.name: pa.types.is_string(one.type) for one in mixed_table().schema}
    return plain_release(mixed_table().to_pylist(), plan, is_text)


def test_without_workers_a_command_says_so_and_ends(killed: Place) -> None:
    assert "No Spark worker has accepted the job yet. Check that workers are registered" in killed.said
    assert "Error: No Spark worker accepted the job within 3 seconds." in killed.said
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

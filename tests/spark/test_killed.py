"""A worker that dies does no harm; a driver that dies leaves nothing that looks complete."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.opening import open_table
from reidrisk.engine.spark import commit
from reidrisk.engine.spark.scan import SparkEngine
from tests.spark.conftest import needs_spark, started_cluster
from tests.spark.killed_driver import the_plan
from tests.spark.plain_release import contents, mixed_table, plain_release, write_parts

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
ROOT = Path(__file__).parents[2]
WAIT = 300


@contextmanager
def driver(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """In a group of its own, which includes its Java process."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.spark.killed_driver", *arguments],
        env=os.environ | {"PYTHONPATH": paths, "PYSPARK_PYTHON": sys.executable},
        start_new_session=True,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            kill_group(process)


def wait_for(mark: Path, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + WAIT
    while not mark.exists():
        assert process.poll() is None, "the driver has ended"
        assert time.monotonic() < end, "nothing is written"
        time.sleep(0.1)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=WAIT)


def expected(plan: Any) -> Any:
    texts = {one.name: pa.types.is_string(one.type) for one in mixed_table().schema}
    return plain_release(mixed_table().to_pylist(), plan, texts)


def test_a_killed_driver_leaves_nothing_complete(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One output was written and about to be checked, of the other only parts were."""
    source = write_parts(tmp_path / "source", mixed_table())
    folder = tmp_path / "out"
    folder.mkdir()
    with driver("local[2]", str(source), str(folder), "stuck") as process:
        wait_for(folder / "writing", process)
        kill_group(process)
    left = sorted(one.name for one in folder.iterdir() if one.name.startswith("."))
    assert [name.split(".")[1] for name in left] == ["checked", "written"]
    assert not (folder / "checked").exists()
    assert not (folder / "written").exists()
    engine = SparkEngine.on(spark)
    engine.session.conf.set("spark.sql.shuffle.partitions", "3")
    table = engine.scan(source)
    plan = the_plan(table)
    table.release(table, plan, folder / "written", lambda _: None)
    assert contents(pq.read_table(folder / "written")) == expected(plan)
    # The other goes on where it was stopped: rows that are whole are checked, not made again.
    monkeypatch.setattr(commit, "released", lambda *_: pytest.fail("the rows are made again"))
    seen: list[int] = []
    table.release(table, plan, folder / "checked", lambda written: seen.append(written.count()))
    assert contents(pq.read_table(folder / "checked")) == expected(plan)
    assert seen == [pq.read_table(folder / "checked").num_rows]
    assert not [one for one in folder.iterdir() if one.name.startswith(".")]


def test_a_killed_worker_does_no_harm(tmp_path: Path) -> None:
    needs_spark()
    source = write_parts(tmp_path / "source", mixed_table())
    folder, place = tmp_path / "out", tmp_path / "cluster"
    folder.mkdir()
    place.mkdir()
    with (
        started_cluster(place, workers=2) as master,
        driver(master, str(source), str(folder), "slow") as process,
    ):
        wait_for(folder / "writing", process)
        killed = processes_of(place / "worker-0")
        for one in killed:
            os.kill(one, signal.SIGKILL)
        assert len(killed) >= 2
        assert process.wait(timeout=WAIT) == 0
    assert contents(pq.read_table(folder / "written")) == expected(the_plan(open_table(source)))
    assert not [one for one in folder.iterdir() if one.name.startswith(".")]


def processes_of(work: Path) -> list[int]:
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
    return found

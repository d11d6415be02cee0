"""A driver loses a worker and is killed, as test_killed.py looks at it, at the master of the other tests.

It has two workers of its own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.spark.conftest import DEFAULTS, ROOT, started_workers, taken, wait_for, with_settings
from tests.spark.notes import many_notes
from tests.spark.plain_release import few_columns, write_parts

WORKERS = ("own-0", "own-1")
OWN_DEFAULTS = DEFAULTS | {
    "spark.cores.max": "4",
    "spark.task.maxFailures": "4",
    "spark.reidrisk.wait": "2s",
}


class Place:
    """The folder of the driver, with what it reads and writes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.notes = folder, folder / "notes.parquet"
        self.table = write_parts(folder / "source", few_columns())
        pq.write_table(many_notes(), self.notes)
        (folder / "key").write_bytes(b"a key of thirty-two bytes, for us")
        (folder / "key").chmod(0o600)

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
        "PYSPARK_SUBMIT_ARGS": with_settings(place.folder, OWN_DEFAULTS),
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


def kill_all(place: Place, master: str, cluster: Path, running: ExitStack) -> Place:
    """Let a driver go through all its steps, lose a worker, and be killed; one worker runs on."""
    wait_for(lambda: taken(cluster), "the session has not all workers")
    process = running.enter_context(driver(master, place))

    def wait(ready: Callable[[], Any]) -> None:
        wait_for(lambda: process.poll() is not None or ready(), "the driver does not go on")
        assert process.poll() is None, place.said

    wait((place.folder / "refused").exists)
    running.enter_context(started_workers(cluster, master, WORKERS, cores=2))
    wait(lambda: place.marks("first", "text"))
    work = Path(place.marks("first", "text")[0].read_text())
    victim = next(cluster / name for name in WORKERS if name in work.parts)
    assert len(kill_worker(victim)) >= 3, "a worker, its executor, and Python"
    (place.folder / "first" / "open").touch()
    wait(lambda: place.marks("second", "text"))
    running.callback((place.folder / "second" / "open").touch)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return place


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

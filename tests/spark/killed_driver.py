"""A driver of its own process, whose workers a test kills before it kills the driver.

python -m tests.spark.killed_driver MASTER TABLE NOTES FOLDER: the folder gets the outputs, and the marks by
which the test and this process wait for each other. In order:

1. There are no workers: a command fails, and says why.
2. A table and texts are written. Every worker waits at a gate, so that one can be killed in the middle.
3. One table is written and about to be checked; of another, and of texts, only parts are. Here it is killed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

from reidrisk.cli.main import run
from reidrisk.engine.plans import ReleasePlan
from reidrisk.engine.protocol import Table
from reidrisk.engine.spark import commit, release, waiting
from reidrisk.engine.spark.scan import SparkEngine
from reidrisk.engine.spark.session import spark_session
from reidrisk.resynthesis.spark import jobs
from tests.spark.plain_release import plan_of

ROWS = 8
"""Texts of a part."""
TASKS = 3
"""Of the table: with two workers of two cores, a text is then beside a part of the table in one of them."""
DONE_BEFORE = 2
"""Parts of the texts that are written before the driver is killed."""
SECONDS = 300


def the_plan(table: Table) -> ReleasePlan:
    """The same in every process."""
    return plan_of(table.tuples(["skewed", "ok"]), treatments={"person": "pseudonym"})


def text_command(notes: Path, folder: Path, out: str, *more: str) -> list[str]:
    """De-identify the notes, as a user types it."""
    key = ("--key", str(folder / "key"), "--column", "text", "--person", "patient.id")
    return ["text", "deidentify", str(notes), "--out", str(folder / out), "--quiet", *key, *more]


def wait_until(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not ready():
        if time.monotonic() > end:
            sys.exit("nothing happens")
        time.sleep(0.05)


def at_gate(gate: Path, name: str) -> None:
    """In a worker: say where it works, and wait until the test opens the gate."""
    mark = f"{name}-{os.getpid()}"
    (gate / f".{mark}").write_text(str(Path.cwd()))
    (gate / f".{mark}").replace(gate / mark)
    wait_until((gate / "open").exists)


def gated_rows(gate: Path, batches: Iterator[Any]) -> Iterator[Any]:
    """In a worker: rows of a table that wait before they are written."""
    at_gate(gate, "table")
    yield from batches


def gated_texts(gate: Path, before: int, job: Any, batches: Iterator[Any]) -> Iterator[Any]:
    """In a worker: texts that wait before they are replaced, once so many parts are written."""
    from reidrisk.resynthesis.spark.jobs import replace_texts

    if len(list((job.work / "texts").glob("*.parquet"))) >= before:
        at_gate(gate, "text")
    yield from replace_texts(job, batches)


class Gated:
    """Tables and texts that are written up to a gate."""

    def __init__(self, table: Table, notes: Path, folder: Path, master: str) -> None:
        self.table, self.plan = table, the_plan(table)
        self.notes, self.folder, self.master = notes, folder, master

    def write_table(self, out: str, check: Callable[[Any], None] = lambda _: None) -> None:
        self.table.release(self.table, self.plan, self.folder / out, check)

    def write_texts(self, out: str) -> None:
        try:
            run(text_command(self.notes, self.folder, out, "--master", self.master))
        except SystemExit as ended:
            (self.folder / f"{out}.code").write_text(str(ended.code))
            if ended.code:  # the test shows what was said
                os._exit(1)

    def through(self, gate: str, *, tasks: int, before: int) -> ExitStack:
        """Until it is closed, workers wait at the gate."""
        place = self.folder / gate
        place.mkdir()
        real = release.released

        def gated(*given: Any) -> Any:
            frame = real(*given)
            return frame.mapInArrow(partial(gated_rows, place), frame.schema)

        texts = partial(gated_texts, place, before)
        stack = ExitStack()
        stack.enter_context(patch.object(release, "parts_of", lambda _: tasks))
        stack.enter_context(patch.object(commit, "released", gated))
        stack.enter_context(patch.object(jobs, "replace_texts", texts))
        return stack

    def marks(self, gate: str, name: str) -> int:
        return len(list((self.folder / gate).glob(f"{name}-*")))


def be_refused(master: str, table: str, folder: Path) -> None:
    """Run a command without workers; what it says is in the file where standard error goes."""
    try:
        with patch.object(waiting, "QUIET_SECONDS", 0.5):
            run(["table", "risk", table, "--quasi", "ok", "--master", master, "--quiet"])
    except SystemExit as ended:
        sys.stderr.write(f"exit code {ended.code}\n")
    sys.stderr.flush()
    (folder / "refused").touch()


def lose_a_worker(work: Gated) -> None:
    with work.through("first", tasks=TASKS, before=0):
        table = Thread(target=work.write_table, args=("table",))
        table.start()
        wait_until(lambda: work.marks("first", "table") == TASKS)
        work.write_texts("texts")
        table.join()
    (work.folder / "lived").touch()


def be_killed(work: Gated) -> None:
    def stuck(_: Any) -> None:
        (work.folder / "checking").touch()
        time.sleep(SECONDS)

    Thread(target=work.write_table, args=("checked", stuck), daemon=True).start()
    wait_until((work.folder / "checking").exists)
    with work.through("second", tasks=1, before=DONE_BEFORE):
        Thread(target=work.write_table, args=("written",), daemon=True).start()
        wait_until(lambda: work.marks("second", "table") == 1)
        work.write_texts("stopped")


def main(master: str, table: str, notes: Path, folder: Path) -> None:
    with patch("reidrisk.resynthesis.spark.run.ROWS", ROWS), spark_session(master) as session:
        be_refused(master, table, folder)
        java = session.sparkContext._jsc.sc()
        wait_until(lambda: java.getExecutorMemoryStatus().size() == 3)
        work = Gated(SparkEngine.on(session).scan(table), notes, folder, master)
        lose_a_worker(work)
        be_killed(work)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))

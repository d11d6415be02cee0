"""A driver of its own process, which a test kills or whose workers it kills.

python -m tests.spark.killed_driver MASTER SOURCE FOLDER MODE: the folder gets the outputs, and the marks by
which the test knows how far the work is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

from reidrisk.engine.plans import ReleasePlan
from reidrisk.engine.protocol import Table
from reidrisk.engine.spark import commit, release
from reidrisk.engine.spark.scan import SparkEngine
from reidrisk.engine.spark.session import spark_session
from tests.spark.plain_release import plan_of

LONG = 600.0
PARTS = 6


def the_plan(table: Table) -> ReleasePlan:
    """The same in every process."""
    return plan_of(table.tuples(["skewed", "ok"]), treatments={"person": "pseudonym"})


def slowly(seconds: float, mark: Path) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What a worker does to its rows: it says that it has begun, and waits."""

    def wait(batches: Iterator[Any]) -> Iterator[Any]:
        mark.touch()
        time.sleep(seconds)
        yield from batches

    return wait


def main(master: str, source: str, folder: Path, mode: str) -> None:
    real = release.released

    def slow(*given: Any) -> Any:
        frame = real(*given)
        return frame.mapInArrow(slowly(LONG if mode == "stuck" else 1.0, folder / "writing"), frame.schema)

    def stuck(_: Any) -> None:
        (folder / "checking").touch()
        time.sleep(LONG)

    with spark_session(master) as session:
        engine = SparkEngine.on(session)
        engine.session.conf.set("spark.sql.shuffle.partitions", "3")
        table = engine.scan(source)
        plan = the_plan(table)
        if mode == "stuck":
            Thread(target=table.release, args=(table, plan, folder / "checked", stuck), daemon=True).start()
            while not (folder / "checking").exists():
                time.sleep(0.05)
        with patch.object(release, "parts_of", lambda _: PARTS), patch.object(commit, "released", slow):
            table.release(table, plan, folder / "written", lambda _: None)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4])

"""A job that no worker has accepted: the user hears of it after some seconds, and it ends after some minutes.

Spark itself would wait forever, and its own warning goes to a log that we do not show.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from reidrisk.engine.spark.failures import packed
from reidrisk.errors import InvalidSetting, SparkFailure

SETTING, DEFAULT = "spark.reidrisk.wait", "10m"
"""A setting of Spark, as in its spark-defaults.conf: how long a job may wait for its first worker."""
QUIET_SECONDS = 10.0
"""Workers may take so long without a message."""
PAUSE = 0.5
SECONDS = {"s": 1, "m": 60, "h": 3600}
CHECK = (
    "Check that workers are registered with the master, and that they have free cores and memory: other "
    "applications may have taken all (the master's web page shows both)."
)

log = logging.getLogger(__name__)


@contextmanager
def watched(session: Any, *, owned: bool) -> Iterator[None]:
    """Watch for jobs without workers; end them only if the session is `owned`, since others have jobs too."""
    context = session.sparkContext
    limit = wait_seconds(str(session.conf.get(SETTING, DEFAULT)))
    if context.master.startswith("local"):
        yield
        return
    ended = Event()
    thread = Thread(target=_watch, args=(context, limit if owned else None, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def wait_seconds(text: str) -> int:
    """Read a duration.

    >>> wait_seconds("90"), wait_seconds("10m")
    (90, 600)
    """
    found = re.fullmatch(r"\s*(\d{1,9})\s*([smh]?)\s*", text)
    if found is None or not int(found[1]):
        raise InvalidSetting(f"{SETTING} is not a duration.", hint="Write 90s, 10m or 2h.")
    return int(found[1]) * SECONDS[found[2] or "s"]


def _watch(context: Any, limit: float | None, ended: Event) -> None:
    since, told = time.monotonic(), False
    while not ended.wait(PAUSE):
        try:
            jobs = _waiting_jobs(context)
            if not jobs:
                since, told = time.monotonic(), False
                continue
            waited = time.monotonic() - since
            if waited >= QUIET_SECONDS and not told:
                log.warning(_message(limit))
                told = True
            if limit is not None and waited >= limit:
                _end(context, jobs, limit)
        except Exception:  # noqa: BLE001 - Spark is gone, as the job itself will say
            return


def _waiting_jobs(context: Any) -> list[int]:
    """The jobs that run, if there is no worker for them."""
    java = context._jsc.sc()
    if java.getExecutorMemoryStatus().size() > 1:  # the driver is one of them
        return []
    return list(java.statusTracker().getActiveJobIds())


def _message(limit: float | None) -> str:
    end = "" if limit is None else f" The command fails after {_duration(limit)} ({SETTING})."
    return f"No Spark worker has accepted the job yet. {CHECK}{end}"


def _end(context: Any, jobs: list[int], limit: float) -> None:
    failure = SparkFailure(
        f"No Spark worker accepted the job within {_duration(limit)}.",
        hint=f"{CHECK} To wait longer, set {SETTING}, for example to 1h, in spark-defaults.conf.",
    )
    for job in jobs:
        context._jsc.sc().cancelJob(job, packed(failure))


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} seconds"

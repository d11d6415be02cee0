"""How the benchmarks measure: least of several runs, and the memory of a whole process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass


def least_seconds(work: Callable[[], object], *, runs: int = 5) -> float:
    """The shortest of several runs: the one least disturbed by others."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


@dataclass(frozen=True)
class Process:
    """What a finished process took."""

    seconds: float
    megabytes: float
    exit_code: int
    cpu: float
    """Seconds of all processors."""


def run_process(*command: str) -> Process:
    """Run a command to its end; wall time and the most memory it held.

    The system counts the memory of the process that starts another as that of the new one. Where this
    matters, start from a small process: `python -I -S timing.py COMMAND` prints the figures as JSON.
    """
    start = time.perf_counter()
    child = subprocess.Popen([*command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    divisor = 2**20 if sys.platform == "darwin" else 2**10
    return Process(seconds, usage.ru_maxrss / divisor, os.waitstatus_to_exitcode(status), cpu)


if __name__ == "__main__":
    print(json.dumps(asdict(run_process(*sys.argv[1:]))))

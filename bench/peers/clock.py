"""How a peer's script measures: seconds on the clock and of all processors, in its own process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any


def timed(work: Callable[[], Any], *, runs: int = 1) -> tuple[dict[str, float], Any]:
    """The least of several runs, and the last result."""
    clocks, processors, found = [], [], None
    for _ in range(runs):
        clock, cpu = time.perf_counter(), time.process_time()
        found = work()
        clocks.append(time.perf_counter() - clock)
        processors.append(time.process_time() - cpu)
    return {"seconds": min(clocks), "cpu": min(processors)}, found


def say(**found: Any) -> None:
    print()
    print(json.dumps(found))

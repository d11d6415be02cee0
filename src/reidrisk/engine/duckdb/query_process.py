"""A process of its own for the user's SQL: it is killed when its time is over, and its memory ends with it.

A query can keep the database so busy that it does not hear that it should stop, and can crash it. Queries
and answers go through pipes, a line of JSON each. Started as a program, this module is the other side.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from reidrisk.core.limits import memory_bytes
from reidrisk.engine.duckdb.queries import CLOSED, MEMORY, answer
from reidrisk.engine.packages import needed
from reidrisk.engine.results import Answer, Failed

START = 60.0
"""Seconds until the process must be ready, however busy the machine is."""
END = 5.0
"""Seconds that it has to end by itself."""
ADDRESSES = 8
"""Addresses that the process may use, as a multiple of the memory of the database: programs, buffers and the
stacks of threads take addresses of which they use few."""
READY = "ready"
STOPPED = Failed(
    f"it needs more than {MEMORY} of memory, or stopped the database",
    "Ask for less at once, in smaller steps.",
)


class QueryProcess:
    """Answers queries on one database file; after a query that was killed, the next one has a new process."""

    def __init__(self, database: Path, folder: Path, *, seconds: float) -> None:
        self._database, self._folder, self._seconds = database, folder, seconds
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def ask(self, sql: str) -> Answer | Failed:
        """The answer, or why there is none."""
        process = self._started()
        if process is None or process.stdin is None:
            return STOPPED
        try:
            process.stdin.write(json.dumps(sql) + "\n")
            process.stdin.flush()
        except OSError:
            self.kill()
            return STOPPED
        line = self._line(self._seconds)
        if line is None:
            self.kill()
            late = f"it takes longer than {self._seconds:g} seconds"
            return Failed(late, "Ask for less, or allow more time.")
        if not line:
            self.kill()
            return STOPPED
        return _read(json.loads(line))

    def close(self) -> None:
        """Let the process end, which it does when there are no more queries."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, subprocess.TimeoutExpired):
                self._process.stdin.close()
                self._process.wait(END)
        self.kill()

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _started(self) -> subprocess.Popen[str] | None:
        if self._process is not None:
            return self._process
        command = [sys.executable, "-m", __name__, str(self._database), str(self._folder)]
        self._process = process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        self._lines = Queue()
        Thread(target=_pump, args=(process.stdout, self._lines), daemon=True).start()
        if (self._line(START) or "").strip() != READY:
            self.kill()
            return None
        return process

    def _line(self, seconds: float) -> str | None:
        """The next line; empty if the process ended, None if it did not answer in time."""
        try:
            return self._lines.get(timeout=seconds)
        except Empty:
            return None


def _pump(pipe: Any, lines: Queue[str]) -> None:
    try:
        for line in pipe:
            lines.put(line)
    except (OSError, ValueError):  # the pipe was closed here
        pass
    lines.put("")


def _read(found: dict[str, Any]) -> Answer | Failed:
    if "reason" in found:
        return Failed(found["reason"], found["hint"])
    return Answer(tuple(found["names"]), tuple(found["kinds"]), tuple(map(tuple, found["rows"])))


def serve(database: str, folder: str) -> None:
    """Answer queries from standard input until it ends."""
    duckdb = needed("duckdb", extra="tables")
    closed = {**CLOSED, "temp_directory": folder}
    connection = duckdb.connect(database, read_only=True, config=closed)
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET lock_configuration = true")
    _limit_memory()
    _say(READY)
    for line in sys.stdin:
        found = answer(connection, json.loads(line))
        if isinstance(found, Failed):
            _say(json.dumps({"reason": found.reason, "hint": found.hint}))
        else:
            _say(json.dumps({"names": found.names, "kinds": found.kinds, "rows": found.rows}))


def _limit_memory() -> None:
    """Let the system refuse memory that the database does not count."""
    if sys.platform != "win32":
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit, setrlimit

        most, hard = ADDRESSES * memory_bytes(MEMORY), getrlimit(RLIMIT_AS)[1]
        setrlimit(RLIMIT_AS, (most if hard == RLIM_INFINITY else min(most, hard), hard))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    serve(*sys.argv[1:])

"""Any program that reads JSON lines and answers with JSON lines."""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from typing import IO, Any

from reidrisk.detect.finding import Finding
from reidrisk.errors import BadData, InvalidSetting

LIMIT = 60.0
"""Seconds that a program may take for one text."""
_HINT = (
    'It gets lines {"id", "text"} and answers {"id", "findings": [{"start", "end", "type", "score"}]}. '
    "What it says besides is not shown, since it could quote a text: run it by hand on a harmless one."
)


class CommandDetector:
    """Keeps one process of the program and asks it text by text."""

    def __init__(self, command: str, *, limit: float = LIMIT) -> None:
        self._process: subprocess.Popen[str] | None = None
        try:
            self._argv = shlex.split(command)
        except ValueError:
            raise InvalidSetting("The command of a plug-in has an open quotation mark.", hint=_HINT) from None
        if not self._argv:
            raise InvalidSetting(
                "The plug-in `command:` names no program.", hint="Write command:PROGRAM ARGUMENTS."
            )
        self._limit = limit
        self._asked = 0
        self._answers: queue.Queue[str] = queue.Queue()

    def find(self, text: str) -> list[Finding]:
        """What the program finds in one text."""
        process = self._running()
        self._asked += 1
        line = json.dumps({"id": str(self._asked), "text": text}) + "\n"
        writer = threading.Thread(target=_write, args=(process.stdin, line), daemon=True)
        writer.start()
        try:
            answer = self._answers.get(timeout=self._limit)
        except queue.Empty:
            self.close()
            raise BadData(
                f"The plug-in {self._argv[0]!r} took longer than {self._limit:g} s for one text.", hint=_HINT
            ) from None
        if not answer:
            code = process.wait()
            self.close()
            raise BadData(
                f"The plug-in {self._argv[0]!r} ended with code {code} without an answer.", hint=_HINT
            )
        return self._read(answer, len(text))

    def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    try:
                        stream.close()
                    except OSError:
                        continue

    def __del__(self) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                    self._argv,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    encoding="utf-8",
                )
            except OSError as error:
                raise BadData(f"The plug-in {self._argv[0]!r} cannot be started.", hint=_HINT) from error
            self._answers = queue.Queue()
            reader = threading.Thread(
                target=_read_lines, args=(self._process.stdout, self._answers), daemon=True
            )
            reader.start()
        return self._process

    def _read(self, answer: str, length: int) -> list[Finding]:
        try:
            record = json.loads(answer)
            if record["id"] != str(self._asked):
                raise ValueError
            return [self._finding(item, length) for item in record["findings"]]
        except (ValueError, TypeError, KeyError):
            self.close()
            raise BadData(
                f"The plug-in {self._argv[0]!r} gave an answer that cannot be used.", hint=_HINT
            ) from None

    def _finding(self, item: dict[str, Any], length: int) -> Finding:
        start, end, kind = item["start"], item["end"], item["type"]
        if type(start) is not int or type(end) is not int or not isinstance(kind, str) or end > length:
            raise ValueError
        return Finding(start, end, kind, float(item.get("score", 1.0)), "command")


def _write(stream: IO[str], line: str) -> None:
    try:
        stream.write(line)
        stream.flush()
    except (OSError, ValueError):
        return  # the program has ended; its silence is reported where the answer is awaited


def _read_lines(stream: IO[str], answers: queue.Queue[str]) -> None:
    try:
        for line in stream:
            answers.put(line)
    except (OSError, ValueError):
        pass
    answers.put("")

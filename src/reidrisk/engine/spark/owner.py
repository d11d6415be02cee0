"""The process that writes an output: whether it still lives tells a run from what a dead one left."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Owner:
    """A process of a machine, with the time when it began."""

    host: str
    process: int
    started: str
    """As the system counts time; another process may have the same number later."""

    @classmethod
    def here(cls) -> Owner:
        """This process."""
        return cls(socket.gethostname(), os.getpid(), _started(os.getpid()))

    @classmethod
    def of(cls, text: str) -> Owner | None:
        """As written; None if that was cut short."""
        try:
            found = json.loads(text)
            return cls(str(found["host"]), int(found["process"]), str(found["started"]))
        except (ValueError, KeyError, TypeError):
            return None

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {"host": self.host, "process": self.process, "started": self.started}

    @property
    def may_live(self) -> bool:
        """Of a process on another machine nobody can tell."""
        if self.host != socket.gethostname():
            return True
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return _started(self.process) == self.started


def _started(process: int) -> str:
    """When a process began; nothing if there is none, or the system does not tell."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""

"""Counts the file operations of a process inside one folder, and makes one of them fail."""

from __future__ import annotations

import builtins
import errno
import io
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Operation = Literal["open", "write", "sync", "rename", "link", "mkdir", "remove", "chmod"]
Kind = Literal["kill", "terminate", "full", "short", "refused", "memory", "broken", "limit", "limit-kill"]
"""Kinds of faults. The last two strike when a file grows beyond some bytes, whoever writes it: also databases
and other native code that does not call Python."""
ANY: tuple[Kind, ...] = ("kill", "terminate", "memory")
BY_OPERATION: dict[Operation, tuple[Kind, ...]] = {
    "open": (*ANY, "full", "refused"),
    "write": (*ANY, "full", "short", "broken"),
    "sync": (*ANY, "full", "broken"),
    "rename": (*ANY, "full", "refused"),
    "link": (*ANY, "full", "refused"),
    "mkdir": (*ANY, "full", "refused"),
    "remove": ("kill", "terminate", "refused"),
    "chmod": (*ANY, "refused"),
}
"""What can happen to each operation."""
ERRORS: dict[Kind, int] = {"full": errno.ENOSPC, "refused": errno.EACCES, "broken": errno.EIO}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what happens, and at which operation, counted from 0, or beyond how many bytes."""

    kind: Kind
    at: int


@dataclass
class Shim:
    """Stands between Python and the system."""

    root: Path
    fault: Fault | None = None
    seen: list[Operation] = field(default_factory=list)
    pid: int = field(default_factory=os.getpid)

    def strikes(self, operation: Operation, path: Any, folder: int | None = None) -> Kind | None:
        """Count an operation. Raises or kills if its turn has come; tells what is left to do."""
        if os.getpid() != self.pid or not self._is_inside(path, folder):
            return None
        self.seen.append(operation)
        fault = self.fault
        if fault is None or fault.kind.startswith("limit") or len(self.seen) - 1 != fault.at:
            return None
        if fault.kind == "kill":
            os.kill(self.pid, signal.SIGKILL)
        if fault.kind == "terminate":
            os.kill(self.pid, signal.SIGTERM)
        if fault.kind == "memory":
            raise MemoryError
        if fault.kind in ERRORS and not (operation == "write" and fault.kind == "full"):
            raise _error(fault.kind, path)
        return fault.kind

    def _is_inside(self, path: Any, folder: int | None) -> bool:
        try:
            if isinstance(path, int):
                path = str(Path(f"/proc/self/fd/{path}").readlink())
            elif folder is not None:
                path = Path(f"/proc/self/fd/{folder}").readlink() / os.fsdecode(path)
            found = os.path.abspath(os.fsdecode(path))  # noqa: PTH100
        except (OSError, TypeError, ValueError):
            return False
        return found.startswith(f"{self.root}{os.sep}")

    def install(self) -> None:
        """Take the place of the functions that change files."""
        if self.fault is not None and self.fault.kind.startswith("limit"):
            signal.signal(
                signal.SIGXFSZ, signal.SIG_DFL if self.fault.kind == "limit-kill" else signal.SIG_IGN
            )
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.fault.at, self.fault.at))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        self._wrap("mkdir", "mkdir", "dir_fd")
        self._wrap("unlink", "remove", "dir_fd")
        self._wrap("remove", "remove", "dir_fd")
        self._wrap("rmdir", "remove", "dir_fd")
        self._wrap("chmod", "chmod", "dir_fd")
        self._wrap("rename", "rename", "src_dir_fd")
        self._wrap("replace", "rename", "src_dir_fd")
        self._wrap("fsync", "sync", None)
        self._wrap_link()
        self._wrap_open()
        self._wrap_write()
        self._wrap_files()

    def _wrap(self, name: str, operation: Operation, folder: str | None) -> None:
        real: Callable[..., Any] = getattr(os, name)

        def call(path: Any, *given: Any, **named: Any) -> Any:
            self.strikes(operation, path, named.get(folder) if folder else None)
            return real(path, *given, **named)

        setattr(os, name, call)

    def _wrap_link(self) -> None:
        real = os.link

        def link(source: Any, target: Any, **named: Any) -> None:
            self.strikes("link", target)
            real(source, target, **named)

        os.link = link  # type: ignore[assignment]

    def _wrap_open(self) -> None:
        real = os.open

        def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            if flags & WRITING:
                self.strikes("open", path, dir_fd)
            return real(path, flags, mode, dir_fd=dir_fd)

        os.open = opened

    def _wrap_write(self) -> None:
        real = os.write

        def write(file: int, data: Any) -> int:
            kind = self.strikes("write", file)
            if kind is None or not len(data):
                return real(file, data)
            written = real(file, data[: max(1, len(data) // 2)])
            if kind == "full":
                raise _error(kind, "")
            return written if kind == "short" else written + real(file, data[written:])

        os.write = write

    def _wrap_files(self) -> None:
        real, shim = io.open, self

        class StruckFile(io.FileIO):
            """A file whose bytes may not arrive."""

            def write(self, data: Any) -> int:
                kind = shim.strikes("write", self.fileno())
                if kind is None or not len(data):
                    return super().write(data) or 0
                half = memoryview(data).cast("B")[: max(1, len(data) // 2)]
                written = super().write(half) or 0
                if kind == "full":
                    raise _error(kind, "")
                return written if kind == "short" else written + (super().write(data[written:]) or 0)

        def opened(  # noqa: PLR0917 - as the function that it replaces
            file: Any,
            mode: str = "r",
            buffering: int = -1,
            encoding: str | None = None,
            errors: str | None = None,
            newline: str | None = None,
            closefd: bool = True,
            opener: Any = None,
        ) -> Any:
            if not set(mode) & set("wax+") or not shim._is_inside(file, None):
                return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
            if not isinstance(file, int):
                shim.strikes("open", file)
            raw = StruckFile(file, mode.replace("b", "").replace("t", ""), closefd, opener)
            if buffering == 0:
                return raw
            buffer = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return buffer if "b" in mode else io.TextIOWrapper(buffer, encoding, errors, newline)

        io.open = builtins.open = opened


def _error(kind: Kind, path: Any) -> OSError:
    number = ERRORS[kind]
    return OSError(number, os.strerror(number), path if isinstance(path, str) else None)

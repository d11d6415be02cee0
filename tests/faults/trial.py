"""One command, one fault: run it in a copy of this process, then look at what is there."""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import signal
import stat
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from reidrisk.assess.run_lock import JOBS
from reidrisk.cli.main import run
from reidrisk.core.trail import LOG_PATH, check_trail
from reidrisk.core.work_folder import remove_own
from reidrisk.core.written_files import RECORD
from tests.faults.shim import Fault, Operation, Shim

CANARY = "Qanarybird"
"""A name of a patient in every input: no message has it."""
WORK = (".reidrisk-*.work", ".*.work", ".measuring")
"""Folders in which files are not yet under their names."""
JOURNALS = "*.reviews/*.jsonl"
"""Files that are only appended to."""
OLD = b"the old file\n"
TEMP, STATE, COUNTED = "tmp", "state", "counted.txt"
PATIENCE = 300
"""Seconds after which a run hangs."""
Files = dict[str, bytes]


@dataclass(frozen=True)
class Case:
    """A command that writes, the data that it reads, and what is there before."""

    name: str
    arguments: str
    """With --overwrite, where there are outputs of somebody else."""
    make: Callable[[Path], None] = field(repr=False)
    """Writes the inputs into a folder, in which the command then runs."""
    old: str = ""
    """Outputs that are there before, of somebody else, and are replaced."""
    apart: str = ""
    """Outputs that are complete in themselves, and may appear before the others; a pattern covers many."""
    adds: bool = False
    """Whether a second run adds to what the first has written."""
    steps: bool = False
    """Whether it runs other commands: the files of each appear for themselves."""
    around: Callable[[], AbstractContextManager[Any]] = field(default=nullcontext, repr=False)
    """In which it runs; further arguments, if any."""
    random: str = ""
    """Outputs that have the time or random numbers: see `comparable`; a pattern covers many."""
    resumes: bool = False
    """Whether a run that failed keeps its work folder for the next one."""

    def run(self) -> None:
        """Run the command in this process."""
        with self.around() as more:
            overwrite = ["--overwrite"] if self.old else []
            run([*self.arguments.split(), *overwrite, *(more or ())])


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    code: int
    """The exit code; the number of the signal below zero."""
    said: bytes
    files: Files
    left: tuple[Path, ...]
    """Work folders."""
    operations: tuple[Operation, ...] = ()
    logs: Files = field(default_factory=dict)
    """The logs of release folders."""
    recorded: int = 0
    """How many outputs are recorded as written by us."""

    has_journal: bool = False
    """Whether it was cut while it gave files their names: the next run finishes that, or takes it back."""

    @property
    def is_killed(self) -> bool:
        return self.code < 0


class Bench:
    """A command with the states before and after it, and copies of its folder to break."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.case, self._folder = case, folder
        self._before = folder / "before"
        self._before.mkdir(parents=True)
        (self._before / TEMP).mkdir()
        case.make(self._before)
        for name in case.old.split():
            (self._before / name).write_bytes(OLD)
        self.before = self._files(self._before)
        self.logs = logs_in(self._before)
        self._warm()
        self.clean = self._run(self._copy("clean"), None)
        self.clean_lines = [_last(log) for log in self.clean.logs.values()]
        assert CANARY.encode() not in self.clean.said, f"{case.name} shows a value of a patient"
        assert not self.clean.left, f"{case.name} leaves {self.clean.left}"
        assert self.clean.code in (0, 3), self.clean.said.decode()

    def _warm(self) -> None:
        """Import everything once; the copies of this process then have it.

        PDFs are left out: what draws them starts threads, which copies of a process do not have.
        """
        import typst

        place, here, real = self._copy("warm"), Path.cwd(), typst.compile
        state = os.environ.pop("XDG_STATE_HOME", None)
        typst.compile = _refuse  # type: ignore[assignment]
        _work_in(place)
        try:
            with open(os.devnull, "w") as nowhere:  # noqa: PTH123
                out, err, sys.stdout, sys.stderr = sys.stdout, sys.stderr, nowhere, nowhere
                try:
                    self.case.run()
                except SystemExit:
                    pass
                finally:
                    sys.stdout, sys.stderr = out, err
        finally:
            os.chdir(here)
            tempfile.tempdir, typst.compile = None, real
            if state is None:
                del os.environ["XDG_STATE_HOME"]
            else:
                os.environ["XDG_STATE_HOME"] = state
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)

    def _copy(self, name: str) -> Path:
        place = self._folder / name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self._before, place, symlinks=True)
        return place.resolve()

    def _run(self, place: Path, fault: Fault | None) -> Ended:
        counted = self._folder / COUNTED
        counted.unlink(missing_ok=True)
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            _be_the_command(self.case, place, theirs, counted, fault)
        os.close(theirs)
        said = _heard(ours, child)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        operations: Any = counted.read_text().split() if counted.exists() else ()
        left = work_folders(place)
        return Ended(
            code,
            said,
            self._files(place),
            left,
            tuple(operations),
            logs_in(place),
            recorded_in(place),
            any((folder / name).exists() for folder in left for name in ("journal.json", "undo.json")),
        )

    def _files(self, place: Path) -> Files:
        return {
            name: comparable(name, data) if _is_among(name, self.case.random) else data
            for name, found in files_in(place).items()
            if (data := without_torn_line(name, found)) is not None
        }

    def losses(self, fault: Fault) -> list[str]:
        """Everything that a fault broke, in words."""
        place = self._copy("struck")
        struck = self._run(place, fault)
        found = list(self._losses(struck))
        again = self._run(place, None)
        return found + list(self._losses_after(struck, again))

    def _losses(self, ended: Ended) -> Iterator[str]:
        states = self._states(ended.files)
        yield from (f"{name} is neither old nor new" for name, state in states.items() if state == "other")
        tight = {state for name, state in states.items() if not _is_among(name, self.case.apart)} - {
            "other",
            "same",
        }
        yield from self._losses_of_logs(ended)
        if len(tight) > 1 and not self.case.steps and not (ended.is_killed and ended.has_journal):
            yield f"a mixed set: {states}"
        if CANARY.encode() in ended.said:
            yield "a value of a patient is shown"
        for folder in ended.left:
            if stat.S_IMODE(folder.stat().st_mode) & 0o077:
                yield f"{folder.name} can be opened by others"
        if ended.code == -signal.SIGQUIT:
            yield "it hangs"
        if not ended.is_killed:
            yield from self._losses_of_ended(ended, tight)

    def _losses_of_logs(self, ended: Ended, *, is_same: bool = True) -> Iterator[str]:
        """A log keeps its lines. A run that ends well has added one, which names the right files.

        With `is_same`, these are the files of a run without faults.
        """
        for name, data in ended.logs.items():
            if not data.startswith(self.logs.get(name, b"")) or not check_trail(data, "").holds:
                yield f"{name} is broken"
        is_done = ended.code == self.clean.code
        if is_done and is_same and [_last(log) for log in ended.logs.values()] != self.clean_lines:
            yield "the log does not tell what was written"

    def _losses_of_ended(self, ended: Ended, states: set[str]) -> Iterator[str]:
        """Of a run that was not killed: it has told what happened, and left nothing."""
        if ended.code == self.clean.code:
            if "old" in states:
                yield f"exit code {ended.code}, but the files are not there"
        elif ended.code != 1:
            yield f"exit code {ended.code}"
        elif ended.said.count(b"Error:") + ended.said.count(b"Stopped.") != 1 and b"failed" not in ended.said:
            yield f"not one message: {ended.said.decode()[-600:]}"
        is_error = b"Error:" in ended.said and b"The log of" not in ended.said
        if is_error and "new" in states and not self.case.steps:
            yield f"an error, but the files are there: {ended.said.decode()[-600:]}"
        if b"defect" in ended.said or b"Traceback" in ended.said:
            yield f"an error that nobody expected: {ended.said.decode()[-1200:]}"
        left = [one for one in ended.left if not (self.case.resumes and not one.name.startswith(".reidrisk"))]
        if left:
            yield f"left behind: {', '.join(one.name for one in left)}"

    def _losses_after(self, struck: Ended, again: Ended) -> Iterator[str]:
        """Of the next run: it cleans up, and gives what it should."""
        is_done = "new" in self._states(struck.files).values() or struck.has_journal
        if again.files != self.clean.files and not (self.case.adds and is_done):
            differ = [name for name, state in self._states(again.files).items() if state in ("old", "other")]
            yield f"the next run gives other files: {differ}: {again.said.decode()[-600:]}"
        yield from self._losses_of_logs(again, is_same=not (self.case.adds and is_done))
        words = [b"already", b"not empty", b"File exists"]
        words += [b"add --overwrite"] if struck.recorded < self.clean.recorded else []
        refused = again.code in (1, 2) and any(word in again.said for word in words)
        if again.code != self.clean.code and not refused:
            yield f"the next run ends with {again.code}: {again.said.decode()[-600:]}"
        if again.left:
            yield f"the next run leaves {', '.join(one.name for one in again.left)}"
        if CANARY.encode() in again.said or b"Traceback" in again.said:
            yield "the next run shows too much"
        if (
            any(one.name.startswith(".reidrisk") for one in struck.left)
            and b"interrupted run" not in again.said
        ):
            yield "the next run does not name what it removes"

    def _states(self, files: Files) -> dict[str, str]:
        """Whether each name has what it had before, or what a whole run gives it."""
        found = {}
        for name in sorted({*self.before, *self.clean.files, *files}):
            old, new, now = self.before.get(name), self.clean.files.get(name), files.get(name)
            same = "same" if old == new else "old"
            found[name] = same if now == old else "new" if now == new else "other"
        return found


def _heard(pipe: int, child: int) -> bytes:
    """Everything that a process prints; one that hangs is killed by a signal that no fault uses."""
    said, end = b"", time.monotonic() + PATIENCE
    with os.fdopen(pipe, "rb") as source:
        while ready := select.select([source], [], [], max(0.0, end - time.monotonic()))[0]:
            piece = os.read(ready[0].fileno(), 65536)
            if not piece:
                return said
            said += piece
    os.kill(child, signal.SIGQUIT)
    return said


def _be_the_command(case: Case, place: Path, output: int, counted: Path, fault: Fault | None) -> None:
    """Run the command in this copy of the process, and end it as a process ends."""
    code = 70
    try:
        _forget_what_ends_the_parent()
        _work_in(place)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", closefd=False)
        shim = Shim(place, fault)
        shim.install()
        try:
            case.run()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0
        sys.stdout.flush()
        atexit._run_exitfuncs()
        if fault is None:
            shim.root = Path("/nowhere")
            counted.write_text("\n".join(shim.seen))
    finally:
        os._exit(code)


def _work_in(place: Path) -> None:
    os.chdir(place)
    os.environ["XDG_STATE_HOME"] = str(place / STATE)
    tempfile.tempdir = str(place / TEMP)


def _refuse(*_: Any, **__: Any) -> bytes:
    raise SystemExit(0)


def _forget_what_ends_the_parent() -> None:
    """What the process of the tests does at its end is not for its copies."""
    atexit._clear()
    weakref.finalize._registry.clear()  # type: ignore[attr-defined]
    weakref.finalize._registered_with_atexit = False  # type: ignore[attr-defined]
    atexit.register(remove_own)


def files_in(place: Path) -> Files:
    """Every file under its name, with what is in it; logs, locks and the record of the user are apart."""
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file()
        and not any(_is_work(parent) for parent in path.relative_to(place).parents)
        and not path.match(LOG_PATH)
        and not path.match(f"{JOBS}/lock")
        and not path.is_relative_to(place / STATE)
    }


def logs_in(place: Path) -> Files:
    """The logs of release folders."""
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob(LOG_PATH))}


def recorded_in(place: Path) -> int:
    """How many outputs are recorded as written by us."""
    record = place / STATE / "reidrisk" / RECORD
    return sum(len(line) == 64 for line in record.read_bytes().split()) if record.is_file() else 0


def _last(log: bytes) -> dict[str, Any]:
    """What the last line of a log tells, but for its time and place in the chain."""
    entries = check_trail(log, "").entries
    nothing: dict[str, Any] = {"command": None, "options": (), "inputs": (), "outputs": ()}
    last = entries[-1] if entries else nothing
    paths = {name: [line["path"] for line in last[name]] for name in ("inputs", "outputs")}
    return {"command": last["command"], "options": last["options"], **paths}


def without_torn_line(name: str, data: bytes) -> bytes | None:
    """A journal as it is read: without a line that was cut short; None if there is no complete line."""
    if not fnmatch(name, JOURNALS):
        return data
    return data[: data.rfind(b"\n") + 1] or None


def comparable(name: str, data: bytes) -> bytes:
    """Of a file that differs from run to run: what shows that it is whole."""
    if name.endswith(".pdf"):
        return b"PDF" if data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF") else data
    if name.endswith(".json"):
        try:
            return " ".join(json.loads(data)).encode()
        except ValueError:
            return data
    return b"X" * len(data)


def _is_among(name: str, patterns: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns.split())


def work_folders(place: Path) -> tuple[Path, ...]:
    """Work folders, the outermost ones."""
    found = [path for path in sorted(place.rglob("*")) if path.is_dir() and _is_work(path)]
    return tuple(path for path in found if not any(parent in found for parent in path.parents))


def _is_work(path: Path) -> bool:
    return any(path.match(pattern) for pattern in WORK)

"""The trail of a release folder: every command that wrote into it, in lines that are chained by hashes.

A release folder is a folder with a file `release.yaml` or a folder `.reidrisk`; the folder of an assessment
is one. A file that a command writes belongs to the nearest release folder above it. No value of an option
and nothing of the data is recorded, only names of files with their hashes.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reidrisk.core.about import versions
from reidrisk.core.appending import append_whole, wait_for_turn
from reidrisk.core.recovery import sync_folder
from reidrisk.core.regular_files import hash_regular, read_regular
from reidrisk.core.wording import one_line, path_text, plural
from reidrisk.core.work_folder import is_work_name
from reidrisk.errors import ReidRiskError, UnreadableFile

FOLDER, LOG, RELEASE_FILE = ".reidrisk", "log.jsonl", "release.yaml"
LOG_PATH = f"{FOLDER}/{LOG}"
MOST_BYTES = 256 * 2**20
MOST_FILES = 12
"""More files of one folder become one line with a hash over their list."""
NEEDED = ("number", "previous", "time", "user", "command", "options", "versions", "inputs", "outputs")


@dataclass(slots=True)
class Recorder:
    """What one command has written so far, and what is known about the command."""

    command: str
    options: Sequence[str] = ()
    name: str | None = None
    """The name that the user gave, such as that of a signer."""
    inputs: Sequence[Path] = ()
    written: dict[Path, bool] = field(default_factory=dict)
    """Whether each of them is a secret, of which no hash may be kept."""


_RECORDERS: list[Recorder] = []
"""The commands that run now, the innermost last. All threads of a command write for it."""


def log_written(path: str | Path, *, is_secret: bool = False) -> None:
    """Record that a file or folder is complete under its name; of a secret only the name is logged.

    What is in a work folder is no output, also if it could not be removed at once.
    """
    place = Path(path).resolve()
    if _RECORDERS and not any(is_work_name(name) for name in place.parts):
        _RECORDERS[-1].written[place] = is_secret


def is_recording() -> bool:
    """Whether a command already records what is written."""
    return bool(_RECORDERS)


@contextmanager
def recorded(recorder: Recorder) -> Iterator[Recorder]:
    """Record what is written inside, and log it at the end, also if the command failed."""
    _RECORDERS.append(recorder)
    try:
        yield recorder
    except SystemExit as end:
        _RECORDERS.remove(recorder)
        _log(recorder, end.code if isinstance(end.code, int) else 0)
        raise
    except BaseException as error:
        _RECORDERS.remove(recorder)
        with suppress(ReidRiskError):  # why the command failed is what the user must see
            _log(recorder, getattr(error, "exit_code", 1))
        raise
    _RECORDERS.remove(recorder)
    _log(recorder, 0)


def release_folder_of(path: Path) -> Path | None:
    """The nearest release folder above a file, or at a folder; None if there is none."""
    start = path if path.is_dir() else path.parent
    for folder in (start, *start.parents):
        if (folder / FOLDER).is_dir() or (folder / RELEASE_FILE).is_file():
            return folder
    return None


def _log(recorder: Recorder, code: int) -> None:
    by_folder: dict[Path, list[Path]] = {}
    for path in recorder.written:
        folder = release_folder_of(path) if path.exists() else None
        if folder is not None:
            own = list(path.iterdir()) if path == folder else [path]  # a release folder that is new
            by_folder.setdefault(folder, []).extend([] if recorder.written[path] else own)
    for folder, outputs in by_folder.items():
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "user": system_user(),
            "name": recorder.name,
            "command": recorder.command,
            "options": list(recorder.options),
            "exit_code": code,
            "versions": versions(),
            "inputs": file_lines(_inputs(recorder), folder),
            "outputs": file_lines(outputs, folder) + _secret_lines(recorder, folder),
        }
        append(folder, entry)


def log_viewed(folder: Path, what: str, *, name: str | None) -> None:
    """Log that somebody looked at data in a release folder: what it was, without any of its values."""
    append(
        folder,
        {
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "user": system_user(),
            "name": name,
            "command": one_line(what),
            "options": [],
            "exit_code": 0,
            "versions": versions(),
            "inputs": [],
            "outputs": [],
        },
    )


def _inputs(recorder: Recorder) -> list[Path]:
    """What was read; a file or folder that the command wrote is no input, also if it was there before."""
    return [
        path for path in recorder.inputs if not any(made.is_relative_to(path) for made in recorder.written)
    ]


def _secret_lines(recorder: Recorder, folder: Path) -> list[dict[str, Any]]:
    """Key files in the folder, without their hashes."""
    found = [path for path, is_secret in recorder.written.items() if is_secret and path.exists()]
    own = [path for path in found if release_folder_of(path) == folder]
    return [{"path": _relative(path, folder), "sha256": None, "bytes": None} for path in own]


def system_user() -> str:
    """The name of the user on this system."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # a user without a name, as in some containers and services
        return f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown"


def file_lines(paths: Sequence[Path], folder: Path) -> list[dict[str, Any]]:
    """Path, hash and size of files; a folder, or many files of one folder, are one line."""
    folders = [path for path in paths if path.is_dir()]
    single: dict[Path, list[Path]] = {}
    for path in paths:
        if path.is_file() and not any(path.is_relative_to(one) for one in folders):
            single.setdefault(path.parent, []).append(path)
    found = [_line(one, sorted(file for file in one.rglob("*") if file.is_file()), folder) for one in folders]
    for parent, files in single.items():
        if len(files) > MOST_FILES:
            found.append(_line(parent, sorted(files), folder))
        else:
            found += [_file_line(path, folder) for path in files]
    return sorted(found, key=lambda line: str(line["path"]))


def _file_line(path: Path, folder: Path) -> dict[str, Any]:
    digest, size = hash_regular(path, follow=True)
    return {"path": _relative(path, folder), "sha256": digest, "bytes": size}


def _line(place: Path, files: Sequence[Path], folder: Path) -> dict[str, Any]:
    """One line for many files: the hash of their list as `sha256sum` prints it."""
    whole, size = hashlib.sha256(), 0
    for path in files:
        digest, own = hash_regular(path, follow=True)
        whole.update(f"{digest}  {path_text(path.relative_to(place).as_posix())}\n".encode())
        size += own
    return {
        "path": f"{_relative(place, folder)}/",
        "files": len(files),
        "sha256": whole.hexdigest(),
        "bytes": size,
    }


def _relative(path: Path, folder: Path) -> str:
    return path_text(Path(os.path.relpath(path, folder)).as_posix())


def append(folder: Path, entry: Mapping[str, Any]) -> None:
    """Add a line to the log of a release folder; it is on the disk when this returns."""
    place = folder / FOLDER
    try:
        place.mkdir(exist_ok=True)
        if place.is_symlink():
            raise UnreadableFile(f"{path_text(place)} is a link.", hint="Remove the link.")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(place / LOG, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
        try:
            wait_for_turn(descriptor)
            _append_line(descriptor, read_regular(place / LOG, most=MOST_BYTES), entry)
        finally:
            os.close(descriptor)
        sync_folder(place)
    except (OSError, MemoryError) as error:
        reason = getattr(error, "strerror", "there is not enough memory") or "refused"
        raise UnreadableFile(
            f"The log of {path_text(folder)} cannot be written: {reason}.",
            hint="The files of this command were written. Check the permissions of its folder "
            f"{FOLDER} and the free disk space.",
        ) from None


def _append_line(descriptor: int, before: bytes, entry: Mapping[str, Any]) -> None:
    """Write the next line as a whole, or leave the log as it was."""
    *lines, rest = before.split(b"\n")
    known = [*lines, rest] if rest else lines
    previous = line_hash(known[-1]) if known else None
    chained = {"number": len(known) + 1, "previous": previous, **entry}
    text = json.dumps(chained, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace")
    ended = b"\n" if rest else b""  # a torn line stays, and is chained like any other
    append_whole(descriptor, ended + text + b"\n", size=len(before))


def line_hash(line: bytes) -> str:
    """SHA-256 of a line without its line break."""
    return hashlib.sha256(line).hexdigest()


@dataclass(frozen=True, slots=True)
class Trail:
    """The log of a release folder, as it was read and checked."""

    folder: str
    entries: tuple[Mapping[str, Any], ...]
    hashes: tuple[str, ...]
    """The hash of every line, torn lines too."""
    problems: tuple[str, ...]
    """What shows that somebody changed the log."""
    notes: tuple[str, ...]
    """What a crash left."""

    @property
    def holds(self) -> bool:
        """Whether every line is chained to the one before."""
        return not self.problems

    @property
    def head(self) -> str | None:
        """The hash of the last line; None if the log is empty."""
        return self.hashes[-1] if self.hashes else None

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "kind": "log",
            "folder": self.folder,
            "holds": self.holds,
            "lines": len(self.hashes),
            "head": self.head,
            "problems": list(self.problems),
            "notes": list(self.notes),
            "entries": [dict(entry) for entry in self.entries],
        }

    def __str__(self) -> str:
        state = "every line is chained to the one before" if self.holds else "BROKEN"
        lines = [f"Log of {self.folder}: {plural(len(self.hashes), 'line')}; {state}.", ""]
        lines += [_entry_text(entry) for entry in self.entries]
        lines += [f"  - {text}" for text in (*self.problems, *self.notes)]
        lines += ["", f"Hash of the last line: {self.head}"] if self.head else []
        return "\n".join(lines)


def _entry_text(entry: Mapping[str, Any]) -> str:
    who = f"{entry['name']} ({entry['user']})" if entry.get("name") else entry["user"]
    options = " ".join(["", *entry["options"]])
    files = [line["path"] for line in entry["outputs"]]
    shown = ", ".join(files[:4]) + (f" and {len(files) - 4} more" if len(files) > 4 else "")
    return one_line(f"{entry['number']:>4}  {entry['time']}  {who}: {entry['command']}{options} -> {shown}")


def read_trail(folder: str | Path) -> Trail:
    """Read the log of a release folder and check its chain."""
    place = Path(folder)
    if not (place / FOLDER / LOG).exists():
        raise UnreadableFile(
            f"{path_text(place)} has no log.",
            hint=f"Name a release folder: commands that write into it keep the log in {LOG_PATH}.",
        )
    return check_trail(read_regular(place / FOLDER / LOG, most=MOST_BYTES), path_text(place))


def check_trail(content: bytes, folder: str) -> Trail:
    """Check the chain of a log, line by line."""
    *lines, rest = content.split(b"\n")
    every = [*lines, rest] if rest else lines
    entries: list[Mapping[str, Any]] = []
    problems: list[str] = []
    notes: list[str] = []
    for number, line in enumerate(every, start=1):
        entry = _parsed(line)
        previous = line_hash(every[number - 2]) if number > 1 else None
        if entry is None:
            followed = number < len(every) and (_parsed(every[number]) or {}).get("previous") == line_hash(
                line
            )
            is_crash = followed or (bool(rest) and number == len(every))
            (notes if is_crash else problems).append(
                f"Line {number} is incomplete: a command was stopped while it wrote it."
                if is_crash
                else f"Line {number} is not an entry of a log."
            )
            continue
        if entry["number"] != number:
            problems.append(f"Line {number} has the number {entry['number']}: lines were removed or added.")
        if entry["previous"] != previous:
            problems.append(f"Line {number} does not follow from the line before: a line was changed.")
        entries.append(entry)
    return Trail(folder, tuple(entries), tuple(map(line_hash, every)), tuple(problems), tuple(notes))


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The entry in a line; None if there is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and _is_entry(found) else None


def _is_entry(found: Mapping[str, Any]) -> bool:
    lists = (found.get("options"), found.get("inputs"), found.get("outputs"))
    return (
        all(name in found for name in NEEDED)
        and all(isinstance(one, list) for one in lists)
        and all(isinstance(one, str) for one in found["options"])
        and all(
            isinstance(line, dict) and isinstance(line.get("path"), str)
            for one in lists[1:]
            for line in one or ()
        )
        and isinstance(found["number"], int)
        and isinstance(found.get("name"), str | None)
        and all(isinstance(found[name], str) for name in ("time", "user", "command"))
    )

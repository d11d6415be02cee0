"""Replace only files that reidrisk wrote and nobody changed since.

What commands write is recorded in one file of the user, not next to the outputs: a hidden file there would
travel with the release. The record has one hash per file, made from its path and its content, and no name. A
file that is not in it was made, moved or edited by somebody. Without the record, every file counts as such.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reidrisk.core.file_set import FileSet

RECORD = "written.txt"
MOST_BYTES = 4 * 2**20
"""A record of some 60,000 files; a longer one forgets the older half."""


def refuse_foreign(targets: Iterable[Path], *, hint: str) -> None:
    """Before any work: refuse to replace a file of somebody else."""
    present = [target for target in targets if target.is_file()]
    lines = _recorded() if present else frozenset()
    foreign = next((target for target in present if _line(target, target) not in lines), None)
    if foreign is not None:
        from reidrisk.core.wording import path_text
        from reidrisk.errors import UnreadableFile

        raise UnreadableFile(
            f"{path_text(foreign)} exists, and reidrisk did not write it, or it was changed since.",
            hint=hint,
        )


def is_own_file(path: Path) -> bool:
    """Whether reidrisk wrote a file and nobody changed it since."""
    target = path.resolve()
    return target.is_file() and _line(target, target) in _recorded()


def recording_written(targets: Iterable[Path]) -> AbstractContextManager[None]:
    """Record which of these files are written in the block."""
    from reidrisk.core.file_set import before_names

    return before_names(partial(_record, list(targets)))


def record_path() -> Path:
    """The record of this user: in the folder that the system has for such files."""
    if sys.platform in ("darwin", "win32"):
        from click import get_app_dir

        return Path(get_app_dir("reidrisk", roaming=False)) / RECORD
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "reidrisk" / RECORD


def _record(targets: Iterable[Path], files: FileSet) -> None:
    """Record files that are about to get their names.

    A run that is killed later has recorded what the next run completes. A line for a file that never gets
    its name does no harm: it is true of nothing else.
    """
    staged = {target: files.now_at(target) for target in targets}
    lines = [_line(target, now) for target, now in staged.items() if now != target and now.is_file()]
    if not lines:
        return
    with suppress(OSError, RuntimeError):  # no home, or one that cannot be written: --overwrite is needed
        _append("".join(f"\n{line}\n" for line in lines).encode())


def _append(text: bytes) -> None:
    path = record_path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        kept = path.read_bytes()[-MOST_BYTES // 2 :]
        part = path.with_name(f"{path.name}.{os.getpid()}")
        part.write_bytes(kept)
        part.replace(path)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
        file.write(text)


def _recorded() -> frozenset[str]:
    """The lines of the record; none if it cannot be read."""
    try:
        return frozenset(record_path().read_text(encoding="ascii", errors="replace").split())
    except (OSError, RuntimeError):
        return frozenset()


def _line(target: Path, now: Path) -> str:
    """A hash of the path of a file and of the content that it has, or will have."""
    with now.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").digest()
    return hashlib.sha256(os.fsencode(target) + b"\0" + content).hexdigest()

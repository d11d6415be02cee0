"""Replace only files that reidrisk wrote and nobody changed since.

A folder with files that a command wrote has a record, `.reidrisk/written.json`, with the name and the SHA-256
of each. A file that is not in it, or that has another content, was made or edited by somebody.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

HIDDEN, RECORD = ".reidrisk", "written.json"


def refuse_foreign(targets: Iterable[Path], *, hint: str) -> None:
    """Before any work: refuse to replace a file of somebody else."""
    foreign = [target for target in targets if _is_foreign(target)]
    if foreign:
        from reidrisk.core.wording import path_text
        from reidrisk.errors import UnreadableFile

        raise UnreadableFile(
            f"{path_text(foreign[0])} exists, and reidrisk did not write it, or it was changed since.",
            hint=hint,
        )


def recorder_of(targets: Iterable[Path]) -> Callable[[], None]:
    """To be called after the work: records which of these files are new or have changed since now."""
    return partial(_record, {target: _state(target) for target in targets})


def written_files(folder: Path) -> dict[str, str]:
    """The files of a folder that were recorded, with their hashes; none if the record is damaged."""
    try:
        content = json.loads((folder / HIDDEN / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    files = content.get("files") if isinstance(content, dict) else None
    if not isinstance(files, dict):
        return {}
    return {str(name): digest for name, digest in files.items() if isinstance(digest, str)}


def _is_foreign(target: Path) -> bool:
    if not target.is_file():
        return False
    return written_files(target.parent).get(target.name) != _sha256(target)


def _record(before: dict[Path, Any]) -> None:
    """Record what is there now and was not before; a folder that cannot be written has no record."""
    by_folder: dict[Path, list[Path]] = {}
    for target, state in before.items():
        if target.is_file() and _state(target) != state:
            by_folder.setdefault(target.parent, []).append(target)
    for folder, targets in by_folder.items():
        kept = {name: digest for name, digest in written_files(folder).items() if (folder / name).is_file()}
        content = kept | {target.name: _sha256(target) for target in targets}
        with suppress(OSError):
            _write(folder / HIDDEN, {"files": dict(sorted(content.items()))})


def _write(hidden: Path, content: dict[str, Any]) -> None:
    from reidrisk.core.files import write_text
    from reidrisk.errors import UnreadableFile

    hidden.mkdir(mode=0o700, exist_ok=True)
    with suppress(UnreadableFile):
        write_text(hidden / RECORD, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _state(target: Path) -> Any:
    try:
        found = target.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

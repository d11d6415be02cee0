"""Many documents: which ones are meant, and how one that fails does not stop the others."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.documents.kinds import SUFFIXES
from reidrisk.errors import FailedCheck, InvalidSetting, ReidRiskError, UnreadableFile


def document_paths(given: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files that paths, folders and patterns mean, each once; no two of one name."""
    found: dict[Path, None] = {}
    for one in given:
        found |= dict.fromkeys(_files(str(one)))
    names = Counter(path.name for path in found)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InvalidSetting(
            f"Two documents are called {path_text(twice[0])}.",
            hint="Rename one of them, or work on them one by one.",
        )
    return tuple(found)


def _files(given: str) -> list[Path]:
    path = Path(given)
    if path.is_dir():
        inside = sorted(one for one in path.rglob("*") if one.is_file() and not one.name.startswith("."))
        return [one for one in inside if one.suffix.lower() in SUFFIXES]
    if path.exists():
        return [path]
    found = sorted(Path(name) for name in glob.glob(given, recursive=True))  # noqa: PTH207
    if not found:
        raise UnreadableFile(
            f"{path_text(given)} is no document, folder or pattern that finds one.", hint="Check the path."
        )
    return found


def told(error: Exception) -> ReidRiskError:
    """An error in our own words; those of others may quote the document."""
    if isinstance(error, ReidRiskError):
        return error
    if isinstance(error, OSError):
        return UnreadableFile(
            f"{error.strerror or 'The operating system refused'}.", hint="Check the rights and the disk."
        )
    if os.environ.get("REIDRISK_DEBUG"):
        raise error
    return FailedCheck(
        f"reidrisk has a defect: {type(error).__name__}.",
        hint="Please report it. REIDRISK_DEBUG=1 shows the full trace, which may quote your data.",
    )

"""Documents are known by the hash of their bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.errors import UnreadableFile

_CHUNK = 2**20


def sha256_of(path: str | Path) -> str:
    """The SHA-256 of a file, read piece by piece."""
    digest = hashlib.sha256()
    try:
        with Path(path).open("rb") as file:
            while piece := file.read(_CHUNK):
                digest.update(piece)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(
            f"{path_text(path)} cannot be read: {reason}.", hint="Check the path."
        ) from error
    return digest.hexdigest()

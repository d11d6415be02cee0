"""The key file for pseudonyms and random steps."""

from __future__ import annotations

import secrets
from pathlib import Path

from reidrisk.core.files import write_new
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile

LEAST = 16
"""Smallest key in bytes; a shorter key could be guessed."""


def read_key(path: str | Path) -> bytes:
    """Read a key file, without line breaks at its start or end."""
    place = path_text(path)
    try:
        key = Path(path).read_bytes().strip(b"\r\n")
    except OSError as error:
        raise UnreadableFile(
            f"The key file {place} cannot be read: {error.strerror or 'the operating system refused'}.",
            hint="Create one with: reidrisk table key FILE",
        ) from None
    if len(key) < LEAST:
        raise InvalidSetting(
            f"The key in {place} has {len(key)} bytes; at least {LEAST} are needed.",
            hint="Create one with: reidrisk table key FILE",
        )
    return key


def make_key(path: str | Path) -> None:
    """Write a new random key that only its owner can read; an existing file is never replaced."""
    try:
        write_new(path, f"{secrets.token_hex(32)}\n".encode("ascii"), mode=0o600)
    except UnreadableFile as error:
        raise UnreadableFile(
            error.problem.replace("cannot be written", "cannot be created"),
            hint="Choose a file that does not exist yet: pseudonyms of a lost key cannot be reproduced.",
        ) from None

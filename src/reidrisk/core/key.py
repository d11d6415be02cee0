"""The key file for pseudonyms and random steps."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

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
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise UnreadableFile(
            f"{path_text(path)} cannot be created: {error.strerror or 'the operating system refused'}.",
            hint="Choose a file that does not exist yet: pseudonyms of a lost key cannot be reproduced.",
        ) from None
    with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123 - the descriptor sets the permissions
        file.write(f"{secrets.token_hex(32)}\n")

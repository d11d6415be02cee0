"""Key files: one kind for pseudonyms and random steps, another for signing; only the owner reads them."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.core.file_set import at_once, clear_left, together
from reidrisk.core.files import write_new
from reidrisk.core.shell import shell_word
from reidrisk.core.signing_key import ed25519_pair
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile

LEAST = 16
"""Smallest key in bytes; a shorter key could be guessed."""
SIGNING, PSEUDONYMS = "signing", "pseudonyms"
PURPOSES = (SIGNING, PSEUDONYMS)
PEM = b"-----BEGIN"
GIVEN_KEY = "the file that you chose"
OTHERS = stat.S_IRWXG | stat.S_IRWXO
NEW_PSEUDONYMS = "Create one with: reidrisk key new FILE --for pseudonyms"
NEW_SIGNING = "Create one with: reidrisk key new FILE --for signing"


def read_key(path: str | Path) -> bytes:
    """Read a key file for pseudonyms, without line breaks at its start or end."""
    place = path_text(path)
    key = read_private(path, hint=NEW_PSEUDONYMS).strip(b"\r\n")
    if PEM in key:
        raise InvalidSetting(
            f"{place} is a key for signing, not for pseudonyms.", hint=f"Use another key. {NEW_PSEUDONYMS}"
        )
    if len(key) < LEAST:
        raise InvalidSetting(
            f"The key in {place} has {len(key)} bytes; at least {LEAST} are needed.", hint=NEW_PSEUDONYMS
        )
    return key


def read_signing_key(path: str | Path | bytes) -> bytes:
    """Read a private key for signing, as PEM, or check its content; it may need a passphrase."""
    is_content = isinstance(path, bytes)
    place = GIVEN_KEY if isinstance(path, bytes) else path_text(path)
    content = path if isinstance(path, bytes) else read_private(path, hint=NEW_SIGNING)
    if is_content and not content:
        raise InvalidSetting("There is no key.", hint=NEW_SIGNING)
    if PEM not in content:
        raise InvalidSetting(
            f"{place} is a key for pseudonyms, not for signing.", hint=f"Use another key. {NEW_SIGNING}"
        )
    if b"PRIVATE KEY-----" not in content:
        raise InvalidSetting(
            f"{place} is a public key.", hint="Signing needs the private key: the file without .pub."
        )
    return content


def read_private(path: str | Path, *, hint: str) -> bytes:
    """Read a file that nobody but its owner may read; others are refused with what to type."""
    place = path_text(path)
    try:
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISREG(mode) and mode & OTHERS and sys.platform != "win32":
                raise InvalidSetting(
                    f"Other users of this computer can read the key file {place}.",
                    hint=f"Let only its owner read it: chmod 600 {shell_word(place)}",
                )
            return file.read()
    except OSError as error:
        raise UnreadableFile(
            f"The key file {place} cannot be read: {error.strerror or 'the operating system refused'}.",
            hint=hint,
        ) from None


def make_key(path: str | Path) -> None:
    """Write a new random key for pseudonyms that only its owner can read; no file is replaced."""
    with _creating():
        write_new(path, f"{secrets.token_hex(32)}\n".encode(), mode=0o600)


def new_key(
    path: str | Path, purpose: str, *, passphrase: str | None = None, name: str | None = None
) -> Path | None:
    """Write a new key that only you can read, for `signing` or for `pseudonyms`; no file is replaced.

    A key for signing has a public key beside it, FILE.pub, whose path is returned: give it to those who
    verify. `name` is the name of its owner. With `passphrase`, the private key is encrypted.
    """
    if purpose not in PURPOSES:
        raise InvalidSetting.among("The purpose of a key", str(purpose), PURPOSES)
    if purpose == PSEUDONYMS:
        if passphrase is not None or name is not None:
            raise InvalidSetting(
                "A key for pseudonyms has no passphrase and no name.", hint="Leave them out."
            )
        make_key(path)
        return None
    public = Path(f"{path}.pub")
    clear_left(public.parent)  # what a killed run left may be this key
    if public.exists():
        raise UnreadableFile(f"{path_text(public)} already exists.", hint="Choose another file.")
    pair = ed25519_pair(passphrase, name)
    with _creating():
        write_new(path, pair.private, mode=0o600)
        write_new(public, pair.public, mode=0o644)
    return public


@contextmanager
def _creating() -> Iterator[None]:
    """New files appear together at the end of the block, and do not wait for others of the command."""
    try:
        with at_once(), together():
            yield
    except UnreadableFile as error:
        raise UnreadableFile(
            error.problem.replace("cannot be written", "cannot be created"),
            hint="Choose a file that does not exist yet: a lost key cannot be made again.",
        ) from None

"""Bytes to text and back, with byte order marks and line ends as they were."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.resynthesis.real import unaccented
from reidrisk.text.formats.reader import file_errors

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file writes its characters."""

    name: str
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """As the file had it; a letter of a surrogate that the encoding lacks loses its accent."""
        try:
            return self.mark + text.encode(self.name)
        except UnicodeEncodeError:
            return self.mark + unaccented(text).encode(self.name, "replace")


def encoding_of(path: Path, given: str | None) -> Encoding:
    """The encoding that is named, or the one that the first bytes tell."""
    if given is not None:
        try:
            return Encoding(codecs.lookup(given).name)
        except LookupError:
            raise InvalidSetting(
                f"There is no encoding {given!r}.", hint="Usual ones are utf-8, cp1252, latin-1, utf-16."
            ) from None
    with file_errors(path), path.open("rb") as file:
        head = file.read(4)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, mark)
    return Encoding("utf-8")


def read_text(path: Path, given: str | None) -> tuple[str, Encoding]:
    """A whole text file."""
    encoding = encoding_of(path, given)
    with file_errors(path):
        data = path.read_bytes()
    try:
        text = data.removeprefix(encoding.mark).decode(encoding.name)
    except UnicodeDecodeError:
        raise wrong_encoding(path, encoding) from None
    if "\0" in text:
        raise no_text(path, text.index("\0"))
    return text, encoding


def wrong_encoding(path: Path, encoding: Encoding) -> UnreadableFile:
    """The refusal, with the place of the first byte that does not fit."""
    at, decoder = 0, codecs.getincrementaldecoder(encoding.name)()
    with file_errors(path), path.open("rb") as file:
        file.seek(len(encoding.mark))
        while chunk := file.read(_CHUNK):
            if b"\0" in chunk and encoding.name == "utf-8":
                return no_text(path, at + chunk.index(b"\0"))
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                at += error.start - pending
                break
            at += len(chunk)
    return UnreadableFile(
        f"{path_text(path)}: byte {len(encoding.mark) + at} (from 0) is not valid {encoding.name}.",
        hint="Name the encoding, for example --encoding cp1252.",
    )


def no_text(path: Path, at: int) -> UnreadableFile:
    """The refusal of a binary file."""
    return UnreadableFile(
        f"{path_text(path)} is no text: it holds a zero byte at {at}.",
        hint="Leave out images, PDF and Office files; UTF-16 text without a mark needs --encoding utf-16-le.",
    )

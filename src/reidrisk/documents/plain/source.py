"""Load a text document, or say why that cannot be done."""

from __future__ import annotations

from pathlib import Path

from reidrisk.core.encoding import byte_order_mark
from reidrisk.errors import UnreadableFile

LARGEST = 256 * 2**20
"""Bytes; a thousand pages of text have three million."""
_ANOTHER = {
    b"%PDF": "PDF",
    b"PK\x03\x04": "a zip file, as DOCX is",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "packed with gzip",
}


def load(path: str | Path) -> bytes:
    """The bytes of a file that is no other kind of document."""
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST:
            raise UnreadableFile(
                f"{path} is larger than {LARGEST // 2**20} MiB.", hint="Split it into several documents."
            )
        data = file.read_bytes()
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check the path.") from error
    if not data:
        raise UnreadableFile(f"{path} is empty: 0 bytes.", hint="Export or copy the document again.")
    for start, kind in _ANOTHER.items():
        if data.startswith(start):
            raise UnreadableFile(
                f"{path} is no text but {kind}.", hint="Give it the extension of what it is."
            )
    return data


def decoded(data: bytes, path: str | Path, *, declared: str | None = None) -> str:
    """The text of a file in UTF-8 or, if it says so, in another encoding; without its byte order mark."""
    found = byte_order_mark(data)
    try:
        text = data.removeprefix(found.mark).decode(found.encoding or declared or "utf-8")
    except (UnicodeDecodeError, LookupError):
        raise UnreadableFile(
            f"{path} is no text in UTF-8.", hint="Save it as UTF-8, for instance with iconv, and give that."
        ) from None
    if "\0" in text:
        raise UnreadableFile(
            f"{path} is no text: it holds zero bytes.", hint="Check what kind of file it is."
        )
    return text

"""Plain text and Markdown: the file is the text, and everything in it can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reidrisk.core.encoding import byte_order_mark
from reidrisk.documents.document import Block, Change, Check, Look, Written, new_file
from reidrisk.documents.places import Edit, MappedText, apply_changes, spliced
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


def read_text(path: str | Path) -> Iterator[Block]:
    """One block with the whole file, the signs of Markdown included."""
    yield Block("text", decoded(load(path), path))


def write_text(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    check: Check | None = None,
) -> Written:
    """Write a copy in UTF-8 with the changes; `check` sees the file before it gets its name.

    Where a box would be drawn, the label stands in brackets.
    """
    whole = _WholeText(decoded(load(source), source))
    mapped = MappedText("text")
    mapped.add(whole, whole.text)
    removed = apply_changes([mapped], changes, look or Look())
    with new_file(source, out, check) as part:
        part.write_bytes(whole.text.encode())
    return Written(1, len(removed))


class _WholeText:
    """The text of a file."""

    def __init__(self, text: str) -> None:
        self.text = text

    def edit(self, edits: Sequence[Edit]) -> None:
        self.text = spliced(self.text, edits)

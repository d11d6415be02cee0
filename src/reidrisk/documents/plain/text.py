"""Plain text and Markdown: the file is the text, and everything in it can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path

from reidrisk.core.encoding import byte_order_mark
from reidrisk.documents.document import Block, Change, Check, DocumentFormat, Look, Written, new_file
from reidrisk.documents.places import Edit, MappedText, apply_changes, spliced
from reidrisk.documents.plain.proof import TEXT_TEXTS
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
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check the path.") from None
    if not data:
        raise UnreadableFile(f"{path} is empty: 0 bytes.", hint="Export or copy the document again.")
    for start, kind in _ANOTHER.items():
        if data.startswith(start):
            raise UnreadableFile(
                f"{path} is not a text file but {kind}.", hint="Rename it with the right extension."
            )
    return data


def decoded(data: bytes, path: str | Path, *, declared: str | None = None) -> str:
    """The text of a file in UTF-8 or, if it says so, in another encoding; without its byte order mark."""
    found = byte_order_mark(data)
    try:
        text = data.removeprefix(found.mark).decode(found.encoding or declared or "utf-8")
    except (UnicodeDecodeError, LookupError):
        raise UnreadableFile(
            f"{path} is not text in UTF-8.", hint="Save it as UTF-8, for instance with iconv."
        ) from None
    if "\0" in text:
        raise UnreadableFile(
            f"{path} is not a text file: it contains zero bytes.", hint="Check what kind of file it is."
        )
    return text


class OpenText:
    """A text that is open: one block with the whole file, the signs of Markdown included."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._whole = _WholeText(decoded(load(path), path))
        self.blocks = (Block("text", self._whole.text),)

    def write(
        self, out: str | Path, changes: Iterable[Change], *, look: Look | None, check: Check | None
    ) -> Written:
        """Write a copy in UTF-8; where a box would be drawn, the label stands in brackets."""
        mapped = MappedText("text")
        mapped.add(self._whole, self._whole.text)
        removed = apply_changes([mapped], changes, look or Look())
        with new_file(self.path, out, check) as part:
            part.write_bytes(self._whole.text.encode())
        return Written(1, len(removed))


class _WholeText:
    """The text of a file."""

    def __init__(self, text: str) -> None:
        self.text = text

    def edit(self, edits: Sequence[Edit]) -> None:
        self.text = spliced(self.text, edits)


FORMAT = DocumentFormat(
    suffixes=(".txt", ".md"),
    opened=lambda path: nullcontext(OpenText(path)),
    texts=TEXT_TEXTS,
    is_wrapped=True,
)
read_text, write_text = FORMAT.read, FORMAT.write

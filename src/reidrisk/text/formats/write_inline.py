"""Writer of plain text with tags."""

from __future__ import annotations

from reidrisk.text.corpus import Document
from reidrisk.text.formats.inline import TYPE_NAME
from reidrisk.text.formats.reader import BYTE_ORDER_MARK
from reidrisk.text.formats.writer import FILE_NAME, Carries, FileEach


def _files(document: Document) -> dict[str, str]:
    text, parts, last = document.text or "", [], 0
    for mark in sorted(document.annotations, key=lambda mark: mark.start):
        parts += [text[last : mark.start], f"<{mark.type}>{text[mark.start : mark.end]}</{mark.type}>"]
        last = mark.end
    marked = "".join([*parts, text[last:]])
    # the reader takes the first byte order mark for one of the file
    mark_of_file = BYTE_ORDER_MARK if marked.startswith(BYTE_ORDER_MARK) else ""
    return {f"{document.id}.txt": mark_of_file + marked}


INLINE = FileEach("inline", "inline", Carries(overlaps=False, types=TYPE_NAME, names=FILE_NAME), _files)

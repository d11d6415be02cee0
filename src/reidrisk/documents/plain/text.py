"""Plain text and Markdown: the file is the text, and everything in it can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reidrisk.documents.document import Block, Change, Look
from reidrisk.documents.places import Edit, MappedText, apply_changes, spliced
from reidrisk.documents.plain.source import decoded, load
from reidrisk.documents.written import Check, Written, new_file


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
    whole = _Whole(decoded(load(source), source))
    mapped = MappedText("text")
    mapped.add(whole, whole.text)
    removed = apply_changes([mapped], changes, look or Look())
    with new_file(source, out, check) as part:
        part.write_bytes(whole.text.encode())
    return Written(1, len(removed))


class _Whole:
    """The text of a file."""

    def __init__(self, text: str) -> None:
        self.text = text

    def edit(self, edits: Sequence[Edit]) -> None:
        self.text = spliced(self.text, edits)

"""Write findings to a file that `text evaluate` can read, and read such files of other tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from reidrisk.core.files import whole_file
from reidrisk.core.shown_ids import shown_document
from reidrisk.detect.finding import Finding
from reidrisk.errors import MisalignedOffsets, UnmatchedDocuments
from reidrisk.resynthesis.corpus.note import Note
from reidrisk.resynthesis.replace import DeidentifiedNote
from reidrisk.text.corpus import Annotation
from reidrisk.text.formats.reader import BYTE_ORDER_MARK
from reidrisk.text.pairing import TextKey, in_text, same_text, shift_annotations
from reidrisk.text.read import read_documents

MARKS = "marks"
"""The source of findings that another tool or a reviewer made."""
Write = Callable[[Note, DeidentifiedNote], object]


@contextmanager
def findings_writer(path: Path | None, *, show_text: bool) -> Iterator[Write]:
    """Write the findings of every text, with offsets in both texts; the text only if `show_text`."""
    if path is None:
        yield lambda _note, _done: None
        return
    with whole_file(path) as file:
        yield lambda note, done: file.write(findings_line(note, done, show_text=show_text))


def findings_line(note: Note, done: DeidentifiedNote, *, show_text: bool) -> str:
    """The findings of a text as a line of JSON."""
    spans = [
        _span(one, new, note.before, note.text if show_text else None)
        for one, new in zip(done.findings, done.offsets.changes, strict=True)
    ]
    return json.dumps({"doc_id": note.id, "spans": spans}, ensure_ascii=False) + "\n"


def _span(one: Finding, change: tuple[int, int, int, int], before: int, text: str | None) -> dict[str, Any]:
    """A finding; offsets count the characters of the file before the text, as annotations do."""
    span: dict[str, Any] = {
        "start": one.start + before,
        "end": one.end + before,
        "label": one.type,
        "score": round(one.confidence, 4),
        "source": one.source,
        "new_start": change[2] + before,
        "new_end": change[3] + before,
    }
    return span if text is None else span | {"text": text[one.start : one.end]}


class Marks:
    """Annotations of another tool or a reviewer, by document."""

    def __init__(self, path: str | Path) -> None:
        self._found = {
            document.id: (
                replace(document, text=None),
                None if document.text is None else TextKey.of(document.text),
            )
            for document in read_documents(path)
        }

    def of(self, note: Note) -> tuple[Finding, ...]:
        """The annotations of a text; a text without an entry is an error."""
        if note.id not in self._found:
            raise UnmatchedDocuments(
                f"The annotations do not contain {shown_document(note.id)}.",
                hint="A document without identifiers needs an entry with no annotations.",
            )
        document, key = self._found[note.id]
        if key is not None and not same_text(key, note.text):
            raise MisalignedOffsets(
                f"The annotations belong to another text of {shown_document(note.id)}.",
                hint="Annotate exactly the text that you de-identify, including line ends and white space.",
            )
        # Annotations count a byte order mark; the text to de-identify is without it.
        placed = in_text(document, key, BYTE_ORDER_MARK * note.before + note.text, "refuse")
        marks = shift_annotations(placed.annotations, -note.before)
        return tuple(_finding(mark, piece) for mark in marks for piece in mark.pieces)


def _finding(mark: Annotation, piece: tuple[int, int]) -> Finding:
    confidence = 1.0 if mark.score is None else min(max(mark.score, 0.0), 1.0)
    return Finding(*piece, mark.type, confidence, MARKS)

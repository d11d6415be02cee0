"""Write findings to a file that `text evaluate` can read, and read such files of other tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reidrisk.core.files import whole_file
from reidrisk.detect.finding import Finding
from reidrisk.errors import UnmatchedDocuments
from reidrisk.resynthesis.corpus.note import Note
from reidrisk.resynthesis.replace import DeidentifiedNote
from reidrisk.text.read import read_documents

MARKS = "marks"
"""The source of findings that another tool or a reviewer made."""
Write = Callable[[Note, DeidentifiedNote], None]


@contextmanager
def findings_writer(path: Path | None, *, show_text: bool) -> Iterator[Write]:
    """Write the findings of every text, with offsets in both texts; the text only if `show_text`."""
    if path is None:
        yield lambda _note, _done: None
        return
    with whole_file(path) as file:

        def write(note: Note, done: DeidentifiedNote) -> None:
            spans = [
                _span(one, new, note.text if show_text else None)
                for one, new in zip(done.findings, done.offsets.changes, strict=True)
            ]
            file.write(json.dumps({"doc_id": note.id, "spans": spans}, ensure_ascii=False) + "\n")

        yield write


def _span(one: Finding, change: tuple[int, int, int, int], text: str | None) -> dict[str, Any]:
    span: dict[str, Any] = {
        "start": one.start,
        "end": one.end,
        "label": one.type,
        "score": round(one.confidence, 4),
        "source": one.source,
        "new_start": change[2],
        "new_end": change[3],
    }
    return span if text is None else span | {"text": text[one.start : one.end]}


class Marks:
    """Annotations of another tool or a reviewer, by document."""

    def __init__(self, path: str | Path) -> None:
        self._found = {
            document.id: tuple(
                Finding(
                    start,
                    end,
                    mark.type,
                    1.0 if mark.score is None else min(max(mark.score, 0.0), 1.0),
                    MARKS,
                )
                for mark in document.annotations
                for start, end in mark.pieces
            )
            for document in read_documents(path)
        }

    def of(self, note: Note) -> tuple[Finding, ...]:
        """The annotations of a text; a text without an entry is an error."""
        if note.id not in self._found:
            raise UnmatchedDocuments(
                f"The annotations do not contain document {note.id!r}.",
                hint="A document without identifiers needs an entry with no annotations.",
            )
        return self._found[note.id]

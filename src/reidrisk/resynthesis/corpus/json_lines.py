"""JSON lines: one object a line with a text in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reidrisk.core.files import written_whole
from reidrisk.errors import UnreadableFile
from reidrisk.resynthesis.corpus.note import Note, SourceOptions, Write, person_in
from reidrisk.text.formats import fields
from reidrisk.text.formats.location import ErrorsAt, unreadable
from reidrisk.text.formats.reader import ReadSettings, file_errors
from reidrisk.text.formats.strict_json import json_lines

TEXT = "text"
IDS = ("doc_id", "id", "note_id")
ANNOTATIONS = ("entities", "spans", "label", "labels", "annotations", "results", "items")
"""Fields that quote the old text or point into it: they are left out of what is written."""


class JsonLines:
    """Every line is read, its text replaced, and written with its other fields as they are."""

    unit = "bytes"

    def __init__(self, path: Path, options: SourceOptions) -> None:
        self._path, self._options = path, options
        self._texts = options.columns or (TEXT,)
        self._left_out: set[str] = set()
        with file_errors(path):
            self.total = path.stat().st_size

    @property
    def warnings(self) -> list[str]:
        """Annotations of the old text are not written."""
        if not self._left_out:
            return []
        names = ", ".join(sorted(self._left_out))
        return [f"Left out, since they quote the old text or point into it: the fields {names}."]

    def notes(self) -> Iterator[Note]:
        """One for every text field of every line."""
        done = 0
        for place, value in json_lines(self._path, ReadSettings()):
            with ErrorsAt(place):
                record = fields.object_of(value, "the line")
                name = str(next((record[key] for key in IDS if key in record), ""))
                person = self._person(record, name)
                self._left_out |= record.keys() & set(ANNOTATIONS) - set(self._texts)
                kept = {
                    key: one for key, one in record.items() if key in self._texts or key not in ANNOTATIONS
                }
                for column in self._texts:
                    text = _text(record, column)
                    done += len(text)
                    last = column == self._texts[-1]
                    yield Note(name or f"line {place.line}", person, text, (kept, column, last), done)

    def _person(self, record: dict[str, Any], name: str) -> str:
        wanted = self._options.person
        if wanted is not None and wanted in record:
            return str(record[wanted])
        return person_in(name, wanted)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """A file that appears when all is written."""
        with written_whole(out) as file:

            def write(note: Note, text: str) -> None:
                record, column, last = note.record
                if record[column] is not None:
                    record[column] = text
                if last:
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")

            yield write


def _text(record: dict[str, Any], column: str) -> str:
    if column not in record:
        raise UnreadableFile(
            f"the line has no field {column!r}.", hint="Name the field that holds the text with --column."
        )
    text = record[column]
    if text is not None and not isinstance(text, str):
        raise unreadable(f"the field {column!r} holds no text", hint="Name another field with --column.")
    return text or ""

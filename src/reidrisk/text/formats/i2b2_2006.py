"""The XML of i2b2 2006: many records in one file, identifiers marked inside their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reidrisk.core.shown_ids import shown_document
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import (
    ErrorsAt,
    Location,
    display_path,
    locate_error,
    misaligned,
    unreadable,
)
from reidrisk.text.formats.reader import ReadSettings, SourceFile, load_text, with_suffix
from reidrisk.text.formats.safe_xml import parse_xml, root_of

# the published training file has one tag that is never closed
_UNCLOSED = '<PHI TYPE="DATE">25th of July<PHI TYPE="DOCTOR">'
_CLOSED = '<PHI TYPE="DATE">25th of July</PHI>'
_MENDED = "a tag that is not closed in the published file was closed"
_SHAPE = "A file has RECORD elements with an ID, each with one TEXT, in which PHI elements have a TYPE."


class I2b2InlineReader:
    """One document per RECORD, named by its ID; the text is that of TEXT without the tags."""

    name = "i2b2-2006"
    title = 'XML of i2b2 2006: <RECORD ID="..."> with <PHI TYPE="..."> inside its <TEXT>'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """XML files."""
        return with_suffix(files, ".xml")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it is a ROOT with a RECORD, or just a RECORD."""
        return root_of(head) in ("ROOT", "RECORD") and b"<RECORD" in head

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The records of the file."""
        source = display_path(path)
        data = load_text(path, settings)
        mended = _UNCLOSED in data
        records = _Records(source)
        with ErrorsAt(Location(source)):
            parse_xml(data.replace(_UNCLOSED, _CLOSED, 1) if mended else data, records)
        for number, document in enumerate(records.found):
            noted = replace(document, notes=(_MENDED,)) if mended and not number else document
            yield check_fit(noted, [None] * len(document.annotations))


@dataclass(slots=True)
class _Records:
    """Collects the records of a file."""

    source: str
    found: list[Document] = field(default_factory=list)
    _depth: int = 0
    _text_at: int = 0
    """The depth of the current TEXT; 0 outside of one."""
    _id: str | None = None
    _text: list[str] = field(default_factory=list)
    _length: int = 0
    _texts: int = 0
    _marks: list[Annotation] = field(default_factory=list)
    _open: tuple[int, str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._text_at:
            self._open = self._start_of_mark(name, attributes)
        elif name == "RECORD" and self._id is None:
            self._id = fields.document_id(attributes.get("ID"), "ID")
            self._text, self._length, self._texts, self._marks = [], 0, 0, []
        elif name == "TEXT" and self._id is not None:
            self._texts += 1
            self._text_at = self._depth
        elif name in ("RECORD", "PHI", "TEXT"):
            raise unreadable(f"a {name} element is in the wrong place", hint=_SHAPE)

    def _start_of_mark(self, name: str, attributes: dict[str, str]) -> tuple[int, str]:
        place = self._place()
        if name != "PHI" or self._open is not None:
            problem = (
                "it contains another element" if self._open else "the TEXT contains an element other than PHI"
            )
            hint = "Close every PHI before the next one starts; a TEXT contains no other elements."
            raise locate_error(misaligned(problem, hint=hint), place)
        with ErrorsAt(place):
            return self._length, fields.annotation_type(attributes.get("TYPE"), "TYPE")

    def _place(self) -> str:
        """The location of the current annotation; the caller adds the file."""
        return f"{shown_document(self._id or '')}, annotation {len(self._marks) + 1}"

    def end(self, name: str) -> None:
        if self._depth == self._text_at:
            self._text_at = 0
        self._depth -= 1
        if self._open is not None:
            start, kind = self._open
            self._open = None
            with ErrorsAt(self._place()):
                fields.check_offsets(start, self._length)
            self._marks.append(Annotation(start, self._length, kind))
        elif name == "RECORD" and self._id is not None:
            if self._texts != 1:
                problem = f"the record has {self._texts} TEXT elements"
                raise locate_error(unreadable(problem, hint=_SHAPE), shown_document(self._id))
            self.found.append(Document(self._id, tuple(self._marks), "".join(self._text), self.source))
            self._id = None

    def characters(self, data: str) -> None:
        if self._text_at:
            self._text.append(data)
            self._length += len(data)

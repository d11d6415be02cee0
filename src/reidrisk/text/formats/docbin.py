"""spaCy DocBin: documents as tokens with numbers for their strings, packed and compressed.

spaCy is not needed. Texts are equal to `Doc.text`, so that offsets refer to it.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, make_numbered, unreadable
from reidrisk.text.formats.msgpack import unpack
from reidrisk.text.formats.prodigy import IDS, NUMBERED
from reidrisk.text.formats.reader import ReadSettings, SourceFile, load_bytes, with_suffix
from reidrisk.text.formats.spacy_strings import SYMBOLS, table_of
from reidrisk.text.formats.spans import span_of

ORTH, ENT_IOB, ENT_TYPE = SYMBOLS["ORTH"], SYMBOLS["ENT_IOB"], SYMBOLS["ENT_TYPE"]
INSIDE, OUTSIDE, BEGIN = 1, 2, 3
_SAVE = "Save it again with DocBin.to_disk of spaCy 3."


class DocBinReader:
    """Documents have the id in their user data (doc_id), or are numbered from 1."""

    name = "spacy"
    title = "spaCy DocBin (.spacy): entities of tokens; spaCy is not needed"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Files with the suffix of the format."""
        return with_suffix(files, ".spacy")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the name decides
        """A file with the suffix of the format."""
        return path.suffix.lower() == ".spacy"

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of the file."""
        place = Location(display_path(path))
        data = load_bytes(path, settings)
        with ErrorsAt(place):
            content = _content(data, settings.max_bytes)
            bin_ = _DocBinContent.of(content)
        first = 0
        for number, length in enumerate(bin_.lengths):
            yield bin_.document(number, range(first, first + length), place)
            first += length


def _content(data: bytes, limit: int) -> dict[Any, Any]:
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(data, limit)
    except zlib.error:
        raise unreadable("it is not a DocBin: its data are not compressed with zlib", hint=_SAVE) from None
    if unpacker.unconsumed_tail or not unpacker.eof:
        problem = (
            "its data are incomplete" if not unpacker.unconsumed_tail else "its unpacked data are too large"
        )
        raise unreadable(problem, hint=_SAVE)
    return fields.object_of(unpack(raw), "the content")


@dataclass(slots=True)
class _DocBinContent:
    """The columns of a DocBin that hold the text and its entities."""

    lengths: array[int]
    words: list[str]
    spaces: bytes
    iob: array[int]
    types: array[int]
    strings: dict[int, str]
    content: dict[Any, Any]

    @classmethod
    def of(cls, content: dict[Any, Any]) -> _DocBinContent:
        """The columns, checked for consistency."""
        attributes = fields.list_of(content.get("attrs"), '"attrs"')
        if not {ORTH, ENT_IOB, ENT_TYPE} <= {one for one in attributes if type(one) is int}:
            hint = "Save it with the attributes ORTH, ENT_IOB and ENT_TYPE."
            raise unreadable("it contains no words or no entities", hint=hint)
        tokens = _numbers(content.get("tokens"), "Q")
        lengths = _numbers(content.get("lengths"), "i")
        spaces = content.get("spaces")
        width = len(attributes)
        if type(spaces) is not bytes or len(tokens) != len(spaces) * width:
            raise unreadable("tokens and spaces do not fit together", hint=_SAVE)
        if any(length < 0 for length in lengths) or sum(lengths) != len(spaces):
            raise unreadable("the numbers of tokens per document do not add up", hint=_SAVE)
        given = fields.list_of(content.get("strings"), '"strings"')
        if not all(type(text) is str for text in given):
            raise unreadable("a string is not text", hint=_SAVE)
        strings = table_of(given)
        orth = tokens[attributes.index(ORTH) :: width]
        try:
            words = [strings[number] for number in orth]
        except KeyError:
            raise unreadable("a token is not among the strings", hint=_SAVE) from None
        iob, types = (tokens[attributes.index(column) :: width] for column in (ENT_IOB, ENT_TYPE))
        return cls(lengths, words, spaces, iob, types, strings, content)

    def document(self, number: int, tokens: range, place: Location) -> Document:
        """Document `number` (from 0), which has these tokens."""
        with ErrorsAt(place):
            given = self._id(number)
            name = str(number + 1) if given is None else fields.document_id(given, "doc_id")
        place = place.of(name)
        unknown = self._flag(number)
        parts, starts, length = [], [], 0
        for token in tokens:
            word = self.words[token]
            starts.append(length)
            parts.append(f"{word} " if self.spaces[token] or unknown else word)
            length += len(parts[-1])
        notes = [] if given is not None else [NUMBERED]
        if self._has_groups(number):
            notes.append("span groups were not read, only entities")
        marks = self._entities(tokens, starts, place)
        document = Document(name, tuple(marks), "".join(parts), place.source, tuple(notes))
        return check_fit(document, [None] * len(marks))

    def _entities(self, tokens: range, starts: list[int], place: Location) -> list[Annotation]:
        """Entities as runs of tokens: each starts at a B, at a change of type, or after a gap."""
        spans: list[tuple[int, int, int]] = []
        going = False
        for token, start in zip(tokens, starts, strict=True):
            kind, end = self.types[token], start + len(self.words[token])
            if self.iob[token] not in (INSIDE, BEGIN) or not kind:
                going = False
            elif going and self.iob[token] == INSIDE and spans[-1][2] == kind:
                spans[-1] = spans[-1][0], end, kind
            else:
                spans.append((start, end, kind))
                going = True
        return make_numbered(spans, place, self._mark)

    def _mark(self, span: tuple[int, int, int]) -> Annotation:
        start, end, number = span
        return span_of(start, end, self.strings.get(number), "ENT_TYPE")

    def _flag(self, number: int) -> bool:
        flags = self.content.get("flags")
        one = flags[number] if isinstance(flags, list) and number < len(flags) else None
        return isinstance(one, dict) and bool(one.get("has_unknown_spaces"))

    def _has_groups(self, number: int) -> bool:
        groups = self.content.get("span_groups")
        one = groups[number] if isinstance(groups, list) and number < len(groups) else None
        return isinstance(one, bytes) and len(one) > 1

    def _id(self, number: int) -> Any:
        """The id in the user data of a document, or in an extension attribute."""
        data = self.content.get("user_data")
        one = data[number] if isinstance(data, list) and number < len(data) else None
        if type(one) is not bytes:
            return None
        values = unpack(one)
        keys = [key for name in IDS for key in (name, ("._.", name, None, None))]
        found = values if isinstance(values, dict) else {}
        return next((found[key] for key in keys if found.get(key) is not None), None)


def _numbers(value: Any, kind: str) -> array[int]:
    numbers = array(kind)
    if type(value) is not bytes or len(value) % numbers.itemsize:
        raise unreadable("a column of numbers is damaged", hint=_SAVE)
    numbers.frombytes(value)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers

"""Writer of spaCy's DocBin, without spaCy."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.docbin import BEGIN, ENT_IOB, ENT_TYPE, INSIDE, ORTH, OUTSIDE
from reidrisk.text.formats.msgpack import pack
from reidrisk.text.formats.spacy_strings import number_of
from reidrisk.text.formats.tokens import Token, owners, pieces
from reidrisk.text.formats.writer import Capabilities


@dataclass(frozen=True, slots=True)
class DocBinWriter:
    """One compressed file with words and entities of all documents, and ids as user data."""

    capabilities: Capabilities
    name: str = "spacy"
    reads_as: str = "spacy"
    suffix: str = ".spacy"

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the documents to a new file."""
        columns = _Columns()
        for document in documents:
            columns.add(document)
        target.write_bytes(zlib.compress(columns.pack()))


DOCBIN = DocBinWriter(Capabilities(overlaps=False))


@dataclass(slots=True)
class _Columns:
    """The tokens of all documents in sequence."""

    numbers: array[int] = field(default_factory=lambda: array("Q"))
    lengths: array[int] = field(default_factory=lambda: array("i"))
    spaces: bytearray = field(default_factory=bytearray)
    strings: dict[str, int] = field(default_factory=dict)
    ids: list[bytes] = field(default_factory=list)

    def add(self, document: Document) -> None:
        text, marks = document.text or "", document.annotations
        spaced = list(_spaced(text, pieces(text, marks), marks))
        before: Annotation | None = None
        for (start, end), mark in owners((token for token, _ in spaced), marks):
            state = OUTSIDE if mark is None else INSIDE if mark is before else BEGIN
            self.numbers.append(self._number(text[start:end]))
            self.numbers.append(state)
            self.numbers.append(self._number("" if mark is None else mark.type))
            before = mark
        self.spaces += bytes(space for _, space in spaced)
        self.lengths.append(len(spaced))
        self.ids.append(pack({"doc_id": document.id}))

    def _number(self, text: str) -> int:
        if text not in self.strings:
            self.strings[text] = number_of(text)
        return self.strings[text]

    def pack(self) -> bytes:
        return pack(
            {
                "version": "0.1",
                "attrs": [ORTH, ENT_IOB, ENT_TYPE],
                "tokens": self.numbers.tobytes(),
                "spaces": bytes(self.spaces),
                "lengths": self.lengths.tobytes(),
                "strings": sorted(self.strings),
                "cats": [{} for _ in self.ids],
                "flags": [{"has_unknown_spaces": False} for _ in self.ids],
                "user_data": self.ids,
            }
        )


def _spaced(text: str, tokens: Iterable[Token], marks: Iterable[Annotation]) -> Iterator[tuple[Token, bool]]:
    """Tokens, and whether a space follows that is not a token; other white space is a token."""
    taken = {mark.start for mark in marks} | {mark.end - 1 for mark in marks}
    held: Token | None = None
    for start, end in tokens:
        free = held is not None and text[start] == " " and start not in taken
        if held is not None:
            yield held, free
        held = (start + 1, end) if free else (start, end)
        if held[0] == held[1]:
            held = None
    if held is not None:
        yield held, False

"""The same documents as several people annotated them, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Literal

from reidrisk.core.wording import plural
from reidrisk.errors import BadData, InvalidSetting, MisalignedOffsets, UnmatchedDocuments
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import Source, TextFiles, documents_of
from reidrisk.text.formats.align import settled
from reidrisk.text.settings import TextSettings

Unmatched = Literal["error", "allow"]


@dataclass(frozen=True, slots=True)
class Together:
    """One document with the marks of each annotator; None where somebody did not annotate it."""

    id: str
    text: str = field(repr=False)
    source: str
    marks: tuple[tuple[Annotation, ...] | None, ...]
    about: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def complete(self) -> bool:
        """Whether every annotator had it."""
        return all(own is not None for own in self.marks)


def named_annotators(sources: Mapping[str, Source] | Sequence[Source]) -> dict[str, Source]:
    """Every annotator with a name of their own: yours, or the last part of the path."""
    if isinstance(sources, Mapping):
        given = dict(sources)
    else:
        plain = [_name(source) or f"annotator {number}" for number, source in enumerate(sources, start=1)]
        often = Counter(plain)
        names = [f"{name} ({at})" if often[name] > 1 else name for at, name in enumerate(plain, start=1)]
        given = dict(zip(names, sources, strict=True))
    if len(given) < 2:
        raise InvalidSetting("Agreement takes two annotators or more.", hint="Give the file of each.")
    return given


def together(annotators: Mapping[str, Source], *, unmatched: Unmatched = "error") -> Iterator[Together]:
    """The documents in the order of the first annotator, then those that only others have."""
    read = {name: _by_id(name, source) for name, source in annotators.items()}
    ids = dict.fromkeys(name for documents in read.values() for name in documents)
    for name in ids:
        own = [documents.get(name) for documents in read.values()]
        if unmatched == "error" and None in own:
            lacking = [annotator for annotator, document in zip(read, own, strict=True) if document is None]
            raise UnmatchedDocuments(
                f"{plural(len(lacking), 'annotator')} ({', '.join(lacking)}) lacks document {name!r}.",
                hint="A document in which somebody marked nothing needs an entry without annotations. To "
                "measure on what all have, and to take the rest from those who have it: --unmatched allow",
            )
        yield _side_by_side(name, own)


def _side_by_side(name: str, own: list[Document | None]) -> Together:
    texts = [document for document in own if document is not None and document.text is not None]
    if not texts or texts[0].text is None:
        raise BadData(
            f"No annotator's file holds the text of document {name!r}.",
            hint="At least one of them must hold the texts: words are compared, not only offsets.",
        )
    first, text = texts[0], texts[0].text
    if any(document.text != text for document in texts):
        raise MisalignedOffsets(
            f"The annotators' files hold different texts of document {name!r}.",
            hint="Let all annotate the very same text; line ends and white space count.",
        )
    marks = tuple(None if document is None else _fitted(document, text) for document in own)
    return Together(name, text, first.source, marks, first.about)


def _fitted(document: Document, text: str) -> tuple[Annotation, ...]:
    if document.surfaces:
        bare = Document(document.id, document.annotations, text, document.source)
        document = settled(bare, document.surfaces)
    for number, mark in enumerate(document.annotations, start=1):
        if mark.end > len(text):
            raise MisalignedOffsets(
                f"{document.place(number)}, ends beyond the text.",
                hint="Check that the offsets count characters of this very text.",
            )
    return document.annotations


def _by_id(annotator: str, source: Source) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for document in documents_of(source, TextSettings()):
        if document.id in found:
            raise UnmatchedDocuments(
                f"The file of {annotator} holds document {document.id!r} twice.",
                hint="Give every document an id of its own.",
            )
        found[document.id] = document
    return found


def _name(source: Source) -> str:
    path = source.path if isinstance(source, TextFiles) else source
    return PurePath(str(path)).stem if isinstance(path, str | Path) else ""

"""Convert annotations from one format to another; the output is read back and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.files import whole_path
from reidrisk.core.shown_ids import shown_document
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnmatchedDocuments
from reidrisk.text.corpus import Document
from reidrisk.text.evidence import MisalignedPlace
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.formats.write_docbin import DOCBIN
from reidrisk.text.formats.write_gate import BDOC, GATE_XML
from reidrisk.text.formats.write_json import (
    DOCCANO,
    JSONL,
    LABEL_STUDIO,
    PRESIDIO,
    PRESIDIO_RESEARCH,
    PRODIGY,
    SPACY_TRAIN,
    TAB,
)
from reidrisk.text.formats.write_text import BRAT, CONLL, INLINE, PHYSIONET
from reidrisk.text.formats.write_uima import UIMA_JSON, UIMA_XMI
from reidrisk.text.formats.write_xml import I2B2_2006, I2B2_2014
from reidrisk.text.formats.writer import AnnotationWriter, DocumentFitter, signature
from reidrisk.text.misaligned import misaligned_places, place_text
from reidrisk.text.read import DEFAULTS, read_documents

WRITERS: tuple[AnnotationWriter, ...] = (
    JSONL,
    BRAT,
    I2B2_2014,
    I2B2_2006,
    TAB,
    PRESIDIO,
    DOCBIN,
    SPACY_TRAIN,
    PRODIGY,
    DOCCANO,
    LABEL_STUDIO,
    PHYSIONET,
    GATE_XML,
    BDOC,
    UIMA_JSON,
    UIMA_XMI,
    CONLL,
    INLINE,
    PRESIDIO_RESEARCH,
)
"""Every format that can be written, in the order of `formats.names`."""


def writer_named(name: str) -> AnnotationWriter:
    """The writer of a format."""
    for writer in WRITERS:
        if writer.name == name:
            return writer
    raise InvalidSetting.among("The format to write", name, [writer.name for writer in WRITERS])


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a conversion wrote."""

    out: str
    format: str
    documents: int
    annotations: int
    notes: tuple[str, ...]
    """Decisions made while reading, and what the format could not hold."""

    def __str__(self) -> str:
        """The conversion as text."""
        head = (
            f"{self.out}: {plural(self.documents, 'document')} with "
            f"{plural(self.annotations, 'annotation')} as {self.format}"
        )
        return "\n".join([head, *(f"Note: {note}" for note in self.notes)])


def convert(
    source: str | Path | Iterable[Document],
    to: str,
    out: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word users know from the command line
    settings: ReadSettings = DEFAULTS,
) -> Conversion:
    """Write the documents of `source` in the format `to`; `out` appears complete or not at all.

    If leaving something out would change where or what was marked, it is refused; otherwise (roles, entity
    ids, scores) it is left out with a note. The output is read back and must be the same.
    """
    writer = writer_named(to)
    _check_name(writer, out)
    if isinstance(source, str | Path):
        _check_apart(source, out)
        source = read_documents(source, format=format, settings=settings)
    ledger = _Ledger(writer)
    with whole_path(out, folder=not writer.suffix) as part:
        _write(writer, ledger.passing(source), part, out)
        if not ledger.documents:
            hint = "Check the path and the format of the documents to convert."
            raise NothingToMeasure("There is no document to convert.", hint=hint)
        ledger.compare(part, out)
    notes = (*ledger.notes, *ledger.fitter.notes(), *_misaligned_notes(ledger.misaligned, ledger.numbers))
    return Conversion(path_text(out), to, len(ledger.documents), ledger.annotations, notes)


def _misaligned_notes(places: Sequence[MisalignedPlace], numbers: Mapping[str, int]) -> Iterator[str]:
    """Each annotation that did not fit its text, and what skipping means."""
    yield from (place_text(place, numbers.get(place.document, 0)) for place in places)
    skipped = sum(place.found_start is None for place in places)
    if skipped:
        yield (
            f"{plural(skipped, 'annotation')} skipped. An evaluation against the converted files does not "
            "know of them; evaluate against the original files, where they count as leaks."
        )


def _check_name(writer: AnnotationWriter, out: str | Path) -> None:
    if Path(out).suffix.lower() != writer.suffix and writer.suffix:
        hint = f"Name it documents{writer.suffix}, for example, so that its format is recognized."
        raise InvalidSetting(f"A file of the format {writer.name} ends in {writer.suffix}.", hint=hint)


def _check_apart(source: str | Path, out: str | Path) -> None:
    """Refuse to overwrite the input, or to write into it."""
    read, written = Path(source).resolve(), Path(out).resolve()
    if read == written or read in written.parents or written in read.parents:
        problem = f"{path_text(out)} is the input, contains it, or is inside it."
        raise InvalidSetting(problem, hint="Write to another place.")


def _write(writer: AnnotationWriter, documents: Iterator[Document], part: Path, out: str | Path) -> None:
    try:
        writer.write(documents, part)
    except UnicodeEncodeError:
        hint = "Read the documents with one of our readers, which refuse such characters."
        raise BadData(f"{path_text(out)}: a document contains half of a surrogate pair.", hint=hint) from None


@dataclass(slots=True)
class _Ledger:
    """What was passed to the writer, for comparison with what was written."""

    writer: AnnotationWriter
    documents: dict[str, int] = field(default_factory=dict)
    """Signature of each document, by the name it has when read back."""
    annotations: int = 0
    notes: dict[str, None] = field(default_factory=dict)
    misaligned: list[MisalignedPlace] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """Of the documents with misaligned annotations."""
    fitter: DocumentFitter = field(init=False)

    def __post_init__(self) -> None:
        self.fitter = DocumentFitter(self.writer.name, self.writer.capabilities)

    def passing(self, documents: Iterable[Document]) -> Iterator[Document]:
        seen: set[str] = set()
        for number, document in enumerate(documents, 1):
            if document.id.casefold() in seen and (document.id in self.documents or not self.writer.suffix):
                shown = shown_document(document.id, number)
                problem = f"The name of {shown} is used twice, perhaps in upper and lower case."
                raise UnmatchedDocuments(problem, hint="Give every document a unique name.")
            seen.add(document.id.casefold())
            fitted = self.fitter.fit(document)
            name = document.id if self.writer.capabilities.ids else str(number)
            self.documents[name] = signature(fitted)
            self.annotations += len(document.annotations)
            self.notes.update(dict.fromkeys(document.notes))
            if document.misaligned:
                self.misaligned += misaligned_places(document, "gold")
                self.numbers[document.id] = number
            yield fitted

    def compare(self, part: Path, out: str | Path) -> None:
        """Read back what was written; every document must be the same."""
        left = dict(self.documents)
        try:
            for document in read_documents(part, format=self.writer.reads_as):
                if left.pop(document.id, None) != signature(document):
                    raise self._differs(document.id)
        except BadData as error:
            problem = error.problem.replace(path_text(part), path_text(out))
            raise type(error)(
                f"{self.writer.name} cannot hold this corpus. {problem}", hint=error.hint
            ) from None
        if left:
            raise self._differs(next(iter(left)))

    def _differs(self, name: str) -> BadData:
        hint = "Its text may contain something that the format uses as a mark. jsonl can hold every text."
        number = 1 + list(self.documents).index(name) if name in self.documents else 0
        return BadData(
            f"{shown_document(name, number).capitalize()} is not the same when read back.", hint=hint
        )

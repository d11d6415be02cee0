"""Gold standard and tool output in, probability of re-identification and verdict out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.errors import MisalignedOffsets, UnmatchedDocuments
from reidrisk.text.assess import assess
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import read_documents
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting, Tally

PAPER_RECOGNITION = 0.1


@dataclass(frozen=True, slots=True)
class TextFiles:
    """A file or folder of annotations whose format is named."""

    path: str | Path
    format: str | None = None
    """One of the readers' names; None to find out."""


Source = str | Path | TextFiles | Iterable[Document]
"""A file or folder, or documents already in memory."""


def evaluate_text(  # noqa: PLR0913 - what is judged, for which release, counted and computed how
    gold: Source,
    tool: Source,
    *,
    release: Release | None = None,
    threshold: Threshold | None = None,
    settings: TextSettings | None = None,
    counting: Counting | None = None,
    seed: int = 7,
    progress: Callable[[int], None] | None = None,
) -> TextRisk:
    """The risk of re-identification that a tool leaves, judged against a gold standard.

    Without a release it is public and redacted, so that every leak is recognised and an attempt
    is certain; under the profile `paper` it is re-synthesised with that paper's recognition.
    `progress` is called with the number of documents done.
    """
    settings = settings or TextSettings()
    counting = counting or Counting()
    marks = _marks_by_document(_documents(tool, settings))
    tally = Tally(counting, settings)
    for number, document in enumerate(_documents(gold, settings), start=1):
        tally.add(document, _marks_of(document, marks, settings))
        if progress is not None:
            progress(number)
    evidence = replace(tally.finish(), unmatched=_settle_unmatched(marks, settings))
    inputs = {"gold": _name(gold), "tool": _name(tool), "ignore_words": counting.ignored.name}
    if counting.patient is not None:
        inputs["patient"] = counting.patient.pattern
    return assess(
        evidence,
        release or default_release(settings),
        threshold or Threshold.from_cell_size(5, "cell size of five, the default"),
        settings,
        seed=seed,
        inputs=tuple(inputs.items()),
    )


def default_release(settings: TextSettings) -> Release:
    """What is assumed where nothing is said."""
    if settings.profile == "paper":
        return Release.public("resynthesis", recognition=PAPER_RECOGNITION)
    return Release.public("redaction")


class _Marks:
    """What the tool marked in one document, and how to tell that it read the same text."""

    __slots__ = ("annotations", "missing", "text_hash", "used")

    def __init__(self, document: Document) -> None:
        self.annotations = document.annotations
        self.text_hash = None if document.text is None else hash(document.text)
        self.used = False
        self.missing = False


def _documents(source: Source, settings: TextSettings) -> Iterator[Document]:
    if isinstance(source, str | Path):
        source = TextFiles(source)
    if isinstance(source, TextFiles):
        reading = ReadSettings(annotator=settings.annotator, max_bytes=settings.max_megabytes * 2**20)
        return read_documents(source.path, format=source.format, settings=reading)
    return iter(source)


def _marks_by_document(documents: Iterable[Document]) -> dict[str, _Marks]:
    found: dict[str, _Marks] = {}
    for document in documents:
        if document.id in found:
            raise UnmatchedDocuments(
                f"The tool output holds document {document.id!r} twice.",
                hint="Give one entry a document; join its annotations.",
            )
        found[document.id] = _Marks(document)
    return found


def _marks_of(document: Document, marks: dict[str, _Marks], settings: TextSettings) -> tuple[Annotation, ...]:
    own = marks.get(document.id)
    if own is None:
        if settings.unmatched == "allow":
            marks[document.id] = missing = _Marks(Document(document.id, ()))
            missing.used = missing.missing = True
            return ()
        raise UnmatchedDocuments(
            f"The tool output lacks document {document.id!r} of the gold standard.",
            hint="A document in which the tool found nothing needs an entry without annotations. "
            "To count missing documents as not masked at all: --set unmatched=allow",
        )
    if own.used:
        raise UnmatchedDocuments(
            f"The gold standard holds document {document.id!r} twice.",
            hint="Give every document an id of its own; merge documents of one patient with --patient.",
        )
    own.used = True
    if own.text_hash is not None and own.text_hash != hash(document.text):
        raise MisalignedOffsets(
            f"Gold standard and tool output hold different texts of document {document.id!r}.",
            hint="Run the tool on the very text that was annotated; line ends and white space count.",
        )
    return own.annotations


def _settle_unmatched(marks: dict[str, _Marks], settings: TextSettings) -> dict[str, int]:
    extra = [name for name, own in marks.items() if not own.used]
    if extra and settings.unmatched == "error":
        raise UnmatchedDocuments(
            f"The gold standard lacks {len(extra)} documents of the tool output, the first is {extra[0]!r}.",
            hint="Evaluate the tool on annotated documents. To leave the others out: --set unmatched=allow",
        )
    missing = sum(own.missing for own in marks.values())
    return {"only_gold": missing, "only_tool": len(extra)} if missing or extra else {}


def _name(source: Source) -> str:
    if isinstance(source, TextFiles):
        source = source.path
    return str(source) if isinstance(source, str | Path) else "documents in memory"

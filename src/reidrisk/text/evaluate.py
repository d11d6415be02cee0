"""Evaluate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.collector import collector_paused
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import InvalidSetting, MisalignedOffsets, NothingToMeasure, UnmatchedDocuments
from reidrisk.text.alignment.aligner import Aligner, alignment_notes
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evidence import Evidence
from reidrisk.text.formats.align import settled
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.leaks import LeakList
from reidrisk.text.read import read_documents
from reidrisk.text.result import DocumentGroup, TextRisk
from reidrisk.text.roles import TypeMap
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting, Tally

MOST = 200
"""Groups; with more, hardly any has enough documents."""


class GroupTallies:
    """One tally a group; none where no grouping was asked for."""

    def __init__(self, counting: Counting, settings: TextSettings) -> None:
        self._counting = counting
        # Groups are small and many: the second engine checks the whole only.
        self._settings = replace(settings, crosscheck=False)
        self._tallies: dict[str, Tally] = {}
        self._sizes: dict[str, int] = {}

    def add(self, document: Document, marks: tuple[Annotation, ...]) -> None:
        """Count a document in its group."""
        if self._counting.by is None:
            return
        name = self._counting.by.of(document)
        if name not in self._tallies and len(self._tallies) == MOST:
            raise InvalidSetting(
                f"There are more than {MOST} groups of documents.",
                hint="Choose a coarser grouping: a folder, a ward, a year.",
            )
        tally = self._tallies.setdefault(name, Tally(self._counting, self._settings))
        tally.add(document, marks)
        self._sizes[name] = self._sizes.get(name, 0) + 1

    def assessed(
        self, release: Release, threshold: Threshold, provenance: Provenance
    ) -> tuple[DocumentGroup, ...]:
        """The risk of every group, by name."""
        found = []
        for name, tally in sorted(self._tallies.items()):
            try:
                evidence = tally.finish()
            except NothingToMeasure:
                found.append(DocumentGroup(name, self._sizes[name], None))
                continue
            own = _known(release, evidence)
            risk = assess(evidence, own, threshold, self._settings, provenance=provenance)
            found.append(DocumentGroup(name, evidence.documents, risk))
        return tuple(found)


def _known(release: Release, evidence: Evidence) -> Release:
    """The release without recognitions of types that these documents do not hold."""
    held = {kind.type for kind in evidence.types}
    own = {kind: value for kind, value in release.recognition.by_type.items() if kind in held}
    return replace(release, recognition=replace(release.recognition, by_type=own))


PAPER_RECOGNITION = 0.1
PAPER_ASSUMES = (
    "Nothing was said about the release: as in the publication, re-synthesis with a recognition of "
    f"{PAPER_RECOGNITION} is assumed."
)


READING = (
    "ambiguous",
    "annotator",
    "date_order",
    "distinct",
    "label",
    "max_megabytes",
    "survivors",
    "unmatched",
)
"""The settings that what is counted depends on; all others only change what is made of it."""


@dataclass(frozen=True, slots=True)
class TextFiles:
    """A file or folder of annotations whose format is named."""

    path: str | Path
    format: str | None = None
    """One of the readers' names; None to find out."""


Source = str | Path | TextFiles | Iterable[Document]
"""A file or folder, or documents already in memory."""
Listener = Callable[[Document, tuple[Annotation, ...]], None]


def evaluate_text(  # noqa: PLR0913 - what is judged, for which release, counted and computed how
    gold: Source,
    tool: Source,
    *,
    release: Release | None = None,
    threshold: Threshold | None = None,
    settings: TextSettings | None = None,
    counting: Counting | None = None,
    seed: int = 7,
    leaks: LeakList | None = None,
    progress: Callable[[int], None] | None = None,
) -> TextRisk:
    """The risk of re-identification that a tool leaves, judged against a gold standard.

    Without a release it is public and redacted, so that every leak is recognised and an attempt
    is certain; under the profile `paper` it is re-synthesised with that paper's recognition.
    `leaks` collects where each leak is; `progress` is called with the number of documents done.
    """
    settings = settings or TextSettings()
    counting = counting or Counting()
    groups = GroupTallies(counting, settings)
    others: list[Listener] = [groups.add]
    if leaks is not None:
        others.append(lambda document, masked: leaks.add(document, masked, counting, settings))
    evidence = gather_evidence(
        gold, tool, settings=settings, counting=counting, progress=progress, others=others
    )
    assumed = release is None and settings.profile == "paper"
    provenance = Provenance(seed, named_inputs(gold, tool, counting), (PAPER_ASSUMES,) if assumed else ())
    release = release or default_release(settings)
    threshold = threshold or Threshold.from_cell_size(5, "cell size of five, the default")
    risk = assess(evidence, release, threshold, settings, provenance=provenance)
    return replace(risk, groups=groups.assessed(release, threshold, provenance))


def gather_evidence(
    gold: Source,
    tool: Source,
    *,
    settings: TextSettings,
    counting: Counting,
    progress: Callable[[int], None] | None = None,
    others: Sequence[Listener] = (),
) -> Evidence:
    """Read both sides and count; of the settings only those of `READING` matter.

    `others` are told each document and what masks it.
    """
    tally = Tally(counting, settings)
    with collector_paused():
        marks = _marks_by_document(documents_of(tool, settings))
        aligner = Aligner(counting, settings)
        for number, document in enumerate(documents_of(gold, settings), start=1):
            own = _marks_of(document, marks, settings, aligner)
            masked = _masking(own, counting.types)
            for add in (tally.add, *others):
                add(document, masked)
            if progress is not None:
                progress(number)
    evidence, alignment = tally.finish(), aligner.finish()
    unmatched = _settle_unmatched(marks, settings)
    notes = (*evidence.notes, *alignment_notes(alignment, settings))
    return replace(evidence, unmatched=unmatched, alignment=alignment, notes=notes)


def default_release(settings: TextSettings) -> Release:
    """What is assumed where nothing is said."""
    if settings.profile == "paper":
        return Release.public("resynthesis", recognition=PAPER_RECOGNITION)
    return Release.public("redaction")


class _Marks:
    """What the tool marked in one document, and how to tell that it read the same text."""

    __slots__ = ("annotations", "missing", "released", "source", "surfaces", "text_hash", "used")

    def __init__(self, document: Document) -> None:
        self.annotations = document.annotations
        self.surfaces = document.surfaces
        self.released = document.released
        self.source = document.source
        self.text_hash = None if document.text is None else hash(document.text)
        self.used = False
        self.missing = False


def documents_of(source: Source, settings: TextSettings) -> Iterator[Document]:
    """The documents of a file or folder, or those already in memory."""
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


def _marks_of(
    document: Document, marks: dict[str, _Marks], settings: TextSettings, aligner: Aligner
) -> tuple[Annotation, ...]:
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
    if own.released is not None:
        return aligner.marks(document, own.released, source=own.source)
    if document.text is not None and own.text_hash is not None and own.text_hash != hash(document.text):
        raise MisalignedOffsets(
            f"Gold standard and tool output hold different texts of document {document.id!r}.",
            hint="Run the tool on the very text that was annotated; line ends and white space count. If the "
            "tool gives texts with other words in their places, say --tool-format redacted, or surrogate.",
        )
    if not own.surfaces or document.text is None:
        return own.annotations
    read = Document(document.id, own.annotations, document.text, own.source)
    return settled(read, own.surfaces).annotations


def _masking(marks: tuple[Annotation, ...], types: TypeMap) -> tuple[Annotation, ...]:
    """Without what the tool marked but left visible: by its own word, or by yours."""
    if all(mark.role != "ignored" and mark.type not in types.unmasked for mark in marks):
        return marks
    return tuple(mark for mark in marks if mark.role != "ignored" and mark.type not in types.unmasked)


def _settle_unmatched(marks: dict[str, _Marks], settings: TextSettings) -> dict[str, int]:
    extra = [name for name, own in marks.items() if not own.used]
    if extra and settings.unmatched == "error":
        raise UnmatchedDocuments(
            f"The gold standard lacks {plural(len(extra), 'document')} of the tool output, "
            f"the first is {extra[0]!r}.",
            hint="Evaluate the tool on annotated documents. To leave the others out: --set unmatched=allow",
        )
    missing = sum(own.missing for own in marks.values())
    return {"only_gold": missing, "only_tool": len(extra)} if missing or extra else {}


def named_inputs(gold: Source, tool: Source, counting: Counting) -> tuple[tuple[str, Any], ...]:
    """What a result must name so that it can be repeated."""
    named: dict[str, Any] = {"gold": _name(gold), "tool": _name(tool), "ignore_words": counting.ignored.name}
    if counting.ignored.name not in ("none", "default"):
        named["ignored_words"] = sorted(counting.ignored.any_case | counting.ignored.lower_case)
    if counting.patient is not None:
        named["patient"] = counting.patient.pattern
    if counting.by is not None:
        named["by"] = str(counting.by)
    if counting.types != TypeMap():
        named["types"] = counting.types.to_dict()
    for name, source in (("gold_format", gold), ("tool_format", tool)):
        if isinstance(source, TextFiles) and source.format:
            named[name] = source.format
    return tuple(named.items())


def _name(source: Source) -> str:
    if isinstance(source, TextFiles):
        source = source.path
    return path_text(source) if isinstance(source, str | Path) else "documents in memory"

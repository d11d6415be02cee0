"""Evaluate a tool against a gold standard: read both, count, and compute risk and verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.collector import pause_collector
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import InvalidSetting, MisalignedOffsets, NothingToMeasure, UnmatchedDocuments
from reidrisk.text.alignment.aligner import Aligner, alignment_notes
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.corpus import Annotation, Document, Misaligned, MisalignedMark
from reidrisk.text.evidence import Evidence
from reidrisk.text.formats.align import fit_offsets
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.leaks import LeakList
from reidrisk.text.misaligned import MisalignedTally
from reidrisk.text.pairing import TextKey, credited_marks, in_text, same_text, uncredited
from reidrisk.text.read import read_documents
from reidrisk.text.result import DocumentGroup, TextRisk
from reidrisk.text.roles import TypeMap
from reidrisk.text.settings import TextSettings
from reidrisk.text.split import PatientSplit
from reidrisk.text.tally import Counting, EvidenceTally

PAPER_RECOGNITION = 0.1
PAPER_ASSUMES = (
    "No release was specified: as in the publication, re-synthesis with a recognition of "
    f"{PAPER_RECOGNITION} is assumed."
)


READING = (
    "ambiguous",
    "annotator",
    "date_order",
    "distinct",
    "label",
    "max_megabytes",
    "misaligned",
    "strata",
    "survivors",
    "unmatched",
)
"""Settings that change what is counted; all others only change what is computed from the counts."""


@dataclass(frozen=True, slots=True)
class TextFiles:
    """A file or folder of annotations, with the name of its format."""

    path: str | Path
    format: str | None = None
    """The name of a format; None to recognize it."""


Source = str | Path | TextFiles | Iterable[Document]
"""A file or folder, or documents already in memory."""
Listener = Callable[[Document, tuple[Annotation, ...], tuple[MisalignedMark, ...]], None]
"""Called with a document, the annotations that mask it, and those of the tool that mask nothing."""


def evaluate_text(  # noqa: PLR0913 - inputs, release, and how to count and compute
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
    engine: Any = None,
) -> TextRisk:
    """Measure the re-identification risk that remains after a tool, given a gold standard.

    Without `release`, a public release of redacted text is assumed: every leak is recognized and an attempt
    is certain. Under the profile `paper`, re-synthesis with that paper's recognition is assumed instead.
    `leaks` collects the position of each leak; `progress` is called with the number of documents done.
    With `engine`, the URL of a Spark master or a SparkSession, Spark counts; both sides are Parquet files.

    >>> from reidrisk.demo import clinical_notes, simulate_tool
    >>> notes = clinical_notes(documents=40, seed=7)
    >>> risk = evaluate_text(notes, simulate_tool(notes, recall=0.99, seed=1))
    >>> risk.acceptable, risk.to_dict()["documents"]
    (False, 40)
    """
    settings = settings or TextSettings()
    counting = counting or Counting()
    groups = GroupTallies(counting, settings)
    if engine is not None:
        from reidrisk.text.spark.gather import SparkCount, gather_on_spark

        job = SparkCount(
            counting, settings, leaks=leaks is not None, show_text=leaks is not None and leaks.show_text
        )
        evidence = gather_on_spark(gold, tool, job, groups=groups, leaks=leaks, engine=engine)
    else:
        others: list[Listener] = [groups.add]
        if leaks is not None:
            others.append(lambda document, masked, _lost: leaks.add(document, masked, counting, settings))
        evidence = gather_evidence(
            gold, tool, settings=settings, counting=counting, progress=progress, others=others
        )
    assumed = release is None and settings.profile == "paper"
    provenance = Provenance(seed, named_inputs(gold, tool, counting), (PAPER_ASSUMES,) if assumed else ())
    release = release or default_release(settings)
    Threshold.check(threshold)
    threshold = threshold or Threshold.from_cell_size(5, "cell size of five, the default")
    risk = assess(evidence, release, threshold, settings, provenance=provenance)
    return replace(risk, groups=groups.assess(release, threshold, provenance))


def gather_evidence(
    gold: Source,
    tool: Source,
    *,
    settings: TextSettings,
    counting: Counting,
    progress: Callable[[int], None] | None = None,
    others: Sequence[Listener] = (),
) -> Evidence:
    """Read both sides and count; only the settings in `READING` matter.

    Each of `others` is called with every document and what the tool did to it.
    """
    count = EvidenceCount(counting, settings, others)
    with pause_collector():
        marks = _marks_by_document(documents_of(tool, settings))
        for number, document in enumerate(documents_of(gold, settings), start=1):
            count.add(document, _own_marks(document, marks, settings))
            if progress is not None:
                progress(number)
    evidence = count.finish({})  # what is wrong with the gold standard is said first
    return replace(evidence, unmatched=_count_unmatched(marks, settings))


class EvidenceCount:
    """Counts documents with what the tool did to them, one at a time; several counts can be added up."""

    def __init__(self, counting: Counting, settings: TextSettings, others: Sequence[Listener] = ()) -> None:
        self._types, self._settings, self._others = counting.types, settings, others
        self._tally, self._misaligned = EvidenceTally(counting, settings), MisalignedTally()
        self._aligner = Aligner(counting, settings)
        self._split = None if counting.split_patients is None else PatientSplit(counting.split_patients)

    def add(self, document: Document, tool: ToolDocument) -> None:
        """Count one document."""
        own = _placed_marks(document, tool, self._settings, self._aligner)
        self._misaligned.add(document, own)
        masked, lost = _masking(credited_marks(own), self._types), uncredited(own.misaligned)
        whole = [(document, masked)]
        for part, mask in whole if self._split is None else self._split.parts(document, masked):
            for add in (self._tally.add, *self._others):
                add(part, mask, lost)
            lost = ()

    def state(self, hide: Callable[[str], str]) -> tuple[Any, ...]:
        """What was counted so far, without any text; `hide` replaces values that must stay comparable."""
        return self._tally.state(hide), self._misaligned, self._aligner.state(), self._split

    def add_state(self, other: tuple[Any, ...]) -> None:
        """Add the counts of other documents, which come after those added so far."""
        tally, misaligned, aligned, split = other
        self._tally.add_state(tally)
        self._misaligned.add_counts(misaligned)
        self._aligner.add_state(aligned)
        if self._split is not None:
            self._split.add_counts(split)

    def finish(self, unmatched: dict[str, int]) -> Evidence:
        """The evidence of all documents."""
        evidence, alignment = self._tally.finish(), self._aligner.finish()
        found = self._misaligned.finish()
        notes = (*evidence.notes, *alignment_notes(alignment, self._settings), *self._misaligned.notes())
        if self._split is not None:
            self._split.check()
            notes = (*notes, *self._split.notes())
        return replace(evidence, unmatched=unmatched, alignment=alignment, misaligned=found, notes=notes)


def default_release(settings: TextSettings) -> Release:
    """The release that is assumed if none is given."""
    if settings.profile == "paper":
        return Release.public("resynthesis", recognition=PAPER_RECOGNITION)
    return Release.public("redaction")


class ToolDocument:
    """The tool's annotations of one document without its text, and the key of that text."""

    __slots__ = ("document", "key", "missing", "used")

    def __init__(self, document: Document) -> None:
        self.key = None if document.text is None else TextKey.of(document.text)
        self.document = replace(document, text=None, about=(), notes=())
        self.used = False
        self.missing = False


def documents_of(source: Source, settings: TextSettings) -> Iterator[Document]:
    """The documents of a file or folder, or those already in memory."""
    if isinstance(source, str | Path):
        source = TextFiles(source)
    if isinstance(source, TextFiles):
        reading = ReadSettings(
            annotator=settings.annotator,
            max_bytes=settings.max_megabytes * 2**20,
            misaligned=settings.misaligned,
        )
        return read_documents(source.path, format=source.format, settings=reading)
    numbered = (replace(document, number=at) for at, document in enumerate(source, start=1))
    if settings.misaligned == "refuse":
        return numbered
    return (fit_in_memory(document, settings.misaligned) for document in numbered)


def fit_in_memory(document: Document, misaligned: Misaligned) -> Document:
    """A document in memory after annotations that do not fit were skipped or moved."""
    if document.text is None or document.misaligned:
        return document
    surfaces = document.surfaces or (None,) * len(document.annotations)
    return fit_offsets(document, surfaces, misaligned)


def source_names(sources: Sequence[Source], kind: str) -> list[str]:
    """The last part of each path without its suffix, or KIND NUMBER; with a number if two are equal."""
    plain = []
    for number, source in enumerate(sources, start=1):
        path = source.path if isinstance(source, TextFiles) else source
        known = PurePath(str(path)).stem if isinstance(path, str | Path) else ""
        plain.append(known or f"{kind} {number}")
    often = Counter(plain)
    return [f"{name} ({number})" if often[name] > 1 else name for number, name in enumerate(plain, start=1)]


def _marks_by_document(documents: Iterable[Document]) -> dict[str, ToolDocument]:
    found: dict[str, ToolDocument] = {}
    for document in documents:
        if document.id in found:
            raise UnmatchedDocuments(
                f"The tool output contains {document.shown} twice.",
                hint="Give each document one entry with all its annotations.",
            )
        found[document.id] = ToolDocument(document)
    return found


def _own_marks(document: Document, marks: dict[str, ToolDocument], settings: TextSettings) -> ToolDocument:
    """What the tool gave for a document."""
    own = marks.get(document.id)
    if own is None:
        marks[document.id] = missing = missing_document(document, settings)
        return missing
    if own.used:
        raise UnmatchedDocuments(
            f"The gold standard contains {document.shown} twice.",
            hint="Give every document a unique id; merge documents of one patient with --patient.",
        )
    own.used = True
    return own


def missing_document(gold: Document, settings: TextSettings) -> ToolDocument:
    """A document that the tool did not give: nothing in it is masked, or it is an error."""
    if settings.unmatched == "allow":
        missing = ToolDocument(Document(gold.id, ()))
        missing.used = missing.missing = True
        return missing
    raise UnmatchedDocuments(
        f"The tool output lacks {gold.shown} of the gold standard.",
        hint="A document in which the tool found nothing needs an entry without annotations. "
        "To count missing documents as not masked at all: --set unmatched=allow",
    )


def _placed_marks(
    document: Document, own: ToolDocument, settings: TextSettings, aligner: Aligner
) -> Document:
    """The tool's annotations of a document, with offsets in the text of the gold standard."""
    read = own.document
    if read.released is not None:
        return replace(read, annotations=aligner.marks(document, read.released, source=read.source))
    if document.text is None or own.missing:
        return read
    if own.key is not None and not same_text(own.key, document.text):
        raise MisalignedOffsets(
            f"Gold standard and tool output have different texts for {document.shown} of the gold standard.",
            hint="Run the tool on exactly the text that was annotated, including line ends and white space. "
            "If the tool gives the changed texts, use --tool-format redacted, or surrogate.",
        )
    return in_text(read, own.key, document.text, settings.misaligned)


def _masking(marks: tuple[Annotation, ...], types: TypeMap) -> tuple[Annotation, ...]:
    """Without what the tool marked but left visible, according to the tool or to your types."""
    if all(mark.role != "ignored" and mark.type not in types.unmasked for mark in marks):
        return marks
    return tuple(mark for mark in marks if mark.role != "ignored" and mark.type not in types.unmasked)


def _count_unmatched(marks: dict[str, ToolDocument], settings: TextSettings) -> dict[str, int]:
    extra = [name for name, own in marks.items() if not own.used]
    missing = sum(own.missing for own in marks.values())
    return unmatched_documents(missing, len(extra), extra[0] if extra else "", settings)


def unmatched_documents(only_gold: int, only_tool: int, first: str, settings: TextSettings) -> dict[str, int]:
    """The documents of one side only, or an error that names the first one of the tool."""
    if only_tool and settings.unmatched == "error":
        raise UnmatchedDocuments(
            f"The gold standard lacks {plural(only_tool, 'document')} of the tool output, "
            f"the first is {first!r}.",
            hint="Evaluate the tool on annotated documents. To leave the others out: --set unmatched=allow",
        )
    return {"only_gold": only_gold, "only_tool": only_tool} if only_gold or only_tool else {}


def named_inputs(gold: Source, tool: Source, counting: Counting) -> tuple[tuple[str, Any], ...]:
    """The inputs that a result records, so that it can be repeated."""
    named: dict[str, Any] = {"gold": _name(gold), "tool": _name(tool), "ignore_words": counting.ignored.name}
    if counting.ignored.name not in ("none", "default"):
        named["ignored_words"] = sorted(counting.ignored.any_case | counting.ignored.lower_case)
    if counting.patient is not None:
        named["patient"] = counting.patient.pattern
    if counting.split_patients is not None:
        named["split_patients"] = counting.split_patients.pattern
    if counting.by is not None:
        named["by"] = str(counting.by)
    if counting.cluster is not None:
        named["cluster"] = str(counting.cluster)
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


MOST_GROUPS = 200
"""With more groups, hardly any of them has enough documents."""


class GroupTallies:
    """One tally per group of documents; none if no grouping was requested."""

    def __init__(self, counting: Counting, settings: TextSettings) -> None:
        self._counting = counting
        # There may be many small groups: only the whole corpus is cross-checked.
        self._settings = replace(settings, crosscheck=False, strata=None, release_shares=None)
        self._tallies: dict[str, EvidenceTally] = {}
        self._sizes: dict[str, int] = {}

    def add(
        self, document: Document, marks: tuple[Annotation, ...], lost: tuple[MisalignedMark, ...] = ()
    ) -> None:
        """Count a document in its group."""
        if self._counting.by is None:
            return
        name = self._counting.by.of(document)
        self._tally_of(name).add(document, marks, lost)
        self._sizes[name] = self._sizes.get(name, 0) + 1

    def state(self, hide: Callable[[str], str]) -> list[tuple[str, int, dict[str, Any]]]:
        """What was counted so far, to be added to the counts of other documents."""
        return [(name, self._sizes[name], tally.state(hide)) for name, tally in self._tallies.items()]

    def add_state(self, other: list[tuple[str, int, dict[str, Any]]]) -> None:
        """Add the counts of other documents."""
        for name, size, counts in other:
            self._tally_of(name).add_state(counts)
            self._sizes[name] = self._sizes.get(name, 0) + size

    def _tally_of(self, name: str) -> EvidenceTally:
        if name not in self._tallies and len(self._tallies) == MOST_GROUPS:
            raise InvalidSetting(
                f"There are more than {MOST_GROUPS} groups of documents.",
                hint="Choose a coarser grouping, such as folder, ward or year.",
            )
        return self._tallies.setdefault(name, EvidenceTally(self._counting, self._settings))

    def assess(
        self, release: Release, threshold: Threshold, provenance: Provenance
    ) -> tuple[DocumentGroup, ...]:
        """The risk of every group, in order of names."""
        found = []
        for name, tally in sorted(self._tallies.items()):
            try:
                # Small groups cannot show that documents leak alike: only the whole corpus is tested.
                evidence = replace(tally.finish(), likely_clusters=None)
            except NothingToMeasure:
                found.append(DocumentGroup(name, self._sizes[name], None))
                continue
            own = _known(release, evidence)
            risk = assess(evidence, own, threshold, self._settings, provenance=provenance)
            found.append(DocumentGroup(name, evidence.documents, risk))
        return tuple(found)


def _known(release: Release, evidence: Evidence) -> Release:
    """The release without recognitions of types that these documents do not contain."""
    held = {kind.type for kind in evidence.types}
    own = {kind: value for kind, value in release.recognition.by_type.items() if kind in held}
    return replace(release, recognition=replace(release.recognition, by_type=own))

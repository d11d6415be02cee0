"""Turn the released texts of a corpus into annotations, and record what was in doubt."""

from __future__ import annotations

from collections import Counter

from reidrisk.core.shown_ids import shown_document, shown_source
from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.text.alignment.redacted import align_redacted
from reidrisk.text.alignment.result import MOST_WAYS, DocumentAlignment, Doubt
from reidrisk.text.alignment.surrogate import align_surrogate, whole_identifiers
from reidrisk.text.corpus import Annotation, Document, ReleasedText
from reidrisk.text.evidence import Alignment, DoubtfulPlace
from reidrisk.text.formats.location import ErrorsAt, misaligned
from reidrisk.text.matching import Mask, WordCounter, masked_words
from reidrisk.text.roles import TypeMap, default_roles
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting


def alignment_notes(alignment: Alignment | None, settings: TextSettings) -> tuple[str, ...]:
    """Notes for the result: what was aligned, and what was in doubt. They name positions, never text."""
    if alignment is None:
        return ()
    notes = [
        f"The tool gave text without offsets: {plural(alignment.documents, 'released text')} aligned with "
        f"the originals, {plural(alignment.masked, 'masked place')} found."
    ]
    if alignment.doubtful:
        notes.append(_doubts(alignment))
    if alignment.white_space:
        notes.append(
            f"{plural(alignment.white_space, 'released text')} match the originals only if differences in "
            "line ends and other white space are ignored."
        )
    if alignment.kept_in_part and settings.survivors == "word":
        notes.append(
            f"{plural(alignment.kept_in_part, 'identifier')} kept some words while others were replaced: by "
            "chance, or because the tool missed a part. They count as leaked; with --set survivors=instance, "
            "as caught."
        )
    return tuple(notes)


def _doubts(alignment: Alignment) -> str:
    first, documents = alignment.places[0], plural(alignment.doubtful_documents, "document")
    return (
        f"{plural(alignment.doubtful, 'ambiguous place')} in {documents}: "
        "the released text fits the original in more than one way, first in "
        f"{shown_document(first.document)} from {first.start} to {first.end}. Only what every way masks "
        "counts as masked."
    )


MOST_PLACES = 1000
"""Largest number of doubtful places that a result lists; all are counted."""


class Aligner:
    """Aligns documents one at a time, and counts what was in doubt."""

    def __init__(self, counting: Counting, settings: TextSettings) -> None:
        self._settings = settings
        self._words = WordCounter(counting.ignored)
        self._labels = _known_labels(counting.types)
        self._counts: Counter[str] = Counter()
        """By field name of `Alignment`."""
        self._places: list[DoubtfulPlace] = []

    def marks(self, gold: Document, released: ReleasedText, *, source: str) -> tuple[Annotation, ...]:
        """The annotations that the released text masks in a document of the gold standard."""
        if gold.text is None:
            raise BadData(
                f"{gold.where}, has no text.",
                hint="A released text is aligned with its original, which the gold standard must contain.",
            )
        with ErrorsAt(_place(source, gold)):
            aligned = self._aligned(gold, gold.text, released)
            self._record(gold.id, aligned)
        marks = tuple(Annotation(one.start, one.end, one.label) for one in aligned.masked)
        if released.how == "surrogate":
            self._counts["kept_in_part"] += self._kept_in_part(gold, gold.text, marks)
        return marks

    def state(self) -> tuple[Counter[str], list[DoubtfulPlace]]:
        """What was recorded so far, to be added to the records of other documents."""
        return self._counts, self._places

    def add_state(self, other: tuple[Counter[str], list[DoubtfulPlace]]) -> None:
        """Add the records of other documents."""
        self._counts.update(other[0])
        self._places += other[1][: MOST_PLACES - len(self._places)]

    def finish(self) -> Alignment | None:
        """The counts; None if nothing was aligned."""
        counts = self._counts
        if not counts["documents"]:
            return None
        return Alignment(
            documents=counts["documents"],
            masked=counts["masked"],
            white_space=counts["white_space"],
            kept_in_part=counts["kept_in_part"],
            doubtful=counts["doubtful"],
            doubtful_documents=counts["doubtful_documents"],
            places=tuple(self._places),
        )

    def _aligned(self, gold: Document, text: str, released: ReleasedText) -> DocumentAlignment:
        if released.how == "redacted":
            return align_redacted(text, released.text, self._labels)
        identifiers = [piece for mark in gold.annotations for piece in mark.pieces]
        aligned = align_surrogate(text, released.text, identifiers)
        if self._settings.survivors == "word":
            return aligned
        return DocumentAlignment(whole_identifiers(aligned.masked, identifiers), aligned.doubts)

    def _record(self, name: str, aligned: DocumentAlignment) -> None:
        doubts = aligned.doubts
        if doubts and self._settings.ambiguous == "error":
            raise _refusal(doubts)
        self._counts["documents"] += 1
        self._counts["masked"] += len(aligned.masked)
        self._counts["white_space"] += aligned.loose
        self._counts["doubtful"] += len(doubts)
        self._counts["doubtful_documents"] += bool(doubts)
        free = MOST_PLACES - len(self._places)
        self._places += [DoubtfulPlace(name, one.start, one.end, one.ways) for one in doubts[:free]]

    def _kept_in_part(self, gold: Document, text: str, marks: tuple[Annotation, ...]) -> int:
        mask = Mask(marks)
        seen = [masked_words(text, mark, mask, self._words) for mark in gold.annotations]
        return sum(0 < one.masked < one.words for one in seen)


def _place(source: str, gold: Document) -> str:
    """Where a released text is, for messages: its number is that of the document of the gold standard."""
    return f"{shown_source(source, gold.id) if source else 'the released texts'}, {gold.shown}"


def _known_labels(types: TypeMap) -> frozenset[str]:
    return frozenset(
        (
            *default_roles(),
            *types.roles,
            *types.groups,
            *types.labels,
            *types.wide_labels.values(),
            *types.unmasked,
        )
    )


def _refusal(doubts: tuple[Doubt, ...]) -> BadData:
    first = doubts[0]
    more = f", and {plural(len(doubts) - 1, 'place')} more" if len(doubts) > 1 else ""
    return misaligned(
        f"the released text fits the original from {first.start} to {first.end} in {_ways(first.ways)}{more}",
        hint="Without ambiguous=error, such a place counts as masked only where every way masks it.",
    )


def _ways(ways: int) -> str:
    return f"{ways:,} ways" if 2 < ways < MOST_WAYS else f"{ways:,} ways or more"

"""Released texts of a whole corpus turned into annotations, with a record of what was in doubt."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.text.alignment.outcome import MOST_WAYS, Aligned, Doubt
from reidrisk.text.alignment.redacted import align_redacted
from reidrisk.text.alignment.surrogate import align_surrogate, whole_identifiers
from reidrisk.text.corpus import Annotation, Document, Released
from reidrisk.text.evidence import Alignment, DoubtfulPlace
from reidrisk.text.formats.place import At, Place, misaligned
from reidrisk.text.matching import Mask, masked_words
from reidrisk.text.roles import TypeMap, default_roles
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting
from reidrisk.text.words import WordCounter

MOST_PLACES = 1000
"""Doubtful places that a result lists; all are counted."""


@dataclass(slots=True)
class Aligner:
    """Aligns documents one at a time and remembers how certain it was."""

    counting: Counting
    settings: TextSettings
    _documents: int = 0
    _masked: int = 0
    _loose: int = 0
    _partly: int = 0
    _doubts: int = 0
    _doubtful_documents: int = 0
    _places: tuple[DoubtfulPlace, ...] = ()

    def marks(self, gold: Document, released: Released, *, source: str) -> tuple[Annotation, ...]:
        """What the released text masks of a document of the gold standard."""
        if gold.text is None:
            raise BadData(
                f"{gold.source or 'The gold standard'}, document {gold.id!r}, has no text.",
                hint="A released text is aligned with its original, which the gold standard must hold.",
            )
        with At(Place(source or "the released texts", None, gold.id)):
            aligned = self._aligned(gold, gold.text, released)
            self._record(gold.id, aligned)
        marks = tuple(Annotation(one.start, one.end, one.label) for one in aligned.masked)
        if released.how == "surrogate":
            self._partly += self._kept_in_part(gold, gold.text, marks)
        return marks

    def finish(self) -> Alignment | None:
        """The record; None if nothing was aligned."""
        if not self._documents:
            return None
        return Alignment(
            documents=self._documents,
            masked=self._masked,
            white_space=self._loose,
            kept_in_part=self._partly,
            doubtful=self._doubts,
            doubtful_documents=self._doubtful_documents,
            places=self._places,
        )

    def _aligned(self, gold: Document, text: str, released: Released) -> Aligned:
        if released.how == "redacted":
            return align_redacted(text, released.text, _known_labels(self.counting.types))
        identifiers = [piece for mark in gold.annotations for piece in mark.pieces]
        aligned = align_surrogate(text, released.text, identifiers)
        if self.settings.survivors == "word":
            return aligned
        return Aligned(whole_identifiers(aligned.masked, identifiers), aligned.doubts)

    def _record(self, name: str, aligned: Aligned) -> None:
        if aligned.doubts and self.settings.ambiguous == "error":
            raise _refusal(aligned.doubts)
        self._documents += 1
        self._masked += len(aligned.masked)
        self._loose += aligned.loose
        self._doubts += len(aligned.doubts)
        self._doubtful_documents += bool(aligned.doubts)
        free = MOST_PLACES - len(self._places)
        self._places += tuple(
            DoubtfulPlace(name, one.start, one.end, one.ways) for one in aligned.doubts[:free]
        )

    def _kept_in_part(self, gold: Document, text: str, marks: tuple[Annotation, ...]) -> int:
        mask, words = Mask(marks), WordCounter(self.counting.ignored)
        seen = [masked_words(text, mark, mask, words) for mark in gold.annotations]
        return sum(0 < one.masked < one.words for one in seen)


def _known_labels(types: TypeMap) -> frozenset[str]:
    return frozenset((*default_roles(), *types.roles, *types.groups, *types.labels, *types.unmasked))


def _refusal(doubts: tuple[Doubt, ...]) -> BadData:
    first = doubts[0]
    more = f", and {plural(len(doubts) - 1, 'place')} more" if len(doubts) > 1 else ""
    return misaligned(
        f"the released text fits the original from {first.start} to {first.end} in {_ways(first.ways)}{more}",
        hint="Leave out ambiguous=error to count such a place as masked only where every way masks it.",
    )


def _ways(ways: int) -> str:
    return f"{ways:,} ways" if 2 < ways < MOST_WAYS else f"{ways:,} ways or more"

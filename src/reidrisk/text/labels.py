"""Conventional measures: how much that was masked should be, and whether labels are right."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.text.corpus import Annotation
from reidrisk.text.evidence import Kind, LabelEvidence
from reidrisk.text.matching import Mask, masked_words
from reidrisk.text.roles import TypeMap
from reidrisk.text.words import counted_words


class LabelTally:
    """Running counts over documents of masked words and of labels."""

    def __init__(self, types: TypeMap, ignored: frozenset[str]) -> None:
        self.masked_words = 0
        self.masked_identifier_words = 0
        self._types = types
        self._ignored = ignored
        self._counts: dict[str, list[int]] = {}
        """By type: wanted, found, marked, right."""

    def add(
        self, text: str, gold: list[tuple[Annotation, Kind]], marks: tuple[Annotation, ...], mask: Mask
    ) -> list[bool]:
        """Count a document; for each gold annotation, whether it is masked under its own label."""
        self._count_words(text, Mask(mark for mark, _ in gold), mask)
        wanted = [(mark, kind[0]) for mark, kind in gold]
        marked = [(mark, self._types.label_stands_for(mark.type)) for mark in marks]
        found = self._count(text, wanted, against=marked, place=0)
        self._count(text, marked, against=wanted, place=2)
        return found

    def finish(self) -> tuple[LabelEvidence, ...]:
        """The counts by type."""
        return tuple(LabelEvidence(kind, *counts) for kind, counts in sorted(self._counts.items()))

    def _count_words(self, text: str, gold: Mask, mask: Mask) -> None:
        for start, end in zip(mask.starts, mask.ends, strict=True):
            words = counted_words(text, start, end, self._ignored)
            self.masked_words += len(words)
            if gold.covers(start, end):
                self.masked_identifier_words += len(words)
            elif gold.touches(start, end):
                self.masked_identifier_words += sum(gold.covers(*word) for word in words)

    def _count(
        self,
        text: str,
        these: list[tuple[Annotation, str]],
        *,
        against: list[tuple[Annotation, str]],
        place: int,
    ) -> list[bool]:
        """Count these annotations, and those of them that the others cover under the same label."""
        masks = _masks({label for _, label in these}, against)
        covered = []
        for mark, label in these:
            mask = masks.get(label)
            hit = mask is not None and _covers(mask, text, mark, self._ignored)
            counts = self._counts.setdefault(label, [0, 0, 0, 0])
            counts[place] += 1
            counts[place + 1] += hit
            covered.append(hit)
        return covered


def _masks(labels: set[str], marks: Iterable[tuple[Annotation, str]]) -> dict[str, Mask]:
    by_label: dict[str, list[Annotation]] = {}
    for mark, label in marks:
        if label in labels:
            by_label.setdefault(label, []).append(mark)
    return {label: Mask(own) for label, own in by_label.items()}


def _covers(mask: Mask, text: str, mark: Annotation, ignored: frozenset[str]) -> bool:
    if not mark.fragments and mask.covers(mark.start, mark.end):
        return True
    words, masked = masked_words(text, mark, mask, ignored)
    return words == masked

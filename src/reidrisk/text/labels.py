"""Conventional measures: how much that was masked should be, and whether labels are right."""

from __future__ import annotations

from reidrisk.text.corpus import Annotation
from reidrisk.text.evidence import Kind, LabelEvidence
from reidrisk.text.matching import Mask, masked_among, masked_words
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
            words = counted_words(text[start:end], self._ignored)
            self.masked_words += len(words)
            self.masked_identifier_words += masked_among(words, start, end, gold)

    def _count(
        self,
        text: str,
        these: list[tuple[Annotation, str]],
        *,
        against: list[tuple[Annotation, str]],
        place: int,
    ) -> list[bool]:
        """Count these annotations, and those of them that the others cover under the same label."""
        same = {(mark.start, mark.end, mark.fragments, label) for mark, label in against}
        masks = _MasksByLabel(against)
        covered = []
        for mark, label in these:
            hit = (mark.start, mark.end, mark.fragments, label) in same
            if not hit and label in masks:
                words, masked = masked_words(text, mark, masks[label], self._ignored)
                hit = words == masked
            counts = self._counts.setdefault(label, [0, 0, 0, 0])
            counts[place] += 1
            counts[place + 1] += hit
            covered.append(hit)
        return covered


class _MasksByLabel:
    """The mask of each label, made when it is first needed: most annotations agree to the letter."""

    def __init__(self, marks: list[tuple[Annotation, str]]) -> None:
        self._marks = marks
        self._labels = {label for _, label in marks}
        self._masks: dict[str, Mask] = {}

    def __contains__(self, label: str) -> bool:
        return label in self._labels

    def __getitem__(self, label: str) -> Mask:
        if label not in self._masks:
            self._masks[label] = Mask(mark for mark, own in self._marks if own == label)
        return self._masks[label]

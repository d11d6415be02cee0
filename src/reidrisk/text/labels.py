"""Conventional measures: how much that was masked should be, and whether labels are right."""

from __future__ import annotations

from collections import Counter

from reidrisk.text.corpus import Annotation
from reidrisk.text.evidence import LabelEvidence
from reidrisk.text.matching import Mask, MasksByLabel, masked_among, masked_words
from reidrisk.text.words import WordCounter

Labelled = list[tuple[Annotation, str]]
"""Annotations, each with the type or group that its label stands for."""


class LabelTally:
    """Running counts over documents of masked words and of labels."""

    def __init__(self, counter: WordCounter) -> None:
        self.masked_words = 0
        self.masked_identifier_words = 0
        self._counter = counter
        self._counts: dict[str, list[int]] = {}
        """By type: wanted, found, marked, right."""

    def add(self, text: str, gold: Labelled, marks: Labelled, mask: Mask) -> None:
        """Count a document."""
        gold_mask = Mask(mark for mark, _ in gold)
        for start, end in zip(mask.starts, mask.ends, strict=True):
            words, _ = self._counter.places(text[start:end])
            self.masked_words += len(words)
            self.masked_identifier_words += masked_among(words, start, end, gold_mask)
        self._count(text, gold, against=marks, place=0)
        self._count(text, marks, against=gold, place=2)

    def finish(self) -> tuple[LabelEvidence, ...]:
        """The counts by type."""
        return tuple(LabelEvidence(kind, *counts) for kind, counts in sorted(self._counts.items()))

    def _count(self, text: str, these: Labelled, *, against: Labelled, place: int) -> None:
        """Count these annotations, and those of them that the others cover under the same label."""
        same = {(mark.start, mark.end, mark.fragments, label) for mark, label in against}
        for label, times in Counter(label for _, label in these).items():
            counts = self._counts.setdefault(label, [0, 0, 0, 0])
            counts[place] += times
            counts[place + 1] += times
        # Most annotations agree to the letter; only the others are compared word by word.
        others = [
            pair for pair in these if (pair[0].start, pair[0].end, pair[0].fragments, pair[1]) not in same
        ]
        shared = {label for _, label in against}
        masks = MasksByLabel(against)
        for mark, label in others:
            if label not in shared or not masked_words(text, mark, masks[label], self._counter).caught:
                self._counts[label][place + 1] -= 1

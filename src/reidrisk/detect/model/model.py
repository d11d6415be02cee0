"""A trained model: finds identifiers in texts, many short ones at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from reidrisk.detect.finding import Finding
from reidrisk.detect.model.confidence import Confidence
from reidrisk.detect.model.crf import Crf
from reidrisk.detect.model.scoring import Scorer
from reidrisk.detect.model.spans import LabelColumns, findings_of_each, masses
from reidrisk.detect.model.vocabulary import Encoder

THRESHOLD = 0.2
"""Mask what is an identifier with this probability: one leaked word weighs as four masked in vain."""

LONGEST = 400_000
"""Characters of a text that are looked at together: memory does not grow with the text."""
TOGETHER = 64_000
"""Characters of short texts that are looked at together: more are no faster."""
Block = tuple[int, int, str]
"""Number of a text, where a piece of it begins, and the piece."""


@dataclass(frozen=True, eq=False)
class Model:
    """What `train` makes and `load_model` reads."""

    crf: Crf = field(repr=False)
    confidence: Confidence = field(default_factory=Confidence, repr=False)
    about: dict[str, Any] = field(default_factory=dict)
    """What it was trained on, in numbers, and how: never any text."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The types that it finds."""
        return self._columns.types

    def find(self, text: str, *, threshold: float = THRESHOLD) -> list[Finding]:
        """The identifiers of a text, in order; they do not overlap."""
        return self.find_many((text,), threshold=threshold)[0]

    def find_many(self, texts: Sequence[str], *, threshold: float = THRESHOLD) -> list[list[Finding]]:
        """Those of each of several texts: the same as one by one, much faster if they are short."""
        found: list[list[Finding]] = [[] for _ in texts]
        for batch in _batches(_blocks_of(texts)):
            for place, one in self._find([piece for _, _, piece in batch], threshold):
                number, start, _ = batch[place]
                found[number].append(one if start == 0 else _moved(one, start))
        return found

    def _find(self, texts: Sequence[str], threshold: float) -> Iterator[tuple[int, Finding]]:
        """With the number of the text, in order."""
        layout, grid = self._encoder.encode_many(texts)
        if not layout.size:
            return iter(())
        probabilities = self._scorer.probabilities(layout, grid)
        sure = self.confidence.of(layout, masses(self._columns, probabilities))
        return findings_of_each(layout, probabilities, sure, self._columns, threshold)

    @cached_property
    def _columns(self) -> LabelColumns:
        return LabelColumns.of(self.crf.labels)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.crf.vocabulary)

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer(self.crf)


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Pieces of a text that are worked on one after the other; a long one is cut at a white space."""
    start = 0
    while len(text) - start > LONGEST:
        space = max(text.rfind(sign, start + LONGEST // 2, start + LONGEST) for sign in ("\n", " ", "\t"))
        end = space if space > 0 else start + LONGEST
        yield start, end
        start = end
    yield start, len(text)


def _blocks_of(texts: Iterable[str]) -> Iterator[Block]:
    for number, text in enumerate(texts):
        for start, end in blocks(text):
            yield number, start, text[start:end]


def _batches(pieces: Iterable[Block]) -> Iterator[list[Block]]:
    """Pieces to be looked at together: of so many characters, or one that has more."""
    batch: list[Block] = []
    letters = 0
    for piece in pieces:
        if batch and letters + len(piece[2]) > TOGETHER:
            yield batch
            batch, letters = [], 0
        batch.append(piece)
        letters += len(piece[2])
    if batch:
        yield batch


def _moved(finding: Finding, by: int) -> Finding:
    return replace(finding, start=finding.start + by, end=finding.end + by)

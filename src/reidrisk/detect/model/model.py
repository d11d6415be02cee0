"""A trained model that finds identifiers in one text or in many short texts at once."""

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
from reidrisk.detect.settings import DEFAULT_THRESHOLD

LONGEST = 400_000
"""Characters of a long text processed at once, so that memory does not grow with the text."""
TOGETHER = 64_000
"""Characters of short texts processed at once; larger batches are not faster."""
Block = tuple[int, int, str]
"""Number of a text, start of a piece of it, and the piece."""


@dataclass(frozen=True, eq=False)
class Model:
    """A trained model, as returned by `train` and `load_model`."""

    crf: Crf = field(repr=False)
    confidence: Confidence = field(default_factory=Confidence, repr=False)
    about: dict[str, Any] = field(default_factory=dict)
    """Figures about the training data and settings; never any text."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The types that the model finds."""
        return self._columns.types

    def find(self, text: str, *, threshold: float = DEFAULT_THRESHOLD) -> list[Finding]:
        """The identifiers in a text, in order and without overlaps."""
        return self.find_many((text,), threshold=threshold)[0]

    def find_many(self, texts: Sequence[str], *, threshold: float = DEFAULT_THRESHOLD) -> list[list[Finding]]:
        """The identifiers in each of several texts: same as one by one, but much faster for short texts."""
        found: list[list[Finding]] = [[] for _ in texts]
        for batch in _batches(_blocks_of(texts)):
            for place, one in self._find([piece for _, _, piece in batch], threshold):
                number, start, _ = batch[place]
                found[number].append(one if start == 0 else _move(one, start))
        return found

    def _find(self, texts: Sequence[str], threshold: float) -> Iterator[tuple[int, Finding]]:
        """The findings in order, each with the number of its text."""
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
    """Start and end of the pieces of a text; a long text is split at white space."""
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
    """Group pieces into batches of at most `TOGETHER` characters; a longer piece is its own batch."""
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


def _move(finding: Finding, by: int) -> Finding:
    return replace(finding, start=finding.start + by, end=finding.end + by)

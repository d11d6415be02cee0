"""A trained model: finds identifiers in one text at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from reidrisk.detect.finding import Finding
from reidrisk.detect.model.confidence import Confidence
from reidrisk.detect.model.crf import Crf
from reidrisk.detect.model.scoring import Scorer
from reidrisk.detect.model.spans import LabelColumns, findings, masses
from reidrisk.detect.model.vocabulary import Encoder

THRESHOLD = 0.2
"""Mask what is an identifier with this probability: one leaked word weighs as four masked in vain."""

LONGEST = 400_000
"""Characters of a text that are looked at together: memory does not grow with the text."""


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
        found: list[Finding] = []
        for start, end in blocks(text):
            own = self._find(text[start:end], threshold)
            found += own if start == 0 else [_moved(one, start) for one in own]
        return found

    def _find(self, text: str, threshold: float) -> list[Finding]:
        layout, grid = self._encoder.encode(text)
        if not layout.size:
            return []
        probabilities = self._scorer.probabilities(layout, grid)
        sure = self.confidence.of(layout, masses(self._columns, probabilities))
        return findings(layout, probabilities, sure, self._columns, threshold)

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


def _moved(finding: Finding, by: int) -> Finding:
    return replace(finding, start=finding.start + by, end=finding.end + by)

"""A trained model: finds identifiers in one text at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from reidrisk.detect.finding import Finding
from reidrisk.detect.model.confidence import Confidence
from reidrisk.detect.model.crf import Crf
from reidrisk.detect.model.spans import LabelColumns, findings, masses
from reidrisk.detect.model.vocabulary import Encoder

THRESHOLD = 0.2
"""Mask what is an identifier with this probability: one leaked word weighs as four masked in vain."""


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
        layout, grid = self._encoder.encode(text)
        if not layout.size:
            return []
        probabilities = self.crf.probabilities(layout, grid)
        sure = self.confidence.of(layout, masses(self._columns, probabilities))
        return findings(layout, probabilities, sure, self._columns, threshold)

    @cached_property
    def _columns(self) -> LabelColumns:
        return LabelColumns.of(self.crf.labels)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.crf.vocabulary)

"""What every detector gives: places in a text, never the text itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Protocol, runtime_checkable

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A place in a text that may identify somebody. Offsets are code points, the end is exclusive."""

    start: int
    end: int
    type: str
    """A type of the i2b2 2014 scheme, such as NAME or DATE, or a label of the user's own model or list."""
    confidence: float
    """Between 0 and 1: the share of such findings that were right where it was calibrated."""
    source: str
    """Which part found it, such as `pattern:phone`, `dictionary:first-name`, `known:visit-date`, `model`."""

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidSetting(
                f"A finding of {self.source} runs from {self.start} to {self.end}.",
                hint="Offsets count characters from 0; the end is exclusive and greater than the start.",
            )
        if not 0 <= self.confidence <= 1:
            raise InvalidSetting(
                f"A finding of {self.source} has confidence {self.confidence}.",
                hint="A confidence lies between 0 and 1.",
            )


IN_ORDER = attrgetter("start", "end", "type", "confidence", "source")
"""Sorts findings as they compare with each other, only faster."""


class Detector(Protocol):
    """Whatever finds identifiers in one text at a time."""

    def find(self, text: str) -> Sequence[Finding]:
        """The findings, in any order; they may overlap."""
        ...


@runtime_checkable
class BatchDetector(Detector, Protocol):
    """A detector that is faster if it gets many short texts at once."""

    def find_many(self, texts: Sequence[str]) -> Sequence[Sequence[Finding]]:
        """What `find` gives for each of the texts."""
        ...


def find_in_each(detector: Detector, texts: Sequence[str]) -> Sequence[Sequence[Finding]]:
    """What a detector finds in each of some texts, all at once if it can."""
    if isinstance(detector, BatchDetector):
        return detector.find_many(texts)
    return [detector.find(text) for text in texts]

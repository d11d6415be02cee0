"""What every detector returns: positions in a text, never the text itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Protocol, runtime_checkable

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A span of a text that may identify a person. Offsets count code points; the end is exclusive."""

    start: int
    end: int
    type: str
    """A type of the i2b2 2014 scheme, such as NAME or DATE, or a label of your own model or term list."""
    confidence: float
    """Between 0 and 1: the share of such findings that were correct in the calibration data."""
    source: str
    """Part that found it, such as `pattern:phone`, `dictionary:first-name`, `known:visit-date`, `model`."""

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidSetting(
                f"A finding of {self.source} has the span {self.start} to {self.end}.",
                hint="Offsets count characters from 0. The end is exclusive and greater than the start.",
            )
        if not 0 <= self.confidence <= 1:
            raise InvalidSetting(
                f"A finding of {self.source} has confidence {self.confidence}.",
                hint="A confidence is between 0 and 1.",
            )


IN_ORDER = attrgetter("start", "end", "type", "confidence", "source")
"""Sort key with the same order as comparing findings, only faster."""


class Detector(Protocol):
    """Anything that finds identifiers in one text at a time."""

    def find(self, text: str) -> Sequence[Finding]:
        """The findings in any order; they may overlap."""
        ...


@runtime_checkable
class BatchDetector(Detector, Protocol):
    """A detector that works faster on many short texts at once."""

    def find_many(self, texts: Sequence[str]) -> Sequence[Sequence[Finding]]:
        """The result of `find` for each text."""
        ...


def find_in_each(detector: Detector, texts: Sequence[str]) -> Sequence[Sequence[Finding]]:
    """The findings of a detector in each text, in one batch if the detector supports that."""
    if isinstance(detector, BatchDetector):
        return detector.find_many(texts)
    return [detector.find(text) for text in texts]

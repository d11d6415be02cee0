"""The risk before and after, and the ways in which documents give somebody away."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.documents.risk.catch import Classes
from reidrisk.documents.risk.known import Exposure
from reidrisk.documents.risk.leaks import Combined
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.result import TextRisk


@dataclass(frozen=True, slots=True)
class Stage:
    """The risk before or after the measures."""

    highest: float | None
    """None where the risk is told in words."""
    why: str
    level: str | None = None
    """The risk in words, for the qualitative scenario."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sides:
    """The two ways in which documents give somebody away, and what they make together."""

    leak: TextRisk | None = None
    """Through what leaked; None where a scenario leaves leaks out."""
    direct_limit: float | None = None
    """What the upper limit of the direct identifiers' risk must not exceed."""
    catch: Triangular | None = None
    """Through the values that stand where others were caught."""
    exposure: Exposure | None = None
    """The participants who count: their classes, and their events."""
    combined: Combined | None = None

    @property
    def classes(self) -> Classes | None:
        """Participants by static quasi-identifiers."""
        return None if self.exposure is None else self.exposure.classes

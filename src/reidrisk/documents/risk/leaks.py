"""Risk through what leaked: from a reviewed sample, or from figures of recall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.stats.uncertain import Triangular
from reidrisk.text import models
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.compute import quasi_limits
from reidrisk.text.evidence import Evidence
from reidrisk.text.result import TextRisk


@dataclass(frozen=True, slots=True)
class Combined:
    """The risk of quasi-identifiers through what leaked and through what was caught."""

    estimate: Estimate
    plug_in: float

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return self.estimate.to_dict() | {"plug_in": self.plug_in}


def leak_risk(
    evidence: Evidence, release: Release, threshold: Threshold, settings: DocumentSettings, *, seed: int
) -> TextRisk:
    """The risk of a text evaluation: nothing that was caught tells anything."""
    return assess(evidence, release, threshold, settings.text, provenance=Provenance(seed))


def combined_risk(leak: TextRisk, catch: Triangular, settings: DocumentSettings) -> Combined | None:
    """The same with what caught values tell; None if the sample holds no quasi-identifier."""
    model = models.quasi_model(leak.evidence, leak.release, settings.text)
    if model is None:
        return None
    both = replace(model, given_catch=catch, combine=settings.combine)
    engine = "exact" if settings.text.engine == "bootstrap" else settings.text.engine
    limits = quasi_limits(both, settings.text, engine, seed=leak.seed)
    decides = limits.per_document if settings.text.interval == "per_document" else limits.parameter
    estimate = Estimate(decides.mean, min(decides.low, decides.high), decides.high, settings.text.level)
    return Combined(estimate, models.quasi_plug_in(leak.evidence, both, settings.text))

"""Risk through what leaked: from a reviewed sample, or from figures of recall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.documents.risk.whole import WholeDocuments
from reidrisk.stats.models import QuasiModel
from reidrisk.stats.uncertain import Triangular
from reidrisk.text import models
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.evidence import Evidence
from reidrisk.text.models import direct_limits, quasi_limits
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import Engine


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


def of_whole_documents(leak: TextRisk, whole: WholeDocuments, settings: DocumentSettings) -> TextRisk:
    """The same for whole documents, where only some pages were reviewed."""
    evidence, release, text = leak.evidence, leak.release, settings.text
    direct = models.direct_model(evidence, release, text)
    quasi = models.quasi_model(evidence, release, text)
    engine = _engine(settings)
    parts: dict[str, Any] = {}
    if direct is not None and leak.direct is not None:
        direct = whole.direct_model(direct, evidence.direct_types, text)
        limits = direct_limits(direct, text, engine, seed=leak.seed)
        estimate = Estimate(limits.mean, min(limits.low, limits.high), limits.high, text.level)
        plug_in = models.direct_plug_in(direct)
        below = limits.high <= leak.direct.threshold
        parts["direct"] = replace(leak.direct, estimate=estimate, plug_in=plug_in, acceptable=below)
    if quasi is not None and leak.quasi is not None:
        quasi = whole.quasi_model(quasi, text)
        estimate = _estimate(quasi, settings, seed=leak.seed)
        plug_in = models.quasi_plug_in(evidence, quasi, text)
        below = leak.threshold.accepts(estimate.high)
        parts["quasi"] = replace(
            leak.quasi, estimate=estimate, plug_in=plug_in, acceptable=below, other=None, by_document=None
        )
    return replace(leak, **parts)


def combined_risk(
    leak: TextRisk, whole: WholeDocuments | None, catch: Triangular, settings: DocumentSettings
) -> Combined | None:
    """The same with what caught values tell; None if the sample holds no quasi-identifier."""
    model = models.quasi_model(leak.evidence, leak.release, settings.text)
    if model is None:
        return None
    model = model if whole is None else whole.quasi_model(model, settings.text)
    both = replace(model, given_catch=catch, combine=settings.combine)
    estimate = _estimate(both, settings, seed=leak.seed)
    return Combined(estimate, models.quasi_plug_in(leak.evidence, both, settings.text))


def _engine(settings: DocumentSettings) -> Engine:
    """Resampled documents know neither catch nor other pages."""
    return "exact" if settings.text.engine == "bootstrap" else settings.text.engine


def _estimate(model: QuasiModel, settings: DocumentSettings, *, seed: int) -> Estimate:
    limits = quasi_limits(model, settings.text, _engine(settings), seed=seed)
    decides = limits.per_document if settings.text.interval == "per_document" else limits.parameter
    return Estimate(decides.mean, min(decides.low, decides.high), decides.high, settings.text.level)

"""Risk through what leaked, on the pages that were reviewed and in whole documents, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.classes import Classes
from reidrisk.documents.risk.known import StudyExposure
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.stats.arrays import Ints
from reidrisk.stats.counts import counts
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.stats.uncertain import Triangular
from reidrisk.text import models
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.evidence import Evidence
from reidrisk.text.models import direct_limits, gate_state, quasi_limits
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import Engine, TextSettings

Histogram = tuple[tuple[int, int], ...]
"""Pairs (number, how often it occurs)."""


@dataclass(frozen=True, slots=True)
class WholeType:
    """A type of direct identifier in all pages."""

    type: str
    participants: int
    power: float
    """How many times as often it stands of a participant in all pages as on those that were read."""


@dataclass(frozen=True, slots=True)
class WholeDocuments:
    """What all pages hold, where only some were reviewed."""

    pages: int
    participants: int
    direct: tuple[WholeType, ...]
    values: Histogram
    """Distinct quasi-identifier values of a participant."""
    repeats: Histogram
    """Instances of a value."""

    @classmethod
    def of(cls, read: Evidence, whole: Evidence, *, pages: int) -> WholeDocuments:
        """By comparing what was found on the pages read with what was found on all."""
        known = {kind.type: kind for kind in read.of_role("direct")}
        direct = tuple(
            WholeType(kind.type, kind.documents, max(1.0, _each(kind) / _each(known[kind.type])))
            for kind in whole.of_role("direct")
            if kind.type in known
        )
        return cls(pages, whole.documents, direct, _histogram(whole.values), _histogram(whole.repeats))

    @classmethod
    def by_pages(cls, read: Evidence, *, pages: int, reviewed: int) -> WholeDocuments:
        """By the number of pages alone: nothing that was found, or missed, on other pages lowers the risk.

        Participants are told of as often on other pages as on those that were read: a type in so many times
        as many places, so many times as many values.
        """
        times = max(1.0, pages / reviewed)
        everybody = read.documents
        direct = tuple(
            WholeType(kind.type, min(everybody, ceil(kind.documents * times)), times)
            for kind in read.of_role("direct")
        )
        values = np.ceil(read.values * times).astype(np.int64)
        return cls(pages, everybody, direct, _histogram(values), _histogram(read.repeats))

    def direct_model(self, model: DirectModel, names: tuple[str, ...], settings: TextSettings) -> DirectModel:
        """Equation 20 for whole documents; `names` are the types of the model in their order."""
        own = {one.type: one for one in self.direct}
        types = tuple(
            self._type(kind, own[name], settings) if name in own else kind
            for kind, name in zip(model.types, names, strict=False)
        )
        return replace(model, types=(*types, *model.types[len(types) :]))

    def _type(self, kind: DirectType, own: WholeType, settings: TextSettings) -> DirectType:
        recall = replace(kind.recall, power=own.power)
        gate = gate_state(recall.observed, recall.trials, settings, settings.direct_cutoff)
        weight = ObservedProportion(own.participants, self.participants, settings.uncertainty)
        return replace(kind, weight=weight, recall=recall, gate=gate)

    def quasi_model(self, model: QuasiModel, settings: TextSettings) -> QuasiModel:
        """Equation 21 for whole documents: the recall of the pages read, the values of all."""
        values, repeats = _numbers(self.values), _numbers(self.repeats)
        if settings.denominator == "present":
            model, values = replace(model, scale=float(np.mean(values > 0))), values[values > 0]
        return replace(
            model,
            values=counts(settings.values, mean=float(values.mean()), observed=values),
            repeats=counts(settings.repeats, mean=float(repeats.mean()), observed=repeats),
            rate_shape=float(repeats.size) if settings.rate_uncertainty == "gamma" else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> WholeDocuments:
        """What `to_dict` wrote."""
        pairs = {name: tuple((one, two) for one, two in given[name]) for name in ("values", "repeats")}
        direct = tuple(WholeType(**one) for one in given["direct"])
        return cls(given["pages"], given["participants"], direct, pairs["values"], pairs["repeats"])


def _each(kind: Any) -> float:
    """Instances of a participant who has any."""
    return float(kind.instances / kind.documents)


def _histogram(numbers: Ints) -> Histogram:
    found, times = np.unique(numbers, return_counts=True)
    return tuple((int(number), int(often)) for number, often in zip(found, times, strict=True))


def _numbers(histogram: Histogram) -> Ints:
    return np.repeat(*np.array(histogram, dtype=np.int64).reshape(-1, 2).T)


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
    exposure: StudyExposure | None = None
    """The participants who count: their classes, and their events."""
    combined: Combined | None = None

    @property
    def classes(self) -> Classes | None:
        """Participants by static quasi-identifiers."""
        return None if self.exposure is None else self.exposure.classes

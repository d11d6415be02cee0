"""The upper limit of a risk if the tool caught more, or if more documents had been examined.

Every question is asked with the same uniform numbers, so that answers differ only by what was
changed (common random numbers); a type that does not change is drawn once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from reidrisk.context.release import Release
from reidrisk.stats.arrays import Floats
from reidrisk.stats.models import DirectModel, DirectType, Observed, QuasiModel
from reidrisk.stats.simulate import direct_dimensions, draw_type, of_kept, uniforms
from reidrisk.text import models
from reidrisk.text.compute import direct_limits, quasi_limits
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.settings import TextSettings

DRAWS = 2**13


class DirectWhatIf:
    """Equation 20 with other recalls, or on other numbers of documents."""

    def __init__(self, evidence: Evidence, release: Release, settings: TextSettings, *, seed: int) -> None:
        model = models.direct_model(evidence, release, settings)
        if model is None:
            raise AssertionError("there is no direct identifier")
        self._model: DirectModel = model
        self._release, self._settings = release, settings
        self._documents = evidence.documents
        self._kinds = {kind.type: kind for kind in evidence.of_role("direct")}
        self._order = evidence.direct_types
        self._cube = uniforms(
            "sobol", draws=DRAWS, dimensions=direct_dimensions(model), rng=np.random.default_rng(seed)
        )
        self._terms = [draw_type(model, place, self._cube) for place in range(len(model.types))]

    def high(self, leaking: Mapping[str, int]) -> float:
        """The upper limit if these types leaked in so many documents instead."""
        changed = self._changed(leaking)
        kept = np.zeros(len(self._cube))
        for place, (old, new) in enumerate(zip(self._model.types, changed.types, strict=True)):
            kept += self._terms[place] if new is old else draw_type(changed, place, self._cube)
        return self._quantile(changed, kept)

    def exact_high(self, leaking: Mapping[str, int]) -> float:
        """The same by the deterministic engine: slower, and the one that decides."""
        return direct_limits(self._changed(leaking), self._settings, "exact", seed=0).high

    def high_with(self, documents: float) -> float:
        """The upper limit on so many documents with the same shares."""
        times = documents / self._documents
        types = tuple(self._scaled(kind, times) for kind in self._model.types)
        grown = replace(self._model, types=types)
        kept = np.zeros(len(self._cube))
        for place in range(len(types)):
            kept += draw_type(grown, place, self._cube)
        return self._quantile(grown, kept)

    def _quantile(self, model: DirectModel, kept: Floats) -> float:
        return float(np.quantile(of_kept(model, kept, self._cube), self._settings.levels[1]))

    def _changed(self, leaking: Mapping[str, int]) -> DirectModel:
        types = list(self._model.types)
        for name, number in leaking.items():
            kind = replace(self._kinds[name], leaking_documents=number)
            types[self._order.index(name)] = models.direct_type(
                kind, self._documents, self._release, self._settings
            )
        return replace(self._model, types=tuple(types))

    def _scaled(self, kind: DirectType, times: float) -> DirectType:
        recall, settings = _times(kind.recall, times), self._settings
        share = recall.successes / recall.trials
        gate = models.gate_state(share, recall.trials, settings, settings.direct_cutoff)
        return replace(kind, weight=_times(kind.weight, times), recall=recall, gate=gate)


class QuasiWhatIf:
    """Equation 21 with another recall, or on other numbers of documents."""

    def __init__(self, evidence: Evidence, release: Release, settings: TextSettings) -> None:
        model = models.quasi_model(evidence, release, settings)
        if model is None:
            raise AssertionError("there is no quasi-identifier")
        self._model: QuasiModel = model
        self._settings = settings
        self._documents = evidence.documents
        self._holding = evidence.documents_with_quasi
        self.found, self.total = _found(evidence, settings)

    def high(self, found: float) -> float:
        """The upper limit if so many instances (or words, as the settings say) were caught."""
        return self._limit(found / self.total, 1.0)

    def high_with(self, documents: float) -> float:
        """The upper limit on so many documents with the same recall."""
        return self._limit(self.found / self.total, documents / self._documents)

    def _limit(self, recall: float, times: float) -> float:
        support, settings = self._model.recall.trials * times, self._settings
        observed = replace(self._model.recall, successes=min(recall, 1.0) * support, trials=support)
        gate = models.gate_state(recall, self._holding * times, settings, settings.quasi_cutoff)
        limits = quasi_limits(replace(self._model, recall=observed, gate=gate), settings, "exact", seed=0)
        return (limits.parameter if settings.interval == "parameter" else limits.per_document).high


def caught_of(kind: TypeEvidence, settings: TextSettings) -> tuple[int, int]:
    """What was caught of a type and what there was: instances, or words where the settings say so."""
    if settings.unit == "token_level":
        return kind.masked_words, kind.words
    return kind.caught, kind.instances


def _found(evidence: Evidence, settings: TextSettings) -> tuple[int, int]:
    pairs = [caught_of(kind, settings) for kind in evidence.of_role("quasi")]
    return sum(found for found, _ in pairs), sum(total for _, total in pairs)


def _times(observed: Observed, factor: float) -> Observed:
    """The same proportion seen in more trials."""
    if observed.certain:
        return observed
    return replace(observed, successes=observed.successes * factor, trials=observed.trials * factor)

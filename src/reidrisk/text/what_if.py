"""The upper limit of a risk if the tool caught more, or if more documents had been examined.

Every what-if uses the same uniform random numbers, so that answers differ only by what was changed
(common random numbers); a type that does not change is drawn once. `DirectRole` and `QuasiRole` present
the two roles to the search in `improve`: what leaks, and whether fixing a part of it suffices.
`observed_what_if` does the same for the limits of the observed risk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from typing import Protocol

import numpy as np

from reidrisk.context.release import Release
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.decision import TOLERANCE
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.stats.proportion import interval
from reidrisk.stats.simulate import direct_dimensions, draw_from_no_leak, draw_type, uniforms
from reidrisk.text import models
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.models import TextCase, direct_limits, quasi_limits
from reidrisk.text.settings import TextSettings

DRAWS = 2**13


class DirectWhatIf:
    """Equation 20 with other recalls, or with another number of documents."""

    def __init__(self, evidence: Evidence, release: Release, settings: TextSettings, *, seed: int) -> None:
        model = models.direct_model(evidence, release, settings)
        if model is None:
            raise AssertionError("the corpus has no direct identifier")
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
        """The upper limit if each of these types leaked in the given number of documents."""
        changed = self._changed(leaking)
        kept = np.zeros(len(self._cube))
        for place, (old, new) in enumerate(zip(self._model.types, changed.types, strict=True)):
            kept += self._terms[place] if new is old else draw_type(changed, place, self._cube)
        return self._quantile(changed, kept)

    def exact_high(self, leaking: Mapping[str, int]) -> float:
        """The same from the exact engine, which is slower and decides."""
        return direct_limits(self._changed(leaking), self._settings, "exact", seed=0).high

    def high_with(self, documents: float) -> float:
        """The upper limit with this number of documents and the same shares."""
        times = documents / self._documents
        types = tuple(self._scaled(kind, times) for kind in self._model.types)
        grown = replace(self._model, types=types)
        kept = np.zeros(len(self._cube))
        for place in range(len(types)):
            kept += draw_type(grown, place, self._cube)
        return self._quantile(grown, kept)

    def _quantile(self, model: DirectModel, kept: Floats) -> float:
        return float(np.quantile(draw_from_no_leak(model, kept, self._cube), self._settings.levels[1]))

    def _changed(self, leaking: Mapping[str, int]) -> DirectModel:
        types = list(self._model.types)
        for name, number in leaking.items():
            kind = replace(self._kinds[name], leaking_documents=number)
            settings = self._settings
            types[self._order.index(name)] = models.direct_type(
                kind,
                self._documents,
                self._release,
                settings,
                gate=models.gate_state(
                    kind.all_or_nothing_recall, kind.documents, settings, settings.direct_cutoff
                ),
            )
        return replace(self._model, types=tuple(types))

    def _scaled(self, kind: DirectType, times: float) -> DirectType:
        recall, settings = _times(kind.recall, times), self._settings
        share = recall.successes / recall.trials
        gate = models.gate_state(share, recall.trials, settings, settings.direct_cutoff)
        return replace(kind, weight=_times(kind.weight, times), recall=recall, gate=gate)


class QuasiWhatIf:
    """Equation 21 with another recall, or with another number of documents."""

    def __init__(self, evidence: Evidence, release: Release, settings: TextSettings) -> None:
        model = models.quasi_model(evidence, release, settings)
        if model is None:
            raise AssertionError("the corpus has no quasi-identifier")
        self._model: QuasiModel = model
        self._settings = settings
        self._documents = evidence.documents
        self._holding = evidence.documents_with_quasi
        self.found, self.total = _found(evidence, settings)

    def high(self, found: float) -> float:
        """The upper limit if `found` instances (or words, depending on the settings) were caught."""
        return self._limit(found / self.total, 1.0)

    def high_with(self, documents: float) -> float:
        """The upper limit with this number of documents and the same recall."""
        return self._limit(self.found / self.total, documents / self._documents)

    def _limit(self, recall: float, times: float) -> float:
        support, settings = self._model.recall.trials * times, self._settings
        observed = replace(self._model.recall, successes=min(recall, 1.0) * support, trials=support)
        gate = models.gate_state(recall, self._holding * times, settings, settings.quasi_cutoff)
        limits = quasi_limits(replace(self._model, recall=observed, gate=gate), settings, "exact", seed=0)
        return (limits.parameter if settings.interval == "parameter" else limits.per_document).high


def caught_of(kind: TypeEvidence, settings: TextSettings) -> tuple[int, int]:
    """How many of a type were caught, and how many there are: instances, or words under `token_level`."""
    if settings.unit == "token_level":
        return kind.masked_words, kind.words
    return kind.caught, kind.instances


def _found(evidence: Evidence, settings: TextSettings) -> tuple[int, int]:
    pairs = [caught_of(kind, settings) for kind in evidence.of_role("quasi")]
    return sum(found for found, _ in pairs), sum(total for _, total in pairs)


def _times(observed: ObservedProportion, factor: float) -> ObservedProportion:
    """The same proportion, observed in more trials."""
    if observed.certain:
        return observed
    return replace(observed, successes=observed.successes * factor, trials=observed.trials * factor)


Steps = Mapping[str, int]
"""How many leaks of each type are fixed: documents of a direct type, values of a quasi type."""


class Search(Protocol):
    """One role of identifiers with its leaks, as the search for improvements sees it."""

    @property
    def documents(self) -> int:
        """The number of documents examined."""

    @property
    def leaking(self) -> dict[str, int]:
        """How many leaks can be fixed, by type."""

    def recall(self, kind: str, fixed: int) -> float:
        """The recall of a type after fixing this many of its leaks."""

    def high(self, fixed: Steps) -> float:
        """The upper limit of the risk after these fixes."""

    def suffices(self, fixed: Steps) -> bool:
        """Whether the risk would be acceptable, by the fast computation of the search."""

    def confirms(self, fixed: Steps) -> bool:
        """Whether the engine that decides agrees."""

    def suffices_with(self, documents: int) -> bool:
        """Whether the risk would be acceptable with this number of documents and the same recalls."""


class _PlainCount:
    """The veto of the plain share of leaking documents."""

    def __init__(self, case: TextCase, threshold: float, *, role: int) -> None:
        direct = models.direct_model(case.evidence, case.release, case.settings)
        quasi = models.quasi_model(case.evidence, case.release, case.settings)
        self._factor = models.plain_risks(direct, quasi, (1.0, 1.0))[role]
        self._settings = case.settings
        self._limit = threshold * TOLERANCE

    def allows(self, leaking: float, documents: float) -> bool:
        if self._settings.plain_count == "warn":
            return True
        low = interval(leaking, documents, method=self._settings.share_method, level=self._settings.level)[0]
        return self._factor * low <= self._limit


class DirectLeaks:
    """The leaks of direct identifiers: one step fixes all leaks of a type in one document."""

    def __init__(self, case: TextCase, threshold: float) -> None:
        self._evidence = case.evidence
        self._threshold = threshold
        self._kinds = {kind.type: kind for kind in case.evidence.of_role("direct")}
        self.documents = case.evidence.documents
        self.leaking = {
            name: kind.leaking_documents for name, kind in self._kinds.items() if kind.leaking_documents
        }

    def recall(self, kind: str, fixed: int) -> float:
        """All-or-nothing recall."""
        found = self._kinds[kind]
        return (found.documents - found.leaking_documents + fixed) / found.documents

    def leaks_after(self, fixed: Steps) -> Bools:
        """Which types still leak in which documents; documents that leak other types too are fixed first."""
        leaks = self._evidence.leaks.copy()
        for kind, steps in fixed.items():
            column = self._evidence.direct_types.index(kind)
            rows = np.flatnonzero(leaks[:, column])
            most_first = rows[np.argsort(-self._evidence.leaks[rows].sum(axis=1), kind="stable")]
            leaks[most_first[:steps], column] = False
        return leaks


class DirectRole(DirectLeaks):
    """Direct identifiers, judged by the model."""

    def __init__(self, case: TextCase, threshold: float) -> None:
        super().__init__(case, threshold)
        self._what_if = DirectWhatIf(case.evidence, case.release, case.settings, seed=case.seed)
        self._plain = _PlainCount(case, self._threshold, role=0)

    def high(self, fixed: Steps) -> float:
        """From draws with common random numbers."""
        return self._what_if.high(self._left(fixed))

    def suffices(self, fixed: Steps) -> bool:
        """By the limit and by the plain count."""
        return self.high(fixed) <= self._threshold * TOLERANCE and self._plainly(fixed)

    def confirms(self, fixed: Steps) -> bool:
        """By the limit of the exact engine and by the plain count."""
        return self._what_if.exact_high(self._left(fixed)) <= self._threshold * TOLERANCE and self._plainly(
            fixed
        )

    def suffices_with(self, documents: int) -> bool:
        """The plain count of leaking documents grows in proportion."""
        share = self._evidence.documents_with_direct_leak / self.documents
        allowed = self._plain.allows(share * documents, documents)
        return allowed and self._what_if.high_with(documents) <= self._threshold * TOLERANCE

    def _left(self, fixed: Steps) -> dict[str, int]:
        return {kind: self.leaking[kind] - steps for kind, steps in fixed.items()}

    def _plainly(self, fixed: Steps) -> bool:
        return self._plain.allows(int(self.leaks_after(fixed).any(axis=1).sum()), self.documents)


class QuasiLeaks:
    """The leaks of quasi-identifiers: one step fixes one leaked value of one document."""

    def __init__(self, case: TextCase, threshold: float) -> None:
        self._evidence, self._settings = case.evidence, case.settings
        self._threshold = threshold
        self._kinds = {kind.type: kind for kind in case.evidence.of_role("quasi")}
        self._values = {kind: self._in_order(kind) for kind in case.evidence.leaked.types}
        self.documents = case.evidence.documents
        self.leaking = {kind: int(places.size) for kind, (places, _) in self._values.items()}

    def recall(self, kind: str, fixed: int) -> float:
        """Recall of instances, or of words, depending on the settings."""
        found, total = caught_of(self._kinds[kind], self._settings)
        return (found + self._gain(kind, fixed)) / total

    def values_after(self, fixed: Steps) -> tuple[Ints, Ints]:
        """Leaked values and caught instances of each document after these fixes."""
        left, caught = self._evidence.leaked_values.copy(), self._evidence.caught.copy()
        for kind, steps in fixed.items():
            documents, instances = self._values[kind]
            np.subtract.at(left, documents[:steps], 1)
            np.add.at(caught, documents[:steps], instances[:steps])
        return left, caught

    def fixed_values(self, kind: str, steps: int) -> Ints:
        """The places of the first fixed values among the leaked values of a type."""
        return self._order(kind)[:steps]

    def _in_order(self, kind: str) -> tuple[Ints, Ints]:
        """Documents and instances of the leaked values; documents with most leaks first."""
        documents, instances = self._evidence.leaked.of_type(kind)
        order = self._order(kind)
        return documents[order], instances[order]

    def _order(self, kind: str) -> Ints:
        documents, _ = self._evidence.leaked.of_type(kind)
        return np.argsort(-self._evidence.leaked_values[documents], kind="stable")

    def _gain(self, kind: str, steps: int) -> int:
        """Instances, or their share of the missed words, gained by the fixed values."""
        instances = self._values[kind][1]
        gained = int(instances[:steps].sum())
        if self._settings.unit == "all_tokens":
            return gained
        found, total = caught_of(self._kinds[kind], self._settings)
        return ceil((total - found) * gained / int(instances.sum()))


class QuasiRole(QuasiLeaks):
    """Quasi-identifiers, judged by the model."""

    def __init__(self, case: TextCase, threshold: float) -> None:
        super().__init__(case, threshold)
        self._what_if = QuasiWhatIf(case.evidence, case.release, case.settings)
        self._plain = _PlainCount(case, self._threshold, role=1)
        self._highs: dict[float, float] = {}

    def high(self, fixed: Steps) -> float:
        """Depends on the pooled recall alone, so that each value is computed once."""
        found = self._what_if.found + sum(self._gain(kind, steps) for kind, steps in fixed.items())
        if found not in self._highs:
            self._highs[found] = self._what_if.high(found)
        return self._highs[found]

    def suffices(self, fixed: Steps) -> bool:
        """By the limit and by the plain count."""
        return self.high(fixed) <= self._threshold * TOLERANCE and self._plainly(fixed)

    def confirms(self, fixed: Steps) -> bool:
        """Always, because the search itself uses the exact engine."""
        return self.suffices(fixed)

    def suffices_with(self, documents: int) -> bool:
        """The plain count of leaking documents grows in proportion."""
        share = self._evidence.documents_with_leaks(self._settings.needed) / self.documents
        allowed = self._plain.allows(share * documents, documents)
        return allowed and self._what_if.high_with(documents) <= self._threshold * TOLERANCE

    def _plainly(self, fixed: Steps) -> bool:
        left, _ = self.values_after(fixed)
        enough = int(np.count_nonzero(left >= self._settings.needed))
        return self._plain.allows(enough, self.documents)

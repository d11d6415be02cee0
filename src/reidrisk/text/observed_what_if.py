"""The upper limit of the observed risk if the tool caught more, or if more documents had been examined.

Leaks are removed from the documents that have them, and everything is computed again, gates included. The
search uses few values of an uncertain recognition or attempt; what it finds is confirmed with all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace

from reidrisk.stats.decision import passes
from reidrisk.stats.nodes import SIDE_NODES
from reidrisk.stats.observed_limit import CERTAIN, ObservedRisk
from reidrisk.text import models
from reidrisk.text.gates import direct_gates, quasi_gate
from reidrisk.text.models import TextCase
from reidrisk.text.observed import (
    direct_documents,
    quasi_documents,
    quasi_leak_share,
    sample_design,
)
from reidrisk.text.verdict import recognition_counts
from reidrisk.text.what_if import DirectLeaks, QuasiLeaks, Steps

FEW_NODES = 6


class _ObservedRole(ABC):
    """The upper limit of the observed risk after fixes."""

    _threshold: float
    _level: float

    @abstractmethod
    def _risk(self, fixed: Steps, side: int) -> ObservedRisk:
        """The observed risk after these fixes, with so many values of what is uncertain."""

    def high(self, fixed: Steps) -> float:
        """The upper limit after these fixes."""
        return self._risk(fixed, FEW_NODES).upper(self._level)

    def suffices(self, fixed: Steps) -> bool:
        """With few values of what is uncertain."""
        return passes(self._risk(fixed, FEW_NODES), self._threshold, self._level)

    def confirms(self, fixed: Steps) -> bool:
        """With all values of what is uncertain."""
        return passes(self._risk(fixed, SIDE_NODES), self._threshold, self._level)


class ObservedDirectRole(_ObservedRole, DirectLeaks):
    """Direct identifiers, judged by the observed risk."""

    def __init__(self, case: TextCase, threshold: float) -> None:
        super().__init__(case, threshold)
        self._case, self._level = case, case.settings.levels[1]
        self._design = sample_design(case.evidence, case.settings)

    def suffices_with(self, documents: int) -> bool:
        """With so many documents and the same shares; gates may open."""
        times, settings = documents / self.documents, self._case.settings
        recognition = self._case.release.recognition
        gates = direct_gates(self._evidence, recognition, settings, settings.gate, times=times)
        risk = self._of(gates, FEW_NODES, self._case).times(times)
        return passes(risk, self._threshold, self._level)

    def _risk(self, fixed: Steps, side: int) -> ObservedRisk:
        case, settings = self._case, self._case.settings
        leaks = self.leaks_after(fixed)
        numbers = dict(zip(case.evidence.direct_types, leaks.sum(axis=0).tolist(), strict=True))
        types = tuple(
            replace(kind, leaking_documents=numbers[kind.type]) if kind.role == "direct" else kind
            for kind in case.evidence.types
        )
        case = replace(case, evidence=replace(case.evidence, leaks=leaks, types=types))
        gates: Mapping[str, bool] = dict.fromkeys(case.evidence.direct_types, False)
        if recognition_counts(case.release):
            gates = direct_gates(case.evidence, case.release.recognition, settings, settings.gate)
        return self._of(gates, side, case)

    def _of(self, gates: Mapping[str, bool], side: int, case: TextCase) -> ObservedRisk:
        return direct_documents(case.evidence, case.release, gates, side=side).risk(self._design)


class ObservedQuasiRole(_ObservedRole, QuasiLeaks):
    """Quasi-identifiers, judged by the observed risk."""

    def __init__(self, case: TextCase, threshold: float) -> None:
        super().__init__(case, threshold)
        self._case, self._level = case, case.settings.levels[1]
        self._design = sample_design(case.evidence, case.settings)

    def suffices_with(self, documents: int) -> bool:
        """With so many documents and the same shares; the gate may open."""
        times, settings = documents / self.documents, self._settings
        is_open = quasi_gate(self._evidence, settings, settings.gate)
        if settings.gate == "significant":
            share = quasi_leak_share(self._evidence, self._design).times(times)
            is_open = passes(share, 1 - settings.quasi_cutoff, self._level)
        risk = self._of(self._case, FEW_NODES, is_open=is_open).times(times)
        return passes(risk, self._threshold, self._level)

    def _risk(self, fixed: Steps, side: int) -> ObservedRisk:
        left, caught = self.values_after(fixed)
        case = replace(self._case, evidence=replace(self._evidence, leaked_values=left, caught=caught))
        counts = recognition_counts(case.release)
        is_open = counts and quasi_gate(case.evidence, self._settings, self._settings.gate)
        return self._of(case, side, is_open=is_open)

    def _of(self, case: TextCase, side: int, *, is_open: bool) -> ObservedRisk:
        recognition = models.quasi_recognition(case.evidence, case.release) if is_open else CERTAIN
        documents = quasi_documents(case.evidence, recognition, self._settings.needed, side=side)
        risk = documents.risk(
            self._design, attempt=case.release.attempt, given_catch=self._settings.given_catch
        )
        return replace(risk, side_nodes=side)

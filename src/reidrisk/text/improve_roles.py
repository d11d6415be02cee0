"""The two roles as searches for an improvement see them: what leaks, and whether less of it suffices."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING, Protocol

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.proportion import interval
from reidrisk.text import models
from reidrisk.text.assess import TOLERANCE
from reidrisk.text.what_if import DirectWhatIf, QuasiWhatIf, caught_of

if TYPE_CHECKING:
    from reidrisk.text.result import TextRisk

Steps = Mapping[str, int]
"""How many leaks of each type are mended: documents of a direct type, values of a quasi type."""


class Search(Protocol):
    """A role with its leaks."""

    @property
    def documents(self) -> int:
        """The documents examined."""

    @property
    def leaking(self) -> dict[str, int]:
        """What can be mended, by type."""

    def recall(self, kind: str, mended: int) -> float:
        """The recall of a type when so much of it is mended."""

    def high(self, mended: Steps) -> float:
        """The upper limit of the risk then."""

    def suffices(self, mended: Steps) -> bool:
        """Whether the risk would be acceptable, to the accuracy of a search."""

    def confirms(self, mended: Steps) -> bool:
        """The same by the engine that decides."""

    def suffices_with(self, documents: int) -> bool:
        """Whether it would be on so many documents with the same recalls."""


class _PlainCount:
    """The veto of the documents that leaked, counted without any model."""

    def __init__(self, risk: TextRisk, threshold: float, *, role: int) -> None:
        direct = models.direct_model(risk.evidence, risk.release, risk.settings)
        quasi = models.quasi_model(risk.evidence, risk.release, risk.settings)
        self._factor = models.plain_risks(direct, quasi, (1.0, 1.0))[role]
        self._settings = risk.settings
        self._limit = threshold * TOLERANCE

    def allows(self, leaking: float, documents: float) -> bool:
        if self._settings.plain_count == "warn":
            return True
        low = interval(leaking, documents, method=self._settings.share_method, level=self._settings.level)[0]
        return self._factor * low <= self._limit


class DirectRole:
    """Direct identifiers: one step is a document of a type in which nothing leaks any more."""

    def __init__(self, risk: TextRisk) -> None:
        if risk.direct is None:
            raise AssertionError("direct identifiers were not evaluated")
        self._evidence = risk.evidence
        self._threshold = risk.direct.threshold
        self._what_if = DirectWhatIf(risk.evidence, risk.release, risk.settings, seed=risk.seed)
        self._plain = _PlainCount(risk, self._threshold, role=0)
        self._kinds = {kind.type: kind for kind in risk.evidence.of_role("direct")}
        self.documents = risk.evidence.documents
        self.leaking = {
            name: kind.leaking_documents for name, kind in self._kinds.items() if kind.leaking_documents
        }

    def recall(self, kind: str, mended: int) -> float:
        """All-or-nothing recall."""
        found = self._kinds[kind]
        return (found.documents - found.leaking_documents + mended) / found.documents

    def high(self, mended: Steps) -> float:
        """By draws with common random numbers."""
        return self._what_if.high(self._left(mended))

    def suffices(self, mended: Steps) -> bool:
        """Limit and plain count."""
        return self.high(mended) <= self._threshold * TOLERANCE and self._plainly(mended)

    def confirms(self, mended: Steps) -> bool:
        """Limit by the deterministic engine."""
        return self._what_if.exact_high(self._left(mended)) <= self._threshold * TOLERANCE and self._plainly(
            mended
        )

    def suffices_with(self, documents: int) -> bool:
        """The plain count grows in proportion."""
        share = self._evidence.documents_with_direct_leak / self.documents
        allowed = self._plain.allows(share * documents, documents)
        return allowed and self._what_if.high_with(documents) <= self._threshold * TOLERANCE

    def _left(self, mended: Steps) -> dict[str, int]:
        return {kind: self.leaking[kind] - steps for kind, steps in mended.items()}

    def _plainly(self, mended: Steps) -> bool:
        leaks = self._evidence.leaks.copy()
        for kind, steps in mended.items():
            column = self._evidence.direct_types.index(kind)
            rows = np.flatnonzero(leaks[:, column])
            most_first = rows[np.argsort(-leaks[rows].sum(axis=1), kind="stable")]
            leaks[most_first[:steps], column] = False
        return self._plain.allows(int(leaks.any(axis=1).sum()), self.documents)


class QuasiRole:
    """Quasi-identifiers: one step is a value of a document that does not leak any more."""

    def __init__(self, risk: TextRisk) -> None:
        if risk.quasi is None:
            raise AssertionError("quasi-identifiers were not evaluated")
        self._evidence, self._settings = risk.evidence, risk.settings
        self._threshold = risk.quasi.threshold
        self._what_if = QuasiWhatIf(risk.evidence, risk.release, risk.settings)
        self._plain = _PlainCount(risk, self._threshold, role=1)
        self._kinds = {kind.type: kind for kind in risk.evidence.of_role("quasi")}
        self._values = {kind: self._in_order(kind) for kind in risk.evidence.leaked.types}
        self._highs: dict[float, float] = {}
        self.documents = risk.evidence.documents
        self.leaking = {kind: int(places.size) for kind, (places, _) in self._values.items()}

    def recall(self, kind: str, mended: int) -> float:
        """Recall of instances, or of words where the settings say so."""
        found, total = caught_of(self._kinds[kind], self._settings)
        return (found + self._gain(kind, mended)) / total

    def high(self, mended: Steps) -> float:
        """A function of the pooled recall alone, so that each value is computed once."""
        found = self._what_if.found + sum(self._gain(kind, steps) for kind, steps in mended.items())
        if found not in self._highs:
            self._highs[found] = self._what_if.high(found)
        return self._highs[found]

    def suffices(self, mended: Steps) -> bool:
        """Limit and plain count."""
        return self.high(mended) <= self._threshold * TOLERANCE and self._plainly(mended)

    def confirms(self, mended: Steps) -> bool:
        """The search uses the deterministic engine anyway."""
        return self.suffices(mended)

    def suffices_with(self, documents: int) -> bool:
        """The plain count grows in proportion."""
        share = self._evidence.documents_with_leaks(self._settings.needed) / self.documents
        allowed = self._plain.allows(share * documents, documents)
        return allowed and self._what_if.high_with(documents) <= self._threshold * TOLERANCE

    def _in_order(self, kind: str) -> tuple[Ints, Ints]:
        """Documents and instances of the leaked values; documents with many leaks first."""
        documents, instances = self._evidence.leaked.of_type(kind)
        order = np.argsort(-self._evidence.leaked_values[documents], kind="stable")
        return documents[order], instances[order]

    def _gain(self, kind: str, steps: int) -> int:
        """Instances, or their share of the missing words, that the mended values bring."""
        instances = self._values[kind][1]
        gained = int(instances[:steps].sum())
        if self._settings.unit == "all_tokens":
            return gained
        found, total = caught_of(self._kinds[kind], self._settings)
        return ceil((total - found) * gained / int(instances.sum()))

    def _plainly(self, mended: Steps) -> bool:
        left = self._evidence.leaked_values.copy()
        for kind, steps in mended.items():
            np.subtract.at(left, self._values[kind][0][:steps], 1)
        enough = int(np.count_nonzero(left >= self._settings.needed))
        return self._plain.allows(enough, self.documents)

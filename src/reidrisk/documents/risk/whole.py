"""From the pages that were reviewed to whole documents: who stands on more pages can leak on more.

Recall of a single place is the same on all pages of its kind. That nothing of a participant leaks is less
likely in a whole report than on the pages that were read: if a type stands k times as often of a participant
in all pages, the all-or-nothing recall is the k-th power of that on the pages read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.counts import counts
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.text.evidence import Evidence
from reidrisk.text.models import gate_state
from reidrisk.text.settings import TextSettings

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

"""What the way of sampling says about the limits: named clusters, likely ones, and strata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.core.estimate import Estimate
from reidrisk.core.wording import plural, probability
from reidrisk.stats.decision import fewest_units
from reidrisk.stats.observed_limit import SIGNIFICANT, ObservedRisk, SampleDesign, likeness_of_groups
from reidrisk.text.evidence import Evidence
from reidrisk.text.observed import ObservedDocuments, design_among
from reidrisk.text.settings import TextSettings

NAMES = {"direct": "direct identifiers", "quasi": "quasi-identifiers"}
LIMITS = {"direct": "the benchmark", "quasi": "the threshold"}


@dataclass(frozen=True, eq=False)
class JudgedRole:
    """One role of identifiers: its documents, the risk that decides, and the threshold."""

    documents: ObservedDocuments
    risk: ObservedRisk
    threshold: float

    def limits_under(self, design: SampleDesign, level: float, shown: float, rows: Any = None) -> Estimate:
        """The limits if documents were sampled in another way, or of some documents only."""
        documents = self.documents if rows is None else self.documents.among(rows)
        risk = documents.risk(design, attempt=self.risk.attempt, given_catch=self.risk.given_catch)
        return Estimate(risk.estimate, *risk.limits(level), shown)


@dataclass(frozen=True, slots=True)
class ClusterSummary:
    """The clusters that were named."""

    number: int
    largest: int
    """Documents in the largest cluster of the sample."""
    weight: str
    needed: Mapping[str, int | None]
    """The fewest clusters of equal size that would be accepted if nothing leaked, by role."""


@dataclass(frozen=True, slots=True)
class LikelyClusters:
    """Groups of documents by their ids, and whether documents of a group leak alike."""

    groups: int
    p: Mapping[str, float]
    limits: Mapping[str, Estimate]
    """The limits with these groups as clusters, for roles in which documents of a group leak alike."""


@dataclass(frozen=True, slots=True)
class StratumLimits:
    """The risk in one stratum alone."""

    name: str
    documents: int
    share: float
    """Share in the release; in the sample, if none was given."""
    limits: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class TextSampling:
    """How documents were sampled, as far as it changes the limits."""

    clusters: ClusterSummary | None = None
    likely: LikelyClusters | None = None
    strata: tuple[StratumLimits, ...] = ()
    gaps: Mapping[str, int] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {"clusters": self._clusters(), "likely_clusters": self._likely(), "strata": self._strata()}

    def _clusters(self) -> dict[str, Any] | None:
        one = self.clusters
        if one is None:
            return None
        sizes = {"number": one.number, "largest": one.largest, "weight": one.weight}
        return sizes | {"needed_without_leaks": dict(one.needed), **self.gaps}

    def _likely(self) -> dict[str, Any] | None:
        one = self.likely
        if one is None:
            return None
        roles = {
            role: {"p": p, "limits": one.limits[role].to_dict() if role in one.limits else None}
            for role, p in one.p.items()
        }
        return {"groups": one.groups, **roles}

    def _strata(self) -> list[dict[str, Any]]:
        return [
            {"stratum": one.name, "documents": one.documents, "share": one.share}
            | {role: one.limits[role].to_dict() if role in one.limits else None for role in NAMES}
            for one in self.strata
        ]

    def warnings(self) -> list[str]:
        """Questions that a statistician would ask."""
        return [*self._gap_warnings(), *self._few(), *self._alike(), *self._high_strata()]

    def _gap_warnings(self) -> list[str]:
        found = []
        if number := self.gaps.get("without_cluster"):
            verb = "counts as a cluster of its own" if number == 1 else "count as clusters of their own"
            found.append(f"{plural(number, 'document')} without a cluster {verb}.")
        if number := self.gaps.get("in_other_cluster"):
            found.append(
                f"{plural(number, 'document')} of merged patients are in another cluster than the patient's "
                "first document, whose cluster counts."
            )
        return found

    def _few(self) -> list[str]:
        if self.clusters is None:
            return []
        own = self.clusters
        short = {role: number for role, number in own.needed.items() if number and own.number < number}
        if not short:
            return []
        needed = " and ".join(f"{number} ({LIMITS[role]})" for role, number in short.items())
        return [
            f"Too few clusters: {own.number}. At least {needed} are needed even if nothing leaks. Clusters "
            "of equal size need the fewest."
        ]

    def _alike(self) -> list[str]:
        if self.likely is None:
            return []
        return [
            f"Documents with similar ids leak {NAMES[role]} alike (p = {self.likely.p[role]:.2g}): they are "
            f"probably not independent. With their {self.likely.groups} groups as clusters, the upper limit "
            f"would be {probability(limits.high)}. Name authors, templates or sources with --cluster."
            for role, limits in self.likely.limits.items()
        ]

    def _high_strata(self) -> list[str]:
        return [
            f"In the stratum {one.name} alone, even the lower limit of the risk from {NAMES[role]}, "
            f"{probability(limits.low)}, is above {LIMITS[role]}, {probability(self.thresholds[role])}."
            for one in self.strata
            for role, limits in one.limits.items()
            if limits.low > self.thresholds[role]
        ]


def describe_sampling(
    evidence: Evidence,
    roles: Mapping[str, JudgedRole],
    settings: TextSettings,
    design: SampleDesign,
    *,
    seed: int,
) -> TextSampling:
    """Clusters, likely clusters and strata of the corpus, with the limits that belong to them."""
    return TextSampling(
        _cluster_summary(evidence, roles, settings),
        _likely_clusters(evidence, roles, settings, design, seed=seed),
        _strata(evidence, roles, settings, design),
        dict(evidence.cluster_gaps),
        {role: one.threshold for role, one in roles.items()},
    )


def _cluster_summary(
    evidence: Evidence, roles: Mapping[str, JudgedRole], settings: TextSettings
) -> ClusterSummary | None:
    if evidence.clusters is None:
        return None
    sizes = np.bincount(evidence.clusters)
    sizes = sizes[sizes > 0]
    level = settings.levels[1]
    needed = {role: fewest_units(one.risk, one.threshold, level) for role, one in roles.items()}
    return ClusterSummary(int(sizes.size), int(sizes.max()), settings.cluster_weight, needed)


def _likely_clusters(
    evidence: Evidence,
    roles: Mapping[str, JudgedRole],
    settings: TextSettings,
    design: SampleDesign,
    *,
    seed: int,
) -> LikelyClusters | None:
    groups = evidence.likely_clusters
    if groups is None:
        return None
    p = {
        role: likeness_of_groups(one.documents.values, groups, rng=np.random.default_rng(seed))
        for role, one in roles.items()
    }
    grouped, level = replace(design, cluster=groups), settings.levels[1]
    limits = {
        role: one.limits_under(grouped, level, settings.level)
        for role, one in roles.items()
        if p[role] <= SIGNIFICANT
    }
    return LikelyClusters(int(groups.max()) + 1, p, limits)


def _strata(
    evidence: Evidence, roles: Mapping[str, JudgedRole], settings: TextSettings, design: SampleDesign
) -> tuple[StratumLimits, ...]:
    if evidence.strata is None:
        return ()
    found = []
    shares = settings.release_shares or {}
    for place, name in enumerate(evidence.strata_names):
        rows = np.flatnonzero(evidence.strata == place)
        own, share = design_among(design, rows), shares.get(name, rows.size / evidence.documents)
        limits = {
            role: one.limits_under(own, settings.levels[1], settings.level, rows)
            for role, one in roles.items()
        }
        found.append(StratumLimits(name, int(rows.size), share, limits))
    return tuple(found)

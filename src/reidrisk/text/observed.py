"""The observed risk of a corpus: what the leaks of each document tell, and how documents were sampled.

The profile `recommended` decides by the limits of these risks, which hold without a model of leaks. The
sources are named in `stats/mean_limit.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reidrisk.context.release import Release
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.nodes import FARTHEST_SCORE, SCORE_NODES, SIDE_NODES, density_nodes, normal_nodes
from reidrisk.stats.observed_limit import CERTAIN, ObservedRisk, SampleDesign, direct_risks, quasi_risks
from reidrisk.stats.uncertain import Triangular, Uncertain
from reidrisk.text.evidence import Evidence
from reidrisk.text.settings import TextSettings


def sample_design(evidence: Evidence, settings: TextSettings) -> SampleDesign:
    """How the documents were sampled: in clusters, and from strata with given shares of the release."""
    return SampleDesign(
        evidence.clusters,
        _weights(evidence, settings),
        equal=settings.cluster_weight == "equal",
        cluster_max=settings.cluster_max or 0,
    )


def _weights(evidence: Evidence, settings: TextSettings) -> Floats | None:
    """Share of the release times documents, divided by the documents of the stratum."""
    shares = settings.release_shares
    if shares is None or evidence.strata is None:
        return None
    names = evidence.strata_names
    if set(shares) != set(names):
        raise InvalidSetting(
            f"The release shares name {', '.join(sorted(shares))}, but the strata of the sample are "
            f"{', '.join(names)}.",
            hint="Give the share of every stratum. A stratum without a document cannot be judged.",
        )
    sizes = np.bincount(evidence.strata, minlength=len(names))
    weights = np.array([shares[name] for name in names]) * evidence.documents / sizes
    return np.asarray(weights[evidence.strata], dtype=float)


@dataclass(frozen=True, eq=False)
class ObservedDocuments:
    """The observed risk of each document from one role of identifiers.

    Documents with the same leaks have the same pattern. Rows of `risks` belong to the values of an uncertain
    recognition, columns to patterns.
    """

    pattern: Ints
    risks: Floats
    tops: Floats
    """The largest possible risk of a document."""
    weights: Floats

    @property
    def values(self) -> Floats:
        """The observed risk of each document, with the mean of an uncertain recognition."""
        return np.asarray((self.weights @ self.risks)[self.pattern], dtype=float)

    def risk(
        self, design: SampleDesign, *, attempt: Triangular = CERTAIN, given_catch: float = 0.0
    ) -> ObservedRisk:
        """The distribution behind the limits of the mean."""
        units = design.units(self.pattern, np.ones(self.risks.shape[1]), self.risks)
        return ObservedRisk(
            *units, tops=self.tops, weights=self.weights, attempt=attempt, given_catch=given_catch
        )

    def among(self, rows: Ints) -> ObservedDocuments:
        """Some of the documents only."""
        return replace(self, pattern=self.pattern[rows])


def design_among(design: SampleDesign, rows: Ints) -> SampleDesign:
    """The design of some documents only, which count the same."""
    cluster = None if design.cluster is None else np.unique(design.cluster[rows], return_inverse=True)[1]
    return replace(design, cluster=cluster, weight=None)


def direct_documents(
    evidence: Evidence, release: Release, gates: Mapping[str, bool], *, side: int = SIDE_NODES
) -> ObservedDocuments:
    """Direct identifiers: a type that leaks counts with its recognition, or with 1 if its gate is closed."""
    types = evidence.direct_types
    stated = [release.recognition.of(name) if gates[name] else CERTAIN for name in types]
    exposure, weights = _joint_nodes(stated, side)
    leaking = np.flatnonzero(evidence.leaks.any(axis=1))
    kinds, place = np.unique(evidence.leaks[leaking], axis=0, return_inverse=True)
    pattern = np.zeros(evidence.documents, dtype=np.int64)
    pattern[leaking] = place.ravel() + 1
    leaks = np.vstack([np.zeros((1, len(types)), dtype=bool), kinds])
    # A type that was named but not seen could leak without being recognized as a type that is protected.
    tops = np.ones(len(weights)) if evidence.absent_direct else 1 - np.prod(1 - exposure, axis=1)
    return ObservedDocuments(pattern, direct_risks(leaks, exposure), tops, weights)


def quasi_documents(
    evidence: Evidence, recognition: Uncertain, needed: int, *, side: int = SIDE_NODES
) -> ObservedDocuments:
    """Quasi-identifiers: `needed` leaked values must be recognized; with 1 if the gate is closed."""
    exposure, weights = density_nodes(recognition, side=side)
    leaked, pattern = np.unique(evidence.leaked_values, return_inverse=True)
    risks = quasi_risks(leaked, exposure, needed=needed)
    return ObservedDocuments(pattern.ravel(), risks, np.ones(len(weights)), weights)


def _joint_nodes(stated: Sequence[Uncertain], side: int) -> tuple[Floats, Floats]:
    """Values of several recognitions, one column each; different uncertain ones are high or low together."""
    uncertain = {one for one in stated if not one.is_constant}
    if len(uncertain) <= 1:
        nodes, weights = density_nodes(next(iter(uncertain), CERTAIN), side=side)
        columns = [nodes if one in uncertain else np.full(nodes.size, one.mean) for one in stated]
        return np.stack(columns, axis=1), weights
    u, weights = normal_nodes(SCORE_NODES, reach=FARTHEST_SCORE)
    return np.stack([one.quantiles(u) for one in stated], axis=1), weights


def direct_leak_share(evidence: Evidence, name: str, design: SampleDesign) -> ObservedRisk:
    """The share of leaking documents among those with a type of direct identifier."""
    column = evidence.direct_types.index(name)
    pattern = evidence.holds[:, column].astype(np.int64) + evidence.leaks[:, column]
    return ObservedRisk(*design.units(pattern, np.array([0.0, 1.0, 1.0]), np.array([[0.0, 0.0, 1.0]])))


def quasi_leak_share(evidence: Evidence, design: SampleDesign) -> ObservedRisk:
    """The share of leaked instances of quasi-identifiers; documents, or clusters, are the units."""
    leaked = evidence.instances - evidence.caught
    most = int(evidence.instances.max()) + 1
    pairs, pattern = np.unique(evidence.instances * most + leaked, return_inverse=True)
    sizes, sums = (part.astype(float) for part in np.divmod(pairs, most))
    return ObservedRisk(*design.units(pattern.ravel(), sizes, sums[None, :]))


def benchmark_share(
    release: Release, settings: TextSettings, *, attempt: Triangular = CERTAIN
) -> ObservedRisk:
    """The published benchmark, one identifier in each document, as an observed share of leaking documents."""
    n = settings.benchmark_documents
    risk = ObservedRisk.of_share((1 - settings.benchmark_recall) * n, n, attempt=attempt)
    if settings.benchmark_recognition == "one":
        return risk
    factor = release.recognition.default.mean
    return replace(risk, sums=risk.sums * factor, tops=np.array([factor]))

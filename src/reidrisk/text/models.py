"""From the evidence of a corpus to the limits of its risk: equations 20 and 21.

The first half turns counts into random quantities (`DirectModel`, `QuasiModel`) and computes the
plug-in values; the second half computes means and limits with the chosen engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.stats.arrays import Floats
from reidrisk.stats.bootstrap import FEWEST_LEAKING_DOCUMENTS, DocumentCounts, bootstrap
from reidrisk.stats.caught import combine_risks
from reidrisk.stats.choices import GateRule
from reidrisk.stats.counts import counts
from reidrisk.stats.exact import exact_direct, exact_quasi
from reidrisk.stats.leak import (
    direct_risk,
    quasi_leak,
    quasi_leak_by_document,
    total_reidentification,
    value_leak,
)
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel, QuasiSpread, Spread
from reidrisk.stats.proportion import Bound
from reidrisk.stats.simulate import (
    Points,
    affordable_draws,
    direct_dimensions,
    draw_direct,
    draw_mean_quasi,
    draw_quasi,
    quasi_dimensions,
    uniforms,
)
from reidrisk.stats.uncertain import Blend, Triangular, Uncertain
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.gates import direct_gates, is_gate_open, quasi_gate, quasi_recall
from reidrisk.text.settings import Engine, TextSettings

ABSENT_PRIOR = 0.5
"""Jeffreys' prior for a type that no document contains."""


@dataclass(frozen=True, slots=True)
class TextCase:
    """The evidence of a corpus, and the release, threshold and settings that its risk is computed for."""

    evidence: Evidence
    release: Release
    threshold: Threshold
    settings: TextSettings
    seed: int

    def under(self, rule: GateRule) -> TextCase:
        """The same case with another rule for gates."""
        return replace(self, settings=replace(self.settings, gate=rule))


def direct_model(evidence: Evidence, release: Release, settings: TextSettings) -> DirectModel | None:
    """Equation 20 for the direct types that the corpus contains; None if there are none."""
    present = {kind.type: kind for kind in evidence.of_role("direct")}
    order = [present[name] for name in evidence.direct_types]
    gates: dict[str, bool] = {}
    if settings.gate != "draw":
        gates = direct_gates(evidence, release.recognition, settings, settings.gate)
    types = tuple(
        direct_type(
            kind,
            evidence.documents,
            release,
            settings,
            gate=gates.get(kind.type),
        )
        for kind in order
    )
    if settings.include_absent and types:
        types += tuple(_absent(evidence.documents) for _ in evidence.absent_direct)
    if not types:
        return None
    return DirectModel(types, release.recognition.default, release.attempt, settings.direct_cutoff)


def direct_type(
    kind: TypeEvidence,
    documents: int,
    release: Release,
    settings: TextSettings,
    *,
    gate: bool | None,
) -> DirectType:
    """One type of equation 20, with its observed weight and recall."""
    caught = kind.documents - kind.leaking_documents
    own = release.recognition.by_type.get(kind.type)
    return DirectType(
        weight=ObservedProportion(kind.documents, documents, settings.uncertainty),
        recall=ObservedProportion(caught, kind.documents, settings.uncertainty),
        gate=gate,
        recognition=own,
    )


def _absent(documents: int) -> DirectType:
    # Beta(1/2, n + 1/2) and Beta(1/2, 1/2): Jeffreys with no observation of the recall.
    weight = ObservedProportion(0, documents, "jeffreys")
    return DirectType(weight, ObservedProportion(0.0, 1e-12, "jeffreys"), gate=False)


def gate_state(recall: float, support: float, settings: TextSettings, cutoff: float) -> bool | None:
    """Whether recognition counts under the rule of the settings; None where every draw decides."""
    if settings.gate == "draw":
        return None
    return is_gate_open(recall, support, settings, rule=settings.gate, cutoff=cutoff)


def quasi_support(evidence: Evidence, settings: TextSettings) -> float:
    """The number of observations that the uncertainty of the pooled recall is based on."""
    if settings.recall_support == "instances":
        return float(evidence.instances.sum())
    recall, spread = quasi_recall(evidence, settings), evidence.quasi_cluster_spread
    if settings.recall_support == "cluster" and spread > 0 and 0 < recall < 1:
        return recall * (1 - recall) / spread**2
    return float(evidence.documents_with_quasi)


def quasi_model(evidence: Evidence, release: Release, settings: TextSettings) -> QuasiModel | None:
    """Equation 21; None if the corpus contains no quasi-identifier."""
    if evidence.repeats.size == 0:
        return None
    recall, support = quasi_recall(evidence, settings), quasi_support(evidence, settings)
    present = settings.denominator == "present"
    observed = evidence.values[evidence.values > 0] if present else evidence.values
    return QuasiModel(
        recall=ObservedProportion(recall * support, support, settings.uncertainty),
        values=counts(settings.values, mean=float(observed.mean()), observed=observed),
        repeats=counts(settings.repeats, mean=float(evidence.repeats.mean()), observed=evidence.repeats),
        gate=None if settings.gate == "draw" else quasi_gate(evidence, settings, settings.gate),
        recognition=quasi_recognition(evidence, release),
        attempt=release.attempt,
        cutoff=settings.quasi_cutoff,
        needed=settings.needed,
        independent=settings.independent_instances,
        scale=evidence.documents_with_quasi / evidence.documents if present else 1.0,
        rate_shape=float(evidence.repeats.size) if settings.rate_uncertainty == "gamma" else None,
        given_catch=settings.given_catch,
    )


def quasi_recognition(evidence: Evidence, release: Release) -> Uncertain:
    """One recognition for all quasi-identifiers: types are weighted by their number of distinct values."""
    given = release.recognition
    quasi = evidence.of_role("quasi")
    if not any(kind.type in given.by_type for kind in quasi):
        return given.default
    total = sum(kind.values for kind in quasi)
    return Blend(tuple((kind.values / total, given.of(kind.type)) for kind in quasi))


def direct_plug_in(model: DirectModel) -> float:
    """Equation 18 with the observed proportions and the mean of the attempt."""
    weights = [kind.weight.observed for kind in model.types]
    recalls = [kind.recall.observed for kind in model.types]
    gates = [
        _decided(kind.gate, recall, model.cutoff) for kind, recall in zip(model.types, recalls, strict=True)
    ]
    recognition = [(kind.recognition or model.recognition).mean for kind in model.types]
    leak = direct_risk(weights, recalls, recognition=recognition, gates=np.array(gates))
    return model.attempt.mean * total_reidentification(leak, given_catch=model.given_catch)


def quasi_plug_in(evidence: Evidence, model: QuasiModel, settings: TextSettings) -> float:
    """Equation 19 with the observed means and the mean of the attempt."""
    if settings.mode == "per_document":
        return quasi_plug_in_by_document(evidence, model)
    recall = model.recall.successes / model.recall.trials
    missed = float(value_leak(recall, model.repeats.mean, independent=model.independent))
    leak = quasi_exposure(model) * missed
    risk = model.scale * quasi_leak(model.values.mean, leak, needed=model.needed, mode=settings.mode)
    return model.attempt.mean * float(combine_risks(risk, 1 - missed, model.catch.mean, model.combine))


def quasi_plug_in_by_document(evidence: Evidence, model: QuasiModel) -> float:
    """The same, computed from each document's own values without averaging first."""
    recall = model.recall.successes / model.recall.trials
    repeats = evidence.repeats if model.independent else np.ones_like(evidence.repeats)
    risk = quasi_leak_by_document(
        evidence.values, repeats, recall, needed=model.needed, exposure=quasi_exposure(model)
    )
    missed = float(value_leak(recall, model.repeats.mean, independent=model.independent))
    return model.attempt.mean * float(combine_risks(risk, 1 - missed, model.catch.mean, model.combine))


def quasi_exposure(model: QuasiModel) -> float:
    """The recognition if its gate is open at the observed recall, otherwise 1."""
    recall = model.recall.successes / model.recall.trials
    return model.recognition.mean if _decided(model.gate, recall, model.cutoff) else 1.0


def _decided(gate: bool | None, recall: float, cutoff: float) -> bool:  # noqa: FBT001
    return recall >= cutoff if gate is None else gate


def benchmark_model(release: Release, settings: TextSettings) -> DirectModel:
    """The published benchmark: one identifier in each of 220 documents, recall 0.95."""
    n = settings.benchmark_documents
    same = settings.benchmark_recognition == "same"
    recall = ObservedProportion(settings.benchmark_recall * n, n, settings.uncertainty)
    weight = ObservedProportion(n, n, settings.uncertainty, certain=True)
    recognition = release.recognition.default if same else Triangular.constant(1.0)
    return DirectModel((DirectType(weight, recall, gate=True),), recognition, release.attempt)


def unprotected_risks(evidence: Evidence, settings: TextSettings) -> tuple[float | None, float | None]:
    """Equations 11 and 12: every leak is recognized and an attempt is certain."""
    bare, settings = Release.public("redaction"), replace(settings, given_catch=0.0)
    direct, quasi = direct_model(evidence, bare, settings), quasi_model(evidence, bare, settings)
    return (
        None if direct is None else direct_plug_in(direct),
        None if quasi is None else quasi_plug_in(evidence, quasi, settings),
    )


def plain_risks(
    direct: DirectModel | None, quasi: QuasiModel | None, shares: tuple[float, float]
) -> tuple[float, float]:
    """A lower bound of both risks, from the plain shares of leaking documents.

    One recognized leak suffices for a direct identifier, `needed` of them for quasi-identifiers.
    The lowest recognition of any type is used, so that no model can give less.
    """
    floors = []
    for model, share in zip((direct, quasi), shares, strict=True):
        if model is None:
            floors.append(0.0)
            continue
        needed = model.needed if isinstance(model, QuasiModel) else 1
        floors.append(model.attempt.mean * share * _least_exposure(model) ** needed)
    return floors[0], floors[1]


def _least_exposure(model: DirectModel | QuasiModel) -> float:
    if isinstance(model, QuasiModel):
        return quasi_exposure(model)
    own = [
        (kind.recognition or model.recognition).mean if kind.gate is not False else 1.0
        for kind in model.types
    ]
    return min(own)


BATCHES = 16


@dataclass(frozen=True, slots=True)
class RiskLimits:
    """The mean of a risk, and its lower and upper limit."""

    mean: float
    low: float
    high: float
    error: float | None = None
    """Standard error of the upper limit, where it comes from random draws."""


@dataclass(frozen=True, slots=True)
class QuasiLimits:
    """The two kinds of interval of equation 21; both have the same mean."""

    parameter: RiskLimits
    per_document: RiskLimits


def direct_limits(model: DirectModel, settings: TextSettings, engine: Engine, *, seed: int) -> RiskLimits:
    """Mean and limits of equation 20."""
    sides = _sides(*(part for kind in model.types for part in (kind.weight, kind.recall)))

    def spread(bound: Bound) -> tuple[Spread, Floats | None]:
        if engine == "exact":
            return exact_direct(model, settings.levels, bound=bound), None
        cube = _cube(engine, settings.draws, direct_dimensions(model), seed)
        draws = draw_direct(model, cube, bound=bound)
        return _of_draws(draws, settings.levels), draws

    ends = {bound: spread(bound) for bound in {"centre", *sides}}
    low, high = ends[sides[0]], ends[sides[-1]]
    error = _drawing_error(high[1], settings.levels[1]) if engine == "montecarlo" else None
    return RiskLimits(ends["centre"][0].mean, low[0].quantiles[0], high[0].quantiles[1], error)


def quasi_limits(model: QuasiModel, settings: TextSettings, engine: Engine, *, seed: int) -> QuasiLimits:
    """Mean and both kinds of limits of equation 21."""
    sides = _sides(model.recall)
    wanted: set[Bound] = {"centre", *sides}
    ends = {bound: _quasi_spread(model, settings, engine, seed=seed, bound=bound) for bound in wanted}
    low, high = ends[sides[0]], ends[sides[-1]]
    mean = ends["centre"][0].mean
    errors = high[1] if engine == "montecarlo" else (None, None)
    return QuasiLimits(
        RiskLimits(mean, low[0].parameter[0], high[0].parameter[1], errors[0]),
        RiskLimits(mean, low[0].per_document[0], high[0].per_document[1], errors[1]),
    )


def _quasi_spread(
    model: QuasiModel, settings: TextSettings, engine: Engine, *, seed: int, bound: Bound
) -> tuple[QuasiSpread, tuple[float | None, float | None]]:
    if engine == "exact":
        return exact_quasi(model, settings.levels, bound=bound), (None, None)
    cube = _cube(engine, settings.draws, quasi_dimensions(model), seed)
    documents = draw_quasi(model, cube, bound=bound)
    means = draw_mean_quasi(model, cube[: affordable_draws(model, len(cube))], bound=bound)
    parameter, per_document = (_of_draws(draws, settings.levels) for draws in (means, documents))
    mean = per_document.mean if model.rate_shape is None else parameter.mean
    spread = QuasiSpread(mean, parameter.quantiles, per_document.quantiles)
    top = settings.levels[1]
    return spread, (_drawing_error(means, top), _drawing_error(documents, top))


def bootstrap_limits(
    evidence: Evidence,
    direct: DirectModel | None,
    quasi: QuasiModel | None,
    settings: TextSettings,
    *,
    seed: int,
) -> tuple[RiskLimits | None, RiskLimits | None, tuple[str, ...]]:
    """Limits from resampled documents; where too few leak, from the plain share of leaking documents."""
    counts = DocumentCounts(
        evidence.holds, evidence.leaks, evidence.values, evidence.instances, evidence.caught
    )
    drawn = bootstrap(counts, direct, quasi, resamples=settings.resamples, rng=np.random.default_rng(seed))
    leaking = {
        "direct": evidence.documents_with_direct_leak,
        "quasi": evidence.documents_with_leaks(settings.needed),
    }
    limits: dict[str, RiskLimits | None] = {"direct": None, "quasi": None}
    notes = []
    for side, draws, model in (("direct", drawn.direct, direct), ("quasi", drawn.quasi, quasi)):
        if draws is None or model is None:
            continue
        if leaking[side] >= FEWEST_LEAKING_DOCUMENTS:
            spread = _of_draws(draws, settings.levels)
            limits[side] = RiskLimits(spread.mean, *spread.quantiles)
            continue
        plain = _plain_share(leaking[side], evidence.documents, model)
        limits[side] = direct_limits(plain, settings, "exact", seed=seed)
        notes.append(
            f"Only {plural(leaking[side], 'document')} with {side} leaks: too few for resampling. The "
            "share of leaking documents is used instead, as if every leak were recognized."
        )
    return limits["direct"], limits["quasi"], tuple(notes)


def _plain_share(leaking: int, documents: int, model: DirectModel | QuasiModel) -> DirectModel:
    """The share of leaking documents, as one type that every document contains."""
    weight = ObservedProportion(documents, documents, "jeffreys_modified", certain=True)
    kind = DirectType(
        weight, ObservedProportion(documents - leaking, documents, "jeffreys_modified"), gate=False
    )
    catch = model.given_catch if isinstance(model, DirectModel) else model.catch.high
    return DirectModel((kind,), Triangular.constant(1.0), model.attempt, given_catch=catch)


def _sides(*proportions: ObservedProportion) -> tuple[Bound, ...]:
    """One distribution for most models; for the others, the two that enclose it."""
    return ("low", "high") if any(proportion.is_two_sided for proportion in proportions) else ("centre",)


def _cube(engine: Engine, draws: int, dimensions: int, seed: int) -> Floats:
    points: Points = "sobol" if engine == "sobol" else "montecarlo"
    return uniforms(points, draws=draws, dimensions=dimensions, rng=np.random.default_rng(seed))


def _of_draws(draws: Floats, levels: tuple[float, float]) -> Spread:
    low, high = np.quantile(draws, levels)
    return Spread(float(draws.mean()), (float(low), float(high)))


def _drawing_error(draws: Floats | None, level: float) -> float | None:
    """Standard error of a quantile, from its variation between batches of the draws."""
    if draws is None:
        return None
    batches = np.array_split(draws, BATCHES)
    return float(np.std([np.quantile(batch, level) for batch in batches], ddof=1) / np.sqrt(BATCHES))

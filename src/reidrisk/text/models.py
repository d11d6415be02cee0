"""From the evidence of a corpus to the random quantities of equations 20 and 21."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reidrisk.context.release import Release
from reidrisk.stats.caught import combined
from reidrisk.stats.counts import counts
from reidrisk.stats.gate import GateRule, gate_open
from reidrisk.stats.leak import (
    direct_risk,
    quasi_leak,
    quasi_leak_by_document,
    total_reidentification,
    value_leak,
)
from reidrisk.stats.models import DirectModel, DirectType, Observed, QuasiModel
from reidrisk.stats.uncertain import Blend, Triangular, Uncertain
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.settings import TextSettings

ABSENT_PRIOR = 0.5
"""Jeffreys' prior for a type that no document holds."""


def is_gate_open(
    recall: float, support: float, settings: TextSettings, *, rule: GateRule, cutoff: float
) -> bool:
    """Whether recognition counts, under a rule of choice."""
    return gate_open(
        recall,
        support,
        cutoff=cutoff,
        rule=rule,
        method=settings.gate_method,
        level=settings.gate_level,
    )


def direct_model(evidence: Evidence, release: Release, settings: TextSettings) -> DirectModel | None:
    """Equation 20 for the types that the corpus holds; None if it holds none."""
    present = {kind.type: kind for kind in evidence.of_role("direct")}
    order = [present[name] for name in evidence.direct_types]
    types = tuple(direct_type(kind, evidence.documents, release, settings) for kind in order)
    if settings.include_absent and types:
        types += tuple(_absent(evidence.documents) for _ in evidence.absent_direct)
    if not types:
        return None
    return DirectModel(
        types, release.recognition.default, release.attempt, settings.direct_cutoff, settings.given_catch
    )


def direct_type(kind: TypeEvidence, documents: int, release: Release, settings: TextSettings) -> DirectType:
    """One type of equation 20, as it was seen."""
    caught = kind.documents - kind.leaking_documents
    own = release.recognition.by_type.get(kind.type)
    return DirectType(
        weight=Observed(kind.documents, documents, settings.uncertainty),
        recall=Observed(caught, kind.documents, settings.uncertainty),
        gate=gate_state(kind.all_or_nothing_recall, kind.documents, settings, settings.direct_cutoff),
        recognition=own,
    )


def _absent(documents: int) -> DirectType:
    # Beta(1/2, n + 1/2) and Beta(1/2, 1/2): Jeffreys with no observation of the recall.
    weight = Observed(0, documents, "jeffreys")
    return DirectType(weight, Observed(0.0, 1e-12, "jeffreys"), gate=False)


def gate_state(recall: float, support: float, settings: TextSettings, cutoff: float) -> bool | None:
    """Whether recognition counts as the settings say; None where every draw decides."""
    if settings.gate == "draw":
        return None
    return is_gate_open(recall, support, settings, rule=settings.gate, cutoff=cutoff)


def quasi_recall(evidence: Evidence, settings: TextSettings) -> float:
    """The pooled recall, by instance or by word as the settings say."""
    return evidence.quasi_recall if settings.unit == "all_tokens" else evidence.quasi_word_recall


def quasi_support(evidence: Evidence, settings: TextSettings) -> float:
    """The number of observations that the pooled recall is taken to rest on."""
    if settings.recall_support == "instances":
        return float(evidence.instances.sum())
    recall, spread = quasi_recall(evidence, settings), evidence.quasi_cluster_spread
    if settings.recall_support == "cluster" and spread > 0 and 0 < recall < 1:
        return recall * (1 - recall) / spread**2
    return float(evidence.documents_with_quasi)


def quasi_model(evidence: Evidence, release: Release, settings: TextSettings) -> QuasiModel | None:
    """Equation 21; None if the corpus holds no quasi-identifier."""
    if evidence.repeats.size == 0:
        return None
    recall, support = quasi_recall(evidence, settings), quasi_support(evidence, settings)
    present = settings.denominator == "present"
    observed = evidence.values[evidence.values > 0] if present else evidence.values
    return QuasiModel(
        recall=Observed(recall * support, support, settings.uncertainty),
        values=counts(settings.values, mean=float(observed.mean()), observed=observed),
        repeats=counts(settings.repeats, mean=float(evidence.repeats.mean()), observed=evidence.repeats),
        gate=gate_state(recall, evidence.documents_with_quasi, settings, settings.quasi_cutoff),
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
    """One recognition for the pooled quasi-identifiers: types weighed by their distinct values."""
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
    return model.attempt.mean * float(combined(risk, 1 - missed, model.catch.mean, model.combine))


def quasi_plug_in_by_document(evidence: Evidence, model: QuasiModel) -> float:
    """The same from every document's own values, without averaging first."""
    recall = model.recall.successes / model.recall.trials
    repeats = evidence.repeats if model.independent else np.ones_like(evidence.repeats)
    risk = quasi_leak_by_document(
        evidence.values, repeats, recall, needed=model.needed, exposure=quasi_exposure(model)
    )
    missed = float(value_leak(recall, model.repeats.mean, independent=model.independent))
    return model.attempt.mean * float(combined(risk, 1 - missed, model.catch.mean, model.combine))


def quasi_exposure(model: QuasiModel) -> float:
    """Recognition behind its gate, at the observed recall."""
    recall = model.recall.successes / model.recall.trials
    return model.recognition.mean if _decided(model.gate, recall, model.cutoff) else 1.0


def _decided(gate: bool | None, recall: float, cutoff: float) -> bool:  # noqa: FBT001
    return recall >= cutoff if gate is None else gate


def benchmark_model(release: Release, settings: TextSettings) -> DirectModel:
    """The published yardstick: one identifier in all of 220 documents, recall 0.95."""
    n = settings.benchmark_documents
    same = settings.benchmark_recognition == "same"
    recall = Observed(settings.benchmark_recall * n, n, settings.uncertainty)
    weight = Observed(n, n, settings.uncertainty, certain=True)
    recognition = release.recognition.default if same else Triangular.constant(1.0)
    return DirectModel((DirectType(weight, recall, gate=True),), recognition, release.attempt)


def unprotected_risks(evidence: Evidence, settings: TextSettings) -> tuple[float | None, float | None]:
    """Equations 11 and 12: every leak recognised, an attempt certain."""
    bare, settings = Release.public("redaction"), replace(settings, given_catch=0.0)
    direct, quasi = direct_model(evidence, bare, settings), quasi_model(evidence, bare, settings)
    return (
        None if direct is None else direct_plug_in(direct),
        None if quasi is None else quasi_plug_in(evidence, quasi, settings),
    )


def plain_risks(
    direct: DirectModel | None, quasi: QuasiModel | None, shares: tuple[float, float]
) -> tuple[float, float]:
    """What the plain shares of leaking documents mean at least, for this release.

    One recognised leak suffices for a direct identifier, `needed` of them for quasi-identifiers;
    the lowest recognition of any type counts, so that this is a floor under every model.
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

"""Compute the result of a text evaluation from its evidence: risks, benchmark, gates and verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.stats.choices import GateRule
from reidrisk.stats.models import DirectModel, QuasiModel
from reidrisk.stats.proportion import interval
from reidrisk.text import models, verdict
from reidrisk.text.evidence import Evidence
from reidrisk.text.models import (
    QuasiLimits,
    RiskLimits,
    TextCase,
    bootstrap_limits,
    direct_limits,
    quasi_limits,
)
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import Engine, TextSettings
from reidrisk.text.verdict import TOLERANCE, CrossCheck, Gate, RiskPart

POOLED = "all quasi-identifiers"


@dataclass(frozen=True, slots=True)
class _BothRisks:
    """The risk from each role, with notes on how it was computed."""

    direct: RiskPart | None
    quasi: RiskPart | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """What is needed to repeat a result."""

    seed: int
    inputs: tuple[tuple[str, Any], ...] = ()
    assumed: tuple[str, ...] = ()
    """Assumptions about what the user did not specify, as sentences for the warnings."""


def assess(
    evidence: Evidence,
    release: Release,
    threshold: Threshold,
    settings: TextSettings,
    *,
    provenance: Provenance,
) -> TextRisk:
    """Compute the risk that follows from the counted leaks, and whether it is acceptable."""
    seed = provenance.seed
    _check_recognition(evidence, release)
    case = TextCase(evidence, release, threshold, settings, seed)
    benchmark = benchmark_estimate(release, settings, seed=seed)
    observed = _observed(evidence, settings)
    risks = _risks(case, benchmark)
    crosschecks = _crosschecks(case, risks) if settings.crosscheck else ()
    gates = _gates(evidence, settings)
    accepted = verdict.is_acceptable(risks.direct, risks.quasi, settings)
    return TextRisk(
        evidence=evidence,
        release=release,
        threshold=threshold,
        settings=settings,
        seed=seed,
        direct=risks.direct,
        quasi=risks.quasi,
        benchmark=benchmark,
        gates=gates,
        gate_comparison=_gate_comparison(case, benchmark, risks, gates),
        observed=observed,
        crosschecks=crosschecks,
        findings=verdict.reasons(risks.direct, risks.quasi, threshold, settings),
        warnings=provenance.assumed
        + risks.notes
        + verdict.warnings(evidence, settings, observed, release)
        + verdict.doubts(risks.direct, risks.quasi, crosschecks, gates, release),
        accepted=accepted,
        inputs=provenance.inputs,
    )


@dataclass(frozen=True, slots=True)
class RiskOnly:
    """Both risks and the verdict, and nothing else."""

    direct: RiskPart | None
    quasi: RiskPart | None
    acceptable: bool


def assess_only(
    evidence: Evidence, release: Release, threshold: Threshold, settings: TextSettings, *, seed: int
) -> RiskOnly:
    """Compute the same risks and verdict as `assess` and nothing else, for many what-ifs."""
    _check_recognition(evidence, release)
    case = TextCase(evidence, release, threshold, settings, seed)
    risks = _risks(case, benchmark_estimate(release, settings, seed=seed))
    accepted = verdict.is_acceptable(risks.direct, risks.quasi, settings)
    return RiskOnly(risks.direct, risks.quasi, accepted)


def _check_recognition(evidence: Evidence, release: Release) -> None:
    """Refuse a recognition for a type that does not occur: it would have no effect."""
    known = {kind.type for kind in evidence.types}
    unknown = sorted(set(release.recognition.by_type) - known)
    if unknown:
        raise InvalidSetting(
            f"A recognition is given for {', '.join(unknown)}, but the gold standard has no such type.",
            hint=f"The types (or groups) are: {', '.join(sorted(known))}.",
        )


def benchmark_estimate(release: Release, settings: TextSettings, *, seed: int) -> Estimate:
    """The distribution that the risk from direct identifiers is compared with."""
    engine: Engine = "exact" if settings.engine == "bootstrap" else settings.engine
    limits = direct_limits(models.benchmark_model(release, settings), settings, engine, seed=seed)
    return _estimate(limits, settings)


def _risks(case: TextCase, benchmark: Estimate) -> _BothRisks:
    direct = models.direct_model(case.evidence, case.release, case.settings)
    quasi = models.quasi_model(case.evidence, case.release, case.settings)
    if case.settings.engine == "bootstrap":
        one, two, notes = bootstrap_limits(case.evidence, direct, quasi, case.settings, seed=case.seed)
        both = None if two is None else QuasiLimits(two, two)
    else:
        engine, notes = case.settings.engine, ()
        one = direct_limits(direct, case.settings, engine, seed=case.seed) if direct else None
        both = quasi_limits(quasi, case.settings, engine, seed=case.seed) if quasi else None
    shares = [share.low for share in _observed(case.evidence, case.settings)]
    floors = models.plain_risks(direct, quasi, (shares[0], shares[1]))
    return _BothRisks(
        _with_plain_count(_direct_part(case, direct, one, benchmark), floors[0], case)
        if direct and one
        else None,
        _with_plain_count(_quasi_part(case, quasi, both), floors[1], case) if quasi and both else None,
        notes,
    )


def _with_plain_count(part: RiskPart, floor: float, case: TextCase) -> RiskPart:
    """Refuse a risk if the plain share of leaking documents already exceeds its threshold."""
    exceeds = floor > part.threshold * TOLERANCE
    veto = exceeds and case.settings.plain_count == "veto"
    return replace(part, plain_count_exceeds=exceeds, acceptable=part.acceptable and not veto)


def _direct_part(case: TextCase, model: DirectModel, limits: RiskLimits, benchmark: Estimate) -> RiskPart:
    return RiskPart(
        estimate=_estimate(limits, case.settings),
        plug_in=models.direct_plug_in(model),
        interval="parameter",
        threshold=benchmark.high,
        acceptable=limits.high <= benchmark.high * TOLERANCE,
        drawing_error=limits.error,
    )


def _quasi_part(case: TextCase, model: QuasiModel, limits: QuasiLimits) -> RiskPart:
    decides, other = limits.parameter, limits.per_document
    if case.settings.interval == "per_document":
        decides, other = other, decides
    resampled = case.settings.engine == "bootstrap"
    return RiskPart(
        estimate=_estimate(decides, case.settings),
        plug_in=models.quasi_plug_in(case.evidence, model, case.settings),
        interval="parameter" if resampled else case.settings.interval,
        threshold=case.threshold.probability,
        acceptable=case.threshold.accepts(decides.high),
        other=None if resampled else _estimate(other, case.settings),
        by_document=models.quasi_plug_in_by_document(case.evidence, model),
        drawing_error=decides.error,
    )


def _estimate(limits: RiskLimits, settings: TextSettings) -> Estimate:
    return Estimate(limits.mean, min(limits.low, limits.high), limits.high, settings.level)


def _observed(evidence: Evidence, settings: TextSettings) -> tuple[Estimate, Estimate]:
    def share(count: int) -> Estimate:
        ends = interval(count, evidence.documents, method=settings.share_method, level=settings.level)
        return Estimate(count / evidence.documents, *ends, settings.level)

    return share(evidence.documents_with_direct_leak), share(evidence.documents_with_leaks(settings.needed))


def _crosschecks(case: TextCase, risks: _BothRisks) -> tuple[CrossCheck, ...]:
    """Check the exact engine with Sobol points, and every other engine with the exact one."""
    engine: Engine = "sobol" if case.settings.engine == "exact" else "exact"
    kind = risks.quasi.interval if risks.quasi else case.settings.interval
    case = replace(case, settings=replace(case.settings, engine=engine, interval=kind))
    second = _risks(case, Estimate(0.0, 0.0, 0.0))
    checks = []
    for role, first, other in (("direct", risks.direct, second.direct), ("quasi", risks.quasi, second.quasi)):
        if first is None or other is None:
            continue
        scale = max(abs(first.estimate.high), 1e-12)
        difference = (other.estimate.high - first.estimate.high) / scale
        checks.append(CrossCheck(engine, role, first.interval, other.estimate.high, difference))
    return tuple(checks)


def _gates(evidence: Evidence, settings: TextSettings) -> tuple[Gate, ...]:
    rows = [
        (kind.type, "direct", kind.documents, kind.all_or_nothing_recall, settings.direct_cutoff)
        for kind in evidence.of_role("direct")
    ]
    if evidence.repeats.size:
        recall = models.quasi_recall(evidence, settings)
        rows.append((POOLED, "quasi", evidence.documents_with_quasi, recall, settings.quasi_cutoff))
    return tuple(_gate(*row, settings) for row in rows)


def _gate(kind: str, role: str, documents: int, recall: float, cutoff: float, settings: TextSettings) -> Gate:
    def is_open(rule: Any) -> bool:
        return models.is_gate_open(recall, documents, settings, rule=rule, cutoff=cutoff)

    applied = None if settings.gate == "draw" else is_open(settings.gate)
    low, high = interval(recall * documents, documents, method="wilson", level=settings.level)
    return Gate(
        type=kind,
        role=role,
        documents=documents,
        recall=recall,
        cutoff=cutoff,
        observed=is_open("observed"),
        significant=is_open("significant"),
        applied=applied,
        undecided=low < cutoff <= high,
    )


def _gate_comparison(
    case: TextCase, benchmark: Estimate, risks: _BothRisks, gates: tuple[Gate, ...]
) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The limits and the verdict under both rules; computed again only where the rules differ.

    If the interval of a recall includes the cutoff, also with all gates open and all gates closed.
    """
    same = all(gate.observed == gate.significant for gate in gates)
    found = []
    rules: tuple[GateRule, ...] = ("observed", "significant")
    if any(gate.undecided for gate in gates) and verdict.recognition_counts(case.release):
        rules = (*rules, "always", "never")
    for rule in rules:
        both = ("observed", "significant")
        applied = case.settings.gate == rule or (same and rule in both and case.settings.gate in both)
        under = risks if applied else _risks(case.under(rule), benchmark)
        found.append((rule, _summary(under, case.settings)))
    return tuple(found)


def _summary(risks: _BothRisks, settings: TextSettings) -> dict[str, Any]:
    return {
        "direct": None if risks.direct is None else risks.direct.estimate.to_dict(),
        "quasi": None if risks.quasi is None else risks.quasi.estimate.to_dict(),
        "acceptable": verdict.is_acceptable(risks.direct, risks.quasi, settings),
    }

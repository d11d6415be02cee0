"""Compute the result of a text evaluation from its evidence: risks, benchmark, gates and verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.stats.choices import GateRule
from reidrisk.stats.decision import TOLERANCE, Decision, decide, units_needed
from reidrisk.stats.models import DirectModel, QuasiModel
from reidrisk.stats.nodes import SIDE_NODES
from reidrisk.stats.observed_limit import CERTAIN, ObservedRisk
from reidrisk.stats.proportion import interval
from reidrisk.text import models, verdict
from reidrisk.text.evidence import Evidence
from reidrisk.text.gates import GateTest, direct_gates, direct_tests, quasi_gate, quasi_recall
from reidrisk.text.models import (
    QuasiLimits,
    RiskLimits,
    TextCase,
    bootstrap_limits,
    direct_limits,
    quasi_limits,
)
from reidrisk.text.observed import (
    benchmark_share,
    direct_documents,
    quasi_documents,
    quasi_leak_share,
    sample_design,
)
from reidrisk.text.result import TextRisk
from reidrisk.text.sampling import JudgedRole, TextSampling, describe_sampling
from reidrisk.text.settings import Engine, TextSettings
from reidrisk.text.verdict import CrossCheck, Gate, RiskPart

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
    decided = decided_risks(case, benchmark)
    risks = decided.both
    crosschecks = _crosschecks(case, risks) if settings.crosscheck else ()
    gates = _gates(evidence, release, settings)
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
        benchmark_with_attempt=_benchmark_with_attempt(release, settings),
        gates=gates,
        gate_comparison=_gate_comparison(case, benchmark, risks, gates),
        observed=observed,
        crosschecks=crosschecks,
        findings=verdict.reasons(risks.direct, risks.quasi, threshold, settings),
        warnings=provenance.assumed
        + risks.notes
        + (() if decided.sampling is None else tuple(decided.sampling.warnings()))
        + verdict.warnings(evidence, settings, observed, release)
        + verdict.doubts(risks.direct, risks.quasi, crosschecks, gates, release),
        accepted=accepted,
        inputs=provenance.inputs,
        sampling=decided.sampling,
    )


@dataclass(frozen=True, slots=True)
class RiskOnly:
    """Both risks and the verdict, and nothing else."""

    direct: RiskPart | None
    quasi: RiskPart | None
    acceptable: bool
    decision: Decision
    documents_needed: dict[str, Any] | None


def assess_only(
    evidence: Evidence, release: Release, threshold: Threshold, settings: TextSettings, *, seed: int
) -> RiskOnly:
    """Compute the same risks and verdict as `assess` and nothing else, for many what-ifs."""
    _check_recognition(evidence, release)
    case = TextCase(evidence, release, threshold, settings, seed)
    risks = decided_risks(case, benchmark_estimate(release, settings, seed=seed), alone=True).both
    accepted = verdict.is_acceptable(risks.direct, risks.quasi, settings)
    return RiskOnly(
        risks.direct,
        risks.quasi,
        accepted,
        verdict.overall_decision(risks.direct, risks.quasi, settings),
        verdict.overall_needed(risks.direct, risks.quasi),
    )


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
    """The distribution that the risk from direct identifiers is compared with.

    The observed risk is compared without the attempt on both sides, so that the attempt cannot change the
    verdict on direct identifiers.
    """
    if settings.limit == "observed":
        return _observed_estimate(benchmark_share(release, settings), settings)
    return model_benchmark(release, settings, seed=seed)


def model_benchmark(release: Release, settings: TextSettings, *, seed: int) -> Estimate:
    """The benchmark of the model."""
    engine: Engine = "exact" if settings.engine == "bootstrap" else settings.engine
    limits = direct_limits(models.benchmark_model(release, settings), settings, engine, seed=seed)
    return _estimate(limits, settings)


def _benchmark_with_attempt(release: Release, settings: TextSettings) -> Estimate | None:
    if settings.limit == "model":
        return None
    return _observed_estimate(benchmark_share(release, settings, attempt=release.attempt), settings)


@dataclass(frozen=True, slots=True)
class DecidedRisks:
    """Both risks as they decide, and what the way of sampling says about them."""

    both: _BothRisks
    sampling: TextSampling | None = None


def decided_risks(case: TextCase, benchmark: Estimate, *, alone: bool = False) -> DecidedRisks:
    """Both risks with the limits that decide; `alone` leaves out the model if it does not decide."""
    if case.settings.limit == "model":
        return DecidedRisks(_model_risks(case, benchmark))
    by_model = _BothRisks(None, None)
    if not alone or case.evidence.only_counts:
        by_model = _model_risks(case, model_benchmark(case.release, case.settings, seed=case.seed))
    roles = judged_roles(case, benchmark.high)
    direct, quasi = (
        _observed_part(roles[role], part, case) if role in roles else None
        for role, part in (("direct", by_model.direct), ("quasi", by_model.quasi))
    )
    if case.evidence.only_counts:  # without documents, only the model can tell
        quasi = by_model.quasi
    both = _BothRisks(direct, quasi, by_model.notes)
    if alone:
        return DecidedRisks(both)
    design = sample_design(case.evidence, case.settings)
    sampling = describe_sampling(case.evidence, roles, case.settings, design, seed=case.seed)
    return DecidedRisks(both, sampling)


def judged_roles(case: TextCase, benchmark: float, *, side: int = SIDE_NODES) -> dict[str, JudgedRole]:
    """The observed risk of each role that the corpus contains, with its threshold."""
    evidence, release, settings = case.evidence, case.release, case.settings
    design = sample_design(evidence, settings)
    found = {}
    if evidence.direct_types:
        gates = direct_gates(evidence, release.recognition, settings, settings.gate)
        documents = direct_documents(evidence, release, gates, side=side)
        found["direct"] = JudgedRole(documents, documents.risk(design), benchmark)
    if evidence.repeats.size and not evidence.only_counts:
        is_open = quasi_gate(evidence, settings, settings.gate)
        recognition = models.quasi_recognition(evidence, release) if is_open else CERTAIN
        documents = quasi_documents(evidence, recognition, settings.needed, side=side)
        risk = documents.risk(design, attempt=release.attempt, given_catch=settings.given_catch)
        found["quasi"] = JudgedRole(documents, replace(risk, side_nodes=side), case.threshold.probability)
    return found


def _observed_part(role: JudgedRole, by_model: RiskPart | None, case: TextCase) -> RiskPart:
    """The decision on an observed risk, with the figures of the model beside it."""
    settings, risk = case.settings, role.risk
    level = settings.levels[1]
    estimate = _observed_estimate(risk, settings)
    decision = decide(estimate.low, estimate.high, role.threshold)
    with_attempt = None
    if risk.attempt != case.release.attempt:
        attempted = replace(risk, attempt=case.release.attempt)
        bar = benchmark_share(case.release, settings, attempt=case.release.attempt).upper(level)
        with_attempt = (_observed_estimate(attempted, settings), bar)
    return RiskPart(
        estimate=estimate,
        plug_in=estimate.value,
        interval="observed",
        threshold=role.threshold,
        acceptable=decision == "accepted",
        undecided=decision == "undecided",
        needed=units_needed(risk, role.threshold, level) if decision == "undecided" else None,
        examined=(round(risk.units), "documents" if case.evidence.clusters is None else "clusters"),
        with_attempt=with_attempt,
        model=by_model,
    )


def _observed_estimate(risk: ObservedRisk, settings: TextSettings) -> Estimate:
    low, high = risk.limits(settings.levels[1])
    return Estimate(risk.estimate, min(low, high), high, settings.level)


def _model_risks(case: TextCase, benchmark: Estimate) -> _BothRisks:
    """Equations 20 and 21."""
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
    veto = exceeds and case.settings.plain_count == "veto" and case.settings.limit == "model"
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
    kind = risks.quasi.by_model.interval if risks.quasi else case.settings.interval
    kind = case.settings.interval if kind == "observed" else kind
    case = replace(case, settings=replace(case.settings, engine=engine, interval=kind))
    second = _model_risks(case, Estimate(0.0, 0.0, 0.0))
    checks = []
    for role, part, other in (("direct", risks.direct, second.direct), ("quasi", risks.quasi, second.quasi)):
        if part is None or other is None:
            continue
        first = part.by_model
        scale = max(abs(first.estimate.high), 1e-12)
        difference = (other.estimate.high - first.estimate.high) / scale
        checks.append(CrossCheck(engine, role, first.interval, other.estimate.high, difference))
    return tuple(checks)


def _gates(evidence: Evidence, release: Release, settings: TextSettings) -> tuple[Gate, ...]:
    found = []
    by_rule = {rule: direct_gates(evidence, release.recognition, settings, rule) for rule in _rules(settings)}
    tests = direct_tests(evidence, release.recognition, settings)
    for kind in evidence.of_role("direct"):
        rules = {rule: gates[kind.type] for rule, gates in by_rule.items()}
        shown = (kind.type, "direct", kind.documents, kind.all_or_nothing_recall, settings.direct_cutoff)
        found.append(_gate(shown, rules, tests[kind.type], settings))
    if evidence.repeats.size:
        rules = {rule: quasi_gate(evidence, settings, rule) for rule in _rules(settings)}
        recall = quasi_recall(evidence, settings)
        shown = (POOLED, "quasi", evidence.documents_with_quasi, recall, settings.quasi_cutoff)
        share = quasi_leak_share(evidence, sample_design(evidence, settings))
        found.append(_gate(shown, rules, GateTest(share, settings.levels[1]), settings))
    return tuple(found)


def _rules(settings: TextSettings) -> set[GateRule]:
    return {"observed", "significant", settings.gate}


def _gate(
    shown: tuple[str, str, int, float, float],
    rules: dict[GateRule, bool],
    test: GateTest,
    settings: TextSettings,
) -> Gate:
    _, _, documents, recall, cutoff = shown
    low, high = interval(recall * documents, documents, method="wilson", level=settings.level)
    upper = None
    if settings.limit == "observed":
        leaks = test.share.limits(test.level)
        low, high, upper = 1 - leaks[1], 1 - leaks[0], leaks[1]
    return Gate(
        *shown,
        observed=rules["observed"],
        significant=rules["significant"],
        applied=None if settings.gate == "draw" else rules[settings.gate],
        undecided=low < cutoff <= high,
        upper_leak=upper,
        level=None if upper is None else test.level,
    )


def _gate_comparison(
    case: TextCase, benchmark: Estimate, risks: _BothRisks, gates: tuple[Gate, ...]
) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The limits and the verdict under both rules; computed again only where the rules differ.

    If the interval of a recall includes the cutoff, also with all gates open and all gates closed; limits of
    the observed risk always also with all gates closed, if recognition counts.
    """
    same = all(gate.observed == gate.significant for gate in gates)
    found = []
    rules: tuple[GateRule, ...] = ("observed", "significant")
    if verdict.recognition_counts(case.release):
        if any(gate.undecided for gate in gates):
            rules = (*rules, "always", "never")
        elif case.settings.limit == "observed":
            rules = (*rules, "never")
    for rule in rules:
        both = ("observed", "significant")
        applied = case.settings.gate == rule or (same and rule in both and case.settings.gate in both)
        under = risks if applied else decided_risks(case.under(rule), benchmark, alone=True).both
        found.append((rule, _summary(under, case.settings)))
    return tuple(found)


def _summary(risks: _BothRisks, settings: TextSettings) -> dict[str, Any]:
    return {
        "direct": None if risks.direct is None else risks.direct.estimate.to_dict(),
        "quasi": None if risks.quasi is None else risks.quasi.estimate.to_dict(),
        "acceptable": verdict.is_acceptable(risks.direct, risks.quasi, settings),
        "decision": verdict.overall_decision(risks.direct, risks.quasi, settings),
    }

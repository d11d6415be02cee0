"""The verdict and the words that explain it."""

from __future__ import annotations

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.text import models
from reidrisk.text.compute import DISAGREEMENT
from reidrisk.text.evidence import Evidence
from reidrisk.text.result import CrossCheck, Gate, RiskPart
from reidrisk.text.settings import TextSettings

COPY = "The tool masks exactly what the gold standard marks: is it a copy?"


def is_acceptable(direct: RiskPart | None, quasi: RiskPart | None, settings: TextSettings) -> bool:
    """Both risks must be below their limits; what was not evaluated counts as the settings say."""
    missing = settings.unevaluated == "accept"
    return all(missing if part is None else part.acceptable for part in (direct, quasi))


def reasons(
    direct: RiskPart | None, quasi: RiskPart | None, threshold: Threshold, settings: TextSettings
) -> tuple[str, ...]:
    """Why the verdict is what it is, one sentence a risk."""
    return (
        _reason("Direct identifiers", direct, "the benchmark's upper limit", settings),
        _reason("Quasi-identifiers", quasi, f"the threshold ({threshold.reason})", settings),
    )


def _reason(name: str, part: RiskPart | None, yardstick: str, settings: TextSettings) -> str:
    if part is None:
        accepted = settings.unevaluated == "accept"
        stands = "as you said, this does not stand against the release"
        therefore = stands if accepted else "so no release on this basis"
        return f"{name}: not evaluated, the gold standard marks none; {therefore}."
    below = part.estimate.high <= part.threshold or part.acceptable
    outcome = "acceptable" if part.acceptable else "not acceptable"
    sentence = (
        f"{name}: the upper limit of the risk, {probability(part.estimate.high)}, "
        f"{'does not exceed' if below else 'exceeds'} {yardstick}, {probability(part.threshold)}"
    )
    if below and not part.acceptable:
        sentence += ", but the documents that leaked, counted without any model, are already too many"
    return f"{sentence}: {outcome}."


def recognition_counts(release: Release) -> bool:
    """Whether any leak may go unrecognised, so that gates matter."""
    return any(h.mean < 1 for h in (release.recognition.default, *release.recognition.by_type.values()))


def warnings(
    evidence: Evidence, settings: TextSettings, observed: tuple[Estimate, Estimate], release: Release
) -> tuple[str, ...]:
    """What a statistician would ask about the data."""
    found = _model_too_low(evidence, settings, observed)
    if evidence.absent:
        names = ", ".join(name for name, _ in evidence.absent)
        found.append(f"Not evaluated, since no document holds them: {names}.")
    perfect = [kind.type for kind in evidence.of_role("direct") if kind.leaking_documents == 0]
    if perfect and settings.uncertainty in ("normal", "normal_clip", "truncnorm"):
        found.append(
            "The normal model sees no uncertainty in a perfect recall, however few the documents: "
            f"{', '.join(perfect)}."
        )
    if evidence.unmatched:
        found.append(
            f"{plural(evidence.unmatched['only_gold'], 'document')} of the gold standard without tool output "
            f"count as unmasked; {plural(evidence.unmatched['only_tool'], 'document')} without gold standard "
            "do not count."
        )
    if evidence.precision == 1 and evidence.word_recall() == 1:
        found.append(COPY)
    if release.treatment == "resynthesis" and not recognition_counts(release):
        found.append("Re-synthesis with recognition 1 protects no more than redaction.")
    return tuple(found)


def doubts(
    direct: RiskPart | None,
    quasi: RiskPart | None,
    crosschecks: tuple[CrossCheck, ...],
    gates: tuple[Gate, ...],
    release: Release,
) -> tuple[str, ...]:
    """What a statistician would ask about the computation."""
    found = _disagreements(crosschecks)
    names = ", ".join(gate.type for gate in gates if gate.observed != gate.significant)
    if names and recognition_counts(release):
        found.append(
            f"Recall is above the cutoff, but not significantly, for: {names}. The two gate rules give "
            "different risks; both are shown."
        )
    limits = {"direct": direct, "quasi": quasi}
    for check in crosschecks:
        part = limits[check.role]
        if part is not None and (check.high <= part.threshold) != (part.estimate.high <= part.threshold):
            found.append(
                f"The engines disagree whether the {check.role} risk is below its limit: it is at it."
            )
    for role, part in limits.items():
        if part is None or part.drawing_error is None:
            continue
        if abs(part.estimate.high - part.threshold) < 3 * part.drawing_error:
            found.append(
                f"The {role} limit is within the error of drawing: use more draws, or the exact engine."
            )
    return tuple(found)


def _model_too_low(
    evidence: Evidence, settings: TextSettings, observed: tuple[Estimate, Estimate]
) -> list[str]:
    """The model with every leak recognised and an attempt certain, against the plain share of documents."""
    bare = models.unprotected_risks(evidence, settings)
    named = zip(("direct identifiers", "quasi-identifiers"), bare, observed, strict=True)
    return [
        f"The model underestimates the leaks of {name}: it expects a share of {probability(value)} "
        f"of documents, {probability(share.value)} was seen (at least {probability(share.low)})."
        for name, value, share in named
        if value is not None and value < share.low
    ]


def _disagreements(crosschecks: tuple[CrossCheck, ...]) -> list[str]:
    return [
        f"The {check.engine} engine finds an upper limit of {probability(check.high)} for "
        f"{check.role} identifiers, {100 * check.difference:+.1f} % from the one shown."
        for check in crosschecks
        if abs(check.difference) > DISAGREEMENT
    ]

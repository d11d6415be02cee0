"""The verdict and the words that explain it."""

from __future__ import annotations

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import probability
from reidrisk.text import models
from reidrisk.text.compute import DISAGREEMENT
from reidrisk.text.evidence import Evidence
from reidrisk.text.result import CrossCheck, Gate, RiskPart
from reidrisk.text.settings import TextSettings


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
        therefore = (
            "as you said, this does not stand against the release"
            if accepted
            else "so no release on this basis"
        )
        return f"{name}: not evaluated, the gold standard marks none; {therefore}."
    relation = "does not exceed" if part.acceptable else "exceeds"
    outcome = "acceptable" if part.acceptable else "not acceptable"
    return (
        f"{name}: the upper limit of the risk, {probability(part.estimate.high)}, {relation} {yardstick}, "
        f"{probability(part.threshold)}: {outcome}."
    )


def warnings(
    evidence: Evidence,
    settings: TextSettings,
    observed: tuple[Estimate, Estimate],
    crosschecks: tuple[CrossCheck, ...],
    gates: tuple[Gate, ...],
    release: Release,
) -> tuple[str, ...]:
    """What a statistician would ask about."""
    found = [*_model_too_low(evidence, settings, observed), *_disagreements(crosschecks)]
    if any(gate.observed != gate.significant for gate in gates) and release.recognition.default.mean < 1:
        names = ", ".join(gate.type for gate in gates if gate.observed != gate.significant)
        found.append(
            f"Recall is above the cutoff, but not significantly, for: {names}. The two gate rules give "
            "different risks; both are shown."
        )
    if evidence.absent:
        names = ", ".join(name for name, _ in evidence.absent)
        found.append(f"Not evaluated, since no document holds them: {names}.")
    if settings.uncertainty in ("normal", "normal_clip", "truncnorm"):
        perfect = [kind.type for kind in evidence.of_role("direct") if kind.leaking_documents == 0]
        if perfect:
            found.append(
                "The normal model sees no uncertainty in a perfect recall, however few the documents: "
                f"{', '.join(perfect)}."
            )
    if evidence.unmatched:
        found.append(
            f"{evidence.unmatched['only_gold']} documents of the gold standard have no tool output and count "
            f"as unmasked; {evidence.unmatched['only_tool']} of the tool output were left out."
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

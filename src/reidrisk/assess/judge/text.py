"""A text part: the risk of its leaks in a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from reidrisk.assess.judge.judged import Figure, Judged
from reidrisk.assess.parts.text import TextPart
from reidrisk.context.release import Release
from reidrisk.context.score import ContextScore
from reidrisk.core.wording import probability
from reidrisk.text.assess import Provenance, RiskOnly, assess, assess_only
from reidrisk.text.evidence import Evidence, evidence_from_dict
from reidrisk.text.result import TextRisk
from reidrisk.text.verdict import RiskPart

ROLES = {"direct": "direct identifiers", "quasi": "quasi-identifiers"}
LIMITS = {"direct": "the benchmark's upper limit", "quasi": "the threshold"}


def judge_text(
    part: TextPart, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
) -> Judged:
    """The risk from both roles; that which is nearest to its limit speaks for the part.

    `quick` leaves out the result itself, for what-ifs.
    """
    release = score.release(part.treatment, part.recognition)
    evidence = evidence_from_dict(measured["evidence"])
    if quick:
        return judge_counts(part, evidence, release, score, seed=seed)
    inputs = tuple((str(name), value) for name, value in measured["inputs"])
    risk = assess(evidence, release, score.threshold, part.settings, provenance=Provenance(seed, inputs))
    return replace(_judged(part, risk, evidence, score), result=part.told(risk.to_dict()))


def judge_counts(
    part: TextPart, evidence: Evidence, release: Release, score: ContextScore, *, seed: int
) -> Judged:
    """The same for other counts, or another release."""
    risk = assess_only(evidence, release, score.threshold, part.settings, seed=seed)
    return _judged(part, risk, evidence, score)


def _judged(part: TextPart, risk: TextRisk | RiskOnly, evidence: Evidence, score: ContextScore) -> Judged:
    found = {"direct": risk.direct, "quasi": risk.quasi}
    known = {role: one for role, one in found.items() if one is not None}
    statistic, worst = _worst(known)
    attempt = score.attempt.mean
    return Judged(
        acceptable=risk.acceptable,
        statistic=statistic,
        risk=worst.estimate.high if worst else None,
        low=worst.estimate.low if worst else None,
        high=worst.estimate.high if worst else None,
        attempt=attempt,
        overall=worst.estimate.high if worst else None,
        threshold=worst.threshold if worst else score.threshold.probability,
        cell_size=score.threshold.cell_size if worst is risk.quasi else None,
        sentence=_sentence(known, attempt),
        initial=_initial(evidence),
        final=Figure(statistic, worst.estimate.high if worst else None),
        measures=_measures(part, evidence),
    )


def _worst(known: Mapping[str, RiskPart]) -> tuple[str, RiskPart | None]:
    """The role that uses up most of what is accepted; one that is refused comes first."""
    if not known:
        return "nothing to measure", None
    role = max(
        known,
        key=lambda name: (not known[name].acceptable, known[name].estimate.high / known[name].threshold),
    )
    return f"upper limit of the risk from {ROLES[role]}", known[role]


def _sentence(known: Mapping[str, RiskPart], attempt: float) -> str:
    said = [
        f"{ROLES[role]}: upper limit {probability(one.estimate.high)}, {LIMITS[role]} is "
        f"{probability(one.threshold)}, {'acceptable' if one.acceptable else 'not acceptable'}"
        for role, one in known.items()
    ]
    missing = [
        f"{ROLES[role]}: none in the gold standard, so not evaluated" for role in ROLES if role not in known
    ]
    text = "; ".join([*said, *missing])
    return f"{text[0].upper()}{text[1:]} (with an attempt of {attempt:.2g})."


def _initial(evidence: Evidence) -> Figure:
    """Before any masking: documents that name somebody."""
    held = evidence.holds.any(axis=1) if evidence.holds.size else np.zeros(evidence.documents, dtype=np.bool_)
    share = float(np.count_nonzero(held)) / max(evidence.documents, 1)
    return Figure("share of documents with a direct identifier, before masking", share)


def _measures(part: TextPart, evidence: Evidence) -> tuple[str, ...]:
    how = (
        "blacked out" if part.treatment == "redaction" else "replaced by realistic surrogates (re-synthesis)"
    )
    recall = evidence.word_recall()
    found = "" if recall != recall else f" It masks {100 * recall:.1f} % of the words that identify."  # noqa: PLR0124
    return (f"A tool finds identifiers in {evidence.documents:,} documents; they are {how}.{found}",)

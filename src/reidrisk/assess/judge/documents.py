"""A documents part: the risk of leaks and of classes in a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reidrisk.assess.judge.judged import Figure, Judged
from reidrisk.assess.judge.records import decide
from reidrisk.assess.parts.documents import DocumentsPart
from reidrisk.context.score import ContextScore
from reidrisk.core.wording import probability
from reidrisk.documents.risk.measure import LEAKING
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.result import DocumentRisk
from reidrisk.documents.risk.run import risk_of
from reidrisk.documents.risk.scenarios import Case

LEAK_STATISTIC = "upper limit of the risk of a participant"
BEFORE = "highest risk of a participant, before treatment"
WORDS = "risk in words"


def judge_documents(
    part: DocumentsPart, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
) -> Judged:
    """The risk of the scenario; `quick` leaves out the result itself, for what-ifs."""
    return judged_measure(part, DocumentMeasure.from_dict(measured), score, seed=seed, quick=quick)


def judged_measure(
    part: DocumentsPart, found: DocumentMeasure, score: ContextScore, *, seed: int, quick: bool = True
) -> Judged:
    """The same for other counts."""
    settings = part.settings
    if quick:
        settings = replace(settings, text=replace(settings.text, crosscheck=False))
    release = part.release(score) if found.scenario == part.scenario else score.release("redaction")
    risk = risk_of(found, Case(score.threshold, settings, release, seed))
    judged = _by_leaks(risk, score) if found.scenario in LEAKING else _by_classes(risk, score)
    measures = tuple(_said(one.measure, one.variables, one.detail) for one in found.measures)
    initial = Figure(BEFORE, risk.stages[0].highest)
    result = None if quick else part.told(risk.to_dict())
    return replace(judged, initial=initial, measures=measures, result=result)


def _said(measure: str, variables: tuple[str, ...], detail: str) -> str:
    named = f" of {', '.join(variables)}" if variables else ""
    return f"{measure[0].upper()}{measure[1:]}{named}: {detail}."


def _by_leaks(risk: DocumentRisk, score: ContextScore) -> Judged:
    both = risk.sides.combined
    return Judged(
        acceptable=risk.acceptable,
        statistic=LEAK_STATISTIC,
        risk=risk.highest,
        low=None if both is None else both.estimate.low,
        high=None if both is None else risk.highest,
        attempt=score.attempt.mean,
        overall=risk.highest,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=" ".join(text for _, text in risk.reasons),
        final=Figure(LEAK_STATISTIC, risk.highest),
    )


def _by_classes(risk: DocumentRisk, score: ContextScore) -> Judged:
    classes, threshold = risk.sides.classes, score.threshold
    if classes is None or risk.highest is None:
        overall = risk.highest
        sentence = " ".join(text for _, text in risk.reasons)
        return Judged(
            risk.acceptable,
            WORDS,
            overall,
            1.0,
            overall,
            threshold.probability,
            None,
            sentence,
            final=Figure(WORDS, overall),
        )
    average = sum(group.participants / group.class_size for group in classes.groups) / classes.participants
    decided = decide(score, smallest=classes.smallest, average=average)
    unmasked = risk.measured.seen is not None and risk.measured.seen.unmasked > 0
    fine = decided.acceptable and not unmasked
    known = 1.0 if unmasked else decided.risk
    verdict = "acceptable" if fine else "not acceptable"
    stays = " Direct identifiers stay in sections that are kept." if unmasked else ""
    return Judged(
        acceptable=fine,
        statistic=decided.statistic,
        risk=known,
        attempt=decided.attempt,
        overall=known * decided.attempt,
        threshold=threshold.probability,
        cell_size=threshold.cell_size,
        sentence=f"The {decided.statistic} is {probability(decided.risk)}; {decided.why}: {verdict}.{stays}",
        final=Figure(decided.statistic, known),
    )

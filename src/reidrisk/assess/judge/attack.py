"""A table part that was attacked: the upper limit of the most successful attack in a context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from reidrisk.assess.judge.judged import Figure, Judged
from reidrisk.context.score import ContextScore
from reidrisk.core.wording import probability

STATISTIC = "success of an attack, upper limit"


def judge_attack(measured: Mapping[str, Any], score: ContextScore) -> Judged:
    """Every attack counts, with what the release adds to its control; nothing to count is no proof."""
    attempt = 1.0 if score.rule == "cell_size" else score.context_risk
    limit = score.threshold
    risks = dict(_risks(measured))
    worst = max(risks, key=lambda name: risks[name]["high"], default=None)
    risk = risks[worst] if worst is not None else None
    overall = None if risk is None else risk["high"] * attempt
    fine = overall is not None and limit.accepts(overall)
    sentence = _sentence(worst, risk, attempt, score) + (": acceptable." if fine else ": not acceptable.")
    return Judged(
        acceptable=fine,
        statistic=STATISTIC,
        risk=None if risk is None else risk["high"],
        attempt=attempt,
        overall=overall,
        threshold=limit.probability,
        cell_size=limit.cell_size,
        sentence=sentence,
        low=None if risk is None else risk["low"],
        high=None if risk is None else risk["high"],
        final=Figure(STATISTIC, None if risk is None else risk["high"]),
        result={
            **measured,
            "acceptable": fine,
            "decided": True,
            "threshold": {**asdict(limit), "cell_size": limit.cell_size},
            "reasons": [*measured["reasons"], sentence],
            "holds": [*measured["holds"], fine],
        },
    )


def _risks(measured: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    linkage = measured["linkage"].values()
    for one in (*linkage, *measured["singling_out"], measured["linkability"], *measured["inference"]):
        if one["risk"] is not None:
            yield one["attack"], one["risk"]


def _sentence(worst: str | None, risk: Mapping[str, Any] | None, attempt: float, score: ContextScore) -> str:
    if worst is None or risk is None:
        return "No attack could be made, which proves nothing"
    times = "" if attempt == 1 else f", times an attempt of {attempt:g} {probability(risk['high'] * attempt)}"
    return (
        f"The most successful attack, {worst}, succeeds in at most {probability(risk['high'])}{times}; the "
        f"threshold is {probability(score.threshold.probability)} ({score.threshold.reason})"
    )

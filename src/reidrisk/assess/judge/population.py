"""A population part: may so many people be exposed in this context?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.assess.judge.judged import Figure, Judged
from reidrisk.assess.parts.population import PopulationPart
from reidrisk.context.score import ContextScore
from reidrisk.population.results import percent

TOTAL = "expected share of people re-identified"


def judge_population(part: PopulationPart, measured: Mapping[str, Any], score: ContextScore) -> Judged:
    """Total risk times the risk of the context, or the shares that the part states; both rules are ours."""
    return judged_risk(part, measured, risks_of(measured)[0], score)


def risks_of(measured: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The policy of the release first, then those it was compared with."""
    found: list[dict[str, Any]] = measured["risks"] if "risks" in measured else [dict(measured)]
    return found


def judged_risk(
    part: PopulationPart, measured: Mapping[str, Any], risk: Mapping[str, Any], score: ContextScore
) -> Judged:
    """The same for any of the policies."""
    share = risk["total_risk"]["share"]
    if share is None:
        return _unknown(measured, risk, score)
    return _by_limits(part, measured, risk) if part.limits else _by_context(measured, risk, score)


def _by_context(measured: Mapping[str, Any], risk: Mapping[str, Any], score: ContextScore) -> Judged:
    share = float(risk["total_risk"]["share"])
    overall = share * score.context_risk
    fine = score.threshold.accepts(overall)
    return Judged(
        acceptable=fine,
        statistic=TOTAL,
        risk=share,
        attempt=score.context_risk,
        overall=overall,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=(
            f"Under {risk['policy']['name']} {percent(share)} of {risk['people']:,} people are expected to "
            f"be re-identified; times an attempt of {score.context_risk:g} it is {percent(overall)}, the "
            f"threshold {percent(score.threshold.probability)} (this comparison is ours): {_word(fine)}."
        ),
        final=Figure(TOTAL, share),
        measures=_measures(risk),
        result=dict(measured),
    )


def _by_limits(part: PopulationPart, measured: Mapping[str, Any], risk: Mapping[str, Any]) -> Judged:
    shares = {
        name: float(risk["total_risk"]["share"] if name == "total" else risk["g_distinct"][name])
        for name in part.limits
    }
    worst = max(part.limits, key=lambda name: shares[name] / max(part.limits[name], 1e-300))
    fine = all(shares[name] <= limit for name, limit in part.limits.items())
    said = "; ".join(
        f"{'total risk' if name == 'total' else f'{name}-distinct'} {percent(shares[name])}, limit "
        f"{percent(limit)}"
        for name, limit in part.limits.items()
    )
    return Judged(
        acceptable=fine,
        statistic=TOTAL if worst == "total" else f"share of people who are {worst}-distinct",
        risk=shares[worst],
        attempt=1.0,
        overall=shares[worst],
        threshold=max(part.limits[worst], 1e-300),
        cell_size=None,
        sentence=f"Under {risk['policy']['name']}: {said} (limits of the custodian): {_word(fine)}.",
        final=Figure(TOTAL, float(risk["total_risk"]["share"])),
        measures=_measures(risk),
        result=dict(measured),
    )


def _unknown(measured: Mapping[str, Any], risk: Mapping[str, Any], score: ContextScore) -> Judged:
    return Judged(
        acceptable=False,
        statistic=TOTAL,
        risk=None,
        attempt=score.context_risk,
        overall=None,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=f"The risk is unknown: {risk['unknown']} What is unknown is not acceptable.",
        measures=_measures(risk),
        result=dict(measured),
    )


def _measures(risk: Mapping[str, Any]) -> tuple[str, ...]:
    fields = ", ".join(f"{name} ({how})" for name, how in risk["policy"]["fields"].items())
    return (f"Of each person only {fields} are released ({risk['policy']['name']}).",)


def _word(fine: bool) -> str:  # noqa: FBT001 - private
    return "acceptable" if fine else "not acceptable"

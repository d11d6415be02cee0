"""A table part that is released as it is: the risk of its classes in a context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import floor
from typing import Any

from reidrisk.assess.judge.judged import Figure, Judged
from reidrisk.assess.judge.records import decide, knowing
from reidrisk.assess.parts.table import TablePart
from reidrisk.context.score import ContextScore
from reidrisk.core.classes import ClassSizes
from reidrisk.core.wording import probability
from reidrisk.stats.class_risk import AttackRisk
from reidrisk.tables.column_kinds import direct_suspects
from reidrisk.tables.measure import TableMeasure

DONE = {
    "drop": "is left out",
    "pseudonym": "is replaced by a pseudonym",
    "number": "is replaced by a number",
    "keep": "is kept on purpose",
}
UNSHOWN = (
    "What may be known of events was only sampled, which cannot show that nobody is above: not acceptable."
)


def judge_table(part: TablePart, measured: Mapping[str, Any], score: ContextScore) -> Judged:
    """The most exposed record, or the average, by the rule of the context."""
    found = TableMeasure.from_dict(measured)
    judged = judged_sizes(part, found, found.sizes, score)
    made = measured.get("transformed")
    return judged if made is None else _after_steps(judged, made, part, score)


def _after_steps(judged: Judged, made: Mapping[str, Any], part: TablePart, score: ContextScore) -> Judged:
    """The same, saying what was done before and what the risk was then."""
    before = decide(score, smallest=made["smallest_before"], average=made["average_before"])
    told = {name: made[name] for name in ("steps", "steps_linkage", "step_notes")}
    return replace(
        judged,
        sentence=f"{judged.sentence}{by_chance(made['by_chance'])}",
        initial=Figure(before.statistic, before.risk) if part.adversary == "prosecutor" else None,
        measures=(*step_measures(made["steps"]), *judged.measures),
        result={**(judged.result or {}), **told},
    )


def step_measures(steps: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What transformations did."""
    return tuple(f"{one['kind']}: {one['text']}." for one in steps)


def by_chance(names: Sequence[str]) -> str:
    """A sentence to follow a verdict on classes of values that were changed by chance."""
    return f" Counted on values that were changed by chance: {', '.join(names)}." if names else ""


def judged_sizes(part: TablePart, found: TableMeasure, sizes: ClassSizes, score: ContextScore) -> Judged:
    """The same for classes that a change would make."""
    risk = found.risk(score.threshold)
    against = risk.journalist if part.adversary == "journalist" else None
    smallest = sizes.smallest if against is None else _people_alike(against)
    average = sizes.classes / sizes.records if against is None else against.average
    known = risk.longitudinal
    if known is not None:
        smallest, average = min(smallest, known.worst.smallest), max(average, known.worst.high)
    unshown = known is not None and known.is_bound
    who = knowing(None if known is None else known.found.knowledge.known)
    decided = decide(score, smallest=smallest, average=average)
    verdict = "acceptable" if decided.acceptable else "not acceptable"
    told = [one for one in found.disclosure if not one.acceptable]
    apart = risk.differencing is not None and not risk.differencing.acceptable
    judged = Judged(
        acceptable=decided.acceptable and not told and not apart and not unshown,
        statistic=f"{decided.statistic}, {part.adversary}{who.replace(' to an adversary', '')}",
        risk=decided.risk,
        attempt=decided.attempt,
        overall=decided.overall,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=(
            f"The {decided.statistic}{who} is {probability(decided.risk)}; {decided.why}: {verdict}."
            f"{''.join(f' Of {one.column} too much is told: not acceptable.' for one in told)}"
            f"{f' {UNSHOWN}' if unshown else ''}"
            f"{' Another release gives groups of too few away: not acceptable.' if apart else ''}"
        ),
        final=Figure(decided.statistic, decided.risk),
        measures=_measures(part, found.unnamed),
        result=risk.to_dict(),
    )
    return judged.exposing(tuple(direct_suspects(found.unnamed))).trusting(part.treatments)


def _people_alike(against: AttackRisk) -> int:
    """Whole people; an estimate between two sizes counts as the smaller."""
    return max(1, floor(1 / against.highest + 1e-9))


def _measures(part: TablePart, unnamed: Sequence[str]) -> tuple[str, ...]:
    """Direct identifiers are said to be treated; a table that is measured as it is is not written."""
    treated = tuple(
        f"{column} {DONE[treatment]} before release (as stated, not checked)."
        for column, treatment in part.treatments.items()
    )
    if not unnamed:
        return treated
    return (*treated, f"Released as they are, and taken to tell an intruder nothing: {', '.join(unnamed)}.")

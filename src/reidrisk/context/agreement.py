"""The practices that a verdict rests on, as clauses for the agreement with the recipient."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reidrisk.context.attempt import deliberate
from reidrisk.context.checklist import Practice, practices
from reidrisk.context.context import Context

PROMISE = "no_reidentification"
PROMISE_CLAUSE = "The recipient does not try to re-identify anybody and does not contact anybody in the data."


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of an agreement, and what it was counted for."""

    practice: str
    clause: str
    counted_for: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON; the wording of every clause is ours."""
        return {
            "practice": self.practice,
            "clause": self.clause,
            "counted_for": self.counted_for,
            "ours": True,
        }


def agreement(context: Context) -> tuple[Clause, ...]:
    """What must be agreed for the score to hold; nothing binds the readers of a public release."""
    if context.access == "public":
        return ()
    promise = Clause(PROMISE, PROMISE_CLAUSE, f"{context.access.replace('_', '-')} access")
    if context.access == "semi_public":
        return (promise,)
    counted = _counted_for(context)
    return (promise, *(Clause(one.id, one.clause, counted) for one in _counted(context)))


def _counted(context: Context) -> Iterator[Practice]:
    """The practices without which the level of controls would be lower."""
    controls = context.controls
    if controls.level == "low":
        return
    for one in practices() if controls.checklist is None else controls.checklist.in_place:
        if controls.level == "high" or one.is_core:
            yield one


def _counted_for(context: Context) -> str:
    level, motives = context.controls.level, context.motives.level
    stated = ", as stated" if context.controls.origin == "stated" else ""
    with_it, without = deliberate(level, motives), deliberate("low", motives)
    text = f"controls {level}{stated}: an attempt of {with_it:g} instead of {without:g}"
    if context.chosen.rung.needs is not None:
        text += f"; the threshold of 1/{context.chosen.threshold.cell_size}"
    return text

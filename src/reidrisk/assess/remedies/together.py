"""Changes that only together make a release acceptable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.assess.measuring import Measurement
from reidrisk.assess.outcome import Judgement
from reidrisk.assess.remedies.remedy import Remedy


def together(
    remedies: Sequence[Remedy], measurements: Sequence[Measurement], now: Judgement
) -> Iterator[Remedy]:
    """The smallest combination of one context and one change for each part that still needs it.

    Nothing where one change is enough, where a part failed, or where only another run could tell.
    """
    if now.failed or any(one.acceptable_after for one in remedies):
        return
    by_part = {
        outcome.part.name: sorted(
            (one for one in remedies if one.part == outcome.part.name and one.rejudge),
            key=lambda one: one.order,
        )
        for outcome in now.refused
    }
    contexts: list[Remedy | None] = [None, *(one for one in remedies if one.score is not None)]
    found = [chosen for context in contexts if (chosen := _with(context, by_part, measurements, now))]
    if found:
        yield _combined(min(found, key=lambda chosen: sum(one.size for one in chosen)), now)


def _with(
    context: Remedy | None,
    by_part: dict[str, list[Remedy]],
    measurements: Sequence[Measurement],
    now: Judgement,
) -> list[Remedy] | None:
    """One change for each part that is not acceptable in a context; None if one has none."""
    score = now.score if context is None or context.score is None else context.score
    then = now if context is None else Judgement.of(measurements, score, seed=now.seed, quick=True)
    chosen = [] if context is None else [context]
    for outcome in then.refused:
        helps = (
            one
            for one in by_part.get(outcome.part.name, [])
            if one.rejudge is not None and one.rejudge(score).acceptable
        )
        remedy = next(helps, None)
        if remedy is None:
            return None
        chosen.append(remedy)
    return chosen


def _combined(chosen: list[Remedy], now: Judgement) -> Remedy:
    worst = now.refused[0].judged
    changes: dict[str, Any] = {}
    for one in chosen:
        changes |= dict(one.change or {})
    return Remedy(
        kind=chosen[0].kind,
        part=None,
        text="Together: " + " And: ".join(one.text for one in chosen),
        change=changes or None,
        risk_before=worst.overall if worst else None,
        risk_after=None,
        part_acceptable_after=True,
        acceptable_after=True,
        size=sum(one.size for one in chosen),
    )

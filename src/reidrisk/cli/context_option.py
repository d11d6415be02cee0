"""`--context FILE`: one context gives the threshold and the chance of an attempt to every command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.context.score import ContextScore
    from reidrisk.core.threshold import Threshold
    from reidrisk.tables.deidentify.options import Gate

option: Callable[[Any], Any] = click.option(
    "--context",
    metavar="FILE",
    help="Who gets the data under which controls: a file of `reidrisk context score`; decides the threshold.",
)


def scored(given: dict[str, Any], *, instead_of: tuple[str, ...]) -> ContextScore | None:
    """The score of the context that is named; None where none is. It leaves nothing to say to others."""
    if given["context"] is None:
        return None
    here = click.get_current_context()
    for name in instead_of:
        if here.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"--{name.replace('_', '-')} and --context say the same: give one of them."
            )
    from reidrisk.context.context import read_context
    from reidrisk.context.score import score_context

    return score_context(read_context(given["context"]))


def largest_risk(score: ContextScore) -> Threshold:
    """The largest risk of one record that the context accepts."""
    from reidrisk.core.threshold import Threshold

    if score.rule == "overall" and score.statistic == "strict_average":
        raise InvalidSetting(
            "In this context the average risk decides, together with the risk of the context.",
            hint="Name the table in a release file and run `reidrisk assess`; `reidrisk init` writes one.",
        )
    if score.rule == "overall":
        reason = f"{score.threshold.reason}; divided by the risk of the context, {score.context_risk:g}"
        return Threshold(score.cap, reason)
    asked = score.permits(score.threshold)
    if not asked.allowed:
        raise InvalidSetting(
            f"The context does not permit its own threshold; missing: {'; '.join(asked.missing[:3])}.",
            hint="Choose a stricter preset, or fill in the checklist.",
        )
    return score.threshold


def gate(score: ContextScore, source: str) -> Gate:
    """The ladder asks the checklist."""
    from reidrisk.tables.deidentify.options import Permission

    def ask(threshold: Threshold, place: int) -> Permission:
        if score.rule == "overall":
            return Permission(allowed=True)
        asked = score.permits(threshold)
        if not asked.allowed:
            return Permission(allowed=False, requires="; ".join(asked.missing))
        if not place or not asked.requires:
            return Permission(allowed=True)
        return Permission(allowed=True, requires=f"{asked.requires[0]}, as the context {source} states them")

    return ask

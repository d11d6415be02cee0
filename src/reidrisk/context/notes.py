"""What was assumed where a context says nothing, and what its reader must not overlook."""

from __future__ import annotations

from collections.abc import Iterator

from reidrisk.context.context import DEFAULT_PRESET, NO_REASON, Context
from reidrisk.context.questionnaire import Rating, questionnaire
from reidrisk.core.wording import plural

PUBLIC_CELL_SIZE = 11
"""The smallest cell size with a precedent for public releases."""


def notes(context: Context) -> list[str]:
    """In the order of the questions."""
    return [*_policy(context), *_access(context), *_recipient(context), *_threshold(context)]


def _policy(context: Context) -> Iterator[str]:
    if context.preset_name is None:
        yield f"No preset is named: {DEFAULT_PRESET} is taken, with its cell size of five."
    if context.preset.proposals:
        yield (
            f"The preset {context.preset.name} names no number: the threshold is the custodian's or the "
            "expert's, and its reason is theirs."
        )


def _access(context: Context) -> Iterator[str]:
    if not context.access_stated and context.preset.access is None:
        yield "Access is not stated: the release counts as public, and an attempt as certain."
    if context.access == "public" and context.controls.origin != "assumed":
        yield "Controls bind nobody in a public release and are not counted."
    if context.access == "semi_public" and context.controls.origin != "assumed":
        yield "Terms of use are no controls: the attempt of a semi-public release is 0.6 whatever they are."


def _recipient(context: Context) -> Iterator[str]:
    if context.access != "non_public":
        return
    controls = context.controls
    if controls.origin == "assumed":
        yield "Controls are not stated: they count as low."
    if controls.origin == "stated":
        rests = "; no higher threshold can rest on that" if context.chosen.later else ""
        yield f"Controls are stated as {controls.level} without the checklist of practices{rests}."
    if controls.checklist is not None and (left := len(controls.checklist.unanswered)):
        yield f"{plural(left, 'practice')} of the checklist without an answer: counted as not in place."
    if controls.checklist is not None and (out := len(controls.checklist.not_applicable)):
        yield f"{plural(out, 'practice')} said not to apply: somebody should read the reasons."
    yield from _rated("Motives and capacity", "motives", context.motives)
    if context.acquaintance is None:
        yield "No prevalence is stated: the risk from acquaintances is unknown and not counted."
    if context.breach is None:
        yield "No chance of a breach is stated: that risk is unknown and not counted."


def _threshold(context: Context) -> Iterator[str]:
    if context.preset.by_invasion:
        yield from _rated("The invasion of privacy", "invasion", context.invasion)
    threshold = context.chosen.threshold
    if threshold.reason == NO_REASON:
        yield "The threshold was named without a reason; an audit will ask for one."
    if context.access == "public" and threshold.cell_size < PUBLIC_CELL_SIZE:
        yield (
            f"For public releases cell sizes of 11 and 20 have precedents; 1/{threshold.cell_size} "
            "accepts more risk."
        )


def _rated(subject: str, name: str, rating: Rating) -> Iterator[str]:
    asked = questionnaire(name)
    if rating.origin == "assumed":
        yield f"{subject}: nothing is stated, so it counts as {rating.level}."
    if rating.unanswered:
        left = len(rating.unanswered)
        yield f"{subject}: {left} of {len(asked.questions)} questions without an answer count as the worst."

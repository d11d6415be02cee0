"""What would help against attacks that succeed too often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import ceil
from typing import Any

from reidrisk.assess.judge.attack import judge_attack
from reidrisk.assess.parts.attack import AttackPart
from reidrisk.assess.parts.deidentify import DeidentifyPart
from reidrisk.assess.remedies.case import PartCase
from reidrisk.assess.remedies.remedy import Remedy
from reidrisk.core.threshold import Threshold

AGAIN = "Only another attack can tell."


def attack_remedies(part: AttackPart, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
    """Secrets that are not released cannot be inferred; larger classes hide people from every attack."""
    if case.judged.overall is None:
        return
    yield from _without_secrets(measured, case)
    yield _larger_classes(part, measured, case)


def _without_secrets(measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
    """What is left of the attacks if a secret does not go out: computed, since no other one uses it."""
    secrets = [name for name in measured["settings"]["secret"] if name not in measured["settings"]["quasi"]]
    pairs = dict(zip(measured["settings"]["secret"], measured["inference"], strict=False))
    for gone in [(name,) for name in secrets] + ([tuple(secrets)] if len(secrets) > 1 else []):
        left = [one for name, one in pairs.items() if name not in gone]
        without = {**measured, "inference": left}
        text = f"Leave out {', '.join(gone)}, which {'is' if len(gone) == 1 else 'are'} inferred"
        yield from case.remedy("drop", text, partial(judge_attack, without), None, 7 + len(gone))


def _larger_classes(part: AttackPart, measured: Mapping[str, Any], case: PartCase) -> Remedy:
    """By the threshold; where classes are as large already, by how much the attack is above it."""
    judged = case.judged
    now = round(1 / measured["predicted"]["prosecutor"]["highest"])
    allowed = Threshold(min(1.0, judged.threshold / judged.attempt), "of the data").cell_size
    size = allowed if allowed > now else ceil(now * judged.ratio - 1e-9)
    maker = _maker(part, case)
    if maker is None:
        how, change = "let a part with deidentify: true write it", None
    else:
        how, change = f"the part {maker.name} writes it", {f"parts.{maker.name}.cell_size": size}
    text = (
        f"Release it in classes of at least {size:,} records (the smallest has {now:,} now): {how}. {AGAIN}"
    )
    return Remedy("generalize", case.name, text, change, judged.overall, None, None, None, 4)


def _maker(part: AttackPart, case: PartCase) -> DeidentifyPart | None:
    """The part of the release that writes the table that is attacked."""
    target = part.folder / str(part.given["table"])
    parts = (one.part for one in case.now.outcomes)
    return next(
        (
            one
            for one in parts
            if isinstance(one, DeidentifyPart) and one.out and one.out.resolve() == target.resolve()
        ),
        None,
    )

"""A part whose risk is too high, and what a change would do to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reidrisk.assess.judge.judged import Judged
from reidrisk.assess.outcome import Judgement
from reidrisk.assess.remedies.remedy import Kind, Rejudge, Remedy
from reidrisk.core.wording import probability


class PartCase:
    """The part as it is now, and what else is not acceptable."""

    def __init__(self, name: str, judged: Judged, now: Judgement) -> None:
        self.name, self.judged, self.now = name, judged, now
        self.others = all(one.acceptable for one in now.outcomes if one.part.name != name)

    def remedy(self, kind: Kind, text: str, rejudge: Rejudge, change: Any, size: float) -> Iterator[Remedy]:
        """None where it does not help."""
        after = rejudge(self.now.score)
        if after.ratio >= self.judged.ratio * (1 - 1e-9):
            return
        before, then = self.judged.overall, after.overall
        effect = (
            "" if before is None or then is None else f": risk {probability(before)} to {probability(then)}"
        )
        yield Remedy(
            kind,
            self.name,
            f"{text}{effect}.",
            change,
            before,
            then,
            after.acceptable,
            after.acceptable and self.others,
            size,
            rejudge,
        )

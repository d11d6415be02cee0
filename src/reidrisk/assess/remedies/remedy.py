"""One change, and what it would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from reidrisk.assess.judge.judged import Judged
from reidrisk.context.score import ContextScore

Kind = Literal["context", "practice", "generalize", "drop", "threshold", "tool"]
Rejudge = Callable[[ContextScore], Judged]
"""A changed part in any context."""
MOST_OF_A_KIND = 4
"""Remedies of one kind for one part that are listed."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change to the context, to a part or to a tool."""

    kind: Kind
    part: str | None
    text: str
    change: Mapping[str, Any] | None
    """For `--set`; None where it is not a setting."""
    risk_before: float | None
    risk_after: float | None
    part_acceptable_after: bool | None
    """Of the part it is for, or of the worst part; None if only another measurement can tell."""
    acceptable_after: bool | None
    size: float = field(default=1.0)
    """How much is asked for; ours, to rank what helps equally."""
    rejudge: Rejudge | None = field(default=None, repr=False, compare=False)
    """For a change to a part that can be computed."""
    score: ContextScore | None = field(default=None, repr=False, compare=False)
    """For a change to the context."""

    @property
    def order(self) -> tuple[Any, ...]:
        """What makes everything acceptable first, then the part, then the smaller change."""
        return (
            not self.acceptable_after,
            not self.part_acceptable_after,
            self.size,
            2.0 if self.risk_after is None else self.risk_after,
            self.text,
        )

    def to_dict(self, rank: int) -> dict[str, Any]:
        """For JSON."""
        return {
            "rank": rank,
            "kind": self.kind,
            "part": self.part,
            "text": self.text,
            "change": None if self.change is None else dict(self.change),
            "risk_before": self.risk_before,
            "risk_after": self.risk_after,
            "part_acceptable_after": self.part_acceptable_after,
            "acceptable_after": self.acceptable_after,
        }


def ranked(remedies: Sequence[Remedy]) -> tuple[Remedy, ...]:
    """The best first, a few of each kind for each part."""
    kept: list[Remedy] = []
    for one in sorted(remedies, key=lambda remedy: remedy.order):
        alike = [other for other in kept if (other.kind, other.part) == (one.kind, one.part)]
        if len(alike) < MOST_OF_A_KIND:
            kept.append(one)
    return tuple(kept)

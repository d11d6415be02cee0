"""The verdict on one part of a release, and what could change it: remedies and other assumptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from reidrisk.context.rule import HIGHEST, PartKind
from reidrisk.context.score import ContextScore
from reidrisk.core.inventory import Inventory
from reidrisk.core.wording import plural
from reidrisk.stats.decision import Decision

MISSING_SHOWN = 3
"""How many missing practices a sentence lists."""

RemedyKind = Literal["context", "practice", "generalize", "drop", "threshold", "tool"]


@dataclass(frozen=True, slots=True)
class RiskFigure:
    """A risk and the name of the statistic."""

    statistic: str
    risk: float | None

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """Whether one part is acceptable in one context, and why."""

    acceptable: bool
    statistic: str
    risk: float | None
    """Risk of the data. For text it is the upper limit and already includes the attempt."""
    attempt: float
    """The factor applied to the risk; 1 if the rule looks at the data only."""
    overall: float | None
    """What is compared with the threshold."""
    threshold: float
    cell_size: int | None
    """None if the limit is not a threshold for records, for example a benchmark."""
    sentence: str
    low: float | None = None
    high: float | None = None
    initial: RiskFigure | None = None
    final: RiskFigure | None = None
    measures: tuple[str, ...] = ()
    """What was done to protect the data, one sentence each."""
    inventory: Inventory = field(default_factory=Inventory)
    """Everything that leaves with the part, and whether it is measured."""
    decision: Decision | None = None
    """Accepted, refused or undecided, where limits decide on both sides; None for other parts."""
    documents_needed: Mapping[str, Any] | None = None
    """How many documents would do, if it is undecided."""
    figures_acceptable: bool = True
    """Whether the figures alone would be acceptable; only of interest if an item was not measured."""
    result: dict[str, Any] | None = field(default=None, repr=False)
    """The full result for this part in this context, as JSON types."""

    @property
    def ratio(self) -> float:
        """Overall risk divided by the threshold; above 1 is too high."""
        return float("inf") if self.overall is None else self.overall / self.threshold

    def with_inventory(self, inventory: Inventory) -> PartVerdict:
        """The verdict with what leaves: not acceptable if an item was not measured, removed or accepted."""
        if inventory.is_complete:
            return replace(self, inventory=inventory, figures_acceptable=self.acceptable)
        start = self.sentence.removesuffix(": acceptable.").rstrip(".")
        sentence = f"{start}. But {inventory.objection[:1].lower()}{inventory.objection[1:]}"
        return replace(
            self,
            acceptable=False,
            sentence=sentence,
            inventory=inventory,
            figures_acceptable=self.acceptable,
        )

    def to_dict(self) -> dict[str, Any]:
        """The section `judged` of the JSON."""
        names = ("acceptable", "statistic", "risk", "low", "high", "attempt", "overall")
        found = {name: getattr(self, name) for name in (*names, "threshold", "cell_size", "sentence")}
        if self.decision is None:
            return found
        return found | {"decision": self.decision, "documents_needed": self.documents_needed}


def verdict_words(acceptable: bool) -> str:  # noqa: FBT001 - the only argument
    """The end of a sentence that states a verdict."""
    return "acceptable" if acceptable else "not acceptable"


@dataclass(frozen=True, slots=True)
class RecordDecision:
    """What the rule of a context decides about records in equivalence classes."""

    acceptable: bool
    statistic: str
    risk: float
    attempt: float
    overall: float
    why: str
    """The end of a sentence: what the risk was compared with."""

    @classmethod
    def by_highest(cls, highest: float, why: str, *, acceptable: bool) -> RecordDecision:
        """The record with the highest risk decides, whatever the context."""
        return cls(acceptable, HIGHEST, highest, 1.0, highest, why)


def decide_records(
    score: ContextScore, *, smallest: int, average: float, part: PartKind = "table"
) -> RecordDecision:
    """Apply the rule of the context to records in classes, or people in groups (`context/rule.py`)."""
    rule = score.rule_for(part)
    found = rule.decide(highest=1 / smallest, average=average)
    acceptable, why = found.acceptable, found.why
    permission = score.permits(score.threshold)
    if score.rule == "cell_size" and acceptable and not permission.allowed:
        acceptable = False
        why += f", which still requires: {'; '.join(permission.missing[:MISSING_SHOWN])}"
    return RecordDecision(acceptable, rule.row.measured, found.risk, found.attempt, found.overall, why)


def known_events(number: int | None) -> str:
    """The addition to a statistic if the adversary also knows events.

    >>> known_events(2), known_events(None)
    (' against an adversary who also knows 2 events of a person', '')
    """
    return f" against an adversary who also knows {plural(number, 'event')} of a person" if number else ""


def short_known_events(number: int | None) -> str:
    """The same for the name of a statistic that already names the adversary.

    >>> short_known_events(1)
    ' who also knows 1 event of a person'
    """
    return known_events(number).removeprefix(" against an adversary")


Rejudge = Callable[[ContextScore], PartVerdict]
"""Gives the verdict on a changed part in any context."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change to the context, to a part or to a tool, and its effect."""

    kind: RemedyKind
    part: str | None
    text: str
    change: Mapping[str, Any] | None
    """Settings to change; None if it is not a setting. It claims nothing that needs evidence."""
    risk_before: float | None
    risk_after: float | None
    part_acceptable_after: bool | None
    """For its part, or for the worst part; None if only a new measurement can show it."""
    acceptable_after: bool | None
    needs_evidence: Mapping[str, Any] = field(default_factory=dict)
    """Settings that only a person can make: practices that need evidence, and thresholds that need a reason.
    The values are those of a what-if."""
    outside: tuple[str, ...] = ()
    """What must be done to the data, the tool or the documents: no setting does it."""
    is_partial: bool = False
    """Whether the settings alone do less than what `acceptable_after` promises for everything together."""
    size: float = field(default=1.0)
    """How large the change is. Our own scale, to rank remedies with the same effect."""
    rejudge: Rejudge | None = field(default=None, repr=False, compare=False)
    """For a change to a part whose effect can be computed."""
    score: ContextScore | None = field(default=None, repr=False, compare=False)
    """For a change to the context."""

    @property
    def order(self) -> tuple[Any, ...]:
        """Sort key: makes the release acceptable, makes the part acceptable, smaller change."""
        return (
            not self.acceptable_after,
            not self.part_acceptable_after,
            self.size,
            2.0 if self.risk_after is None else self.risk_after,
            self.text,
        )

    @property
    def trial(self) -> dict[str, Any] | None:
        """For `--set`: the settings as if all evidence were there."""
        return {**(self.change or {}), **self.needs_evidence} or None

    @property
    def acceptable_by_change(self) -> bool | None:
        """Whether the settings alone, with evidence, make the release acceptable; None if nobody knows."""
        if self.trial is None:
            return None
        return False if self.is_partial else self.acceptable_after

    def to_dict(self, rank: int) -> dict[str, Any]:
        """As JSON types."""
        return {
            "rank": rank,
            "kind": self.kind,
            "part": self.part,
            "text": self.text,
            "change": dict(self.change) if self.change else None,
            "needs_evidence": list(self.needs_evidence),
            "outside": list(self.outside),
            "trial": self.trial,
            "risk_before": self.risk_before,
            "risk_after": self.risk_after,
            "part_acceptable_after": self.part_acceptable_after,
            "acceptable_after": self.acceptable_after,
            "acceptable_by_change": self.acceptable_by_change,
        }


@dataclass(frozen=True, slots=True)
class SensitivityRow:
    """The verdict on a part under one other assumption."""

    part: str
    what: str
    risk: float | None
    overall: float | None
    acceptable: bool

    @classmethod
    def of(cls, part: str, what: str, verdict: PartVerdict) -> SensitivityRow:
        """The row for a verdict."""
        return cls(part, what, verdict.risk, verdict.overall, verdict.acceptable)

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)

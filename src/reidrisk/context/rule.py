"""Which statistic of a part meets which threshold, and where the context multiplies (SPEC 7.5).

The table `RULES` is the only place that says so. Every verdict on a part takes its rule from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from reidrisk.context.preset import RULES as PRESET_RULES
from reidrisk.context.preset import Rule
from reidrisk.context.settings import Access
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import probability
from reidrisk.errors import InvalidSetting

PartKind = Literal[
    "table",
    "transform",
    "deidentify",
    "documents",
    "population",
    "attack",
    "text",
    "document_leaks",
    "document_words",
]
"""What is judged: documents are judged by the classes of participants, by leaks, or in words."""
PART_KINDS: tuple[PartKind, ...] = get_args(PartKind)
Statistic = Literal["highest", "strict_average", "upper_limit", "level"]
Attempt = Literal["not_counted", "multiplied", "included"]
"""`included`: the statistic already contains the attempt, as in equations 18 and 19 (SPEC 2.8)."""
ACCESS: tuple[Access, ...] = get_args(Access)
RECORDS: tuple[PartKind, ...] = ("table", "transform", "deidentify", "documents")
LEAKS: tuple[PartKind, ...] = ("text", "document_leaks")


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One row of the table: what is compared with the threshold, for which parts and releases."""

    rules: tuple[Rule, ...]
    access: tuple[Access, ...]
    parts: tuple[PartKind, ...]
    statistic: Statistic
    measured: str
    """The statistic in words, as verdicts name it."""
    attempt: Attempt
    accepted: str
    """When the part is accepted, in words."""
    is_capped: bool = False
    """Whether the highest risk must also be at most the cap."""


HIGHEST, AVERAGE = "highest risk of a record", "average risk of the records"
HIGHEST_PERSON, TOTAL = "highest risk of a person", "expected share of people re-identified"
ATTACK = "success of an attack, upper limit"
LEAK, WORDS = "upper limit of the risk", "risk in words"
BY_SIZE = "statistic at most 1/k"
BY_PRODUCT = "statistic times context risk at most the threshold, and no single risk above the cap"
BY_LIMIT = "statistic at most its limit"
BY_LEVEL = "low after treatment"
SIZE: tuple[Rule, ...] = ("cell_size",)
OVERALL: tuple[Rule, ...] = ("overall",)
OPEN: tuple[Access, ...] = ("public", "semi_public")
KNOWN: tuple[Access, ...] = ("non_public",)
PEOPLE: tuple[PartKind, ...] = ("population",)
ATTACKED: tuple[PartKind, ...] = ("attack",)
RULES: tuple[RuleRow, ...] = (
    RuleRow(SIZE, ACCESS, RECORDS, "highest", HIGHEST, "not_counted", BY_SIZE),
    RuleRow(SIZE, ACCESS, PEOPLE, "highest", HIGHEST_PERSON, "not_counted", BY_SIZE),
    RuleRow(SIZE, ACCESS, ATTACKED, "upper_limit", ATTACK, "not_counted", BY_SIZE),
    RuleRow(OVERALL, OPEN, RECORDS, "highest", HIGHEST, "multiplied", BY_PRODUCT, is_capped=True),
    RuleRow(OVERALL, KNOWN, RECORDS, "strict_average", AVERAGE, "multiplied", BY_PRODUCT, is_capped=True),
    RuleRow(OVERALL, OPEN, PEOPLE, "highest", HIGHEST_PERSON, "multiplied", BY_PRODUCT, is_capped=True),
    RuleRow(OVERALL, KNOWN, PEOPLE, "strict_average", TOTAL, "multiplied", BY_PRODUCT, is_capped=True),
    RuleRow(OVERALL, ACCESS, ATTACKED, "upper_limit", ATTACK, "multiplied", BY_PRODUCT, is_capped=True),
    RuleRow(PRESET_RULES, ACCESS, LEAKS, "upper_limit", LEAK, "included", BY_LIMIT),
    RuleRow(PRESET_RULES, ACCESS, ("document_words",), "level", WORDS, "not_counted", BY_LEVEL),
)
"""Exactly one row for each preset rule, access and kind of part."""


def rule_for(rule: Rule, access: Access, part: PartKind) -> RuleRow:
    """The row that applies."""
    for row in RULES:
        if rule in row.rules and access in row.access and part in row.parts:
            return row
    raise InvalidSetting.among("The kind of part", str(part), PART_KINDS)


@dataclass(frozen=True, slots=True)
class RuleDecision:
    """What a rule says about a risk."""

    acceptable: bool
    risk: float
    """The statistic."""
    attempt: float
    """The factor applied to the statistic; 1 if the rule looks at the data only."""
    overall: float
    """What is compared with the threshold."""
    why: str
    """The end of a sentence: what the risk was compared with."""


@dataclass(frozen=True, slots=True)
class ContextRule:
    """The rule of a context for one kind of part, with its numbers."""

    row: RuleRow
    threshold: Threshold
    context_risk: float
    cap: Threshold
    """The largest acceptable risk of a single record; used if the row is capped."""

    @property
    def attempt(self) -> float:
        """The factor that this rule applies to a statistic."""
        return self.context_risk if self.row.attempt == "multiplied" else 1.0

    @property
    def largest(self) -> float:
        """The largest acceptable statistic of the data."""
        found = min(1.0, self.threshold.probability / self.attempt)
        is_single = self.row.is_capped and self.row.statistic != "strict_average"
        return min(found, self.cap.probability) if is_single else found

    @property
    def largest_single(self) -> float:
        """The largest acceptable risk of a single record, whatever the average is."""
        return self.cap.probability if self.row.statistic == "strict_average" else self.largest

    @property
    def words(self) -> str:
        """The rule in a sentence."""
        what = f"Rule: the {self.row.measured}"
        if self.row.attempt == "multiplied":
            return (
                f"{what} times the context risk of {self.context_risk:g} must be at most "
                f"{self.threshold.probability:g} ({self.threshold.reason}), and no single risk may be above "
                f"{probability(self.cap.probability)}."
            )
        counted = "" if self.row.attempt == "included" else ", whatever the chance of an attempt"
        return f"{what} must be at most 1/{self.threshold.cell_size} ({self.threshold.reason}){counted}."

    def decide(self, *, highest: float, average: float | None = None) -> RuleDecision:
        """Compare the statistic that the rule names; `highest` is the largest single risk."""
        risk = average if self.row.statistic == "strict_average" and average is not None else highest
        overall = risk * self.attempt
        is_within_cap = not self.row.is_capped or self.cap.accepts(highest)
        acceptable = self.threshold.accepts(overall) and is_within_cap
        return RuleDecision(acceptable, risk, self.attempt, overall, self._why(overall, highest))

    def _why(self, overall: float, highest: float) -> str:
        if self.row.attempt != "multiplied":
            return f"the threshold is 1/{self.threshold.cell_size} ({self.threshold.reason})"
        why = (
            f"multiplied by {self.attempt:g}, the probability of an attempt, it is {probability(overall)}; "
            f"the threshold is {self.threshold.probability:g} ({self.threshold.reason})"
        )
        if not self.cap.accepts(highest):
            why += (
                f"; but the highest single risk is {probability(highest)}, above the limit of "
                f"{probability(self.cap.probability)} for a single risk"
            )
        return why

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "statistic": self.row.statistic,
            "attempt": self.attempt,
            "threshold": self.threshold.probability,
            "cell_size": self.threshold.cell_size,
            "cap": self.cap.probability if self.row.is_capped else None,
            "text": self.words,
        }

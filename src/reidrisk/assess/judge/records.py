"""The rule of a context applied to records in equivalence classes."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.context.score import ContextScore
from reidrisk.core.wording import plural, probability

HIGHEST, AVERAGE = "highest risk of a record", "average risk of the records"
TOLERANCE = 1 + 1e-12


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule says of records."""

    acceptable: bool
    statistic: str
    risk: float
    attempt: float
    overall: float
    why: str
    """The end of a sentence: what the risk was held against."""


def knowing(events: int | None) -> str:
    """What an adversary knows beside the quasi-identifiers, to follow the name of the figure.

    >>> knowing(2), knowing(None)
    (' to an adversary who also knows 2 events of a person', '')
    """
    return f" to an adversary who also knows {plural(events, 'event')} of a person" if events else ""


def decide(score: ContextScore, *, smallest: int, average: float) -> Decision:
    """Cell size: the smallest class alone; overall: a statistic times the risk of the context (SPEC 7.5)."""
    if score.rule == "cell_size":
        return _by_cell_size(score, smallest)
    return _overall(score, smallest, average)


def _by_cell_size(score: ContextScore, smallest: int) -> Decision:
    threshold, highest = score.threshold, 1 / smallest
    fine = smallest >= threshold.cell_size
    asked = score.permits(threshold)
    why = f"the threshold is 1/{threshold.cell_size} ({threshold.reason})"
    if fine and not asked.allowed:
        why += f", for which is still missing: {'; '.join(asked.missing[:3])}"
    return by_highest(highest, why, acceptable=fine and asked.allowed)


def by_highest(highest: float, why: str, *, acceptable: bool) -> Decision:
    """The most exposed record decides, whatever the context."""
    return Decision(acceptable, HIGHEST, highest, 1.0, highest, why)


def _overall(score: ContextScore, smallest: int, average: float) -> Decision:
    highest, tau = 1 / smallest, score.threshold
    attempt = score.context_risk
    strict = score.statistic == "strict_average"
    risk = average if strict else highest
    overall = risk * attempt
    fine = tau.accepts(overall)
    why = f"times an attempt of {attempt:g} it is {probability(overall)}, the threshold {tau.probability:g}"
    if strict and highest > score.cap * TOLERANCE:
        fine = False
        why += f"; but one record has a risk of {probability(highest)}, more than {probability(score.cap)}"
    return Decision(fine, AVERAGE if strict else HIGHEST, risk, attempt, overall, why)

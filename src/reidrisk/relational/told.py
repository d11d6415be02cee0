"""Whether a value that a text or document tells is finer than what a table beside it shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

from reidrisk.relational.generalized import levels_of
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import STAR

Coarser = Mapping[str, frozenset[str]]
"""By released value: the labels of the same and of higher levels."""
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_RANGE = re.compile(rf"([\[(\]]?)\s*{_NUMBER}\s*(?:-|–|,|;|to|bis)\s*{_NUMBER}\s*([\])\[]?)")
_FROM = re.compile(rf"(?:(>=|≥|>)\s*{_NUMBER}|{_NUMBER}\s*(\+))")
_UP_TO = re.compile(rf"(<=|≤|<)\s*{_NUMBER}")
_ONE = re.compile(_NUMBER)


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Numbers from `low` to `high`; an end that is open is not among them."""

    low: float
    high: float
    is_low_open: bool = False
    is_high_open: bool = False

    def covers(self, other: NumberRange) -> bool:
        """Whether every number of the other range is in this one."""
        low = self.low < other.low or (self.low == other.low and (not self.is_low_open or other.is_low_open))
        high = self.high > other.high or (
            self.high == other.high and (not self.is_high_open or other.is_high_open)
        )
        return low and high


def number_range(text: str) -> NumberRange | None:
    """Read a number or a band of numbers.

    >>> number_range("27"), number_range("25-29") == number_range("[25, 29]"), number_range("nurse")
    (NumberRange(low=27.0, high=27.0, is_low_open=False, is_high_open=False), True, None)
    >>> number_range("[25, 30[").is_high_open, number_range("90+").high, number_range("<18").low
    (True, inf, -inf)
    """
    given = text.strip()
    if found := _ONE.fullmatch(given):
        return NumberRange(float(found[1]), float(found[1]))
    if found := _RANGE.fullmatch(given):
        return NumberRange(float(found[2]), float(found[3]), found[1] in ("(", "]"), found[4] in (")", "["))
    if found := _FROM.fullmatch(given):
        return NumberRange(float(found[2] or found[3]), inf, is_low_open=found[1] == ">")
    if found := _UP_TO.fullmatch(given):
        return NumberRange(-inf, float(found[2]), is_high_open=found[1] == "<")
    return None


def adds_nothing(told: str, shown: str | None, coarser: Coarser | None = None) -> bool:
    """Whether a told value is at the level of the shown one, or above it.

    >>> adds_nothing("25-29", "25-29"), adds_nothing("20-29", "25-29"), adds_nothing("27", "25-29")
    (True, True, False)
    """
    if shown is None:
        return False
    one, two = _plain(told), _plain(shown)
    if one in (two, STAR):
        return True
    if coarser is not None and one in coarser.get(shown, ()):
        return True
    wide, narrow = number_range(told), number_range(shown)
    return wide is not None and narrow is not None and wide.covers(narrow)


def coarser_labels(hierarchy: Hierarchy, values: Iterable[str]) -> dict[str, frozenset[str]]:
    """By value and label of any level: the labels that whoever sees it knows already.

    A label that stands on several levels, or over several values, counts with what all of them have.
    """
    present, levels = levels_of(hierarchy, values)
    found: dict[str, frozenset[str]] = {}
    chains = zip(present, *(level.tolist() for level in levels.labels[1:]), strict=True)
    for chain in chains:
        labels = [str(label) for label in chain]
        for place, label in enumerate(labels):
            above = frozenset(map(_plain, labels[place:]))
            found[label] = found[label] & above if label in found else above
    return found


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()

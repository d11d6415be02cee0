"""Ids with values right beside them, as in `CT1-104 F 26` or `Subjects 106 and 109 (both women, both 28)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from reidrisk.documents.detection.ids import IdMention

_GLUE = re.compile(
    r"[\s,;:|/()\[\]=\u2013-]*(?:(?:and|or|both|each|all|a|an|the|of|aged?|sex|gender|race|country|site|is|was"
    r"|were|are|two|three|four|respectively|from|in|who|years?|old|yo|subjects?|participants?|patients?|no"
    r"|number)\b[\s,;:|/()\[\]=.\u2013-]*)*"
)
"""What may stand between an id and a value, or between two values, that belong together."""
_LONGEST = 60
_UNIT = re.compile(
    r"\s?(?:%|\u00b0|[x\u00d7/]\s?\d|(?:mg|g|kg|ug|mcg|ml|l|dl|iu|u|mmhg|mm|cm|m|bpm|ms|s|sec|min|h|hrs?|hours?"
    r"|days?|weeks?|months?|minutes?|seconds?|tablets?|capsules?|doses?|times|points?|units?|visits?|cycles?"
    r"|mmol|umol|nmol|pg|ng|kcal|cells?|patients|subjects|participants|people|sites|others?|percent|events?"
    r"|years? (?:ago|later|before|after))\b|[.,]\d|-\s?\d|/\d)"
)
"""Behind a number that is no age."""
_NAMED = re.compile(
    r"\b(?:day|week|month|visit|table|listing|figure|section|page|cycle|no|version|part)\.?\s$"
)
_ALL = re.compile(r"\b(?:both|each|all)\s(?:\w+\s){0,2}$")
_SAID = re.compile(r"\b(?:is|was|were|are|both|each)\s$")
_STOP = re.compile(r"\s?(?:[.,;)]|and\b|when\b|at\b|who\b|$)|[ -]?(?:years?|yrs?|y/?o)\b")
TOGETHER = frozenset(("age", "sex", "race", "country", "initials"))
"""Kinds of values of which two say whose they are."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a value of somebody."""

    start: int
    end: int
    subject: int = field(repr=False)
    variable: str
    kind: str


@dataclass(frozen=True, slots=True)
class IdChain:
    """Ids and values that stand side by side."""

    ids: tuple[IdMention, ...]
    values: tuple[Candidate, ...]

    @property
    def subjects(self) -> tuple[int, ...]:
        """Whom the ids name."""
        return tuple(dict.fromkeys(subject for one in self.ids for subject in one.subjects))

    def owners(self, value: Candidate) -> tuple[int, ...]:
        """Whom of them a value can mean, in their order."""
        same = {one.subject for one in self.values if one.start == value.start and one.kind == value.kind}
        return tuple(subject for subject in self.subjects if subject in same)

    def says(self, value: Candidate, low: str, text: str, *, alone: bool = True) -> bool:
        """Whether a number or a letter among them is the value that it may be, also if it is all there is.

        `low` is the folded text, which has no line ends.
        """
        before, after = low[max(0, value.start - _LONGEST) : value.start], low[value.end :][:_LONGEST]
        if value.kind == "sex":
            return True
        kinds = {one.kind for one in self._own(value) if one.start != value.start} - {value.kind}
        if value.kind == "site":
            return bool(kinds & TOGETHER) and not _UNIT.match(after)
        if _UNIT.match(after) or _NAMED.search(before) or re.search(r"\d[.,/-]$", before):
            return False
        others = {one.start for one in self.values if one.kind == "age"} - {value.start}
        if kinds & TOGETHER or (others and len(self.ids) > 1):
            return True
        if _SAID.search(before) or _ALL.search(before):
            return _STOP.match(after) is not None
        return alone and self._stands_alone(value, text)

    def _own(self, value: Candidate) -> Iterator[Candidate]:
        mine = set(self.owners(value))
        return (one for one in self.values if one.subject in mine)

    def _stands_alone(self, value: Candidate, text: str) -> bool:
        """Whether it is all that follows an id, in brackets or on its line."""
        last = next((one for one in reversed(self.ids) if one.end <= value.start), None)
        if last is None:
            return False
        between, after = text[last.end : value.start], text[value.end :][:_LONGEST]
        if re.fullmatch(r"\s?[(\[]\s?", between):
            return re.match(r"\s?[)\]]", after) is not None
        line = text.rfind("\n", 0, last.start) + 1
        is_line = not text[line : last.start].strip() and re.match(r"[^\S\n]*(?:\n|$)", after) is not None
        return is_line and "\n" not in between


def chains(low: str, ids: Sequence[IdMention], values: Iterable[Candidate]) -> list[IdChain]:
    """Ids and values that nothing but marks and small words part; those without an id are left out."""
    spans = sorted(
        [(one.start, one.end, one, None) for one in ids]
        + [(one.start, one.end, None, one) for one in values],
        key=lambda span: (span[0], -span[1]),
    )
    found: list[tuple[list[IdMention], list[Candidate]]] = []
    reach = -1
    for start, end, number, value in spans:
        ended = number is not None and bool(found) and _has_values_of_ids(*found[-1])
        if not found or ended or not _goes_on(low, reach, start):
            found.append(([], []))
        if number is not None:
            found[-1][0].append(number)
        if value is not None:
            found[-1][1].append(value)
        reach = max(reach, end)
    return [IdChain(tuple(own), tuple(said)) for own, said in found if own and said]


def _has_values_of_ids(ids: Sequence[IdMention], values: Sequence[Candidate]) -> bool:
    """Whether values followed the ids of a chain: a further id has values of its own."""
    return bool(ids and values) and values[-1].start > ids[-1].start


def _goes_on(low: str, reach: int, start: int) -> bool:
    if start <= reach:
        return True
    if start - reach > _LONGEST:
        return False
    return _GLUE.fullmatch(low, reach, start) is not None

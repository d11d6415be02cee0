"""From findings to changes: what is boxed, replaced or left out, and what stays for which reason."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, Protocol

from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.detection.flow import flows
from reidrisk.documents.detection.owners import Sections
from reidrisk.documents.document import Block, Change
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.review.opinions import REVIEWER, Place
from reidrisk.documents.study.study import section_rule
from reidrisk.documents.words import alternatives, unbroken
from reidrisk.errors import MisalignedOffsets
from reidrisk.text.roles import default_roles

Fate = Literal["redacted", "replaced", "unchanged", "kept", "left_out"]
FATES: tuple[Fate, ...] = ("redacted", "replaced", "unchanged", "kept", "left_out")
"""A box; a new value; the value that the released data have too; a section that stays; one that goes."""
LABEL, MORE = "left out", "–"
"""What stands in the box of the first line, and in those of the others."""
_LINE = re.compile(r"[^\n]*\S[^\n]*")
SAME = "same value"
"""The source of a finding that was found because its value is one elsewhere."""
KNOWN = ("known", REVIEWER)
"""Sources that know what a value is: the data of the study, values that were given, and reviewers."""
_SHORTEST, _DIGITS = 4, 5
_TELLING = re.compile(r"\d|^[^\W\d_]*[A-Z]")


class Taken:
    """Places that are spoken for."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._starts: dict[str, list[int]] = {}
        self._ends: dict[str, list[int]] = {}
        for block, start, end in sorted(places):
            ends = self._ends.setdefault(block, [])
            self._starts.setdefault(block, []).append(start)
            ends.append(max(end, ends[-1]) if ends else end)

    def meets(self, place: Place) -> bool:
        """Whether a place shares a character with one of them.

        >>> taken = Taken([("body", 3, 5), ("body", 8, 9)])
        >>> [taken.meets(("body", start, start + 2)) for start in (0, 2, 5, 6, 7)]
        [False, True, False, False, True]
        """
        block, start, end = place
        before = bisect_left(self._starts.get(block, []), end)
        return before > 0 and self._ends[block][before - 1] > start


class ReleasedValues(Protocol):
    """What the released data have instead of a value."""

    def value(self, subject: int, variable: str, written: str) -> str | None:
        """The new text for a value of a participant; None if there is none."""

    def day(self, subject: int, written: str) -> str | None:
        """The new text for a date of a participant that the data do not have; None if there is none."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A finding, what becomes of it, and the change that does so, if any."""

    finding: DocumentFinding
    fate: Fate
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides on a finding."""

    settings: AnonymizeSettings
    sections: Mapping[str, str] = field(default_factory=dict)
    """Section of the report -> leave_out, redact, replace or keep."""
    released: ReleasedValues | None = field(default=None, repr=False)

    def of(self, section: str | None) -> str:
        """The rule of a section: its own, that of the nearest section above, or the mode."""
        return section_rule(self.sections, section, otherwise=self.settings.mode)


def plan(findings: Iterable[DocumentFinding], blocks: Sequence[Block], rules: Rules) -> list[Planned]:
    """What becomes of each finding."""
    texts = {block.name: block.text for block in blocks}
    news = _NewValues(rules.released)
    return [
        _planned(one, texts, rules, news) for one in findings if one.is_personal or _holds_text(one, texts)
    ]


def _holds_text(one: DocumentFinding, texts: Mapping[str, str]) -> bool:
    """Whether a finding is more than the spaces between two others."""
    return not texts.get(one.block, "")[one.start : one.end].isspace()


def _planned(one: DocumentFinding, texts: Mapping[str, str], rules: Rules, news: _NewValues) -> Planned:
    if one.end > len(texts.get(one.block, "")):
        raise MisalignedOffsets(
            f"A finding in {one.block} lies beyond its text.",
            hint="Findings belong to the very file that they were made from: detect again.",
        )
    rule = rules.of(one.section)
    if rule == "keep":
        return Planned(one, "kept")
    if rule == "leave_out":
        return Planned(one, "left_out", _boxed(one, rules.settings))
    written = texts[one.block][one.start : one.end]
    new = news.of(one, written) if rule == "replace" else None
    if new is None:
        return Planned(one, "redacted", _boxed(one, rules.settings))
    if new == unbroken(written):
        return Planned(one, "unchanged")
    return Planned(one, "replaced", Change(one.block, one.start, one.end, new, category=one.category))


class _NewValues:
    """What stands instead of values; each is made once, as listings repeat them."""

    def __init__(self, released: ReleasedValues | None) -> None:
        self._released = released
        self._of = cache(self._made)

    def of(self, one: DocumentFinding, written: str) -> str | None:
        """The value that all participants who can be meant have in the released data."""
        if one.category == "CCI" or (one.variable is None and one.type != "DATE"):
            return None
        return self._of(tuple(one.subjects), one.variable, unbroken(written))

    def _made(self, subjects: tuple[int, ...], variable: str | None, plain: str) -> str | None:
        released = self._released
        if released is None:
            return None
        found = {
            released.day(subject, plain) if variable is None else released.value(subject, variable, plain)
            for subject in subjects
        }
        return found.pop() if len(found) == 1 else None


def _boxed(one: DocumentFinding, settings: AnonymizeSettings) -> Change:
    label = one.type if settings.label == "type" else settings.label or one.category
    return Change(one.block, one.start, one.end, None, label, one.category)


def lines_left_out(blocks: Sequence[Block], rules: Rules, *, is_wrapped: bool) -> list[Change]:
    """Changes that take out all lines of sections that are left out."""
    if "leave_out" not in rules.sections.values():
        return []
    sections = Sections()
    changes: list[Change] = []
    first = True
    for flow in flows(blocks, is_wrapped=is_wrapped):
        if not flow.goes_on:
            continue
        lines = list(_LINE.finditer(flow.text[: flow.own]))
        for number, line in enumerate(lines):
            after = lines[number + 1][0] if number + 1 < len(lines) else ""
            heading = sections.heading(line[0], after)
            if heading is not None:
                sections.open(heading)
                first = True
            elif rules.of(sections.section) == "leave_out":
                for block, start, end in flow.places(line.start(), line.end()):
                    changes.append(Change(block.name, start, end, None, LABEL if first else MORE))
                    first = False
    return changes


def without_left_out(planned: Sequence[Planned], lines: Sequence[Change]) -> list[Planned]:
    """Findings in lines that go as a whole need no change of their own."""
    taken = Taken((one.block, one.start, one.end) for one in lines)
    return [Planned(one.finding, "left_out") if taken.meets(one.finding.place) else one for one in planned]


def same_values(
    planned: Sequence[Planned], blocks: Sequence[Block], *, leave: Iterable[Place] = ()
) -> list[Planned]:
    """Further places of direct identifiers that go, outside those that are known or to be left."""
    texts = {block.name: block.text for block in blocks}
    models: dict[str, Planned] = {}
    for one in planned:
        value = texts[one.finding.block][one.finding.start : one.finding.end]
        if one.change is not None and _tells(one.finding, value):
            known = models.setdefault(_key(value), one)
            if known.change is not None and known.change.new != one.change.new:
                boxed = replace(known.change, new=None, label=known.finding.category)
                models[_key(value)] = replace(known, fate="redacted", change=boxed)
    if not models:
        return []
    pattern = re.compile(
        rf"(?<!\w)(?:{alternatives(models).replace(chr(92) + ' ', chr(92) + 's+')})(?!\w)", re.IGNORECASE
    )
    taken = Taken([*(one.finding.place for one in planned), *leave])
    found: list[Planned] = []
    for block in blocks:
        for place in pattern.finditer(block.text):
            model = models.get(_key(place[0]))
            if model is not None and not taken.meets((block.name, *place.span())):
                found.append(_moved(model, block.name, place.start(), place.end()))
    return found


def certain_values(planned: Sequence[Planned], blocks: Sequence[Block]) -> set[str]:
    """Values of which nobody doubts what they are: direct identifiers, and whatever has enough digits."""
    texts = {block.name: block.text for block in blocks}
    found: set[str] = set()
    for one in planned:
        value = texts[one.finding.block][one.finding.start : one.finding.end]
        known = one.finding.source.split(":")[0] in KNOWN
        if known and (_tells(one.finding, value) or sum(map(str.isdigit, value)) >= _DIGITS):
            found.add(value)
    return found


def _tells(finding: DocumentFinding, value: str) -> bool:
    """Whether a value is known to be a direct identifier, not only taken for one where it stands."""
    role = default_roles().get(finding.type.upper(), (None, ""))[0]
    plain = " ".join(value.split())
    known = finding.source.split(":")[0] in KNOWN
    return known and role == "direct" and len(plain) >= _SHORTEST and bool(_TELLING.search(plain))


def _key(value: str) -> str:
    return " ".join(value.casefold().split())


def _moved(model: Planned, block: str, start: int, end: int) -> Planned:
    finding = replace(model.finding, block=block, start=start, end=end, source=SAME, section=None)
    assert model.change is not None  # noqa: S101 - models are those with a change
    return Planned(finding, model.fate, replace(model.change, block=block, start=start, end=end))

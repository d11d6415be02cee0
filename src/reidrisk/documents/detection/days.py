"""Dates of participants in a text, in any writing, whole or partial."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reidrisk.documents.detection.owners import Owners
from reidrisk.documents.study.cdisc import is_date
from reidrisk.documents.study.dates import dates_in
from reidrisk.documents.study.study import Study
from reidrisk.resynthesis.dates.forms import WrittenDate

Day = tuple[int | None, int | None, int | None]
"""Year, month, day, as far as they are known."""
_YEAR_CUE = re.compile(
    r"(?:\b(?:since|in|from|born|year|of|is|was|until|before|after|known|circa)|\()\W{0,2}$|[\t\n]$"
)
_BEFORE = 12


@dataclass(frozen=True, slots=True)
class DayMention:
    """A date at a place."""

    start: int
    end: int
    subjects: tuple[int, ...] = field(repr=False)
    variable: str | None


class Days:
    """The dates of all participants."""

    def __init__(self, study: Study) -> None:
        roles = study.roles
        events = (name for columns in roles.events.values() for name in columns)
        others = (name for name in (*roles.direct, *roles.quasi, *events) if is_date(name))
        names = dict.fromkeys((*roles.dates, *others))
        self._by_subject: dict[int, dict[Day, str]] = {}
        self._owners: dict[Day, dict[int, str]] = {}
        for name in names:
            for subject, values in study.data.by_subject(name).items():
                for value in values:
                    for day in _days_of(value):
                        self._by_subject.setdefault(subject, {}).setdefault(day, name)
                        if None not in day:
                            self._owners.setdefault(day, {}).setdefault(subject, name)

    def mention(
        self, written: list[WrittenDate], low: str, owners: Owners, *, is_row: bool
    ) -> DayMention | None:
        """Whose date it is, of those of whom the text tells; `written` are the ways to read it."""
        start, end = written[0].start, written[0].end
        end -= low[end - 1] == "."
        for subject in owners:
            for one in written:
                variable = self._variable(one, subject, low, is_row=is_row)
                if variable is not None:
                    return DayMention(start, end, (subject,), variable)
        whole = [one for one in written if None not in (one.year, one.month, one.day)]
        if owners:
            partial = any(one.year is not None and one.month is not None for one in written)
            return DayMention(start, end, owners[:1], None) if whole or partial else None
        for one in whole:
            people = self._owners.get((one.year, one.month, one.day), {})
            if people:
                alone = len(people) == 1
                return DayMention(start, end, tuple(people) if alone else (), next(iter(people.values())))
        return None

    def _variable(self, one: WrittenDate, subject: int, low: str, *, is_row: bool) -> str | None:
        """The variable of a participant's date that is written so, in full or shortened."""
        days = self._by_subject.get(subject, {})
        exact = days.get((one.year, one.month, one.day))
        cue = one.month is not None or _YEAR_CUE.search(low, max(0, one.start - _BEFORE), one.start)
        if exact is not None and (cue or is_row):
            return exact
        if not cue:
            return None
        for (year, month, day), name in days.items():
            if one.year in (None, year) and one.month in (None, month) and one.day in (None, day):
                return name
        return None


def _days_of(value: str) -> Iterator[Day]:
    found = list(dates_in(value))[:1]
    for one in found:
        yield one.year, one.month, one.day


def written_dates(text: str) -> Iterator[list[WrittenDate]]:
    """Every date of a text with the ways to read it: 03/04/2019 has two."""
    other = {(one.start, one.end): one for one in dates_in(text, month_first=True)}
    for one in dates_in(text):
        if one.month is None and one.day is not None:
            continue
        turned = other.get((one.start, one.end))
        both = [one] if turned is None or turned == one else [one, turned]
        if one.year is None and not any(name == "n" for name, _, _ in one.spans):
            continue
        if one.year is None and one.day is None:
            continue
        yield both

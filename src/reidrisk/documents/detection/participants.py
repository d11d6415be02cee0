"""Where a text tells of the participants of a study: their ids, their values, and their dates."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reidrisk.core.collector import pause_collector
from reidrisk.detect.known.index import KnownValues
from reidrisk.documents.detection.flow import Flow
from reidrisk.documents.detection.ids import IdFinder, IdMention, IdShapes
from reidrisk.documents.detection.owners import Owners, Stretch, Walk, between
from reidrisk.documents.detection.traits import Traits, is_site_named, type_of
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.study.schema import is_date
from reidrisk.documents.study.study import Study
from reidrisk.documents.study.writings import dates_in
from reidrisk.resynthesis.dates.forms import WrittenDate, turned

Day = tuple[int | None, int | None, int | None]
"""Year, month, day, as far as they are known."""
_YEAR_CUE = re.compile(
    r"(?:\b(?:since|in|from|born|year|of|is|was|until|before|after|known|circa)|\()\W{0,2}$|[\t\n]$"
)
_BEFORE = 12
SURE, KNOWN, DATED, SHAPED = 0.99, 0.98, 0.9, 0.85
_NUMBER = re.compile(r"(?<![^\W_])[A-Z]{0,3}\d{1,6}(?![^\W_]|[.,]\d)")


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
    for one in dates_in(text):
        if one.month is None and one.day is not None:
            continue
        other = turned(one)
        both = [one] if other is None else [one, other]
        if one.year is None and not any(name == "n" for name, _, _ in one.spans):
            continue
        if one.year is None and one.day is None:
            continue
        yield both


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A place in a text, and what was found there."""

    start: int
    end: int
    type: str
    confidence: float
    source: str
    subjects: tuple[int, ...] = field(default=(), repr=False)
    variable: str | None = None
    section: str | None = None

    def at(self, start: int, end: int) -> FoundPlace:
        """The same elsewhere."""
        return self if (start, end) == (self.start, self.end) else replace(self, start=start, end=end)

    def within(self, section: str | None) -> FoundPlace:
        """The same in a section."""
        return self if section == self.section else replace(self, section=section)

    def finding(self, block: str) -> DocumentFinding:
        """As a finding in a block."""
        return DocumentFinding(
            block,
            self.start,
            self.end,
            self.type,
            self.confidence,
            self.source,
            self.subjects,
            self.variable,
            self.section,
        )


class ParticipantFinder:
    """Knows the ids, dates and values of all participants."""

    def __init__(self, study: Study) -> None:
        self._ids = IdFinder(study)
        self._shapes = IdShapes(study)
        self._days = Days(study)
        self._traits = Traits(study)
        self._subject = study.subject
        told = set(study.roles.direct) - set(self._ids.numbers)
        direct = [name for name in self._traits.of_kind("text", "number") if name in told]
        self._names = [(name, value) for name in direct for value in sorted(study.data.all_of(name))]
        self._telling = KnownValues([("text", value)] for _, value in self._names) if self._names else None
        self._people = {
            (name, value): tuple(
                subject for subject, values in study.data.by_subject(name).items() if value in values
            )
            for name, value in self._names
        }
        self._sites = {
            value: name for name in self._traits.of_kind("site") for value in study.data.all_of(name)
        }

    @pause_collector()
    def find(self, flow: Flow, walk: Walk) -> tuple[list[Stretch], list[FoundPlace]]:
        """The stretches of a text with whom they tell of, and all places that do."""
        given = [self._surer(one, flow) for one in self._ids.find(flow.text, flow.low)]
        mentions = [one for one in given if one.is_sure or one.is_cell]
        stretches = walk.stretches(flow, mentions)
        found = [
            FoundPlace(one.start, one.end, "IDNUM", SURE, f"known:{one.variable}", one.subjects, one.variable)
            for one in walk.accepted
        ]
        known = {(one.start, one.end) for one in found}
        found += [
            FoundPlace(start, end, "IDNUM", SHAPED, f"shape:{self._subject}", (), self._subject)
            for start, end in self._shapes.find(flow.text)
            if (start, end) not in known
        ]
        found += self._dated(flow, stretches)
        for stretch in stretches:
            found += self._owned(flow, stretch, between(walk.accepted, stretch.start, stretch.end))
        found += self._telling_names(flow, stretches)
        found += self._named_sites(flow, stretches)
        starts = [stretch.start for stretch in stretches]
        return stretches, [one.within(_section(stretches, starts, one.start)) for one in found]

    def _surer(self, one: IdMention, flow: Flow) -> IdMention:
        """A number is an id if values of whom it names follow at once, on its line or in brackets."""
        if one.is_sure or not self._traits.shows(flow.low, flow.text, one):
            return one
        return replace(one, is_sure=True)

    def _owned(self, flow: Flow, stretch: Stretch, ids: Sequence[IdMention]) -> Iterator[FoundPlace]:
        for one in self._traits.find(flow.low, flow.text, stretch, ids):
            kind = type_of(one.kind, one.variable)
            yield FoundPlace(
                one.start, one.end, kind, KNOWN, f"known:{one.variable}", one.subjects, one.variable
            )

    def _dated(self, flow: Flow, stretches: Sequence[Stretch]) -> Iterator[FoundPlace]:
        starts = [stretch.start for stretch in stretches]
        before: tuple[Stretch | None, int] = (None, 0)
        for written in written_dates(flow.text):
            stretch = _at(stretches, starts, written[0].start)
            owners = () if stretch is None else stretch.owners
            before = (stretch, before[1] + 1 if stretch is before[0] else 0)
            if (
                len(owners) > 1
                and stretch is not None
                and "respectively" in flow.low[stretch.start : stretch.end]
            ):
                first = before[1] % len(owners)
                owners = owners[first:] + owners[:first]
            is_row = stretch is not None and stretch.mode == "table"
            day = self._days.mention(written, flow.low, owners, is_row=is_row)
            if day is not None:
                source = f"known:{day.variable}" if day.variable else "context:date"
                sure = KNOWN if day.variable else DATED
                yield FoundPlace(day.start, day.end, "DATE", sure, source, day.subjects, day.variable)

    def _telling_names(self, flow: Flow, stretches: Sequence[Stretch]) -> Iterator[FoundPlace]:
        """Direct identifiers that are telling wherever they stand, such as the name of a site."""
        starts = [stretch.start for stretch in stretches]
        for one in self._telling.find_mentions(flow.text) if self._telling is not None else ():
            name, value = self._names[one.rows[0]]
            stretch = _at(stretches, starts, one.start)
            people = self._people[name, value]
            mine = tuple(who for who in (stretch.owners if stretch else ()) if who in people)[:1]
            alone = people if len(people) == 1 else ()
            kind = type_of(self._traits.kind(name), name)
            yield FoundPlace(one.start, one.end, kind, KNOWN - 0.01, f"known:{name}", mine or alone, name)

    def _named_sites(self, flow: Flow, stretches: Sequence[Stretch]) -> Iterator[FoundPlace]:
        """Numbers of sites that are called so, of whomever the text tells."""
        starts = [stretch.start for stretch in stretches]
        for start, end, number in _numbers(flow.text):
            name = self._sites.get(number)
            if name is None:
                continue
            stretch = _at(stretches, starts, start)
            cell = (
                stretch is not None
                and stretch.mode == "table"
                and _heads_sites(flow.text, start, end, stretch)
            )
            if cell or is_site_named(flow.low, start):
                yield FoundPlace(start, end, "HOSPITAL", KNOWN - 0.02, f"known:{name}", (), name)


def _numbers(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _NUMBER.finditer(text):
        yield match.start(), match.end(), match[0]


def _heads_sites(text: str, start: int, end: int, stretch: Stretch) -> bool:
    """Whether it is the first cell of a row in a table of sites."""
    first = start == 0 or text[start - 1] == "\n"
    return (
        first
        and "site" in stretch.header
        and "subject" not in stretch.header
        and text[end : end + 1] in "\t \n"
    )


def _at(stretches: Sequence[Stretch], starts: Sequence[int], place: int) -> Stretch | None:
    at = bisect_right(starts, place) - 1
    return stretches[at] if at >= 0 and place < stretches[at].end else None


def _section(stretches: Sequence[Stretch], starts: Sequence[int], place: int) -> str | None:
    stretch = _at(stretches, starts, place)
    return None if stretch is None else stretch.section

"""Where a text tells of the participants of a study."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reidrisk.detect.known.index import KnownValues
from reidrisk.documents.detection.contexts import is_site_named
from reidrisk.documents.detection.days import Days, written_dates
from reidrisk.documents.detection.flow import Flow
from reidrisk.documents.detection.ids import IdFinder, IdShapes
from reidrisk.documents.detection.owners import Stretch, Walk
from reidrisk.documents.detection.traits import Traits, type_of
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.study.study import Study

SURE, KNOWN, DATED, SHAPED = 0.99, 0.98, 0.9, 0.85
_NUMBER = re.compile(r"(?<![^\W_])[A-Z]{0,3}\d{1,6}(?![^\W_]|[.,]\d)")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text, and what was found there."""

    start: int
    end: int
    type: str
    confidence: float
    source: str
    subjects: tuple[int, ...] = field(default=(), repr=False)
    variable: str | None = None
    section: str | None = None

    def at(self, start: int, end: int) -> Place:
        """The same elsewhere."""
        return replace(self, start=start, end=end)

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


class Participants:
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

    def find(self, flow: Flow, walk: Walk) -> tuple[list[Stretch], list[Place]]:
        """The stretches of a text with whom they tell of, and all places that do."""
        mentions = self._ids.find(flow.text, flow.low)
        stretches = walk.stretches(flow, mentions)
        found = [
            Place(one.start, one.end, "IDNUM", SURE, f"known:{one.variable}", one.subjects, one.variable)
            for one in walk.accepted
        ]
        known = {(one.start, one.end) for one in found}
        found += [
            Place(start, end, "IDNUM", SHAPED, f"shape:{self._subject}", (), self._subject)
            for start, end in self._shapes.find(flow.text)
            if (start, end) not in known
        ]
        found += self._dated(flow, stretches)
        for stretch in stretches:
            found += self._owned(flow, stretch)
        found += self._telling_names(flow, stretches)
        found += self._named_sites(flow, stretches)
        starts = [stretch.start for stretch in stretches]
        return stretches, [replace(one, section=_section(stretches, starts, one.start)) for one in found]

    def _owned(self, flow: Flow, stretch: Stretch) -> Iterator[Place]:
        for one in self._traits.find(flow.low, flow.text, stretch):
            kind = type_of(one.kind, one.variable)
            yield Place(
                one.start, one.end, kind, KNOWN, f"known:{one.variable}", (one.subject,), one.variable
            )

    def _dated(self, flow: Flow, stretches: Sequence[Stretch]) -> Iterator[Place]:
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
                yield Place(day.start, day.end, "DATE", sure, source, day.subjects, day.variable)

    def _telling_names(self, flow: Flow, stretches: Sequence[Stretch]) -> Iterator[Place]:
        """Direct identifiers that are telling wherever they stand, such as the name of a site."""
        starts = [stretch.start for stretch in stretches]
        for one in self._telling.find_mentions(flow.text) if self._telling is not None else ():
            name, value = self._names[one.rows[0]]
            stretch = _at(stretches, starts, one.start)
            people = self._people[name, value]
            mine = tuple(who for who in (stretch.owners if stretch else ()) if who in people)[:1]
            alone = people if len(people) == 1 else ()
            kind = type_of(self._traits.kind(name), name)
            yield Place(one.start, one.end, kind, KNOWN - 0.01, f"known:{name}", mine or alone, name)

    def _named_sites(self, flow: Flow, stretches: Sequence[Stretch]) -> Iterator[Place]:
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
                yield Place(start, end, "HOSPITAL", KNOWN - 0.02, f"known:{name}", (), name)


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

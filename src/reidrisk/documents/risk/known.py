"""Participants some of whose events an adversary knows: how many others have the same.

An event is a row of a table with several rows a participant, such as an adverse event: its term and its dates
as they are released. A shifted date counts as it stands in the released data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.documents.risk.classes import Classes
from reidrisk.documents.risk.participants import CodedParticipants, Shown
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.documents.study.data import Row
from reidrisk.documents.study.schema import is_date
from reidrisk.stats.arrays import Ints
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from reidrisk.stats.events.risk import DEVIATIONS, KnownRisk, risks_by_known
from reidrisk.tables.events import KnownSizes

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

Columns = tuple[tuple[str, tuple[str, ...], bool], ...]
"""Tables, their variables that can be read, and whether these are the values themselves."""
OwnedRows = list[tuple[int, Row]]


@dataclass(frozen=True, slots=True)
class KnownEvents:
    """The risk of participants by the number of events that the adversary knows, from none."""

    tables: Mapping[str, tuple[str, ...]]
    """The variables of each table that form an event."""
    events: int
    without: int
    """Participants without an event."""
    by_known: tuple[KnownSizes, ...]

    @property
    def worst(self) -> KnownSizes:
        """If the adversary knows as many as assumed."""
        return self.by_known[-1]

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {
            "tables": {name: list(columns) for name, columns in self.tables.items()},
            "events": self.events,
            "without": self.without,
            "by_known": [one.to_dict() for one in self.by_known],
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> KnownEvents:
        """What `to_dict` wrote."""
        rows = (
            KnownSizes(**{**row, "sizes": tuple((size, people) for size, people in row["sizes"])})
            for row in given["by_known"]
        )
        tables = {name: tuple(columns) for name, columns in given["tables"].items()}
        return cls(tables, given["events"], given["without"], tuple(rows))


@dataclass(frozen=True, slots=True)
class StudyExposure:
    """How exposed participants are: on static quasi-identifiers, and to somebody who also knows events."""

    classes: Classes
    events: KnownEvents | None = None
    """None if nothing tells of events."""

    @property
    def static(self) -> float:
        """The risk of the most exposed participant on static quasi-identifiers alone."""
        return self.classes.highest

    @property
    def smallest(self) -> int:
        """How many fit what is known of the most exposed participant."""
        return self.classes.smallest if self.events is None else self.events.worst.smallest

    @property
    def highest(self) -> float:
        """The risk of the most exposed participant."""
        return 1 / self.smallest

    @property
    def average(self) -> float:
        """The mean risk of participants."""
        if self.events is not None:
            return self.events.worst.average
        groups = self.classes.groups
        return sum(one.participants / one.class_size for one in groups) / self.classes.participants

    @property
    def is_bound(self) -> bool:
        """Whether the highest risk is a lower bound, because not all events could be examined."""
        return self.events is not None and self.events.worst.method == "sampled"

    def below(self, cell_size: int) -> int:
        """Participants in groups smaller than the cell size."""
        return self.classes.below(cell_size) if self.events is None else self.events.worst.below(cell_size)

    def accepts(self, cell_size: int) -> bool:
        """Whether it is proved that nobody is in a group smaller than the cell size."""
        return self.smallest >= cell_size and not self.is_bound


def known_figures(exposure: StudyExposure, settings: DocumentSettings, cell_size: int) -> dict[str, Any]:
    """The risk on static quasi-identifiers alone, and to somebody who also knows events, as JSON types."""
    events, classes = exposure.events, exposure.classes
    return {
        "events": settings.known,
        "reason": settings.known_reason,
        "tables": {} if events is None else {name: list(own) for name, own in events.tables.items()},
        "static": {
            "highest": exposure.static,
            "smallest": classes.smallest,
            "below_cell_size": classes.below(cell_size),
        },
        "with_events": None if events is None or not settings.known else _with_events(exposure, cell_size),
        "by_known": [] if events is None else [_known_row(one, cell_size) for one in events.by_known],
    }


def _with_events(exposure: StudyExposure, cell_size: int) -> dict[str, Any]:
    return {
        "highest": exposure.highest,
        "highest_is_lower_bound": exposure.is_bound,
        "smallest": exposure.smallest,
        "below_cell_size": exposure.below(cell_size),
        "unique": exposure.below(2),
        "average": exposure.average,
    }


def _known_row(one: KnownSizes, cell_size: int) -> dict[str, Any]:
    return {
        "known": one.known,
        "highest": 1 / one.smallest,
        "average": one.average,
        "below_cell_size": one.below(cell_size),
        "unique": one.below(2),
        "method": one.method,
    }


@dataclass(frozen=True, slots=True, eq=False)
class StudyEvents:
    """The events of all participants, as they are and as they are released."""

    tables: Mapping[str, tuple[str, ...]]
    original: Mapping[str, OwnedRows] = field(repr=False)
    released: Mapping[str, OwnedRows] = field(repr=False)

    @classmethod
    def of(cls, study: Study) -> StudyEvents:
        """Events of the study's tables, and dates of participants that are released as they are."""
        original = {name: list(_rows(study, name, columns)) for name, columns in study.events.items()}
        new = study.released
        if new is None:
            released = original
        else:
            released = {name: list(new.rows(name, columns)) for name, columns in study.events.items()}
        own = _own_dates(study)
        first = study.data.participants.name
        tables = dict(study.events) | ({first: own} if own else {})
        if own:
            rows = [one for name in own for one in _apart(_rows(study, first, own), own.index(name))]
            original, released = {**original, first: rows}, {**released, first: rows}
        return cls(tables, original, released)

    def everything(self) -> Columns:
        """All variables as they are released."""
        return tuple((name, columns, False) for name, columns in self.tables.items())

    def shown(self, subject: int, shown: Shown) -> Columns:
        """What can be read of a participant's events; where a section is kept, the values themselves."""
        kept, new = (side.get(subject, frozenset()) for side in (shown.kept_events, shown.released_events))
        found = []
        for name, columns in self.tables.items():
            read = tuple(one for one in columns if one in kept | new)
            if read:
                found.append((name, read, bool(kept & set(read))))
        return tuple(found)

    def lists(self, columns: Columns, class_of: Ints) -> EventLists:
        """The events of all participants on some variables, in their static classes."""
        numbers: dict[tuple[str, Row], int] = {}
        pairs = {
            (subject - 1, numbers.setdefault((name, values), len(numbers)))
            for name, names, as_is in columns
            for subject, values in self._values(name, names, as_is=as_is)
        }
        person, event = (np.array([pair[at] for pair in sorted(pairs)], dtype=np.int64) for at in (0, 1))
        return event_lists(Pairs(person, event, np.ones(len(person), dtype=np.int64)), class_of)

    def readable(self, columns: Iterable[tuple[str, tuple[str, ...], bool]]) -> dict[str, tuple[str, ...]]:
        """The variables that hold anything, by table."""
        found: dict[str, dict[str, None]] = {}
        for name, names, as_is in columns:
            for one in names:
                if next(self._values(name, (one,), as_is=as_is), None) is not None:
                    found.setdefault(name, {})[one] = None
        return {name: tuple(one for one in self.tables[name] if one in own) for name, own in found.items()}

    def _values(self, name: str, names: Sequence[str], *, as_is: bool) -> Iterator[tuple[int, Row]]:
        places = [self.tables[name].index(one) for one in names]
        for subject, row in (self.original if as_is else self.released)[name]:
            values = tuple(row[at] for at in places)
            if any(value is not None for value in values):
                yield subject, values


def _rows(study: Study, name: str, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
    table = study.data.tables[name]
    places = [table.columns.index(one) for one in columns]
    for subject, row in zip(table.subjects, table.rows, strict=True):
        if subject is not None:
            yield subject, tuple(row[at] for at in places)


def _apart(rows: Iterable[tuple[int, Row]], at: int) -> Iterator[tuple[int, Row]]:
    """Each date of a participant is an event of its own."""
    for subject, row in rows:
        yield subject, tuple(value if place == at else None for place, value in enumerate(row))


def _own_dates(study: Study) -> tuple[str, ...]:
    """Dates in the participants' table that are released without being shifted."""
    table, new = study.data.participants, study.released
    static = {*study.roles.quasi, *study.roles.direct, study.subject}
    names = [one for one in table.columns if (is_date(one) or one in study.roles.dates) and one not in static]
    if new is None:
        return tuple(names)
    found = []
    for name in names:
        rows = {subject: value for subject, (value,) in new.rows(table.name, (name,))}
        if any(rows.get(subject) == value for subject, value in table.values(name)):
            found.append(name)
    return tuple(found)


def events_of_everybody(
    people: CodedParticipants, events: StudyEvents, known: int, *, without: str | None = None
) -> KnownEvents | None:
    """Everybody on all quasi-identifiers, or on all but one, and on their events as released."""
    if not events.readable(events.everything()):
        return None
    names = tuple(name for name in people.variables if name != without)
    class_of = people.classes(names)
    group = _Group(events.everything(), class_of, tuple(range(len(people))))
    return _joined(events, [group], known)


def events_of_mentioned(
    people: CodedParticipants, events: StudyEvents, shown: Shown, known: int
) -> KnownEvents | None:
    """Those who are mentioned on what can be read of them; None if nothing tells of their events."""
    groups: dict[tuple[frozenset[str], frozenset[str], Columns], list[int]] = {}
    for subject in shown.mentioned:
        kept = shown.kept.get(subject, frozenset())
        released = shown.released.get(subject, frozenset()) - kept
        groups.setdefault((released, kept, events.shown(subject, shown)), []).append(subject - 1)
    if not events.readable(one for _, _, columns in groups for one in columns):
        return None
    return _joined(
        events,
        [
            _Group(columns, people.classes(sorted(released), sorted(kept)), tuple(own))
            for (released, kept, columns), own in groups.items()
        ],
        known,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Participants of whom the same can be read."""

    columns: Columns
    class_of: Ints
    members: tuple[int, ...]


def _joined(events: StudyEvents, groups: Sequence[_Group], known: int) -> KnownEvents:
    lists = [events.lists(group.columns, group.class_of) for group in groups]
    risks = [risks_by_known(one, known) for one in lists]
    members = [np.array(group.members, dtype=np.int64) for group in groups]
    lengths = np.concatenate([one.lengths[own] for one, own in zip(lists, members, strict=True)])
    return KnownEvents(
        events.readable(one for group in groups for one in group.columns),
        int(lengths.sum()),
        int(np.count_nonzero(lengths == 0)),
        tuple(
            _sizes([(by_number[number], own) for by_number, own in zip(risks, members, strict=True)])
            for number in range(known + 1)
        ),
    )


def _sizes(risks: Sequence[tuple[KnownRisk, Ints]]) -> KnownSizes:
    """The figures of all groups together."""
    least = np.concatenate([risk.least[own] for risk, own in risks])
    mean = np.concatenate([risk.mean[own] for risk, own in risks])
    average = fsum(mean.tolist()) / len(mean)
    spread = sqrt(sum((risk.deviation * len(risk.least)) ** 2 for risk, _ in risks)) / len(mean)
    sizes, people = np.unique(least, return_counts=True)
    return KnownSizes(
        known=risks[0][0].known,
        method="sampled" if any(risk.method == "sampled" for risk, _ in risks) else "exact",
        subsets=sum(risk.subsets for risk, _ in risks),
        average=average,
        low=max(0.0, average - DEVIATIONS * spread),
        high=min(1.0, average + DEVIATIONS * spread),
        sizes=tuple(zip(sizes.tolist(), people.tolist(), strict=True)),
    )

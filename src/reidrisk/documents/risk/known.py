"""Participants some of whose events an adversary knows: how many others have the same.

An event is a row of a table with several rows a participant, such as an adverse event: its term and its dates
as they are released. A shifted date counts as it stands in the released data. Participants and their events
are counted as people of linked tables (`relational/exposure.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.documents.risk.classes import Classes
from reidrisk.documents.risk.participants import CodedParticipants, Shown
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.documents.study.data import Row
from reidrisk.documents.study.schema import is_date
from reidrisk.relational.exposure import JoinKnowledge, measure_people
from reidrisk.relational.people import People
from reidrisk.stats.arrays import Ints
from reidrisk.stats.events.joined import CompositionAverage, JoinedKnown

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
    by_known: tuple[JoinedKnown, ...]

    @property
    def worst(self) -> JoinedKnown:
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
        tables = {name: tuple(columns) for name, columns in given["tables"].items()}
        rows = tuple(JoinedKnown.from_dict(one) for one in given["by_known"])
        return cls(tables, given["events"], given["without"], rows)


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
        return self.classes.smallest if self.events is None else int(self.events.worst.least.min())

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
        return self.events is not None and bool((self.events.worst.floor < self.events.worst.least).any())

    def below(self, cell_size: int) -> int:
        """Participants in groups smaller than the cell size."""
        return self.classes.below(cell_size) if self.events is None else _below(self.events.worst, cell_size)

    def accepts(self, cell_size: int) -> bool:
        """Whether it is proved that nobody is in a group smaller than the cell size."""
        if self.events is None:
            return self.smallest >= cell_size
        return int(self.events.worst.floor.min()) >= cell_size


def _below(known: JoinedKnown, cell_size: int) -> int:
    return int(np.count_nonzero(known.least < cell_size))


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


def _known_row(one: JoinedKnown, cell_size: int) -> dict[str, Any]:
    return {
        "known": one.known,
        "highest": 1 / int(one.least.min()),
        "average": one.average,
        "below_cell_size": _below(one, cell_size),
        "unique": _below(one, 2),
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

    def people(self, columns: Columns, class_of: Ints) -> People:
        """All participants in their static classes, with their events on some variables."""
        numbers: dict[tuple[int, Row], int] = {}
        found = {
            (subject - 1, place, numbers.setdefault((place, values), len(numbers)))
            for place, (name, names, as_is) in enumerate(columns)
            for subject, values in self.values(name, names, as_is=as_is)
        }
        rows = np.array(sorted(found), dtype=np.int64).reshape(-1, 3)
        tables = tuple(name for name, _, _ in columns)
        return People(class_of, {}, tables, rows[:, 0], rows[:, 1], rows[:, 2], None)

    def readable(self, columns: Iterable[tuple[str, tuple[str, ...], bool]]) -> dict[str, tuple[str, ...]]:
        """The variables that hold anything, by table."""
        found: dict[str, dict[str, None]] = {}
        for name, names, as_is in columns:
            for one in names:
                if next(self.values(name, (one,), as_is=as_is), None) is not None:
                    found.setdefault(name, {})[one] = None
        return {name: tuple(one for one in self.tables[name] if one in own) for name, own in found.items()}

    def values(self, name: str, names: Sequence[str], *, as_is: bool) -> Iterator[tuple[int, Row]]:
        """Participants and their values of some variables of a table, as they are or as released."""
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
    counted = [_counted(events, group, known) for group in groups]
    lengths = np.concatenate([own for own, _ in counted])
    return KnownEvents(
        events.readable(one for group in groups for one in group.columns),
        int(lengths.sum()),
        int(np.count_nonzero(lengths == 0)),
        tuple(
            _of_groups(number, [rows[min(number, len(rows) - 1)] for _, rows in counted])
            for number in range(known + 1)
        ),
    )


def _counted(events: StudyEvents, group: _Group, known: int) -> tuple[Ints, tuple[JoinedKnown, ...]]:
    """The number of events of each member of a group, and the risk of these by the number of known ones."""
    people = events.people(group.columns, group.class_of)
    members = np.array(group.members, dtype=np.int64)
    among = np.zeros(len(people), dtype=np.bool_)
    among[members] = True
    found = measure_people(people, JoinKnowledge(known), among=among).found.by_known
    rows = tuple(replace(one, least=one.least[members], floor=one.floor[members]) for one in found)
    return np.bincount(people.person, minlength=len(people))[members], rows


def _of_groups(known: int, rows: Sequence[JoinedKnown]) -> JoinedKnown:
    """The figures of all groups together; each counts with the tables that expose it most."""
    if len(rows) == 1:
        return replace(rows[0], known=known)
    sizes = [len(one.least) for one in rows]
    average, low, high = (
        fsum(size * value for size, value in zip(sizes, values, strict=True)) / sum(sizes)
        for values in zip(*((one.average, *one.average_limits) for one in rows), strict=True)
    )
    return JoinedKnown(
        known,
        "sampled" if any(one.method == "sampled" for one in rows) else "exact",
        sum(one.subsets for one in rows),
        np.concatenate([one.least for one in rows]),
        np.concatenate([one.floor for one in rows]),
        (CompositionAverage((), average, low, high),),
    )

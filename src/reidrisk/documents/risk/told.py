"""What the documents of a trial tell about each participant, by the participant's own key."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.documents.risk.known import Columns, StudyEvents
from reidrisk.documents.risk.measure import (
    FindingsSource,
    ReviewSource,
    findings_of,
    leak_evidence,
    reviewed_file,
    visible_of,
)
from reidrisk.documents.risk.missed import missed_values
from reidrisk.documents.risk.participants import Shown
from reidrisk.documents.risk.settings import DocumentSettings, Scenario
from reidrisk.errors import UnknownColumn
from reidrisk.relational.joint import TextLeaks
from reidrisk.stats.arrays import Ints

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

UNKNOWN = "nobody knows whom its documents mention: give the findings of `reidrisk document detect`."
IN_WORDS = "its risk is described in words, and nobody is counted."


@dataclass(frozen=True, slots=True, eq=False)
class ToldParticipants:
    """Values and events of participants that can be read in documents."""

    keys: tuple[str, ...] = field(repr=False)
    numbers: tuple[int, ...] = field(repr=False)
    """The rows of the participants in the study's data, from 1."""
    values: dict[str, tuple[str | None, ...]] = field(repr=False)
    """By variable: what is told of each participant; None if nothing."""
    tables: tuple[str, ...]
    person: Ints = field(repr=False)
    """One row per event: the place of the participant."""
    table: Ints = field(repr=False)
    event: Ints = field(repr=False)
    """Equal numbers are equal events; tables share none."""
    leaks: TextLeaks | None = field(default=None, repr=False)
    """What a detector may have missed; None if people read every page, or nothing tells how much it is."""


def told_by_documents(
    study: Study,
    scenario: Scenario,
    *,
    settings: DocumentSettings,
    findings: FindingsSource | None = None,
    review: ReviewSource | None = None,
    link: str | None = None,
) -> ToldParticipants | str:
    """What documents tell about each participant; or why that is not known.

    `link` is the column with the key of each participant; otherwise that of the study. If all data of
    participants go with the documents, everybody counts with everything.
    """
    if scenario == "qualitative":
        return IN_WORDS
    reviewed = reviewed_file(study, findings, review)
    found = findings_of(study, scenario, findings=findings, reviewed=reviewed, settings=settings)
    visible = None if found is None else visible_of(study, scenario, found)
    everything = scenario == "ipd" or (visible is None and scenario == "replaced")
    if visible is None and not everything:
        return UNKNOWN
    told = _told(study, None if everything else visible, link)
    evidence, whole = leak_evidence(study, scenario, findings=findings, review=review, reviewed=reviewed)
    if evidence is None:
        return told
    missed = missed_values(study, evidence, whole, found=found, reviewed=reviewed, settings=settings)
    return replace(told, leaks=missed.beside(told.numbers, told.values))


def _told(study: Study, visible: Shown | None, link: str | None) -> ToldParticipants:
    """Of every participant: nothing of those who are not mentioned, everything if `visible` is None."""
    table, column = study.data.participants, link or study.subject
    if column not in table.columns:
        raise UnknownColumn.among(column, table.columns, source=f"The table {table.name}")
    at = table.columns.index(column)
    kept = [number for number, row in enumerate(table.rows, start=1) if row[at] is not None]
    values = {
        name: tuple(_value(study, number, name, visible) for number in kept) for name in study.roles.quasi
    }
    tables, person, of, event = _events(study, kept, visible)
    return ToldParticipants(
        tuple(str(table.rows[number - 1][at]) for number in kept),
        tuple(kept),
        {name: own for name, own in values.items() if any(one is not None for one in own)},
        tables,
        person,
        of,
        event,
    )


def _value(study: Study, number: int, name: str, visible: Shown | None) -> str | None:
    table = study.data.participants
    value = table.rows[number - 1][table.columns.index(name)]
    if value is None:
        return None
    if visible is not None and name in visible.kept.get(number, ()):
        return str(value)
    if visible is not None and name not in visible.released.get(number, ()):
        return None
    new = value if study.released is None else study.released.value(number, name, value)
    return None if new is None else str(new)


def _events(
    study: Study, numbers: list[int], visible: Shown | None
) -> tuple[tuple[str, ...], Ints, Ints, Ints]:
    """Events that can be read; a variable that cannot be read is empty in them."""
    events = StudyEvents.of(study)
    place_of = {number: place for place, number in enumerate(numbers)}
    codes: dict[tuple[str, object], int] = {}
    tables: dict[str, int] = {}
    found: set[tuple[int, int, int]] = set()
    groups: dict[Columns, set[int]] = {}
    for number in numbers:
        own = events.everything() if visible is None else events.shown(number, visible)
        groups.setdefault(own, set()).add(number)
    for columns, members in groups.items():
        for name, names, as_is in columns:
            for number, values in events.values(name, names, as_is=as_is):
                if number not in members:
                    continue
                told = tuple(zip(names, values, strict=True))
                code = codes.setdefault((name, told), len(codes))
                found.add((place_of[number], tables.setdefault(name, len(tables)), code))
    rows = np.array(sorted(found), dtype=np.int64).reshape(-1, 3)
    return tuple(tables), rows[:, 0], rows[:, 1], rows[:, 2]

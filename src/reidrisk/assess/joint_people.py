"""What each kind of part tells about people, linked by their keys before they are renamed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.assess.kind import ReleasePart, RunControl
from reidrisk.core.stopping import check_stop
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.errors import BadData
from reidrisk.relational.joint import JointPart, TextLeaks
from reidrisk.relational.told import coarser_labels
from reidrisk.stats.leaked_values import LeakKind
from reidrisk.tables.transform.applied import apply_steps
from reidrisk.tables.transform.step import StepInputs
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import gather_evidence
from reidrisk.text.grouping import Grouping
from reidrisk.text.leaks import LeakList

if TYPE_CHECKING:
    from reidrisk.assess.kinds.deidentify import DeidentifyPart
    from reidrisk.assess.kinds.documents import DocumentsPart
    from reidrisk.assess.kinds.table import TablePart
    from reidrisk.assess.kinds.text import TextPart
    from reidrisk.assess.kinds.transform import TransformPart

DOCUMENT_ID = "id"
"""Stands for the id of a document; otherwise a link is a field, or a pattern with a group in the id."""
RENAMED = "its steps change the column that names the person."
NOTHING = "no solution was found for it, so that nothing of it can be released."
NO_LINK = "it names no person. Write people: {%s: COLUMN} for it."
OTHER = "parts of this kind are not linked by people."


def people_of_part(part: ReleasePart, link: str | None, control: RunControl) -> JointPart | str:
    """What a part tells about people; or why it cannot be linked."""
    from reidrisk.assess.kinds.deidentify import DeidentifyPart
    from reidrisk.assess.kinds.documents import DocumentsPart
    from reidrisk.assess.kinds.relational import RelationalPart
    from reidrisk.assess.kinds.table import TablePart
    from reidrisk.assess.kinds.text import TextPart
    from reidrisk.assess.kinds.transform import TransformPart

    if isinstance(part, RelationalPart):
        return part.people(control)
    if isinstance(part, TextPart):
        return _of_texts(part, link)
    if isinstance(part, DocumentsPart):
        return _of_documents(part, link)
    if isinstance(part, DeidentifyPart):
        return _of_deidentified(part, link, control)
    if isinstance(part, TransformPart):
        return _of_transformed(part, link, control)
    return _of_table(part, link) if type(part) is TablePart else OTHER


def _of_documents(part: DocumentsPart, link: str | None) -> JointPart | str:
    """What documents mention of each participant, and what a detector may have missed."""
    told = part.told(link)
    if isinstance(told, str):
        return told
    return JointPart(
        part.name,
        told.keys,
        told=told.values,
        tables=told.tables,
        person=told.person,
        table=told.table,
        event=told.event,
        leaks=told.leaks,
    )


def _of_table(part: TablePart, link: str | None) -> JointPart | str:
    """The quasi-identifiers and events of a table that is released as it is."""
    key = link or part.schema.unit
    if key is None:
        return NO_LINK % part.name
    with open_table(part.path(part.given["table"]), reading=part.reading) as table:
        return _of_rows(part.name, table, key, part.schema.quasi, _event_columns(part))


def _of_transformed(part: TransformPart, link: str | None, control: RunControl) -> JointPart | str:
    """The same after its steps."""
    key = link or part.schema.unit
    if key is None:
        return NO_LINK % part.name
    if any(key in one.step.changes for one in part.steps):
        return RENAMED
    with open_table(part.path(part.given["table"]), reading=part.reading) as opened:
        draws = StepInputs.drawing(control.seed, part.key)
        done = apply_steps(opened, part.steps, draws, unit=part.schema.unit, measured=False)
        return _of_rows(part.name, done.table, key, part.schema.quasi, _event_columns(part))


def _event_columns(part: TablePart) -> tuple[str, ...]:
    return () if part.events is None else tuple(part.events.columns)


def _of_deidentified(part: DeidentifyPart, link: str | None, control: RunControl) -> JointPart | str:
    """What is released of a table after its search, by the person's column before pseudonyms."""
    key = link or part.schema.unit
    if key is None:
        return NO_LINK % part.name
    if any(key in one.step.changes for one in part.config.steps):
        return RENAMED
    known = control.searched.get(part.name)
    done = known[1] if known is not None and known[0] is part else part.search(control)
    if done.found is None:
        return NOTHING
    quasi, known_events = done.found.problem.layout.quasi, part.options.events
    events = () if known_events is None else tuple(known_events.columns)
    with open_table(done.linked_by(key)) as table:
        there = tuple(name for name in (*quasi, *events) if name in table.columns)
        static = tuple(name for name in quasi if name in there)
        found = _of_rows(part.name, table, key, static, tuple(name for name in events if name in there))
    with open_table(part.path(part.given["table"]), reading=part.config.reading) as source:
        named = [name for name in static if name in part.hierarchies and name in source.columns]
        coarser = {
            name: coarser_labels(
                part.hierarchies[name],
                [text for value in source.tuples((name,)).values[0] if (text := _text(value)) is not None],
            )
            for name in named
        }
    return replace(found, coarser=coarser)


def _of_rows(name: str, table: Table, key: str, quasi: tuple[str, ...], events: tuple[str, ...]) -> JointPart:
    """The attributes and events of people in a table that has a column with their original keys."""
    records = table.tuples((key, *quasi))
    people, places = _keys(list(records.values[0]), name)
    attributes: dict[str, list[str | None]] = {one: [None] * len(people) for one in quasi}
    seen = np.zeros(len(people), dtype=np.bool_)
    for codes in records.codes.tolist():
        person = places[codes[0]]
        if person is None:
            continue
        for one, values, code in zip(quasi, records.values[1:], codes[1:], strict=True):
            now = _text(values[code])
            before = attributes[one][person]
            # several values of a person are all released: together they are one value of the class
            attributes[one][person] = now if not seen[person] or before == now else f"{before} | {now}"
        seen[person] = True
    found = JointPart(name, tuple(people), {one: tuple(own) for one, own in attributes.items()})
    return found if not events else _with_events(found, table, key, events)


def _with_events(found: JointPart, table: Table, key: str, events: tuple[str, ...]) -> JointPart:
    """The part with the events of its people; rows without any value are no events."""
    rows = table.tuples((key, *events))
    _, here = _keys(list(rows.values[0]), found.name)
    codes = rows.codes
    kept = np.array([here[code] is not None for code in codes[:, 0].tolist()], dtype=np.bool_)
    empty = np.logical_and.reduce(
        [
            np.array([_text(values[code]) is None for code in codes[:, place].tolist()])
            for place, values in enumerate(rows.values[1:], start=1)
        ]
    )
    kept &= ~empty
    _, event = np.unique(codes[kept][:, 1:], axis=0, return_inverse=True)
    number = {one: place for place, one in enumerate(found.people)}
    texts = [_text(value) for value in rows.values[0]]
    person = np.array([number[str(texts[code])] for code in codes[kept][:, 0].tolist()], dtype=np.int64)
    return replace(
        found,
        tables=(found.name,),
        person=person,
        table=np.zeros(len(person), dtype=np.int64),
        event=event.ravel().astype(np.int64),
    )


def _keys(values: Sequence[Any], name: str) -> tuple[list[str], list[int | None]]:
    """The people in order, and the person of each value; rows without a key belong to nobody."""
    texts = [_text(value) for value in values]
    people = sorted({text for text in texts if text is not None})
    if not people:
        raise BadData(f"The part {name} names no people.", hint="Check the link in joint:.")
    number = {key: place for place, key in enumerate(people)}
    return people, [None if text is None else number[text] for text in texts]


def _text(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip() or None


def _of_texts(part: TextPart, link: str | None) -> JointPart | str:
    """Values of quasi-identifiers in texts, how often each occurs, and what the tool leaked of them."""
    if part.has_counts:
        return "it has counts only, and no documents."
    if link is None:
        return NO_LINK % part.name
    seen = _TextPeople(part, link)
    gather_evidence(*part.both_sides(), settings=part.settings, counting=part.counting, others=[seen.add])
    return NO_LINK % part.name if seen.missing else seen.joint()


class _TextPeople:
    """Collects what texts say about each person, and what leaked."""

    def __init__(self, part: TextPart, link: str) -> None:
        self.part = part
        self.group = None if link == DOCUMENT_ID else Grouping.parse_cluster(link)
        self.counting, self.settings = part.counting, part.settings
        self.values: dict[tuple[str, str], dict[str, int]] = {}
        self.leaked: set[tuple[str, str]] = set()
        self.direct: set[str] = set()
        self.caught: dict[str, list[int]] = {}
        self.people: dict[str, None] = {}
        self.missing = 0

    def add(self, document: Document, masked: Sequence[Annotation], _: object) -> None:
        check_stop()
        person = document.id if self.group is None else self.group.key_of(document)
        if not person:
            self.missing += 1
            return
        self.people[person] = None
        leaks = LeakList()
        leaks.add(document, masked, self.counting, self.settings)
        places = {(one.start, one.end, one.type) for one in leaks.leaks}
        for mark in document.annotations:
            role = self.counting.types.role(mark)[0]
            missed = (mark.start, mark.end, mark.type) in places
            if role == "direct" and missed:
                self.direct.add(person)
            if role != "quasi":
                continue
            kind = self.counting.types.counted_as(mark.type)
            value = " ".join((document.text or "")[mark.start : mark.end].split()).casefold()
            own = self.values.setdefault((person, kind), {})
            own[value] = own.get(value, 0) + 1
            tally = self.caught.setdefault(kind, [0, 0])
            tally[0] += not missed
            tally[1] += 1
            if missed:
                self.leaked.add((person, kind))

    def joint(self) -> JointPart:
        """The part, with one value per person and kind: all that the texts say, together."""
        people = tuple(sorted(self.people))
        kinds = sorted(self.caught)
        values = tuple(tuple(self._value(person, kind) for person in people) for kind in kinds)
        instances = np.array(
            [[sum(self.values.get((person, kind), {}).values()) for kind in kinds] for person in people],
            dtype=np.int64,
        ).reshape(len(people), len(kinds))
        leaked = np.array(
            [[(person, kind) in self.leaked for kind in kinds] for person in people], dtype=np.bool_
        ).reshape(len(people), len(kinds))
        # beside a table that shows the attribute, a surrogate that contradicts it gives itself away
        marks = tuple(LeakKind(kind, self.caught[kind][0], self.caught[kind][1]) for kind in kinds)
        direct = np.array([float(person in self.direct) for person in people])
        leaks = TextLeaks(marks, values, instances, leaked, direct=float(direct.mean()), direct_leaked=direct)
        return JointPart(self.part.name, people, leaks=leaks)

    def _value(self, person: str, kind: str) -> str | None:
        own = self.values.get((person, kind))
        return None if not own else " | ".join(sorted(own))

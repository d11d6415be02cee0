"""What an adversary knows of people in the originals, written as a release of them would write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reidrisk.engine.linked import NO_DAY, TableColumn
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.generalized import labels_of
from reidrisk.relational.people import People
from reidrisk.relational.told import NumberRange, number_range
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.joined import ReleasedJoin, TargetEvents

NEAREST = ("round", "birth_year")
"""Treatments after which a number is the nearest one that is released."""
UNKNOWN = -1
YEAR = 4
"""Digits of a year."""


@dataclass(frozen=True, slots=True, eq=False)
class AttackKnowledge:
    """Originals in the words of the release: classes and events of targets, and the released join."""

    released: ReleasedJoin = field(repr=False)
    classes: Ints = field(repr=False)
    """By original person: the class in the release; -1 if nobody is in it."""
    events: TargetEvents = field(repr=False)
    """By original person."""

    @classmethod
    def of(
        cls, original: People, released: People, config: RelationalConfig, treatment: Mapping[str, Any]
    ) -> AttackKnowledge:
        """Translate values by the treatment that recipients know."""
        words = Translation.of(config, treatment)
        join = ReleasedJoin.of(
            released.static,
            released.person,
            released.event,
            *_days(released),
            most=config.dates.offset,
        )
        event = _event_codes(original, released, words)
        table = np.array([_place(name, released.tables) for name in original.tables], dtype=np.int64)
        day, dated = _days(original)
        held = event[original.event] != UNKNOWN
        person, own = original.person[held], event[original.event[held]]
        targets = TargetEvents.of(
            len(original), person, own, table[original.table[held]], day[held], dated[held]
        )
        return cls(join, _classes(original, released, words), targets)


def _days(people: People) -> tuple[Ints, Any]:
    day = people.day if people.day is not None else np.full(len(people.person), NO_DAY, dtype=np.int64)
    dated = day != NO_DAY
    return np.where(dated, day, 0), dated


def _place(name: str, names: Sequence[str]) -> int:
    return names.index(name) if name in names else UNKNOWN


@dataclass(frozen=True, slots=True)
class Translation:
    """What becomes of values, by column."""

    config: RelationalConfig
    actions: Mapping[str, str]
    levels: Mapping[str, str | int]

    @classmethod
    def of(cls, config: RelationalConfig, treatment: Mapping[str, Any]) -> Translation:
        """From the settings and what the release says about its columns."""
        actions = {f"{one['table']}.{one['column']}".lower(): one["action"] for one in treatment["columns"]}
        return cls(config, actions, treatment.get("levels") or {})

    def codes(
        self, at: TableColumn | None, values: Sequence[str | None], released: Sequence[str | None]
    ) -> list[int]:
        """The place of each value among the released ones; -1 if it is not released in any form."""
        attribute = None if at is None else self.config.attribute_of(at)
        action = "" if at is None else self.actions.get(str(at).lower(), "")
        labels: Mapping[str, str] = {}
        if attribute is not None and attribute in self.config.hierarchies and attribute in self.levels:
            there = [value for value in values if value is not None]
            labels = labels_of(self.config.hierarchies[attribute], there, self.levels[attribute])
        found = _Released.of(released)
        return [found.place(value, labels, nearest=action in NEAREST) for value in values]


@dataclass(frozen=True, slots=True)
class _Released:
    """Released values by the ways in which they can be recognized."""

    exact: Mapping[str | None, int]
    bands: Sequence[tuple[NumberRange, int]]

    @classmethod
    def of(cls, values: Sequence[str | None]) -> _Released:
        bands = [(number_range(one), at) for at, one in enumerate(values) if one is not None]
        return cls(
            {value: at for at, value in enumerate(values)},
            [(one, at) for one, at in bands if one is not None],
        )

    def place(self, value: str | None, labels: Mapping[str, str], *, nearest: bool) -> int:
        empty = self.exact.get(None, UNKNOWN)
        if value is None:
            return empty
        if labels:
            return self.exact.get(labels.get(value, value), empty)
        if value in self.exact:
            return self.exact[value]
        if value[:YEAR] in self.exact and value[YEAR : YEAR + 1] == "-":
            return self.exact[value[:YEAR]]
        return self._by_number(value, empty, nearest=nearest)

    def _by_number(self, value: str, empty: int, *, nearest: bool) -> int:
        """The band that covers a number, or the nearest number."""
        number = number_range(value)
        if number is None or not self.bands:
            return empty
        near = min(self.bands, key=lambda one: abs(one[0].low - number.low))[1] if nearest else empty
        return next((at for one, at in self.bands if one.covers(number)), near)


def _column(config: RelationalConfig, name: str) -> TableColumn | None:
    return None if name in config.derive else TableColumn.of(name)


def _classes(original: People, released: People, words: Translation) -> Ints:
    """The released class of each original person by the translated attributes."""
    names = [name for name in released.columns if name in original.columns]
    first = np.unique(released.static, return_index=True)[1]
    class_of = {
        tuple(int(released.columns[name][person]) for name in names): place
        for place, person in enumerate(first.tolist())
    }
    codes = []
    for name in names:
        given = words.codes(_column(words.config, name), original.labels[name], released.labels[name])
        codes.append(np.array(given, dtype=np.int64)[original.columns[name]])
    rows = np.stack(codes, axis=1).tolist() if codes else [[]] * len(original)
    return np.array([class_of.get(tuple(row), UNKNOWN) for row in rows], dtype=np.int64)


def _event_codes(original: People, released: People, words: Translation) -> Ints:
    """By code of an original event: the code of the released one; -1 if it is not released."""
    known = {(table, values): code for code, (table, values) in enumerate(released.events)}
    found = np.full(len(original.events), UNKNOWN, dtype=np.int64)
    for place, name in enumerate(original.tables):
        there = _place(name, released.tables)
        if there == UNKNOWN:
            continue
        mine = [code for code, (table, _) in enumerate(original.events) if table == place]
        theirs = [values for table, values in released.events if table == there]
        columns, own = released.event_columns[there], [one.lower() for one in original.event_columns[place]]
        new: list[list[str | None]] = [[] for _ in mine]
        held = [True] * len(mine)
        for at, column in enumerate(columns):
            values = [original.events[code][1][own.index(column.lower())] for code in mine]
            shown = list(dict.fromkeys(row[at] for row in theirs))
            for row, code in enumerate(words.codes(TableColumn(name, column), values, shown)):
                held[row] &= code != UNKNOWN
                new[row].append(None if code == UNKNOWN else shown[code])
        for row, code in enumerate(mine):
            if held[row] and (not columns or any(value is not None for value in new[row])):
                wanted = tuple(new[row]) if columns else next(iter(theirs), ())
                found[code] = known.get((there, wanted), UNKNOWN)
    return found

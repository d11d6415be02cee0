"""Linkage over the join of several tables: who fits what an adversary knows of a target.

The adversary knows the static class of the target and some events with their true days. All dates of a person
were moved by one offset of at most D days. A released person fits who is in the class and whose events, moved
by one number of days within D, include all that are known. This is the attack that the risk of people in
linked tables predicts (`stats/events/joined.py`); it shares no code with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Bools, Ints


class KnownEvent(NamedTuple):
    """An event that the adversary knows, as the release would write it."""

    event: int
    day: int | None
    """The true day; None if the event has none."""


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedJoin:
    """Released people and events, sorted so that those with an event are found at once."""

    class_of: Ints = field(repr=False)
    """By person."""
    members: dict[int, Ints] = field(repr=False)
    """By class: its people."""
    slices: dict[tuple[int, int, bool], tuple[Ints, Ints]] = field(repr=False)
    """By class, event, and whether it has a day: the people, and the released days."""
    most: int | None
    """The largest offset; None if any is possible."""

    @classmethod
    def of(
        cls, class_of: Ints, person: Ints, event: Ints, day: Ints, dated: Bools, *, most: int | None
    ) -> ReleasedJoin:
        """From one row per event; `day` is the released one."""
        order = np.argsort(class_of, kind="stable")
        starts = np.flatnonzero(np.append(True, np.diff(class_of[order]) != 0))
        members = {int(class_of[some[0]]): some for some in np.split(order, starts[1:]) if len(some)}
        rows = np.lexsort((dated, event, class_of[person])) if len(person) else np.zeros(0, dtype=np.int64)
        keys = np.stack([class_of[person], event, dated.astype(np.int64)], axis=1)[rows]
        new = np.append(True, (np.diff(keys, axis=0) != 0).any(axis=1))[: len(rows)]
        edges = [*np.flatnonzero(new).tolist(), len(rows)]
        slices = {}
        for first, last in pairwise(edges):
            some = rows[first:last]
            known = (int(keys[first, 0]), int(keys[first, 1]), bool(keys[first, 2]))
            slices[known] = (person[some], day[some])
        return cls(class_of, members, slices, most)

    def fitting(self, of_class: int, known: Sequence[KnownEvent]) -> Ints:
        """The people of a class who fit all that is known, each once."""
        people, _ = self.fitting_shifts(of_class, known)
        return np.unique(people)

    def fitting_shifts(self, of_class: int, known: Sequence[KnownEvent]) -> tuple[Ints, Ints]:
        """The people who fit, each with every shift that fits; 0 if no event has a day."""
        nobody = np.zeros(0, dtype=np.int64)
        lists = [(one, self.slices.get((of_class, one.event, one.day is not None))) for one in known]
        if any(found is None for _, found in lists):
            return nobody, nobody
        dated = [(one.day, found) for one, found in lists if one.day is not None and found is not None]
        left = self.members.get(of_class, nobody)
        for one, found in lists:
            if one.day is None and found is not None:
                left = left[np.isin(left, found[0])]
        if not dated:
            return left, np.zeros(len(left), dtype=np.int64)
        people, shift = self._shifted(dated)
        held = np.isin(people, left)
        return people[held], shift[held]

    def _shifted(self, dated: Sequence[tuple[int, tuple[Ints, Ints]]]) -> tuple[Ints, Ints]:
        """People with each shift that puts every known event on a released one."""
        first, (people, days) = min(dated, key=lambda one: len(one[1][0]))
        shift = days - first
        fits = np.ones(len(shift), dtype=np.bool_) if self.most is None else np.abs(shift) <= self.most
        people, shift = people[fits], shift[fits]
        for day, (others, released) in dated:
            there = np.stack([others, released], axis=1)
            wanted = np.stack([people, day + shift], axis=1)
            held = _rows_in(wanted, there)
            people, shift = people[held], shift[held]
        return people, shift


def _rows_in(wanted: Ints, there: Ints) -> Bools:
    """Whether each pair is among others."""
    both = np.concatenate([wanted, there])
    if not len(wanted):
        return np.zeros(0, dtype=np.bool_)
    _, code = np.unique(both, axis=0, return_inverse=True)
    code = code.ravel()
    return np.isin(code[: len(wanted)], code[len(wanted) :])


@dataclass(frozen=True, slots=True, eq=False)
class TargetEvents:
    """The events of people that an adversary may know, one after another."""

    starts: Ints
    event: Ints = field(repr=False)
    table: Ints = field(repr=False)
    day: Ints = field(repr=False)
    dated: Bools = field(repr=False)

    @classmethod
    def of(cls, people: int, person: Ints, event: Ints, table: Ints, day: Ints, dated: Bools) -> TargetEvents:
        """From one row per event; the same event on the same day counts once."""
        day = np.where(dated, day, 0)
        rows = np.unique(np.stack([person, table, event, dated.astype(np.int64), day], axis=1), axis=0)
        starts = np.searchsorted(rows[:, 0], np.arange(people + 1))
        return cls(starts, rows[:, 2], rows[:, 1], rows[:, 4], rows[:, 3].astype(np.bool_))

    def dates(self, person: int, number: int, rng: np.random.Generator) -> list[KnownEvent]:
        """Events with days of a person, drawn at random from any table; fewer if there are fewer."""
        own = np.arange(self.starts[person], self.starts[person + 1])
        some = rng.permutation(own[self.dated[own]])[:number].tolist()
        return [KnownEvent(int(self.event[at]), int(self.day[at])) for at in some]

    def drawn(self, person: int, numbers: Sequence[int], rng: np.random.Generator) -> list[KnownEvent]:
        """Events of a person, drawn at random: so many of each table, or all if there are fewer."""
        own = np.arange(self.starts[person], self.starts[person + 1])
        found: list[KnownEvent] = []
        for table, number in enumerate(numbers):
            there = own[self.table[own] == table]
            some = rng.permutation(there)[:number].tolist() if number else []
            found += [
                KnownEvent(int(self.event[at]), int(self.day[at]) if self.dated[at] else None) for at in some
            ]
        return found

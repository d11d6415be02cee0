"""Attacks on a release of linked tables, and the truth that judges them.

The adversary knows the quasi-identifiers and some true events of a person and links them to the released
people; tries to recover offsets of dates from weekdays, seasons and the period of the data; and looks for ids
and orders of rows that the release shares with the originals or between its tables. The key tells afterwards
who was right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text, plural
from reidrisk.engine.linked import NO_DAY, TableColumn
from reidrisk.errors import InvalidSetting
from reidrisk.relational.attack import (
    JoinLinkage,
    OffsetGuess,
    RelationalAttack,
    SharedIds,
    SharedOrder,
    TriedGuesses,
)
from reidrisk.relational.attack_knowledge import AttackKnowledge
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.people import People, people_of
from reidrisk.relational.plan import completed
from reidrisk.relational.protected import measure_written
from reidrisk.relational.risk import USUAL, RelationalRisk, by_table
from reidrisk.relational.verify import pseudonyms_of, read_treatment
from reidrisk.resynthesis.dates.shift import person_offsets, possible_offsets
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.offsets import DateHabits, guessed_offset, guessed_weekday
from reidrisk.stats.events.compositions import counts_of

TARGETS = 1000
IDS = ("person", "entity", "number")
"""Treatments that replace ids."""
CLUES: Mapping[str, tuple[str, ...]] = {
    "season": ("season",),
    "period of the data": ("period",),
    "weekday, season and period": ("weekday", "season", "period"),
}
NO_OFFSETS = "Dates were not moved by an offset of the key."
NO_DATES = "No event has a date that the adversary may know."


LEAST_PEOPLE = 10
"""In both of two tables whose orders are compared."""


def attack_release(  # noqa: PLR0913 - what is attacked, the truth, and what is known
    released: str | Path,
    database: Database,
    config: RelationalConfig,
    *,
    key: bytes,
    known: int | None = None,
    targets: int = TARGETS,
    threshold: Threshold | None = None,
    seed: int = 7,
) -> RelationalAttack:
    """Attack the folder of a release, and compare the success with the predicted risk."""
    if targets < 1:
        raise InvalidSetting(f"The number of targets cannot be {targets}.", hint="Try 1,000.")
    folder, limit = Path(released), threshold or USUAL
    treatment = read_treatment(folder)
    config = completed(database, config)
    knowledge = JoinKnowledge.of(config, known=known, seed=seed)
    risk, of = measure_written(folder, database, config, key, knowledge, limit)
    with _opened(folder, treatment) as opened:
        case = _Attack(database, opened, config, treatment, of, key, np.random.default_rng(seed))
        offsets, no_offsets = case.offsets(targets, knowledge.total)
        return RelationalAttack(
            place=path_text(released),
            against=database.place,
            risk=risk,
            threshold=limit,
            seed=seed,
            linkage=tuple(case.linkage(risk, targets)),
            offsets=offsets,
            no_offsets=no_offsets,
            ids=tuple(case.ids()),
            orders=tuple(case.orders()),
        )


def _opened(folder: Path, treatment: Mapping[str, Any]) -> Database:
    files = {table: str(folder / name) for table, name in treatment["tables"].items()}
    return Database.open(folder, files=files)


@dataclass(frozen=True)
class _Attack:
    """The attacks on one release."""

    database: Database
    opened: Database
    """The released tables."""
    config: RelationalConfig
    treatment: Mapping[str, Any] = field(repr=False)
    of: Ints = field(repr=False)
    """The place of each released person among the originals."""
    key: bytes = field(repr=False)
    rng: np.random.Generator

    @cached_property
    def released(self) -> People:
        """The released people and events."""
        return people_of(self.opened, self.config)

    @cached_property
    def knows(self) -> AttackKnowledge:
        """What the adversary may know of the originals, in the words of the release."""
        original = people_of(self.database, self.config)
        return AttackKnowledge.of(original, self.released, self.config, self.treatment)

    @cached_property
    def olds(self) -> list[str]:
        """The original keys of people."""
        return self.database.tables.person_keys(
            self.database.at(self.config.person), repeats=self.config.repeats
        )

    @cached_property
    def old_place(self) -> dict[str, int]:
        """By original key: the place among the originals."""
        return {old: place for place, old in enumerate(self.olds)}

    @cached_property
    def place_of(self) -> dict[str, int]:
        """By pseudonym: the same."""
        return {new: place for place, new in enumerate(pseudonyms_of(self.treatment, self.key, self.olds))}

    @cached_property
    def shift(self) -> Ints | None:
        """By original person: the offset of the key."""
        days = self.config.dates.offset
        return None if days is None else person_offsets(self.olds, self.key, days)

    def linkage(self, risk: RelationalRisk, targets: int) -> Iterator[JoinLinkage]:
        """Link targets by their class and by 0, 1, … events, and guess one of those who fit."""
        knows = self.knows
        for one in risk.exposure.found.by_known:
            composition = one.worst.composition
            numbers = counts_of(composition, max(1, len(self.released.tables))).tolist()
            right = nobody = 0
            for target in self.rng.integers(0, len(self.of), targets).tolist():
                old = int(self.of[target])
                known = knows.events.drawn(old, numbers, self.rng)
                fits = knows.released.fitting(int(knows.classes[old]), known)
                nobody += not len(fits)
                right += bool(len(fits)) and int(self.rng.choice(fits)) == target
            yield JoinLinkage(
                one.known,
                by_table(composition, self.released.tables),
                TriedGuesses(right, targets),
                nobody,
                one.worst.average,
                (one.worst.low, one.worst.high),
            )

    def offsets(self, targets: int, known: int) -> tuple[tuple[OffsetGuess, ...], str]:
        """Guess the offsets of people from their moved dates alone, and from a few true ones."""
        if self.shift is None:
            return (), NO_OFFSETS
        moved = self._moved_days()
        if not moved:
            return (), NO_DATES
        habits = DateHabits.of(np.concatenate([days - self.shift[old] for old, days in moved.items()]))
        days = self.config.dates.offset
        possible = np.array(possible_offsets(ResynthesisSettings(date_days=days or 0)), dtype=np.int64)
        people = self.rng.choice(np.array(list(moved)), min(targets, len(moved)), replace=False).tolist()
        weekday = sum(
            guessed_weekday(moved[old], habits, possible, self.rng) == int(self.shift[old]) % 7
            for old in people
        )
        found = [
            OffsetGuess(
                "weekday",
                "the offset up to whole weeks",
                TriedGuesses(weekday, len(people)),
                _chance(possible % 7),
            )
        ]
        for name, clues in CLUES.items():
            right = sum(
                guessed_offset(moved[old], habits, possible, self.rng, clues=clues) == int(self.shift[old])
                for old in people
            )
            found.append(
                OffsetGuess(
                    name, "the offset to the day", TriedGuesses(right, len(people)), _chance(possible)
                )
            )
        found += [self._from_known(people, number, _chance(possible)) for number in range(1, known + 1)]
        return tuple(found), ""

    def _from_known(self, people: list[int], number: int, chance: float) -> OffsetGuess:
        """Find a record by the quasi-identifiers and some true dates; its distance from them is the guess."""
        right = 0
        shift = self.shift if self.shift is not None else np.zeros(len(self.olds), dtype=np.int64)
        for old in people:
            known = self.knows.events.dates(old, number, self.rng)
            fits, shifts = self.knows.released.fitting_shifts(int(self.knows.classes[old]), known)
            if known and len(fits):
                who = self.rng.choice(np.unique(fits))
                right += int(self.rng.choice(shifts[fits == who])) == int(shift[old])
        clue = f"{plural(number, 'known date')} and quasi-identifiers"
        return OffsetGuess(
            clue, "the offset to the day", TriedGuesses(right, len(people)), chance, known=number
        )

    def _moved_days(self) -> dict[int, Ints]:
        """By original person: the days of events as released."""
        if self.released.day is None:
            return {}
        dated = self.released.day != NO_DAY
        person, day = self.of[self.released.person[dated]], self.released.day[dated]
        order = np.argsort(person, kind="stable")
        people, starts = np.unique(person[order], return_index=True)
        return dict(zip(people.tolist(), np.split(day[order], starts[1:]), strict=True))

    def ids(self) -> Iterator[SharedIds]:
        """Ids of the release that are ids of the originals, too, column by column."""
        old_links, new_links = self.database.owners(self.config), self.opened.owners(self.config)
        for row in self.treatment["columns"]:
            at = TableColumn(row["table"], row["column"])
            if row["action"] not in IDS or not (self.database.has(at) and self.opened.has(at)):
                continue
            owner: dict[str, set[int]] = {}
            for value, who in self.database.tables.owned_values(old_links, self.database.at(at)):
                owner.setdefault(value, set()).add(self.old_place.get(who, -1))
            new = self.opened.tables.owned_values(new_links, self.opened.at(at))
            equal = [(value, who) for value, who in new if value in owner]
            same = sum(self.place_of.get(who, -2) in owner[value] for value, who in equal)
            chance = (
                sum(len(owner[value]) for value, _ in equal) / len(equal) / len(self.olds) if equal else 0.0
            )
            yield SharedIds(str(at), len(new), len(equal), same, min(1.0, chance))

    def orders(self) -> Iterator[SharedOrder]:
        """The order of people in each table against the original one, and between tables."""
        old_links, new_links = self.database.owners(self.config), self.opened.owners(self.config)
        orders: dict[str, dict[int, int]] = {}
        for table in self.treatment["tables"]:
            if table not in new_links.owners or table not in self.opened.names:
                continue
            rows = self.opened.tables.first_rows(new_links, table)
            orders[table] = {self.place_of[who]: row for who, row in rows.items() if who in self.place_of}
            before = self.database.tables.first_rows(old_links, table)
            first = {self.old_place[who]: row for who, row in before.items() if who in self.old_place}
            yield from _compared(table, f"{table} (original)", orders[table], first)
        for one, other in combinations(orders, 2):
            yield from _compared(one, other, orders[one], orders[other])


def _chance(possible: Ints) -> float:
    """The most that a guess without any clue achieves: by far not all numbers are equally likely."""
    _, counts = np.unique(possible, return_counts=True)
    return float(counts.max() / counts.sum())


def _compared(one: str, other: str, first: dict[int, int], second: dict[int, int]) -> Iterator[SharedOrder]:
    """The correlation of ranks, if enough people are in both."""
    both = sorted(set(first) & set(second))
    if len(both) < LEAST_PEOPLE:
        return
    ranks = [np.argsort(np.argsort([order[person] for person in both])) for order in (first, second)]
    correlation = float(np.corrcoef(ranks[0], ranks[1])[0, 1])
    yield SharedOrder(one, other, len(both), correlation, min(1.0, 4 / (len(both) - 1) ** 0.5))

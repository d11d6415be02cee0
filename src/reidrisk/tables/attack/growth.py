"""How the success of an attack changes with the number of persons, for attacks on a sample.

Links get harder with more persons, so their success in a sample is an upper limit. That of singling out and
of inference may rise: more records tell more about a value. Both are therefore tried on half of the sample,
too. If they succeed more often with all of it, they gain as much with each further doubling, at most: what is
learned from more records of the same kind becomes less, not more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.tables.attack.data import AttackTables, Persons, Truth, owners_of
from reidrisk.tables.attack.draw import AttackDraw
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.success import AttackResult


def half_of(
    tables: AttackTables, truth: Truth, plan: AttackPlan, rng: np.random.Generator
) -> tuple[AttackTables, Truth]:
    """Return half of the persons, in both tables, with all their rows."""
    persons = tables.persons
    is_kept = rng.permutation(persons.number) < max(1, persons.number // 2)
    rows = np.flatnonzero(is_kept[persons.of])
    place = np.full(len(persons.of), -1, dtype=np.int64)
    place[rows] = np.arange(rows.size)
    person = truth.person if truth.person is not None else np.full(len(tables.released), -1, dtype=np.int64)
    strangers = rng.permutation(tables.units.number) < tables.units.number // 2
    of_known = is_kept[persons.of[np.maximum(person, 0)]]
    kept = np.flatnonzero(np.where(person >= 0, of_known, strangers[tables.units.of]))
    half = replace(
        tables,
        released=tables.released[kept],
        people=tables.people[rows],
        ids=None,
        persons=_renumbered(persons, rows),
        units=_renumbered(tables.units, kept),
    )
    own = np.where(person[kept] >= 0, place[np.maximum(person[kept], 0)], -1)
    return half, Truth(own, truth.by, owners_of(half, own, plan))


def _renumbered(persons: Persons, rows: Ints) -> Persons:
    if persons.is_rows:
        return Persons.rows(rows.size)
    return Persons.marked(persons.of[rows].astype(np.uint64))


UNKNOWN = (
    "Nobody in the sample can be singled out, but somebody in the whole release has values that nobody else "
    "has: the sample does not tell."
)


def with_allowance(
    results: Sequence[AttackResult], halves: Sequence[AttackResult], draw: AttackDraw
) -> tuple[AttackResult, ...]:
    """Return the results with what they may gain in the whole release, from which the sample was drawn."""
    return tuple(_allowed(one, half, draw) for one, half in zip(results, halves, strict=True))


def _allowed(whole: AttackResult, half: AttackResult, draw: AttackDraw) -> AttackResult:
    if whole.main is None:
        is_open = whole.is_impossible and draw.smallest == 1
        return replace(whole, is_impossible=False, reason=UNKNOWN, allowance=1.0) if is_open else whole
    now = whole.main.rate(whole.level).value
    before = 0.0 if half.main is None else half.main.rate(half.level).value
    return replace(whole, allowance=max(0.0, now - before) * log2(draw.factor))

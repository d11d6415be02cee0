"""Singling out: predicates that are true for exactly one released record, tried on people."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.columns import Compared
from reidrisk.stats.attack.predicates import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    Predicates,
    Sorted,
    joined,
    made_sorted,
    matches,
    on_others,
    on_release,
    size_correction,
)
from reidrisk.tables.attack.data import AttackTables, Codes, Persons, Truth
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.success import AttackResult, GuessCount

ROUNDS, PATIENCE = 40, 4
"""Largest number of batches tried, and of those tried although hardly any predicate singles out."""
LITTLE = 0.01
"""Share of a batch below which hardly any predicate singles out."""
SIZES = 8
"""Number of group sizes used to fit the correction for another size."""
DRAWS, ENOUGH = 20, 100_000
"""Number of groups drawn per size, and number of people above which one is enough."""
NOBODY = "No such predicate is true for exactly one released record: there is nobody to single out."


@dataclass(frozen=True, slots=True, eq=False)
class _Quasi:
    """The quasi-identifiers of all tables."""

    columns: tuple[Compared, ...] = field(repr=False)
    released: Sorted = field(repr=False)
    people: Sorted = field(repr=False)
    control: Sorted | None = field(repr=False)
    filled: Ints = field(repr=False)
    known: Ints = field(repr=False)
    """Number of values of each column in the other tables, without the empty cell."""
    is_rows: bool
    """Whether every row is a separate person."""

    @property
    def widths(self) -> Ints:
        """Number of values of each column in the other tables."""
        return np.array([one.cover.groups.shape[1] for one in self.columns], dtype=np.int64)

    def single_out_in(self, predicates: Predicates, table: Sorted) -> NDArray[np.bool_]:
        """Return which predicates are true for exactly one person."""
        conditions, groups = on_others(predicates, self.columns, self.known)
        return np.equal(matches(conditions, table, groups), 1)

    def single_out_in_release(self, predicates: Predicates) -> NDArray[np.bool_]:
        """Return which predicates are true for exactly one released record."""
        nothing = np.empty(0, dtype=np.int32)
        return np.equal(matches(on_release(predicates, self.filled), self.released, nothing), 1)


def single_out(
    tables: AttackTables, plan: AttackPlan, truth: Truth, rng: np.random.Generator
) -> tuple[AttackResult, AttackResult]:
    """Single out by one column alone and by several together; a person may have several rows."""
    at = tables.places(plan.quasi)
    columns = tables.chosen(plan.quasi)
    own = np.array([one.cover.layer.size for one in columns], dtype=np.int64)
    known = np.array([one.cover.groups.shape[1] for one in columns], dtype=np.int64)
    quasi = _Quasi(
        columns,
        made_sorted(tables.released[:, at], own, truth.owners.of),
        made_sorted(tables.people[:, at], known, tables.persons.of),
        _ready(tables.control, tables.control_persons, at, known),
        tables.filled[at],
        np.array([tables.domains[place].present for place in at], dtype=np.int64),
        plan.unit is None,
    )
    together = min(plan.together, len(at))
    alone = _rare(quasi, plan.guesses, rng)
    several = _draw_predicates(quasi, plan.guesses, together, rng)
    return (
        _judge(quasi, plan, "singling out by one column", alone, rng),
        _judge(quasi, plan, f"singling out by {together} columns together", several, rng),
    )


def _ready(rows: Codes | None, persons: Persons | None, at: list[int], widths: Ints) -> Sorted | None:
    return None if rows is None or persons is None else made_sorted(rows[:, at], widths, persons.of)


def _judge(
    quasi: _Quasi, plan: AttackPlan, name: str, predicates: Predicates, rng: np.random.Generator
) -> AttackResult:
    many = len(predicates)
    if not many:
        return AttackResult(name, plan.quasi, plan.level, reason=NOBODY, is_impossible=True)
    naive = _naive(quasi, many, predicates.column.shape[1], rng)
    return AttackResult(
        name,
        plan.quasi,
        plan.level,
        main=GuessCount(int(quasi.single_out_in(predicates, quasi.people).sum()), many),
        control=None if quasi.control is None else _control(quasi, predicates, quasi.control, rng),
        baseline=GuessCount(int(quasi.single_out_in(naive, quasi.people).sum()), many),
    )


def _control(quasi: _Quasi, predicates: Predicates, control: Sorted, rng: np.random.Generator) -> GuessCount:
    """Try the same predicates on people who are not in the release, corrected to the same number."""
    found = int(quasi.single_out_in(predicates, control).sum())
    persons, wanted = np.flatnonzero(np.bincount(control.person)), _persons(quasi.people)
    have = persons.size
    if have == wanted or not found:
        return GuessCount(found, len(predicates))
    sizes = np.unique(np.linspace(max(1, have // 5), have, SIZES).astype(np.int64))
    sizes = np.repeat(sizes, max(1, min(DRAWS, ENOUGH // have)))  # the fewer people, the more a draw matters
    successes = []
    for size in sizes.tolist():
        chosen = rng.choice(persons, size, replace=False)
        rows = chosen if have == len(control.codes) else np.flatnonzero(np.isin(control.person, chosen))
        some = made_sorted(control.codes[rows], quasi.widths, control.person[rows])
        successes.append(int(quasi.single_out_in(predicates, some).sum()))
    factor = size_correction(sizes.astype(np.float64), np.array(successes, float), wanted=wanted, have=have)
    return GuessCount(min(len(predicates), round(found * factor)), len(predicates))


def _persons(table: Sorted) -> int:
    return int(np.count_nonzero(np.bincount(table.person)))


def _rare(quasi: _Quasi, most: int, rng: np.random.Generator) -> Predicates:
    """Return values that only one record has, and extreme numbers that only one record has."""
    found = [np.empty((0, 3), dtype=np.int64)]
    for at, column in enumerate(quasi.columns):
        counts = _persons_by_value(quasi.released, at, int(quasi.filled[at]), is_rows=quasi.is_rows)
        alone = np.flatnonzero(counts == 1)
        found.append(np.stack([np.full_like(alone, at), np.full_like(alone, EQUAL), alone], axis=1))
        if column.is_ordered and quasi.filled[at]:
            ends = ((AT_MOST, 0), (AT_LEAST, int(quasi.filled[at]) - 1))
            found += [np.array([[at, relation, value]]) for relation, value in ends if counts[value] == 1]
    rows = np.concatenate(found).astype(np.int32)
    rows = rows[rng.choice(len(rows), min(most, len(rows)), replace=False)]
    return Predicates(rows[:, :1], rows[:, 1:2], rows[:, 2:])


def _persons_by_value(table: Sorted, at: int, values: int, *, is_rows: bool) -> Ints:
    """Count the persons with each value of a column."""
    codes = table.codes[:, at].astype(np.int64)
    if not is_rows:
        many = int(table.person.max(initial=0)) + 1
        codes = np.unique(codes * many + table.person) // many
    return np.bincount(codes, minlength=values)


def _draw_predicates(quasi: _Quasi, most: int, together: int, rng: np.random.Generator) -> Predicates:
    """Build distinct predicates from random records: numbers at least as extreme, categories equal."""
    kept: Predicates | None = None
    for done in range(ROUNDS):
        batch = _from_records(quasi, most, together, rng)
        fresh = batch.at(quasi.single_out_in_release(batch))
        kept = joined(kept, fresh) if kept is not None else joined(fresh)
        if len(kept) >= most or (done >= PATIENCE and len(kept) < LITTLE * most * (done + 1)):
            break
    return kept.at(np.arange(min(most, len(kept)))) if kept is not None else Predicates.none(together)


def _from_records(quasi: _Quasi, many: int, together: int, rng: np.random.Generator) -> Predicates:
    record = rng.integers(len(quasi.released.codes), size=(many, 1))
    column = _columns(quasi, many, together, rng)
    value = quasi.released.codes[record, column]
    relation = np.full(value.shape, EQUAL, dtype=np.int32)
    for at, one in enumerate(quasi.columns):
        if one.is_ordered and one.released is not None and quasi.filled[at]:
            mine = (column == at) & (value < quasi.filled[at])
            middle = np.nanmedian(one.released.middle[quasi.released.codes[:, at]])
            relation[mine] = np.where(one.released.middle[value[mine]] > middle, AT_LEAST, AT_MOST)
    return joined(Predicates(column, relation, value))


def _naive(quasi: _Quasi, many: int, together: int, rng: np.random.Generator) -> Predicates:
    """Build predicates from random columns, released values and relations."""
    column = _columns(quasi, many, together, rng)
    values = np.array([one.cover.layer.size for one in quasi.columns])
    value = (rng.random(column.shape) * values[column]).astype(np.int32)
    ordered = np.array([one.is_ordered for one in quasi.columns])[column] & (value < quasi.filled[column])
    relation = np.where(ordered, rng.integers(3, size=column.shape), EQUAL).astype(np.int32)
    return Predicates(column, relation, value)


def _columns(quasi: _Quasi, many: int, together: int, rng: np.random.Generator) -> Codes:
    """Draw some columns for each predicate, in order."""
    drawn = np.argsort(rng.random((many, len(quasi.columns))), axis=1)[:, :together]
    return np.sort(drawn, axis=1).astype(np.int32)

"""Distinct tuples that stay inside the database, counted at one node of the hierarchies at a time.

Every value gets a number whose leading bits are its general values, the highest level first. A node is then a
mask of bits, and its classes are a group-by of whole numbers, whatever the hierarchies look like. What was
counted is kept for a while: a coarser node is counted from the smallest table that is finer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.budget import room_for_cells, room_for_tuples, tuples_with_room
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import chosen, quoted
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.duckdb.tuple_sets import CodedPlace, hashed, packed_places
from reidrisk.engine.duckdb.tuples import VALUE, counts_of, length_of, values_of, with_counts
from reidrisk.engine.plans import DistinctTuples, LevelsOf
from reidrisk.engine.protocol import Sizes

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable

Masks = tuple[int, ...]
"""The bits of each packed number that a node looks at."""
FEWER = 4
"""A table of classes is kept for coarser nodes if it is smaller by this factor than what it was made from."""
MOST_KEPT = 16
"""Tables of counted nodes to keep."""


@dataclass(frozen=True, slots=True, eq=False)
class TreeNumbers:
    """Numbers for the values of a column: each level is told by their leading bits."""

    levels: tuple[NDArray[np.int32], ...] = field(repr=False)
    """By level, from the lowest permitted: the code of every value."""
    numbers: NDArray[np.int64] = field(repr=False)
    """By value; values that the lowest level joins have the same."""
    below: tuple[int, ...]
    """By level: the bits that tell only lower levels apart."""
    bits: int

    @classmethod
    def of(cls, levels: Sequence[NDArray[np.int32]]) -> TreeNumbers:
        """Number the children of each general value from 0, level by level."""
        order = np.lexsort(levels)
        numbers = np.zeros(len(order), dtype=np.int64)
        above = np.zeros(len(order), dtype=np.int64)
        widths: list[int] = []
        for level in reversed(levels):
            runs = _runs(level[order], above)
            first = runs[np.searchsorted(above, above)]
            child = runs - first
            width = int(child.max(initial=0)).bit_length()
            numbers, above = (numbers << width) | child, runs
            widths.insert(0, width)
        placed = np.empty_like(numbers)
        placed[order] = numbers
        below = tuple(sum(widths[:level]) for level in range(len(widths)))
        return cls(tuple(levels), placed, below, sum(widths))

    def known(self, level: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The leading bits that occur at a level, in order, and the first value that has each."""
        return np.unique(self.numbers >> self.below[level], return_index=True)


def _runs(codes: NDArray[np.int32], above: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the runs of equal codes; a new general value above begins a new run."""
    new = (np.diff(codes, prepend=codes[:1]) != 0) | (np.diff(above, prepend=above[:1]) != 0)
    return np.cumsum(new, dtype=np.int64)


@dataclass(slots=True, eq=False)
class KeptNode:
    """A table with the classes of a node: w0, w1, … and size."""

    name: str
    masks: Masks
    classes: int


@dataclass(slots=True, eq=False)
class DuckLeveledTuples:
    """Every node is counted exactly, on all records; only counts, a sample or one node's classes leave."""

    source: str
    session: Session = field(repr=False)
    columns: tuple[str, ...]
    values: tuple[NDArray[np.object_], ...] = field(repr=False)
    value_counts: tuple[NDArray[np.int64], ...] = field(repr=False)
    kept: tuple[str, ...] = field(repr=False)
    trees: tuple[TreeNumbers, ...] = field(repr=False)
    places: tuple[CodedPlace | None, ...] = field(repr=False)
    tables: list[KeptNode] = field(repr=False)
    """That of the lowest levels first; the others by their last use."""

    @property
    def records(self) -> int:
        """All of them."""
        return int(self.value_counts[0].sum())

    @property
    def tuples(self) -> int:
        """Distinct ones, at the lowest permitted levels."""
        return self.tables[0].classes

    @property
    def top(self) -> tuple[int, ...]:
        """The highest node."""
        return tuple(len(tree.levels) - 1 for tree in self.trees)

    @property
    def room(self) -> int:
        """How many tuples would fit in the budget now."""
        return tuples_with_room()

    def sizes(self, node: Sequence[int]) -> Sizes:
        """Pairs (size of class, number of such classes) at a node."""
        masks = self._masks(node)
        source = self._finer(masks)
        with without_values(self.source):
            if source.masks == masks or FEWER * self._possible(node) <= source.classes:
                classes = self._at(node)
            else:  # many classes are counted and not kept
                classes = _grouped(self.session.connection.table(source.name), masks)
            rows = classes.aggregate("size, count(*) AS n", "size").order("size").fetchall()
        return tuple((int(size), int(number)) for size, number in rows)

    def lost(self, node: Sequence[int], smallest: int) -> tuple[NDArray[np.int64], ...]:
        """Records in classes below a size: for each column, by the code of its level."""
        with without_values(self.source):
            small = self._at(node).filter(f"size < {smallest}")
            with self.session.kept_for_now(small) as rows:
                return tuple(self._by_code(rows, place, level) for place, level in enumerate(node))

    def cells(self, node: Sequence[int], one_in: int, *, seed: int) -> DistinctTuples:
        """The tuples of some classes of a node: each class with a chance of one in so many, as a whole."""
        chance = f"{hashed(self._masks(node), seed)} % {one_in} = 0"
        lowest = (0,) * len(self.columns)
        with without_values(self.source):
            return self._fetched(self.session.connection.table(self.tables[0].name).filter(chance), lowest)

    def at(self, node: Sequence[int]) -> DistinctTuples:
        """All classes of a node: recodable tuples whose values are the first of those that are joined."""
        with without_values(self.source):
            return self._fetched(self._at(node), node)

    def close(self) -> None:
        """Free the tuples; values stay recodable."""
        while self.tables:
            self.session.connection.execute(f"DROP TABLE {self.tables.pop().name}")

    def _at(self, node: Sequence[int]) -> DuckDBPyRelation:
        """The classes of a node, from the smallest table that is at least as fine."""
        masks = self._masks(node)
        source = self._finer(masks)
        if source.masks != masks:
            name = self.session.work_name()
            _grouped(self.session.connection.table(source.name), masks).create(name)
            made = KeptNode(name, masks, length_of(self.session.connection.table(name)))
            self._forget()
            self.tables.append(made)
            source = made
        elif source is not self.tables[0]:
            self.tables.remove(source)
            self.tables.append(source)
        return self.session.connection.table(source.name)

    def _finer(self, masks: Masks) -> KeptNode:
        finer = [
            one
            for one in self.tables
            if all(have & mask == mask for have, mask in zip(one.masks, masks, strict=True))
        ]
        return min(finer, key=lambda one: one.classes)

    def _possible(self, node: Sequence[int]) -> int:
        """How many classes a node can have, at most."""
        return prod(len(tree.known(level)[0]) for tree, level in zip(self.trees, node, strict=True))

    def _forget(self) -> None:
        """Drop what was not used for longest, if there are many tables or they hold too much."""
        most = self.tables[0].classes
        while len(self.tables) > MOST_KEPT or sum(one.classes for one in self.tables[1:]) > most:
            self.session.connection.execute(f"DROP TABLE {self.tables.pop(1).name}")

    def _masks(self, node: Sequence[int]) -> Masks:
        masks = [0] * len(self.tables[0].masks)
        for place, tree, level in zip(self.places, self.trees, node, strict=True):
            if place is not None:
                unseen = (1 << tree.below[level]) - 1
                masks[place.word] |= place.mask & ~(unseen << place.shift)
        return tuple(masks)

    def _leading(self, at: int, level: int) -> str:
        """SQL of the bits of a column that tell its level."""
        place, below = self.places[at], self.trees[at].below[level]
        if place is None:
            return "CAST(0 AS BIGINT)"
        return f"((w{place.word} & {place.mask}) >> {place.shift + below})"

    def _by_code(self, rows: DuckDBPyRelation, at: int, level: int) -> NDArray[np.int64]:
        found = rows.aggregate(f"{self._leading(at, level)} AS g, CAST(sum(size) AS BIGINT) AS n", "g")
        arrays, tree = found.fetchnumpy(), self.trees[at]
        leading, first = tree.known(level)
        codes = tree.levels[level]
        lost = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)
        lost[codes[first[np.searchsorted(leading, _whole(arrays["g"]))]]] = _whole(arrays["n"])
        return lost

    def _fetched(self, rows: DuckDBPyRelation, node: Sequence[int]) -> DistinctTuples:
        keys = [f"k{place}" for place in range(len(self.columns))]
        wanted = [f"CAST({self._leading(at, level)} AS BIGINT) AS k{at}" for at, level in enumerate(node)]
        with ExitStack() as stack:
            room = stack.enter_context(room_for_tuples(length_of(rows), self.columns, source=self.source))
            found = rows.project(", ".join([*wanted, "size"])).fetchnumpy()
            codes = np.empty((len(found["size"]), len(keys)), dtype=np.int32, order="F")
            for at, (key, tree, level) in enumerate(zip(keys, self.trees, node, strict=True)):
                leading, first = tree.known(level)
                codes[:, at] = first[np.searchsorted(leading, _whole(found.pop(key)))]
            order = np.lexsort(codes.T[::-1])
            tuples = DistinctTuples(
                self.columns,
                self.values,
                np.asfortranarray(codes[order]),
                _whole(found["size"])[order],
                self.kept,
                self.value_counts,
            )
            room.keep_for(tuples, left=tuples.codes.nbytes + tuples.counts.nbytes)
            self.session.rooms.append(room)
        return tuples


def leveled_tuples(table: DuckTable, columns: Iterable[str], levels: LevelsOf) -> DuckLeveledTuples:
    """Number the values by their levels and count the tuples, inside the database."""
    names = chosen(columns, table.columns, place=table.source)
    session = table.session
    with without_values(table.source), ExitStack() as stack:
        lists = tuple(session.kept(with_counts(table.relation, quoted(name))) for name in names)
        stack.enter_context(room_for_cells(sum(map(length_of, lists)), VALUE, source=table.source))
        values, counts = tuple(map(values_of, lists)), tuple(map(counts_of, lists))
        trees = tuple(
            TreeNumbers.of(levels(name, known, number))
            for name, known, number in zip(names, values, counts, strict=True)
        )
        places = packed_places([1 << tree.bits for tree in trees])
        whole = _counted(table, names, lists, trees, places)
        name = session.work_name()
        whole.create(name)
        masks = [0] * _words(places)
        for place in places:
            if place is not None:
                masks[place.word] |= place.mask
        first = KeptNode(name, tuple(masks), length_of(session.connection.table(name)))
    kept = tuple(one.alias for one in lists)
    return DuckLeveledTuples(table.source, session, names, values, counts, kept, trees, places, [first])


def _counted(
    table: DuckTable,
    names: Sequence[str],
    lists: Sequence[DuckDBPyRelation],
    trees: Sequence[TreeNumbers],
    places: Sequence[CodedPlace | None],
) -> DuckDBPyRelation:
    """The tuples as packed numbers w0, w1, … and their size."""
    session = table.session
    rows = table.relation.project(", ".join(f"{quoted(name)} AS c{at}" for at, name in enumerate(names)))
    terms: list[list[str]] = [["CAST(0 AS BIGINT)"] for _ in range(_words(places))]
    for at, (place, tree) in enumerate(zip(places, trees, strict=True)):
        if place is None:
            continue
        shifted = tree.numbers << place.shift
        pairs = session.from_arrays({"j": np.arange(len(shifted), dtype=np.int32), f"t{at}": shifted})
        known = session.kept(lists[at].join(pairs, "k = j").project(f"v AS v{at}, t{at}"))
        rows = rows.join(known, f"c{at} IS NOT DISTINCT FROM v{at}")
        terms[place.word].append(f"t{at}")
    words = [f"{' + '.join(term)} AS w{word}" for word, term in enumerate(terms)]
    groups = ", ".join(f"w{word}" for word in range(len(words)))
    return rows.project(", ".join(words)).aggregate(f"{groups}, count(*) AS size", groups)


def _grouped(rows: DuckDBPyRelation, masks: Masks) -> DuckDBPyRelation:
    words = ", ".join(f"w{word} & {mask} AS w{word}" for word, mask in enumerate(masks))
    groups = ", ".join(f"w{word}" for word in range(len(masks)))
    masked = rows.project(f"{words}, size")
    return masked.aggregate(f"{groups}, CAST(sum(size) AS BIGINT) AS size", groups)


def _words(places: Sequence[CodedPlace | None]) -> int:
    return 1 + max((place.word for place in places if place is not None), default=0)


def _whole(found: Any) -> NDArray[np.int64]:
    return np.asarray(found, dtype=np.int64)

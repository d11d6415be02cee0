"""Classes of many sets of columns, counted inside the database from tuples that are made once.

The codes of a tuple are packed into whole numbers of 60 bits, each column in bits of its own. A set of
columns is then a mask, and a sample of its classes follows from a hash of the masked numbers: all records of
a class are in the sample or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.classes import WHOLE, counted
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import chosen
from reidrisk.engine.duckdb.packed_tuples import PackedTuples
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.duckdb.types import at_place, numbered
from reidrisk.engine.protocol import Places, Sizes

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable


PRIME = 2**31 - 1
WORD, PIECE = 60, 30
"""Bits of a packed number, and of each half that is hashed; both halves' products fit in 63 bits."""
DAYS = "CASE WHEN isfinite({0}) THEN {0} - DATE '1970-01-01' END"
LEAST_VALUES = 16
"""Values of columns to draw, about, where they stand for others."""
MOST_CLUSTERS = 24
"""Tables of such values to keep."""
LARGE = 500_000
"""Tuples from which on smaller tables of them are worth keeping; fewer are counted in memory."""


@dataclass(frozen=True, slots=True)
class CodedPlace:
    """Where the code of a column is: its packed number, its first bit and its number of bits."""

    word: int
    shift: int
    bits: int

    @property
    def mask(self) -> int:
        """Its bits, all set."""
        return ((1 << self.bits) - 1) << self.shift


@dataclass(frozen=True, slots=True)
class KeptTuples:
    """A table of tuples of some columns."""

    name: str
    places: frozenset[int]
    tuples: int


@dataclass(slots=True, eq=False)
class DuckTupleSets:
    """The distinct tuples of a table, ready to be counted by any set of their columns."""

    source: str
    session: Session = field(repr=False)
    columns: tuple[str, ...]
    sizes: Sizes
    """The classes of all columns together."""
    coded: tuple[CodedPlace | None, ...]
    """None for a column with only one value, which cannot tell records apart."""
    kept: list[KeptTuples]
    """Those of all columns first."""
    room: int
    """Tuples that may still be kept."""
    packed: PackedTuples | None = field(default=None, repr=False)
    """Those of all columns in memory, once a question about them was asked."""
    clusters: dict[frozenset[int], str] = field(default_factory=dict)
    """By columns: the table of the tuples with some of their values, the one used last at the end."""

    @property
    def records(self) -> int:
        """Of the whole table."""
        return sum(size * number for size, number in self.sizes)

    @property
    def tuples(self) -> int:
        """Distinct ones."""
        return sum(number for _, number in self.sizes)

    @property
    def telling(self) -> Places:
        """Columns with more than one value."""
        return tuple(place for place, coded in enumerate(self.coded) if coded is not None)

    def alone(self, places: Iterable[int]) -> Sizes:
        """The classes if only these columns are known, from the smallest table that has them all."""
        wanted = frozenset(places) & frozenset(self.telling)
        if not wanted:
            return ((self.records, 1),)
        if len(wanted) == len(self.telling):
            return self.sizes
        smallest = min((one for one in self.kept if wanted <= one.places), key=lambda one: one.tuples)
        with without_values(self.source):
            if self.tuples < LARGE:
                return self._in_memory().counted(self._masks(wanted))
            if smallest.tuples < LARGE or self.room < smallest.tuples:
                return _pairs(self._grouped(smallest.name, wanted, "").aggregate("size, count(*)", "size"))
            return self._keeping(smallest, wanted)

    def has_unique(self, places: Iterable[int]) -> bool:
        """Whether these columns single somebody out: faster than the classes, but takes memory."""
        wanted = frozenset(places) & frozenset(self.telling)
        if not wanted:
            return self.records == 1
        with without_values(self.source):
            return self._in_memory().has_unique(self._masks(wanted))

    def _in_memory(self) -> PackedTuples:
        if self.packed is None:
            rows = self.session.connection.table(self.kept[0].name)
            self.packed = PackedTuples.of(rows, len(self._masks(())))
        return self.packed

    def sampled(self, places: Iterable[int], one_in: int, *, seed: int = 0) -> Sizes:
        """The same of a sample: each class is in it with a chance of one in so many, whole or not at all."""
        wanted = frozenset(places) & frozenset(self.telling)
        if not wanted:
            return ((self.records, 1),)
        with without_values(self.source):
            grouped = self._grouped(self.kept[0].name, wanted, self._drawn(wanted, one_in, seed))
            return _pairs(grouped.aggregate("size, count(*)", "size"))

    def possible(self, places: Iterable[int]) -> int:
        """How many classes there can be, at most, if only these columns are known."""
        return 1 << sum(self._bits(place) for place in places)

    def glimpsed(self, places: Iterable[int], one_in: int, *, seed: int = 0) -> Sizes:
        """Some whole classes, in no fair sample: those of some values of the columns with the most values.

        One small table then serves every set that has these columns.
        """
        wanted = sorted(frozenset(places) & frozenset(self.telling), key=lambda place: -self._bits(place))
        few = next(
            (wanted[:number] for number in range(1, len(wanted)) if self._enough(wanted[:number], one_in)),
            wanted,
        )
        with without_values(self.source):
            grouped = self._grouped(self._some(frozenset(few), one_in, seed), frozenset(wanted), "")
            return _pairs(grouped.aggregate("size, count(*)", "size"))

    def _enough(self, places: Sequence[int], one_in: int) -> bool:
        return self.possible(places) >= 2 * LEAST_VALUES * one_in

    def _some(self, places: frozenset[int], one_in: int, seed: int) -> str:
        """The name of the table of all tuples with some values of these columns."""
        if places in self.clusters:
            self.clusters[places] = self.clusters.pop(places)
            return self.clusters[places]
        if len(self.clusters) == MOST_CLUSTERS:
            oldest = next(iter(self.clusters))
            self.session.connection.execute(f"DROP TABLE {self.clusters.pop(oldest)}")
        name = self.session.work_name()
        rows = self.session.connection.table(self.kept[0].name)
        rows.filter(self._drawn(places, one_in, seed)).create(name)
        self.clusters[places] = name
        return name

    def _drawn(self, wanted: Iterable[int], one_in: int, seed: int) -> str:
        return f"{hashed(self._masks(wanted), seed)} % {one_in} = 0"

    def _bits(self, place: int) -> int:
        coded = self.coded[place]
        return 0 if coded is None else coded.bits

    def _keeping(self, parent: KeptTuples, wanted: frozenset[int]) -> Sizes:
        """Count, and keep the tuples for smaller sets if they are much fewer than those they are made of."""
        name = self.session.work_name()
        self._grouped(parent.name, wanted, "").create(name)
        made = self.session.connection.table(name)
        sizes = _pairs(made.aggregate("size, count(*)", "size"))
        tuples = sum(number for _, number in sizes)
        if tuples <= parent.tuples // 2:
            self.kept.append(KeptTuples(name, wanted, tuples))
            self.room -= tuples
        else:
            self.session.connection.execute(f"DROP TABLE {name}")
        return sizes

    def _grouped(self, name: str, wanted: frozenset[int], condition: str) -> DuckDBPyRelation:
        rows = self.session.connection.table(name)
        masks = self._masks(wanted)
        keys = [
            f"w{word} & {mask} AS w{word}" if mask else f"0 AS w{word}" for word, mask in enumerate(masks)
        ]
        groups = ", ".join(f"w{word} & {mask}" for word, mask in enumerate(masks) if mask)
        total = "CAST(sum(size) AS BIGINT) AS size"
        return (rows.filter(condition) if condition else rows).aggregate(", ".join([*keys, total]), groups)

    def _masks(self, wanted: Iterable[int]) -> list[int]:
        words = 1 + max(one.word for one in self.coded if one is not None)
        masks = [0] * words
        for place in wanted:
            one = self.coded[place]
            if one is not None:
                masks[one.word] |= one.mask
        return masks


@contextmanager
def tuple_sets(table: DuckTable, columns: Iterable[str]) -> Iterator[DuckTupleSets]:
    """Count the distinct tuples once; their memory is freed at the end."""
    names = chosen(columns, table.columns, place=table.source)
    with sets_of(table.session, counted(table, names), names, table.source) as found:
        yield found


@contextmanager
def sets_of(
    session: Session, tuples_of: DuckDBPyRelation, names: tuple[str, ...], source: str
) -> Iterator[DuckTupleSets]:
    """The same of tuples that are counted: columns c0, c1, … and size."""
    with ExitStack() as stack:
        with without_values(source), session.kept_for_now(tuples_of) as classes:
            sizes = _pairs(classes.aggregate("size, count(*)", "size"))
            codes = [_Codes.of(classes, place, session, stack) for place in range(len(names))]
            coded = packed_places([one.values for one in codes])
            packed = stack.enter_context(session.kept_for_now(_packed(classes, codes, coded)))
        tuples = sum(number for _, number in sizes)
        every = frozenset(place for place, one in enumerate(coded) if one is not None)
        whole = KeptTuples(packed.alias, every, tuples)
        found = DuckTupleSets(source, session, names, sizes, coded, [whole], 2 * tuples)
        try:
            yield found
        finally:
            for name in (*(one.name for one in found.kept[1:]), *found.clusters.values()):
                session.connection.execute(f"DROP TABLE {name}")


@dataclass(frozen=True, slots=True)
class _Codes:
    """How the values of a column become whole numbers from 0."""

    code: str
    """SQL of it."""
    values: int
    """Codes are below this number."""
    dictionary: DuckDBPyRelation | None = None

    @classmethod
    def of(cls, classes: DuckDBPyRelation, place: int, session: Session, stack: ExitStack) -> _Codes:
        """Whole numbers and days as their distance from the least; other values by their order."""
        column = f"c{place}"
        number = _as_number(column, str(classes.types[place]))
        if number is not None:
            low, high, cells, filled, counted_cells = classes.aggregate(
                f"min({number}), max({number}), count(*), count({number}), count({column})"
            ).fetchall()[0]
            if filled == counted_cells and (low is None or high - low < PRIME // 2):
                least, span = (0, 0) if low is None else (int(low), int(high - low) + 1)
                code = f"coalesce(CAST({number} AS BIGINT) - ({least}), {span})"
                return cls(code, span + (filled < cells))
        dictionary = stack.enter_context(session.kept_for_now(at_place(numbered(classes, column), place)))
        # The places of values are numbers of 32 bits, and the packed ones are not.
        return cls(f"CAST(k{place} AS BIGINT)", len(dictionary), dictionary)


def _as_number(column: str, kind: str) -> str | None:
    if kind in WHOLE:
        return column
    if kind == "BOOLEAN":
        return f"CAST({column} AS TINYINT)"
    return DAYS.format(column) if kind == "DATE" else None


def packed_places(values: Sequence[int]) -> tuple[CodedPlace | None, ...]:
    """Give each column its bits, in the first number that has room for them."""
    used: list[int] = []
    places: list[CodedPlace | None] = []
    for number in values:
        bits = (number - 1).bit_length() if number > 1 else 0
        if not bits:
            places.append(None)
            continue
        word = next((at for at, taken in enumerate(used) if taken + bits <= WORD), len(used))
        if word == len(used):
            used.append(0)
        places.append(CodedPlace(word, used[word], bits))
        used[word] += bits
    return tuple(places)


def _packed(
    classes: DuckDBPyRelation, codes: Sequence[_Codes], coded: Sequence[CodedPlace | None]
) -> DuckDBPyRelation:
    rows = classes
    for place, (one, at) in enumerate(zip(codes, coded, strict=True)):
        if at is not None and one.dictionary is not None:
            rows = rows.join(one.dictionary, f"c{place} IS NOT DISTINCT FROM v{place}")
    words = 1 + max((at.word for at in coded if at is not None), default=0)
    terms: list[list[str]] = [[] for _ in range(words)]
    for one, at in zip(codes, coded, strict=True):
        if at is not None:
            terms[at.word].append(f"({one.code}) * {1 << at.shift}")
    numbers = [f"CAST({' + '.join(term) or '0'} AS BIGINT) AS w{word}" for word, term in enumerate(terms)]
    return rows.project(", ".join([*numbers, "size"]))


def hashed(masks: Sequence[int], seed: int) -> str:
    """A number below the prime: the sum of code times factor, modulo the prime, as any engine computes it."""
    low = (1 << PIECE) - 1
    sums = [str(_factor(seed, -1))]
    for word, mask in enumerate(masks):
        pieces = ((f"w{word}", mask & low), (f"(w{word} >> {PIECE})", mask >> PIECE))
        products = [
            f"({code} & {bits}) * {_factor(seed, 2 * word + at)}"
            for at, (code, bits) in enumerate(pieces)
            if bits
        ]
        if products:
            sums = [f"({' + '.join([*sums, *products])}) % {PRIME}"]
    return f"({sums[0]})"


def _factor(seed: int, at: int) -> int:
    return 1 + int.from_bytes(sha256(f"{seed}|{at}".encode()).digest()[:8], "big") % (PRIME - 1)


def _pairs(rows: DuckDBPyRelation) -> Sizes:
    return tuple((int(size), int(number)) for size, number in rows.order("size").fetchall())

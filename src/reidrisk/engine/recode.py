"""Generalize and blank: what the search decided on distinct tuples, done to the records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.names import literal
from reidrisk.engine.session import Session
from reidrisk.engine.tuple_keys import TupleKeys
from reidrisk.engine.tuples import DistinctTuples

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

TEXT = "VARCHAR"
FEW = 65_000
"""Texts up to which a column is sorted in a shorter form."""
REMOVED = -1
"""The mask of a record that is left out as a whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Recode:
    """What each value of one quasi-identifier becomes."""

    codes: NDArray[np.int32] = field(repr=False)
    """The code of the generalized value, for each code of the distinct tuples."""
    labels: NDArray[np.object_] | None = field(repr=False)
    """The generalized value, for each code of the distinct tuples; None leaves the column, and its codes, as
    they are."""

    @property
    def only(self) -> str | None:
        """The one label that every value has; None if there are several."""
        if self.labels is None or not len(self.labels) or self.type != TEXT:
            return None
        first = self.labels[0]
        return first if first is not None and all(label == first for label in self.labels) else None

    @property
    def type(self) -> str:
        """The database's type of the labels."""
        whole = self.labels is not None and all(
            isinstance(label, int | np.integer) for label in self.labels if label is not None
        )
        return "BIGINT" if whole else TEXT


@dataclass(frozen=True, slots=True, eq=False)
class Blanks:
    """Which cells are lost, by generalized tuple; tuples that are not named lose none."""

    codes: NDArray[np.int32] = field(repr=False)
    """One row for each tuple and mask, one column for each quasi-identifier."""
    masks: NDArray[np.int64]
    """Bit i is the i-th quasi-identifier; REMOVED is the whole record."""
    numbers: NDArray[np.int64]
    """Records of the tuple with this mask; the rows of one tuple follow each other."""

    def leave_every_value(self, place: int, recode: Recode, tuples: DistinctTuples) -> bool:
        """Whether each generalized value of a quasi-identifier still stands in some record."""
        had = np.bincount(recode.codes[tuples.codes[:, place]], tuples.counts)
        gone = (self.masks == REMOVED) | ((self.masks >> place) & 1 == 1)
        lost = np.bincount(self.codes[gone, place], self.numbers[gone], had.size)
        return bool((lost[had > 0] < had[had > 0]).all())


def recoded(
    session: Session,
    rows: DuckDBPyRelation,
    tuples: DistinctTuples,
    recodes: Sequence[Recode],
    blanks: Blanks,
) -> DuckDBPyRelation:
    """The rows (key `n`, values c0, c1, …) with their new values l0, l1, … and `mask`.

    Which records of one generalized tuple lose cells, where not all of them do, follows from a hash of
    their keys and has nothing to do with their values.
    """
    wide, some = rows, len(blanks.masks) > 0
    labels = _all_labels(session, recodes)
    for place, (recode, numbered) in enumerate(zip(recodes, tuples.numbered, strict=True)):
        if recode.only is not None:
            wide = wide.project(f"*, 0 AS g{place}, {literal(recode.only)} AS l{place}")
            continue
        short = _short_values(session, numbered, tuples.values[place]) if recode.labels is None else None
        if short is not None:
            # The short type counts its texts as the tuples do; what is missing comes last.
            last = len(recode.codes) - 1
            wide = wide.project(f"*, CAST(c{place} AS {short}) AS l{place}")
            wide = wide.project(f"*, coalesce(enum_code(l{place}), {last}) AS g{place}")
            continue
        kind = None
        if recode.labels is not None:
            named = any(label is not None for label in recode.labels)
            kind = _short_labels(session, labels, place) if recode.type == TEXT and named else recode.type
        if some or kind is not None:
            mapping = session.kept(_mapping(numbered, labels, place, kind))
            # Every value is in the mapping; where none is missing, numbers are looked up without hashing.
            same = "IS NOT DISTINCT FROM" if tuples.values[place][-1] is None else "="
            wide = wide.join(mapping, f"c{place} {same} v{place}")
        if kind is None:
            wide = wide.project(f"*, c{place} AS l{place}")
    if not some:
        return wide.project("*, CAST(0 AS BIGINT) AS mask")
    return _masked(session, wide, recodes, blanks)


def _masked(
    session: Session, wide: DuckDBPyRelation, recodes: Sequence[Recode], blanks: Blanks
) -> DuckDBPyRelation:
    together, apart = _divided(_constants_as_zero(blanks, recodes))
    keys = TupleKeys(tuple(int(recode.codes.max(initial=0)) + 1 for recode in recodes))
    wide = wide.project(f"*, {keys.expression('g')} AS gkey") if keys.packed else wide
    wide = wide.join(session.kept(together.relation(session, "t", keys)), keys.same("t"), how="left")
    masks = ["tmask"]
    if len(apart.masks):
        singled = session.kept(_singled(session, wide, apart, keys))
        wide = wide.join(singled, "n = sn", how="left")
        masks.insert(0, "smask")
    return wide.project(f"*, CAST(coalesce({', '.join([*masks, '0'])}) AS BIGINT) AS mask")


def _constants_as_zero(blanks: Blanks, recodes: Sequence[Recode]) -> Blanks:
    """A column with one label has the code 0, whatever its hierarchy says."""
    codes = blanks.codes.copy()
    for place, recode in enumerate(recodes):
        if recode.only is not None:
            codes[:, place] = 0
    return replace(blanks, codes=codes)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some rows of the blanks, with the ranks of the records that they are for."""

    codes: NDArray[np.int32]
    masks: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    def relation(self, session: Session, name: str, keys: TupleKeys) -> DuckDBPyRelation:
        columns = keys.arrays(self.codes, name)
        extra = {f"{name}mask": self.masks, f"{name}first": self.first, f"{name}last": self.last}
        return session.from_arrays(columns | extra)


def _divided(blanks: Blanks) -> tuple[_Part, _Part]:
    """Tuples whose records all have one mask, and those whose records do not."""
    new = np.ones(len(blanks.masks), dtype=bool)
    new[1:] = (blanks.codes[1:] != blanks.codes[:-1]).any(axis=1)
    tuple_of = np.cumsum(new) - 1
    after = np.cumsum(blanks.numbers)
    start = (after - blanks.numbers)[new]
    first = after - blanks.numbers - start[tuple_of] + 1
    last = after - start[tuple_of]
    alone = np.bincount(tuple_of)[tuple_of] == 1

    def part(which: NDArray[np.bool_]) -> _Part:
        return _Part(blanks.codes[which], blanks.masks[which], first[which], last[which])

    return part(alone), part(~alone)


def _singled(session: Session, wide: DuckDBPyRelation, apart: _Part, keys: TupleKeys) -> DuckDBPyRelation:
    """The mask of every record of the tuples whose records differ."""
    mine = keys.columns("g")
    named = session.kept(apart.relation(session, "a", keys))
    few = wide.project(", ".join(["n", *mine])).join(
        named.project(", ".join(keys.columns("a"))).distinct(), keys.same("a"), how="semi"
    )
    # By values the records that keep theirs would be those with the least: the range of the others told.
    order = "sha256(CAST(n AS VARCHAR)), n"
    ranked = few.project(f"*, row_number() OVER (PARTITION BY {', '.join(mine)} ORDER BY {order}) AS rank")
    within = f"{keys.same('a')} AND rank BETWEEN afirst AND alast"
    return ranked.join(named, within).project("n AS sn, amask AS smask")


def _mapping(
    numbered: DuckDBPyRelation, labels: DuckDBPyRelation, place: int, kind: str | None
) -> DuckDBPyRelation:
    """Values v of a column with the code g and, where it changes, the label l."""
    value, code = numbered.columns
    kept = [f"{value} AS v{place}", f"g AS g{place}"]
    if kind is not None:
        kept.append(f"CAST(x AS {kind}) AS l{place}")
    mine = labels.filter(f"place = {place}")
    return numbered.join(mine, f"{code} = j").project(", ".join(kept))


def _all_labels(session: Session, recodes: Sequence[Recode]) -> DuckDBPyRelation:
    """The codes and labels of all columns in one table."""
    parts = [
        (np.full(len(one.codes), place), np.arange(len(one.codes)), one.codes, _texts_of(one))
        for place, one in enumerate(recodes)
    ]
    places, values, codes, labels = (np.concatenate(column) for column in zip(*parts, strict=True))
    return session.from_arrays({"place": places, "j": values, "g": codes, "x": labels})


def _texts_of(recode: Recode) -> NDArray[np.object_]:
    return (
        np.full(len(recode.codes), None, dtype=np.object_) if recode.labels is None else texts(recode.labels)
    )


def _short(session: Session, texts_of: str) -> str:
    """A type that holds the texts of a query in a byte or two each: rows that are sorted move less."""
    name = session.work_name()
    session.connection.execute(f"CREATE TYPE {name} AS ENUM ({texts_of})")
    return name


def _short_labels(session: Session, labels: DuckDBPyRelation, place: int) -> str:
    query = f"SELECT DISTINCT x FROM {labels.alias} WHERE place = {place} AND x IS NOT NULL ORDER BY x"  # noqa: S608
    return _short(session, query)


def _short_values(session: Session, numbered: DuckDBPyRelation, values: NDArray[np.object_]) -> str | None:
    """The short type of a column of few texts; None if it has others, many or none at all."""
    named = [value for value in values if value is not None]
    if len(values) > FEW or not named or not all(isinstance(value, str) for value in named):
        return None
    column = numbered.columns[0]
    query = f"SELECT {column} FROM {numbered.alias} WHERE {column} IS NOT NULL ORDER BY {column}"  # noqa: S608
    return _short(session, query)


def texts(labels: NDArray[np.object_]) -> NDArray[np.object_]:
    """Labels as texts or None: what the database reads from an array of objects."""
    found = np.empty(len(labels), dtype=np.object_)
    found[:] = [None if label is None else str(label) for label in labels]
    return found

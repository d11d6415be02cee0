"""Generalize and blank: what the search decided on distinct tuples, done to the records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.session import Session
from reidrisk.engine.tuples import DistinctTuples

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

REMOVED = -1
"""The mask of a record that is left out as a whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Recode:
    """What each value of one quasi-identifier becomes."""

    codes: NDArray[np.int32] = field(repr=False)
    """The code of the generalized value, for each code of the distinct tuples."""
    labels: NDArray[np.object_] | None = field(repr=False)
    """The generalized value, for each code of the distinct tuples; None leaves the column as it is."""

    @property
    def type(self) -> str:
        """The database's type of the labels."""
        whole = self.labels is not None and all(
            isinstance(label, int | np.integer) for label in self.labels if label is not None
        )
        return "BIGINT" if whole else "VARCHAR"


@dataclass(frozen=True, slots=True, eq=False)
class Blanks:
    """Which cells are lost, by generalized tuple; tuples that are not named lose none."""

    codes: NDArray[np.int32] = field(repr=False)
    """One row for each tuple and mask, one column for each quasi-identifier."""
    masks: NDArray[np.int64]
    """Bit i is the i-th quasi-identifier; REMOVED is the whole record."""
    numbers: NDArray[np.int64]
    """Records of the tuple with this mask; the rows of one tuple follow each other."""


def recoded(
    session: Session,
    rows: DuckDBPyRelation,
    tuples: DistinctTuples,
    recodes: Sequence[Recode],
    blanks: Blanks,
) -> DuckDBPyRelation:
    """The rows (key `n`, values c0, c1, …) with their new values l0, l1, … and `mask`.

    Records of one generalized tuple that do not all lose the same cells are told apart by their order:
    that of the distinct tuples, then that of the keys.
    """
    wide, some = rows, len(blanks.masks) > 0
    for place, (recode, numbered) in enumerate(zip(recodes, tuples.numbered, strict=True)):
        if some or recode.labels is not None:
            mapping = session.kept(_mapping(session, numbered, place, recode))
            wide = wide.join(mapping, f"c{place} IS NOT DISTINCT FROM v{place}", how="left")
        if recode.labels is None:
            wide = wide.project(f"*, c{place} AS l{place}")
    if not some:
        return wide.project("*, CAST(0 AS BIGINT) AS mask")
    together, apart = _divided(blanks)
    wide = wide.join(session.kept(together.relation(session, "t")), _same("t", len(recodes)), how="left")
    masks = ["tmask"]
    if len(apart.masks):
        singled = session.kept(_singled(session, wide, apart))
        wide = wide.join(singled, "n = sn", how="left")
        masks.insert(0, "smask")
    return wide.project(f"*, CAST(coalesce({', '.join([*masks, '0'])}) AS BIGINT) AS mask")


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some rows of the blanks, with the ranks of the records that they are for."""

    codes: NDArray[np.int32]
    masks: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    def relation(self, session: Session, name: str) -> DuckDBPyRelation:
        columns = {f"{name}{place}": column for place, column in enumerate(self.codes.T)}
        extra = {f"{name}mask": self.masks, f"{name}first": self.first, f"{name}last": self.last}
        return from_arrays(session, columns | extra)


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


def _singled(session: Session, wide: DuckDBPyRelation, apart: _Part) -> DuckDBPyRelation:
    """The mask of every record of the tuples whose records differ."""
    columns = len(apart.codes.T)
    keys = [f"g{place}" for place in range(columns)]
    named = session.kept(apart.relation(session, "a"))
    values = [f"c{place}" for place in range(columns)]
    few = wide.project(", ".join(["n", *keys, *values])).join(
        named.project(", ".join(f"a{place}" for place in range(columns))).distinct(),
        _same("a", columns),
        how="semi",
    )
    order = ", ".join([*(f"{value} NULLS LAST" for value in values), "n"])
    ranked = few.project(f"*, row_number() OVER (PARTITION BY {', '.join(keys)} ORDER BY {order}) AS rank")
    within = f"{_same('a', columns)} AND rank BETWEEN afirst AND alast"
    return ranked.join(named, within).project("n AS sn, amask AS smask")


def _same(name: str, columns: int) -> str:
    return " AND ".join(f"g{place} = {name}{place}" for place in range(columns))


def _mapping(session: Session, numbered: DuckDBPyRelation, place: int, recode: Recode) -> DuckDBPyRelation:
    """Values v of a column with the code g and, where it changes, the label l."""
    value, code = numbered.columns
    arrays: dict[str, NDArray[Any]] = {f"j{place}": np.arange(len(recode.codes)), f"g{place}": recode.codes}
    kept = [f"{value} AS v{place}", f"g{place}"]
    if recode.labels is not None:
        arrays[f"x{place}"] = texts(recode.labels)
        kept.append(f"CAST(x{place} AS {recode.type}) AS l{place}")
    labels = from_arrays(session, arrays)
    return numbered.join(labels, f"{code} = j{place}").project(", ".join(kept))


def texts(labels: NDArray[np.object_]) -> NDArray[np.object_]:
    """Labels as texts or None: what the database reads from an array of objects."""
    found = np.empty(len(labels), dtype=np.object_)
    found[:] = [None if label is None else str(label) for label in labels]
    return found


def from_arrays(session: Session, arrays: Mapping[str, NDArray[Any]]) -> DuckDBPyRelation:
    """Arrays as a table of the connection."""
    name = session.work_name()
    session.connection.register(name, {key: np.ascontiguousarray(array) for key, array in arrays.items()})
    try:
        return session.kept(session.connection.view(name))
    finally:
        session.connection.unregister(name)

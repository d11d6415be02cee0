"""Generalize and blank: what the search decided on distinct tuples, done to the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.duckdb.names import literal
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.duckdb.tuples import kept_codes
from reidrisk.engine.duckdb.types import TYPES
from reidrisk.engine.plans import (
    Blanks,
    DistinctTuples,
    RankedBlanks,
    Recode,
    TupleKeys,
    TupleRecode,
    is_float,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


FEW = 65_000
"""Texts up to which a column is sorted in a shorter form."""


def recoded(
    session: Session,
    rows: DuckDBPyRelation,
    tuples: DistinctTuples,
    recodes: Sequence[Recode],
    blanks: Blanks,
    draw: str,
) -> DuckDBPyRelation:
    """The rows (key `n`, values c0, c1, …) with their new values l0, l1, … and `mask`.

    Which records of one generalized tuple lose cells, where not all of them do, follows from the hash `draw`
    of their keys or whole contents, and has nothing to do with the values that are lost.
    """
    wide, some = rows, len(blanks.masks) > 0
    labels = _all_labels(session, recodes)
    for place, (recode, numbered) in enumerate(zip(recodes, kept_codes(session, tuples), strict=True)):
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
            short_text = recode.kind == "text" and named
            kind = _short_labels(session, labels, place) if short_text else TYPES[recode.kind]
        if some or kind is not None:
            mapping = session.kept(_mapping(numbered, labels, place, kind))
            # Every value is in the mapping; where none is missing, numbers are looked up without hashing.
            same = "IS NOT DISTINCT FROM" if tuples.values[place][-1] is None else "="
            wide = wide.join(mapping, f"c{place} {same} v{place}")
        if kind is None:
            wide = wide.project(f"*, c{place} AS l{place}")
    if not some:
        return wide.project("*, CAST(0 AS BIGINT) AS mask")
    return _masked(session, wide, recodes, blanks, draw)


def _masked(
    session: Session, wide: DuckDBPyRelation, recodes: Sequence[Recode], blanks: Blanks, draw: str
) -> DuckDBPyRelation:
    together, apart = blanks.with_constants(tuple(recodes)).divided()
    keys = TupleKeys(tuple(int(recode.codes.max(initial=0)) + 1 for recode in recodes))
    wide = wide.project(f"*, {_key_of_codes(keys)} AS gkey") if keys.packed else wide
    wide = wide.join(session.kept(_table_of(session, together, "t", keys)), _same(keys, "t"), how="left")
    masks = ["tmask"]
    if len(apart.masks):
        singled = session.kept(_singled(session, wide, apart, keys, draw))
        wide = wide.join(singled, "n = sn", how="left")
        masks.insert(0, "smask")
    return wide.project(f"*, CAST(coalesce({', '.join([*masks, '0'])}) AS BIGINT) AS mask")


def _key_of_codes(keys: TupleKeys) -> str:
    """SQL of the key of a row whose codes are g0, g1, …"""
    return " + ".join(f"CAST(g{place} AS BIGINT) * {by}" for place, by in enumerate(keys.strides))


def _same(keys: TupleKeys, name: str) -> str:
    """SQL of whether a row, whose codes are g0, g1, … or gkey, has a tuple of the table with this name."""
    pairs = zip(keys.columns("g"), keys.columns(name), strict=True)
    return " AND ".join(f"{left} = {right}" for left, right in pairs)


def _table_of(session: Session, blanks: RankedBlanks, name: str, keys: TupleKeys) -> DuckDBPyRelation:
    columns = keys.arrays(blanks.codes, name)
    extra = {f"{name}mask": blanks.masks, f"{name}first": blanks.first, f"{name}last": blanks.last}
    return session.from_arrays(columns | extra)


def _singled(
    session: Session, wide: DuckDBPyRelation, apart: RankedBlanks, keys: TupleKeys, draw: str
) -> DuckDBPyRelation:
    """The mask of every record of the tuples whose records differ."""
    mine = keys.columns("g")
    named = session.kept(_table_of(session, apart, "a", keys))
    some = named.project(", ".join(keys.columns("a"))).distinct()
    few = wide.join(some, _same(keys, "a"), how="semi").project(", ".join(["n", *mine, f"{draw} AS h"]))
    # By values the records that keep theirs would be those with the least: the range of the others told.
    order = "h, n"
    ranked = few.project(f"*, row_number() OVER (PARTITION BY {', '.join(mine)} ORDER BY {order}) AS rank")
    within = f"{_same(keys, 'a')} AND rank BETWEEN afirst AND alast"
    return ranked.join(named, within).project("n AS sn, amask AS smask")


def _mapping(
    numbered: DuckDBPyRelation, labels: DuckDBPyRelation, place: int, kind: str | None
) -> DuckDBPyRelation:
    """Values v of a column with the code g and, where it changes, the label l."""
    kept = [f"v AS v{place}", f"g AS g{place}"]
    if kind is not None:
        kept.append(f"CAST(x AS {kind}) AS l{place}")
    mine = labels.filter(f"place = {place}")
    return numbered.join(mine, "k = j").project(", ".join(kept))


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
    query = f"SELECT v FROM {numbered.alias} WHERE v IS NOT NULL ORDER BY v"  # noqa: S608
    return _short(session, query)


def texts(labels: NDArray[np.object_]) -> NDArray[np.object_]:
    """Labels as texts or None: what the database reads from an array of objects."""
    found = np.empty(len(labels), dtype=np.object_)
    found[:] = [None if label is None else str(label) for label in labels]
    return found


def recoded_by_tuple(
    session: Session, rows: DuckDBPyRelation, tuples: DistinctTuples, recode: TupleRecode
) -> DuckDBPyRelation:
    """The rows (key `n`, values c0, c1, …) with their new values l0, l1, … and `mask`."""
    wide = rows
    for place, numbered in enumerate(kept_codes(session, tuples)):
        mapping = session.kept(numbered.project(f"v AS v{place}, k AS g{place}"))
        same = "IS NOT DISTINCT FROM" if tuples.values[place][-1] is None else "="
        wide = wide.join(mapping, f"c{place} {same} v{place}")
    keys = TupleKeys(tuple(len(values) for values in tuples.values))
    wide = wide.project(f"*, {_key_of_codes(keys)} AS gkey") if keys.packed else wide
    wide = wide.join(_released(session, tuples, recode, keys), _same(keys, "t"))
    kept = [f"c{place} AS l{place}" for place, labels in enumerate(recode.labels) if labels is None]
    return wide.project(", ".join(["*", *kept]))


def _spelled(labels: NDArray[np.object_]) -> NDArray[np.object_]:
    """Truth and zero as the database spells them."""
    found = np.empty(len(labels), dtype=np.object_)
    found[:] = [
        str(label).lower() if isinstance(label, bool) else 0.0 if label == 0 and is_float(label) else label
        for label in labels
    ]
    return found


def _released(
    session: Session, tuples: DistinctTuples, recode: TupleRecode, keys: TupleKeys
) -> DuckDBPyRelation:
    """One row a tuple: its key, its new values l0, l1, … and its mask."""
    codes = {f"e{place}": np.ascontiguousarray(column) for place, column in enumerate(recode.codes.T)}
    made = session.from_arrays(keys.arrays(tuples.codes, "t") | codes | {"mask": recode.masks})
    for place, (labels, kind) in enumerate(zip(recode.labels, recode.kinds, strict=True)):
        if labels is None:
            continue
        said = texts(_spelled(labels))
        listed = session.from_arrays({f"j{place}": np.arange(len(labels)), f"x{place}": said})
        short = listed.project(f"j{place}, CAST(x{place} AS {TYPES[kind or 'text']}) AS l{place}")
        made = made.join(session.kept(short), f"e{place} = j{place}")
    new = [f"l{place}" for place, labels in enumerate(recode.labels) if labels is not None]
    return session.kept(made.project(", ".join([*keys.columns("t"), *new, "mask"])))

"""Every distinct tuple becomes another one of its own: what no recoding of single columns can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.recode import TEXT, texts
from reidrisk.engine.session import Session
from reidrisk.engine.tuple_keys import TupleKeys
from reidrisk.engine.tuples import DistinctTuples

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


@dataclass(frozen=True, eq=False)
class TupleRecode:
    """What each distinct tuple becomes."""

    labels: tuple[NDArray[np.object_] | None, ...] = field(repr=False)
    """For each column the values that are released; None leaves the column as it is."""
    codes: NDArray[np.int32] = field(repr=False)
    """One row a tuple, one column a column: the place in `labels`."""
    masks: NDArray[np.int64] = field(repr=False)
    """For each tuple the cells that are lost: bit i is the i-th column; REMOVED is the whole record."""

    @cached_property
    def types(self) -> tuple[str | None, ...]:
        """The database's type of each column; None if it is as it was."""
        return tuple(None if labels is None else type_of(labels) for labels in self.labels)


def type_of(labels: NDArray[np.object_]) -> str:
    """The narrowest type of the database that holds all labels."""
    known = [label for label in labels if label is not None]
    return next((kind for kind, fits in TYPES.items() if all(map(fits, known))), TEXT)


def _is_whole(label: Any) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool)


def _is_float(label: Any) -> bool:
    return isinstance(label, float | np.floating)


def _is_number(label: Any) -> bool:
    return _is_whole(label) or _is_float(label)


def _is_date(label: Any) -> bool:
    return isinstance(label, date) and not isinstance(label, datetime)


def _is_moment(label: Any) -> bool:
    return isinstance(label, datetime) and label.tzinfo is None


TYPES: dict[str, Callable[[Any], bool]] = {
    "BIGINT": _is_whole,
    "DOUBLE": _is_number,
    "DATE": _is_date,
    "TIMESTAMP": _is_moment,
}


def recoded_by_tuple(
    session: Session, rows: DuckDBPyRelation, tuples: DistinctTuples, recode: TupleRecode
) -> DuckDBPyRelation:
    """The rows (key `n`, values c0, c1, …) with their new values l0, l1, … and `mask`."""
    wide = rows
    for place, numbered in enumerate(tuples.numbered):
        value, code = numbered.columns
        mapping = session.kept(numbered.project(f"{value} AS v{place}, {code} AS g{place}"))
        same = "IS NOT DISTINCT FROM" if tuples.values[place][-1] is None else "="
        wide = wide.join(mapping, f"c{place} {same} v{place}")
    keys = TupleKeys(tuple(len(values) for values in tuples.values))
    wide = wide.project(f"*, {keys.expression('g')} AS gkey") if keys.packed else wide
    wide = wide.join(_released(session, tuples, recode, keys), keys.same("t"))
    kept = [f"c{place} AS l{place}" for place, labels in enumerate(recode.labels) if labels is None]
    return wide.project(", ".join(["*", *kept]))


def _spelled(labels: NDArray[np.object_]) -> NDArray[np.object_]:
    """Truth and zero as the database spells them."""
    found = np.empty(len(labels), dtype=np.object_)
    found[:] = [
        str(label).lower() if isinstance(label, bool) else 0.0 if label == 0 and _is_float(label) else label
        for label in labels
    ]
    return found


def _released(
    session: Session, tuples: DistinctTuples, recode: TupleRecode, keys: TupleKeys
) -> DuckDBPyRelation:
    """One row a tuple: its key, its new values l0, l1, … and its mask."""
    codes = {f"e{place}": np.ascontiguousarray(column) for place, column in enumerate(recode.codes.T)}
    made = session.from_arrays(keys.arrays(tuples.codes, "t") | codes | {"mask": recode.masks})
    for place, (labels, kind) in enumerate(zip(recode.labels, recode.types, strict=True)):
        if labels is None:
            continue
        said = texts(_spelled(labels))
        listed = session.from_arrays({f"j{place}": np.arange(len(labels)), f"x{place}": said})
        short = listed.project(f"j{place}, CAST(x{place} AS {kind}) AS l{place}")
        made = made.join(session.kept(short), f"e{place} = j{place}")
    new = [f"l{place}" for place, labels in enumerate(recode.labels) if labels is not None]
    return session.kept(made.project(", ".join([*keys.columns("t"), *new, "mask"])))

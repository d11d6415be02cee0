"""The table that goes out: recoded records, applied back to every row."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.recode import recoded, recoded_by_tuple
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.duckdb.types import DIGITS, FLOATS, TEXT, TYPES, cell_text, row_hash
from reidrisk.engine.plans import REMOVED, ReleasedOrder, ReleasePlan
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable

BLOCK = 64
"""Bytes of a block of SHA-256 (RFC 2104)."""
LENGTH = 24
"""Hexadecimal digits kept: 96 bits, so that a million people share none."""


def arm(session: Session, key: bytes) -> None:
    """Give the connection the key, in the two forms that HMAC needs.

    As numbers in an array: the key stands in no statement, and no parameter makes the database load pandas.
    """
    padded = (hashlib.sha256(key).digest() if len(key) > BLOCK else key).ljust(BLOCK, b"\0")
    numbers = np.frombuffer(padded, dtype=np.uint8)
    place, given = np.arange(BLOCK, dtype=np.int32), session.work_name()
    connection = session.connection
    with without_values("The key"):
        connection.register(given, {"place": place, "inner_key": numbers ^ 0x36, "outer_key": numbers ^ 0x5C})
        try:
            for name in ("inner", "outer"):
                joined = f"unhex(string_agg(printf('%02x', {name}_key), '' ORDER BY place))"
                made = f"(SELECT {joined} FROM {given})"  # noqa: S608 - names of our own
                connection.execute(f"SET VARIABLE reidrisk_{name} = {made}")
        finally:
            connection.unregister(given)


def pseudonym(column: str, expression: str) -> str:
    """SQL of the pseudonym of a value; the same value in another column has another one. Null stays null."""
    message = f"encode({literal(column)} || chr(0) || CAST({expression} AS VARCHAR))"
    inner = f"unhex(sha256(getvariable('reidrisk_inner') || {message}))"
    return f"left(sha256(getvariable('reidrisk_outer') || {inner}), {LENGTH})"


ROWS = 10_000
"""Rows looked at, from the first on."""
TELLS, ERRORS = 0.2, 3
"""Correlation of neighboring rows above which an order reveals something, beyond chance."""


def reordered(table: DuckTable, order: ReleasedOrder, salt: str) -> DuckDBPyRelation:
    """The rows in an order that follows from their values alone; equal rows cannot be told apart."""
    names = [f"o{place}" for place in range(len(table.columns))]
    pairs = list(zip(table.columns, names, strict=True))
    with without_values(table.source):
        rows = table.relation.project(", ".join(f"{quoted(column)} AS {name}" for column, name in pairs))
        if order == "random":
            ordered = rows.project(f"*, {row_hash(rows, names, salt)} AS h").order("h")
        else:
            ordered = rows.order(", ".join(names))
        return ordered.project(", ".join(f"{name} AS {quoted(column)}" for column, name in pairs))


def told_columns(
    table: DuckTable, columns: Sequence[str], *, records: int, unit: str | None = None
) -> tuple[str, ...]:
    """The columns whose values the order of the rows reveals; the rows belong to this number of records."""
    bound = max(TELLS, ERRORS / max(1, records) ** 0.5)
    along = serial_correlation(table, columns, unit=unit)
    return tuple(name for name, strength in along.items() if abs(strength) >= bound)


def serial_correlation(
    table: DuckTable, columns: Sequence[str], *, unit: str | None = None, rows: int = ROWS
) -> dict[str, float]:
    """For each column the correlation of its ranks in neighboring rows: 0 if the order reveals nothing.

    With a unit neighbours are units, in the order of their first rows.
    """
    if not columns:
        return {}
    names = [f"{quoted(name)} AS c{place}" for place, name in enumerate(columns)]
    unit_column = [] if unit is None else [f"{quoted(unit)} AS u"]
    ranks = ", ".join(f"dense_rank() OVER (ORDER BY c{place}) AS k{place}" for place in range(len(columns)))
    pairs = ", ".join(
        f"k{place}, lag(k{place}) OVER (ORDER BY i) AS b{place}" for place in range(len(columns))
    )
    strengths = ", ".join(f"corr(k{place}, b{place})" for place in range(len(columns)))
    with without_values(table.source):
        some = table.relation.limit(rows).project(
            ", ".join([*names, *unit_column, "row_number() OVER () AS i"])
        )
        if unit is not None:
            firsts = ", ".join(f"arg_min(c{place}, i) AS c{place}" for place in range(len(columns)))
            some = some.aggregate(f"{firsts}, min(i) AS i", "u")
        found = some.project(f"i, {ranks}").project(pairs).aggregate(strengths).fetchone()
    return {
        name: 0.0 if value is None or value != value else float(value)  # noqa: PLR0124 - NaN differs from itself
        for name, value in zip(columns, found or (), strict=True)
    }


DIGEST = "sum(CAST('0x' || left(h, 15) AS BIGINT))"
"""SQL of a number that follows from the rows of a unit, in whatever order they come."""
_LISTED = "ENUM("
"""In a type that lists all its values: it would name those that are lost, and is written as text."""


def released(
    table: DuckTable, records: DuckTable, release: ReleasePlan, *, short: bool = False
) -> DuckDBPyRelation:
    """Every row of the table as it goes out.

    `records` has one row a unit; it is the table without one. With `short` texts may keep a short type, which
    lists them once: only where none of them is lost, since the list would tell it.
    """
    if "pseudonym" in release.treatments.values():
        if not release.key:
            raise InvalidSetting("A pseudonym needs a key.", hint="Name the file that holds it.")
        arm(table.session, release.key)
    outputs = _outputs(table, records, release, short=short)
    with without_values(table.source):
        rows = table.with_numbers(_renamed(table), "i")
        rows = _with_recoded(table, rows, records, release)
        kept = rows.filter(f"mask <> {REMOVED}")
        made = [f"{output.expression} AS o{output.place}" for output in outputs]
        ready = kept.project(", ".join([*made, "i"]))
        # A join puts rows that it finds late after their neighbours, so that every order is made anew.
        if release.order == "source":
            ordered = _numbered(table.session, ready, outputs, "min(i)").order("i")
        else:
            ordered = _by_released(table.session, ready, outputs, release)
        return ordered.project(", ".join(output.named for output in outputs))


def released_units(records: DuckTable, release: ReleasePlan) -> DuckTable:
    """The unit, `gone` if it does not go out, and its quasi-identifiers as they go out: s0, s1, …"""
    names = release.tuples.columns
    with without_values(records.source):
        done = _recoded_units(records, release)
        shown = [f"CASE WHEN (mask >> {bit}) & 1 = 0 THEN l{bit} END AS s{bit}" for bit in range(len(names))]
        kept = done.project(", ".join(["n AS unit", f"mask = {REMOVED} AS gone", *shown]))
        return records.derived(records.session.kept(kept), note="as released")


def rows_of_removed(table: DuckTable, records: DuckTable, release: ReleasePlan) -> int:
    """How many rows of the table belong to units that do not go out."""
    unit = quoted(release.unit or "")
    with without_values(table.source):
        gone = released_units(records, release).relation.filter("gone").project("unit AS w")
        rows = table.relation.project(f"{unit} AS u").join(table.session.kept(gone), "u = w", how="semi")
        found = rows.aggregate("count(*)").fetchone()
    return int(found[0]) if found else 0


@dataclass(frozen=True, slots=True)
class _Output:
    """A column that goes out."""

    place: int
    name: str
    expression: str
    kind: str | None = None
    """The type it is written with, if the expression has another."""
    is_numbered: bool = False

    @property
    def source(self) -> str:
        return f"d{self.place}" if self.is_numbered else f"o{self.place}"

    @property
    def named(self) -> str:
        source = self.source
        return f"{f'CAST({source} AS {self.kind})' if self.kind else source} AS {quoted(self.name)}"


def _by_released(
    session: Session, ready: DuckDBPyRelation, outputs: Sequence[_Output], release: ReleasePlan
) -> DuckDBPyRelation:
    """Rows, and the numbers of units, in an order that follows from what is released and nothing else."""
    said = [f"o{output.place}" for output in outputs if not output.is_numbered]
    hashed = ready.project(f"*, {row_hash(ready, said, release.salt)} AS h")
    places = [output.place for output in outputs if output.is_numbered]
    if len(places) > 1:
        hashed = _with_links(session, hashed, places)
    numbered = _numbered(session, hashed, outputs, DIGEST)
    if release.order == "content":
        return numbered.order(", ".join(output.source for output in outputs))
    return numbered.order(", ".join([*(f"d{place}" for place in places), "h"]))


def _with_links(session: Session, rows: DuckDBPyRelation, places: Sequence[int]) -> DuckDBPyRelation:
    """The hash of each row mixed with those of the units that it belongs to.

    A person and a visit: people with the same rows may have other visits, and are then told apart.
    """
    for place in places:
        units = rows.aggregate(f"o{place} AS u{place}, {DIGEST} AS s{place}", f"o{place}")
        same = f"o{place} IS NOT DISTINCT FROM u{place}"
        rows = rows.join(session.kept(units), same, how="left").project("*")
    every = ", ".join(["h", *(f"CAST(s{place} AS VARCHAR)" for place in places)])
    mixed = f"left(sha256(concat_ws(',', {every})), {DIGITS}) AS h"
    return rows.project(f"* EXCLUDE (h), {mixed}")


def _numbered(
    session: Session, rows: DuckDBPyRelation, outputs: Sequence[_Output], first: str
) -> DuckDBPyRelation:
    """Running numbers for the columns that are numbered: the unit with the least of `first` is number 1."""
    for place in [output.place for output in outputs if output.is_numbered]:
        least = rows.filter(f"o{place} IS NOT NULL").aggregate(
            f"o{place} AS p{place}, {first} AS f", f"o{place}"
        )
        numbers = least.project(f"p{place}, row_number() OVER (ORDER BY f) AS d{place}")
        joined = rows.join(session.kept(numbers), f"o{place} = p{place}", how="left")
        # Straight on a join an order would take a column that is released as "i" for ours.
        rows = joined.project("*")
    return rows


def _renamed(table: DuckTable) -> list[str]:
    """Names of our own, which no column can be confused with."""
    return [f"{quoted(name)} AS r{place}" for place, name in enumerate(table.columns)]


def _with_recoded(
    table: DuckTable, rows: DuckDBPyRelation, records: DuckTable, release: ReleasePlan
) -> DuckDBPyRelation:
    names = release.tuples.columns
    if release.unit is None:
        values = [f"r{table.columns.index(name)} AS c{place}" for place, name in enumerate(names)]
        keyed = rows.project(", ".join(["*", "i AS n", *values]))
        own = [f"r{place}" for place in range(len(table.columns))]
        return _recoded_rows(table.session, keyed, release, row_hash(rows, own, release.salt))
    done = _recoded_units(records, release)
    labels = [f"l{place}" for place in range(len(names))]
    once = table.session.kept(done.project(", ".join(["n", *labels, "mask"])))
    return rows.join(once, f"r{table.columns.index(release.unit)} = n")


def _recoded_units(records: DuckTable, release: ReleasePlan) -> DuckDBPyRelation:
    """One row a unit, with its new values."""
    values = [f"{quoted(name)} AS c{place}" for place, name in enumerate(release.tuples.columns)]
    units = records.relation.project(", ".join([f"{quoted(release.unit or '')} AS n", *values]))
    kind = records.types[release.unit or ""]
    text = f"concat_ws(chr(31), {literal(release.salt)}, {cell_text('n', kind)})"
    return _recoded_rows(records.session, units, release, f"sha256({text})")


def _recoded_rows(
    session: Session, rows: DuckDBPyRelation, release: ReleasePlan, draw: str
) -> DuckDBPyRelation:
    if release.by_tuple is not None:
        return recoded_by_tuple(session, rows, release.tuples, release.by_tuple)
    return recoded(session, rows, release.tuples, release.recodes, release.blanks, draw)


def _outputs(
    table: DuckTable, records: DuckTable, release: ReleasePlan, *, short: bool
) -> tuple[_Output, ...]:
    """The columns that go out, in the order of the source."""
    outputs = []
    for place, name in enumerate(table.columns):
        treatment = release.treatments.get(name, "keep")
        if name in release.tuples.columns:
            outputs.append(_recoded(place, name, records.types[name], release, short=short))
        elif treatment == "pseudonym":
            outputs.append(_Output(place, name, pseudonym(name, f"r{place}")))
        elif treatment != "drop":
            kind = TEXT if _LISTED in table.types[name] else None
            outputs.append(_Output(place, name, f"r{place}", kind, is_numbered=treatment == "number"))
    return tuple(outputs)


def _recoded(place: int, name: str, kind: str, release: ReleasePlan, *, short: bool) -> _Output:
    """A quasi-identifier of this type."""
    bit = release.tuples.columns.index(name)
    shown = f"CASE WHEN (mask >> {bit}) & 1 = 0 THEN l{bit} END"
    new = release.kind_of(bit)
    written = kind if new is None else TYPES[new]
    if written in FLOATS:
        shown = f"{shown} + 0.0"  # minus zero is zero, also when it is spelled
    if _LISTED in written:
        return _Output(place, name, shown, TEXT)
    stays = short and written == TEXT and release.keeps_values(bit)
    return _Output(place, name, shown, None if stays else written)

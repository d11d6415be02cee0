"""The table that goes out: recoded records, applied back to every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from reidrisk.core.schema import Treatment
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import quoted
from reidrisk.engine.order import DIGITS, row_hash
from reidrisk.engine.pseudonyms import arm, pseudonym
from reidrisk.engine.recode import REMOVED, TEXT, Blanks, Recode, recoded
from reidrisk.engine.recode_tuples import TupleRecode, recoded_by_tuple
from reidrisk.engine.session import Session
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


Order = Literal["source", "random", "content"]
DIGEST = "sum(CAST('0x' || left(h, 15) AS BIGINT))"
"""SQL of a number that follows from the rows of a unit, in whatever order they come."""
_LISTED = "ENUM("
"""In a type that lists all its values: it would name those that are lost, and is written as text."""


@dataclass(frozen=True, slots=True, eq=False)
class ReleasePlan:
    """What is done to each column and to the cells."""

    tuples: DistinctTuples = field(repr=False)
    """Of the records: their columns are the quasi-identifiers."""
    recodes: tuple[Recode, ...] = field(repr=False)
    blanks: Blanks = field(repr=False)
    treatments: Mapping[str, Treatment]
    """For columns that name people or units, and for all that must go; others stay as they are."""
    unit: str | None = None
    key: bytes | None = field(default=None, repr=False)
    """For pseudonyms."""
    order: Order = "source"
    """Rows as they came; or by a hash of what is released, or by the released values: a function of the
    released rows alone, so that nobody can join two releases by row number."""
    salt: str = field(default="", repr=False)
    """Mixed into the hashes of rows."""
    told: tuple[str, ...] = ()
    """Variables that the order of the source gives away."""
    by_tuple: TupleRecode | None = field(default=None, repr=False)
    """What each tuple becomes, in place of the recodes and blanks."""

    def type_of(self, place: int) -> str | None:
        """The type of a quasi-identifier as it goes out; None if it is as it was."""
        if self.by_tuple is not None:
            return self.by_tuple.types[place]
        recode = self.recodes[place]
        return None if recode.labels is None else recode.type

    def keeps_values(self, place: int) -> bool:
        """Whether each value of a quasi-identifier that could be listed still stands in some record."""
        if self.by_tuple is not None:
            return False
        return self.blanks.leave_every_value(place, self.recodes[place], self.tuples)

    def on(self, tuples: DistinctTuples) -> ReleasePlan:
        """The same for the same tuples of another session."""
        return replace(self, tuples=tuples)


def released(table: Table, records: Table, release: ReleasePlan, *, short: bool = False) -> DuckDBPyRelation:
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


def released_units(records: Table, release: ReleasePlan) -> Table:
    """The unit, `gone` if it does not go out, and its quasi-identifiers as they go out: s0, s1, …"""
    names = release.tuples.columns
    with without_values(records.source):
        done = _recoded_units(records, release)
        shown = [f"CASE WHEN (mask >> {bit}) & 1 = 0 THEN l{bit} END AS s{bit}" for bit in range(len(names))]
        kept = done.project(", ".join(["n AS unit", f"mask = {REMOVED} AS gone", *shown]))
        return records.derived(records.session.kept(kept), note="as released")


def rows_of_removed(table: Table, records: Table, release: ReleasePlan) -> int:
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


def _renamed(table: Table) -> list[str]:
    """Names of our own, which no column can be confused with."""
    return [f"{quoted(name)} AS r{place}" for place, name in enumerate(table.columns)]


def _with_recoded(
    table: Table, rows: DuckDBPyRelation, records: Table, release: ReleasePlan
) -> DuckDBPyRelation:
    names = release.tuples.columns
    if release.unit is None:
        values = [f"r{table.columns.index(name)} AS c{place}" for place, name in enumerate(names)]
        keyed = rows.project(", ".join(["*", "i AS n", *values]))
        return _recoded_rows(table.session, keyed, release)
    done = _recoded_units(records, release)
    labels = [f"l{place}" for place in range(len(names))]
    once = table.session.kept(done.project(", ".join(["n", *labels, "mask"])))
    return rows.join(once, f"r{table.columns.index(release.unit)} = n")


def _recoded_units(records: Table, release: ReleasePlan) -> DuckDBPyRelation:
    """One row a unit, with its new values."""
    values = [f"{quoted(name)} AS c{place}" for place, name in enumerate(release.tuples.columns)]
    units = records.relation.project(", ".join([f"{quoted(release.unit or '')} AS n", *values]))
    return _recoded_rows(records.session, units, release)


def _recoded_rows(session: Session, rows: DuckDBPyRelation, release: ReleasePlan) -> DuckDBPyRelation:
    if release.by_tuple is not None:
        return recoded_by_tuple(session, rows, release.tuples, release.by_tuple)
    return recoded(session, rows, release.tuples, release.recodes, release.blanks)


def _outputs(table: Table, records: Table, release: ReleasePlan, *, short: bool) -> tuple[_Output, ...]:
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
    written = release.type_of(bit) or kind
    if written in {"DOUBLE", "FLOAT"}:
        shown = f"{shown} + 0.0"  # minus zero is zero, also when it is spelled
    if _LISTED in written:
        return _Output(place, name, shown, TEXT)
    stays = short and written == TEXT and release.keeps_values(bit)
    return _Output(place, name, shown, None if stays else written)

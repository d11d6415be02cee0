"""The table that goes out: recoded records, applied back to every row, in the order of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reidrisk.core.treatment import Treatment
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import quoted
from reidrisk.engine.pseudonyms import arm, pseudonym
from reidrisk.engine.recode import REMOVED, Blanks, Recode, recoded
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


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

    def on(self, tuples: DistinctTuples) -> ReleasePlan:
        """The same for the same tuples of another session."""
        return replace(self, tuples=tuples)


def released(table: Table, records: Table, release: ReleasePlan) -> DuckDBPyRelation:
    """Every row of the table as it goes out. `records` has one row a unit; it is the table without one."""
    if "pseudonym" in release.treatments.values():
        if not release.key:
            raise InvalidSetting("A pseudonym needs a key.", hint="Name the file that holds it.")
        arm(table.session, release.key)
    with without_values(table.source):
        rows = table.relation.project(", ".join([*_renamed(table), "row_number() OVER () AS i"]))
        rows = _with_numbers(table, rows, release.treatments)
        rows = _with_recoded(table, rows, records, release)
        kept = rows.filter(f"mask <> {REMOVED}").order("i")
        return kept.project(", ".join(_outputs(table, release)))


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
        return recoded(table.session, keyed, release.tuples, release.recodes, release.blanks)
    values = [f"{quoted(name)} AS c{place}" for place, name in enumerate(names)]
    units = records.relation.project(", ".join([f"{quoted(release.unit)} AS n", *values]))
    done = recoded(table.session, units, release.tuples, release.recodes, release.blanks)
    labels = [f"l{place}" for place in range(len(names))]
    once = table.session.kept(done.project(", ".join(["n", *labels, "mask"])))
    return rows.join(once, f"r{table.columns.index(release.unit)} = n")


def _with_numbers(
    table: Table, rows: DuckDBPyRelation, treatments: Mapping[str, Treatment]
) -> DuckDBPyRelation:
    """Running numbers for the columns that are numbered, by first appearance."""
    for place, name in enumerate(table.columns):
        if treatments.get(name) == "number":
            column = f"r{place}"
            first = rows.filter(f"{column} IS NOT NULL").aggregate(
                f"{column} AS o{place}, min(i) AS f", column
            )
            numbers = first.project(f"o{place}, row_number() OVER (ORDER BY f) AS d{place}")
            rows = rows.join(table.session.kept(numbers), f"{column} = o{place}", how="left")
    return rows


def _outputs(table: Table, release: ReleasePlan) -> Sequence[str]:
    """The columns that go out, in the order of the source."""
    quasi = {name: place for place, name in enumerate(release.tuples.columns)}
    outputs = []
    for place, name in enumerate(table.columns):
        treatment = release.treatments.get(name, "keep")
        if name in quasi:
            bit = quasi[name]
            outputs.append(f"CASE WHEN (mask >> {bit}) & 1 = 0 THEN l{bit} END AS {quoted(name)}")
        elif treatment == "pseudonym":
            outputs.append(f"{pseudonym(name, f'r{place}')} AS {quoted(name)}")
        elif treatment != "drop":
            source = f"d{place}" if treatment == "number" else f"r{place}"
            outputs.append(f"{source} AS {quoted(name)}")
    return outputs

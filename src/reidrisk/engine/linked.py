"""The door to linked tables: what is asked of them, and how they are opened.

Rows stay inside the engine. What leaves are counts, codes of people and events, and files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.settings import ScanSettings

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.linked.database import LinkedTables as LinkedTables  # noqa: PLC0414 - for others

NO_DAY = np.iinfo(np.int64).min
"""The day of an event without a date."""
PersonRule = Literal["value", "first", "min", "max", "count", "exists", "years"]
"""How rows of a table become one value per person."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of one of the tables."""

    table: str
    column: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column}"

    @classmethod
    def of(cls, text: str) -> TableColumn:
        """From `table.column`."""
        table, _, column = text.partition(".")
        return cls(table, column)


@dataclass(frozen=True, slots=True)
class TableLink:
    """A column whose values are keys of another table."""

    child: TableColumn
    parent: TableColumn


@dataclass(frozen=True, slots=True)
class PersonAttribute:
    """A value that a person has, in the table of people or derived from others."""

    name: str
    column: TableColumn
    rule: PersonRule = "value"
    since: TableColumn | None = None
    """With `years`: the date of the table of people from which whole years are counted, to the first date."""


@dataclass(frozen=True, slots=True)
class EventTable:
    """The columns of a table that form an event, and the one that dates it."""

    table: str
    columns: tuple[str, ...]
    day: str | None = None


@dataclass(frozen=True, slots=True)
class SetCount:
    """Sets of so many events of one person, counted in written files."""

    size: int
    sets: int
    """Summed over people."""
    few: int | None
    """Different sets that too few people of the class fit; None if there are too many sets to count."""


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedShifts:
    """The days by which the dates of each person moved, and how far the adversary expects them to move."""

    keys: tuple[str, ...] = field(repr=False)
    """The released key of each person."""
    days: NDArray[np.int64] = field(repr=False)
    most: int


@dataclass(frozen=True, slots=True)
class Links:
    """How the tables hang together."""

    person: TableColumn
    owners: Mapping[str, tuple[TableLink, ...]]
    """By table: the links that lead from it to the table of people, nearest first; none for that table."""
    repeats: bool = False
    """Whether the table of people has several rows per person."""


@dataclass(frozen=True, slots=True, eq=False)
class PeopleCodes:
    """People and events as numbers."""

    people: int
    columns: Mapping[str, NDArray[np.int64]] = field(repr=False)
    labels: Mapping[str, tuple[str | None, ...]] = field(repr=False)
    """By attribute: the values behind the codes, as texts."""
    person: NDArray[np.int64] = field(repr=False)
    table: NDArray[np.int64] = field(repr=False)
    event: NDArray[np.int64] = field(repr=False)
    day: NDArray[np.int64] | None = field(repr=False)
    events: tuple[tuple[int, tuple[str | None, ...]], ...] = field(repr=False)
    """By code of an event: its table and its values, as texts."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownSets:
    """What an adversary may know of a person in written files."""

    links: Links
    quasi: tuple[str, ...]
    """Columns of the table of people."""
    events: tuple[tuple[EventTable, int], ...]
    """Each with the number of its events that may be known."""
    known: int
    """Over all tables together."""
    shifts: ReleasedShifts | None = None
    """None if it does not matter where in time events are."""


Histogram = tuple[tuple[int, int], ...]
"""Sizes, and how many there are of each."""


def open_linked(sources: Mapping[str, str | Path], *, settings: ScanSettings | None = None) -> LinkedTables:
    """Open files, each a table by name, in one session; `table_sources` finds them."""
    from reidrisk.engine.duckdb.linked.database import open_linked as opened

    return opened(sources, settings=settings)


def table_sources(place: str | Path) -> dict[str, str]:
    """The tables of a folder, a DuckDB file or a PostgreSQL URL, by name."""
    from reidrisk.engine.duckdb.linked.sources import table_sources as found

    return found(place)


Action = Literal[
    "keep", "drop", "blank", "person", "entity", "number", "date", "year", "labels", "top", "birth_year",
    "study_day", "rare", "by_name", "round", "twin", "body_mass",
]  # fmt: skip
"""What becomes of a column.

person: the pseudonym of the row's person. entity: that of another thing, such as a visit. number: rows are
numbered anew. top: larger numbers go. birth_year: people who would be older have one year of birth. rare:
values that few people have go. by_name: as the name in another column says. round: to a multiple. twin:
empty where another column of the row is. body_mass: counted again from released height and weight.
"""


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """What becomes of the values of a column."""

    action: Action
    entity: str = ""
    """Whose pseudonyms stand for the values."""
    limit: int = 0
    """Of top, birth_year, rare and round."""
    becomes: str | None = None
    """What stands for rare values; nothing if None."""
    labels: Mapping[str, str | None] = field(default_factory=dict, repr=False)
    """What each value, as a text, becomes; others stay."""
    removes: bool = False
    """With labels: whether rows go whose value becomes nothing."""
    date: str = ""
    """With study_day: the date whose day of the study it is."""
    since: TableColumn | None = None
    """With study_day: day 1, a column of the table of people."""
    name: str = ""
    """With by_name: the column with the names; with twin: the other column."""
    rules: Mapping[str, ColumnPlan] = field(default_factory=dict)
    """With by_name: what becomes of the values by name."""
    otherwise: Action = "blank"
    """With by_name: what becomes of the others."""
    parts: tuple[str, ...] = ()
    """With body_mass: the columns of height in centimeters and weight in kilograms."""
    renamed: str = ""
    """The name of the released column, if it is another one."""
    above: str = ""
    """With top: a column that is added, which says so where the value was above the limit."""


@dataclass(frozen=True, slots=True)
class EntityPlan:
    """A thing with pseudonyms of its own."""

    name: str
    key: TableColumn | None
    """The key of its table; None if it has no table."""
    columns: tuple[TableColumn, ...]
    """Where its values stand, the key included."""
    is_text: bool
    """Whether pseudonyms are texts; else they are whole numbers."""
    given: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Pseudonyms by key, if they were made elsewhere; otherwise they are drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkedPlan:
    """What becomes of all tables together."""

    links: Links
    keys: tuple[TableLink, ...]
    """Besides those that lead to people."""
    tables: Mapping[str, Mapping[str, ColumnPlan]]
    """By table that is released and column."""
    entities: tuple[EntityPlan, ...]
    key: bytes = field(repr=False)
    offsets: NDArray[np.int64] | None = field(default=None, repr=False)
    """By person, in the order of their keys: how many days their dates move."""
    anchor: int | None = None
    """In place of offsets: the day, from 1970-01-01, that the first date of each person becomes."""
    orphans: str = "refuse"
    on_parent: str = "cascade"
    left_out: NDArray[np.bool_] | None = field(default=None, repr=False)
    """By person: whether they are left out everywhere."""
    oldest: int | None = None
    """Dates go that show an age of more years: those that are as long before the last date of the person."""
    truncate: int | None = None
    """Released dates go that are within so many days of the first or the last day of all data."""


@dataclass(frozen=True, slots=True)
class OrphanCount:
    """Rows whose key is not in the table that it refers to."""

    link: TableLink
    filled: int
    orphans: int
    missing: int
    """Rows without a key, which matter if it is that of the person."""


@dataclass(frozen=True, slots=True)
class NamedValues:
    """What the values of a column look like that have one name."""

    name: str
    filled: int
    dates: int
    """Cells that are dates of ISO 8601."""
    fewest: int
    """People who have the rarest value."""
    longest: int
    """Characters of the longest value."""


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A key that was found by looking, with the evidence."""

    link: TableLink
    values: int
    """Distinct values of the child."""
    inside: int
    """Those that are keys of the parent."""

    @property
    def share(self) -> float:
        """Share of the values that are keys."""
        return self.inside / self.values if self.values else 0.0


@dataclass(frozen=True, slots=True)
class ColumnLoss:
    """What a column had and has."""

    table: str
    column: str
    filled: int
    """Cells with a value before, in all rows."""
    left: int
    """Cells with a value after."""
    entropy: float | None = None
    """Of values that were made coarser: bits before."""
    entropy_left: float | None = None


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table before and after."""

    table: str
    before: int
    after: int
    nobody: int
    """Rows that belong to nobody in the table of people, and went."""
    left_out: int
    """Rows of people who were left out."""


@dataclass(frozen=True, slots=True)
class WrittenRelease:
    """What was written."""

    rows: tuple[TableRows, ...]
    losses: tuple[ColumnLoss, ...]
    files: Mapping[str, str]
    """By table: the name of its file."""
    attempts: Mapping[str, int]
    """By entity: which draw of pseudonyms had no two alike and none of the original ids."""


@dataclass(frozen=True, slots=True)
class ProofPlan:
    """What a release promised."""

    files: Mapping[str, str]
    """By table: where it was written."""
    person: TableColumn
    keys: tuple[TableLink, ...]
    columns: Mapping[TableColumn, tuple[str, str | None, str | None]]
    """By column: action, entity, and the column that it follows."""
    same: Mapping[str, tuple[TableColumn, ...]]
    moves: bool
    """Whether dates move."""
    drops: bool
    """Whether rows may be missing because their parent is."""
    quasi: tuple[str, ...]
    repeats: bool = False
    """Whether the table of people has several rows per person."""
    renamed: Mapping[TableColumn, str] = field(default_factory=dict)
    """Columns that are released under another name."""
    above: Mapping[TableColumn, tuple[str, int]] = field(default_factory=dict)
    """By column whose larger values go: the added column that says so, and the limit."""
    oldest: int | None = None
    """Years of age that no date of a person may exceed."""
    most: int | None = None
    """The largest number of days by which dates move."""
    truncated: bool = False
    """Whether no released date is within so many days of the first or the last day of the originals."""
    unique: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By table: columns that tell its rows apart, as its description says."""


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """One thing that was checked in the written files."""

    name: str
    title: str
    holds: bool
    found: str
    """What was counted, in words without a value."""
    checked: int
    """How many things were looked at."""
    violations: int
    unchecked: str = ""
    """What was not looked at, and why."""


@dataclass(frozen=True, slots=True)
class LinkedProof:
    """What was found in the written files."""

    released: int
    """People who are in the release."""
    checks: tuple[ProofCheck, ...]
    narrowed: int = 0
    """People whose offset is known better: the first and last days of all data leave less than half of it."""


def prove_linked(
    before: LinkedTables,
    plan: ProofPlan,
    *,
    people: tuple[list[str], list[str]],
    offsets: NDArray[np.int64] | None,
) -> LinkedProof:
    """Check the written files against the originals: `people` are old and new keys, `offsets` their days."""
    from reidrisk.engine.duckdb.linked.proof import prove

    return prove(before, plan, people, offsets)


def fhir_resources(path: str | Path) -> Iterator[dict[str, Any]]:
    """The resources of a file of FHIR (NDJSON), one after the other."""
    from reidrisk.engine.duckdb.readers.fhir import resources

    return resources(Path(path))


def fhir_patient(resource: Mapping[str, Any]) -> str | None:
    """The id of the patient whom a resource is about."""
    from reidrisk.engine.duckdb.readers.fhir import patient_of

    return patient_of(resource)

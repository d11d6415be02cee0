"""Draft how a table may be released: a role for every column that needs one, and hierarchies that run.

A draft is complete: it can be de-identified as it is. A person must still decide on every role.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TableReading
from reidrisk.core.schema import Reduction
from reidrisk.core.yaml_file import yaml_text, yaml_value
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnreadableFile, UnwritableFile
from reidrisk.tables.column_role import ColumnSuggestion
from reidrisk.tables.hierarchy.draft import (
    ColumnContent,
    DraftedHierarchy,
    draft_hierarchy,
    suppressed_hierarchy,
)
from reidrisk.tables.suggest import SURE, Suggestion, suggest_roles

OLD_ENCODING = "cp1252"
"""The encoding of text files that are not UTF-8, as most programs wrote them."""
MOST_QUASI = 60
"""Quasi-identifiers that a search can take; later ones are dropped."""
SOME_QUASI = 8
"""Above this, hierarchies have fewer levels, so that the search stays short."""
MANY_QUASI = 20
"""Above this, Mondrian replaces the search for one level per column."""
MOST_EVENTS = 4
"""Columns that form an event; with more, hardly any event is shared by enough people."""
MOST_GUESSED = 8
"""Columns that count as quasi-identifiers if none was recognized."""
MANY_TEXTS = 50
"""Texts of an unknown kind with more distinct values than this are dropped."""
PHRASES = 0.05
"""Share of values of several words that makes such a column free text."""
EVENT_KINDS = ("diagnosis", "procedure", "drug")
"""Kinds of sensitive columns that are known as events."""


@dataclass(frozen=True, slots=True)
class TableDraft:
    """Drafted roles, and hierarchies for the columns that are generalized."""

    quasi: tuple[str, ...]
    is_guessed: bool = False
    """Whether no quasi-identifier was recognized, so that other columns take their place."""
    hidden: tuple[str, ...] = ()
    """Quasi-identifiers that are not released, because no other column was left."""
    unit: str | None = None
    reduce: Mapping[str, Reduction] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    """Columns that are dropped because they identify people or number records."""
    text: tuple[str, ...] = ()
    """Free text, which is dropped."""
    crowded: tuple[str, ...] = ()
    """Columns that are dropped because there are too many to search."""
    sensitive: tuple[str, ...] = ()
    to_consider: tuple[str, ...] = ()
    """Possible quasi-identifiers for a person to decide on."""
    hierarchies: tuple[DraftedHierarchy, ...] = ()
    reading: TableReading = field(default_factory=TableReading)
    """How the table is read."""
    ambiguous: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Columns whose dates can be read in two ways, and the formats."""

    @property
    def columns(self) -> frozenset[str]:
        """All columns with a role, other than sensitive ones."""
        unit = () if self.unit is None else (self.unit,)
        return frozenset((*self.quasi, *self.events, *self.direct, *self.text, *self.crowded, *unit))

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The hierarchies as a YAML file has them, by column."""
        return {one.column: dict(one.settings) for one in self.hierarchies}

    @property
    def dropped(self) -> tuple[str, ...]:
        """Columns that are dropped other than free text."""
        return (*self.direct, *self.crowded)

    @property
    def method(self) -> str | None:
        """The method of de-identification if the usual one would take too long."""
        return "mondrian" if len(self.quasi) > MANY_QUASI else None


HEAD = """\
# Generalization hierarchies, drafted by `reidrisk table suggest`: read every line and correct it.
# min_level is the finest level that may be released. To see what each level does:
#   reidrisk table preview TABLE --hierarchies FILE
"""


def hierarchies_text(draft: TableDraft) -> str:
    """Write the hierarchies of a draft as a YAML file with remarks."""
    lines = (
        f"{yaml_text(one.column)}: {yaml_value(one.settings)}  # {one.remark}" for one in draft.hierarchies
    )
    return HEAD + "\n".join(lines) + "\n"


@limited
def draft_table(
    table: Any,
    suggestion: Suggestion | None = None,
    *,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> TableDraft:
    """Draft the roles and hierarchies of a table from the suggested roles of its columns."""
    found = suggestion or suggested(table)
    reading = _with_formats(found)
    with open_table(table, reading=reading) as opened:
        if not opened.count():
            raise NothingToMeasure(f"{opened.source} has no rows.", hint="Leave it out of the release.")
        roles = _RoleChoice.of(opened, found)
        drafted = replace(roles.draft(), reading=reading, ambiguous=found.ambiguous_dates)
        return _with_hierarchies(opened, drafted, {column.name: column for column in found.columns})


def suggested(table: Any) -> Suggestion:
    """The suggested roles of a table, read in the encoding that fits."""
    return suggest_roles(table, reading=fitting_reading(table))


def fitting_reading(table: Any) -> TableReading | None:
    """Return how to read a text file that is not in the usual encoding, if cp1252 fits; otherwise None."""
    try:
        with open_table(table):
            return None
    except UnwritableFile:  # a full disk says nothing about the encoding
        raise
    except UnreadableFile:
        old = TableReading(encoding=OLD_ENCODING)
        try:
            with open_table(table, reading=old):
                return old
        except (UnreadableFile, InvalidSetting):
            return None


def _with_formats(found: Suggestion) -> TableReading:
    """Read ambiguous dates in the first way; the draft tells a person that there is another."""
    first = {column: formats[0] for column, formats in found.ambiguous_dates.items()}
    stated = found.reading.to_dict()
    if not first:
        return found.reading
    return TableReading(**{**stated, "date_format": {**first, **dict(found.reading.formats)}})


@dataclass(frozen=True, slots=True)
class _RoleChoice:
    """The columns of a table, and which of them vary within a unit."""

    columns: tuple[ColumnSuggestion, ...]
    found: Suggestion
    unit: str | None = None
    varying: frozenset[str] = frozenset()
    """Columns with several values within a unit."""
    sparse: frozenset[str] = frozenset()
    """Columns with one value per unit that is not repeated in all its rows."""
    rare: frozenset[str] = frozenset()
    """Possible quasi-identifiers with values in very few rows."""

    @classmethod
    def of(cls, table: Table, found: Suggestion) -> _RoleChoice:
        unit = found.unit.column if found.unit else None
        possible = [one for one in found.columns if one.role == "quasi-identifier" and one.name != unit]
        rare = frozenset(one.name for one in possible if _content(table, one).is_rare)
        if unit is None or len(table.columns) == 1:
            return cls(found.columns, found, rare=rare)
        others = [name for name in table.columns if name != unit]
        any_variation, several = (
            frozenset(name for name, units in counted.items() if units)
            for counted in (
                table.varying(unit, others),
                table.varying(unit, others, blanks=False),
            )
        )
        return cls(found.columns, found, unit, several, any_variation - several, rare)

    def draft(self) -> TableDraft:
        text = self._named(is_text)
        direct = self._named(lambda one: _is_dropped(one) and not is_text(one))
        rare = self._named(lambda one: one.name in self.rare)
        known = dict.fromkeys((*self.found.quasi, *rare, *self._possible()))
        sure = [name for name in known if name not in (*text, *direct, self.unit)]
        events = self._events(sure) if self.unit else ()
        crowded = tuple(name for name in sure if name in self.varying and name not in events)
        quasi = tuple(name for name in sure if name not in self.varying)
        drafted = TableDraft(
            quasi=quasi[:MOST_QUASI],
            unit=self.unit,
            events=events,
            direct=direct,
            text=text,
            crowded=(*crowded, *quasi[MOST_QUASI:]),
        )
        drafted = drafted if quasi else self._with_guess(drafted)
        filled: dict[str, Reduction] = dict.fromkeys((n for n in drafted.quasi if n in self.sparse), "max")
        drafted = replace(drafted, reduce={**filled, **drafted.reduce})
        taken = drafted.columns
        return replace(
            drafted,
            sensitive=self._named(lambda one: one.role == "sensitive" and one.name not in taken),
            to_consider=self._named(lambda one: one.role == "quasi-identifier" and one.name not in taken),
        )

    def _possible(self) -> tuple[str, ...]:
        """Possible quasi-identifiers, as many as a search takes well: what counts is measured."""
        room = SOME_QUASI - len(self.found.quasi) - len(self.rare - {*self.found.quasi})
        possible = self._named(
            lambda one: one.role == "quasi-identifier" and one.name not in (*self.rare, *self.varying)
        )
        return tuple(name for name in possible if name not in self.found.quasi)[: max(room, 0)]

    def _events(self, sure: Sequence[str]) -> tuple[str, ...]:
        """What varies within a person: quasi-identifiers first, then diagnoses, procedures and drugs."""
        known = [name for name in sure if name in self.varying]
        learned = self._named(lambda one: _is_known_event(one) and one.name in self.varying)
        return tuple([*known, *learned][:MOST_EVENTS])

    def _with_guess(self, drafted: TableDraft) -> TableDraft:
        """Let other columns count as quasi-identifiers, those with the fewest values first.

        If no column is left, one that is not released takes their place: every table needs one.
        """
        ordered = sorted(self.columns, key=lambda one: one.profile.distinct)
        taken = drafted.columns
        free = [one.name for one in ordered if one.name not in taken and one.name not in self.varying]
        if free:
            return replace(drafted, quasi=tuple(free[: 1 if self.unit else MOST_GUESSED]), is_guessed=True)
        left = [one.name for one in ordered if one.name != self.unit]
        [first] = sorted(left, key=lambda name: (name in drafted.events, name in self.varying))[:1]
        rules: dict[str, Reduction] = {first: "set"} if first in self.varying else {}

        def without(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(name for name in names if name != first)

        return replace(
            drafted,
            quasi=(first,),
            reduce=rules,
            is_guessed=True,
            hidden=(first,),
            events=without(drafted.events),
            direct=without(drafted.direct),
            text=without(drafted.text),
            crowded=without(drafted.crowded),
        )

    def _named(self, wanted: Callable[[ColumnSuggestion], bool]) -> tuple[str, ...]:
        return tuple(one.name for one in self.columns if wanted(one) and one.name != self.unit)


def is_text(column: ColumnSuggestion) -> bool:
    """Whether a column seems to contain free text, or unknown text of several words."""
    return column.role == "text" or (_is_unknown(column) and column.profile.share("phrase") >= PHRASES)


def _is_dropped(column: ColumnSuggestion) -> bool:
    """Whether a column identifies people or numbers records, or is text of an unknown kind."""
    return column.role in ("direct identifier", "unit candidate") or _is_unknown(column)


def _is_unknown(column: ColumnSuggestion) -> bool:
    """Whether a column has many different texts and no sign of what they are."""
    none = column.role == "other" and column.kind is None
    return none and column.profile.shape == "text" and column.profile.distinct > MANY_TEXTS


def _is_known_event(column: ColumnSuggestion) -> bool:
    """Whether outsiders may know when or that such a thing happened to a person."""
    kind = column.kind.key if column.kind else None
    sure = column.role == "sensitive" and column.confidence in SURE
    return sure and kind in EVENT_KINDS and column.profile.shape != "number"


def _with_hierarchies(
    table: Table, drafted: TableDraft, columns: Mapping[str, ColumnSuggestion]
) -> TableDraft:
    """Add a hierarchy for every column that is generalized; fewer levels if there are many columns."""
    hidden = tuple(suppressed_hierarchy(name) for name in drafted.hidden)
    names = tuple(name for name in drafted.quasi if name not in drafted.hidden)
    rules = {name: rule for name, rule in drafted.reduce.items() if name in names}
    records = table.per_unit(drafted.unit, names, rules) if drafted.unit and names else table
    most = 3 if len(names) <= SOME_QUASI else 2
    static = tuple(draft_hierarchy(_content(records, columns[name]), most=most) for name in names)
    few = 3 if len(drafted.events) < MOST_EVENTS - 1 else 2
    events = tuple(draft_hierarchy(_content(table, columns[name]), most=few) for name in drafted.events)
    return replace(drafted, hierarchies=(*static, *hidden, *events))


def _content(table: Table, column: ColumnSuggestion) -> ColumnContent:
    if column.kind is not None and column.kind.check == "date" and column.profile.shape == "text":
        with suppress(BadData):
            table = table.dates.read([column.name])
    tuples = table.tuples((column.name,))
    return ColumnContent(column.name, column.kind, tuples.values[0], tuples.counts)

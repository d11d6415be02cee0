"""Released data that are made by the rules of a study."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.key import make_key, read_key
from reidrisk.core.wording import plural
from reidrisk.documents.study.data import Row, StudyData, read_rows
from reidrisk.documents.study.ids import NewIds
from reidrisk.documents.study.schema import SITE, is_date
from reidrisk.documents.study.study import ReleaseRules
from reidrisk.documents.study.writings import known_days, shifted
from reidrisk.engine.linked import TableColumn
from reidrisk.errors import FailedCheck, UnknownColumn
from reidrisk.relational.config import DateRule, RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.generalized import labels_of
from reidrisk.relational.release import release_database
from reidrisk.resynthesis.dates.shift import date_offset, scope_of
from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import STAR

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True)
class Generalized:
    """What each value of a variable becomes."""

    labels: Mapping[str, str] = field(repr=False)
    is_empty: bool = False
    """Whether nothing is told of any value: then tables do not tell either which values were missing."""

    @classmethod
    def of(cls, hierarchy: Hierarchy, values: Iterable[str], level: str | int) -> Generalized:
        """On a level of the hierarchy, for all values that the data hold."""
        labels = labels_of(hierarchy, values, level)
        return cls(labels, all(label == STAR for label in labels.values()))

    def label(self, value: str) -> str | None:
        """The label of a value as tables have it."""
        return None if self.is_empty else self.labels.get(value)

    def written(self, value: str, like: str) -> str | None:
        """The label of a value, with letters as in a writing of it; None if nothing is told."""
        label = self.labels.get(value)
        if label is None or label == STAR:
            return None
        same = label.casefold() == value.casefold()
        return like if same else in_case_of(like, label) if label.isalpha() else label


def hierarchy_column(name: str, columns: Iterable[str]) -> str:
    """The column that a hierarchy is for."""
    known = list(columns)
    if name not in known:
        raise UnknownColumn.among(name, known, source="The study")
    return name


@dataclass(frozen=True, slots=True)
class ReleasedByRules:
    """Ids by their new pieces, dates by an offset, other variables by the level of their hierarchy."""

    data: StudyData = field(repr=False)
    suppressed: frozenset[str]
    """Variables that are not released: direct identifiers, dates without a rule, text, default removals."""
    dates: frozenset[str]
    """Variables that are shifted."""
    ids: NewIds = field(repr=False)
    offsets: Mapping[int, int] = field(repr=False)
    levels: Mapping[str, Generalized] = field(repr=False)
    hierarchies: Mapping[str, Hierarchy] = field(repr=False)
    level_names: Mapping[str, str | int]
    """Of variables with a hierarchy."""
    key: bytes | None = field(repr=False)
    shift_days: int | None
    generalized: Mapping[str, str]
    """The levels of variables with a hierarchy, in words."""

    @classmethod
    def of(cls, study: Study, rules: ReleaseRules) -> ReleasedByRules:
        """Make the rules ready for the data; the key is made if it is named and not there."""
        data, roles = study.data, study.roles
        columns = {name for table in data.tables.values() for name in table.columns}
        levels = {
            hierarchy_column(name, columns): Generalized.of(hierarchy, data.all_of(name), rules.levels[name])
            for name, hierarchy in rules.hierarchies.items()
        }
        key = _key(rules.key) if rules.key is not None else None
        keyed = None if key is None else KeyedDraw(key)
        recode = _recoded(study, rules, levels, columns)
        stated = {*levels, *recode}
        dropped = study.dropped - stated
        named = {*roles.dates, *(name for name in columns if is_date(name))} - set(levels) - dropped
        named -= set(roles.direct) - set(roles.other)
        dates = named if rules.shift_days is not None else set()
        gone = {study.subject, *roles.direct, *named, *dropped} - stated - dates - set(roles.other)
        gone |= {SITE} & columns - stated - set(roles.other)
        return cls(
            data=data,
            suppressed=frozenset(gone),
            dates=frozenset(dates),
            ids=NewIds.of(data, recode, keyed, hides_site=SITE in gone or SITE in levels),
            offsets=_offsets(data, keyed, rules.shift_days),
            levels=levels,
            hierarchies=rules.hierarchies,
            level_names=rules.levels,
            key=key,
            shift_days=rules.shift_days,
            generalized={
                name: "suppressed" if level == SUPPRESSED else f"generalized to the level {level}"
                for name, level in rules.levels.items()
            },
        )

    def value(self, subject: int, variable: str, written: str) -> str | None:
        """The new text in the writing of the old one; None: redact."""
        if variable in self.suppressed:
            return None
        if variable in self.ids.variables:
            return self.ids.rewritten(subject, variable, written)
        if variable in self.dates:
            return shifted(written, self.offsets[subject], self._days(subject, variable, written))
        if variable in self.levels:
            return self._generalized(subject, variable, written)
        return written

    def day(self, subject: int, written: str) -> str | None:
        """A date that the data do not have, moved as those that they have; None: redact."""
        return shifted(written, self.offsets[subject], ()) if self.dates else None

    def _days(self, subject: int, variable: str, written: str) -> list[date]:
        """The days that a partial date may shorten, those of the variable itself first.

        A date that is partial in the data is no short form of another: it moves as in the tables.
        """
        values = self.data.of(subject, variable)
        if written in values:
            return []
        own = known_days(values)
        others = (known_days(self.data.of(subject, name)) for name in sorted(self.dates - {variable}))
        return [*own, *(day for days in others for day in days)]

    def _generalized(self, subject: int, variable: str, written: str) -> str | None:
        values = self.data.of(subject, variable)
        if len(values) > 1:
            values = tuple(value for value in values if value == written)
        if not values or (written.isdigit() and values[0].isdigit() and int(written) != int(values[0])):
            return None
        return self.levels[variable].written(values[0], written)

    @property
    def kept(self) -> tuple[str, ...]:
        """Variables that are released as they are, for those who answer for it."""
        changed = {*self.suppressed, *self.dates, *self.ids.variables, *self.levels}
        found = {name: None for table in self.data.tables.values() for name in table.columns}
        return tuple(name for name in found if name not in changed)

    def rows(self, name: str, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
        """The rows of a table as they are released, and whose they are."""
        table = self.data.tables[name]
        places = [table.columns.index(column) for column in columns]
        for subject, row in zip(table.subjects, table.rows, strict=True):
            if subject is not None:
                cells = ((column, row[at]) for column, at in zip(columns, places, strict=True))
                yield subject, tuple(cell and self._cell(subject, column, cell) for column, cell in cells)

    def _cell(self, subject: int, variable: str, written: str) -> str | None:
        """The value of a table: a label has its own letters there, and in documents those around it.

        If only some values are suppressed, the table shows which are, and which are missing.
        """
        treated = variable in self.suppressed or variable in self.ids.variables
        if variable in self.levels and not treated:
            return self.levels[variable].label(written)
        return self.value(subject, variable, written)

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The tables and variables that are released."""
        return {
            name: tuple(column for column in table.columns if column not in self.suppressed)
            for name, table in self.data.tables.items()
        }

    def treatment(self, variable: str) -> str:
        """What becomes of a variable, in words."""
        if variable in self.suppressed:
            return "removed"
        if variable in self.ids.variables:
            return "new value of the same form, by a key"
        if variable in self.dates:
            return "shifted, all dates of a participant by the same number of days"
        return self.generalized.get(variable, "unchanged")

    def write_tables(self, folder: str | Path, notes: Mapping[str, str] | None = None) -> None:
        """Write the released data as linked tables, proved on the written files; `notes` beside them."""
        files = {name: str(table.path) for name, table in self.data.tables.items()}
        key = secrets.token_bytes() if self.key is None else self.key
        with Database.open(self.data.participants.path, files=files) as database:
            release_database(
                database, self._settings(), folder, key=key, notes=notes or {}, check=self._checked
            )

    def _settings(self) -> RelationalConfig:
        """The rules as settings of linked tables."""
        first, *others = (TableColumn(name.lower(), self.data.subject) for name in self.data.tables)
        columns = self._columns()
        leveled = [name for name, one in self.levels.items() if not one.is_empty]
        return RelationalConfig(
            person=first,
            keys=dict.fromkeys(others, first),
            orphans="drop",
            dates=DateRule(self.shift_days or DateRule().offset),
            columns={
                str(at): self._action(name)
                for name, places in columns.items()
                if name in self.suppressed or name not in self.ids.variables
                for at in places
            },
            same={name: tuple(columns[name]) for name in leveled},
            hierarchies={name: self.hierarchies[name] for name in leveled},
            levels={name: self.level_names[name] for name in leveled},
            given={at: self._ids(name) for name in self.ids.variables for at in columns[name]},
        )

    def _action(self, variable: str) -> str:
        """What becomes of a variable that is no id; a level is applied to what is kept."""
        if variable in self.suppressed:
            return "drop"
        if variable in self.levels and self.levels[variable].is_empty:
            return "blank"
        return "date" if variable in self.dates else "keep"

    def _columns(self) -> dict[str, list[TableColumn]]:
        """Where each variable stands."""
        found: dict[str, list[TableColumn]] = {}
        for name, table in self.data.tables.items():
            for column in table.columns:
                found.setdefault(column, []).append(TableColumn(name.lower(), column))
        return found

    def _ids(self, variable: str) -> dict[str, str]:
        """The new value of each id."""
        return {
            value: self.ids.rewritten(subject, variable, value) or ""
            for subject, values in self.data.by_subject(variable).items()
            for value in values
        }

    def _checked(self, folder: Path) -> None:
        """Refuse written tables that are not those of which the risk was measured."""
        self._named(folder)
        for name, columns in self.tables.items():
            (path,) = folder.glob(f"{name}.*")
            odd = _differing(read_rows(path, columns), (row for _, row in self.rows(name, columns)))
            if odd:
                raise FailedCheck(
                    f"{plural(odd, 'row')} of {name} would be written with other values than those of which "
                    "the risk was measured. Nothing was written.",
                    hint="Please report this with the study file, not with the data.",
                )

    def _named(self, folder: Path) -> None:
        """Give the files the names of the study's tables, which may have capital letters."""
        for name in self.data.tables:
            for file in folder.glob(f"{name.lower()}.*") if name != name.lower() else ():
                file.rename(folder / f"{name}{file.name[len(name) :]}")


def _differing(written: Iterable[Row], measured: Iterable[Row]) -> int:
    """How many rows of the one are not in the other, in whatever order."""
    one, other = Counter(written), Counter(measured)
    return max((one - other).total(), (other - one).total())


def _recoded(
    study: Study, rules: ReleaseRules, levels: Mapping[str, Generalized], columns: set[str]
) -> tuple[str, ...]:
    """Ids that get new values: those that are named, and numbers of sites unless something else is said."""
    said = {*rules.recode, *levels, *study.roles.direct, *study.roles.other}
    site = (SITE,) if SITE in columns - said and rules.key is not None else ()
    return (*rules.recode, *site)


def _key(path: Path) -> bytes:
    if not path.exists():
        make_key(path)
    return read_key(path)


def _offsets(data: StudyData, keyed: KeyedDraw | None, days: int | None) -> dict[int, int]:
    if keyed is None or days is None:
        return {}
    ids = dict(data.participants.values(data.subject))
    return {subject: date_offset(scope_of(person), keyed, days) for subject, person in ids.items()}

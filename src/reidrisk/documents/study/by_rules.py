"""Released data that are made by the rules of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.files import whole_path
from reidrisk.core.key import make_key, read_key
from reidrisk.documents.study.cdisc import is_date
from reidrisk.documents.study.data import StudyData, StudyTable
from reidrisk.documents.study.dates import known_days, shifted
from reidrisk.documents.study.generalized import Generalized, hierarchy_column
from reidrisk.documents.study.new_ids import NewIds
from reidrisk.documents.study.rules import ReleaseRules
from reidrisk.engine.rows import write_changed
from reidrisk.engine.table import open_table
from reidrisk.resynthesis.dates.shift import offset_of
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import RealValuesInMemory
from reidrisk.resynthesis.settings import ResynthesisSettings

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

_SAS, _TRANSPORT = ".sas7bdat", ".xpt"


@dataclass(frozen=True, slots=True)
class ReleasedByRules:
    """Ids by their new pieces, dates by an offset, other variables by the level of their hierarchy."""

    data: StudyData = field(repr=False)
    suppressed: frozenset[str]
    """Variables that are not released: direct identifiers and dates for which there is no rule."""
    dates: frozenset[str]
    """Variables that are shifted."""
    ids: NewIds = field(repr=False)
    offsets: Mapping[int, int] = field(repr=False)
    levels: Mapping[str, Generalized] = field(repr=False)

    @classmethod
    def of(cls, study: Study, rules: ReleaseRules) -> ReleasedByRules:
        """Make the rules ready for the data; the key is made if it is named and not there."""
        data, roles = study.data, study.roles
        columns = {name for table in data.tables.values() for name in table.columns}
        levels = {
            hierarchy_column(name, columns): Generalized.of(hierarchy, data.all_of(name), rules.levels[name])
            for name, hierarchy in rules.hierarchies.items()
        }
        keyed = KeyedDraw(_key(rules.key)) if rules.key is not None else None
        named = {*roles.dates, *(name for name in columns if is_date(name))} - set(levels) - set(roles.direct)
        dates = named if rules.shift_days is not None else set()
        direct = {study.subject, *roles.direct, *named} - set(rules.recode) - set(levels) - dates
        hidden_site = bool(direct & {"SITEID"}) or "SITEID" in levels
        return cls(
            data=data,
            suppressed=frozenset(direct),
            dates=frozenset(dates),
            ids=NewIds.of(data, rules.recode, keyed, hides_site=hidden_site),
            offsets=_offsets(data, dates, keyed, rules.shift_days),
            levels=levels,
        )

    def value(self, subject: int, variable: str, written: str) -> str | None:
        """The new text in the writing of the old one; None: redact."""
        if variable in self.suppressed:
            return None
        if variable in self.ids.variables:
            return self.ids.rewritten(subject, variable, written)
        if variable in self.dates:
            return shifted(written, self.offsets[subject], self._days(subject, variable))
        if variable in self.levels:
            return self._generalized(subject, variable, written)
        return written

    def day(self, subject: int, written: str) -> str | None:
        """A date that the data do not have, moved as those that they have; None: redact."""
        return shifted(written, self.offsets[subject], ()) if self.dates else None

    def _days(self, subject: int, variable: str) -> list[date]:
        """The days that a partial date may shorten, those of the variable itself first."""
        own = known_days(self.data.of(subject, variable))
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

    def write_tables(self, folder: str | Path) -> None:
        """Write the released data, a file for each table, in the order of the new ids."""
        with whole_path(folder, folder=True) as part:
            for table in self.data.tables.values():
                suffix = (
                    "".join(table.path.suffixes[-2:]) if table.path.suffix == ".gz" else table.path.suffix
                )
                suffix = _TRANSPORT if suffix.lower() == _SAS else suffix.lower()
                self._write(table, part / f"{table.name}{suffix}")

    def _write(self, table: StudyTable, path: Path) -> None:
        new = {
            name: self._column(table, at) for at, name in enumerate(table.columns) if name not in self.kept
        }
        rows = [at for at, subject in enumerate(table.subjects) if subject is not None]
        ids = new.get(self.data.subject)
        if ids is not None:
            rows.sort(key=lambda at: (ids[at] or "", at))
        with open_table(table.path) as opened:
            write_changed(opened, path, new, rows)

    def _column(self, table: StudyTable, at: int) -> list[str | None]:
        name = table.columns[at]
        cells = ((subject, row[at]) for subject, row in zip(table.subjects, table.rows, strict=True))
        return [
            None if subject is None or cell is None else self.value(subject, name, cell)
            for subject, cell in cells
        ]


def _key(path: Path) -> bytes:
    if not path.exists():
        make_key(path)
    return read_key(path)


def _offsets(data: StudyData, dates: set[str], keyed: KeyedDraw | None, days: int | None) -> dict[int, int]:
    if keyed is None or days is None:
        return {}
    settings = ResynthesisSettings(date_days=days)
    real = RealValuesInMemory(keyed)
    ids = dict(data.participants.values(data.subject))
    for subject, person in ids.items():
        for name in dates:
            for day in known_days(data.of(subject, name)):
                real.add_day(person, day.toordinal())
    return {subject: offset_of(person, keyed, real, settings) for subject, person in ids.items()}

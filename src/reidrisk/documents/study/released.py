"""What stands in the released data instead of each value; tables that somebody else made are looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Protocol

from reidrisk.core.files import whole_path, write_text
from reidrisk.documents.study.data import Row, StudyData, load_data
from reidrisk.documents.study.ids import NewId, pieces_of
from reidrisk.documents.study.schema import is_date
from reidrisk.documents.study.study import ReleasedTables, ReleaseRules
from reidrisk.documents.study.writings import known_days, shifted
from reidrisk.engine.opening import open_table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.resynthesis.dates.words import in_case_of

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study


class Released(Protocol):
    """The released data, made from rules or given as tables."""

    def value(self, subject: int, variable: str, written: str) -> str | None:
        """The new text in the writing of the old one, the same if it is released as it is.

        None: nothing stands for it in the released data, so that it is redacted.
        """
        ...

    def day(self, subject: int, written: str) -> str | None:
        """The new text for a date of a participant that the data do not have, such as the day of a scan."""
        ...

    def rows(self, name: str, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
        """The rows of a table as they are released, and whose they are."""
        ...

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The tables and variables that are released."""
        ...

    def treatment(self, variable: str) -> str:
        """What becomes of a variable, in words."""
        ...

    def write_tables(self, folder: str | Path, notes: Mapping[str, str] | None = None) -> None:
        """Write the released data, a file for each table, into a folder that does not exist yet.

        `notes` are texts that are written beside them, by their file names.
        """
        ...


def released_by(study: Study) -> Released:
    """The released data of a study that says how they are made."""
    if isinstance(study.deidentified, ReleaseRules):
        from reidrisk.documents.study.by_rules import ReleasedByRules

        return ReleasedByRules.of(study, study.deidentified)
    if study.deidentified is not None:
        return ReleasedByTables.of(study, study.deidentified)
    raise InvalidSetting(
        "The study does not say what is released.", hint="Write deidentified: with rules or with tables."
    )


@dataclass(frozen=True, slots=True)
class ReleasedByTables:
    """Participants by their released ids, and the difference of their dates."""

    data: StudyData = field(repr=False)
    new: StudyData = field(repr=False)
    numbers: Mapping[int, int] = field(repr=False)
    """The row of each participant in the released table; those who are not released have none."""
    offsets: Mapping[int, int] = field(repr=False)
    """Days by which all dates of a participant moved; none where they moved by different numbers."""

    @classmethod
    def of(cls, study: Study, given: ReleasedTables) -> ReleasedByTables:
        """Read the tables and the link between the ids."""
        first = study.data.participants.name
        if first not in given.tables:
            raise InvalidSetting(
                f"The released tables lack {first}.", hint=f"Write tables: {{{first}: FILE}}, that one first."
            )
        paths = {first: given.tables[first], **given.tables}
        new = load_data(paths, study.subject)
        links = _links(given.link)
        rows = {value: subject for subject, value in new.participants.values(study.subject)}
        numbers = {
            subject: rows[links[value]]
            for subject, value in study.data.participants.values(study.subject)
            if links.get(value) in rows
        }
        if not numbers:
            raise BadData(
                f"No participant is linked to the released table {first}.",
                hint="The link has two columns: the id in the study's data, then the released one.",
            )
        return cls(study.data, new, numbers, _offsets(study.data, new, numbers))

    def value(self, subject: int, variable: str, written: str) -> str | None:
        """The new text in the writing of the old one; None: redact."""
        number = self.numbers.get(subject)
        old = self.data.of(subject, variable)
        new = () if number is None else self.new.of(number, variable)
        if not old or not new:
            return None
        if set(old) == set(new):
            return written
        if is_date(variable):
            return self._date(subject, variable, written)
        return _written(old[0], new[0], written) if len(old) == len(new) == 1 else None

    def day(self, subject: int, written: str) -> str | None:
        """A date that the data do not have, moved as those that they have; None: redact."""
        offset = self.offsets.get(subject)
        return None if offset is None else shifted(written, offset, ())

    def _date(self, subject: int, variable: str, written: str) -> str | None:
        offset = self.offsets.get(subject)
        if offset is None:
            return None
        return shifted(written, offset, known_days(self.data.of(subject, variable)))

    def rows(self, name: str, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
        """The rows of a released table, and whose they are; a variable that it lacks is missing."""
        if name not in self.new.tables:
            return
        table = self.new.tables[name]
        owners = {number: subject for subject, number in self.numbers.items()}
        places = [table.columns.index(one) if one in table.columns else None for one in columns]
        for number, row in zip(table.subjects, table.rows, strict=True):
            if number in owners:
                yield owners[number], tuple(None if at is None else row[at] for at in places)

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The tables and variables that are released."""
        return {name: table.columns for name, table in self.new.tables.items()}

    def treatment(self, variable: str) -> str:
        """What becomes of a variable, in words."""
        given = any(variable in columns for columns in self.tables.values())
        return "as in the table that was given" if given else "removed"

    def write_tables(self, folder: str | Path, notes: Mapping[str, str] | None = None) -> None:
        """Copy the released data into a folder that does not exist yet, and texts beside them."""
        with whole_path(folder, folder=True) as part:
            for name, table in self.new.tables.items():
                copyfile(table.path, part / f"{name}{''.join(table.path.suffixes)}")
            for name, text in (notes or {}).items():
                write_text(part / name, text)


def _links(path: Path) -> dict[str, str]:
    with open_table(path) as table:
        if len(table.columns) != 2:
            raise BadData(
                f"The link {path.name} has {len(table.columns)} columns, not two.",
                hint="Write the id in the study's data, then the released one.",
            )
        rows = table.rows.texts()
    links = {old: new for old, new in rows if old is not None and new is not None}
    if len(set(links.values())) < len(links):
        raise BadData(
            f"The link {path.name} gives one released id to several participants.",
            hint="Every participant has an id of their own.",
        )
    return links


def _offsets(data: StudyData, new: StudyData, numbers: Mapping[int, int]) -> dict[int, int]:
    names = [name for name in data.participants.columns if is_date(name)]
    found = {}
    for subject, number in numbers.items():
        moves = {
            (after - before).days
            for name in names
            for before, after in _pairs(data.of(subject, name), new.of(number, name))
        }
        if len(moves) == 1:
            found[subject] = moves.pop()
    return found


def _pairs(old: tuple[str, ...], new: tuple[str, ...]) -> list[tuple[date, date]]:
    before, after = known_days(old), known_days(new)
    return list(zip(before, after, strict=True)) if len(before) == len(after) == 1 else []


def _written(old: str, new: str, written: str) -> str | None:
    """Piece by piece where both have as many, otherwise only the whole value."""
    before, after = pieces_of(old), pieces_of(new)
    if len(before) == len(after) and any(sign.isdigit() for sign in old) and len(before) > 1:
        return NewId(before, after).rewritten(written)
    if written.isdigit() and old.isdigit() and int(written) != int(old):
        return None
    return in_case_of(written, new) if new.isalpha() else new

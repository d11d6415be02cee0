"""Linked tables about the same people, and how they hang together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from reidrisk.core.places import is_file, place_text
from reidrisk.core.wording import path_text
from reidrisk.engine.linked import Links, TableColumn, TableLink, open_linked, table_sources
from reidrisk.engine.opening import master_now
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.define import Definition, read_definition

if TYPE_CHECKING:
    from reidrisk.engine.linked import LinkedTables

TREATMENT = "treatment.json"
"""The file of a release that says what became of each column."""


@dataclass(frozen=True, eq=False)
class Database:
    """Tables that are open, by name; names are compared without regard to upper and lower case."""

    place: str
    """For messages."""
    tables: LinkedTables = field(repr=False)
    names: Mapping[str, Mapping[str, str]] = field(repr=False)
    """By table: its columns as they are spelled, by their names in lower case."""
    definition: Definition = field(default_factory=Definition, repr=False)
    """What a define.xml beside the tables says."""

    @classmethod
    def open(cls, source: str | Path, *, files: Mapping[str, str] | None = None) -> Database:
        """Open a folder with a file per table, a DuckDB file or a PostgreSQL URL, or the files named.

        Columns of a release that got another name are found by their original name as well.
        """
        if master_now() is not None:
            raise InvalidSetting(
                "Linked tables are not read on Spark.",
                hint="Leave out --master: they are read on this machine.",
            )
        found = dict(files) if files else table_sources(source)
        tables = open_linked({name.lower(): place for name, place in found.items()})
        names = {
            name: {column.lower(): column for column in columns} for name, columns in tables.columns.items()
        }
        try:
            definition = read_definition(Path(source)) if _is_folder(source) else Definition()
        except BaseException:
            tables.close()
            raise
        for at, new in renamed_in(source).items():
            names.get(at.table, {}).setdefault(at.column.lower(), new)
        place = path_text(source) if is_file(source) else place_text(source)
        return cls(place, tables, names, definition)

    @classmethod
    def of(cls, config: RelationalConfig, source: str | Path | None = None) -> Database:
        """Open what the settings name; `source` is another place for the same tables."""
        if source is not None:
            return cls.open(source)
        if config.tables:
            return cls.open(config.folder or Path(), files=config.tables)
        if config.folder is None:
            raise InvalidSetting("The settings name no folder.", hint="Write folder: FOLDER, or tables:.")
        return cls.open(config.folder)

    def has(self, at: TableColumn) -> bool:
        """Whether there is such a column."""
        return at.column.lower() in self.names.get(at.table.lower(), {})

    def at(self, at: TableColumn) -> TableColumn:
        """A column as the file spells it."""
        table = at.table.lower()
        if table not in self.names:
            raise BadData(f"There is no table {at.table!r}.", hint=f"Tables are: {', '.join(self.names)}.")
        columns = self.names[table]
        if at.column.lower() not in columns:
            raise UnknownColumn.among(at.column, list(columns.values()), source=f"The table {table}")
        return TableColumn(table, columns[at.column.lower()])

    def columns(self) -> list[TableColumn]:
        """Every column of every table."""
        return [
            TableColumn(table, column) for table, columns in self.tables.columns.items() for column in columns
        ]

    def links(self, config: RelationalConfig) -> tuple[TableLink, ...]:
        """The keys of the settings; those of tables or columns that are not there are left out."""
        return tuple(
            TableLink(self.at(child), self.at(parent))
            for child, parent in config.keys.items()
            if self.has(child) and self.has(parent)
        )

    def owners(self, config: RelationalConfig) -> Links:
        """How each table leads to its people; tables without people lead nowhere."""
        person = self.at(config.person)
        links = self.links(config)
        direct = {link.child.table: (link,) for link in links if link.parent == person}
        owners: dict[str, tuple[TableLink, ...]] = {person.table: (), **direct}
        grown = True
        while grown:
            grown = False
            for link in links:
                mine, theirs = link.child.table, link.parent.table
                if mine not in owners and owners.get(theirs):
                    owners[mine], grown = (link, *owners[theirs]), True
        return Links(person, owners, config.repeats)

    def close(self) -> None:
        """Free the memory."""
        self.tables.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is None:
            self.tables.refuse_changed()


def _is_folder(source: str | Path) -> bool:
    return is_file(source) and Path(source).is_dir()


def renamed_in(source: str | Path) -> dict[TableColumn, str]:
    """Columns of a release that have another name than in the originals; none if it is no release."""
    try:
        content = json.loads((Path(source) / TREATMENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return renamed_columns(content) if isinstance(content, Mapping) else {}


def renamed_columns(content: Mapping[str, Any]) -> dict[TableColumn, str]:
    """Columns that are released under another name, as a release says."""
    return {
        TableColumn(one["table"], one["column"]): one["released_as"]
        for one in content.get("columns", ())
        if one.get("released_as")
    }

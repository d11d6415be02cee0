"""define.xml, which describes the datasets of a trial: labels, types and keys of the variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.engine.linked import TableColumn
from reidrisk.errors import ReidRiskError, UnreadableFile
from reidrisk.text.formats.safe_xml import parse_xml

FILE = "define.xml"
DATES = ("date", "datetime", "partialdate", "partialdatetime", "incompletedatetime")
"""Types of variables that are dates."""


@dataclass(frozen=True, slots=True)
class DefinedVariable:
    """What the file says about a variable."""

    label: str
    type: str

    @property
    def is_date(self) -> bool:
        """Whether its values are dates."""
        return self.type.lower() in DATES


@dataclass(frozen=True, slots=True)
class Definition:
    """The variables and keys of datasets, which are named in lower case."""

    variables: Mapping[TableColumn, DefinedVariable] = field(default_factory=dict)
    """Columns in lower case, too."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By dataset: the variables that tell its rows apart, in lower case."""

    def of(self, at: TableColumn) -> DefinedVariable | None:
        """What is said about a column, however it is spelled."""
        return self.variables.get(TableColumn(at.table.lower(), at.column.lower()))


def read_definition(folder: Path) -> Definition:
    """Read the define.xml of a folder, of version 1 or 2; nothing is defined where there is none."""
    path = folder / FILE
    if not path.is_file():
        return Definition()
    reader = _Reader()
    try:
        parse_xml(path.read_text(encoding="utf-8", errors="replace"), reader)
    except ReidRiskError as error:
        problem = str(error).partition("\n")[0]
        raise UnreadableFile(
            f"{path_text(path)}: {problem}", hint="Correct the file, or take it out of the folder."
        ) from None
    return reader.definition()


@dataclass(slots=True)
class _Dataset:
    name: str
    items: list[tuple[str, int]] = field(default_factory=list)
    """Ids of the variables, and their place in the key from 1; 0 if they are no part of it."""
    keys: tuple[str, ...] = ()


@dataclass(slots=True)
class _Item:
    name: str
    type: str
    label: str


class _Reader:
    """Collects datasets and variables; both versions name them alike but for labels and keys."""

    def __init__(self) -> None:
        self._datasets: list[_Dataset] = []
        self._items: dict[str, _Item] = {}
        self._inside: list[str] = []
        self._item: _Item | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element starts."""
        bare = name.rpartition(":")[2]
        self._inside.append(bare)
        if bare == "ItemGroupDef":
            keys = attributes.get("def:DomainKeys", "").replace(",", " ").split()
            self._datasets.append(
                _Dataset(attributes.get("Name", "").lower(), keys=tuple(one.lower() for one in keys))
            )
        elif bare == "ItemRef" and self._datasets and "ItemGroupDef" in self._inside:
            place = attributes.get("KeySequence", "0")
            self._datasets[-1].items.append(
                (attributes.get("ItemOID", ""), int(place) if place.isdecimal() else 0)
            )
        elif bare == "ItemDef":
            self._item = _Item(
                attributes.get("Name", "").lower(),
                attributes.get("DataType", ""),
                attributes.get("def:Label", "").strip(),
            )
            self._items[attributes.get("OID", "")] = self._item

    def end(self, name: str) -> None:
        """An element ends."""
        self._inside.pop()
        if name.rpartition(":")[2] == "ItemDef":
            self._item = None

    def characters(self, data: str) -> None:
        """A piece of text: version 2 has labels in it."""
        if self._item is not None and self._inside[-2:] == ["Description", "TranslatedText"]:
            self._item.label = f"{self._item.label} {data.strip()}".strip()

    def definition(self) -> Definition:
        """All that was read."""
        variables, keys = {}, {}
        for one in self._datasets:
            for oid, _ in one.items:
                if oid in self._items:
                    item = self._items[oid]
                    variables[TableColumn(one.name, item.name)] = DefinedVariable(item.label, item.type)
            numbered = sorted((place, oid) for oid, place in one.items if place and oid in self._items)
            keys[one.name] = tuple(self._items[oid].name for _, oid in numbered) or one.keys
        return Definition(variables, {name: some for name, some in keys.items() if some})

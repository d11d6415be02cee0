"""Draft a relational part for tables that refer to each other: a folder of them, or single files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from reidrisk.assess.sketch import DraftFile, PartSketch, draft_line
from reidrisk.core.yaml_file import yaml_text
from reidrisk.errors import BadData, ReidRiskError
from reidrisk.relational.database import Database
from reidrisk.relational.profile import profile_named
from reidrisk.relational.suggest import RelationalSuggestion, suggest_database

KEY = "pseudonyms.key"
"""The key that a draft names, beside the release file."""
OWN = ("profile:", "folder:", "# A draft")
"""Lines of the settings that the part has already, or that the head of a release file says."""


@dataclass(frozen=True)
class LinkedSketch(PartSketch):
    """Linked tables about the same people, with keys and treatments as they seem to be."""

    suggestion: RelationalSuggestion = field(repr=False)
    tables: Mapping[str, str] = field(default_factory=dict)
    """By table: its file as the release file names it; empty if the path is a folder with all of them."""
    kind: ClassVar[str] = "relational"

    @property
    def wanted_name(self) -> str:
        """After the folder; files named one by one have the name of the table of people."""
        return self.suggestion.config.person.table if self.tables else super().wanted_name

    @property
    def files(self) -> tuple[str, ...]:
        """The folder, or the files."""
        return tuple(self.tables.values()) or (self.path,)

    @property
    def reason(self) -> str:
        """What speaks for it."""
        found, config = self.suggestion, self.suggestion.config
        if found.profile is not None:
            return (
                f"The tables are those of {profile_title(found.profile)}; {config.person} names the person."
            )
        keys = ", ".join(f"{child} refers to {parent}" for child, parent in config.keys.items())
        return f"Tables refer to each other: {keys}. {config.person} names the person."

    def lines(self, name: str) -> Iterator[str]:
        """The YAML of a relational part."""
        yield draft_line("name", name, first=True)
        yield draft_line("kind", "relational", "linked tables about the same people, released together")
        if self.tables:
            yield "    tables:                  # by table: its file"
            for table, file in self.tables.items():
                yield f"      {table}: {yaml_text(file)}"
        else:
            yield draft_line("folder", yaml_text(self.path), "one file per table")
        yield draft_line("profile", self.suggestion.profile or "none", "the standard that the tables follow")
        for line in self.suggestion.yaml("").splitlines():
            if not line.startswith(OWN):
                yield f"    {line}"
        yield "    confirmed: false         # true once a person has read keys, roles and treatments"
        yield "    deidentify: true         # generalize, leave out rows and people, until it is acceptable"
        yield f"    key: {KEY}      # to make it: reidrisk key new {KEY} --for pseudonyms"
        yield f"    out: {yaml_text(f'{name}-released')}"


def profile_title(name: str) -> str:
    """What a profile is called."""
    return name.upper() if name == "redcap" else profile_named(name).title


def sketch_folder(file: DraftFile) -> LinkedSketch | None:
    """For a folder whose tables refer to each other, or follow a standard; None for any other."""
    if file.is_url or not file.path.is_dir():
        return None
    try:
        with Database.open(file.path) as database:
            if len(database.names) < 2:
                return None
            return LinkedSketch(file.written, suggest_database(database))
    except ReidRiskError:
        return None


def sketch_linked(files: Mapping[str, Path]) -> LinkedSketch | None:
    """For several table files, by what the release file calls them: those that lead to the same people."""
    by_table = {_table(path): name for name, path in files.items()}
    if len(by_table) < 2 or len(by_table) < len(files):
        return None
    places = {_table(path): str(path) for path in files.values()}
    try:
        linked = _leading(places)
        if len(linked) < 2:
            return None
        with Database.open("the files", files={name: places[name] for name in linked}) as database:
            found = suggest_database(database)
    except ReidRiskError:
        return None
    return LinkedSketch(by_table[linked[0]], found, {name: by_table[name] for name in linked})


def _leading(places: Mapping[str, str]) -> Sequence[str]:
    """The tables that lead to the people, and those that they refer to."""
    with Database.open("the files", files=places) as database:
        config = suggest_database(database).config
        owners = database.owners(config).owners
        named = {child.table for child in config.keys} | {parent.table for parent in config.keys.values()}
    found = [name for name in places if name in named and (owners.get(name) or name == config.person.table)]
    if not found:
        raise BadData("No table refers to another.", hint="Name the tables one by one.")
    return found


def _table(path: Path) -> str:
    return path.name.split(".")[0].lower()

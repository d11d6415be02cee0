"""Read hierarchies: a folder of ARX's CSV files, or one YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.tables.hierarchy.arx_csv import MARK, column_of, read_arx_csv
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

YAML = (".yaml", ".yml")


def read_hierarchies(path: str | Path) -> dict[str, Hierarchy]:
    """Hierarchies by column, from a folder of files `*hierarchy_COLUMN.csv`, one such file, or YAML."""
    place = Path(path)
    if place.is_dir():
        return _folder(place)
    if place.suffix.lower() in YAML:
        from reidrisk.core.yaml_file import read_yaml

        content = read_yaml(place)
        return hierarchies_from(content, folder=place.parent, place=f"{path_text(place)}: ")
    column = column_of(place)
    if place.exists() and column is not None:
        return {column: Hierarchy(column, read_arx_csv(place), suppress=False)}
    what = "is no folder, no YAML file and no hierarchy" if place.exists() else "does not exist"
    raise UnreadableFile(
        f"{path_text(place)} {what}.",
        hint=f"Name a folder of files *{MARK}COLUMN.csv, or a file that ends in .yaml.",
    )


def hierarchies_from(content: Any, *, folder: str | Path, place: str) -> dict[str, Hierarchy]:
    """Hierarchies by column, from the mapping that a YAML file holds.

    Files that it names are looked for in `folder`; `place` begins every complaint, such as `rules.yaml: `.
    """
    if not isinstance(content, Mapping) or not content:
        raise InvalidSetting(
            f"{place}no mapping of columns to hierarchies.",
            hint="Write a line for each column, such as admitted: [day, month, year].",
        )
    odd = [column for column in content if not isinstance(column, str)]
    if odd:
        raise InvalidSetting(f"{place}a column's name is no text.", hint="Put it in quotes.")
    return {
        column: Hierarchy.of(column, settings, folder=folder, place=place)
        for column, settings in content.items()
    }


def _folder(folder: Path) -> dict[str, Hierarchy]:
    found: dict[str, tuple[Path, Hierarchy]] = {}
    for file in sorted(folder.iterdir()):
        column = column_of(file) if file.is_file() and not file.name.startswith(".") else None
        if column is None:
            continue
        if column in found:
            raise BadData(
                f"{path_text(folder)} has two hierarchies of {column!r}: {path_text(found[column][0].name)} "
                f"and {path_text(file.name)}.",
                hint="Keep one file for each column.",
            )
        found[column] = file, Hierarchy(column, read_arx_csv(file), suppress=False)
    if not found:
        raise UnreadableFile(
            f"{path_text(folder)} holds no file *{MARK}COLUMN.csv.",
            hint="Name the files by their columns, such as hierarchy_age.csv, or name a YAML file.",
        )
    return {column: hierarchy for column, (_, hierarchy) in found.items()}

"""Paths in a release file stay inside its folder, unless somebody who read the file allows more.

A release file comes with the data, often from somebody else. Without this, it could have any file of the
machine read, and its tables written anywhere. The key is the exception: it is to be kept away from the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reidrisk.assess.inputs import is_server, source_files
from reidrisk.core.place import SettingPlace
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting

OPTION = "--allow-outside"


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path stays in a folder, also after every link is followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a circle of links leads nowhere
        return False


def check_settings_inside(content: Mapping[str, Any], folder: Path, place: SettingPlace) -> None:
    """Check the paths that belong to no part: files of the context, and the folder for temporary files."""
    context, limits = content.get("context"), content.get("limits")
    if isinstance(context, str):
        _check([context], folder, place.at("context"))
    if isinstance(context, Mapping):
        for key in ("preset", "checklist"):
            named = context.get(key)
            if isinstance(named, str) and named.endswith((".yaml", ".yml")):
                _check([named], folder, place.at("context").at(key))
    if isinstance(limits, Mapping) and isinstance(limits.get("temp"), str):
        _check([limits["temp"]], folder, place.at("limits").at("temp"))


def check_part_inside(
    sources: Iterable[str], given: Mapping[str, Any], folder: Path, place: SettingPlace
) -> None:
    """Check everything that a part reads, and the table that it writes."""
    for source in (*sources, *([str(given["out"])] if given.get("out") else [])):
        key = next((key for key, value in given.items() if value == source), None)
        _check([source], folder, place if key is None else place.at(key))


def _check(sources: Iterable[str], folder: Path, place: SettingPlace) -> None:
    for source in sources:
        if is_server(source):
            continue
        for file in (folder / source, *_files(source, folder)):
            if not is_inside(file, folder):
                raise _outside(source, place)


def _files(source: str, folder: Path) -> list[Path]:
    try:
        return source_files(source, folder)
    except (OSError, ValueError):
        return []


def _outside(source: str, place: SettingPlace) -> InvalidSetting:
    return place.wrong(
        f"names {path_text(source)}, which is outside the folder of the release file.",
        hint=f"Move the file, or the release file, or read the release file and add {OPTION}.",
    )

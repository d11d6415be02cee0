"""What the tabs of the page of a table share: the part, its files, and what was counted before."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting
from reidrisk.web.page import ASSESSMENT, PARTS, NotFound, confined, part_names, part_settings, render

if TYPE_CHECKING:
    from reidrisk.assess.kind import ReleasePart
    from reidrisk.assess.kinds.deidentify import DeidentifyPart

TABS = (
    ("columns", "Columns"),
    ("hierarchies", "Hierarchies"),
    ("solutions", "Solutions"),
    ("risk", "Risk"),
    ("download", "Download"),
)
MEASURED = "measured.json"


class Kept:
    """The last few things that took long to count, by what they depend on."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._found: OrderedDict[Any, Any] = OrderedDict()

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was made for this key before, or now; one at a time."""
        with self._lock:
            if key not in self._found:
                self._found[key] = make()
                while len(self._found) > self._most:
                    self._found.popitem(last=False)
            self._found.move_to_end(key)
            return self._found[key]


_NAMES = Kept(32)


def identity(*paths: Path) -> tuple[Any, ...]:
    """Names, sizes and times of files, which change when a file does. A missing file never has the same."""
    found: list[Any] = []
    for path in paths:
        about = path.stat() if path.is_file() else None
        found.append((str(path), *((about.st_mtime_ns, about.st_size) if about else (object(),))))
    return tuple(found)


def part_of(folder: Path, name: str) -> ReleasePart:
    """The part as the release file describes it; 404 if there is none."""
    from reidrisk.assess.release_file import read_release

    part_settings(folder, name)
    release = read_release(folder / RELEASE_FILE)
    return next(one for one in release.parts if one.name == name)


def deidentified_part(folder: Path, name: str) -> DeidentifyPart:
    """The part, if it is de-identified."""
    from reidrisk.assess.kinds.deidentify import DeidentifyPart

    found = part_of(folder, name)
    if not isinstance(found, DeidentifyPart):
        raise InvalidSetting(
            "This table is measured as it is, not de-identified.",
            hint="Add `deidentify: true` to this part of the release file to generalize and suppress it.",
        )
    return found


def source_of(part: ReleasePart) -> str:
    """The table: a file, a folder, or the URL of a table in a database."""
    return str(part.path(part.given["table"]))


def kind_of_part(folder: Path, part: str) -> str:
    """`deidentify`, or what the release file calls it."""
    given = part_settings(folder, part)
    return "deidentify" if given.get("deidentify") else str(given.get("kind"))


def show_tab(request: Request, folder: Path, part: str, tab: str, **values: Any) -> Response:
    """The page with one of its tabs open."""
    return render(
        request,
        f"table_{tab}.html",
        folder=folder,
        step="verdict",
        part=part,
        tab=tab,
        tabs=TABS,
        is_deidentified=kind_of_part(folder, part) == "deidentify",
        **values,
    )


def profile_file(folder: Path, part: str) -> Path:
    """The measurement of a part, which has the profile of its lattice; 404 if there is no such part."""
    release = folder / RELEASE_FILE
    if part not in _NAMES.get(identity(release), lambda: part_names(folder)):
        raise NotFound
    return confined(folder, ASSESSMENT, PARTS, part, MEASURED)

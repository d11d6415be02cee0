"""Change a release file: its comments and order stay, and nobody's change is overwritten unseen."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from enum import Enum
from pathlib import Path
from typing import Any

from reidrisk.assess.paths import check_settings_inside
from reidrisk.assess.release_file import (
    ReleaseContent,
    parse_release,
    with_checklist,
    with_context,
)
from reidrisk.context.changes import without_contradictions
from reidrisk.core.file_set import at_once
from reidrisk.core.files import write_bytes
from reidrisk.core.kernel_lock import waiting_for
from reidrisk.core.place import SettingPlace
from reidrisk.core.trail import FOLDER, Recorder, is_recording, recorded
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_edit import edit_yaml
from reidrisk.core.yaml_file import KeyPath, parse_lined_yaml, read_yaml_text
from reidrisk.errors import ChangedMeanwhile, InvalidSetting, UnreadableFile

LOCK = "edit.lock"
_STEP = re.compile(r"""\.?(?P<name>[^.\[\]"]+)|\[(?P<place>\d+)\]|\["(?P<quoted>[^"]+)"\]""")


class Removal(Enum):
    """Stands for the value of a setting that is to be removed."""

    REMOVED = "removed"


REMOVED = Removal.REMOVED
ReleaseChanges = Mapping[str, Any] | Mapping[KeyPath, Any] | Mapping[str | KeyPath, Any]
"""New values by the path of a setting; REMOVED removes it."""


def edit_release(
    path: str | Path, changes: ReleaseChanges, *, expected_sha256: str, allow_outside: bool = False
) -> str:
    """Change settings of a release file and return its new SHA-256.

    A setting is named as in `parts[0].hierarchies.age`, `parts.NAME.out`, `context.controls` or
    `parts[0].direct["visit.id"]`, or by a tuple of keys and positions. The value REMOVED removes it.
    Settings of the context that contradict a change are removed, as in a what-if. A context or checklist
    from a file of its own becomes part of the release file if one of its settings is changed: that file may
    belong to other releases too.

    The file is refused if its hash is not the expected one, because somebody changed it meanwhile
    (ChangedMeanwhile), and the change is refused if the result is not a valid release.
    """
    file = Path(path)
    if not file.is_file():
        raise UnreadableFile.missing(file)
    with _recorded(file), _alone(file.parent), at_once():
        before = file.read_bytes()
        if hashlib.sha256(before).hexdigest() != expected_sha256:
            raise ChangedMeanwhile(
                f"{path_text(file)} was changed meanwhile.",
                hint="Read it again, and repeat your change if it is still needed.",
            )
        after = edited_release(file, changes, allow_outside=allow_outside)
        write_bytes(file, after)  # also if it is the same: this tidies up what a killed run left
    return hashlib.sha256(after).hexdigest()


def release_sha256(path: str | Path) -> str:
    """The hash that `edit_release` expects, if nobody changes the file meanwhile."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def edited_release(file: Path, changes: ReleaseChanges, *, allow_outside: bool = False) -> bytes:
    """What a release file would be after changes; it is not written. Refused if it is no valid release."""
    before = file.read_bytes()
    text, source = read_yaml_text(file), path_text(file.name)
    lined = parse_lined_yaml(text, source)
    given = ReleaseContent(source, file.parent, lined.content, dict(lined.lines), allow_outside=allow_outside)
    made = edit_yaml(text, changed_content(given, changes), source=source)
    parse_release(made, file, allow_outside=allow_outside)
    if b"\r\n" in before:
        made = made.replace("\n", "\r\n")
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    return before if made == text else mark + made.encode()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else changes the release file during the block."""
    hidden = folder / FOLDER
    try:
        hidden.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise UnreadableFile(
            f"{path_text(folder)} cannot be written: {error.strerror}.", hint="Check its permissions."
        ) from None
    with waiting_for(hidden / LOCK):
        yield


@contextmanager
def _recorded(file: Path) -> Iterator[None]:
    """Log the change, unless a command does."""
    if is_recording():
        yield
        return
    with recorded(Recorder("rr.edit_release", inputs=(file.resolve(),))):
        yield


def setting_path(name: str | KeyPath) -> KeyPath:
    """The keys and positions that the name of a setting consists of.

    >>> setting_path('parts[0].direct["visit.id"]'), setting_path("context.controls")
    (('parts', 0, 'direct', 'visit.id'), ('context', 'controls'))
    """
    if not isinstance(name, str):
        return tuple(name)
    found: list[str | int] = []
    at = 0
    while at < len(name):
        step = _STEP.match(name, at)
        if step is None:
            break
        found.append(int(step["place"]) if step["place"] else step["name"] or step["quoted"])
        at = step.end()
    if not found or at < len(name) or name.startswith("."):
        raise InvalidSetting(
            f"{name!r} does not name a setting.",
            hint='Write for example context.controls, parts[0].out or parts[0].direct["visit.id"].',
        )
    return tuple(found)


def changed_content(given: ReleaseContent, changes: ReleaseChanges) -> Any:
    """The content of a release file after changes."""
    if not isinstance(given.content, Mapping):
        raise InvalidSetting(f"{given.source} is not a mapping of settings.", hint="Begin with reidrisk: 1.")
    paths = {_by_place(setting_path(name), given.content): value for name, value in changes.items()}
    content = deepcopy(dict(given.content))
    inner = {path[1:]: value for path, value in paths.items() if path[0] == "context" and len(path) > 1}
    if inner:
        content["context"] = _context_to_change(given, inner)
    for path, value in paths.items():
        if value is not REMOVED:
            _put(content, path, value)
    for path in sorted((path for path, value in paths.items() if value is REMOVED), key=_last_first):
        _remove(content, path)
    return content


def _context_to_change(given: ReleaseContent, inner: Mapping[KeyPath, Any]) -> Any:
    """The context, in the release file itself, without what contradicts the new settings."""
    if not given.allow_outside:
        check_settings_inside(given.content, given.folder, SettingPlace(given.source, (), given.lines))
    context = with_context(given).content.get("context")
    if any(path[0] == "checklist" and len(path) > 1 for path in inner):
        context = with_checklist(context, given.folder)
    if not isinstance(context, Mapping | None):
        return context
    new = {".".join(map(str, path)) for path, value in inner.items() if value is not REMOVED}
    return without_contradictions(context, new)


def _last_first(path: KeyPath) -> tuple[Any, ...]:
    """Positions in lists from the end, so that removing one does not move the others."""
    return tuple((0, -step, "") if isinstance(step, int) else (1, 0, step) for step in path)


def _by_place(path: KeyPath, content: Mapping[str, Any]) -> KeyPath:
    """A part that is named becomes its position."""
    parts = content.get("parts")
    if len(path) < 2 or path[0] != "parts" or isinstance(path[1], int) or not isinstance(parts, list):
        return path
    names = [str(part.get("name")) if isinstance(part, Mapping) else "" for part in parts]
    if path[1] not in names:
        raise InvalidSetting.among("The name of a part", path[1], names)
    return ("parts", names.index(path[1]), *path[2:])


def _put(inside: Any, path: KeyPath, value: Any) -> None:
    for depth, step in enumerate(path[:-1], start=1):
        below = _at(inside, step, path[:depth])
        if below is None or below == {}:
            below = inside[step] = {}
        inside = below
    last = path[-1]
    if isinstance(inside, list) and last == len(inside):
        inside.append(value)
        return
    _at(inside, last, path)
    inside[last] = value


def _remove(inside: Any, path: KeyPath) -> None:
    for depth, step in enumerate(path[:-1], start=1):
        inside = _at(inside, step, path[:depth])
    if _at(inside, path[-1], path) is None and (isinstance(inside, list) or path[-1] not in inside):
        raise InvalidSetting(f"{_shown(path)} is not set.", hint="Check the name of the setting.")
    del inside[path[-1]]


def _at(inside: Any, step: str | int, path: KeyPath) -> Any:
    """What a step leads to; None if nothing is there yet."""
    if isinstance(inside, list) and isinstance(step, int) and step < len(inside):
        return inside[step]
    if isinstance(inside, dict):
        return inside.get(step)
    what = "is not a position in a list that is there" if isinstance(step, int) else "has no setting below it"
    raise InvalidSetting(
        f"{_shown(path if isinstance(step, int) else path[:-1])} {what}.",
        hint="Set what is above it as a whole.",
    )


def _shown(path: KeyPath) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")

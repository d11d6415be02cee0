"""Read a release file: its form, context and parts, with the line of every error."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from reidrisk.assess.form import RELEASE_FILE_FORM
from reidrisk.assess.inputs import FIRST_VERSION, file_hash
from reidrisk.assess.kind import ReleasePart, read_part
from reidrisk.assess.paths import check_settings_inside
from reidrisk.context.changes import change_settings
from reidrisk.context.context import Context
from reidrisk.context.score import ContextScore, score_context
from reidrisk.core.limits import Limits
from reidrisk.core.place import CHANGED, SettingPlace
from reidrisk.core.shared_settings import SEED
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import KeyPath, parse_lined_yaml, read_lined_yaml, read_yaml
from reidrisk.errors import InvalidSetting, UnreadableFile

IN_MEMORY = "The release"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A release file without errors."""

    source: str
    folder: Path
    """Paths in the file are relative to it."""
    content: Mapping[str, Any] = field(repr=False)
    """As it is run: with its context, with changes, as JSON types, without passwords."""
    score: ContextScore
    parts: tuple[ReleasePart, ...]
    seed: int
    is_changed: bool
    """Whether this is a what-if."""
    lines: Mapping[str, str] = field(default_factory=dict, repr=False)
    """File and line of each part, by its name."""
    limits: Limits | None = None
    """How much of the machine may be used; None for a file of another machine."""
    sha256: str | None = None
    """The hash of the file; None if it was given as content."""

    @property
    def about(self) -> Mapping[str, Any]:
        """The section `release`."""
        found: Mapping[str, Any] = self.content["release"]
        return found

    def score_in(self, context: Mapping[str, Any]) -> ContextScore:
        """The score of the release in another context; InvalidSetting if that context makes no sense."""
        return score_context(Context.of(context, place="context", folder=self.folder))


@dataclass(frozen=True, slots=True)
class ReleaseContent:
    """The content of a release file, and the line of every key."""

    source: str
    folder: Path
    content: Any
    lines: Mapping[KeyPath, int] = field(repr=False)
    allow_outside: bool = False
    """Whether paths may lead out of the folder."""


def read_release(
    release: str | Path | Mapping[str, Any],
    changes: Mapping[str, Any] | None = None,
    *,
    allow_outside: bool = False,
) -> ReleaseFile:
    """Read a release file, or its content, and check everything that can be checked without data.

    Paths in a file stay inside its folder unless `allow_outside`; whoever gives the content has chosen them.
    """
    if isinstance(release, Mapping):
        given = ReleaseContent(IN_MEMORY, Path(), deepcopy(dict(release)), {}, allow_outside=True)
        return _read(given, changes or {}, runs_here=True)
    path = Path(release)
    if not path.exists():
        raise UnreadableFile.missing(path, hint=FIRST_VERSION)
    digest, _ = file_hash(path)
    lined = read_lined_yaml(path)
    given = ReleaseContent(
        path_text(path.name), path.parent, lined.content, dict(lined.lines), allow_outside=allow_outside
    )
    return replace(_read(given, changes or {}, runs_here=True), sha256=digest)


def parse_release(text: str, path: Path, *, allow_outside: bool = False) -> ReleaseFile:
    """Read a text that is about to become a release file, with the same checks."""
    source = path_text(path.name)
    lined = parse_lined_yaml(text, source)
    given = ReleaseContent(source, path.parent, lined.content, dict(lined.lines), allow_outside=allow_outside)
    return _read(given, {}, runs_here=True)


def read_release_again(path: Path, *, allow_outside: bool = False) -> ReleaseFile:
    """Read a release file that was run before, perhaps on another machine."""
    digest, _ = file_hash(path)
    lined = read_lined_yaml(path)
    given = ReleaseContent(
        path_text(path.name), path.parent, lined.content, dict(lined.lines), allow_outside=allow_outside
    )
    return replace(_read(given, {}, runs_here=False), sha256=digest)


def read_content(
    content: Mapping[str, Any], *, folder: Path, source: str, allow_outside: bool = False
) -> ReleaseFile:
    """The same for the content of a file that was in some folder."""
    given = ReleaseContent(source, folder, deepcopy(dict(content)), {}, allow_outside=allow_outside)
    return _read(given, {}, runs_here=False)


def _read(given: ReleaseContent, changes: Mapping[str, Any], *, runs_here: bool) -> ReleaseFile:
    if not isinstance(given.content, Mapping):
        first = max(given.lines.get((), 1), 1)
        raise InvalidSetting(
            f"{given.source}, line {first}: the file is not a mapping of settings.",
            hint=f"Begin it with reidrisk: 1. {FIRST_VERSION}",
        )
    if not given.allow_outside:
        check_settings_inside(given.content, given.folder, SettingPlace(given.source, (), given.lines))
    whole = apply_changes(with_context(given), changes)
    place = SettingPlace(whole.source, (), whole.lines)
    if not given.allow_outside:
        check_settings_inside(whole.content, whole.folder, place)
    RELEASE_FILE_FORM.check(whole.content, place)
    parts_place = place.at("parts")
    _check_names(whole.content["parts"], parts_place)
    score = _score(whole, place.at("context"))
    parts = tuple(
        read_part(
            part,
            parts_place.at(at),
            folder=whole.folder,
            score=score,
            allow_outside=whole.allow_outside,
        )
        for at, part in enumerate(whole.content["parts"])
    )
    groups = _joint(whole.content.get("joint"), parts, place.at("joint"), score)
    return ReleaseFile(
        source=whole.source,
        folder=whole.folder,
        content=plain({**whole.content, "context": score.context.to_settings()}),
        score=score,
        parts=(*parts, *groups),
        seed=whole.content.get(SEED.name, SEED.default),
        is_changed=bool(changes),
        lines={part.name: parts_place.at(at).at("name").file_and_line for at, part in enumerate(parts)},
        limits=_limits(whole, place.at("limits")) if runs_here else None,
    )


def _joint(
    given: Any, parts: tuple[ReleasePart, ...], place: SettingPlace, score: ContextScore
) -> tuple[ReleasePart, ...]:
    """The groups of parts that hold the same people, each judged like a part."""
    if given is None or isinstance(given, Mapping):
        return ()
    from reidrisk.assess.kinds.joint import joint_parts

    return joint_parts(given, parts, place, score)


def _limits(given: ReleaseContent, place: SettingPlace) -> Limits | None:
    with place.names_line():
        return Limits.of(given.content.get("limits") or {}, folder=given.folder)


def limits_to_repeat(release: ReleaseFile) -> Limits | None:
    """The limits that a release was assessed with; a folder that is missing here is left out."""
    given = dict(release.content.get("limits") or {})
    if given.get("temp") is not None and not (release.folder / given["temp"]).is_dir():
        del given["temp"]
    return Limits.of(given, folder=release.folder)


def with_context(given: ReleaseContent) -> ReleaseContent:
    """The content with a context from a file of its own, with the lines of that file."""
    named = given.content.get("context")
    if not isinstance(named, str):
        return given
    place = SettingPlace(given.source, ("context",), given.lines)
    path = given.folder / named
    if not path.is_file():
        raise place.missing(named)
    lined = read_lined_yaml(path)
    content, shown = lined.content, path_text(named)
    if not isinstance(content, Mapping):
        raise InvalidSetting(
            f"{shown}, line {lined.lines.get((), 1)} is not a mapping of settings.",
            hint="Write for example access: non_public.",
        )
    own = {("context", *way): line for way, line in lined.lines.items()}
    with SettingPlace(shown, ("context",), own).names_line():
        Context.of(content, place=f"{shown}: context", folder=path.parent)
    context = {name: _relative_to(given.folder, value, path.parent) for name, value in content.items()}
    return replace(given, content={**given.content, "context": context})


def _relative_to(folder: Path, value: Any, here: Path) -> Any:
    """A path relative to the context's file becomes relative to the release file; other values stay."""
    if isinstance(value, str) and value.endswith((".yaml", ".yml")) and (here / value).is_file():
        return path_text(os.path.relpath(here / value, folder))
    return value


def _score(given: ReleaseContent, place: SettingPlace) -> ContextScore:
    context = given.content.get("context")
    for key in ("preset", "checklist"):
        named = context.get(key) if isinstance(context, Mapping) else None
        is_file = isinstance(named, str) and named.endswith((".yaml", ".yml"))
        if is_file and not (given.folder / str(named)).is_file():
            raise place.at(key).missing(named)
    with place.names_line():
        return score_context(Context.of(context, place=f"{given.source}: context", folder=given.folder))


def _check_names(parts: list[Mapping[str, Any]], place: SettingPlace) -> None:
    seen: set[str] = set()
    for at, part in enumerate(parts):
        name, here = part["name"], place.at(at).at("name")
        if not NAME.fullmatch(name):
            raise here.wrong(
                "is not a valid name for a part.",
                hint="Use up to 64 letters, digits, - and _; it becomes the name of a folder.",
            )
        if name.lower() in seen:
            raise here.wrong("is also the name of another part.", hint="Give each part its own name.")
        seen.add(name.lower())


def plain(value: Any) -> Any:
    """The value as JSON types: dates as text, URLs without passwords."""
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, date):
        return value.isoformat()
    return without_password(value) if isinstance(value, str) else value


def without_password(text: str) -> str:
    """A URL without its password.

    >>> without_password("postgresql://ann:secret@db/clinic?table=visits")
    'postgresql://ann:…@db/clinic?table=visits'
    """
    return re.sub(r"^(postgres(?:ql)?://[^:@/]*):[^@/]*@", r"\1:…@", text)


def apply_changes(given: ReleaseContent, changes: Mapping[str, Any]) -> ReleaseContent:
    """Change settings such as context.controls, release.date, seed or parts.NAME.KEY, for a what-if."""
    content, lines = deepcopy(dict(given.content)), dict(given.lines)
    in_context: dict[str, Any] = {}
    for key, value in changes.items():
        first, _, rest = key.partition(".")
        if first not in RELEASE_FILE_FORM.entries:
            raise InvalidSetting.among("The first name of a change", first, RELEASE_FILE_FORM.entries)
        if first == "context" and rest:
            in_context[rest] = read_value(value)
            lines[("context", *rest.split("."))] = CHANGED
        elif first == "parts":
            lines[_change_part(content, rest, value)] = CHANGED
        else:
            path = key.split(".")
            _set_at(content, path, read_value(value))
            lines[tuple(path)] = CHANGED
    if in_context:
        context = content.get("context")
        if any(key.startswith("checklist.") for key in in_context):
            context = with_checklist(context, given.folder)
        content["context"] = change_settings(context, in_context)
    return replace(given, content=content, lines=lines)


def read_value(value: Any) -> Any:
    """A text from the command line as YAML reads it: numbers, lists, true and false, null.

    >>> read_value("0.1"), read_value("[5, 3]"), read_value("high"), read_value("yes"), read_value("null")
    (0.1, [5, 3], 'high', 'yes', None)
    """
    if not isinstance(value, str) or value in {"yes", "no", "on", "off"}:
        return value
    try:
        found = yaml.safe_load(value)
    except yaml.YAMLError:
        return value
    return found if value.strip() else value


def with_checklist(context: Any, folder: Path) -> Any:
    """The context with a checklist from a file of its own, so that one of its answers can be changed."""
    sheet = context.get("checklist") if isinstance(context, Mapping) else None
    return {**context, "checklist": read_yaml(folder / sheet)} if isinstance(sheet, str) else context


def _change_part(content: dict[str, Any], rest: str, value: Any) -> KeyPath:
    """Change parts.NAME.KEY; returns the path of the setting."""
    name, _, key = rest.partition(".")
    parts = content.get("parts")
    if not isinstance(parts, list) or not key:
        raise InvalidSetting(f"parts.{rest} is not a setting of a part.", hint="Write parts.NAME.KEY=value.")
    names = [str(part.get("name")) for part in parts if isinstance(part, Mapping)]
    if name not in names:
        raise InvalidSetting.among("The name of a part", name, names)
    at = names.index(name)
    parts[at] = dict(parts[at])
    path = key.split(".")
    _set_at(parts[at], path, read_value(value))
    return ("parts", at, *path)


def _set_at(inside: dict[str, Any], path: list[str], value: Any) -> None:
    *folders, last = path
    for name in folders:
        below = inside.get(name)
        if below is not None and not isinstance(below, Mapping):
            raise InvalidSetting(f"{name} has no settings of its own.", hint=f"Set it as a whole: {name}=...")
        inside[name] = below = dict(below) if isinstance(below, Mapping) else {}
        inside = below
    inside[last] = value

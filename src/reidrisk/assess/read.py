"""Read a release file: its form, its context and its parts, every complaint with its line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from reidrisk.assess.changes import Changed, changed_release
from reidrisk.assess.form.release import FORM
from reidrisk.assess.parts.choose import part_of
from reidrisk.assess.parts.part import Part
from reidrisk.context.context import Context
from reidrisk.context.score import ContextScore, score_context
from reidrisk.core.place import Place
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_lined_yaml
from reidrisk.errors import InvalidSetting, UnreadableFile

SEED = 7
IN_MEMORY = "The release"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A release file that makes sense."""

    source: str
    folder: Path
    """Paths of the file are relative to it."""
    content: Mapping[str, Any] = field(repr=False)
    """As it is run: the context in it, changes applied; JSON types, no password."""
    score: ContextScore
    parts: tuple[Part, ...]
    seed: int
    is_changed: bool
    """Whether this is a what-if."""
    lines: Mapping[str, str] = field(default_factory=dict, repr=False)
    """File and line of each part, by its name."""

    @property
    def about(self) -> Mapping[str, Any]:
        """The section `release`."""
        found: Mapping[str, Any] = self.content["release"]
        return found

    def scored(self, context: Mapping[str, Any]) -> ContextScore:
        """The same release in another context; InvalidSetting if that makes no sense."""
        return score_context(Context.of(context, place="context", folder=self.folder))


def read_release(
    release: str | Path | Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> ReleaseFile:
    """Check everything that can be checked before any data are read."""
    if isinstance(release, Mapping):
        source, folder, content, lines = IN_MEMORY, Path(), deepcopy(dict(release)), {}
    else:
        path = Path(release)
        if not path.exists():
            raise UnreadableFile(
                f"{path_text(path)} does not exist.",
                hint="Let one be written: reidrisk init FILES > release.yaml",
            )
        lined = read_lined_yaml(path)
        source, folder, content = path_text(path.name), path.parent, lined.content
        lines = dict(lined.lines)
    return _checked(Changed(source, folder, content, lines), changes or {})


def read_content(content: Mapping[str, Any], *, folder: Path, source: str) -> ReleaseFile:
    """The same for what a file held that lay in some folder."""
    return _checked(Changed(source, folder, deepcopy(dict(content)), {}), {})


def _checked(given: Changed, changes: Mapping[str, Any]) -> ReleaseFile:
    if not isinstance(given.content, Mapping):
        first = max(given.lines.get((), 1), 1)
        raise InvalidSetting(
            f"{given.source}, line {first}: the file is no mapping of settings.",
            hint="Begin with reidrisk: 1, or let `reidrisk init FILE…` write one.",
        )
    whole = changed_release(_with_context(given), changes)
    place = Place(whole.source, (), whole.lines)
    FORM.check(whole.content, place)
    _check_names(whole.content["parts"], place.at("parts"))
    score = _score(whole, place.at("context"))
    parts = tuple(
        part_of(part, place.at("parts").at(at), folder=whole.folder, score=score)
        for at, part in enumerate(whole.content["parts"])
    )
    return ReleaseFile(
        source=whole.source,
        folder=whole.folder,
        content=plain({**whole.content, "context": score.context.said()}),
        score=score,
        parts=parts,
        seed=whole.content.get("seed", SEED),
        is_changed=bool(changes),
        lines={part.name: place.at("parts").at(at).at("name").file_and_line for at, part in enumerate(parts)},
    )


def _with_context(given: Changed) -> Changed:
    """A context that lies in a file of its own is put in its place, with its own lines."""
    named = given.content.get("context")
    if not isinstance(named, str):
        return given
    place = Place(given.source, ("context",), given.lines)
    path = given.folder / named
    if not path.is_file():
        raise place.wrong(f"names {path_text(named)}, which does not exist.", hint="Check the path.")
    lined = read_lined_yaml(path)
    content, shown = lined.content, path_text(named)
    if not isinstance(content, Mapping):
        raise InvalidSetting(
            f"{shown}, line {lined.lines.get((), 1)} is no mapping of settings.",
            hint="Write for example access: non_public.",
        )
    own = {("context", *way): line for way, line in lined.lines.items()}
    with Place(shown, ("context",), own).names_line():
        Context.of(content, place=f"{shown}: context", folder=path.parent)
    moved = {name: _moved(value, path.parent, given.folder) for name, value in content.items()}
    return Changed(given.source, given.folder, {**given.content, "context": moved}, given.lines)


def _moved(value: Any, here: Path, there: Path) -> Any:
    """A path that was relative to the context's file, relative to the release's."""
    if isinstance(value, str) and value.endswith((".yaml", ".yml")) and (here / value).is_file():
        return path_text(os.path.relpath(here / value, there))
    return value


def _score(given: Changed, place: Place) -> ContextScore:
    said = given.content.get("context")
    for key in ("preset", "checklist"):
        named = said.get(key) if isinstance(said, Mapping) else None
        if (
            isinstance(named, str)
            and named.endswith((".yaml", ".yml"))
            and not (given.folder / named).is_file()
        ):
            raise place.at(key).wrong(f"names {named}, which does not exist.", hint="Check the path.")
    with place.names_line():
        context = Context.of(
            given.content.get("context"), place=f"{given.source}: context", folder=given.folder
        )
    return score_context(context)


def _check_names(parts: list[Mapping[str, Any]], place: Place) -> None:
    seen: dict[str, int] = {}
    for at, part in enumerate(parts):
        name, here = part["name"], place.at(at).at("name")
        if not NAME.fullmatch(name):
            raise here.wrong(
                "is no name for a part.", hint="Use up to 64 letters, digits, - and _; it names a folder."
            )
        if name.lower() in seen:
            raise here.wrong("is the name of another part.", hint="Name each part differently.")
        seen[name.lower()] = at


def plain(value: Any) -> Any:
    """JSON types; a date as text, and no password of a server."""
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, date):
        return value.isoformat()
    return without_password(value) if isinstance(value, str) else value


def without_password(text: str) -> str:
    """A URL without the secret that it holds.

    >>> without_password("postgresql://ann:secret@db/clinic?table=visits")
    'postgresql://ann:…@db/clinic?table=visits'
    """
    return re.sub(r"^(postgres(?:ql)?://[^:@/]*):[^@/]*@", r"\1:…@", text)

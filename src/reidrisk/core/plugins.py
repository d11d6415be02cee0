"""Plug-ins: what other packages add. One is loaded only when a user names it, never because it is installed.

A package declares it as an entry point in one of `GROUPS`, and a user names it `plugin:NAME`. Its package and
version are in the settings of every result that used it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.errors import BadData, InvalidSetting, ReidRiskError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Group = Literal["readers", "detectors", "templates", "attacks"]
GROUPS: dict[Group, str] = {
    "readers": "a reader of annotations",
    "detectors": "a detector",
    "templates": "a report template",
    "attacks": "an attack on texts",
}
"""What plug-ins can be; the entry points are in `reidrisk.readers` and so on."""
PREFIX = "plugin:"
VERSIONS = "plugin_versions"
"""The setting that names package and version of each plug-in."""


@dataclass(frozen=True, slots=True)
class InstalledPlugin:
    """A plug-in that can be named; nothing of it is imported."""

    group: Group
    name: str
    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


def is_plugin(name: str) -> bool:
    """Whether a user names a plug-in."""
    return name.startswith(PREFIX)


def installed_plugins(*groups: Group) -> list[InstalledPlugin]:
    """The plug-ins of some groups, or of all, by name; none is imported."""
    return [_described(group, one) for group in groups or GROUPS for one in _points(group)]


def load_plugin(group: Group, given: str) -> Any:
    """What the entry point `plugin:NAME` names; a class is made into an object."""
    found = _point(group, given)
    with plugin_errors(given):
        loaded = found.load()
        return loaded() if isinstance(loaded, type) else loaded


def check_parts(given: str, plugin: Any, *parts: str) -> None:
    """Refuse a plug-in that lacks something it must have."""
    missing = [part for part in parts if not hasattr(plugin, part)]
    if missing:
        raise InvalidSetting(
            f"{given} has no {', '.join(missing)}.",
            hint="Ask the author of the plug-in; docs/guides/plug-ins.md says what it needs.",
        )


@contextmanager
def plugin_errors(given: str) -> Iterator[None]:
    """An error in a plug-in may quote data; it is named by its type only."""
    try:
        yield
    except ReidRiskError:
        raise
    except Exception as error:
        if os.environ.get("REIDRISK_DEBUG"):
            raise
        problem = f"{given} failed: {type(error).__name__}."
    else:
        return
    raise BadData(
        problem,
        hint="Ask the author of the plug-in. REIDRISK_DEBUG=1 shows the trace, which may quote your data.",
    )


def calling(given: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, whose errors are those of a plug-in."""

    def call(*arguments: Any, **named: Any) -> Any:
        with plugin_errors(given):
            return function(*arguments, **named)

    return call


def with_versions(result: dict[str, Any]) -> dict[str, Any]:
    """A result whose settings name package and version of every plug-in in them."""
    settings = result.get("settings")
    if not isinstance(settings, Mapping):
        return result
    named = sorted(set(_names(settings)))
    if not named:
        return result
    return {**result, "settings": {**settings, VERSIONS: {name: _versions(name) for name in named}}}


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if is_plugin(value):
            yield value
    elif isinstance(value, Mapping):
        for name, below in value.items():
            if name != VERSIONS:
                yield from _names(below)
    elif isinstance(value, list | tuple):
        for below in value:
            yield from _names(below)


def _versions(given: str) -> str:
    """Package and version; of each package, if plug-ins of different groups have the same name."""
    name = given.removeprefix(PREFIX)
    found = dict.fromkeys(str(one) for one in installed_plugins() if one.name == name)
    return ", ".join(found) or "not installed"


def _points(group: Group) -> list[EntryPoint]:
    from importlib.metadata import entry_points  # slow to load

    return sorted(entry_points(group=f"reidrisk.{group}"), key=lambda one: one.name)


def _point(group: Group, given: str) -> EntryPoint:
    name, every = given.removeprefix(PREFIX), _points(group)
    found = {one.value: one for one in every if one.name == name}
    if len(found) > 1:
        packages = ", ".join(str(_described(group, one)) for one in found.values())
        raise InvalidSetting(
            f"{given} is {GROUPS[group]} of several packages: {packages}.", hint="Uninstall all but one."
        )
    if not found:
        known = ", ".join(f"{PREFIX}{one.name}" for one in every) or "none"
        raise InvalidSetting(
            f"{given} is not {GROUPS[group]} that is installed.",
            hint=f"Install its package in the environment of reidrisk. Installed: {known}.",
        )
    return next(iter(found.values()))


def _described(group: Group, point: EntryPoint) -> InstalledPlugin:
    package = point.dist
    name, version = ("unknown", "") if package is None else (package.name, package.version)
    return InstalledPlugin(group, point.name, name, version)

"""Where a setting stands: file, line and the way to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from reidrisk.core.yaml_file import KeyPath
from reidrisk.errors import InvalidSetting

CHANGED = 0
"""The line of a setting that was changed on the command line."""
_STEP = re.compile(r"[\w-]+|\[\d+\]")
_UNKNOWN = re.compile(r" has no setting '([^']+)'")


@dataclass(frozen=True, slots=True)
class Place:
    """A setting of a file."""

    file: str
    path: KeyPath = ()
    lines: Mapping[KeyPath, int] = field(default_factory=dict, repr=False)

    def at(self, key: str | int) -> Place:
        """A setting below this one."""
        return replace(self, path=(*self.path, key))

    @property
    def line(self) -> int | None:
        """The line of the setting, or of what it should stand in; None if there is no file."""
        for end in range(len(self.path), -1, -1):
            if self.path[:end] in self.lines:
                return self.lines[self.path[:end]]
        return None

    @property
    def file_and_line(self) -> str:
        """Where to look."""
        if self.line is None:
            return self.file
        return f"{self.file}, --set" if self.line == CHANGED else f"{self.file}, line {self.line}"

    @property
    def name(self) -> str:
        """The way to the setting, as people write it.

        >>> Place("release.yaml", ("parts", 0, "gold")).name
        'parts[0].gold'
        """
        text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.path)
        return text.removeprefix(".")

    def __str__(self) -> str:
        return f"{self.file_and_line}: {self.name}" if self.path else self.file_and_line

    def wrong(self, what: str, *, hint: str) -> InvalidSetting:
        """A complaint about this setting."""
        return InvalidSetting(f"{self} {what}", hint=hint)

    def among(self, given: str, known: list[str]) -> InvalidSetting:
        """A complaint that a value is none of the known ones."""
        return InvalidSetting.among(str(self), given, known)

    @contextmanager
    def names_line(self, known_as: str = "") -> Iterator[None]:
        """What others complain about below this setting gets the line on which it stands.

        `known_as` is the name that they have for it, before a dot or a colon and a name below.
        """
        try:
            yield
        except InvalidSetting as error:
            theirs = rf"{re.escape(known_as)}(?:\.|: )(?=[\w-]+(?:[.\[]| is | has | needs ))"
            problem = error.problem
            if known_as and re.match(theirs, problem):
                problem = f"{self.file}: {self.name}.{re.sub(theirs, '', problem, count=1)}"
            raise InvalidSetting(self._with_line(problem), hint=error.hint) from None

    def _with_line(self, problem: str) -> str:
        """Complaints that begin with our name of the setting name a deeper one, if they can."""
        start = f"{self.file}: {self.name}"
        if not problem.startswith(start):
            return f"{self}: {problem}"
        below = self
        rest = problem.removeprefix(start)
        while rest[:1] in {".", "["} and (step := _STEP.match(rest.removeprefix("."))):
            key = step[0]
            below = below.at(int(key[1:-1]) if key.startswith("[") else key)
            rest = rest.removeprefix(".")[len(key) :]
        unknown = _UNKNOWN.match(rest)
        below = below.at(unknown[1]) if unknown else below
        return f"{below.file_and_line}: {problem.removeprefix(f'{self.file}: ')}"

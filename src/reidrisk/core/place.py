"""The location of a setting in a file: file name, line and path of keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from reidrisk.core.yaml_file import KeyPath
from reidrisk.errors import InvalidSetting, UnreadableFile

CHANGED = 0
"""The line of a setting that was changed on the command line."""
_STEP = re.compile(r"[\w-]+|\[\d+\]")
_UNKNOWN = re.compile(r" has no setting '([^']+)'")


@dataclass(frozen=True, slots=True)
class SettingPlace:
    """The location of one setting."""

    file: str
    path: KeyPath = ()
    lines: Mapping[KeyPath, int] = field(default_factory=dict, repr=False)

    def at(self, key: str | int) -> SettingPlace:
        """The location of a setting inside this one."""
        return replace(self, path=(*self.path, key))

    @property
    def line(self) -> int | None:
        """The line of the setting, or of the closest parent that has one; None without a file."""
        for end in range(len(self.path), -1, -1):
            if self.path[:end] in self.lines:
                return self.lines[self.path[:end]]
        return None

    @property
    def file_and_line(self) -> str:
        """The file and line, for messages."""
        if self.line is None:
            return self.file
        return f"{self.file}, --set" if self.line == CHANGED else f"{self.file}, line {self.line}"

    @property
    def name(self) -> str:
        """The path of keys as people write it.

        >>> SettingPlace("release.yaml", ("parts", 0, "gold")).name
        'parts[0].gold'
        """
        text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.path)
        return text.removeprefix(".")

    def __str__(self) -> str:
        return f"{self.file_and_line}: {self.name}" if self.path else self.file_and_line

    def wrong(self, what: str, *, hint: str) -> InvalidSetting:
        """An error about this setting."""
        return InvalidSetting(f"{self} {what}", hint=hint)

    def missing(self, named: object, *, hint: str = "") -> UnreadableFile:
        """An error about a file or folder that this setting names."""
        hint = hint or "Paths are relative to the folder of the release file."
        shown = str(named).encode("utf-8", "backslashreplace").decode()
        return UnreadableFile(f"{self} names {shown}, which does not exist.", hint=hint)

    def among(self, given: str, known: list[str]) -> InvalidSetting:
        """An error that says which values are allowed."""
        return InvalidSetting.among(str(self), given, known)

    @contextmanager
    def names_line(self, known_as: str = "") -> Iterator[None]:
        """Add file and line to errors that are raised while this setting is read.

        `known_as` is the name that such an error uses for the setting, followed by a dot or a colon and
        the name of a setting inside it.
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
        """Add the line; if the message names a setting inside this one, use the line of that setting."""
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

"""One text on its way through, and what every kind of source must do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from reidrisk.errors import BadData, InvalidSetting


@dataclass(frozen=True, slots=True)
class Note:
    """A text and whom it is about."""

    id: str
    person: str = field(repr=False)
    """Texts of the same person share the move of dates; empty where only the text itself tells."""
    text: str = field(repr=False)
    record: Any = field(default=None, repr=False, compare=False)
    """What its source needs to write it back."""
    position: int = 0
    """How far the source is read, in its own unit."""

    @property
    def scope(self) -> str:
        """Whose dates these are: the person's, or this text's own."""
        return f"person {self.person}" if self.person else f"text {self.text}"


Write = Callable[[Note, str], None]


class NoteSource(Protocol):
    """A file or folder of texts."""

    @property
    def unit(self) -> str:
        """What is counted while it is read: files, bytes or rows."""

    @property
    def total(self) -> int:
        """How many there are."""

    @property
    def warnings(self) -> list[str]:
        """What the user should know of what was read, known when all is read."""

    def notes(self) -> Iterator[Note]:
        """The texts, always in the same order."""

    def writer(self, out: Path) -> AbstractContextManager[Write]:
        """Takes every note with its new text, in order."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """What the user says of the texts."""

    columns: tuple[str, ...] = ()
    """Columns of a table, or fields of JSON lines, that hold text."""
    person: str | None = None
    """A column or field that tells the person, or a pattern whose first group in the id does."""
    encoding: str | None = None
    """Of the files, if neither UTF-8 nor marked as UTF-16."""


def person_in(id_: str, pattern: str | None) -> str:
    """The person whom the first group of a pattern finds in an id; without a pattern each id is one."""
    if pattern is None:
        return id_
    found = compile_pattern(pattern).search(id_)
    if found is None or found[1] is None:
        raise BadData(
            f"The pattern of --person is not found in the id {id_!r}.",
            hint="Its first group must match in every id, as ^(.+)-[0-9]+$ does in 110-01.",
        )
    return found[1]


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern with a group."""
    try:
        made = re.compile(pattern)
    except re.error:
        made = None
    if made is None or not made.groups:
        raise InvalidSetting(
            f"--person {pattern!r} is no column here, and no pattern with a group.",
            hint="Name a column, or give a pattern such as ^([0-9]+)- that finds the person in the id.",
        )
    return made

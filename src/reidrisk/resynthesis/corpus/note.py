"""One text to de-identify, and the interface of every source of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from reidrisk.core.shown_ids import shown_document
from reidrisk.core.user_pattern import UserPattern
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.resynthesis.dates.shift import scope_of


@dataclass(frozen=True, slots=True)
class Note:
    """A text and the person it is about."""

    id: str
    person: str = field(repr=False)
    """Texts of the same person share the date shift; if empty, the text has its own."""
    text: str = field(repr=False)
    record: Any = field(default=None, repr=False, compare=False)
    """What the source needs to write the text back."""
    position: int = 0
    """How much of the source has been read, in its own unit."""
    before: int = 0
    """Characters of the file before the text: 1 if it begins with a byte order mark, which annotations count.
    """

    @property
    def scope(self) -> str:
        """The scope of the date shift: the person, or this text alone."""
        return scope_of(self.person) if self.person else f"text {self.text}"


Write = Callable[[Note, str], None]


class NoteSource(Protocol):
    """A file or folder of texts."""

    @property
    def unit(self) -> str:
        """The unit of progress: files, bytes or rows."""

    @property
    def total(self) -> int:
        """The number of units."""

    @property
    def warnings(self) -> list[str]:
        """Warnings about the input, complete when everything has been read."""

    def notes(self) -> Iterator[Note]:
        """The texts, always in the same order."""

    def writer(self, out: Path) -> AbstractContextManager[Write]:
        """A function that takes every note with its new text, in order."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Options for reading texts."""

    columns: tuple[str, ...] = ()
    """Columns of a table, or fields of JSON lines, that contain text."""
    person: str | None = None
    """A column or field with the person, or a pattern whose first group finds the person in the id."""
    encoding: str | None = None
    """Encoding of the files, if it is neither UTF-8 nor UTF-16 with a byte order mark."""


def person_in(id_: str, pattern: str | None) -> str:
    """The person that the first group of a pattern finds in an id; without a pattern, the id itself."""
    if pattern is None:
        return id_
    found = compile_pattern(pattern).group(id_)
    if found is None:
        raise BadData(
            f"The --person pattern does not match the id of {shown_document(id_)}.",
            hint="Its first group must match in every id. For example, ^(.+)-[0-9]+$ finds 110 in 110-01.",
        )
    return found


def compile_pattern(pattern: str) -> UserPattern:
    """Compile a pattern that must have a group."""
    hint = "Name a column, or use a pattern such as ^([0-9]+)- that finds the person in the id."
    try:
        expression = UserPattern(pattern, hint=hint)
    except InvalidSetting as error:
        reason, hint = error.problem, error.hint
    else:
        if expression.groups:
            return expression
        reason = "It has no group"
    raise InvalidSetting(
        f"--person {pattern!r} is neither a column here nor a pattern with a group. {reason.rstrip('.')}.",
        hint=hint,
    )

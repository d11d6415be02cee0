"""Where something is in a file, for messages: file names and numbers, never content."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from reidrisk.core.shown_ids import shown_document
from reidrisk.errors import BadData, MisalignedOffsets, UnreadableFile

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Location:
    """A file, and the line and the document in it, if known."""

    source: str
    line: int | None = None
    document: str | None = None

    def __str__(self) -> str:
        """The location as text."""
        line = "" if self.line is None else f", line {self.line}"
        document = "" if self.document is None else f", {shown_document(self.document)}"
        return f"{self.source}{line}{document}"

    def of(self, document: str) -> Location:
        """The same location with the document."""
        return Location(self.source, self.line, document)

    def annotation(self, number: int) -> str:
        """The location of annotation `number` (from 1, in file order)."""
        return f"{self}, annotation {number}"


def display_path(path: object) -> str:
    """The path as the user gave it; bytes that cannot be decoded become question marks."""
    return str(path).encode("utf-8", "replace").decode()


def unreadable(problem: str, *, hint: str) -> UnreadableFile:
    """An error for content that violates the format; `ErrorsAt` adds the location."""
    return UnreadableFile(f"{problem}.", hint=hint)


def misaligned(problem: str, *, hint: str) -> MisalignedOffsets:
    """An error for impossible offsets; `ErrorsAt` adds the location."""
    return MisalignedOffsets(f"{problem}.", hint=hint)


def locate_error(error: BadData, place: Location | str) -> BadData:
    """The same error with its location in front."""
    return type(error)(f"{place}: {error.problem}", hint=error.hint)


def make_numbered(items: Iterable[Item], place: Location, make: Callable[[Item], Made]) -> list[Made]:
    """Convert each item; an error names the number of the annotation, from 1.

    The location is formatted only if needed: millions of annotations pass here.
    """
    found: list[Made] = []
    try:
        found.extend(make(item) for item in items)
    except BadData as error:
        raise locate_error(error, place.annotation(len(found) + 1)) from None
    return found


class ErrorsAt:
    """Add the location to errors raised inside: the checks of values do not know where they are.

    A class, because a generator would cost more than the checks of a short document.
    """

    __slots__ = ("_place",)

    def __init__(self, place: Location | str) -> None:
        """Keep the location; it is formatted only if needed."""
        self._place = place

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Add the location to an error of ours; let other errors pass."""
        if isinstance(error, BadData):
            raise locate_error(error, self._place) from None

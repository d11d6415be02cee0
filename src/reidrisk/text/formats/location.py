"""Where something is in a file, for messages: file names and numbers, never content."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from reidrisk.errors import BadData, MisalignedOffsets, UnreadableFile

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Location:
    """A file, and as much as is known of the line and the document in it."""

    source: str
    line: int | None = None
    document: str | None = None

    def __str__(self) -> str:
        """The place in words."""
        line = "" if self.line is None else f", line {self.line}"
        document = "" if self.document is None else f", document {self.document!r}"
        return f"{self.source}{line}{document}"

    def of(self, document: str) -> Location:
        """The same place, now that the document is known."""
        return Location(self.source, self.line, document)

    def annotation(self, number: int) -> str:
        """Annotation `number` (from 1, in file order) at this place."""
        return f"{self}, annotation {number}"


def display_path(path: object) -> str:
    """The path as the user gave it; undecodable bytes of a file name become question marks."""
    return str(path).encode("utf-8", "replace").decode()


def unreadable(problem: str, *, hint: str) -> UnreadableFile:
    """Content that is not what the format asks for; the place is added by `ErrorsAt`."""
    return UnreadableFile(f"{problem}.", hint=hint)


def misaligned(problem: str, *, hint: str) -> MisalignedOffsets:
    """Offsets that cannot be right; the place is added by `ErrorsAt`."""
    return MisalignedOffsets(f"{problem}.", hint=hint)


def locate_error(error: BadData, place: Location | str) -> BadData:
    """The same error with its place in front."""
    return type(error)(f"{place}: {error.problem}", hint=error.hint)


def make_numbered(items: Iterable[Item], place: Location, make: Callable[[Item], Made]) -> list[Made]:
    """What is made of each item; an error names the number of the annotation, from 1.

    The place is put into words only if needed: millions of annotations pass here.
    """
    found: list[Made] = []
    try:
        found.extend(make(item) for item in items)
    except BadData as error:
        raise locate_error(error, place.annotation(len(found) + 1)) from None
    return found


class ErrorsAt:
    """Add the place to whatever is refused inside: values are checked where no place is known.

    A class, since a generator would cost more than the checks of a short document.
    """

    __slots__ = ("_place",)

    def __init__(self, place: Location | str) -> None:
        """Remember the place; it is put into words only if needed."""
        self._place = place

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Name the place of an error of ours; let others pass."""
        if isinstance(error, BadData):
            raise locate_error(error, self._place) from None

"""Text that knows where it speaks of whom: the answer key is made with the text, never found in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import Literal

Kind = Literal["id", "date", "quasi", "event", "site", "staff", "study"]
"""The first four speak of a participant; then sites, people who work there, and dates of the study."""
PARTICIPANT: tuple[Kind, ...] = ("id", "date", "quasi", "event")


@dataclass(frozen=True, slots=True)
class Mark:
    """A value as it is written at one place."""

    text: str
    kind: Kind
    variable: str | None = None
    """The variable of the data; None where the data do not have it, such as the day of a scan."""
    subjects: tuple[int, ...] = ()
    """Rows of ADSL, from 1."""


Part = str | Mark | tuple["str | Mark", ...]
"""What stands for a field of a template: plain text, a value, or several of both."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a value stands; offsets are code points of the piece's text, the end is exclusive."""

    start: int
    end: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading, a paragraph or a cell with the places that matter."""

    text: str
    mentions: tuple[Mention, ...] = ()


def say(*parts: Part) -> Piece:
    """Put a text together.

    >>> say("Age ", Mark("54", "quasi", "AGE", (3,)), " years").mentions[0].start
    4
    """
    text, found = "", []
    for part in _flat(parts):
        if isinstance(part, Mark):
            found.append(Mention(len(text), len(text) + len(part.text), part))
            text += part.text
        else:
            text += part
    return Piece(text, tuple(found))


def fill(template: str, parts: Mapping[str, Part]) -> Piece:
    """A template such as `Subject {id} was {age} years old.` with its fields, asked for one by one."""
    said: list[Part] = []
    for before, name, _, _ in Formatter().parse(template):
        said.append(before)
        if name is not None:
            said.append(parts[name])
    return say(*said)


def join(pieces: Iterable[Piece], between: str = " ") -> Piece:
    """Several pieces as one."""
    text, found = "", []
    for piece in pieces:
        text += between if text else ""
        at = len(text)
        found += [replace(each, start=each.start + at, end=each.end + at) for each in piece.mentions]
        text += piece.text
    return Piece(text, tuple(found))


def _flat(parts: Iterable[Part]) -> Iterable[str | Mark]:
    for part in parts:
        if isinstance(part, tuple):
            yield from part
        else:
            yield part

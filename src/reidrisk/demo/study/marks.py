"""Text with marked identifiers: the answer key is created together with the text, not by searching it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import Literal

IdentifierKind = Literal["id", "date", "quasi", "event", "site", "staff", "study"]
"""The first four are about a participant; the others are sites, their staff, and dates of the study."""
PARTICIPANT: tuple[IdentifierKind, ...] = ("id", "date", "quasi", "event")


@dataclass(frozen=True, slots=True)
class MarkedValue:
    """A value as written at one position."""

    text: str
    kind: IdentifierKind
    variable: str | None = None
    """The variable in the data; None if the data do not have it, such as the day of a scan."""
    subjects: tuple[int, ...] = ()
    """Rows of ADSL, from 1."""


Part = str | MarkedValue | tuple["str | MarkedValue", ...]
"""The content of a template field: plain text, a marked value, or several of both."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The position of a value; offsets count code points of the piece's text, and the end is exclusive."""

    start: int
    end: int
    mark: MarkedValue


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The text of a heading, paragraph or cell, with the positions of marked values."""

    text: str
    mentions: tuple[Mention, ...] = ()


def say(*parts: Part) -> MarkedText:
    """Build a piece from text and marked values.

    >>> say("Age ", MarkedValue("54", "quasi", "AGE", (3,)), " years").mentions[0].start
    4
    """
    text, found = "", []
    for part in _flat(parts):
        if isinstance(part, MarkedValue):
            found.append(Mention(len(text), len(text) + len(part.text), part))
            text += part.text
        else:
            text += part
    return MarkedText(text, tuple(found))


def fill(template: str, parts: Mapping[str, Part]) -> MarkedText:
    """Fill in a template such as `Subject {id} was {age} years old.`, one field at a time."""
    said: list[Part] = []
    for before, name, _, _ in Formatter().parse(template):
        said.append(before)
        if name is not None:
            said.append(parts[name])
    return say(*said)


def join(pieces: Iterable[MarkedText], between: str = " ") -> MarkedText:
    """Join several pieces into one."""
    text, found = "", []
    for piece in pieces:
        text += between if text else ""
        at = len(text)
        found += [replace(each, start=each.start + at, end=each.end + at) for each in piece.mentions]
        text += piece.text
    return MarkedText(text, tuple(found))


def _flat(parts: Iterable[Part]) -> Iterable[str | MarkedValue]:
    for part in parts:
        if isinstance(part, tuple):
            yield from part
        else:
            yield part

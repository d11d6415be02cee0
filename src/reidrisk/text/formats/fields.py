"""Check single values of annotation files. `ErrorsAt` adds the location to errors."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

from reidrisk.text.corpus import Role
from reidrisk.text.formats.location import misaligned, unreadable

ROLE_OF: dict[str, Role] = {"DIRECT": "direct", "QUASI": "quasi", "NO_MASK": "ignored"}
MAX_OFFSET = 2**31 - 1
"""No text is longer; a larger number is damage, and would overflow later."""
Pieces = tuple[tuple[int, int], ...]

_DIGITS = re.compile(r"[0-9]{1,18}")
_LONGEST_NAME = 200
_COMPARE = "Compare the file with the example of its format in the guide."
_OFFSETS = "Offsets count characters from 0; the end is exclusive and greater than the start."


def list_of(value: Any, what: str) -> list[Any]:
    """A JSON list, or an error that says what should have been one."""
    if type(value) is not list:
        raise unreadable(f"{what} is not a list", hint=_COMPARE)
    return value


def object_of(value: Any, what: str) -> dict[str, Any]:
    """A JSON object, or an error that says what should have been one."""
    if type(value) is not dict:
        raise unreadable(f"{what} is not an object", hint=_COMPARE)
    return value


def document_id(value: Any, key: str) -> str:
    """A document id: text, or a whole number as text.

    Messages show ids. In a damaged file, an id may be a whole text, so anything that does not look like a
    name is refused without showing it.
    """
    name = identifier(value)
    if name is None or not looks_like_name(name):
        hint = f"Give every document an id: a number, or one line of at most {_LONGEST_NAME} characters."
        raise unreadable(f'the document has no usable "{key}"', hint=hint)
    return name


def looks_like_name(name: str) -> bool:
    """Whether it is short, printable, on one line and not blank."""
    return len(name) <= _LONGEST_NAME and name.isprintable() and not name.isspace() and name != ""


def optional_text(value: Any, key: str | None) -> str | None:
    """Text; None if the file does not have it."""
    if value is not None and type(value) is not str:
        raise unreadable(f'"{key}" is not text', hint="Leave it out if there is none.")
    return value


def about_of(record: dict[str, Any], *, leave_out: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Other fields of a document: short texts and numbers, one level deep.

    >>> about_of({"doc_id": "a", "ward": "B2", "meta": {"year": 2019}}, leave_out=frozenset(["doc_id"]))
    (('ward', 'B2'), ('meta.year', '2019'))
    """
    found: list[tuple[str, str]] = []
    for key, value in record.items():
        if key in leave_out:
            continue
        inner = value if type(value) is dict else {"": value}
        for name, one in inner.items():
            if type(one) in (str, int, float, bool) and looks_like_name(str(one)):
                found.append((f"{key}.{name}" if name else key, str(one)))
    return tuple(found)


def identifier(value: Any) -> str | None:
    """Text, or a whole number as text; None for anything else."""
    if type(value) is int and abs(value) <= 10**18:
        return str(value)
    return value if type(value) is str else None


def annotation_type(value: Any, key: str) -> str:
    """The type of an annotation. Reports show it, so it must look like a name."""
    if type(value) is not str or not looks_like_name(value):
        hint = "Give every annotation a type: a short name on one line."
        raise unreadable(f'"{key}" is missing or not a name', hint=hint)
    return value


def named(value: Any, key: str | None) -> str:
    """An id of an annotation or an entity."""
    name = identifier(value)
    if not name:
        raise unreadable(f'"{key}" is neither text nor a whole number', hint="Use null if there is none.")
    return name


def role_of(value: Any, key: str | None) -> Role:
    """DIRECT, QUASI or NO_MASK as our role."""
    role = ROLE_OF.get(value) if type(value) is str else None
    if role is None:
        raise unreadable(f'"{key}" is not DIRECT, QUASI or NO_MASK', hint="Use one of these three, or null.")
    return role


def score_of(value: Any, key: str | None) -> float:
    """A finite number."""
    if type(value) is float and isfinite(value):
        return value
    if type(value) is int and abs(value) <= MAX_OFFSET:
        return float(value)
    raise unreadable(f'"{key}" is not a finite number', hint="Use null if there is no score.")


def number_of(value: Any) -> float | None:
    """A finite number, even if written as text; None for anything else."""
    try:
        number = float(value) if type(value) in (int, float, str) else None
    except (ValueError, OverflowError):
        return None
    return number if number is not None and isfinite(number) else None


def whole_number(value: str | None) -> int:
    """An offset written as text, such as an XML attribute."""
    if value is None or _DIGITS.fullmatch(value) is None:
        hint = "Write the start and end of every annotation as whole numbers from 0."
        raise unreadable("the start or the end is not a whole number", hint=hint)
    return int(value)


def check_offsets(start: Any, end: Any) -> None:
    """Refuse offsets that are impossible in any text."""
    if type(start) is not int or type(end) is not int:
        hint = "Write the start and end of every annotation as whole numbers, without quotes or decimals."
        raise unreadable("the start or the end is not a whole number", hint=hint)
    if start < 0:
        raise misaligned("it starts before the text", hint=_OFFSETS)
    if end <= start:
        raise misaligned("its end is not after its start", hint=_OFFSETS)
    if end > MAX_OFFSET:
        raise misaligned("its end is beyond any text", hint=_OFFSETS)


def pieces_of(value: Any) -> Pieces:
    """Pairs of offsets in order; a single pair is a continuous annotation."""
    pieces: list[tuple[int, int]] = []
    for pair in list_of(value, "the list of pieces"):
        if type(pair) not in (list, tuple) or len(pair) != 2:
            raise unreadable("a piece is not a pair of a start and an end", hint=_COMPARE)
        start, end = pair
        check_offsets(start, end)
        if pieces and start < pieces[-1][1]:
            hint = "List the pieces from the first to the last, without overlap."
            raise misaligned("its pieces overlap or are out of order", hint=hint)
        pieces.append((start, end))
    return tuple(pieces)

"""The first value of a JSON file from its first bytes alone, to recognise the format."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class FirstValue:
    """What the head of a file shows."""

    value: Any
    """None if it is not JSON."""
    complete: bool
    """False where the head ended before the value did."""


@lru_cache(maxsize=1)
def first_value(head: bytes) -> FirstValue:
    """The JSON value a file begins with: that of its first line, or as much of it as the head holds.

    Remembered for the last file: one reader after the other asks.
    """
    text = head.decode("utf-8", "ignore").removeprefix("\ufeff").lstrip()
    if not text.startswith(("{", "[")):
        return FirstValue(None, complete=True)
    for candidate in (text.partition("\n")[0], text):
        value = _value(candidate)
        if value is not None:
            return FirstValue(value, complete=True)
    return FirstValue(_value(_closed(text)), complete=False)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _closed(text: str) -> str:
    """A JSON text that breaks off, cut where a value had just ended or a bracket opened, and closed."""
    closers = ""
    end, tail = 0, ""
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in _CLOSING:
            closers = _CLOSING[mark] + closers
            end, tail = token.end(), closers
        elif mark == ",":
            end, tail = token.start(), closers
        elif mark in ("}", "]"):
            closers = closers[1:]
        if len(closers) > _DEEPEST:
            break
    return text[:end] + tail

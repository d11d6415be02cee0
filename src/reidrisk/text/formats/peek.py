"""Read the first value of a JSON file from its first bytes, to recognize the format."""

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
    """The first value in the head of a file."""

    value: Any
    """None if the head is not JSON."""
    complete: bool
    """False if the head ends before the value does."""


@lru_cache(maxsize=1)
def first_value(head: bytes) -> FirstValue:
    """The JSON value at the start of a file: that of its first line, or as much as the head contains.

    Cached for the last file, because many readers ask for it.
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
    """Truncated JSON, cut after the last complete value or opening bracket, with brackets closed."""
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

"""Read untrusted JSON: whole files and lines; every error names its location."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from reidrisk.core.input_limits import FIELD, NESTING, check_depth
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, locate_error, unreadable
from reidrisk.text.formats.reader import (
    BYTE_ORDER_MARK,
    ReadSettings,
    SourceFile,
    decode_utf8,
    file_errors,
    load_text,
)

LINE_SUFFIXES = (".jsonl", ".ndjson")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_json(path: SourceFile, settings: ReadSettings) -> Any:
    """A whole JSON file. Duplicate keys are refused, because the first value would be lost."""
    text = load_text(path, settings).removeprefix(BYTE_ORDER_MARK)
    return _parsed(text, Location(display_path(path)), load=_careful)


def json_lines(path: SourceFile, settings: ReadSettings) -> Iterator[tuple[Location, Any]]:
    """One JSON value per line, read when needed; empty lines are skipped."""
    source, before, number = display_path(path), 0, 0
    with file_errors(path), path.open("rb") as file:
        while line := file.readline(settings.max_line + 1):
            number += 1
            place = Location(source, number)
            text = _line(line, place, before=before, limit=settings.max_line)
            before += len(line)
            if text and not text.isspace():
                yield place, _parsed(text, place, load=_careful if _suspicious(text) else json.loads)


def _line(line: bytes, place: Location, *, before: int, limit: int) -> str:
    with ErrorsAt(place):
        if len(line) > limit:
            raise unreadable(
                f"the line is longer than {limit:,} bytes",
                hint=f"Write one document per line, or raise the limit: {FIELD.raising}",
            )
        text = decode_utf8(line, before=before)
    return (text if before else text.removeprefix(BYTE_ORDER_MARK)).rstrip("\r\n")


def _parsed(text: str, place: Location, *, load: Callable[[str], Any]) -> Any:
    try:
        with ErrorsAt(place):
            value = _whole(load(text), text)
            if text.count("[") + text.count("{") > NESTING.now():
                check_depth(value, "the JSON")
            return value
    except json.JSONDecodeError as error:
        line = error.lineno + (place.line or 1) - 1
        problem = f"the JSON is malformed at column {error.colno}: {error.msg}"
        hint = "Check that the file is complete. In a .jsonl file, every line is one object."
        raise locate_error(unreadable(problem, hint=hint), Location(place.source, line)) from None
    except RecursionError:
        raise locate_error(NESTING.exceeded("the JSON"), place) from None
    except ValueError:
        long = unreadable("a number has too many digits", hint="Check the offsets and scores.")
        raise locate_error(long, place) from None


def _suspicious(line: str) -> bool:
    """Whether a list of annotations may occur twice; checking every key would take too long."""
    return line.count('"entities"') > 1 or line.count('"spans"') > 1


def _careful(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_unique)


def _whole(value: Any, text: str) -> Any:
    """The value, unless an escape is half of a surrogate pair, which no output could encode."""
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            problem = "a \\u escape is half of a surrogate pair"
        else:
            return value
        raise unreadable(problem, hint="Write the character itself, or both halves of the pair.")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        hint = "Use unique document ids, and each key only once per object."
        raise unreadable("an object has the same key twice", hint=hint)
    return value

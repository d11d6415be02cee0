"""Find the row of a listed hierarchy that matches a value of the data.

The file is text; the data may be numbers, dates or Boolean values. An identical text is tried first,
then one that is identical without surrounding spaces, then one with the same meaning: 39.0 is 39,
01 is 1, True is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Ints

MISSING = ("", "NULL")
"""How a hierarchy may list missing values."""
NOWHERE = -1

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")


def written(value: Any) -> str:
    """Write a value of the data as a hierarchy would list it.

    >>> [written(value) for value in (39, 39.0, Decimal("1.50"), True, date(2007, 3, 14), " a")]
    ['39', '39', '1.5', 'true', '2007-03-14', ' a']
    """
    if type(value) in (str, int):  # the common case, and there may be many
        return str(value)
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float | Decimal):
        return _number(str(value)) or str(value)
    return str(value)


def meaning(text: str) -> str:
    """Return one form for all texts that mean the same number, time or Boolean value.

    >>> [meaning(text) for text in ("039.0", " TRUE ", "2007-03-14 00:00:00", "1E5", "east")]
    ['39', 'true', '2007-03-14', '1E5', 'east']
    """
    bare = text.strip()
    if bare.isdigit() and bare.isascii():
        return bare.lstrip("0") or "0"
    if bare.lower() in ("true", "false"):
        return bare.lower()
    if _MOMENT.fullmatch(bare):
        try:
            return _moment(datetime.fromisoformat(bare))
        except ValueError:
            return bare
    return _number(bare) or bare


def rows_of(values: Sequence[Any], texts: Sequence[str]) -> Ints:
    """Return the row that matches each value; -1 if there is none or more than one."""
    rows = {text: row for row, text in enumerate(texts)}
    listed = _missing_row(texts)
    wanted = [None if value is None else written(value) for value in values]
    found = [listed if text is None else rows.get(text, NOWHERE) for text in wanted]
    for same in (str.strip, meaning):
        left = [place for place, row in enumerate(found) if row == NOWHERE and wanted[place] is not None]
        if not left:
            break
        rows = _once(texts, same)
        for place in left:
            found[place] = rows.get(same(str(wanted[place])), NOWHERE)
    return np.array(found, dtype=np.int64)


def lists_missing(texts: Sequence[str]) -> bool:
    """Whether there is a row for missing values."""
    return _missing_row(texts) != NOWHERE


def _missing_row(texts: Sequence[str]) -> int:
    return next((texts.index(text) for text in MISSING if text in texts), NOWHERE)


def _once(texts: Sequence[str], same: Callable[[str], str]) -> dict[str, int]:
    """Map meanings to rows; a meaning that two rows share is ambiguous and left out."""
    found: dict[str, int] = {}
    for row, text in enumerate(texts):
        key = same(text)
        found[key] = row if key not in found else NOWHERE
    return found


def _moment(value: datetime) -> str:
    if value.time() == time():
        return value.date().isoformat()
    return value.isoformat()


def _number(text: str) -> str | None:
    """Write a number without superfluous zeros; None for other texts, such as codes with letters."""
    plain = format(Decimal(text), "f") if re.fullmatch(r"-?\d(\.\d+)?[eE][+-]\d+", text) else text
    if not _NUMBER.fullmatch(plain):
        return None
    digits = format(Decimal(plain), "f")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    bare = digits.lstrip("+-").lstrip("0") or "0"
    bare = f"0{bare}" if bare.startswith(".") else bare
    return f"-{bare}" if digits.startswith("-") and bare != "0" else bare

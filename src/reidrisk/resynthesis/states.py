"""States of the United States and provinces of Canada: one becomes another, long or short as it was."""

from __future__ import annotations

import re
from functools import cache

from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.vocabulary import words

REGIONS = ("northeast", "midwest", "south", "west", "canada")
_SHORT = re.compile(r"[A-Z]\.? ?[A-Z]\.?")


def is_state(value: str) -> bool:
    """Whether a list knows the name or the two letters.

    >>> is_state("Illinois"), is_state("IL"), is_state("N.Y."), is_state("Springfield")
    (True, True, True, False)
    """
    return _key(value) in _rows()


def new_state(value: str, draw: Draw, *, near: bool) -> str:
    """Another state, short if it was short; of the same region if asked and if its region is known."""
    region, own = _rows().get(_key(value), ("", ("", "")))
    regions = (region,) if near and region else REGIONS[:4]
    others = sorted(row for one in regions for row in _listed(one) if row != own)
    name, short = draw.secret.pick(others, "state", own[0] or _key(value), draw.scope)
    if not _SHORT.fullmatch(value.strip()) and len(_key(value)) != 2:
        return in_case_of(value, name) + value[len(value.rstrip(". ")) :]
    letters = iter(short.upper())
    return "".join(next(letters) if sign.isalpha() else sign for sign in value)


def _key(value: str) -> str:
    key = plain(value).strip(". ")
    return key.replace(".", "").replace(" ", "") if _SHORT.fullmatch(value.strip()) else key


@cache
def _listed(region: str) -> tuple[tuple[str, str], ...]:
    pairs = (one.split("=") for one in words(region))
    return tuple((name, short) for name, short in pairs)


@cache
def _rows() -> dict[str, tuple[str, tuple[str, str]]]:
    """Region, name and two letters, by either in plain form."""
    return {
        key: (region, row)
        for region in REGIONS
        for row in _listed(region)
        for key in (plain(row[0]), row[1].lower())
    }

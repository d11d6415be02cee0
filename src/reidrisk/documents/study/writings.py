"""How reports write what data hold as codes: sexes, races, countries, initials."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from reidrisk.detect.known.writings import fold_text

SEXES = {
    "f": ("female", "woman", "girl", "lady", "f"),
    "m": ("male", "man", "boy", "gentleman", "m"),
    "female": ("female", "woman", "girl", "lady", "f"),
    "male": ("male", "man", "boy", "gentleman", "m"),
}
RACES = {
    "white": ("white", "caucasian"),
    "black or african american": (
        "black or african american",
        "african american",
        "african-american",
        "black",
    ),
    "asian": ("asian",),
    "american indian or alaska native": (
        "american indian or alaska native",
        "american indian",
        "native american",
        "alaska native",
    ),
    "native hawaiian or other pacific islander": (
        "native hawaiian or other pacific islander",
        "native hawaiian",
        "pacific islander",
    ),
    "hispanic or latino": ("hispanic or latino", "hispanic", "latino", "latina"),
    "not hispanic or latino": ("not hispanic or latino", "non-hispanic", "not hispanic"),
}
UNTOLD = frozenset(
    ("other", "unknown", "not reported", "multiple", "missing", "u", "n/a", "na", "not collected")
)
"""Values that say nothing of anybody."""


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """Names of countries by their codes of ISO 3166."""
    text = files("reidrisk.documents.study").joinpath("countries.txt").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        two, three, *names = (part.strip() for part in line.split("|"))
        forms = tuple(fold_text(name) for name in names)
        found |= {two.lower(): (*forms, two.lower()), three.lower(): (*forms, three.lower())}
        found |= {name: (*forms, three.lower()) for name in forms}
    return found


def country_writings(value: str) -> tuple[str, ...]:
    """Names and code of a country.

    >>> country_writings("DEU")
    ('germany', 'deu')
    """
    low = fold_text(value.strip())
    return _countries().get(low, (low,))


def initials_writings(value: str) -> tuple[str, ...]:
    """Initials with points, blanks or hyphens between, or nothing.

    >>> initials_writings("M-Z")
    ('mz', 'm.z.', 'm. z.', 'm z', 'm-z')
    """
    letters = [letter for letter in fold_text(value) if letter.isalpha()]
    if not 2 <= len(letters) <= 4:
        return (fold_text(value),)
    joined = [mark.join(letters) for mark in ("", ".", ". ", " ", "-")]
    return (joined[0], f"{joined[1]}.", f"{joined[2]}.", *joined[3:])


@cache
def country_names() -> frozenset[str]:
    """All names and codes of countries, folded."""
    return frozenset(form for forms in _countries().values() for form in forms if len(form) > 2)

"""Invented addresses, facilities and companies."""

from __future__ import annotations

import numpy as np

from english.numbers import digits
from english.people import LETTERS, blend
from english.words import names, pick, sections
from reidrisk.demo.vocabulary import ORGANIZATION_HEADS, STATES, STREETS, TOWNS
from reidrisk.detect.dictionaries.lexicon import section_words

FIRST, LAST, JOINED = (
    tuple(sorted(section_words(name))) for name in ("street-first", "street-last", "street-joined")
)
PLACES = tuple(sorted(word.capitalize() for word in section_words("street-places")))
ABROAD, BLENDED = 0.35, 0.15
"""Shares of streets of other languages than English, and of towns in no list."""


def city(rng: np.random.Generator) -> str:
    """A town, seldom all in capitals."""
    town = pick(TOWNS if rng.random() < 0.25 else names()["town"], rng)
    if rng.random() < BLENDED:
        town = blend(town.split()[0], pick(names()["town"], rng).split()[-1])
    return town.upper() if rng.random() < 0.05 else town


def state(rng: np.random.Generator) -> str:
    """In full or abbreviated."""
    return pick(STATES[int(rng.integers(len(STATES)))][:2], rng)


def region(rng: np.random.Generator) -> str:
    """A state, or the letters of a region of any country."""
    return state(rng) if rng.random() < 0.7 else pick(LETTERS, rng) + pick(LETTERS, rng)


def postal_code(rng: np.random.Generator) -> str:
    """As in any country."""
    few, many = str(rng.integers(10, 99)), digits(3, rng)
    letters = pick(LETTERS, rng) + pick(LETTERS, rng)
    forms = (digits(4, rng), f"{many} {few}", f"{few}-{many}", f"{digits(4, rng)} {letters}", digits(6, rng))
    british = f"{letters}{rng.integers(1, 20)} {rng.integers(1, 9)}{letters}"
    return digits(5, rng) if rng.random() < 0.5 else pick((*forms, british), rng)


def unit(rng: np.random.Generator) -> str:
    """The number of a flat."""
    kind = pick(("Apt.", "Apt", "Suite", "Unit", "Flat", "Floor", "Ste.", "#", "Room"), rng)
    return f"{kind}{'' if kind == '#' else ' '}{rng.integers(1, 900)}"


def street_name(rng: np.random.Generator) -> str:
    """Without a number."""
    return street_abroad(rng, number="") if rng.random() < ABROAD else f"{_name(rng)} {_kind(rng)}"


def street_abroad(rng: np.random.Generator, *, number: str) -> str:
    """A street of another language, the number before or after it."""
    name = _name(rng).split()[0]
    way = rng.random()
    if way < 0.35:
        kind, little = pick(FIRST, rng), pick(("", "", "de ", "de la ", "do ", "della ", "du "), rng)
        own = f"{kind if rng.random() < 0.5 else kind.capitalize()} {little}{name}"
        return f"{number} {own}".strip() if rng.random() < 0.4 else f"{own} {number}".strip()
    own = name + pick(JOINED, rng) if way < 0.7 else f"{name} {pick(LAST, rng)}" if way < 0.85 else name
    return f"{own} {number}".strip()


def _name(rng: np.random.Generator) -> str:
    lists = (STREETS, names()["surname"], names()["town"], names()["woman"], (f"{rng.integers(1, 99)}th",))
    return pick(lists[int(rng.integers(len(lists)))], rng)


def _kind(rng: np.random.Generator) -> str:
    return pick(sections()["street"] if rng.random() < 0.75 else PLACES, rng)


def street(rng: np.random.Generator) -> str:
    """With a number, sometimes a flat; seldom a box."""
    if rng.random() < 0.04:
        return f"{pick(('P.O. Box', 'PO Box', 'Postbox', 'Postfach'), rng)} {rng.integers(10, 9999)}"
    if rng.random() < ABROAD:
        before = f"{rng.integers(1, 9999)} " if rng.random() < 0.15 else ""
        return before + street_abroad(rng, number=str(rng.integers(1, 300)))
    name = _name(rng)
    side = pick(("", "", "", "N. ", "West ", "S ", "Old "), rng)
    flat, suite = int(rng.integers(1, 99)), int(rng.integers(100, 900))
    more = pick(("", "", "", "", f", Apt {flat}", f" Apt. {flat}", f", Suite {suite}", f" #{flat}"), rng)
    return f"{rng.integers(1, 9999)} {side}{name} {_kind(rng)}{more}"


def hospital(rng: np.random.Generator) -> str:
    """A facility by its name."""
    tail = pick(sections()["hospital"], rng)
    if rng.random() < 0.08:
        return f"University of {city(rng)} {tail}"
    lists = (sections()["saint"], ORGANIZATION_HEADS, (city(rng),), names()["surname"], (state(rng),))
    return f"{pick(lists[int(rng.integers(len(lists)))], rng)} {tail}"


def organization(rng: np.random.Generator) -> str:
    """A company, school or agency."""
    two = f"{pick(names()['surname'], rng)} & {pick(names()['surname'], rng)}"
    lists = (ORGANIZATION_HEADS, names()["surname"], (city(rng),), (two,))
    return f"{pick(lists[int(rng.integers(len(lists)))], rng)} {pick(sections()['company'], rng)}"

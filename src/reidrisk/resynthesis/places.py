"""Surrogates for places."""

from __future__ import annotations

import re
from functools import cache

from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.draw import Draw, Names
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.vocabulary import every_word, generic_words, invent_word, name_lists, words

REGIONS = ("northeast", "midwest", "south", "west", "canada")
_SHORT = re.compile(r"[A-Z]\.? ?[A-Z]\.?")


def is_state(value: str) -> bool:
    """Whether a value is the name or the two-letter abbreviation of a listed state.

    >>> is_state("Illinois"), is_state("IL"), is_state("N.Y."), is_state("Springfield")
    (True, True, True, False)
    """
    return _key(value) in _rows()


def new_state(value: str, draw: Draw, *, near: bool) -> str:
    """Another state, abbreviated like the original; if `near` and the region is known, in the same region."""
    region, own = _rows().get(_key(value), ("", ("", "")))
    regions = (region,) if near and region else REGIONS[:4]
    others = sorted(row for one in regions for row in _listed_states(one) if row != own)
    name, short = draw.keyed.pick(others, "state", own[0] or _key(value), draw.scope)
    if not _SHORT.fullmatch(value.strip()) and len(_key(value)) != 2:
        return in_case_of(value, name) + value[len(value.rstrip(". ")) :]
    letters = iter(short.upper())
    return "".join(next(letters) if sign.isalpha() else sign for sign in value)


def _key(value: str) -> str:
    key = plain(value).strip(". ")
    return key.replace(".", "").replace(" ", "") if _SHORT.fullmatch(value.strip()) else key


@cache
def _listed_states(region: str) -> tuple[tuple[str, str], ...]:
    pairs = (one.split("=") for one in words(region))
    return tuple((name, short) for name, short in pairs)


@cache
def _rows() -> dict[str, tuple[str, tuple[str, str]]]:
    """Region, name and abbreviation of each state, by plain name and by abbreviation."""
    return {
        key: (region, row)
        for region in REGIONS
        for row in _listed_states(region)
        for key in (plain(row[0]), row[1].lower())
    }


COUNTRIES = ("america", "europe", "africa", "asia")
_STATE = r"(?P<state>[^\W\d_][^\d,]*?)(?P<end>\s*)(?P<zip>(?<=\s)\d{5}(?:-\d{4})?)?"
_AFTER_COMMA = re.compile(rf"(?P<town>.*[^\s,])(?P<gap>\s*,\s*){_STATE}", re.DOTALL)
_AFTER_SPACE = re.compile(
    r"(?P<town>[^,]*?[^\s,])(?P<gap>\s+)(?P<state>(?:(?:New|North|South|West|Rhode|British|Nova)\s+)?[^\W\d_]+)"
    r"(?P<end>\s*)(?P<zip>(?<=\s)\d{5}(?:-\d{4})?)?"
)
_OF_STATE = frozenset(("state", "commonwealth", "province", "of", "the"))
_OF_TOWN = frozenset(
    ("city", "town", "township", "village", "county", "fort", "port", "lake", "mount", "saint", "st")
)
_NAMED_AS_STATES = frozenset(("new york", "washington"))
_PIECE = re.compile(r"(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)|(?P<code>\w*\d\w*)")


def town(value: str, draw: Draw, *, near: bool = True) -> str:
    """Another town, listed if the original is listed, otherwise invented; a state becomes another state."""
    pair = _AFTER_COMMA.fullmatch(value)
    if pair is not None and is_state(pair["state"]):
        return _pair(pair, draw, near=near)
    if is_state(value) and not _is_town(value):
        return new_state(value, draw, near=near)
    return _whole(value, draw, "town") or _by_words(value, draw, "town")


def state(value: str, draw: Draw, *, near: bool) -> str:
    """Another state; a town before the state becomes another town."""
    if is_state(value):
        return new_state(value, draw, near=near)
    for ends in (_AFTER_COMMA, _AFTER_SPACE):
        pair = ends.fullmatch(value)
        if pair is not None and is_state(pair["state"]):
            return _pair(pair, draw, near=near)
    other = _is_town(value) or not plain(value).isascii()
    return town(value, draw, near=near) if other else new_state(value, draw, near=near)


def _pair(pair: re.Match[str], draw: Draw, *, near: bool) -> str:
    """A town, its state and a postal code after them; `State of` is not a town."""
    head, is_label = pair["town"], all(plain(word) in _OF_STATE for word in pair["town"].split())
    new = head if is_label else town(head, draw, near=near)
    code = pair["zip"] and (draw.code(pair["zip"], "zip") or pair["zip"])
    return new + pair["gap"] + new_state(pair["state"], draw, near=near) + pair["end"] + (code or "")


def _is_town(value: str) -> bool:
    """Whether a value is the name of a town, even if a state has the same name."""
    key = plain(value)
    return key in _plain_words("town") or key in _NAMED_AS_STATES or not _OF_TOWN.isdisjoint(key.split())


def organization(value: str, draw: Draw) -> str:
    """An organization: words for its kind stay, its proper name changes."""
    return _whole(value, draw, "department") or _by_words(value, draw, "head")


def street(value: str, draw: Draw) -> str:
    """A street: number and name change, the word for its kind stays."""
    return _by_words(value, draw, "street")


def other(value: str, draw: Draw) -> str:
    """Any other value with words."""
    return _by_words(value, draw, "head")


def profession(value: str, draw: Draw) -> str:
    """Another profession, never the same."""
    many = "s" if plain(value).endswith("s") and plain(value) not in words("profession") else ""
    single = plain(value)[:-1] if many else plain(value)
    options = [one for one in words("profession") if one != single]
    return in_case_of(value, draw.keyed.pick(options, "profession", plain(value), draw.scope) + many)


def country(value: str, draw: Draw, *, near: bool) -> str:
    """Another country; if `near`, on the same continent."""
    key = plain(value)
    lists = [words(part) for part in COUNTRIES]
    home = next((one for one in lists if any(plain(name) == key for name in one)), None)
    if home is None:
        return town(value, draw)
    options = home if near else tuple(name for one in lists for name in one)
    others = [name for name in options if plain(name) != key]
    return in_case_of(value, draw.keyed.pick(others, "country", key, draw.scope))


@cache
def _plain_words(kind: str) -> frozenset[str]:
    return frozenset(plain(one) for one in words(kind))


def _whole(value: str, draw: Draw, kind: str) -> str | None:
    """Another listed value for a listed value, if one is free."""
    key = plain(value)
    if key not in _plain_words(kind):
        return None
    fits = draw.filter_for(value)
    new = draw.first(lambda names: draw.keyed.pick(words(kind), *names), kind, key, accepts=fits)
    return None if new is None else in_case_of(value, new)


def _by_words(value: str, draw: Draw, kind: str) -> str:
    """Replace word by word: codes become codes, generic words stay, all other words change."""
    every = any(_is_own(match["word"], value) for match in _PIECE.finditer(value) if match["word"])
    first = not every and not any(sign.isdigit() for sign in value)

    def new(match: re.Match[str]) -> str:
        nonlocal first
        if match["code"]:
            return draw.code(match["code"], f"{kind} number") or match["code"]
        if first or _is_own(match["word"], value):
            first = False
            return new_word(match["word"], draw, kind)
        return match[0]

    return _PIECE.sub(new, value)


def _is_own(word: str, value: str) -> bool:
    """Whether a word is part of the proper name: not generic, and not lower case among capitals."""
    if plain(word) in generic_words():
        return False
    return not (word.islower() and any(sign.isupper() for sign in value))


def new_word(word: str, draw: Draw, kind: str) -> str:
    """The surrogate of a word in the name of a place or organization."""
    return draw.once(f"word {kind}", word, lambda: _new_word(word, draw, kind))


def _new_word(word: str, draw: Draw, kind: str) -> str:
    key = plain(word)
    if len(key) < 2 or not key[0].isascii():
        return draw.code(word, kind) or word
    listed = key in _plain_words(kind) or name_lists().is_listed(word)

    def pick(names: Names) -> str:
        return draw.keyed.pick(words(kind), *names).split(" ")[0]

    def invent(names: Names) -> str:
        return invent_word(draw.keyed, every_word(kind), kind, *names)

    def fits(new: str) -> bool:
        return draw.filter_for(word)(new) and (len(new) > 4 or len(word) < 5)

    makers = (pick, invent) if listed else (invent,)
    found = (draw.first(make, kind, key, str(number), accepts=fits) for number, make in enumerate(makers))
    return in_case_of(word, next((one for one in found if one), None) or draw.code(word, kind) or word)

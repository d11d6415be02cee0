"""The word lists that surrogates are drawn from, and invented words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log

from reidrisk.core.reference_lists import name_lines
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import plain, remove_accents
from reidrisk.resynthesis.spelling import spelling_of

FIRST, SURNAME = "first", "surname"
_ROLES = {"f": FIRST, "m": FIRST, "s": SURNAME}


@dataclass(frozen=True, slots=True)
class NameLists:
    """Names by origin and role; first names also by gender."""

    lists: Mapping[tuple[str, str], tuple[str, ...]]
    """Names by origin and one of f, m, s."""
    homes: Mapping[tuple[str, str], tuple[tuple[str, str], ...]]
    """Origin and gender of each listed name, by its plain form and role."""
    models: Mapping[str, Mapping[str, float]]
    """Log frequency of three-letter groups for each origin."""

    def home(self, name: str, role: str) -> tuple[str, str, bool]:
        """The origin of a name, its gender ("" if both or unknown), and whether it is listed."""
        found = self.homes.get((plain(name), role))
        if found:
            genders = {gender for _, gender in found}
            return found[0][0], genders.pop() if len(genders) == 1 else "", True
        return self._guess_home(plain(name)), "", False

    def is_listed(self, name: str) -> bool:
        """Whether a word is a listed first name or surname."""
        return any((plain(name), role) in self.homes for role in (FIRST, SURNAME))

    def options(self, home: str, role: str, gender: str, *, accents: bool) -> tuple[str, ...]:
        """The names that may replace a name; accented names only replace accented names."""
        genders = ("s",) if role == SURNAME else (gender,) if gender else ("f", "m")
        return _options(tuple(self.lists[home, one] for one in genders), accents=accents)

    def _guess_home(self, name: str) -> str:
        """The origin whose names have the most similar letters."""
        groups = [f"^{name}$"[at : at + 3] for at in range(len(name))]
        return max(
            self.models,
            key=lambda home: (sum(self.models[home].get(one, self.models[home][""]) for one in groups), home),
        )


@cache
def _options(lists: tuple[tuple[str, ...], ...], *, accents: bool) -> tuple[str, ...]:
    every = [name for one in lists for name in one]
    if not accents:
        return tuple(remove_accents(name) for name in every)
    return tuple(name for name in every if not name.isascii()) or tuple(every)


@cache
def name_lists() -> NameLists:
    """The name lists of the package."""
    lists: dict[tuple[str, str], tuple[str, ...]] = {}
    homes: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for head, names in name_lines():
        home, kind = head.split()
        lists[home, kind] = names
        for name in names:
            gender = kind if kind in "fm" else ""
            homes.setdefault((plain(name), _ROLES[kind]), []).append((home, gender))
    every = {home for home, _ in lists}
    models = {home: _letters([name for kind in "fms" for name in lists[home, kind]]) for home in every}
    return NameLists(lists, {key: tuple(found) for key, found in homes.items()}, models)


def word_list(text: str) -> tuple[str, ...]:
    """The words of a text, separated by spaces."""
    return tuple(text.split())


@cache
def words(kind: str) -> tuple[str, ...]:
    """The listed words of a kind of place, organization or profession."""
    return dict(_lines())[kind]


@cache
def generic_words() -> frozenset[str]:
    """Words in names of places and organizations that do not identify them."""
    return frozenset(words("generic"))


def _lines() -> list[tuple[str, tuple[str, ...]]]:
    text = files("reidrisk.resynthesis").joinpath("data/places.txt").read_text(encoding="utf-8")
    rows = [line.partition(": ") for line in text.splitlines() if line and not line.startswith("#")]
    return [(head, tuple(word.replace("_", " ") for word in rest.split())) for head, _, rest in rows]


def _letters(names: Sequence[str]) -> dict[str, float]:
    """Log frequency of three-letter groups; "" stands for groups that do not occur."""
    counts = Counter(f"^{plain(name)}$"[at : at + 3] for name in names for at in range(len(name)))
    total = sum(counts.values()) + 2000
    return {group: log((count + 0.5) / total) for group, count in counts.items()} | {"": log(0.5 / total)}


def invent_word(keyed: KeyedDraw, options: tuple[str, ...], kind: str, *names: str | int) -> str:
    """An invented word, spelled like the options."""
    return spelling_of(options, every_word(kind)).word(keyed, *names)


@cache
def every_word(kind: str) -> tuple[str, ...]:
    """All listed words of a kind: first names, surnames, or words for places and organizations."""
    if kind not in (FIRST, SURNAME):
        return tuple(
            word for one in ("town", "head", "street") for name in words(one) for word in name.split()
        )
    lists = name_lists().lists
    return tuple(
        remove_accents(name) for (_, one), names in lists.items() if _ROLES[one] == kind for name in names
    )

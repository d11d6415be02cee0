"""Synthetic people of five countries: names, homes, phones and numbers in the local forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import yaml

from reidrisk.demo.entity import pick
from reidrisk.demo.vocabulary import MEN, STATES, STREETS, SURNAMES, TOWNS, WOMEN

Item = TypeVar("Item")
Rng = np.random.Generator
TODAY = date(2023, 6, 30)
_DOMAINS = ("example.com", "example.org", "mail.example.net", "post.example")


@dataclass(frozen=True, slots=True, repr=False)
class Resident:
    """A synthetic person with a relative, a home and a phone."""

    number: str
    """The number that the hospital, insurer or registry gave the person."""
    sex: str
    first: str
    last: str
    born: date
    postal: str
    town: str
    street: str
    phone: str
    relation: str
    kin_first: str
    kin_last: str

    @property
    def mail(self) -> str:
        """An e-mail address made from the name."""
        plain = (self.first[0] + self.last).encode("ascii", "ignore").decode().replace(" ", "").lower()
        return f"{plain}{self.number[-4:]}@{_DOMAINS[self.born.day % len(_DOMAINS)]}"

    @property
    def spaced(self) -> str:
        """The number in two groups."""
        return f"{self.number[:3]}-{self.number[3:]}"

    @property
    def department(self) -> str:
        """The first two digits of the postal code."""
        return self.postal[:2]

    @property
    def year(self) -> int:
        """The year of birth."""
        return self.born.year

    @property
    def age(self) -> int:
        """Age in completed years at the end of the data."""
        before = (TODAY.month, TODAY.day) < (self.born.month, self.born.day)
        return TODAY.year - self.born.year - before


@dataclass(frozen=True, slots=True)
class Land:
    """Names, places and forms of one country."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    surnames: tuple[str, ...]
    places: tuple[tuple[str, str], ...]
    """Postal code and town; earlier ones are more common."""
    phones: tuple[str, ...]
    houses: tuple[str, ...]
    relations: tuple[tuple[str, str], ...]


def residents(number: int, land: Land, *, rng: Rng) -> list[Resident]:
    """People of one country; about one in seventy is over 89."""
    codes = rng.choice(7 * 10**7, number, replace=False) + 21 * 10**6  # none begins like a year
    homes = choose(land.places, number, rng=rng, skew=1.1)
    return [_resident(str(code), home, land, rng=rng) for code, home in zip(codes, homes, strict=True)]


def _resident(code: str, home: tuple[str, str], land: Land, *, rng: Rng) -> Resident:
    sex = pick("FM", rng=rng)
    middle = pick(((57, 19), (34, 22)), rng=rng)
    years = rng.integers(90, 103) if rng.random() < 1 / 70 else min(89, max(0, rng.normal(*middle)))
    born = TODAY - timedelta(days=int(int(years) * 365.25) + int(rng.integers(364)) + 1)
    last = pick(land.surnames, rng=rng)
    first = pick(land.women if sex == "F" else land.men, rng=rng)
    relation, kin_sex = pick(land.relations, rng=rng)
    kin = pick(land.women if kin_sex == "F" else land.men, rng=rng)
    kin_last = last if rng.random() < 0.6 else pick(land.surnames, rng=rng)
    street = filled(pick(land.houses, rng=rng).replace("{street}", pick(STREETS, rng=rng)), rng=rng)
    phone = filled(pick(land.phones, rng=rng), rng=rng)
    return Resident(code, sex, first, last, born, *home, street, phone, relation, kin, kin_last)


def choose(options: Sequence[Item], number: int, *, rng: Rng, skew: float = 1.0) -> list[Item]:
    """Draw with replacement; the first options are the most common ones."""
    weights = 1 / np.arange(1, len(options) + 1) ** skew
    return [options[at] for at in rng.choice(len(options), number, p=weights / weights.sum())]


def visits(who: Sequence[Resident], more: float, *, rng: Rng) -> list[Resident]:
    """Each person once, and `more` further times on average; the people stay in order."""
    times = 1 + rng.poisson(more, len(who))
    return [one for one, several in zip(who, times, strict=True) for _ in range(several)]


def some_days(number: int, *, rng: Rng, span: int = 880) -> list[date]:
    """Days of visits, fewer at weekends."""
    first = date(2021, 1, 4)
    drawn = [first + timedelta(days=int(more)) for more in rng.integers(span, size=2 * number)]
    kept = [day for day, chance in zip(drawn, rng.random(2 * number), strict=True)
            if day.weekday() < 5 or chance < 0.4]  # fmt: skip
    return kept[:number]


def filled(pattern: str, *, rng: Rng) -> str:
    """A random digit in the place of each number sign; the first is never 0.

    >>> filled("A-##", rng=np.random.default_rng(1))
    'A-55'
    """
    numbers = iter([rng.integers(1, 10), *rng.integers(10, size=pattern.count("#"))])
    return "".join(str(next(numbers)) if sign == "#" else sign for sign in pattern)


def nhs_number(*, rng: Rng) -> str:
    """Ten digits, the last of which checks the others, as the NHS Data Dictionary says."""
    while True:
        nine = filled("#########", rng=rng)
        check = -sum(int(digit) * (10 - at) for at, digit in enumerate(nine)) % 11
        if check < 10:
            return f"{nine}{check}"


def identity_card(*, rng: Rng) -> str:
    """Eight digits and the letter that checks them, as on Spanish identity cards."""
    number = int(filled("########", rng=rng))
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def french_number(one: Resident, *, rng: Rng) -> str:
    """The French social security number: sex, year, month, place, order and check digits."""
    body = f"{1 + (one.sex == 'F')}{one.born:%y%m}{one.postal[:2]}{filled('######', rng=rng)}"
    return f"{body}{97 - int(body) % 97:02d}"


def land(name: str, *, rng: Rng) -> Land:
    """A country; in America, a region of one state, in which towns have one to four ZIP codes."""
    words = _lands()[name]
    phones = tuple(phone.replace("{area}", str(rng.integers(203, 989))) for phone in words["phones"])
    relations = tuple(tuple(pair.split(":")) for pair in words["relations"].split())
    if name == "american":
        places = _american(rng=rng)
    elif name == "british":
        places = _british(words)
    else:
        places = _listed(words["places"])
    women, men = _split(words.get("women", "")) or WOMEN, _split(words.get("men", "")) or MEN
    surnames = _split(words.get("surnames", "")) or SURNAMES
    return Land(women, men, surnames, places, phones, tuple(words["houses"]), relations)


@cache
def _lands() -> dict[str, Any]:
    text = Path(__file__).with_name("lands.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def _split(block: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in block.split())


def _american(*, rng: Rng) -> tuple[tuple[str, str], ...]:
    first = pick(STATES, rng=rng)[2]
    towns = [TOWNS[at] for at in rng.permutation(len(TOWNS))[:70]]
    codes = iter(rng.choice(np.arange(11, 999), 400, replace=False))
    several = sorted(rng.integers(1, 5, len(towns)), reverse=True)
    pairs = zip(towns, several, strict=True)
    return tuple((f"{first}{next(codes):03d}", town) for town, more in pairs for _ in range(more))


def _british(words: dict[str, str]) -> tuple[tuple[str, str], ...]:
    areas = [area.split(":") for area in words["districts"].split()]
    inward = words["inward"].split()
    return tuple((f"{area}{at} {end}", town) for area, town, most in areas for at in range(1, int(most))
                 for end in inward)  # fmt: skip


def _listed(block: str) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    codes: list[str] = []
    for word in _split(block):
        if word.isdigit():
            codes.append(word)
        else:
            found += [(code, word) for code in codes]
            codes = []
    return tuple(found)

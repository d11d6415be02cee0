"""Invented people, and the ways in which they are written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from english.words import names, pick
from reidrisk.demo.vocabulary import MEN, SURNAMES, WOMEN

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
OWN_FIRST, OWN_LAST, DOUBLE, BLENDED = 0.3, 0.2, 0.04, 0.2
"""Shares of names from the demo's lists of many cultures, of double surnames, and of names in no list."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody invented."""

    sex: str
    first: str
    last: str
    middle: str

    @classmethod
    def new(cls, rng: np.random.Generator) -> Person:
        """Of any culture."""
        sex = pick("fm", rng)
        own = WOMEN if sex == "f" else MEN
        first = pick(own if rng.random() < OWN_FIRST else names()["woman" if sex == "f" else "man"], rng)
        last = pick(SURNAMES if rng.random() < OWN_LAST else names()["surname"], rng)
        if rng.random() < BLENDED:
            first = blend(first, pick(names()["woman" if sex == "f" else "man"], rng))
        if rng.random() < BLENDED:
            last = blend(last, pick(names()["surname"], rng))
        if rng.random() < DOUBLE:
            last = f"{last}-{pick(names()['surname'], rng)}"
        return cls(sex, first, last, pick(LETTERS, rng))

    def full(self, rng: np.random.Generator) -> str:
        """First name first, mostly in full."""
        rare = (
            f"{self.first} {self.middle}. {self.last}",
            f"{self.first[0]}. {self.last}",
            f"{self.first} {self.last[0]}.",
            f"{self.first} {self.middle} {self.last}",
        )
        return f"{self.first} {self.last}" if rng.random() < 0.75 else pick(rare, rng)

    def reversed(self, rng: np.random.Generator) -> str:
        """Surname first."""
        first, last = self.first, self.last
        usual = (f"{last}, {first}", f"{last}, {first} {self.middle}.", f"{last},{first}")
        return pick((*usual, f"{last.upper()}, {first}", f"{last.upper()}, {first.upper()}"), rng)

    @property
    def initials(self) -> str:
        """As in J.S."""
        return f"{self.first[0]}.{self.last[0]}."

    def email(self, domain: str, rng: np.random.Generator) -> str:
        """An address at a domain."""
        first, last = plain(self.first), plain(self.last)
        forms = (f"{first}.{last}", f"{first[0]}{last}", f"{first}{rng.integers(1, 99)}", f"{last}_{first}")
        return f"{pick(forms, rng)}@{domain}"


def blend(first: str, second: str) -> str:
    """A name that is in no list: the beginning of one and the end of another."""
    return first[: len(first) // 2 + 1] + second[len(second) // 2 :].lower()


def plain(name: str) -> str:
    """Letters only, small."""
    return "".join(letter for letter in name.lower() if letter.isascii() and letter.isalpha()) or "user"

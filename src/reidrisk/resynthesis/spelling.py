"""Invent words letter by letter, in the spelling of a language or region; every word is possible.

Anyone with the word lists could recognize a word made from parts of listed words. Here each letter is drawn
by how often it follows the letters before it (Shannon 1948, doi:10.1002/j.1538-7305.1948.tb01338.x), and
rare letters remain possible.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import log

from reidrisk.resynthesis.keyed_draw import KeyedDraw

END = "$"
ORDER = 3
"""Number of previous letters on which the next letter depends."""
SHORTEST, LONGEST = 3, 14
OWN, ANY = 0.78, 0.98
"""Cumulative probability to draw a letter as in words of the same origin, then as in any listed word."""
Shares = tuple[tuple[str, ...], tuple[float, ...]]
"""Letters and their cumulative shares."""


@dataclass(frozen=True, slots=True)
class Letters:
    """How often letters follow each other in a list of words."""

    following: Mapping[str, Shares]
    single: Shares

    def after(self, text: str) -> Shares:
        """The letters that follow the longest known ending of the text."""
        start = f"^{text}"
        for length in range(ORDER, 0, -1):
            found = self.following.get(start[-length:])
            if found is not None:
                return found
        return self.single


@dataclass(frozen=True, slots=True)
class SpellingModel:
    """Letter statistics of words of one origin, mixed with those of all words."""

    own: Letters
    every: Letters

    def word(self, keyed: KeyedDraw, *names: str | int) -> str:
        """An invented word that depends only on the key and the names."""
        text, bits = "", 0
        for step in range(LONGEST + 4):
            if step % 3 == 0:
                bits = keyed.number("letters", step, *names)
            which, place, bits = bits % 2**12 / 2**12, bits // 2**12 % 2**30 / 2**30, bits // 2**42
            letter = _at(self._choice(which, text), place)
            if letter == END and len(text) >= SHORTEST:
                break
            if letter != END:
                text += letter
        return text.capitalize()

    def _choice(self, which: float, text: str) -> Shares:
        if which < OWN:
            return self.own.after(text)
        return self.every.after(text) if which < ANY else self.every.single

    def surprise(self, word: str) -> float:
        """How unusual a word is: the negative log probability per letter."""
        text = word.casefold()
        total = 0.0
        for at, letter in enumerate([*text, END]):
            chance = OWN * _share(self.own.after(text[:at]), letter)
            chance += (ANY - OWN) * _share(self.every.after(text[:at]), letter)
            total -= log(chance + (1 - ANY) * (_share(self.every.single, letter) or 1e-4))
        return total / (len(text) + 1)


@cache
def spelling_of(own: tuple[str, ...], every: tuple[str, ...]) -> SpellingModel:
    """The spelling model of words of one origin and of all words."""
    return SpellingModel(_learn(own), _learn(every))


@cache
def _learn(words: tuple[str, ...]) -> Letters:
    following: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    single: dict[str, int] = defaultdict(int)
    for word in words:
        text = f"^{word.lower()}{END}"
        for at in range(1, len(text)):
            single[text[at]] += 1
            for length in range(1, min(ORDER, at) + 1):
                following[text[at - length : at]][text[at]] += 1
    return Letters({start: _cumulate(counts) for start, counts in following.items()}, _cumulate(single))


def _cumulate(counts: Mapping[str, int]) -> Shares:
    total = sum(counts.values())
    names = tuple(sorted(counts))
    return names, tuple(accumulate(counts[name] / total for name in names))


def _at(shares: Shares, place: float) -> str:
    letters, sums = shares
    return letters[min(bisect_right(sums, place), len(letters) - 1)]


def _share(shares: Shares, letter: str) -> float:
    letters, sums = shares
    if letter not in letters:
        return 0.0
    at = letters.index(letter)
    return sums[at] - (sums[at - 1] if at else 0.0)

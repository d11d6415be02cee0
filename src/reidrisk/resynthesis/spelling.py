"""Invented words: letter after letter, as is usual somewhere; every word is possible.

A word made of parts of listed words could be told from a real one by whoever has the lists. Here letters are
drawn from how often they follow each other (Shannon 1948, doi:10.1002/j.1538-7305.1948.tb01338.x), and
unusual ones remain possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import log

from reidrisk.resynthesis.secret import Secret

END = "$"
ORDER = 3
"""Letters before, on which the next one depends."""
LONGEST = 14
UNUSUAL = 0.02
"""Chance of a letter that never followed here, by how often it occurs at all."""
OWN = 4
"""How much more all words of the same home count than all others together."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How often letters follow each other."""

    following: Mapping[str, tuple[tuple[str, ...], tuple[float, ...]]]
    """For each few letters, the next ones and their shares, summed up."""
    letters: tuple[tuple[str, ...], tuple[float, ...]]
    """All letters and their shares, summed up."""

    def word(self, secret: Secret, *names: str | int) -> str:
        """A word that only the key and the names decide."""
        text = ""
        for step in range(LONGEST):
            drawn = secret.number("letter", step, *names)
            unusual = drawn % 10_000 < UNUSUAL * 10_000
            letters, sums = self.letters if unusual else self._after(text)
            letter = _at(letters, sums, (drawn // 10_000) % 2**64 / 2**64)
            if letter == END:
                if len(text) > ORDER - 1:
                    break
                continue
            text += letter
        return text.capitalize()

    def surprise(self, word: str) -> float:
        """How unusual a word is, per letter: the negative logarithm of its chance."""
        text = word.casefold()
        total = 0.0
        for at, letter in enumerate([*text, END]):
            usual = _share(*self._after(text[:at]), letter)
            total -= log((1 - UNUSUAL) * usual + UNUSUAL * (_share(*self.letters, letter) or 1e-4))
        return total / (len(text) + 1)

    def _after(self, text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
        start = f"^{text}".lower()
        for length in range(ORDER, 0, -1):
            found = self.following.get(start[-length:])
            if found is not None:
                return found
        return self.letters


@cache
def spelling_of(own: tuple[str, ...], every: tuple[str, ...]) -> Spelling:
    """Learnt from words of one home and, with less weight, from all."""
    following: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    letters: dict[str, float] = defaultdict(float)
    for words, weight in ((own, OWN * len(every) / len(own)), (every, 1.0)):
        for word in words:
            text = f"^{word.lower()}{END}"
            for at in range(1, len(text)):
                letters[text[at]] += weight
                for length in range(1, ORDER + 1):
                    if at >= length:
                        following[text[at - length : at]][text[at]] += weight
    return Spelling({start: _summed(counts) for start, counts in following.items()}, _summed(letters))


def _summed(counts: Mapping[str, float]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    total = sum(counts.values())
    names = tuple(sorted(counts))
    return names, tuple(accumulate(counts[name] / total for name in names))


def _at(letters: Sequence[str], sums: Sequence[float], place: float) -> str:
    return next((letter for letter, edge in zip(letters, sums, strict=True) if place < edge), letters[-1])


def _share(letters: Sequence[str], sums: Sequence[float], letter: str) -> float:
    if letter not in letters:
        return 0.0
    at = letters.index(letter)
    return sums[at] - (sums[at - 1] if at else 0.0)

"""Suspicion scores of values in a released text, and the flags an attacker raises."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import log

import numpy as np

from reidrisk.resynthesis.attack.instances import AttackedTexts, Instance
from reidrisk.resynthesis.dates.shift import days_in
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.spelling import spelling_of
from reidrisk.resynthesis.surrogates import SurrogateKind, kind_of
from reidrisk.resynthesis.vocabulary import SURNAME, every_word, generic_words, name_lists
from reidrisk.stats.arrays import Bools, Floats, Ints

_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDY: tuple[SurrogateKind, ...] = ("name", "town", "organization", "address", "user", "words")
_FAR = 3650
"""Days: farther apart makes no difference."""
Score = Callable[[AttackedTexts], Floats]


def frequency(attacked: AttackedTexts) -> Floats:
    """A value that the set seldom holds: surrogates are used again wherever the same person occurs."""
    counts = Counter((one.type, plain(one.text)) for one in attacked.instances)
    return np.array([-log(counts[one.type, plain(one.text)]) for one in attacked.instances])


def consistency(attacked: AttackedTexts) -> Floats:
    """A value that does not fit its document: a name of no other mention, a date far from all others."""
    by_document: dict[int, list[Instance]] = defaultdict(list)
    for one in attacked.instances:
        by_document[one.document].append(one)
    words = {id(one): frozenset(_words(one.text)) for one in attacked.instances}
    days = {id(one): _days(one) for one in attacked.instances}
    return np.array([_misfit(one, by_document[one.document], words, days) for one in attacked.instances])


def _misfit(
    one: Instance,
    others: list[Instance],
    words: dict[int, frozenset[str]],
    days: dict[int, tuple[int, ...]],
) -> float:
    rest = [other for other in others if other is not one and other.type == one.type]
    if days[id(one)]:
        gaps = [abs(day - own) for other in rest for day in days[id(other)] for own in days[id(one)]]
        return log(1 + min([*gaps, _FAR])) if gaps else 0.0
    shared = sum(bool(words[id(other)] & words[id(one)]) for other in rest)
    return 1 / (1 + shared) if rest else 0.5


def unlisted(attacked: AttackedTexts) -> Floats:
    """A word that public lists lack and that the spelling of invented surrogates makes unlikely."""
    known: dict[tuple[bool, str], float] = {}
    lists = name_lists()

    def odd(word: str, *, is_name: bool) -> float:
        if (is_name, word) not in known:
            every = every_word(SURNAME if is_name else "town")
            listed = lists.is_listed(word) if is_name else word in _place_words()
            known[is_name, word] = 0.0 if listed else 1.0 + spelling_of(every, every).surprise(word)
        return known[is_name, word]

    return np.array(
        [
            max(
                (odd(word, is_name=kind_of(one.type) in ("name", "user")) for word in _words(one.text)),
                default=0.0,
            )
            if kind_of(one.type) in _WORDY
            else 0.0
            for one in attacked.instances
        ]
    )


def common(attacked: AttackedTexts) -> Floats:
    """A name that is common outside: the common ones are real in most sets, and so no surrogates there."""
    rank: dict[str, float] = {}
    for names in name_lists().lists.values():
        for place, name in enumerate(names):
            rank[plain(name)] = max(rank.get(plain(name), 0.0), 1 / (1 + place))
    return np.array(
        [max((rank.get(word, 0.0) for word in _words(one.text)), default=0.0) for one in attacked.instances]
    )


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(plain(text)) if word not in generic_words()]


def _place_words() -> frozenset[str]:
    return frozenset(plain(word) for word in every_word("town"))


def _days(one: Instance) -> tuple[int, ...]:
    return tuple(days_in(one.text, ResynthesisSettings())) if kind_of(one.type) in ("date", "words") else ()


@dataclass(frozen=True, slots=True)
class Flags:
    """What one attack flags."""

    attack: str
    flagged: Bools
    leaked: Bools

    @property
    def right(self) -> int:
        """Leaks that are flagged."""
        return int(np.count_nonzero(self.flagged & self.leaked))

    @property
    def wrong(self) -> int:
        """Surrogates that are flagged."""
        return int(np.count_nonzero(self.flagged & ~self.leaked))

    @property
    def recognition(self) -> float | None:
        """The share of leaks that are flagged; None if nothing leaked."""
        leaks = int(np.count_nonzero(self.leaked))
        return self.right / leaks if leaks else None

    @property
    def precision(self) -> float | None:
        """The share of flags that are right; None without any."""
        flags = self.right + self.wrong
        return self.right / flags if flags else None


def folds_of(documents: int, *, folds: int, rng: np.random.Generator) -> Ints:
    """A fold for each document, all of about the same size."""
    return rng.permutation(np.arange(documents) % folds)


def flag(attack: str, attacked: AttackedTexts, scores: Floats, folds: Ints, *, precision: float) -> Flags:
    """Flag what is more suspicious than a limit learnt from the other folds, where the answers are known.

    So much help no adversary has who has not verified leaks elsewhere: the measured recognition is rather too
    high than too low. Each kind of identifier has its own limit.
    """
    leaked = np.array([one.leaked for one in attacked.instances], dtype=bool)
    kinds = np.array([kind_of(one.type) for one in attacked.instances])
    own = folds[np.array([one.document for one in attacked.instances], dtype=np.int64)]
    flagged = np.zeros(leaked.size, dtype=bool)
    for fold in np.unique(own):
        for kind in np.unique(kinds):
            learn, judge = (own != fold) & (kinds == kind), (own == fold) & (kinds == kind)
            limit = _limit(scores[learn], leaked[learn], precision=precision)
            if limit is not None and np.isfinite(limit):
                flagged[judge] = scores[judge] >= limit
    return Flags(attack, flagged, leaked)


def _limit(scores: Floats, leaked: Bools, *, precision: float) -> float | None:
    """The lowest limit at which so large a share of flags is right; None if there is none."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    right, flags = np.cumsum(leaked[order]), np.arange(1, scores.size + 1)
    last = np.append(ranked[1:] != ranked[:-1], True) if scores.size else np.zeros(0, dtype=bool)
    good = np.flatnonzero(last & (right / np.maximum(flags, 1) >= precision) & (right > 0))
    return float(ranked[good[-1]]) if good.size else None

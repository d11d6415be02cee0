"""Suspicion scores of values in a released text, and the flags that an adversary raises."""

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
"""Longest distance in days that is distinguished."""
Score = Callable[[AttackedTexts], Floats]


def frequency(attacked: AttackedTexts) -> Floats:
    """Rare values are suspicious, because surrogates are reused wherever the same person occurs."""
    counts = Counter((one.type, plain(one.text)) for one in attacked.instances)
    return np.array([-log(counts[one.type, plain(one.text)]) for one in attacked.instances])


def consistency(attacked: AttackedTexts) -> Floats:
    """Values that do not fit their document: a name without other mentions, a date far from all others."""
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
    """Words that are not in public lists and that are unlikely under the spelling of invented surrogates."""
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
    """Common names: they are real in most data sets and therefore not used as surrogates there."""
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
    """The identifiers that one attack flags as originals."""

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
        """The share of flags that are right; None if nothing is flagged."""
        flags = self.right + self.wrong
        return self.right / flags if flags else None


def folds_of(documents: int, *, folds: int, rng: np.random.Generator) -> Ints:
    """A random fold for each document; folds have about the same size."""
    return rng.permutation(np.arange(documents) % folds)


def flag(attack: str, attacked: AttackedTexts, scores: Floats, folds: Ints, *, precision: float) -> Flags:
    """Flag values that are more suspicious than a limit learned on the other folds, with known answers.

    A real adversary only has this help after verifying leaks elsewhere, so the measured recognition is more
    likely too high than too low. Each kind of identifier has its own limit.
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
    """The lowest limit at which the share of right flags reaches `precision`; None if there is none."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    right, flags = np.cumsum(leaked[order]), np.arange(1, scores.size + 1)
    last = np.append(ranked[1:] != ranked[:-1], True) if scores.size else np.zeros(0, dtype=bool)
    good = np.flatnonzero(last & (right / np.maximum(flags, 1) >= precision) & (right > 0))
    return float(ranked[good[-1]]) if good.size else None

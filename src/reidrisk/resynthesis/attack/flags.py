"""Which identifiers an adversary flags as originals, without having seen the answer for their document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.resynthesis.attack.instances import Attacked
from reidrisk.resynthesis.kinds import kind_of
from reidrisk.stats.arrays import Bools, Floats, Ints


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


def flag(attack: str, attacked: Attacked, scores: Floats, folds: Ints, *, precision: float) -> Flags:
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

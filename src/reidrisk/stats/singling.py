"""The smallest sets of columns with a property that every larger set keeps, from as few tests as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

MOST_TESTS = 2000
"""Largest number of sets to test."""
WIDEST = 16
"""Columns whose sets are all held in memory; of more columns only small sets are tested."""
PACE = 0.3
"""How fast the guess of the next answer learns from the last ones."""

ColumnPlaces = tuple[int, ...]
Test = Callable[[ColumnPlaces], bool | None]
Proof = Callable[[ColumnPlaces], bool]


@dataclass(frozen=True, slots=True)
class SmallestSets:
    """Minimal sets, by the places of their columns."""

    sets: tuple[ColumnPlaces, ...]
    """Smallest first."""
    complete: bool
    """Whether these are all of the sets, and none of them contains a smaller one."""


def smallest_sets(  # noqa: PLR0913 - the question, what is known, how long
    width: int,
    test: Test,
    prove: Proof,
    *,
    known: Mapping[ColumnPlaces, bool] | None = None,
    weights: Sequence[float] | None = None,
    most: int = MOST_TESTS,
    most_proofs: int = MOST_TESTS,
) -> SmallestSets:
    """Find the minimal sets of columns that have a property; a larger set has it as well.

    `test` answers yes, no, or None for "apparently not"; `prove` is sure. What is apparent is proved for the
    largest such sets only, since they speak for all sets within them (Gunopulos et al. 2003, "Discovering
    all most specific sentences", ACM TODS 28(2): dualize and advance). `known` are answers known before.
    `weights` say how much each column adds, such as its bits: the better they are, the fewer the tests.
    """
    if width > WIDEST:
        return _small_ones(width, test, most)
    lattice = _Lattice(width, _Guess(np.ones(width) if weights is None else np.array(weights, dtype=float)))
    for places, answer in (known or {}).items():
        lattice.learn(_mask(places), answer=answer)
    proofs = 0
    while True:
        asked = lattice.decide(test, most)
        doubtful = lattice.largest_doubtful()
        if not asked or doubtful is None or proofs == most_proofs:
            break
        lattice.settle(doubtful, answer=prove(_places(doubtful)))
        proofs += 1
    return SmallestSets(lattice.minimal(), asked and doubtful is None)


@dataclass(slots=True)
class _Guess:
    """How likely a set has the property: a logistic regression on its columns that learns from each answer.

    It only decides which set is tested next. Answers alone decide what is found.
    """

    weights: NDArray[np.float64]
    least: float = field(init=False)
    """The sum of weights at which both answers are as likely."""

    def __post_init__(self) -> None:
        self.least = float(self.weights.sum()) / 2

    def chances(self) -> NDArray[np.float64]:
        """The probability of a yes, by set."""
        score = np.full(1, -self.least)
        for weight in self.weights:
            score = np.concatenate([score, score + weight])
        return np.asarray(1 / (1 + np.exp(-np.clip(score, -30, 30))))

    def learn(self, mask: int, *, answer: bool) -> None:
        """Move toward an answer, the more the less it was expected."""
        places = list(_places(mask))
        score = float(np.clip(self.weights[places].sum() - self.least, -30, 30))
        change = PACE * (answer - 1 / (1 + np.exp(-score)))
        self.weights[places] += change
        self.least -= change


@dataclass(slots=True)
class _Lattice:
    """What is known about every set; a set is a number with one bit for each column."""

    width: int
    guess: _Guess
    masks: NDArray[np.int64] = field(init=False)
    true: NDArray[np.bool_] = field(init=False)
    false: NDArray[np.bool_] = field(init=False)
    """Surely."""
    apparent: NDArray[np.bool_] = field(init=False)
    """Within a set that apparently lacks the property."""
    doubtful: set[int] = field(default_factory=set)
    """Those sets."""
    tests: int = 0

    def __post_init__(self) -> None:
        self.masks = np.arange(1 << self.width)
        self.true = np.zeros(self.masks.size, dtype=np.bool_)
        self.apparent = self.true.copy()
        self.false = self.masks == 0

    def learn(self, mask: int, *, answer: bool | None) -> None:
        """Apply an answer to all larger sets or to all smaller ones."""
        if answer is None:
            self.doubtful.add(mask)
            self.apparent |= (self.masks & mask) == self.masks
        elif answer:
            self.true |= (self.masks & mask) == mask
        else:
            self.false |= (self.masks & mask) == self.masks

    def settle(self, mask: int, *, answer: bool) -> None:
        """Replace what a set apparently is by what it is."""
        self.learn(mask, answer=answer)
        rest = {one for one in self.doubtful if not (self.true[one] or self.false[one])}
        self.doubtful = set()
        self.apparent[:] = False
        for one in rest:
            self.learn(one, answer=None)

    def decide(self, test: Test, most: int) -> bool:
        """Test sets until every set is decided, surely or apparently; False if that takes too many tests."""
        while (undecided := ~(self.true | self.false | self.apparent)).any():
            if self.tests == most:
                return False
            mask = self._most_telling(undecided)
            answer = test(_places(mask))
            self.learn(mask, answer=answer)
            self.guess.learn(mask, answer=bool(answer))
            self.tests += 1
        return True

    def _most_telling(self, undecided: NDArray[np.bool_]) -> int:
        """The set that is expected to decide most others: those above it if yes, those below it if no."""
        above = undecided.astype(np.int32)
        below = above.copy()
        for column in range(self.width):
            up, down = (one.reshape(-1, 2, 1 << column) for one in (above, below))
            up[:, 0] += up[:, 1]
            down[:, 1] += down[:, 0]
        gain = below + self.guess.chances() * (above - below)
        return int(np.where(undecided, gain, -1).argmax())

    def largest_doubtful(self) -> int | None:
        """The largest set that is in doubt; None if there is none."""
        return max(self.doubtful, key=lambda mask: (mask.bit_count(), mask), default=None)

    def minimal(self) -> tuple[ColumnPlaces, ...]:
        """The sets known to have the property of which no smaller one is known to have it."""
        inner = self.true.copy().reshape((2,) * self.width)
        whole = self.true.reshape((2,) * self.width)
        for axis in range(self.width):
            np.moveaxis(inner, axis, 0)[1] &= ~np.moveaxis(whole, axis, 0)[0]
        found = (_places(int(mask)) for mask in np.flatnonzero(inner.ravel()))
        return tuple(sorted(found, key=lambda places: (len(places), places)))


def _small_ones(width: int, test: Test, most: int) -> SmallestSets:
    """Of many columns: small sets first, up to a number of tests."""
    found: list[ColumnPlaces] = []
    tests = 0
    for places in _by_size(width):
        if any(set(smaller) <= set(places) for smaller in found):
            continue
        if tests == most:
            return SmallestSets(tuple(found), complete=False)
        tests += 1
        if test(places):
            found.append(places)
    return SmallestSets(tuple(found), complete=False)


def _by_size(width: int) -> Iterator[ColumnPlaces]:
    for size in range(1, width + 1):
        yield from combinations(range(width), size)


def _mask(places: ColumnPlaces) -> int:
    return sum(1 << place for place in places)


def _places(mask: int) -> ColumnPlaces:
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)

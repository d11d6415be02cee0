"""Risk of people if texts leak values that the tables beside them do not show.

A value with n instances leaks with q = g (1 - r^n), r being the recall and g the recognition. In a class of k
people, m of whom share the value, an adversary who knows it takes a record that shows it, if there is one.
Otherwise the adversary takes one that does not show another value:

    R = (1 - (1-q)^m) / m + (1-q)^m E[1 / (m + B(k-m, 1-q))]

Of the others, w may be in no text: they leak nothing and always fit, so that B(k-m-w, 1-q) + w are left.

With several values, leaks are drawn for the whole release. Record j weighs 0 if a leaked value contradicts
what the adversary knows, else the product of 1 / (share of the class with v) over the leaked values that fit.
The adversary takes one of the heaviest. R is the mean over draws. What is uncertain about the recall is drawn
outside, and the upper 97.5 % limit decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import binom

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.grouping import packed
from reidrisk.stats.proportion import quantiles

LEVEL = 0.975
INNER, MOST_INNER = 1_000, 10_000
"""Draws of leaks for one recall."""
MOST_OUTER, FEWEST_OUTER, STEPS = 200, 40, 1_000_000_000
"""Draws of the recall, and about how many steps they may take together."""
MOST_KINDS = 10
CHUNK = 2_000_000
"""Random numbers that are drawn at once."""
NOT_KNOWN = -1
"""The value of a person without one: it cannot leak."""


def leak_chance(recall: Floats, instances: Ints, recognition: float = 1.0) -> Floats:
    """Chance q that a value with n instances leaks and is recognized: g (1 - r^n).

    >>> leak_chance(np.array([0.9]), np.array([2])).round(4).tolist()
    [0.19]
    """
    chance: Floats = recognition * (1 - np.where(instances > 0, recall**instances, 1.0))
    return chance


def risk_of_leak(people: int, sharing: int, chance: float) -> float:
    """Risk in a class of k people, m of whom share a value that leaks with probability q.

    >>> round(risk_of_leak(5, 1, 0.2), 6), round(risk_of_leak(5, 2, 0.2), 6), risk_of_leak(5, 5, 0.2)
    (0.399936, 0.330016, 0.2)
    """
    if not 1 <= sharing <= people:
        raise InvalidSetting(
            f"{sharing} of {people} people cannot share a value.", hint="Count the person as well."
        )
    if not 0 <= chance <= 1:
        raise InvalidSetting(f"A probability of {chance} makes no sense.", hint="Give 0 to 1.")
    none = (1 - chance) ** sharing
    silent = left_after_leaks(sharing, people - sharing, np.array([chance]))[0]
    return float((1 - none) / sharing + none * silent)


def left_after_leaks(surely: int, others: int, chances: Floats) -> Floats:
    """E[1 / (s + B(n, 1-q))] for every q: `surely` people fit, and each of `others` unless a value leaks.

    >>> left_after_leaks(1, 4, np.array([0.0, 0.2, 1.0])).round(5).tolist()
    [0.2, 0.24992, 1.0]
    """
    number = np.arange(others + 1)[:, None]
    return np.asarray(np.sum(binom.pmf(number, others, 1 - chances[None, :]) / (surely + number), axis=0))


def mean_share(sharing: Ints, chances: Floats) -> Floats:
    """E[1 / (1 + B(m-1, q))] by chance and number: how often the person is taken of those who leaked a value.

    >>> mean_share(np.array([1, 2]), np.array([0.2, 0.0])).round(4).tolist()
    [[1.0, 0.9], [1.0, 1.0]]
    """
    chance = chances[:, None]
    return np.where(chance > 0, (1 - (1 - chance) ** sharing) / (sharing * np.maximum(chance, 1e-300)), 1.0)


def with_direct(direct: float, risk: Floats) -> Floats:
    """Add direct identifiers: D + (1 - D) R (equation 8 of doi:10.1016/j.jbi.2016.07.015)."""
    return np.asarray(direct + (1 - direct) * risk, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class LeakKind:
    """How well values of one kind are found in texts."""

    name: str
    caught: float
    """Instances (or documents) that were caught in an evaluation."""
    trials: float
    recognition: float = 1.0
    """Chance that a leaked value is told apart; 1 if a table beside the text releases the attribute."""

    def __post_init__(self) -> None:
        if not 0 <= self.caught <= self.trials or self.trials <= 0:
            raise InvalidSetting(
                f"The recall of {self.name} cannot be {self.caught} of {self.trials}.",
                hint="Give how many were caught, of how many.",
            )
        if not 0 <= self.recognition <= 1:
            raise InvalidSetting(
                f"The recognition of {self.name} cannot be {self.recognition}.", hint="Give 0 to 1."
            )

    def recall(self, at: Floats) -> Floats:
        """Quantiles of the recall: Jeffreys, and Clopper-Pearson below if everything was caught."""
        return quantiles(
            at, successes=self.caught, trials=self.trials, model="jeffreys_modified", bound="low"
        )


@dataclass(frozen=True, slots=True, eq=False)
class TextValues:
    """Values of people in texts, which may leak."""

    class_of: Ints = field(repr=False)
    """The class of every person by what the tables show."""
    values: Ints = field(repr=False)
    """By person and kind: the code of the value; NOT_KNOWN without one."""
    instances: Ints = field(repr=False)
    """By person and kind: how often the value is in the person's texts."""

    def __post_init__(self) -> None:
        if self.values.shape != self.instances.shape or len(self.values) != len(self.class_of):
            raise InvalidSetting(
                "People, values and instances have different shapes.", hint="Give one row per person."
            )
        if self.values.shape[1] > MOST_KINDS:
            raise InvalidSetting(
                f"Leaks of {self.values.shape[1]} kinds of values are too many to combine.",
                hint=f"Choose at most {MOST_KINDS} kinds.",
            )

    @property
    def kinds(self) -> int:
        """Number of kinds."""
        return int(self.values.shape[1])

    @property
    def people(self) -> int:
        """Number of people."""
        return len(self.class_of)

    def sharing(self, kind: int) -> tuple[Ints, Ints]:
        """For every person: the size of the class, and how many of it share the value."""
        pairs = np.stack([self.class_of, self.values[:, kind] + 1], axis=1)
        _, of, number = np.unique(packed(pairs, (0, 1)), return_inverse=True, return_counts=True)
        return np.bincount(self.class_of)[self.class_of], number[of]


@dataclass(frozen=True, slots=True, eq=False)
class LeakRisk:
    """The risk of every person through tables and leaks together."""

    mean: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    """By person: the mean over recalls, and the limits."""
    average: tuple[float, float, float]
    """The mean over people, and its limits."""
    method: str
    """`formula`, `drawn` or `observed`."""
    draws: int

    @property
    def highest(self) -> float:
        """The upper limit of the most exposed person, which decides."""
        return float(self.high.max())

    def above(self, cell_size: int) -> Bools:
        """People whose upper limit is above 1 / cell size."""
        return np.asarray(self.high * cell_size > 1 + 1e-9)


def leak_risk(
    texts: TextValues, kinds: Sequence[LeakKind], *, direct: float = 0.0, seed: int = 7
) -> LeakRisk:
    """Risk of every person if values leak with the recall that an evaluation found."""
    if len(kinds) != texts.kinds:
        raise InvalidSetting("There is not one recall per kind of value.", hint="Give a recall for each.")
    if texts.kinds == 1:
        return _by_formula(texts, kinds[0], direct)
    patterns = LeakPatterns.of(texts)
    rng = np.random.default_rng(seed)
    work = texts.people * 2**texts.kinds
    outer = int(np.clip(STEPS // (INNER * work), FEWEST_OUTER, MOST_OUTER))
    inner = int(np.clip(STEPS // (outer * work), INNER, MOST_INNER))
    recalls = [kind.recall(rng.random(outer)) for kind in kinds]
    risks = np.empty((outer, texts.people))
    for turn in range(outer):
        chances = _chances(texts, kinds, [recall[turn] for recall in recalls])
        risks[turn] = with_direct(direct, patterns.drawn(chances, inner, np.random.default_rng([seed, turn])))
    return _limits(risks, "drawn", outer * inner)


def _by_formula(texts: TextValues, kind: LeakKind, direct: float) -> LeakRisk:
    """With one kind of value the risk follows from the formula, and rises as the recall falls."""
    at = np.append((np.arange(99) + 0.5) / 99, [1 - LEVEL, LEVEL])
    people, sharing = texts.sharing(0)
    keys = np.stack([people, sharing, texts.instances[:, 0] * (texts.values[:, 0] >= 0)], axis=1)
    cells, of = np.unique(keys, axis=0, return_inverse=True)
    risks = np.empty((len(at), len(cells)))
    for row, recall in enumerate(kind.recall(at)):
        chance = leak_chance(np.full(len(cells), recall), cells[:, 2], kind.recognition)
        risks[row] = [
            risk_of_leak(int(k), int(m), float(q)) for (k, m, _), q in zip(cells, chance, strict=True)
        ]
    risks = with_direct(direct, risks)[:, of.ravel()]
    mean, high, low = risks[:-2].mean(axis=0), risks[-2], risks[-1]
    average = (float(mean.mean()), float(low.mean()), float(high.mean()))
    return LeakRisk(mean, low, high, average, "formula", 0)


def _chances(texts: TextValues, kinds: Sequence[LeakKind], recalls: Sequence[float]) -> Floats:
    columns = [
        leak_chance(np.full(texts.people, recall), texts.instances[:, place], kind.recognition)
        for place, (kind, recall) in enumerate(zip(kinds, recalls, strict=True))
    ]
    return np.where(texts.values >= 0, np.stack(columns, axis=1), 0.0)


def _limits(risks: Floats, method: str, draws: int) -> LeakRisk:
    ends = [1 - LEVEL, LEVEL]
    low, high = (
        np.quantile(risks, ends[0], axis=0, method="lower"),
        np.quantile(risks, ends[1], axis=0, method="higher"),
    )
    means = risks.mean(axis=1)
    average = (
        float(means.mean()),
        float(np.quantile(means, ends[0], method="lower")),
        float(np.quantile(means, ends[1], method="higher")),
    )
    return LeakRisk(risks.mean(axis=0), low, high, average, method, draws)


def observed_leak_risk(texts: TextValues, leaked: Bools, *, direct: Floats | float = 0.0) -> LeakRisk:
    """Risk of every person if it is known which values leaked, because all texts were evaluated."""
    chances = np.where(leaked & (texts.values >= 0), 1.0, 0.0)
    risks = LeakPatterns.of(texts).drawn(chances, 1, np.random.default_rng(0))
    risks = np.asarray(direct + (1 - np.asarray(direct)) * risks)
    average = 3 * (float(risks.mean()),)
    return LeakRisk(risks, risks, risks, (average[0], average[1], average[2]), "observed", 1)


@dataclass(frozen=True, slots=True, eq=False)
class LeakPatterns:
    """For each set of kinds that a record may show: whose values agree, and what the record then weighs."""

    group: Ints = field(repr=False)
    """By person and set of kinds (a number with one bit per kind): people of the class who agree in all."""
    weight: Floats = field(repr=False)
    """By person and set: the logarithm of the weight of a record that shows these values."""
    groups: int

    @classmethod
    def of(cls, texts: TextValues) -> LeakPatterns:
        """Group people by every set of kinds."""
        sets = 2**texts.kinds
        group = np.empty((texts.people, sets), dtype=np.int64)
        weight = np.zeros((texts.people, sets))
        rarity = np.zeros((texts.people, texts.kinds))
        for kind in range(texts.kinds):
            people, sharing = texts.sharing(kind)
            rarity[:, kind] = np.log(people / sharing)
        table, first = np.column_stack([texts.class_of, texts.values + 1]), 0
        for one in range(sets):
            kinds = [kind for kind in range(texts.kinds) if one >> kind & 1]
            _, of = np.unique(packed(table, [0, *(kind + 1 for kind in kinds)]), return_inverse=True)
            group[:, one] = first + of
            first += int(of.max(initial=-1)) + 1
            weight[:, one] = rarity[:, kinds].sum(axis=1)
        return cls(group, weight, first)

    def drawn(self, chances: Floats, draws: int, rng: np.random.Generator) -> Floats:
        """By person: how often the adversary takes the right record."""
        total = np.zeros(len(self.group))
        each = max(1, CHUNK // max(chances.size, 1))
        tally = np.zeros(self.groups, dtype=np.int64)
        for first in range(0, draws, each):
            number = min(each, draws - first)
            _attack(self.group, self.weight, rng.random((number, *chances.shape)) < chances, tally, total)
        return total / draws


@compiled
def _attack(group: Ints, weight: Floats, leaks: Bools, tally: Ints, total: Floats) -> None:
    """Add to `total` the chance of success for each person; `tally` is zero by group of people."""
    draws, people, kinds = leaks.shape
    shown = np.zeros(people, dtype=np.int64)
    for draw in range(draws):
        for person in range(people):
            shown[person] = 0
            for kind in range(kinds):
                shown[person] |= int(leaks[draw, person, kind]) << kind
            tally[group[person, shown[person]]] += 1
        for person in range(people):
            heaviest, ties = weight[person, shown[person]], 0
            for one in range(group.shape[1]):
                number = tally[group[person, one]]
                if number > 0 and weight[person, one] > heaviest + 1e-9:
                    ties = 0
                    break
                if abs(weight[person, one] - heaviest) <= 1e-9:
                    ties += number
            if ties > 0:
                total[person] += 1.0 / ties
        for person in range(people):
            tally[group[person, shown[person]]] = 0

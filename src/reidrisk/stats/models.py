"""The random quantities of equations 20 and 21, independent of the method of computation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.caught import COMBINES, Combine, combine_risks
from reidrisk.stats.choices import Model
from reidrisk.stats.counts import Counts
from reidrisk.stats.nodes import normal_nodes
from reidrisk.stats.proportion import TWO_SIDED, Bound, mean, quantiles
from reidrisk.stats.recall import ratio
from reidrisk.stats.uncertain import Triangular, Uncertain

MEAN_NODES = 401


@dataclass(frozen=True, slots=True)
class ObservedProportion:
    """A proportion observed in data, and the model of its uncertainty."""

    successes: float
    trials: float
    model: Model
    certain: bool = False
    """Whether it is known exactly, like the benchmark's document frequency of 1."""
    power: float = 1.0
    """The quantity is this power of the proportion, for example for this many times as many places."""

    def at(self, u: Floats, bound: Bound) -> Floats:
        """Quantiles at `u`."""
        if self.certain:
            return np.full_like(u, self.observed)
        found = quantiles(u, successes=self.successes, trials=self.trials, model=self.model, bound=bound)
        return found if self.power == 1 else np.maximum(found, 0.0) ** self.power

    @property
    def observed(self) -> float:
        """The observed value; nan without trials."""
        share = ratio(self.successes, self.trials)
        return share if self.power == 1 else float(share**self.power)

    @property
    def mean(self) -> float:
        """Its mean."""
        if self.certain:
            return self.observed
        if self.power != 1:
            u, weights = normal_nodes(MEAN_NODES)
            return float(weights @ self.at(u, "centre"))
        return mean(successes=self.successes, trials=self.trials, model=self.model)

    @property
    def is_two_sided(self) -> bool:
        """Whether two distributions enclose it, instead of one that describes it."""
        at_an_end = self.successes in (0, self.trials)
        return not self.certain and self.model in TWO_SIDED and (at_an_end or self.model == "clopper_pearson")

    @property
    def is_constant(self) -> bool:
        """Whether its distribution has no spread."""
        normal = self.model in ("normal", "normal_clip", "truncnorm")
        return self.certain or (normal and self.successes in (0, self.trials))


@dataclass(frozen=True, slots=True)
class DirectType:
    """One type of direct identifier: how often it occurs and how often it is fully caught."""

    weight: ObservedProportion
    recall: ObservedProportion
    gate: bool | None
    """Whether recognition counts; None if each draw decides by its own recall."""
    recognition: Uncertain | None = None
    """The type's own recognition; None if it uses the model's."""


@dataclass(frozen=True, slots=True)
class DirectModel:
    """Equation 20: attempt x (1 - product over types of (1 - g W (1 - R)))."""

    types: tuple[DirectType, ...]
    recognition: Uncertain
    attempt: Triangular
    cutoff: float = 0.9
    given_catch: float = 0.0
    """Probability of re-identification through caught values, equation 8."""

    def exposure(self, kind: DirectType, recall: Floats, recognition: Floats | float) -> Floats:
        """Recognition where the gate is open, 1 where it is closed."""
        return exposure(kind.gate, recall, recognition, self.cutoff)


@dataclass(frozen=True, slots=True)
class QuasiModel:
    """Equation 21: attempt x Pr(at least `needed` of N values leak), N and M varying by document."""

    recall: ObservedProportion
    values: Counts
    repeats: Counts
    gate: bool | None
    recognition: Uncertain
    attempt: Triangular
    cutoff: float = 0.7
    needed: int = 2
    independent: bool = True
    scale: float = 1.0
    """Share of documents that the model describes: 1, or those with any quasi-identifier."""
    rate_shape: float | None = None
    """Number of distinct values counted, if the mean number of values is itself treated as uncertain."""
    given_catch: float | Triangular = 0.0
    """Probability of re-identification through caught values."""
    combine: Combine = "eq8"
    """How this probability and the one through leaked values are combined."""

    def __post_init__(self) -> None:
        if self.combine not in COMBINES:
            raise InvalidSetting.among("The rule that combines leak and catch", str(self.combine), COMBINES)
        if self.combine != "eq8" and self.rate_shape is not None:
            raise InvalidSetting(
                "An uncertain mean number of values is possible only with combine=eq8.",
                hint="Set rate_uncertainty=none, or combine=eq8.",
            )
        if self.rate_shape is not None and self.values.rate is None:
            raise InvalidSetting(
                "An uncertain mean number of values needs the Poisson model of values.",
                hint="Set values=poisson, or rate_uncertainty=none.",
            )

    def exposure(self, recall: Floats, recognition: Floats | float) -> Floats:
        """Recognition where the gate is open, 1 where it is closed."""
        return exposure(self.gate, recall, recognition, self.cutoff)

    @property
    def catch(self) -> Triangular:
        """Probability of re-identification through caught values."""
        given = self.given_catch
        return given if isinstance(given, Triangular) else Triangular.constant(given)

    @property
    def is_linear(self) -> bool:
        """Whether combining mean risks gives the mean of the combined risks."""
        return self.combine == "eq8"

    def total(self, leak: Floats, missed: Floats | float, catch: Floats | float) -> Floats:
        """The risk of documents through leaked or caught values; `missed` is 1 - R ** M."""
        if self.is_linear and isinstance(catch, float) and catch == 0:
            return leak
        return combine_risks(leak, 1 - np.asarray(missed), catch, self.combine)


def exposure(gate: bool | None, recall: Floats, recognition: Floats | float, cutoff: float) -> Floats:  # noqa: FBT001
    """The factor g of equations 16 and 17 for each recall."""
    if gate is None:
        return np.where(recall >= cutoff, recognition, 1.0)
    return np.asarray(recognition if gate else 1.0, dtype=float) * np.ones_like(recall)


def with_catch(leak: Floats, given_catch: float) -> Floats:
    """Equation 8 for many values: through caught values, or else through leaked ones."""
    return given_catch + leak * (1 - given_catch) if given_catch else leak


def opposite(bound: Bound) -> Bound:
    """The bound for recall: a high risk comes with a high frequency and a low recall."""
    pairs: dict[Bound, Bound] = {"low": "high", "centre": "centre", "high": "low"}
    return pairs[bound]


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and quantiles of a risk."""

    mean: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class QuasiSpread:
    """The two readings of equation 21: uncertainty of the mean risk, and risk of a random document."""

    mean: float
    parameter: tuple[float, ...]
    per_document: tuple[float, ...]

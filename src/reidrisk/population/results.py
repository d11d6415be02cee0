"""The result of measuring a population under one policy."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reidrisk.context.rule import RuleDecision
from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import ALMOST_ONE, FEWER_THAN_ONE, people_expected, percent, plural, probability
from reidrisk.errors import InvalidSetting
from reidrisk.population.attack import known_areas, path_to
from reidrisk.population.attacker import Attacker
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import Policy
from reidrisk.population.settings import TOTAL
from reidrisk.population.voters import VoterLists
from reidrisk.stats.arrays import Floats
from reidrisk.stats.keys import groups

ALIKE = 14
"""Digits of a share that ranks look at: sums in another order differ in the last ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """Expected numbers for a set of people: how many are distinct, and how many are re-identified."""

    people: int
    sizes: tuple[int, ...] = field(repr=False)
    """The requested values of g, ascending."""
    distinct: Floats = field(repr=False)
    """Expected number of g-distinct people for each g."""
    matched: float
    """Expected number of re-identifications: the total risk."""
    small: Floats = field(default_factory=lambda: np.zeros(0), repr=False)
    """Expected number of g-distinct people for every g from 1 to `LAST_G`, whatever was requested."""

    def number(self, measure: str) -> float:
        """Expected number of people by `total` or a g."""
        if measure == TOTAL:
            return self.matched
        at = bisect_left(self.sizes, int(measure))
        if at == len(self.sizes) or self.sizes[at] != int(measure):
            raise InvalidSetting.among("The measure", measure, map(str, self.sizes[:60]))
        return float(self.distinct[at])

    def share(self, measure: str) -> float:
        """Expected share of the people by `total` or a g."""
        return self.number(measure) / max(self.people, 1)

    def shares(self) -> Floats:
        """Expected shares by each g and in total."""
        return np.append(self.distinct, self.matched) / max(self.people, 1)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = [str(g) for g in self.sizes]
        shares = (self.distinct / max(self.people, 1)).tolist()
        return {
            "g_distinct": dict(zip(names, shares, strict=True)),
            "g_distinct_people": dict(zip(names, self.distinct.tolist(), strict=True)),
            "g_range": {"first": 1, "last": len(self.small), "shares": self._small_shares()},
            "total_risk": {"expected": self.matched, "share": self.share(TOTAL)},
        }

    def _small_shares(self) -> list[float]:
        found: list[float] = (self.small / max(self.people, 1)).tolist()
        return found


NOTHING: Mapping[str, Any] = {
    "g_distinct": None,
    "g_distinct_people": None,
    "g_range": None,
    "total_risk": {"expected": None, "share": None},
}


@dataclass(frozen=True, slots=True)
class AreaRisk:
    """The risk of one area."""

    area: str
    people: int
    exposure: Exposure | None
    """None if the fields of the attacker's list are unknown."""
    attacker: Attacker
    fields: tuple[str, ...] = ()
    unknown: str | None = None

    def to_dict(self, ranks: Mapping[str, int | None]) -> dict[str, Any]:
        """For JSON."""
        found = dict(NOTHING) if self.exposure is None else self.exposure.to_dict()
        return {
            "area": self.area,
            "people": self.people,
            "unknown": self.unknown,
            **found,
            **cost(self.attacker.price, self.exposure, self.unknown),
            "attacker": self.attacker.name,
            "attacker_source": self.attacker.source,
            "fields": list(self.fields),
            "rank": dict(ranks),
        }


@dataclass(frozen=True)
class PopulationRisk(Result):
    """The risk of one policy against one attacker."""

    _main_table = "by_area"
    population: Population
    policy: Policy
    attacker: Attacker | VoterLists
    options: PopulationOptions
    exposure: Exposure | None
    """None if the fields of the attacker's list are unknown; `unknown` gives the reason."""
    unknown: str | None
    fields: tuple[str, ...]
    """The fields that the policy releases and the attacker's list has."""
    people: int
    """Number at risk: people of the population, or records of the data set."""
    groups: int | None
    smallest_group: int | None
    """How many people match the most exposed person, that person included."""
    curve: tuple[tuple[int, float], ...] = field(repr=False)
    unique: tuple[float | None, float | None]
    """Shares of people who are unique on the fields of the attack: with and without areas."""
    areas: tuple[AreaRisk, ...] = field(default=(), repr=False)
    price: float | None = None
    inputs: tuple[tuple[str, Any], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def decided(self) -> bool | None:
        """Whether every limit is met, or the rule; None without both. An unknown risk is not acceptable."""
        if not self.is_limited:
            return None
        by_limits = self.exposure is not None and all(
            self.exposure.share(name) <= share for name, share in self.options.limits.items()
        )
        decision = self.decision
        return by_limits and (decision is None or decision.acceptable)

    @property
    def is_limited(self) -> bool:
        """Whether something says how much risk is acceptable."""
        return bool(self.options.limits) or self.options.rule is not None

    @property
    def decision(self) -> RuleDecision | None:
        """What the rule of the context says; None without a rule, or if the risk is unknown."""
        rule = self.options.rule
        if rule is None or self.exposure is None:
            return None
        return rule.decide(highest=1 / (self.smallest_group or 1), average=self.exposure.share(TOTAL))

    @property
    def acceptable(self) -> bool:
        """Whether every limit is met; False without a limit."""
        return bool(self.decided)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        found = dict(NOTHING) if self.exposure is None else self.exposure.to_dict()
        reasons = self._reasons()
        return {
            "kind": "population_risk",
            "version": own_version(),
            "acceptable": self.decided,
            "settings": self.options.to_dict() | dict(self.inputs),
            "seed": None,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "notes": list(self.notes),
            "population": about(self.population),
            "policy": self.policy.to_dict(),
            "attacker": self.attacker.to_dict(),
            "fields": list(self.fields),
            "within": within(self.population, across=self.options.across),
            "unknown": self.unknown,
            "people": self.people,
            "groups": self.groups,
            "smallest_group": self.smallest_group,
            "rule": None if self.options.rule is None else self.options.rule.to_dict(),
            **found,
            "curve": [{"g": g, "share": share} for g, share in self.curve],
            **cost(self.price, self.exposure, self.unknown),
            "unique": {"within_area": self.unique[0], "across_areas": self.unique[1]},
            "by_area": [area.to_dict(ranks) for area, ranks in zip(self.areas, self.ranks(), strict=True)],
        }

    def ranks(self) -> list[dict[str, int | None]]:
        """The rank of each area by each g and in total; rank 1 has the largest share at risk."""
        measures = [*(str(g) for g in self.options.g), TOTAL]
        known = [at for at, one in enumerate(self.areas) if one.exposure is not None]
        shares = np.array([one.exposure.shares() for one in self.areas if one.exposure is not None])
        shares = shares.round(ALIKE)
        found: list[dict[str, int | None]] = [dict.fromkeys(measures) for _ in self.areas]
        if not known:
            return found
        ordered = np.sort(-shares, axis=0)
        places = [np.searchsorted(ordered[:, at], -shares[:, at]) + 1 for at in range(len(measures))]
        for row, at in enumerate(known):
            found[at] = {name: int(place[row]) for name, place in zip(measures, places, strict=True)}
        return found

    def _reasons(self) -> list[Reason]:
        if self.exposure is None:
            return [Reason(f"The risk is unknown: {self.unknown}", False if self.is_limited else None)]
        used = ", ".join(self.fields) or "nothing"
        what = f"The attacker can use {used}."
        smallest = self.options.g[0]
        others = f"at most {smallest - 1:,} others"
        alike, single = (
            ("are unique", "is unique") if smallest == 1 else (f"match {others}", f"matches {others}")
        )
        is_records = dict(self.inputs).get("dataset")
        who = plural(self.people, "record") if is_records else f"{self.people:,} people"
        share, noun = self.exposure.share(str(smallest)), "record" if is_records else "person"
        if 0 < share * self.people < ALMOST_ONE:
            first = f"{FEWER_THAN_ONE.capitalize()} of {who} {single}"
        else:
            first = f"{percent(share)} of {who} {alike}"
        total = people_expected(self.exposure.share(TOTAL), self.people, noun)
        figures = f"{first} on these fields; {total} expected to be re-identified."
        return [Reason(what, None), Reason(figures, None), *self._verdicts(self.exposure)]

    def _verdicts(self, exposure: Exposure) -> list[Reason]:
        reasons = []
        for name, limit in self.options.limits.items():
            share = exposure.share(name)
            what = "Total risk" if name == TOTAL else f"{name}-distinct"
            verdict = "acceptable" if share <= limit else "not acceptable"
            text = f"{what}: {percent(share)}, the limit is {percent(limit)}: {verdict}."
            reasons.append(Reason(text, share <= limit))
        return [*reasons, *self._by_rule()]

    def _by_rule(self) -> list[Reason]:
        rule, decision = self.options.rule, self.decision
        if rule is None or decision is None:
            return []
        verdict = "acceptable" if decision.acceptable else "not acceptable"
        text = f"The {rule.row.measured} is {probability(decision.risk)}; {decision.why}: {verdict}."
        return [Reason(rule.words, None), Reason(text, decision.acceptable)]


def about(population: Population) -> dict[str, Any]:
    """A description of the population, for JSON."""
    return {
        "source": population.source,
        "chosen": population.chosen,
        "people": population.people,
        "areas": {name: _number_of(population, name) for name in population.areas},
        "modelled": population.modelled,
    }


def _number_of(population: Population, area: str) -> int:
    """Number of areas; counties of different states may have the same name."""
    path = [population.codes[name] for name in path_to(population, area)]
    return groups(path, len(population.counts)).number


def within(population: Population, *, across: bool) -> str | None:
    """The area that every attacker knows."""
    known = () if across else known_areas(population)
    return known[-1] if known else None


def cost(price: float | None, exposure: Exposure | None, unknown: str | None) -> dict[str, Any]:
    """The price per expected re-identification, or the reason why it is undefined."""
    if exposure is None:
        reason = unknown or "The fields of the list are unknown."
    elif price is None:
        reason = "The price of the list is unknown."
    elif exposure.matched <= 0:
        reason = "Nobody is expected to be re-identified."
    else:
        return {"price": price, "cost_per_reidentification": price / exposure.matched, "cost_reason": None}
    return {"price": price, "cost_per_reidentification": None, "cost_reason": reason}

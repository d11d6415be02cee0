"""Compare sharing policies on the same population by their trust differential."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import many_times, people_expected, plural
from reidrisk.errors import InvalidSetting
from reidrisk.population.attacker import GENERAL, Attacker
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import Policy
from reidrisk.population.results import Exposure, PopulationRisk
from reidrisk.population.risk import population_risk
from reidrisk.population.settings import TOTAL
from reidrisk.population.voters import VoterLists

Ratios = dict[str, float | None]


def compare_policies(
    population: Population,
    policies: Sequence[Policy],
    attacker: Attacker | VoterLists = GENERAL,
    *,
    by: str | None = None,
    dataset: Any = None,
    options: PopulationOptions | None = None,
) -> PopulationComparison:
    """Measure each policy, and the trust differential of every two: the ratio of their risks.

    >>> import pyarrow as pa
    >>> from reidrisk import Policy, read_population
    >>> table = {"county": ["A", "A", "B"], "sex": ["F", "M", "F"], "age": [40] * 3, "n": [1, 20, 900]}
    >>> people = read_population(pa.table(table))
    >>> finer, coarser = Policy.of("county,sex,year_of_birth"), Policy.of("sex,year_of_birth")
    >>> compare_policies(people, [finer, coarser]).trust_differential()["total"]
    1.5
    """
    if len(policies) < 2:
        raise InvalidSetting(
            "A comparison needs at least two policies.", hint="For example, name limited and safe."
        )
    names = [policy.name for policy in policies]
    if len(set(names)) < len(names):
        raise InvalidSetting("Two policies have the same name.", hint="Give each policy its own name.")
    risks = [
        population_risk(population, policy, attacker, by=by, dataset=dataset, options=options)
        for policy in policies
    ]
    return PopulationComparison(tuple(risks))


@dataclass(frozen=True)
class PopulationComparison(Result):
    """The risk of several policies against the same attacker."""

    _main_table = "by_area"
    risks: tuple[PopulationRisk, ...]
    """One result per policy, in the order given."""

    @property
    def decided(self) -> bool | None:
        """Whether every policy meets every limit; None without a limit."""
        found = [risk.decided for risk in self.risks]
        return None if None in found else all(found)

    @property
    def acceptable(self) -> bool:
        """Whether every policy meets every limit; False without a limit."""
        return bool(self.decided)

    def trust_differential(self, first: int = 0, second: int = -1) -> Ratios:
        """The risk of one policy divided by that of another, in total and by g; None if undefined."""
        return _ratios(self.risks[first].exposure, self.risks[second].exposure, self._measures)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        one = self.risks[0].to_dict()
        names = [risk.policy.name for risk in self.risks]
        reasons = self._reasons()
        return {
            "kind": "population_comparison",
            "version": own_version(),
            "acceptable": self.decided,
            "settings": {**one["settings"], "policy": names},
            "seed": None,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "notes": list(dict.fromkeys(note for risk in self.risks for note in risk.notes)),
            "population": one["population"],
            "attacker": one["attacker"],
            "risks": [risk.to_dict() for risk in self.risks],
            "trust_differential": self.trust_differential(),
            "trust_differential_reason": self._undefined(),
            "pairs": [
                {"first": names[first], "second": names[second], **self.trust_differential(first, second)}
                for first, second in combinations(range(len(names)), 2)
            ],
            "by_area": self._by_area(),
            "rank_changes": [change for risk in self.risks for change in _rank_changes(risk)],
        }

    @property
    def _measures(self) -> list[str]:
        return [TOTAL, *(str(g) for g in self.risks[0].options.g)]

    def _by_area(self) -> list[dict[str, Any]]:
        """The trust differential of the first and last policy by area."""
        last = {area.area: area for area in self.risks[-1].areas}
        return [
            {
                "area": area.area,
                "people": area.people,
                "unknown": area.unknown or last[area.area].unknown,
                **_ratios(area.exposure, last[area.area].exposure, self._measures),
            }
            for area in self.risks[0].areas
        ]

    def _undefined(self) -> str | None:
        if None not in self.trust_differential().values():
            return None
        unknown = next((risk.unknown for risk in self.risks if risk.unknown), None)
        return unknown or f"There is no ratio where {self.risks[-1].policy.name} puts nobody at risk."

    def _reasons(self) -> list[Reason]:
        reasons = [Reason(f"{risk.policy.name}: {_expected(risk)}", risk.decided) for risk in self.risks]
        rule = self.risks[0].options.rule
        if rule is not None:
            reasons.insert(0, Reason(rule.words, None))
        ratio = self.trust_differential()[TOTAL]
        if ratio is not None:
            first, last = self.risks[0].policy.name, self.risks[-1].policy.name
            text = f"{first} exposes {many_times(ratio)} times as many people as {last}."
            reasons.append(Reason(text, None))
        return reasons


def _expected(risk: PopulationRisk) -> str:
    if risk.exposure is None:
        return f"unknown. {risk.unknown}"
    noun = "record" if dict(risk.inputs).get("dataset") else "person"
    expected = (
        f"{people_expected(risk.exposure.share(TOTAL), risk.people, noun)} expected to be re-identified"
    )
    if risk.decision is None:
        return f"{expected}."
    verdict = "acceptable" if risk.decision.acceptable else "not acceptable"
    smallest = f"the smallest group has {plural(risk.smallest_group or 0, 'member')}"
    return f"{expected}; {smallest}; {risk.decision.why}: {verdict}."


def _ratios(first: Exposure | None, second: Exposure | None, measures: Sequence[str]) -> Ratios:
    if first is None or second is None:
        return dict.fromkeys(measures)
    above = np.append(first.matched, first.distinct) / max(first.people, 1)
    below = np.append(second.matched, second.distinct) / max(second.people, 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratios = above / below
    return {
        name: ratio if np.isfinite(ratio) else None
        for name, ratio in zip(measures, ratios.tolist(), strict=True)
    }


def _rank_changes(risk: PopulationRisk) -> list[dict[str, Any]]:
    """How much the rank of each area changes with g; the largest change first."""
    changes = []
    for area, ranks in zip(risk.areas, risk.ranks(), strict=True):
        places = {name: place for name, place in ranks.items() if place is not None and name != TOTAL}
        if places:
            best, worst = min(places.values()), max(places.values())
            found = {"policy": risk.policy.name, "area": area.area, "change": worst - best}
            changes.append({**found, "best": best, "worst": worst})
    return sorted(changes, key=lambda one: (-one["change"], one["area"]))

"""A population part: what a policy exposes, measured once and judged in any context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.parts.part import Part, Work
from reidrisk.core.result import Result
from reidrisk.errors import InvalidSetting
from reidrisk.population.attack import known_areas
from reidrisk.population.attacker import Attacker, read_attacker
from reidrisk.population.compare import compare_policies
from reidrisk.population.dates import read_birth_dates
from reidrisk.population.options import SIZES, PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import YAML, Policy, read_policy
from reidrisk.population.read import read_population
from reidrisk.population.risk import population_risk
from reidrisk.population.voters import VoterLists, read_voter_lists, state_names, voter_lists

BIRTHS = ("uniform", "leap")


@dataclass(frozen=True)
class PopulationPart(Part):
    """A policy and the people it is about."""

    kind: ClassVar[str] = "population"

    @property
    def policies(self) -> list[str]:
        """The policy of the release, then those it is compared with."""
        others = self.given.get("compare") or []
        return [str(self.given["policy"]), *([others] if isinstance(others, str) else others)]

    @property
    def limits(self) -> Mapping[str, float]:
        """The shares that the part itself accepts."""
        return {str(name): float(share) for name, share in (self.given.get("max_share") or {}).items()}

    def sources(self) -> tuple[str, ...]:
        """Counts, data set, and whatever else is a file."""
        named = [self.given.get(name) for name in ("population", "dataset", "voter_lists")]
        rules = [*self.policies, self.given.get("attacker") or ""]
        files = [str(name) for name in named if name]
        files += [text for text in rules if Path(text).suffix.lower() in YAML]
        births = self.given.get("birth_dates")
        return (*files, *([births] if births and births not in BIRTHS else []))

    def counted(self) -> Mapping[str, Any]:
        """Everything: nothing of it only judges, but the limits."""
        return {name: value for name, value in self.given.items() if name not in {"name", "max_share"}}

    def measure(self, work: Work) -> dict[str, Any]:
        """The risk under each policy."""
        if work.progress is not None:
            work.progress(self.name, "people", 0, 0)
        found: dict[str, Any] = self.told(self._result().to_dict())
        return found

    def _result(self) -> Result:
        policies = [self._policy(text) for text in self.policies]
        asked: dict[str, Any] = {
            "by": self.given.get("by"),
            "dataset": self.path(self.given["dataset"]) if self.given.get("dataset") else None,
            "options": self.options,
        }
        people = self._people()
        if len(policies) == 1:
            return population_risk(people, policies[0], self._attacker(), **asked)
        return compare_policies(people, policies, self._attacker(), **asked)

    @property
    def options(self) -> PopulationOptions:
        """How the population is measured; limits are for judging."""
        births = str(self.given.get("birth_dates") or BIRTHS[0])
        return PopulationOptions(
            g=self._sizes(),
            birth_dates=read_birth_dates(
                births if births in BIRTHS else self.path(births), days=self.given.get("days")
            ),
            across=bool(self.given.get("across")),
            counted_in=self.given.get("counted_in"),
        )

    def _sizes(self) -> list[int]:
        """The g that are asked for, and those that a limit is about."""
        stated = [int(name) for name in self.limits if name.isdecimal()]
        return sorted({*(self.given.get("g") or SIZES), *stated})

    def _policy(self, text: str) -> Policy:
        return read_policy(self.path(text) if Path(text).suffix.lower() in YAML else text)

    def _attacker(self) -> Attacker | VoterLists:
        who, own = str(self.given.get("attacker") or "general"), self.given.get("voter_lists")
        if who == "voter":
            lists = read_voter_lists(self.path(own)) if own else voter_lists()
            return lists.with_price(self.given.get("price"))
        named = self.path(who) if Path(who).suffix.lower() in YAML else who
        return read_attacker(named).with_price(self.given.get("price"))

    def _people(self) -> Population:
        found = read_population(
            self.path(self.given["population"]),
            areas=self.given.get("areas"),
            open_band_years=self.given.get("open_band_years"),
            year=self.given.get("year"),
        )
        wanted = self.given.get("state")
        if not wanted:
            return found
        return _states(found, [wanted] if isinstance(wanted, str) else wanted)


def _states(population: Population, wanted: list[str]) -> Population:
    """States by their labels, or by any name that the label is another form of."""
    if not known_areas(population):
        raise InvalidSetting(f"{population.source} tells no states.", hint="Leave state out.")
    column = known_areas(population)[-1]
    known = set(population.labels[column])
    labels = [next((name for name in (text, *state_names(text)) if name in known), text) for text in wanted]
    return population.of(column, labels)

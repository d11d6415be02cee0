"""Explore the policies between two given ones: how much detail is possible at what risk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.reference_lists import RESTRICTED
from reidrisk.core.result import Result
from reidrisk.core.wording import percent
from reidrisk.errors import InvalidSetting
from reidrisk.population.attack import check_fields, known_areas, named_as, path_to
from reidrisk.population.attacker import GENERAL, Attacker
from reidrisk.population.fields import BIRTH, ZIP5, Fields
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.results import PopulationRisk
from reidrisk.population.risk import population_risk
from reidrisk.population.settings import MEASURE, TARGET, TOTAL
from reidrisk.population.voters import VoterLists

MOST = 2_000
"""Largest number of policies to try."""


Ladder = tuple[Fields, ...]
"""The granularities of one field, from not released to the finest."""


@dataclass(frozen=True, slots=True)
class Node:
    """A policy in the lattice."""

    fields: Fields
    levels: tuple[int, ...]
    detail: float
    """Mean level of detail over the fields: 0 if nothing is released, 1 for the finest policy."""

    def at_least(self, other: Node) -> bool:
        """Whether no field is coarser than in the other policy."""
        return all(mine >= theirs for mine, theirs in zip(self.levels, other.levels, strict=True))


@dataclass(frozen=True, slots=True)
class Lattice:
    """All policies that are at most as detailed as the finest one."""

    ladders: tuple[Ladder, ...]
    given: frozenset[str] = frozenset()
    """Areas that every attacker knows."""

    @classmethod
    def up_to(cls, finest: Fields, population: Population) -> Lattice:
        """The granularities of birth (year, month, date), of areas from large to small, and of categories."""
        places = [name for name in finest.columns if name in population.areas]
        rest = [Fields(None, (name,)) for name in finest.columns if name not in places]
        rest += [Fields(spread={name: values}) for name, values in finest.spread.items()]
        ladders = [_birth(finest), _zips(finest), _areas(places, population), *((one,) for one in rest)]
        return cls(
            tuple((Fields(), *steps) for steps in ladders if steps), frozenset(known_areas(population))
        )

    def __post_init__(self) -> None:
        number = prod(len(ladder) for ladder in self.ladders)
        if number > MOST or not self.ladders:
            raise InvalidSetting(
                f"There are {number:,} policies to try; the number must be from 2 to {MOST:,}.",
                hint="Choose a finest policy with fewer fields, or with at least one.",
            )

    def nodes(self) -> Iterator[Node]:
        """Every policy."""
        for levels in product(*(range(len(ladder)) for ladder in self.ladders)):
            yield self._node(levels)

    def node_of(self, fields: Fields) -> Node:
        """The node of a policy, which must not release more than the finest one."""
        for node in self.nodes():
            if _key(node.fields, self.given) == _key(fields, self.given):
                return node
        raise InvalidSetting(
            "The coarser policy releases a field that the finer policy does not release.",
            hint="Choose two policies such that one releases everything that the other releases.",
        )

    def _node(self, levels: tuple[int, ...]) -> Node:
        steps = [ladder[level] for ladder, level in zip(self.ladders, levels, strict=True)]
        birth = next((step.birth for step in steps if step.birth), None)
        columns = tuple(name for step in steps for name in step.columns)
        spread = {name: values for step in steps for name, values in step.spread.items()}
        zip3 = next((step.zip3 for step in steps if step.zip3), None)
        up = [Fraction(level, len(ladder) - 1) for ladder, level in zip(self.ladders, levels, strict=True)]
        return Node(Fields(birth, columns, zip3, spread), levels, float(sum(up) / len(up)))


def _key(fields: Fields, given: frozenset[str]) -> tuple[object, ...]:
    columns = frozenset(fields.columns) - given
    return fields.birth, columns, fields.zip3, frozenset(fields.spread.items())


def _birth(finest: Fields) -> Ladder:
    return tuple(Fields(part) for part in BIRTH[: BIRTH.index(finest.birth) + 1]) if finest.birth else ()


def _zips(finest: Fields) -> Ladder:
    fives = tuple(Fields(None, (name,)) for name in finest.columns if name in ZIP5)
    if not fives and not finest.zip3:
        return ()
    return (Fields(zip3=finest.zip3 or next(iter(RESTRICTED))), *fives)


def _areas(places: list[str], population: Population) -> Ladder:
    """Areas from large to small, without those that every attacker knows."""
    paths = {name for place in places if place not in ZIP5 for name in path_to(population, place)}
    finer = [name for name in population.areas if name in paths - set(known_areas(population))]
    return tuple(Fields(None, (name,)) for name in finer)


DETAIL = (
    "Detail is the mean over all fields of the granularity that is released, from 0 (nothing) to 1 (the "
    "finest policy). The steps are: for birth, nothing, year, month, date; for areas, nothing, then from "
    "large to small areas; for a category, no or yes."
)


def explore_policies(
    population: Population,
    attacker: Attacker | VoterLists = GENERAL,
    *,
    between: tuple[Policy, Policy] = (SAFE_HARBOR, LIMITED_DATASET),
    target: float | None = None,
    measure: str = MEASURE.default,
    options: PopulationOptions | None = None,
) -> PopulationExplorer:
    """Try every combination of the granularities of the fields of the finer of two policies.

    `measure` is the risk used for the frontier and for the `target`, a share of the people: `total`, or
    a g such as "5" for the people who are 5-distinct.

    >>> import pyarrow as pa
    >>> from reidrisk import Policy, read_population
    >>> table = {"county": ["A", "A", "B"], "sex": ["F", "M", "F"], "age": [40] * 3, "n": [1, 20, 900]}
    >>> people = read_population(pa.table(table))
    >>> between = Policy.of("sex"), Policy.of("county,sex,year_of_birth")
    >>> len(explore_policies(people, between=between).to_dict()["policies"])
    8
    """
    asked = options or PopulationOptions()
    if measure != TOTAL and measure not in map(str, asked.g):
        raise InvalidSetting.among("The measure", measure, [TOTAL, *map(str, asked.g)])
    TARGET.check(target)
    for policy in between:
        check_fields(population, policy.fields)
    coarse, fine = (replace(policy, fields=named_as(population, policy.fields)) for policy in between)
    lattice = Lattice.up_to(fine.fields, population)
    known = {lattice.node_of(policy.fields).levels: policy for policy in (coarse, fine)}
    tried = tuple(
        _tried(node, population_risk(population, _policy(node, known), attacker, options=asked), measure)
        for node in lattice.nodes()
    )
    ends = (lattice.node_of(coarse.fields).levels, lattice.node_of(fine.fields).levels)
    return PopulationExplorer(tuple(sorted(tried, key=_order)), ends, measure, target)


@dataclass(frozen=True, slots=True)
class PolicyTrial:
    """A policy with its detail and its risk."""

    node: Node
    result: PopulationRisk
    risk: float | None
    """The risk by the chosen measure; None if unknown."""

    def beaten_by(self, other: PolicyTrial) -> bool:
        """Whether another policy has as much detail at less risk, or more detail at no more risk."""
        if self.risk is None or other.risk is None:
            return False
        no_worse = other.node.detail >= self.node.detail and other.risk <= self.risk
        return no_worse and (other.node.detail > self.node.detail or other.risk < self.risk)


@dataclass(frozen=True)
class PopulationExplorer(Result):
    """All policies that were tried, from least to most detail."""

    _main_table = "policies"
    tried: tuple[PolicyTrial, ...]
    ends: tuple[tuple[int, ...], tuple[int, ...]]
    measure: str
    target: float | None

    @property
    def acceptable(self) -> bool:
        """Always False: an exploration decides nothing."""
        return False

    @property
    def coarse(self) -> int:
        """The index of the coarser of the two policies."""
        return next(at for at, one in enumerate(self.tried) if one.node.levels == self.ends[0])

    @property
    def fine(self) -> int:
        """The index of the finer policy."""
        return next(at for at, one in enumerate(self.tried) if one.node.levels == self.ends[1])

    def frontier(self) -> list[PolicyTrial]:
        """The policies that no other policy beats in detail and risk."""
        known = [one for one in self.tried if one.risk is not None]
        return [one for one in known if not any(one.beaten_by(other) for other in known)]

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        one = self.tried[0].result.to_dict()
        frontier = {each.node.levels for each in self.frontier()}
        reasons = self._reasons()
        return {
            "kind": "population_explorer",
            "version": own_version(),
            "acceptable": None,
            "settings": {**one["settings"], "policy": None, "measure": self.measure, "target": self.target},
            "seed": None,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "notes": [DETAIL, *dict.fromkeys(note for each in self.tried for note in each.result.notes)],
            "population": one["population"],
            "attacker": one["attacker"],
            "measure": self.measure,
            "target": self.target,
            "policies": [self._entry(each, on_frontier=each.node.levels in frontier) for each in self.tried],
            "safe": self.coarse,
            "limited": self.fine,
        }

    def _entry(self, one: PolicyTrial, *, on_frontier: bool) -> dict[str, Any]:
        safe, limited = self.tried[self.coarse], self.tried[self.fine]
        found = one.result.to_dict()
        kept = ("g_distinct", "total_risk", "unknown")
        return {
            "name": one.result.policy.name,
            "fields": one.node.fields.texts(),
            "granularity": one.node.fields.granularities(),
            "detail": one.node.detail,
            **{key: found[key] for key in kept},
            "risk": one.risk,
            "on_frontier": on_frontier,
            "under_target": None if self.target is None else self._under(one),
            "between": one.node.at_least(safe.node) and limited.node.at_least(one.node),
            "more_at_risk_of_safe": self._more_than_safe(one),
        }

    def _under(self, one: PolicyTrial) -> bool:
        """Whether the risk is under the target; False if unknown."""
        return one.risk is not None and self.target is not None and one.risk <= self.target

    def _more_than_safe(self, one: PolicyTrial) -> bool:
        """Whether the policy has more detail than the coarser one at no more risk."""
        safe = self.tried[self.coarse]
        if one.risk is None or safe.risk is None:
            return False
        return one.node.detail > safe.node.detail and one.risk <= safe.risk

    def _reasons(self) -> list[Reason]:
        safe, limited = self.tried[self.coarse], self.tried[self.fine]
        found = [f"Tried: {_policies(len(self.tried))}."]
        for end in (safe, limited):
            risk = "unknown" if end.risk is None else percent(end.risk)
            found.append(f"{end.result.policy.name}: risk {risk}.")
        more = sum(self._more_than_safe(one) for one in self.tried)
        found.append(f"More detail than {safe.result.policy.name} at no more risk: {_policies(more)}.")
        if self.target is not None:
            under = sum(self._under(one) for one in self.tried)
            found.append(f"Under the target of {percent(self.target)}: {_policies(under)}.")
        return [Reason(text, None) for text in found]


def _policies(number: int) -> str:
    return "1 policy" if number == 1 else f"{number:,} policies"


def _order(one: PolicyTrial) -> tuple[float, float]:
    return one.node.detail, -1.0 if one.risk is None else one.risk


def _tried(node: Node, result: PopulationRisk, measure: str) -> PolicyTrial:
    return PolicyTrial(node, result, None if result.exposure is None else result.exposure.share(measure))


def _policy(node: Node, known: dict[tuple[int, ...], Policy]) -> Policy:
    name = ", ".join(node.fields.texts()) or "nothing"
    return known.get(node.levels, Policy(name, node.fields, source="the policy explorer"))

"""The parts of a population in which the attacker has the same fields to use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.population.attack import (
    Attack,
    attack,
    check_columns,
    known_areas,
    with_coarser,
    without_coarser,
)
from reidrisk.population.attacker import Attacker
from reidrisk.population.fields import Fields
from reidrisk.population.people import Population
from reidrisk.population.policy import Policy
from reidrisk.population.voters import VoterLists
from reidrisk.stats.arrays import Bools


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some of the states, or the whole population."""

    attackers: Mapping[int | None, Attacker]
    """By the code of the state; under None the one of everybody."""
    fields: Fields | None
    """Usable ones; None if nobody knows them."""
    attack: Attack | None
    unknown: str | None = None
    rows: Bools | None = field(default=None, repr=False)
    """Of the population; None for all."""

    @property
    def coverage(self) -> float:
        """The share of the people who are in the list."""
        covered = next(iter(self.attackers.values())).coverage
        return 1.0 if covered is None else covered

    def attacker_of(self, state: int) -> Attacker | None:
        """Who attacks an area, if it is in this part."""
        return self.attackers.get(None, self.attackers.get(state))


def parts_of(
    population: Population, policy: Policy, attacker: Attacker | VoterLists, *, across: bool
) -> tuple[Part, ...]:
    """One part, or with voter lists as many as there are kinds of lists."""
    policy = replace(policy, fields=with_coarser(population, policy.fields, across=across))
    if isinstance(attacker, Attacker):
        if attacker.fields is not None:
            check_columns(population, attacker.fields)
        return (_part(population, policy, {None: attacker}, across=across),)
    if across or not known_areas(population):
        raise InvalidSetting(
            "Voter lists are those of states, but the attacker is to know no state.",
            hint="Give a population with a column state, and leave `across` out.",
        )
    return _by_state(population, policy, attacker)


def _by_state(population: Population, policy: Policy, lists: VoterLists) -> tuple[Part, ...]:
    column = known_areas(population)[-1]
    kinds: dict[str, dict[int | None, Attacker]] = {}
    for code in np.unique(population.codes[column]).tolist():
        found = _list_of(lists, population.labels[column][code])
        usable = _nested(population, found, across=False).usable(policy)
        reason = found.doubts(policy) or found.fields is None
        kinds.setdefault(f"{usable} {reason} {found.coverage}", {})[code] = found
    return tuple(
        _part(
            population,
            policy,
            attackers,
            across=False,
            rows=None if len(kinds) == 1 else _rows(population, attackers),
        )
        for attackers in kinds.values()
    )


def _rows(population: Population, attackers: Mapping[int | None, Attacker]) -> Bools:
    return np.isin(
        population.codes[known_areas(population)[-1]], [code for code in attackers if code is not None]
    )


def _list_of(lists: VoterLists, label: str) -> Attacker:
    found = lists.of(label)
    if found is not None:
        return found
    unsure = frozenset({"birth", "sex", "race", "county"})
    return Attacker(
        f"voter list of {label}",
        Fields(),
        source=f"not in {lists.source}",
        unknown=unsure,
        answered=frozenset(),
    )


def _part(
    population: Population,
    policy: Policy,
    attackers: Mapping[int | None, Attacker],
    *,
    across: bool,
    rows: Bools | None = None,
) -> Part:
    one = next(iter(attackers.values()))
    usable = _nested(population, one, across=across).usable(policy)
    if usable is None:
        names = ", ".join(one.doubts(policy))
        said = f"Nobody knows whether the {one.name} tells: {names}."
        several = f"Nobody knows whether {len(attackers)} voter lists tell: {names}."
        return Part(attackers, None, None, said if len(attackers) == 1 else several, rows)
    fields = without_coarser(population, usable)
    return Part(attackers, fields, attack(population, fields, across=across), None, rows)


def _nested(population: Population, attacker: Attacker, *, across: bool) -> Attacker:
    """The same attacker, who knows the county of a tract."""
    if attacker.fields is None:
        return attacker
    return replace(attacker, fields=with_coarser(population, attacker.fields, across=across))

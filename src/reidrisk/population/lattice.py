"""All policies up to one: each field at every granularity it can have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from reidrisk.core.zip3 import RESTRICTED
from reidrisk.errors import InvalidSetting
from reidrisk.population.attack import known_areas, path_to
from reidrisk.population.fields import BIRTH, ZIP5, Fields
from reidrisk.population.people import Population

MOST = 2_000
"""Policies that are tried."""


Ladder = tuple[Fields, ...]
"""The steps of one field, from nothing to the finest that is tried."""


@dataclass(frozen=True, slots=True)
class Node:
    """One policy of the lattice."""

    fields: Fields
    levels: tuple[int, ...]
    detail: float
    """Mean over the fields of how far up its ladder each is: 0 for nothing, 1 for the finest policy."""

    def at_least(self, other: Node) -> bool:
        """Whether no field is coarser."""
        return all(mine >= theirs for mine, theirs in zip(self.levels, other.levels, strict=True))


@dataclass(frozen=True, slots=True)
class Lattice:
    """The ladders of all fields of the finest policy."""

    ladders: tuple[Ladder, ...]
    given: frozenset[str] = frozenset()
    """Areas that are known whatever a policy says."""

    @classmethod
    def up_to(cls, finest: Fields, population: Population) -> Lattice:
        """Birth by year, month and date; areas from coarse to fine; each category or not."""
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
                f"There are {number:,} policies to try; 2 to {MOST:,} can be.",
                hint="Name a finest policy with fewer fields, or with some at all.",
            )

    def nodes(self) -> Iterator[Node]:
        """Every policy."""
        for levels in product(*(range(len(ladder)) for ladder in self.ladders)):
            yield self._node(levels)

    def node_of(self, fields: Fields) -> Node:
        """Where a policy stands; it must tell no more than the finest."""
        for node in self.nodes():
            if _key(node.fields, self.given) == _key(fields, self.given):
                return node
        raise InvalidSetting(
            "The coarser policy is not below the finer one: it tells a field that the finer does not.",
            hint="Name two policies of which one tells all that the other tells.",
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
    """From coarse to fine, those that are not known anyway."""
    paths = {name for place in places if place not in ZIP5 for name in path_to(population, place)}
    finer = [name for name in population.areas if name in paths - set(known_areas(population))]
    return tuple(Fields(None, (name,)) for name in finer)

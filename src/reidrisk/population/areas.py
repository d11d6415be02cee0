"""The areas whose risks are told apart."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reidrisk.errors import UnknownColumn
from reidrisk.population.attack import known_areas, path_to
from reidrisk.population.people import Population
from reidrisk.stats.arrays import Ints
from reidrisk.stats.keys import Groups, groups


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Some areas of a population, or all of it as one."""

    column: str | None
    path: tuple[str, ...]
    """The column with the coarser ones that it lies in."""
    labels: tuple[str, ...]
    state: Ints = field(repr=False)
    """For each area the code of the state, or other known area, that it lies in; -1 if there is none."""
    groups: Groups = field(repr=False)

    @property
    def of(self) -> Ints:
        """The area of each row of the population."""
        return self.groups.of


def areas_by(population: Population, by: str | None) -> Areas:
    """The areas of a column; everybody in one without it."""
    rows = len(population.counts)
    if by is None:
        return Areas(None, (), ("all",), np.zeros(1, dtype=np.int64), groups([], rows))
    if by not in population.areas:
        raise UnknownColumn.among(by, population.areas, source=f"{population.source} (areas)")
    path = path_to(population, by)
    found = groups([population.codes[name] for name in path], rows)
    first = np.zeros(found.number, dtype=np.int64)
    first[found.of] = np.arange(rows)
    known = known_areas(population)[-1:]
    told = bool(known) and known[0] in path
    state = population.codes[known[0]][first].astype(np.int64) if told else np.full(found.number, -1)
    names = [_labels(population, path[at:], first) for at in range(len(path))]
    labels = next((unique for unique in reversed(names) if len(set(unique)) == len(unique)), names[0])
    return Areas(by, path, labels, state, found)


def _labels(population: Population, path: tuple[str, ...], rows: Ints) -> tuple[str, ...]:
    parts = [[population.labels[name][code] for code in population.codes[name][rows]] for name in path]
    return tuple(" ".join(names) for names in zip(*parts, strict=True))

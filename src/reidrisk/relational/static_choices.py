"""Levels of the quasi-identifiers of people: those that the search for tables finds, and coarser ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.linked import TableColumn
from reidrisk.errors import NoSolution
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.exposure import static_of
from reidrisk.relational.generalized import labels_of, levels_of, typed_values
from reidrisk.relational.people import People
from reidrisk.stats.arrays import Ints

MOST_LISTED = 25_000
"""Of more combinations, only those above the best one are listed."""
MOST_STATIC = 60
"""Choices that are tried with levels of events."""


def static_choices(
    people: People, config: RelationalConfig, threshold: Threshold, share: float
) -> list[tuple[float, dict[str, str]]]:
    """Levels of the quasi-identifiers with their loss: what the search for tables found, and coarser ones.

    `share` is the share of people who may be left out. The last choice loses most.
    """
    least = static_levels(people, config, threshold, share)
    axes = [
        _StaticAxis.of(people, config, name, attribute)
        for name in people.columns
        if (attribute := config.attribute_of(TableColumn.of(name))) in least[0]
    ]
    if prod(len(axis.names) for axis in axes) > MOST_LISTED:
        least = least[:1]
    lowest = [[axis.names.index(one[axis.attribute]) for axis in axes] for one in least]
    finest = np.array(lowest, dtype=np.int64).min(axis=0).tolist()
    nodes = product(*(range(low, len(axis.names)) for low, axis in zip(finest, axes, strict=True)))
    columns = max(len(people.columns), 1)
    found = [
        (
            sum(axis.lost[at] for axis, at in zip(axes, node, strict=True)) / columns,
            {axis.attribute: axis.names[at] for axis, at in zip(axes, node, strict=True)},
        )
        for node in nodes
        if any(all(at >= low for at, low in zip(node, one, strict=True)) for one in lowest)
    ]
    return _spread(sorted(found, key=lambda one: one[0]))


@dataclass(frozen=True, slots=True)
class _StaticAxis:
    """The levels of a quasi-identifier, and what each loses."""

    attribute: str
    names: tuple[str, ...]
    lost: tuple[float, ...]
    """By level: the mean over people of the granularity that is lost."""

    @classmethod
    def of(cls, people: People, config: RelationalConfig, name: str, attribute: str) -> _StaticAxis:
        own = people.labels[name]
        present, levels = levels_of(config.hierarchies[attribute], [one for one in own if one is not None])
        recoding = levels.recoding
        place = {value: at for at, value in enumerate(present)}
        codes = np.array([-1 if one is None else place[one] for one in own], dtype=np.int64)
        known = codes[people.columns[name]]
        known = known[known >= 0]
        most = max(recoding.domain - 1, 1)
        lost = tuple(
            float((leaves[of[known]] - 1).mean()) / most if len(known) else 0.0
            for leaves, of in zip(recoding.leaves, recoding.levels, strict=True)
        )
        return cls(attribute, tuple(levels.names), lost)


def _spread(choices: list[tuple[float, dict[str, str]]]) -> list[tuple[float, dict[str, str]]]:
    """Half of the choices are those that lose least, the others are spread up to the one that loses most."""
    if len(choices) <= MOST_STATIC:
        return choices
    few = MOST_STATIC // 2
    places = np.linspace(few, len(choices) - 1, MOST_STATIC - few).round().astype(int)
    return [*choices[:few], *(choices[place] for place in dict.fromkeys(places.tolist()))]


def static_levels(
    people: People, config: RelationalConfig, threshold: Threshold, share: float
) -> list[dict[str, str]]:
    """The levels of the quasi-identifiers by the search for tables; those of the settings stay.

    The first loses least; the others are all that are enough as well and nowhere coarser than need be.
    """
    free = {
        name: attribute
        for name in people.columns
        if (attribute := config.attribute_of(TableColumn.of(name))) in config.hierarchies
        and attribute not in config.levels
    }
    if not free:
        return [{}]
    import pyarrow as pa

    from reidrisk.tables.deidentify.options import DeidentifyOptions
    from reidrisk.tables.deidentify.run import deidentify
    from reidrisk.tables.deidentify.search import LevelSolution

    given = at_static_levels(people, config, {})
    table = pa.table(
        {name: _typed_column(given.labels[name], given.columns[name]) for name in people.columns}
    )
    rules = {name: replace(config.hierarchies[attribute], column=name) for name, attribute in free.items()}
    found = deidentify(
        table,
        Schema(quasi=tuple(people.columns)),
        rules,
        threshold=threshold,
        max_suppression=share,
        options=DeidentifyOptions(suppress="records"),
    )
    if not found.acceptable:
        raise NoSolution(
            "No levels of the quasi-identifiers leave out few enough people.",
            hint="Give coarser hierarchies, a smaller cell size, or a higher --max-suppression.",
        )
    chosen = [found.levels]
    if isinstance(found.found, LevelSolution):
        chosen += map(found.found.problem.named, (node.levels for node in found.found.minimal.nodes))
    return [{free[name]: level for name, level in one.items() if name in free} for one in chosen]


def _typed_column(labels: tuple[str | None, ...], codes: Ints) -> list[Any]:
    values = iter(typed_values([label for label in labels if label is not None]))
    cells = [None if label is None else next(values) for label in labels]
    return [cells[code] for code in codes.tolist()]


def at_static_levels(people: People, config: RelationalConfig, chosen: Mapping[str, str]) -> People:
    """The same people with quasi-identifiers at the chosen levels, or at those of the settings."""
    levels = {**config.levels, **chosen}
    columns, labels = dict(people.columns), dict(people.labels)
    for name, codes in people.columns.items():
        attribute = config.attribute_of(TableColumn.of(name))
        if attribute not in levels:
            continue
        own = people.labels[name]
        new = labels_of(
            config.hierarchies[attribute], [one for one in own if one is not None], levels[attribute]
        )
        changed = [None if one is None else new[one] for one in own]
        ordered = sorted({one for one in changed if one is not None})
        places = {label: place for place, label in enumerate(ordered)}
        of = np.array([len(ordered) if one is None else places[one] for one in changed], dtype=np.int64)
        columns[name], labels[name] = of[codes], (*ordered, None)
    return replace(people, columns=columns, labels=labels, static=static_of(columns, len(people)))

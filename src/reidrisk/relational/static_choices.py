"""Levels of the quasi-identifiers of people: those that the search for tables finds, and coarser ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
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

MOST_STATIC = 60
"""Choices that are tried with levels of events."""


def static_choices(
    people: People, config: RelationalConfig, threshold: Threshold, share: float
) -> list[tuple[float, dict[str, str]]]:
    """Levels of the quasi-identifiers with their loss: what the search for tables found, and coarser ones.

    `share` is the share of people who may be left out.
    """
    first = static_levels(people, config, threshold, share)
    axes, shares = [], []
    for name, codes in people.columns.items():
        attribute = config.attribute_of(TableColumn.of(name))
        if attribute not in first:
            continue
        present, levels = levels_of(
            config.hierarchies[attribute], [one for one in people.labels[name] if one is not None]
        )
        recoding = levels.recoding
        place = {value: at for at, value in enumerate(present)}
        of = np.array([-1 if one is None else place[one] for one in people.labels[name]], dtype=np.int64)[
            codes
        ]
        known = of[of >= 0]
        choices = range(levels.number(first[attribute]), recoding.top + 1)
        axes.append([(attribute, levels.names[level]) for level in choices])
        shares.append(
            [
                float((recoding.leaves[level][recoding.levels[level][known]] - 1).mean())
                / max(recoding.domain - 1, 1)
                if len(known)
                else 0.0
                for level in choices
            ]
        )
    columns = max(len(people.columns), 1)
    nodes = product(*(range(len(axis)) for axis in axes))
    found = [
        (
            sum(own[at] for own, at in zip(shares, node, strict=True)) / columns,
            dict(axis[at] for axis, at in zip(axes, node, strict=True)),
        )
        for node in nodes
    ]
    return _spread(sorted(found, key=lambda one: one[0]))


def _spread(choices: list[tuple[float, dict[str, str]]]) -> list[tuple[float, dict[str, str]]]:
    """Half of the choices are those that lose least, the others are spread up to the one that loses most."""
    if len(choices) <= MOST_STATIC:
        return choices
    few = MOST_STATIC // 2
    places = np.linspace(few, len(choices) - 1, MOST_STATIC - few).round().astype(int)
    return [*choices[:few], *(choices[place] for place in dict.fromkeys(places.tolist()))]


def static_levels(
    people: People, config: RelationalConfig, threshold: Threshold, share: float
) -> dict[str, str]:
    """The levels of the quasi-identifiers by the search for tables; those of the settings stay."""
    free = {
        name: attribute
        for name in people.columns
        if (attribute := config.attribute_of(TableColumn.of(name))) in config.hierarchies
        and attribute not in config.levels
    }
    if not free:
        return {}
    import pyarrow as pa

    from reidrisk.tables.deidentify.options import DeidentifyOptions
    from reidrisk.tables.deidentify.run import deidentify

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
    return {free[name]: level for name, level in found.levels.items() if name in free}


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

"""Levels of events over all tables, and whether the dates of a table stay, in the order of their loss.

At each, rows with some values and a few people are left out until what may be known fits enough people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import inf
from typing import Any

import numpy as np

from reidrisk.engine.linked import NO_DAY, TableColumn
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.generalized import levels_of
from reidrisk.relational.people import People
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.events.joined import joined_risk
from reidrisk.stats.events.thin import LinkedEvents, ThinDemand, Thinned, thin
from reidrisk.tables.hierarchy.levels import Levels

MOST_NODES = 500
MOST_LISTED = 25_000
"""Of more combinations only those are tried in which all levels are about as high."""
MANY_NODES = 40
"""With more combinations of levels, a few are tried first."""


@dataclass(slots=True)
class Tries:
    """How many combinations of levels of events may be tried, at all levels of quasi-identifiers together."""

    most: int = MOST_NODES
    done: int = 0
    listed: int = 0
    """Those that could have been tried, at the levels of quasi-identifiers that were looked at."""

    @property
    def left(self) -> int:
        """Those that may still be tried."""
        return self.most - self.done


@dataclass(frozen=True, slots=True, eq=False)
class Protected:
    """What the search chose."""

    config: RelationalConfig = field(repr=False)
    """The settings with the chosen levels, and the values whose rows are not released."""
    left_out: Bools = field(repr=False)
    """By person."""
    levels: Mapping[str, str]
    """By attribute: the chosen level."""
    dates_removed: tuple[str, ...]
    """Columns with dates, or days of the study, that are not released."""
    rows: int
    rows_left_out: int
    """Rows with events that are not released, besides those of people who are left out."""
    values_left_out: int
    events_lost: float
    """Share of the detail of events that is lost; a row that is left out has lost all."""
    nodes: int
    tried: int
    static_lost: float = 0.0
    """Share of the detail of quasi-identifiers that is lost."""
    loss: float = 0.0
    """The mean of both."""
    twins_removed: tuple[str, ...] = ()
    """Columns that are not released because they would tell events that became coarser."""
    keys_removed: tuple[str, ...] = ()
    """Keys that are not released because they would show such dates in other tables."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types; no value of a person."""
        return {
            "levels": dict(self.levels),
            "dates_removed": list(self.dates_removed),
            "keys_removed": list(self.keys_removed),
            "twins_removed": list(self.twins_removed),
            "people_left_out": int(np.count_nonzero(self.left_out)),
            "rows": self.rows,
            "rows_left_out": self.rows_left_out,
            "values_left_out": self.values_left_out,
            "loss": self.loss,
            "events_lost": self.events_lost,
            "static_lost": self.static_lost,
            "nodes": self.nodes,
            "evaluated": self.tried,
            "heuristic": True,
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Axis:
    """What may change about events: the level of an attribute, or whether the dates of a table stay."""

    name: str
    values: tuple[str, ...] = field(repr=False)
    """The original values, in the order of the codes."""
    levels: Levels | None = field(repr=False)
    """None for dates."""
    choices: tuple[int, ...]

    @property
    def key(self) -> str:
        """A name that no other axis has."""
        return f"dates of {self.name}" if self.levels is None else self.name


@dataclass(frozen=True, eq=False)
class EventSearch:
    """The levels of events over all tables."""

    database: Database = field(repr=False)
    people: People = field(repr=False)
    config: RelationalConfig = field(repr=False)
    knowledge: JoinKnowledge
    shift: Ints | None = field(repr=False)
    choices: Mapping[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    """By axis: the choices to try, if not all."""
    known: dict[ThinDemand, dict[str, tuple[int, ...]]] = field(default_factory=dict, repr=False)
    """What `possible` found."""

    def best(
        self,
        demand: ThinDemand,
        tries: Tries,
        stop: Callable[[], bool] | None,
        *,
        most: float = inf,
    ) -> Protected | None:
        """Try combinations of levels in order of their loss; the one that loses least, or None.

        Those that lose `most` or more of the detail of events are not tried. If there are many, no others are
        if none of a few very different ones is enough, nor those with a choice that is not enough even if all
        else is as coarse as possible.

        """
        axes = list(self._axes())
        nodes = list(product(*(axis.choices for axis in axes)))
        if len(nodes) > MOST_LISTED:
            nodes = [tuple(axis.choices[0] for axis in axes), *self.diagonal(axes)]
        bases = sorted((self._base(axes, node), node) for node in nodes)
        tries.listed += len(bases)
        if bases[0][0] >= most:
            return None
        if len(nodes) > MANY_NODES:
            if not any(self._is_enough(axes, one, demand) for one in _probes(axes)):
                return None
            possible = self.possible(demand).values()
            bases = [
                (base, node)
                for base, node in bases
                if all(level in some for level, some in zip(node, possible, strict=True))
            ]
        best: Protected | None = None
        for base, node in bases:
            if base >= (most if best is None else min(most, best.events_lost)) or (stop and stop()):
                break
            if tries.left < 1:
                break
            tries.done += 1
            events, lost = self._at(axes, node)
            found = thin(events, demand, stop=stop)
            if found is None:
                continue
            made = self._protected(axes, node, found, lost)
            if best is None or made.events_lost < best.events_lost:
                best = made
        return best

    def possible(self, demand: ThinDemand) -> dict[str, tuple[int, ...]]:
        """By axis: the choices that are enough if all others are as coarse as possible.

        All of them, if even the coarsest choices are not enough.
        """
        if demand not in self.known:
            axes = list(self._axes())
            self.known[demand] = dict(
                zip((axis.key for axis in axes), self._possible(axes, demand), strict=True)
            )
        return self.known[demand]

    def _possible(self, axes: list[_Axis], demand: ThinDemand) -> list[tuple[int, ...]]:
        coarsest = tuple(axis.choices[-1] for axis in axes)
        if not self._is_enough(axes, coarsest, demand):
            return [axis.choices for axis in axes]
        found = []
        for place, axis in enumerate(axes):
            enough = [coarsest[place]]
            for level in reversed(axis.choices[:-1]):
                if not self._is_enough(axes, (*coarsest[:place], level, *coarsest[place + 1 :]), demand):
                    break
                enough.append(level)
            found.append(tuple(reversed(enough)))
        return found

    def _is_enough(self, axes: list[_Axis], node: tuple[int, ...], demand: ThinDemand) -> bool:
        return thin(self._at(axes, node)[0], demand, restores=False) is not None

    def thinned_at_coarsest(self, demand: ThinDemand) -> Thinned | None:
        """What must be left out if everything is as coarse as possible."""
        axes = list(self._axes())
        return thin(self._at(axes, tuple(axis.choices[-1] for axis in axes))[0], demand)

    def exposed_at_coarsest(self, demand: ThinDemand) -> tuple[int, str]:
        """How many are exposed if everything is as coarse as possible, and what exposes most of them."""
        axes = list(self._axes())
        events, _ = self._at(axes, tuple(axis.choices[-1] for axis in axes))
        everything = np.ones(len(events.person), dtype=np.bool_), np.ones(len(self.people), dtype=np.bool_)
        found = joined_risk(
            events.lists(*everything)[0], demand.known, caps=demand.caps, budget=demand.budget
        )
        first, *_, last = (int(np.count_nonzero(one.least < demand.cell_size)) for one in found.by_known * 2)
        if 2 * first > last:
            return last, "quasi-identifiers alone" if last else ""
        if found.alone is None or not self.people.tables:
            return last, ""
        by_table = (found.alone < demand.cell_size).sum(axis=0)
        return last, f"the table {self.people.tables[int(by_table.argmax())]}" if by_table.any() else ""

    def _axes(self) -> Iterator[_Axis]:
        for axis in self._all_axes():
            yield replace(axis, choices=self.choices.get(axis.key, axis.choices))

    def _all_axes(self) -> Iterator[_Axis]:
        values: dict[str, set[str]] = {}
        for of, event in self.people.events:
            for column, value in zip(self.people.event_columns[of], event, strict=True):
                if value is not None:
                    values.setdefault(self._attribute(of, column), set()).add(value)
        for name, own in values.items():
            hierarchy = self.config.hierarchies.get(name)
            if hierarchy is None:
                continue
            present, levels = levels_of(hierarchy, own)
            fixed = self.config.levels.get(name)
            recoding = levels.recoding
            choices = range(recoding.lowest, recoding.top + 1) if fixed is None else [levels.number(fixed)]
            yield _Axis(name, tuple(present), levels, tuple(choices))
        if self.knowledge.intervals and self.people.day is not None:
            dated = np.unique(self.people.table[self.people.day != NO_DAY])
            for place in dated.tolist():
                yield _Axis(self.people.tables[place], (), None, (0, 1))

    def _attribute(self, table: int, column: str) -> str:
        return self._attributes[table, column]

    @cached_property
    def _attributes(self) -> dict[tuple[int, str], str]:
        return {
            (place, column): self.config.attribute_of(self.database.at(TableColumn(name, column)))
            for place, name in enumerate(self.people.tables)
            for column in self.people.event_columns[place]
        }

    @staticmethod
    def diagonal(axes: list[_Axis]) -> Iterator[tuple[int, ...]]:
        """All attributes one step higher at a time, where there are too many combinations to list."""
        for step in range(1, max(len(axis.choices) for axis in axes)):
            yield tuple(axis.choices[min(step, len(axis.choices) - 1)] for axis in axes)

    def _base(self, axes: list[_Axis], node: tuple[int, ...]) -> float:
        return float(self._lost(axes, node)[self.people.event].mean()) if len(self.people.event) else 0.0

    def _lost(self, axes: list[_Axis], node: tuple[int, ...]) -> Floats:
        """By event: the mean over its columns of the granularity that is lost; dates count as a column."""
        chosen = dict(zip((axis.name for axis in axes), zip(axes, node, strict=True), strict=True))
        dated = {axis.name for axis in axes if axis.levels is None}
        shares: dict[str, dict[str, float]] = {}
        for name, (axis, level) in chosen.items():
            if axis.levels is not None:
                recoding = axis.levels.recoding
                leaves = recoding.leaves[level][recoding.levels[level]][: len(axis.values)]
                lost = (leaves - 1) / max(recoding.domain - 1, 1)
                shares[name] = dict(zip(axis.values, lost.tolist(), strict=True))
        found = np.zeros(len(self.people.events))
        for code, (of, event) in enumerate(self.people.events):
            table = self.people.tables[of]
            parts = [
                0.0 if value is None else shares.get(self._attribute(of, column), {}).get(value, 0.0)
                for column, value in zip(self.people.event_columns[of], event, strict=True)
            ]
            if table in dated:
                parts.append(float(chosen[table][1]))
            found[code] = sum(parts) / max(len(parts), 1)
        return found

    def _at(self, axes: list[_Axis], node: tuple[int, ...]) -> tuple[LinkedEvents, Floats]:
        """The events at a node, and what each row has lost."""
        people = self.people
        coarse = self._coarse(axes, node)
        codes: dict[Any, int] = {}
        firsts: dict[Any, int] = {}
        event = np.empty(len(people.events), dtype=np.int64)
        value = np.empty(len(people.events), dtype=np.int64)
        for code, (of, values) in enumerate(coarse):
            event[code] = codes.setdefault((of, values), len(codes))
            value[code] = (
                -1 if not values or values[0] is None else firsts.setdefault((of, values[0]), len(firsts))
            )
        table_of = np.zeros(len(codes) + 1, dtype=np.int64)
        table_of[event] = [of for of, _ in people.events]
        table_of[-1] = max(0, len(people.tables) - 1)
        days, most = self._days(axes, node)
        linked = LinkedEvents(
            people.static, people.person, event[people.event], value[people.event], table_of, days, most
        )
        return linked, self._lost(axes, node)[people.event]

    def _coarse(self, axes: list[_Axis], node: tuple[int, ...]) -> list[tuple[int, tuple[str | None, ...]]]:
        labels = {
            axis.name: dict(zip(axis.values, map(str, axis.levels.labels[level].tolist()), strict=True))
            for axis, level in zip(axes, node, strict=True)
            if axis.levels is not None
        }
        return [
            (
                of,
                tuple(
                    None if value is None else labels.get(self._attribute(of, column), {}).get(value, value)
                    for column, value in zip(self.people.event_columns[of], values, strict=True)
                ),
            )
            for of, values in self.people.events
        ]

    def _days(
        self, axes: list[_Axis], node: tuple[int, ...]
    ) -> tuple[tuple[Ints, Bools, Ints] | None, int | None]:
        people = self.people
        if not self.knowledge.intervals or people.day is None:
            return None, None
        gone = {axis.name for axis, level in zip(axes, node, strict=True) if axis.levels is None and level}
        kept = np.array([name not in gone for name in people.tables], dtype=np.bool_)
        dated = (people.day != NO_DAY) & kept[people.table]
        if not dated.any():
            return None, None
        shift = self.shift if self.shift is not None else np.zeros(len(people), dtype=np.int64)
        return (np.where(dated, people.day, 0), dated, shift), self.knowledge.most

    def _protected(self, axes: list[_Axis], node: tuple[int, ...], found: Thinned, lost: Floats) -> Protected:
        people = self.people
        gone_rows = ~found.kept | ~found.stays[people.person]
        loss = float(np.where(gone_rows, 1.0, lost).mean()) if len(lost) else 0.0
        chosen = {
            axis.name: axis.levels.names[level]
            for axis, level in zip(axes, node, strict=True)
            if axis.levels is not None and level
        }
        dates = tuple(
            at
            for axis, level in zip(axes, node, strict=True)
            if axis.levels is None and level
            for at in self._date_columns(axis.name)
        )
        config = emptied(self.config, dates).changed(
            levels={**self.config.levels, **chosen}, removed=self._removed(found)
        )
        return Protected(
            config,
            ~found.stays,
            {name: str(level) for name, level in config.levels.items()},
            tuple(str(at) for at in dates),
            len(people.person),
            int(np.count_nonzero(~found.kept & found.stays[people.person])),
            int(np.count_nonzero(found.values)),
            loss,
            0,
            0,
        )

    def _date_columns(self, table: str) -> list[TableColumn]:
        """The columns of a table's events that are dates."""
        named = next(names for name, names in self.config.events.items() if name.lower() == table)
        found = [self.database.at(TableColumn(table, name)) for name in named]
        return [at for at in found if self.database.tables.is_date(at)]

    def _removed(self, found: Thinned) -> dict[TableColumn, frozenset[str]]:
        """The original values of the first column of events whose rows go."""
        people = self.people
        gone = np.zeros(len(people.events), dtype=np.bool_)
        gone[people.event[~found.kept]] = True
        values: dict[TableColumn, set[str]] = {}
        for code in np.flatnonzero(gone).tolist():
            of, event = people.events[code]
            if event and event[0] is not None:
                at = self.database.at(TableColumn(people.tables[of], people.event_columns[of][0]))
                values.setdefault(at, set()).add(event[0])
        return {at: frozenset(own) for at, own in values.items()}


def _probes(axes: list[_Axis]) -> Iterator[tuple[int, ...]]:
    """A few very different choices: everything coarse, nothing coarse, without dates, and those between."""
    yield tuple(axis.choices[-1] for axis in axes)
    yield tuple(axis.choices[0] for axis in axes)
    yield tuple(axis.choices[-1 if axis.levels is None else 0] for axis in axes)
    yield from EventSearch.diagonal(axes)


def emptied(config: RelationalConfig, columns: tuple[TableColumn, ...]) -> RelationalConfig:
    """The same settings, with more columns whose cells become empty."""
    return config.changed(
        columns={**{str(at): "blank" for at in columns}, **_others(config.columns, columns)}
    )


def _others(columns: Mapping[str, Any], dates: tuple[TableColumn, ...]) -> dict[str, Any]:
    named = {str(at).lower() for at in dates}
    return {name: how for name, how in columns.items() if name.lower() not in named}

"""The search that brings the risk of people over all tables below the threshold with little loss.

First come the static classes, by the search for tables. Then levels of events are tried in order of their
loss, one hierarchy per attribute wherever it stands, with and without the dates of each table. At each, rows
with some values and a few people are left out until what may be known fits enough people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import ceil, floor, inf
from typing import Any

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import percent
from reidrisk.engine.linked import NO_DAY, TableColumn
from reidrisk.errors import NoSolution
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.generalized import levels_of
from reidrisk.relational.people import People
from reidrisk.relational.shown_elsewhere import dates_to_hide, values_to_hide
from reidrisk.relational.static_choices import at_static_levels, static_choices
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.events.joined import joined_risk
from reidrisk.stats.events.thin import LinkedEvents, ThinDemand, Thinned, thin
from reidrisk.tables.deidentify.settings import MAX_EVENT_SUPPRESSION, MAX_SUPPRESSION
from reidrisk.tables.hierarchy.levels import Levels

MOST_NODES = 500
MANY_NODES = 40
"""With more combinations of levels, a few are tried first."""


@dataclass(frozen=True, slots=True)
class ProtectLimits:
    """How much may be left out."""

    people: float = MAX_SUPPRESSION.default
    """Share of people."""
    rows: float = MAX_EVENT_SUPPRESSION.default
    """Share of rows with events, besides those of people who are left out."""
    nodes: int = MOST_NODES
    """Combinations of levels that are tried."""


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
    """Both, by the number of cells."""
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


def protect_people(  # noqa: PLR0913 - who, what is known, what decides
    database: Database,
    people: People,
    config: RelationalConfig,
    knowledge: JoinKnowledge,
    threshold: Threshold,
    *,
    limits: ProtectLimits | None = None,
    shift: Ints | None = None,
    stop: Callable[[], bool] | None = None,
) -> Protected:
    """Choose levels, rows and people; raise `NoSolution` if the limits do not allow it."""
    limits = limits or ProtectLimits()
    _refuse_few(people, threshold)
    demand = ThinDemand(
        knowledge.total if people.tables else 0,
        knowledge.caps(people.tables) or (0,),
        threshold.cell_size,
        floor(limits.people * len(people) + 1e-9),
        floor(limits.rows * len(people.person) + 1e-9),
        knowledge.budget,
    )
    cells, rows = len(people) * max(len(people.columns), 1), max(len(people.person), 1)
    best: Protected | None = None
    search: EventSearch | None = None
    for lost, static in static_choices(people, config, threshold, limits.people):
        if best is not None and lost * cells / (cells + rows) >= best.loss:
            break
        coarse = at_static_levels(people, config, static)
        chosen = config.changed(levels={**config.levels, **static})
        search = EventSearch(database, coarse, chosen, knowledge, shift)
        most = inf if best is None else (best.loss * (cells + rows) - lost * cells) / rows
        found = search.best(demand, limits, stop, most=most)
        if found is None:
            continue
        total = (lost * cells + found.events_lost * rows) / (cells + rows)
        if best is None or total < best.loss:
            best = replace(found, loss=total, static_lost=lost)
    if best is None:
        raise _no_solution(search, demand, limits, threshold)
    return _without_twins(database, _without_other_dates(database, best))


def _no_solution(
    search: EventSearch | None, demand: ThinDemand, limits: ProtectLimits, threshold: Threshold
) -> NoSolution:
    """Why nothing was found, and what would help, with quasi-identifiers and events as coarse as possible."""
    if search is None:
        return NoSolution("There is nothing to choose.", hint="Give hierarchies.")
    people, rows = len(search.people), len(search.people.person)
    problem = (
        f"Known events: no levels leave out at most {percent(limits.rows)} of the rows and "
        f"{percent(limits.people)} of the people."
    )
    exposed, through = search.exposed_at_coarsest(demand)
    if exposed:
        where = f", most of them by {through}" if through else ""
        problem += (
            f" Even at the coarsest levels {exposed:,} of {people:,} people are in groups smaller than "
            f"{threshold.cell_size}{where}."
        )
    if not search.config.hierarchies:
        return NoSolution(
            f"{problem} No attribute has a hierarchy, so that nothing could be made coarser.",
            hint="Write hierarchies: for quasi-identifiers and events. FHIR resources are released without: "
            "give them as tables, or leave out quasi-identifiers with columns: {TABLE.COLUMN: drop}.",
        )
    found = search.thinned_at_coarsest(replace(demand, rows=rows, people=people // 2))
    if found is None:
        return NoSolution(
            problem,
            hint="There may be too few people for this cell size. Assume fewer known events, choose a "
            "smaller cell size, leave out a table, or release these people together with more.",
        )
    gone = np.count_nonzero(~found.kept & found.stays[search.people.person])
    return NoSolution(
        problem,
        hint=f"--max-event-suppression {_upward(gone / max(rows, 1))} with --max-suppression "
        f"{_upward(found.people_left_out / people)} would do. Or give coarser hierarchies for events, assume "
        "fewer known events, or leave out a table.",
    )


def _upward(share: float) -> str:
    return f"{ceil(share * 100 - 1e-9) / 100:g}"


def _without_twins(database: Database, found: Protected) -> Protected:
    """Where events became coarser, columns that would tell them go."""
    twins = values_to_hide(database, found.config)
    return replace(found, config=_emptied(found.config, twins), twins_removed=tuple(map(str, twins)))


def _emptied(config: RelationalConfig, columns: tuple[TableColumn, ...]) -> RelationalConfig:
    return config.changed(
        columns={**{str(at): "blank" for at in columns}, **_others(config.columns, columns)}
    )


def _refuse_few(people: People, threshold: Threshold) -> None:
    if len(people) < threshold.cell_size:
        raise NoSolution(
            f"There are {len(people):,} people in the tables, fewer than the cell size of "
            f"{threshold.cell_size}: nothing that is left out can make anybody fit with enough others.",
            hint="Release these people together with more, or describe them in words instead.",
        )


def _without_other_dates(database: Database, found: Protected) -> Protected:
    """Where the search removed the dates of events, whatever else shows these dates goes as well."""
    tables = {TableColumn.of(name).table for name in found.dates_removed}
    if not tables:
        return found
    hidden = dates_to_hide(database, found.config, tables)
    return replace(
        found,
        config=_emptied(found.config, (*hidden.dates, *hidden.keys)),
        dates_removed=(*found.dates_removed, *map(str, hidden.dates)),
        keys_removed=tuple(map(str, hidden.keys)),
    )


def spelled(database: Database, config: RelationalConfig) -> RelationalConfig:
    """The same settings, with quasi-identifiers as the files spell them."""

    def column(given: str) -> str:
        at = TableColumn.of(given)
        return str(database.at(at)) if given not in config.derive and database.has(at) else given

    return config.changed(quasi=tuple(map(column, config.quasi)))


@dataclass(frozen=True, slots=True, eq=False)
class _Axis:
    """What may change about events: the level of an attribute, or whether the dates of a table stay."""

    name: str
    values: tuple[str, ...] = field(repr=False)
    """The original values, in the order of the codes."""
    levels: Levels | None = field(repr=False)
    """None for dates."""
    choices: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class EventSearch:
    """The levels of events over all tables."""

    database: Database = field(repr=False)
    people: People = field(repr=False)
    config: RelationalConfig = field(repr=False)
    knowledge: JoinKnowledge
    shift: Ints | None = field(repr=False)

    def best(
        self,
        demand: ThinDemand,
        limits: ProtectLimits,
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
        if len(nodes) > limits.nodes * 50:
            nodes = [tuple(axis.choices[0] for axis in axes), *self.diagonal(axes)]
        bases = sorted((self._base(axes, node), node) for node in nodes)
        if bases[0][0] >= most:
            return None
        if len(nodes) > MANY_NODES:
            if not any(self._is_enough(axes, one, demand) for one in _probes(axes)):
                return None
            possible = self._possible(axes, demand)
            bases = [
                (base, node)
                for base, node in bases
                if all(level in some for level, some in zip(node, possible, strict=True))
            ]
        best: Protected | None = None
        tried = 0
        for base, node in bases[: limits.nodes]:
            if base >= (most if best is None else min(most, best.events_lost)) or (stop and stop()):
                break
            tried += 1
            events, lost = self._at(axes, node)
            found = thin(events, demand, stop=stop)
            if found is None:
                continue
            made = self._protected(axes, node, found, lost)
            if best is None or made.events_lost < best.events_lost:
                best = made
        if best is None:
            return None
        return replace(best, nodes=len(bases), tried=tried)

    def _possible(self, axes: list[_Axis], demand: ThinDemand) -> list[tuple[int, ...]]:
        """By axis: the choices that are enough if all others are as coarse as possible.

        All of them, if even the coarsest choices are not enough.
        """
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
            found.append(tuple(enough))
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
        config = _emptied(self.config, dates).changed(
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


def _others(columns: Mapping[str, Any], dates: tuple[TableColumn, ...]) -> dict[str, Any]:
    named = {str(at).lower() for at in dates}
    return {name: how for name, how in columns.items() if name.lower() not in named}

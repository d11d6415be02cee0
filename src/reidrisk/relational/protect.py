"""The search that brings the risk of people over all tables below the threshold with little loss.

First come the static classes, by the search for tables. Then levels of events are tried in order of their
loss, one hierarchy per attribute wherever it stands, with and without the dates of each table. At each, rows
with some values and a few people are left out until what may be known fits enough people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, floor, inf

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import percent
from reidrisk.engine.linked import TableColumn
from reidrisk.errors import NoSolution
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.event_levels import MOST_NODES, EventSearch, Protected, Tries, emptied
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.people import People
from reidrisk.relational.shown_elsewhere import dates_to_hide, values_to_hide
from reidrisk.relational.static_choices import at_static_levels, static_choices
from reidrisk.stats.arrays import Ints
from reidrisk.stats.events.thin import ThinDemand
from reidrisk.tables.deidentify.settings import MAX_EVENT_SUPPRESSION, MAX_SUPPRESSION


@dataclass(frozen=True, slots=True)
class ProtectLimits:
    """How much may be left out."""

    people: float = MAX_SUPPRESSION.default
    """Share of people."""
    rows: float = MAX_EVENT_SUPPRESSION.default
    """Share of rows with events, besides those of people who are left out."""
    nodes: int = MOST_NODES
    """Combinations of levels that are tried."""


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
    choices = static_choices(people, config, threshold, limits.people)
    tries = Tries(limits.nodes)
    search = _PeopleSearch(database, people, config, knowledge, shift, demand, tries, stop)
    coarsest = search.at(choices[-1][1])
    best = search.found(coarsest, choices[-1][0])
    if best is None:
        raise _no_solution(coarsest, demand, limits, threshold)
    search.choices, least = coarsest.possible(demand), best.events_lost
    for lost, static in choices[:-1]:
        most = search.weights.events_below(best.loss, lost)
        if least >= most or search.tries.left < 1:
            break
        found = search.found(search.at(static), lost, most=most)
        if found is not None and found.loss < best.loss:
            best = found
    return _without_twins(
        database, _without_other_dates(database, replace(best, nodes=tries.listed, tried=tries.done))
    )


@dataclass(frozen=True, slots=True)
class _Weights:
    """How much quasi-identifiers and events count in the loss: half each, if there are both."""

    static: float
    events: float

    @classmethod
    def of(cls, people: People) -> _Weights:
        share = 0.0 if not len(people.person) else 0.5 if people.columns else 1.0
        return cls(1.0 - share, share)

    def loss(self, static: float, events: float) -> float:
        """The loss of both."""
        return static * self.static + events * self.events

    def events_below(self, loss: float, static: float) -> float:
        """The loss of events below which both lose less than a loss."""
        return (loss - static * self.static) / self.events if self.events else inf


@dataclass(eq=False)
class _PeopleSearch:
    """Tries levels of events at different levels of quasi-identifiers.

    Events lose least where quasi-identifiers are as coarse as possible. These come first: if even they are
    not enough, nothing else is tried, and neither are levels that could not be better.
    """

    database: Database
    people: People
    config: RelationalConfig
    knowledge: JoinKnowledge
    shift: Ints | None
    demand: ThinDemand
    tries: Tries
    stop: Callable[[], bool] | None
    choices: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Of events: the choices that are enough at the coarsest quasi-identifiers; others are not tried."""

    @cached_property
    def weights(self) -> _Weights:
        return _Weights.of(self.people)

    def at(self, static: Mapping[str, str]) -> EventSearch:
        """The events in classes of these levels."""
        coarse = at_static_levels(self.people, self.config, static)
        config = self.config.changed(levels={**self.config.levels, **static})
        return EventSearch(self.database, coarse, config, self.knowledge, self.shift, self.choices)

    def found(self, events: EventSearch, lost: float, *, most: float = inf) -> Protected | None:
        """What loses least of events, where so much of quasi-identifiers is lost."""
        found = events.best(self.demand, self.tries, self.stop, most=most)
        if found is None:
            return None
        return replace(found, loss=self.weights.loss(lost, found.events_lost), static_lost=lost)


def _no_solution(
    search: EventSearch, demand: ThinDemand, limits: ProtectLimits, threshold: Threshold
) -> NoSolution:
    """Why nothing was found, and what would help, with quasi-identifiers and events as coarse as possible."""
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
            hint="Write hierarchies: for quasi-identifiers and events, or leave out quasi-identifiers with "
            "columns: {TABLE.COLUMN: drop}.",
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
    return replace(found, config=emptied(found.config, twins), twins_removed=tuple(map(str, twins)))


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
        config=emptied(found.config, (*hidden.dates, *hidden.keys)),
        dates_removed=(*found.dates_removed, *map(str, hidden.dates)),
        keys_removed=tuple(map(str, hidden.keys)),
    )


def spelled(database: Database, config: RelationalConfig) -> RelationalConfig:
    """The same settings, with quasi-identifiers as the files spell them."""

    def column(given: str) -> str:
        at = TableColumn.of(given)
        return str(database.at(at)) if given not in config.derive and database.has(at) else given

    return config.changed(quasi=tuple(map(column, config.quasi)))

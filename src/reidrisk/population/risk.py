"""Measure the risk of a policy against an attacker, for a population or a data set from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import InvalidSetting
from reidrisk.population.attack import Attack, check_fields, known_areas
from reidrisk.population.attacker import GENERAL, Attacker
from reidrisk.population.dataset import (
    Records,
    area_codes,
    groups_of,
    more_than_people,
    older_than_all,
    read_records,
    refuse_lost,
)
from reidrisk.population.measure import AtRisk, group_people, measure_attack, smallest_group
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import Policy
from reidrisk.population.results import PopulationRisk
from reidrisk.population.tally import (
    Areas,
    PopulationSlice,
    RiskTally,
    Sizes,
    areas_by,
    curve_of,
    exposure_of,
    parts_of,
    risks_of_areas,
)
from reidrisk.population.voters import VoterLists
from reidrisk.stats.arrays import Ints

ROOM = 20_000_000
"""Largest number of values, areas times g, in one result."""


def population_risk(
    population: Population,
    policy: Policy,
    attacker: Attacker | VoterLists = GENERAL,
    *,
    by: str | None = None,
    dataset: Any = None,
    options: PopulationOptions | None = None,
) -> PopulationRisk:
    """Measure how many people are distinct under a policy, how many are re-identified, and at what cost.

    `by` names an area column; results are given for each of its areas. With `dataset`, a file, table or
    frame with the population's column names and ages, the risk is that of its records.

    >>> import pyarrow as pa
    >>> from reidrisk import Policy, read_population
    >>> ages = {"county": ["A", "B"], "sex": ["F", "F"], "age": [40, 40], "n": [1, 9]}
    >>> people = read_population(pa.table(ages))
    >>> population_risk(people, Policy.of("county,sex,year_of_birth")).to_dict()["total_risk"]["expected"]
    2.0
    """
    asked = options or PopulationOptions()
    everyone = population if np.all(population.counts > 0) else population.rows(population.counts > 0)
    check_fields(everyone, policy.fields)
    areas = areas_by(everyone, by)
    if len(areas.labels) * len(asked.g) > ROOM:
        raise InvalidSetting(
            f"{plural(len(areas.labels), 'area')} times {len(asked.g):,} g are too many for one result.",
            hint="Request fewer values of g, or larger areas.",
        )
    if isinstance(attacker, VoterLists) and np.any(areas.state < 0):
        raise InvalidSetting(
            f"Voter lists are for single states; {by!r} is larger.", hint="Use state or county."
        )
    parts = parts_of(everyone, policy, attacker, across=asked.across)
    records = _records(dataset, everyone, parts, areas)
    work = _Work(everyone, areas, records, asked, Sizes.of(everyone, asked.g))
    tally = RiskTally.empty(len(areas.labels), len(work.sizes.every))
    for part in parts:
        tally = tally + _measure(part, work)
    return _result(work, tally, parts, policy, attacker)


@dataclass(frozen=True, slots=True)
class _Work:
    """Inputs that all parts share."""

    population: Population
    areas: Areas
    records: Records | None
    asked: PopulationOptions
    sizes: Sizes


def _records(
    dataset: Any, population: Population, parts: Sequence[PopulationSlice], areas: Areas
) -> Records | None:
    if dataset is None:
        return None
    attacks = [part.attack for part in parts if part.attack is not None]
    state = known_areas(population)[-1:] if len(parts) > 1 else ()
    return read_records(dataset, population, attacks, (*areas.path, *state))


def _measure(part: PopulationSlice, work: _Work) -> RiskTally:
    """Measure the people of one part."""
    population = work.population if part.rows is None else work.population.rows(part.rows)
    area, people = _who(part, work)
    counted = RiskTally.of_people(area, people, len(work.areas.labels), len(work.sizes.every))
    if part.attack is None:
        return counted
    found = group_people(population, part.attack)
    records = _records_of(part, work)
    group = found.groups.of
    if records is not None:
        group = groups_of(records, population, found, part.attack, counted_in=work.asked.counted_in)
    at_risk = AtRisk(len(work.areas.labels), area, group, people)
    figures = measure_attack(
        found,
        part.attack,
        at_risk,
        dates=work.asked.birth_dates,
        sizes=work.sizes.every,
        coverage=part.coverage,
    )
    crowded = more_than_people(at_risk, found) if records is not None else 0
    return counted.with_figures(figures, groups=found.groups.number, crowded=crowded)


def _who(part: PopulationSlice, work: _Work) -> tuple[Ints, Ints]:
    """The area and number of people of each row, or of each combination of records."""
    records = _records_of(part, work)
    if records is None:
        chosen = slice(None) if part.rows is None else part.rows
        return work.areas.of[chosen], work.population.counts[chosen]
    if not work.areas.path:
        return np.zeros(len(records.counts), dtype=np.int64), records.counts
    codes = {name: area_codes(records, work.population, name) for name in work.areas.path}
    area = work.areas.groups.find(list(codes.values()))
    refuse_lost(records, work.population, area < 0, codes)
    return area, records.counts


def _records_of(part: PopulationSlice, work: _Work) -> Records | None:
    """The records in the areas of a part."""
    if work.records is None or part.rows is None:
        return work.records
    state = known_areas(work.population)[-1]
    codes = area_codes(work.records, work.population, state)
    refuse_lost(work.records, work.population, codes < 0, {state: codes})
    return work.records.of(np.isin(codes, [code for code in part.attackers if code is not None]))


def _result(
    work: _Work,
    tally: RiskTally,
    parts: Sequence[PopulationSlice],
    policy: Policy,
    attacker: Attacker | VoterLists,
) -> PopulationRisk:
    unknown = " ".join(part.unknown for part in parts if part.unknown) or None
    whole = None if unknown else exposure_of(tally, work.sizes)
    lists = [one for part in parts for one in part.attackers.values()]
    prices = [one.price for one in lists]
    records = work.records
    return PopulationRisk(
        population=work.population,
        policy=policy,
        attacker=lists[0] if len(lists) == 1 else attacker,
        options=work.asked,
        exposure=whole,
        unknown=unknown,
        fields=_fields(parts),
        people=tally.everybody,
        groups=None if unknown else tally.groups,
        smallest_group=None if unknown else smallest_group(tally.kinds),
        curve=() if unknown else curve_of(tally, work.sizes),
        unique=(None, None) if unknown else _unique(work, tally, parts),
        areas=risks_of_areas(tally, work.areas, parts, work.sizes) if work.areas.path else (),
        price=None if None in prices else sum(price for price in prices if price is not None),
        inputs=(
            ("by", work.areas.column),
            ("dataset", records.source if records else None),
            ("population", work.population.source),
            ("chosen", work.population.chosen),
            ("policy", policy.name),
            ("attacker", attacker.name),
        ),
        notes=_notes(work, tally, parts),
    )


def _fields(parts: Sequence[PopulationSlice]) -> tuple[str, ...]:
    """Fields that can be used in at least one part."""
    return tuple(dict.fromkeys(text for part in parts if part.fields for text in part.fields.texts()))


def _unique(
    work: _Work, tally: RiskTally, parts: Sequence[PopulationSlice]
) -> tuple[float | None, float | None]:
    """The shares of unique people: with the attack as it is, and without any area."""
    alone = float(tally.distinct[:, 0].sum()) / max(tally.everybody, 1)
    attack = parts[0].attack
    if len(parts) > 1 or attack is None:
        return alone, None
    if not work.population.areas:
        return alone, alone
    hidden: Attack = attack.areas_hidden(work.population)
    found = group_people(work.population, hidden)
    group, people = found.groups.of, work.population.counts
    if work.records is not None:
        group = groups_of(work.records, work.population, found, hidden, counted_in=work.asked.counted_in)
        people = work.records.counts
    at_risk = AtRisk(1, np.zeros(len(group), dtype=np.int64), group, people)
    figures = measure_attack(
        found,
        hidden,
        at_risk,
        dates=work.asked.birth_dates,
        sizes=np.ones(1, dtype=np.int64),
        coverage=parts[0].coverage,
    )
    return alone, float(figures.distinct.sum()) / max(tally.everybody, 1)


def _notes(work: _Work, tally: RiskTally, parts: Sequence[PopulationSlice]) -> tuple[str, ...]:
    said = [*work.population.notes, *(work.records.notes if work.records else ())]
    if any(part.fields and part.fields.birth in ("month", "date") for part in parts):
        said.append("Days and months of birth are modeled from ages; they are not real counts.")
    if any(part.fields and part.fields.spread for part in parts):
        said.append("Fields that the population does not contain are assumed to be evenly distributed.")
    if any(part.coverage < 1 for part in parts):
        said.append("Everybody is in the attacker's list with the same probability, the coverage.")
    if work.records and any(part.attack and part.attack.birth for part in parts):
        older = older_than_all(work.records, work.population, work.asked.counted_in)
        if older:
            said.append(f"{plural(older, 'record')} above the last age band, counted in that band.")
    if tally.crowded:
        said.append(f"{plural(tally.crowded, 'group')} with more records than people in the population.")
    return tuple(said)

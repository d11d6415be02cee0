"""Every shape of a result about a population, from small ones in memory, for the tests of its views."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pyarrow as pa

import reidrisk as rr
from reidrisk.core.result import Result
from reidrisk.demo.population import PEOPLE, RECORDS, YEAR, population_counts

HOSTILE = ("<script>alert(1)</script>", "R&D $x$ \x1b[31m \"id='q'\"", "市" * 40, "plain")


@cache
def state() -> rr.Population:
    """The demo's dozen counties."""
    return rr.read_population(pa.table(population_counts(seed=7)))


def counties(names: list[str]) -> rr.Population:
    """A few people in each county; the first counties are the largest."""
    rows = [
        (name, sex, age, 2 + 900 // (place + 1) // (1 + age % 7))
        for place, name in enumerate(names)
        for sex in ("M", "F")
        for age in range(0, 80, 9)
    ]
    county, sex, age, people = (list(column) for column in zip(*rows, strict=True))
    columns = {"state": ["39"] * len(rows), "county": county, "sex": sex, "age": age, "n": people}
    return rr.read_population(pa.table(columns))


def figure_one() -> Result:
    """Ten people and the five records that were released."""
    people = [(sex, YEAR - born, number) for (sex, born), number in PEOPLE.items()]
    sex, age, number = (list(column) for column in zip(*people, strict=True))
    population = rr.read_population(pa.table({"sex": sex, "age": age, "n": number}))
    released = pa.table({"sex": [sex for sex, _ in RECORDS], "age": [YEAR - born for _, born in RECORDS]})
    options = rr.PopulationOptions(g=(1, 2))
    policy = rr.Policy.of("sex,year_of_birth", name="Figure 1")
    return rr.population_risk(population, policy, dataset=released, options=options)


def limited(**limits: float) -> Result:
    """With limits on the total risk or on g-distinct people."""
    options = rr.PopulationOptions(limits={name.removeprefix("g"): share for name, share in limits.items()})
    return rr.population_risk(state(), rr.LIMITED_DATASET, options=options)


FIELDS = rr.Policy.of("county,date_of_birth,sex")
LIST = rr.Attacker("a bought list", rr.Policy.of("county,year_of_birth").fields, price=100.0, coverage=0.7)
SIX = ("county,year_of_birth,sex", "month_of_birth,sex", "date_of_birth", "county,race", "sex")
RISKS: dict[str, Callable[[], Result]] = {
    "by county": lambda: rr.population_risk(state(), rr.LIMITED_DATASET, by="county"),
    "above a limit": lambda: limited(total=0.01, g5=0.99),
    "within a limit": lambda: limited(total=0.5),
    "bought list": lambda: rr.population_risk(state(), rr.LIMITED_DATASET, LIST, by="county"),
    "unknown": lambda: rr.population_risk(counties(["a", "b"]), FIELDS, unknown_list(), by="county"),
    "figure 1": figure_one,
    "long run of g": lambda: rr.population_risk(
        state(), rr.SAFE_HARBOR, options=rr.PopulationOptions(g=tuple(range(1, 20_001)))
    ),
    "many counties": lambda: rr.population_risk(
        counties([f"{number:05}" for number in range(254)]), FIELDS, by="county"
    ),
    "hostile names": lambda: rr.population_risk(counties(list(HOSTILE)), FIELDS, by="county"),
}
COMPARISONS: dict[str, Callable[[], Result]] = {
    "two": lambda: rr.compare_policies(state(), [rr.LIMITED_DATASET, rr.SAFE_HARBOR], by="county"),
    "six": lambda: rr.compare_policies(
        state(), [rr.LIMITED_DATASET, *(rr.Policy.of(fields) for fields in SIX)], LIST
    ),
    "unknown": lambda: rr.compare_policies(
        counties(["a", "b", "c", "d"]), [FIELDS, rr.Policy.of("sex")], unknown_list(), by="county"
    ),
    "hostile names": lambda: rr.compare_policies(
        counties(list(HOSTILE)), [FIELDS, rr.Policy.of("sex", name=HOSTILE[0])], by="county"
    ),
}
EXPLORERS: dict[str, Callable[[], Result]] = {
    "target": lambda: rr.explore_policies(state(), target=0.01),
    "no target": lambda: rr.explore_policies(state()),
    "out of reach": lambda: rr.explore_policies(state(), target=1e-9),
    "unknown": lambda: rr.explore_policies(
        counties(["a"]), unknown_list(), between=(rr.Policy.of("county"), FIELDS)
    ),
}
MAKERS = {
    f"{kind}: {case}": maker
    for kind, makers in (("risk", RISKS), ("comparison", COMPARISONS), ("explorer", EXPLORERS))
    for case, maker in makers.items()
}


def unknown_list() -> rr.Attacker:
    """A list of which nobody knows whether it has the county and the day of birth."""
    told = rr.Policy.of("year_of_birth,sex").fields
    return rr.Attacker("a list of hearsay", told, unknown=frozenset({"county", "birth", "sex"}))


@cache
def result(case: str) -> dict[str, Any]:
    """Computed once."""
    return MAKERS[case]().to_dict()

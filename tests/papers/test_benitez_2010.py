"""Numbers printed in Benitez & Malin 2010: figure 1, and the group of 200 people of the methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.threshold import Threshold
from reidrisk.population.options import PopulationOptions
from reidrisk.population.policy import LIMITED_DATASET, Policy
from reidrisk.population.risk import population_risk
from reidrisk.stats.class_risk import expected_matches, journalist
from reidrisk.stats.distinctness import bins_of_size, distinct_people, occupied_bins
from tests.papers.tables import Case, Compute, Person, check, matched
from tests.population.tiny import figure_1, population

RELEASED: list[Person] = list(zip("FMFMM", (1953, 1953, 1953, 1955, 1955), strict=True))
VOTERS: list[Person] = [
    *(("F", 1953), ("M", 1953), ("F", 1953), ("M", 1955), ("M", 1957)),
    *(("F", 1955), ("M", 1955), ("F", 1957), ("M", 1956), ("F", 1956)),
]

CASES: list[Case] = [
    (
        "benitez-fig1",
        "structured.marketer",
        "journalist",
        {"sample": RELEASED, "population": VOTERS, "tau": 0.2},
        {"max": 1.0, "c2": 0.6, "expected_correct": 3.0},
        {"rel": 1e-9},
    ),
    (
        "benitez-f1",
        "benitez.eq1",
        "bins_of_size",
        {"n": 200, "b": 365, "i": 1},
        115.8578099973399,
        {"rel": 1e-9},
    ),
    (
        "benitez-5distinct",
        "benitez.eq2",
        "g_distinct",
        {"n": 200, "b": 365, "g": 5},
        199.95087148835003,
        {"rel": 1e-9},
    ),
    (
        "benitez-total-risk",
        "benitez.eq4",
        "total_risk",
        {"j": 3, "n": 200, "b": 365},
        2.3120817870726196,
        {"rel": 1e-9},
    ),
]


def marketer(given: dict[str, Any]) -> dict[str, float]:
    pairs = matched(given["sample"], Counter(given["population"]))
    risk = journalist(pairs, cell_size=Threshold(given["tau"], "reference").cell_size)
    correct = expected_matches(pairs)
    return {"max": risk.highest, "c2": correct / pairs.records, "expected_correct": correct}


COMPUTE: dict[str, Compute] = {
    "journalist": marketer,
    "bins_of_size": lambda given: float(bins_of_size(given["i"], given["n"], given["b"])),
    "g_distinct": lambda given: float(distinct_people(given["g"], given["n"], given["b"])),
    "total_risk": lambda given: given["j"] / given["n"] * float(occupied_bins(given["n"], given["b"])),
}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_reference_cases(case: Case) -> None:
    check(case, COMPUTE[case[2]](case[3]))


def released(path: Path, records: Sequence[tuple[object, ...]], header: str) -> Path:
    rows = [",".join(map(str, record)) for record in records]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_figure_1_by_the_population(tmp_path: Path) -> None:
    """Three of the five released records are expected to be matched; the man of 1953 is unique."""
    data = released(tmp_path / "released.csv", RELEASED, "sex,year_of_birth")
    policy = Policy.of("sex,year_of_birth")
    options = PopulationOptions(g=(1, 2), counted_in=2000)
    told = population_risk(figure_1(), policy, dataset=data, options=options).to_dict()
    assert told["total_risk"] == pytest.approx({"expected": 3.0, "share": 0.6})
    assert told["g_distinct_people"] == {"1": 1.0, "2": 5.0}
    everybody = population_risk(figure_1(), policy).to_dict()
    assert (everybody["people"], everybody["groups"]) == (10, 8)


def test_the_group_of_200_by_the_population(tmp_path: Path) -> None:
    """Printed: about 116 have a birth date of their own, 199.95 are 5-distinct, 2.999 of three."""
    group = population([("X", "asian", "M", 24, 1, 200)], areas=["county"], fields=["race", "sex"])
    told = population_risk(group, LIMITED_DATASET).to_dict()
    assert round(told["g_distinct_people"]["1"]) == 116
    assert round(told["g_distinct_people"]["5"], 2) == 199.95
    assert round(100 * told["g_distinct"]["5"], 3) == 99.975
    data = released(tmp_path / "three.csv", [("X", "asian", "M", 24)] * 3, "county,race,sex,age")
    three = population_risk(group, LIMITED_DATASET, dataset=data).to_dict()
    assert round(three["g_distinct_people"]["5"], 3) == 2.999
    assert three["total_risk"]["expected"] == pytest.approx(2.3120817870726196, rel=1e-9)


def test_the_classes_of_figure_1() -> None:
    """Two women and one man of 1953, two men of 1955; the voter list has as many of each."""
    pairs = matched(RELEASED, Counter(VOTERS))
    found = sorted(zip(pairs.sample.tolist(), pairs.population.tolist(), pairs.number.tolist(), strict=True))
    assert found == [(1, 1, 1), (2, 2, 2)]

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reidrisk as rr
from reidrisk.demo.population import (
    BANDS,
    COLUMNS,
    COUNTIES,
    RACES,
    County,
    ages_and_sexes,
    population_counts,
    write_figure_one,
    write_population,
)

MEDIANS = {"white": 37.7, "black": 30.2, "american_indian": 28.0, "asian": 32.7, "pacific_islander": 27.5}
"""Of the census of 2000 (Summary File 1); the two others are below."""
MEDIANS |= {"other": 24.6, "two_or_more": 22.7}
PLAIN = County("anywhere", 1, (100.0, *(0.0,) * 6))


def test_the_same_seed_gives_the_same_people(tmp_path: Path) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        write_population(tmp_path / name, seed=seed)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other
    assert first.splitlines()[0].decode() == ",".join(COLUMNS)


def test_every_county_has_its_people_in_rows_that_do_not_overlap(tmp_path: Path) -> None:
    write_population(tmp_path / "state.csv")
    population = rr.read_population(tmp_path / "state.csv")
    assert population.areas == ("state", "county")
    assert set(population.fields) == {"sex", "race"}
    people = np.bincount(population.codes["county"], weights=population.counts)
    found = dict(zip(population.labels["county"], people.tolist(), strict=True))
    assert found == {county.name: county.people for county in COUNTIES}


def test_shares_of_counties_and_of_ages_add_up() -> None:
    for county in COUNTIES:
        assert sum(county.races) == pytest.approx(100)
        for race in range(len(RACES)):
            share = ages_and_sexes(county, race)
            assert share.sum() == pytest.approx(1)
            assert share.min() >= 0


@pytest.mark.parametrize(("race", "median"), MEDIANS.items())
def test_median_ages_are_near_those_of_the_census(race: str, median: float) -> None:
    share = ages_and_sexes(PLAIN, RACES.index(race)).sum(axis=1)
    middle = int(np.searchsorted(share.cumsum(), 0.5))
    assert BANDS[middle][0] == pytest.approx(median, abs=1.6)


def test_women_live_longer_and_boys_are_more() -> None:
    men, women = ages_and_sexes(PLAIN, 0).T
    assert men[:15].sum() > women[:15].sum()
    assert women[80:].sum() > 1.5 * men[80:].sum()


def test_places_are_what_they_are_called() -> None:
    counts = population_counts()

    def share(county: str, low: int, high: int, sex: str | None = None) -> float:
        inside = counts["county"] == county
        if sex:
            inside &= counts["sex"] == sex
        band = inside & (counts["age_lo"] >= low) & (counts["age_hi"] <= high)
        return float(counts["n"][band].sum() / counts["n"][inside].sum())

    assert share("College", 18, 23) > 2 * share("Millbrook", 18, 23)
    assert share("Lakeshore", 65, 110) > 1.5 * share("Harbour", 65, 110)
    assert share("Fort Mercer", 19, 24, "M") > 1.8 * share("Fort Mercer", 19, 24, "F")


def test_figure_one_is_that_of_the_paper(tmp_path: Path) -> None:
    """One of the five released records is unique; three would be matched rightly."""
    write_figure_one(tmp_path)
    risk = rr.population_risk(
        rr.read_population(tmp_path / "people.csv"),
        rr.Policy.of("sex,year_of_birth"),
        dataset=str(tmp_path / "released.csv"),
        options=rr.PopulationOptions(g=(1, 2), counted_in=2009),
    ).to_dict()
    assert (risk["population"]["people"], risk["people"]) == (10, 5)
    assert risk["g_distinct_people"] == pytest.approx({"1": 1.0, "2": 5.0})
    assert risk["total_risk"]["expected"] == pytest.approx(3)

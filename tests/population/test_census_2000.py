"""The published figures of US states, from a cross-table modelled from the margins of Census 2000.

The paper had the Bureau's own cross-table, so that the figures differ in the third digit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.population.attacker import GENERAL, Attacker
from reidrisk.population.compare import compare_policies
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR
from reidrisk.population.read import read_population
from reidrisk.population.results import Exposure
from reidrisk.population.risk import population_risk
from reidrisk.population.voters import voter_lists

TABLE_1 = {"DE": ("10", 37.64, 37.58), "RI": ("44", 35.29, 35.25), "NY": ("36", 25.84, 25.69),
           "CA": ("06", 19.45, 19.28), "TX": ("48", 37.08, 36.90)}  # fmt: skip
"""Of each state its number, our total risk under Limited Dataset in percent, and the printed one."""
CHOSEN = ["39", "33", "37", "45", "51", "54", "55", *(state for state, _, _ in TABLE_1.values())]


@pytest.fixture(scope="module")
def states(shared: Path) -> Population:
    whole = read_population(shared / "census" / "us2000_county_race_sex_age.parquet")
    return whole.of("state", CHOSEN)


def by_state(states: Population, *args: object, **given: object) -> dict[str, Exposure]:
    result = population_risk(states, *args, by="state", **given)  # type: ignore[arg-type]
    return {area.area: area.exposure for area in result.areas if area.exposure is not None}


def test_table_1_limited_dataset(states: Population) -> None:
    found = by_state(states, LIMITED_DATASET, GENERAL)
    for state, ours, printed in TABLE_1.values():
        percent = 100 * found[state].share("total")
        assert percent == pytest.approx(ours, abs=0.005)
        assert percent == pytest.approx(printed, abs=0.18)


def test_table_1_trust_differentials(states: Population) -> None:
    """Printed: DE 229, RI 275, NY 3251, CA 4291, TX 5172."""
    told = compare_policies(states, [LIMITED_DATASET, SAFE_HARBOR], by="state").to_dict()
    found = {area["area"]: area["total"] for area in told["by_area"]}
    for state, printed in (("10", 229), ("44", 275), ("36", 3251), ("06", 4291), ("48", 5172)):
        assert found[state] == pytest.approx(printed, rel=0.03)


def test_ohio(states: Population) -> None:
    ohio = states.of("state", ["39"])
    options = PopulationOptions(g=(1, 5, 30, 31, 3500, 20_000))
    limited = by_state(ohio, LIMITED_DATASET, GENERAL, options=options)["39"]
    safe = by_state(ohio, SAFE_HARBOR, GENERAL, options=options)["39"]
    assert round(100 * limited.share("1"), 1) == 18.8
    assert round(100 * limited.share("5"), 1) == 59.7
    assert limited.share("31") > 0.999
    assert round(100 * safe.share("1"), 4) == 0.0003
    assert round(100 * safe.share("5"), 3) == 0.002
    voter = by_state(ohio, LIMITED_DATASET, voter_lists(), options=options)["39"]
    assert round(100 * voter.share("1"), 3) == 0.002
    assert round(100 * voter.share("5"), 2) == 0.01
    assert voter.share("3500") > 0.5
    assert by_state(ohio, SAFE_HARBOR, voter_lists(), options=options)["39"].share("20000") < 0.01


def test_table_2_costs(states: Population) -> None:
    """Re-identifications and prices of one; where a list is free, so is each."""
    limited = population_risk(states, LIMITED_DATASET, voter_lists(), by="state").to_dict()
    found = {area["area"]: area for area in limited["by_area"]}
    for state, printed, cost in (("55", 72, 174), ("54", 55, 309), ("33", 10, 827)):
        assert found[state]["total_risk"]["expected"] == pytest.approx(printed)
        assert found[state]["cost_per_reidentification"] == pytest.approx(cost, abs=0.5)
    for state, printed in (("51", 3_159_764), ("36", 2_905_697), ("45", 2_231_973)):
        assert found[state]["total_risk"]["expected"] == pytest.approx(printed, rel=0.005)
        assert found[state]["cost_per_reidentification"] == 0
    assert "North Carolina" in found["37"]["unknown"]
    safe = population_risk(states, SAFE_HARBOR, voter_lists(), by="state").to_dict()
    expected = {area["area"]: area["total_risk"]["expected"] for area in safe["by_area"]}
    for state, printed in (("37", 1431), ("45", 1386), ("36", 221), ("33", 1), ("54", 1)):
        assert expected[state] == pytest.approx(printed, rel=0.05)


def test_texas_tells_all_that_a_limited_dataset_tells(states: Population) -> None:
    texas = states.of("state", ["48"])
    voter, general = by_state(texas, LIMITED_DATASET, voter_lists()), by_state(texas, LIMITED_DATASET)
    assert voter["48"].number("total") == general["48"].number("total")


def test_every_g_at_once_is_the_same_as_one_g(states: Population) -> None:
    every = by_state(states, LIMITED_DATASET, options=PopulationOptions(g=range(1, 20_001)))
    few = by_state(states, LIMITED_DATASET, options=PopulationOptions(g=(1, 31, 400)))
    for state in CHOSEN:
        for g in ("1", "31", "400"):
            assert every[state].share(g) == pytest.approx(few[state].share(g), rel=1e-9)


def test_a_list_with_county_and_year_is_ohios(states: Population) -> None:
    ohio = states.of("state", ["39"])
    own, listed = (by_state(ohio, LIMITED_DATASET, attacker)["39"] for attacker in
                   (Attacker.of("county,year_of_birth"), voter_lists()))  # fmt: skip
    assert own.number("total") == listed.number("total")

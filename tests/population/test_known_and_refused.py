"""What is refused, and what is known without being told."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.population.attacker import Attacker
from reidrisk.population.options import PopulationOptions
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.risk import population_risk
from reidrisk.population.voters import voter_lists
from tests.population.test_risk import exposure
from tests.population.tiny import population, two_states


def test_counties_alone_are_not_known() -> None:
    """A file of one state without a column of it: Safe Harbor joins its counties."""
    rows = [("39001", "F", 30, 1, 2), ("39003", "F", 30, 1, 3)]
    people = population(rows, areas=["county"], fields=["sex"])
    result = population_risk(people, Policy.of("sex,year_of_birth"), by="county")
    assert (result.groups, result.to_dict()["within"]) == (1, None)
    assert population_risk(people, Policy.of("county,year_of_birth")).groups == 2
    with pytest.raises(InvalidSetting, match="Voter lists are for single states"):
        population_risk(people, Policy.of("county"), voter_lists())


def test_the_state_is_known_and_not_only_its_region() -> None:
    rows = [("midwest", "39", "39001", 30, 1, 2), ("midwest", "18", "18001", 30, 1, 3)]
    people = population(rows, areas=["region", "state", "county"])
    result = population_risk(people, Policy.of("year_of_birth"))
    assert (result.groups, result.to_dict()["within"]) == (2, "state")
    assert len(population_risk(people, Policy.of("year_of_birth"), by="region").areas) == 1
    with pytest.raises(InvalidSetting, match="'region' is larger"):
        population_risk(people, Policy.of("year_of_birth"), voter_lists(), by="region")


def test_a_county_is_not_known_because_it_was_named_before_the_state() -> None:
    rows = [(county, state, 30, 1, 2) for state in ("01", "39", "72") for county in ("001", "003")]
    people = population(rows, areas=["county", "state"])
    result = population_risk(people, Policy.of("year_of_birth"))
    assert (result.groups, result.to_dict()["within"]) == (3, "state")


def test_counties_that_two_states_call_the_same_are_two() -> None:
    rows = [(state, county, 30, 1, 2) for state in ("01", "39", "72") for county in ("001", "003")]
    told = population_risk(population(rows, areas=["state", "county"]), Policy.of("county")).to_dict()
    assert told["population"]["areas"] == {"state": 3, "county": 6}
    assert told["groups"] == 6


def test_values_without_end_are_no_overflow() -> None:
    people = population([("39", 30, 1, 2_000)], areas=["state"])
    policy = Policy.of("ward:999999999,room:999999999,bed:999999999")
    assert exposure(population_risk(people, policy)).share("1") == 1.0


def test_another_country() -> None:
    rows = [("east", "a", 30, 1, 2), ("west", "b", 30, 1, 3)]
    people = population(rows, areas=["province", "municipality"])
    assert population_risk(people, Policy.of("year_of_birth")).to_dict()["within"] == "province"


def test_no_geography_and_no_ages() -> None:
    people = population([("F", 3), ("M", 1)], fields=["sex"], ages=False)
    result = population_risk(people, Policy.of("sex"))
    assert exposure(result).number("total") == 2
    with pytest.raises(InvalidSetting, match="has no ages"):
        population_risk(people, Policy.of("sex,year_of_birth"))


@pytest.mark.parametrize(
    ("policy", "match"),
    [
        ("cuonty,sex", "Did you mean 'county'"),
        ("tract,sex", "has no field 'tract'"),
        ("date_of_brith", "Did you mean 'date_of_birth'"),
        ("zip3,sex", "has no ZIP codes"),
        ("zip5", "has no field 'zip5'"),
    ],
)
def test_fields_that_the_population_lacks(policy: str, match: str) -> None:
    with pytest.raises(UnknownColumn, match=match):
        population_risk(two_states(), Policy.of(policy))


def test_a_slip_in_the_attackers_fields_is_no_safety() -> None:
    with pytest.raises(UnknownColumn, match="Did you mean 'county'"):
        population_risk(two_states(), LIMITED_DATASET, Attacker.of("cuonty,year_of_birth"))


def test_other_refusals() -> None:
    people = two_states()
    with pytest.raises(UnknownColumn, match="Did you mean 'county'"):
        population_risk(people, SAFE_HARBOR, by="conty")
    with pytest.raises(InvalidSetting, match="Voter lists are for single states"):
        population_risk(people, SAFE_HARBOR, voter_lists(), options=PopulationOptions(across=True))
    many = population([(f"{county}", 30, 1, 2) for county in range(2_001)], areas=["county"])
    options = PopulationOptions(g=range(1, 10_001))
    with pytest.raises(InvalidSetting, match="too many for one result"):
        population_risk(many, Policy.of("year_of_birth"), by="county", options=options)
    for endless in ((10**13,), range(1, 1_000_002)):
        with pytest.raises(InvalidSetting, match="g can be at most"):
            PopulationOptions(g=endless)
    for bad in ((), (0,), (1.5,), (True,)):
        with pytest.raises(InvalidSetting, match="whole numbers"):
            PopulationOptions(g=bad)  # type: ignore[arg-type]
    for limits in ({"x": 0.1}, {"5": 1.5}):
        with pytest.raises(InvalidSetting, match="A limit"):
            PopulationOptions(limits=limits)
    with pytest.raises(InvalidSetting, match="The measure"):
        exposure(population_risk(people, SAFE_HARBOR)).share("7")


def test_the_settings_repeat_the_result() -> None:
    options = PopulationOptions(g=range(1, 101))
    told = population_risk(two_states(), SAFE_HARBOR, options=options).to_dict()
    assert told["settings"]["g"] == "1 to 100"
    assert told["settings"]["days"] == 365
    assert told["population"]["areas"] == {"state": 2, "county": 4}
    assert np.isclose(told["total_risk"]["expected"] / told["people"], told["total_risk"]["share"])

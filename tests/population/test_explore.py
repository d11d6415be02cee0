from __future__ import annotations

import json
from typing import Any

import pytest

from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.population.attacker import Attacker
from reidrisk.population.explore import Lattice, explore_policies
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.risk import population_risk
from reidrisk.population.voters import voter_lists
from tests.population.tiny import population, two_states


def explored(**given: Any) -> dict[str, Any]:
    return explore_policies(two_states(), **given).to_dict()


def test_all_combinations_are_tried_once() -> None:
    """Four granularities of birth, county, sex and race or not."""
    told = explored()
    fields = [tuple(sorted(policy["fields"])) for policy in told["policies"]]
    assert len(fields) == len(set(fields)) == 4 * 2 * 2 * 2
    assert told["policies"][told["safe"]]["name"] == "Safe Harbor"
    assert told["policies"][told["limited"]]["name"] == "Limited Dataset"
    assert told["policies"][told["limited"]]["detail"] == 1
    assert told["policies"][0]["fields"] == []
    json.dumps(told, allow_nan=False)


def test_each_risk_is_that_of_the_policy() -> None:
    people = two_states()
    for policy in explored()["policies"][::5]:
        names = [text.replace(" of ", "_of_") for text in policy["fields"]]
        alone = population_risk(people, Policy.of(",".join(names))) if names else None
        if alone is not None and alone.exposure is not None:
            assert policy["total_risk"]["share"] == pytest.approx(alone.exposure.share("total"))


def test_the_policies_between_the_two() -> None:
    between = [policy["name"] for policy in explored()["policies"] if policy["between"]]
    assert sorted(between) == [
        "Limited Dataset",
        "Safe Harbor",
        "date of birth, sex, race",
        "month of birth, county, sex, race",
        "month of birth, sex, race",
        "year of birth, county, sex, race",
    ]


@pytest.mark.parametrize("measure", ["total", "1", "10"])
def test_the_frontier_is_what_nobody_beats(measure: str) -> None:
    told = explored(measure=measure)
    policies = told["policies"]
    for one in policies:
        beaten = any(
            other["detail"] >= one["detail"]
            and other["risk"] <= one["risk"]
            and (other["detail"], other["risk"]) != (one["detail"], one["risk"])
            for other in policies
        )
        assert one["on_frontier"] is not beaten
    frontier = sorted((one["detail"], one["risk"]) for one in policies if one["on_frontier"])
    assert [risk for _, risk in frontier] == sorted(risk for _, risk in frontier)


def test_what_more_could_be_shared_and_what_is_under_a_target() -> None:
    told = explored(target=0.05)
    safe = told["policies"][told["safe"]]
    for one in told["policies"]:
        assert one["under_target"] == (one["risk"] <= 0.05)
        assert one["more_at_risk_of_safe"] == (one["detail"] > safe["detail"] and one["risk"] <= safe["risk"])
    assert any(one["more_at_risk_of_safe"] for one in told["policies"])
    assert {one["under_target"] for one in explored()["policies"]} == {None}


def test_a_list_that_lacks_fields_leaves_room() -> None:
    """Who attacks with county and year of birth gains nothing from sex, race or the day of birth."""
    result = explore_policies(two_states(), Attacker.of("county,year_of_birth"))
    risks = {one.result.policy.name: one.risk for one in result.tried}
    assert risks["Limited Dataset"] == risks["year of birth, county"]
    assert [one.node.detail for one in result.frontier()][-1] == 1


def test_what_is_as_large_as_a_limit_is_within_it() -> None:
    """A field that the attacker cannot use costs nothing, so that more can be shared at the same risk."""
    people, attacker = two_states(), Attacker.of("year_of_birth")
    safe = explore_policies(people, attacker).to_dict()
    risk = safe["policies"][safe["safe"]]["risk"]
    told = explore_policies(people, attacker, target=risk).to_dict()
    limited = told["policies"][told["limited"]]
    assert limited["risk"] == risk
    assert limited["under_target"]
    assert limited["more_at_risk_of_safe"]
    assert "More detail than Safe Harbor at no more risk: " in " ".join(told["reasons"])


def test_unknown_lists_are_on_no_frontier() -> None:
    people = two_states().of("state", ["10"])
    rows = [("01", "a", "F", "white", 30, 1, 3)]
    unknown = population(rows, areas=["state", "county"], fields=["sex", "race"])
    told = explore_policies(unknown, voter_lists(), target=1.0).to_dict()
    by_name = {policy["name"]: policy for policy in told["policies"]}
    assert by_name["Limited Dataset"]["risk"] is None
    assert not by_name["Limited Dataset"]["on_frontier"]
    assert by_name["Limited Dataset"]["under_target"] is False
    assert by_name["nothing"]["on_frontier"]
    assert explore_policies(people, voter_lists()).to_dict()["policies"][-1]["risk"] is not None


def test_other_ends_and_ladders() -> None:
    rows = [("X", "X1", "10001", "F", 30, 1, 3), ("X", "X2", "10002", "M", 30, 1, 5)]
    people = population(rows, areas=["region", "district", "zip5"], fields=["sex"])
    finest = Policy.of("region,district,zip5,month_of_birth,admission_quarter")
    lattice = Lattice.up_to(finest.fields, people)
    assert [len(ladder) for ladder in lattice.ladders] == [3, 3, 2, 2]
    told = explore_policies(people, between=(Policy.of("zip3"), finest)).to_dict()
    assert len(told["policies"]) == 36
    assert told["policies"][told["safe"]]["fields"] == ["ZIP3 (small areas merged: hhs-2000)"]


def test_other_words_for_a_field_are_the_same_field() -> None:
    rows = [("39", "10001", "F", 30, 1, 3), ("39", "10102", "M", 30, 1, 5)]
    people = population(rows, areas=["state", "zip5"], fields=["sex"])
    ends = (Policy.of("year_of_birth,gender"), Policy.of("zip,date_of_birth,sex"))
    told = explore_policies(people, between=ends).to_dict()
    assert len(told["policies"]) == 4 * 3 * 2
    assert {one["detail"] for one in told["policies"] if one["between"]} <= {one / 18 for one in range(19)}


def test_refusals() -> None:
    people = two_states()
    with pytest.raises(InvalidSetting, match="a field that the finer policy does not release"):
        explore_policies(people, between=(SAFE_HARBOR, Policy.of("county,sex")))
    with pytest.raises(InvalidSetting, match="The measure cannot be '7'"):
        explore_policies(people, measure="7")
    with pytest.raises(InvalidSetting, match="The setting target cannot be 7"):
        explore_policies(people, target=7)
    with pytest.raises(UnknownColumn, match="has no field 'tract'"):
        explore_policies(people, between=(SAFE_HARBOR, Policy.of("tract,year_of_birth,sex,race")))
    names = [f"f{at}" for at in range(12)]
    wide = population([(*("x" for _ in names), 3)], fields=names, ages=False)
    with pytest.raises(InvalidSetting, match="4,096 policies"):
        explore_policies(wide, between=(Policy.of("f0"), Policy.of(",".join(names))))
    assert not explore_policies(people, between=(SAFE_HARBOR, LIMITED_DATASET)).acceptable

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.population.attacker import Attacker
from reidrisk.population.compare import compare_policies
from reidrisk.population.options import PopulationOptions
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.risk import population_risk
from reidrisk.population.voters import voter_lists
from tests.population.tiny import population, two_states


def test_the_trust_differential_is_a_ratio_of_risks() -> None:
    people = two_states()
    told = compare_policies(people, [LIMITED_DATASET, SAFE_HARBOR], by="county").to_dict()
    first, last = (population_risk(people, policy, by="county") for policy in (LIMITED_DATASET, SAFE_HARBOR))
    assert first.exposure is not None
    assert last.exposure is not None
    for name in ("total", "1", "3", "5", "10"):
        assert told["trust_differential"][name] == pytest.approx(
            first.exposure.share(name) / last.exposure.share(name)
        )
        for area, one, two in zip(told["by_area"], first.areas, last.areas, strict=True):
            assert one.exposure is not None
            assert two.exposure is not None
            assert area[name] == pytest.approx(one.exposure.share(name) / two.exposure.share(name))


def test_any_two_policies() -> None:
    middle = Policy.of("county,year_of_birth,sex,race", name="middle")
    result = compare_policies(two_states(), [LIMITED_DATASET, middle, SAFE_HARBOR])
    pairs = {(pair["first"], pair["second"]): pair["total"] for pair in result.to_dict()["pairs"]}
    assert len(pairs) == 3
    assert pairs["Limited Dataset", "Safe Harbor"] == pytest.approx(
        pairs["Limited Dataset", "middle"] * pairs["middle", "Safe Harbor"]
    )
    assert result.trust_differential(0, 1)["total"] == pairs["Limited Dataset", "middle"]


def test_ranks_that_change_with_g() -> None:
    """Area a has one person alone and many together, b has nobody alone but all in pairs."""
    rows = [("a", "x", 1), ("a", "y", 99), *(("b", kind, 2) for kind in "pqrst")]
    people = population(rows, areas=["state"], fields=["kind"], ages=False)
    policies = [Policy.of("kind"), Policy.of("state", name="nothing")]
    told = compare_policies(people, policies, by="state", options=PopulationOptions(g=(1, 2))).to_dict()
    changes = [change for change in told["rank_changes"] if change["policy"] == "kind"]
    assert [(change["area"], change["change"]) for change in changes] == [("a", 1), ("b", 1)]
    assert [area["rank"] for area in told["risks"][0]["by_area"]] == [
        {"1": 1, "2": 2, "total": 2},
        {"1": 2, "2": 1, "total": 1},
    ]


def test_a_ratio_to_nothing_is_undefined() -> None:
    people = two_states()
    coarse = Policy.of("sex", name="sex alone")
    result = compare_policies(people, [LIMITED_DATASET, coarse])
    told = result.to_dict()
    assert told["trust_differential"]["1"] is None
    assert told["trust_differential"]["total"] is not None
    assert told["trust_differential_reason"] == "There is no ratio where sex alone puts nobody at risk."
    assert told["acceptable"] is None
    json.dumps(told, allow_nan=False)


def test_what_is_unknown_has_no_ratio() -> None:
    rows = [("01", "a", "F", "white", 30, 1, 3), ("39", "b", "F", "white", 30, 1, 3)]
    people = population(rows, areas=["state", "county"], fields=["sex", "race"])
    told = compare_policies(people, [LIMITED_DATASET, SAFE_HARBOR], voter_lists(), by="state").to_dict()
    assert set(told["trust_differential"].values()) == {None}
    alabama, ohio = told["by_area"]
    assert alabama["total"] is None
    assert "Alabama" in alabama["unknown"]
    assert ohio["total"] == 1.0


def test_limits_are_for_every_policy() -> None:
    options = PopulationOptions(limits={"total": 0.5})
    result = compare_policies(two_states(), [LIMITED_DATASET, SAFE_HARBOR], options=options)
    assert [risk.acceptable for risk in result.risks] == [False, True]
    assert result.to_dict()["acceptable"] is False


def test_a_data_set_under_two_policies(tmp_path: Path) -> None:
    data = tmp_path / "some.csv"
    data.write_text("state,county,sex,race,age\n39,39001,F,white,24\n", encoding="utf-8")
    attacker = Attacker.of("county,date_of_birth,sex,race", price=10)
    told = compare_policies(two_states(), [LIMITED_DATASET, SAFE_HARBOR], attacker, dataset=data).to_dict()
    assert [risk["people"] for risk in told["risks"]] == [1, 1]
    costs = [risk["cost_per_reidentification"] for risk in told["risks"]]
    assert costs[1] / costs[0] == pytest.approx(told["trust_differential"]["total"])


def test_refusals() -> None:
    with pytest.raises(InvalidSetting, match="at least two policies"):
        compare_policies(two_states(), [SAFE_HARBOR])
    with pytest.raises(InvalidSetting, match="same name"):
        compare_policies(two_states(), [SAFE_HARBOR, SAFE_HARBOR])

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.population.attacker import GENERAL, Attacker
from reidrisk.population.dates import leap_days
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.results import Exposure, PopulationRisk
from reidrisk.population.risk import population_risk
from reidrisk.population.voters import VoterLists, voter_lists
from reidrisk.stats.distinctness import distinct_people, occupied_bins
from tests.population.tiny import figure_1, population, two_states


def exposure(result: PopulationRisk) -> Exposure:
    assert result.exposure is not None
    return result.exposure


def by_hand(people: Population, names: list[str], per_year: int) -> dict[str, float]:
    """Group with a dictionary and add up the formulas."""
    assert people.ages is not None
    tally: dict[tuple[int, ...], int] = {}
    for row, count in enumerate(people.counts.tolist()):
        band = (int(people.ages.first[row]), int(people.ages.years[row])) if per_year else (0, 1)
        key = (*(int(people.codes[name][row]) for name in names), *band)
        tally[key] = tally.get(key, 0) + count
    groups = [(number, key[-1] * max(per_year, 1)) for key, number in tally.items()]
    found = {str(g): sum(float(distinct_people(g, n, b)) for n, b in groups) for g in (1, 3, 5, 10)}
    return found | {"total": sum(float(occupied_bins(n, b)) for n, b in groups), "groups": len(groups)}


@pytest.mark.parametrize(
    ("policy", "names", "per_year"),
    [
        ("county,date_of_birth,sex,race", ["county", "sex", "race"], 365),
        ("year_of_birth,sex,race", ["state", "sex", "race"], 1),
        ("county,month_of_birth", ["county"], 12),
        ("county,sex", ["county", "sex"], 0),
        ("date_of_birth,gender", ["state", "sex"], 365),
    ],
)
def test_groups_and_formulas(policy: str, names: list[str], per_year: int) -> None:
    people = two_states()
    result = population_risk(people, Policy.of(policy))
    expected = by_hand(people, names, per_year)
    assert result.groups == expected.pop("groups")
    assert {name: exposure(result).number(name) for name in expected} == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=80), st.sampled_from([0.3, 0.7, 1.0]))
def test_no_share_is_above_one(sizes: list[int], coverage: float) -> None:
    people = population([(county % 7, 30, 1, size) for county, size in enumerate(sizes)], areas=["county"])
    policy = Policy.of("county,date_of_birth")
    attacker = Attacker("a list", policy.fields, coverage=coverage)
    options = PopulationOptions(g=(1, 40, 400, 3_000))
    found = population_risk(people, policy, attacker, by="county", options=options).to_dict()
    for told in (found, *found["by_area"]):
        assert max(told["g_distinct"].values()) <= 1
        assert told["total_risk"]["share"] <= 1


@pytest.mark.parametrize(("people", "groups"), [(20_000, 2), (20_001, 3)])
def test_an_area_of_20000_people_is_joined_and_one_more_is_not(people: int, groups: int) -> None:
    """45 CFR 164.514(b)(2)(i)(B): an area with more than 20,000 people may be told."""
    rows = [
        ("39", "10001", people - 1_000),
        ("39", "10002", 1_000),
        ("39", "20001", 50_000),
        ("39", "30001", 7),
    ]
    found = population(rows, areas=["state", "zip5"], ages=False)
    assert population_risk(found, Policy.of("zip3:population")).groups == groups
    assert population_risk(found, Policy.of("zip3:none")).groups == 3


def test_areas_of_the_same_risk_share_the_better_place() -> None:
    rows = [("39001", 5), ("39003", 2), ("39005", 2), ("39007", 1)]
    found = population_risk(population(rows, areas=["county"], ages=False), Policy.of("county"), by="county")
    assert [ranks["total"] for ranks in found.ranks()] == [4, 2, 2, 1]


def test_of_a_state_without_a_voter_list_nothing_is_known() -> None:
    rows = [("Bavaria", "80331", 3), ("Bavaria", "80333", 2)]
    people = population(rows, areas=["state", "zip5"], ages=False)
    found = population_risk(people, Policy.of("zip5"), voter_lists())
    assert (found.exposure, found.decided) == (None, None)
    assert "zip5" in str(found.unknown)


def tracts() -> Population:
    rows = [("39", f"3900{county}", f"3900{county}{tract}", age, 1, 5)
            for county, tract, age in product((1, 3), (1, 2, 3), (30, 31))]  # fmt: skip
    return population(rows, areas=["state", "county", "tract"])


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize(
    ("policy", "attacker", "groups", "fields"),
    [
        ("county,year_of_birth", "tract,date_of_birth", 4, ("year of birth", "county")),
        ("tract,date_of_birth", "county,year_of_birth", 4, ("year of birth", "county")),
        ("tract,year_of_birth", "tract", 6, ("tract",)),
        ("state,year_of_birth", "tract", 1, ()),
    ],
)
def test_a_list_that_tells_tracts_tells_counties(
    policy: str, attacker: str, groups: int, fields: tuple[str, ...], *, across: bool
) -> None:
    """Each field is used at the coarser granularity of the two, areas too."""
    options = PopulationOptions(across=across)
    result = population_risk(tracts(), Policy.of(policy), Attacker.of(attacker), options=options)
    assert result.groups == groups
    assert result.fields == (("state",) if across and not fields else fields)


def test_figure_1() -> None:
    """Eight combinations of sex and year, six of them of one person only."""
    result = population_risk(figure_1(), Policy.of("year_of_birth,sex"), options=PopulationOptions(g=(1, 2)))
    assert (exposure(result).number("1"), exposure(result).number("2")) == (6, 10)
    assert exposure(result).share("total") == 0.8
    assert result.to_dict()["unique"] == {"within_area": 0.6, "across_areas": 0.6}


def test_the_attacker_uses_only_what_both_tell() -> None:
    people = two_states()
    ohio = Attacker.of("county,year_of_birth")
    assert population_risk(people, LIMITED_DATASET, ohio).fields == ("year of birth", "county")
    both = population_risk(people, LIMITED_DATASET, ohio)
    alone = population_risk(people, Policy.of("county,year_of_birth"))
    assert exposure(both).number("total") == exposure(alone).number("total")


def test_within_and_across_areas() -> None:
    people = two_states()
    within = population_risk(people, SAFE_HARBOR)
    across = population_risk(people, SAFE_HARBOR, options=PopulationOptions(across=True))
    assert (within.groups, across.groups) == (24, 12)
    assert within.unique[1] == pytest.approx(across.unique[0])
    assert within.to_dict()["within"] == "state"
    assert across.to_dict()["within"] is None
    limited = population_risk(people, LIMITED_DATASET, options=PopulationOptions(across=True))
    assert limited.groups == population_risk(people, LIMITED_DATASET).groups


def test_areas_add_up_and_have_ranks() -> None:
    people = two_states()
    result = population_risk(people, SAFE_HARBOR, by="county")
    parts = [area.exposure for area in result.areas if area.exposure]
    assert [area.area for area in result.areas] == ["10001", "10003", "39001", "39003"]
    for name in ("1", "10", "total"):
        assert sum(part.number(name) for part in parts) == pytest.approx(exposure(result).number(name))
        order = sorted((part.share(name) for part in parts), reverse=True)
        ranks = [ranks[name] for ranks in result.ranks()]
        assert ranks == [order.index(part.share(name)) + 1 for part in parts]


def test_a_county_shares_the_groups_of_its_state() -> None:
    """Three of a group of four live here, one there: of one expected match three quarters are here."""
    people = population(
        [("10", "a", "F", 30, 1, 3), ("10", "b", "F", 30, 1, 1)], areas=["state", "county"], fields=["sex"]
    )
    result = population_risk(people, Policy.of("year_of_birth,sex"), by="county")
    assert [area.exposure.matched for area in result.areas if area.exposure] == pytest.approx([0.75, 0.25])


def test_labels_that_two_states_share() -> None:
    rows = [("10", "001", 30, 1, 2), ("39", "001", 30, 1, 3), ("39", "003", 30, 1, 1)]
    people = population(rows, areas=["state", "county"])
    result = population_risk(people, Policy.of("county,year_of_birth"), by="county")
    assert result.groups == 3
    assert [area.area for area in result.areas] == ["10 001", "39 001", "39 003"]


def test_fields_that_nobody_counted() -> None:
    people = two_states()
    plain = population_risk(people, Policy.of("year_of_birth,sex"))
    quarter = Policy.of("year_of_birth,sex,admission_quarter")
    known = population_risk(people, quarter)
    assert exposure(known).number("total") == pytest.approx(
        sum(float(occupied_bins(n, 4 * b)) for n, b in _groups(people))
    )
    unknown = population_risk(people, quarter, Attacker.of("year_of_birth,sex"))
    assert exposure(unknown).number("total") == exposure(plain).number("total")
    assert any("evenly distributed" in note for note in known.notes)


def _groups(people: Population) -> list[tuple[int, int]]:
    assert people.ages is not None
    tally: dict[tuple[int, ...], int] = {}
    columns = (people.codes["state"], people.codes["sex"], people.ages.first, people.ages.years)
    for *key, count in zip(*columns, people.counts, strict=True):
        tally[tuple(map(int, key))] = tally.get(tuple(map(int, key)), 0) + int(count)
    return [(number, key[-1]) for key, number in tally.items()]


def test_zip3_joins_small_areas() -> None:
    """03601 and 05901 are in prefixes of the published list, 10001 and 10002 in one that is large."""
    rows = [(code, 30, 1, people) for code, people in
            (("03601", 5), ("05901", 7), ("10001", 15_000), ("10002", 15_000), ("20001", 9))]  # fmt: skip
    people = population(rows, areas=["zip5"])
    groups = {
        rule: population_risk(
            people, Policy.of(f"{rule},year_of_birth"), options=PopulationOptions(across=True)
        )
        for rule in ("zip5", "zip3:none", "zip3", "zip3:population")
    }
    assert {rule: result.groups for rule, result in groups.items()} == {
        "zip5": 5, "zip3:none": 4, "zip3": 3, "zip3:population": 2}  # fmt: skip
    assert exposure(groups["zip3"]).number("10") == 9


def test_price_and_cost() -> None:
    people = figure_1()
    policy = Policy.of("year_of_birth,sex")
    told = population_risk(people, policy, Attacker.of("year_of_birth,sex", price=100)).to_dict()
    assert (told["cost_per_reidentification"], told["cost_reason"]) == (12.5, None)
    told = population_risk(people, policy).to_dict()
    assert told["cost_per_reidentification"] is None
    assert told["cost_reason"] == "The price of the list is unknown."


@given(st.floats(0.05, 1.0))
def test_a_list_without_everybody(coverage: float) -> None:
    people, policy = two_states(), LIMITED_DATASET
    whole = exposure(population_risk(people, policy, GENERAL))
    part = population_risk(people, policy, replace(GENERAL, coverage=coverage))
    assert exposure(part).number("1") == pytest.approx(coverage * whole.number("1"))
    assert coverage * whole.matched <= exposure(part).matched * (1 + 1e-12)
    assert exposure(part).matched <= whole.matched * (1 + 1e-12)


def test_voter_lists_by_state() -> None:
    """Ohio's fields are known, Delaware's too: county and date of birth without sex and race."""
    people = two_states()
    result = population_risk(people, LIMITED_DATASET, voter_lists(), by="state")
    assert result.unique[1] is None, "the lists tell different fields: there is no share without areas"
    assert result.to_dict()["unique"]["across_areas"] is None
    assert not any("more records than people" in note for note in result.notes), "no records were given"
    delaware, ohio = result.areas
    assert (delaware.fields, ohio.fields) == (("date of birth", "county"), ("year of birth", "county"))
    for one, text in ((delaware, "county,date_of_birth"), (ohio, "county,year_of_birth")):
        only = people.of("state", [one.area])
        alone = exposure(population_risk(only, LIMITED_DATASET, Attacker.of(text)))
        assert one.exposure is not None
        assert one.exposure.matched == pytest.approx(alone.matched)
    assert exposure(result).matched == pytest.approx(
        sum(one.exposure.matched for one in result.areas if one.exposure)
    )


def test_unknown_is_never_zero() -> None:
    rows = [("01", "a", "F", "white", 30, 1, 3), ("39", "b", "F", "white", 30, 1, 3)]
    people = population(rows, areas=["state", "county"], fields=["sex", "race"])
    told = population_risk(people, LIMITED_DATASET, voter_lists(), by="state").to_dict()
    alabama, ohio = told["by_area"]
    assert told["g_distinct"] is None
    assert told["total_risk"] == {"expected": None, "share": None}
    assert (
        told["unknown"]
        == "It is unknown whether the voter list of Alabama contains: county, sex, race, birth."
    )
    assert (alabama["g_distinct"], alabama["rank"]["1"], alabama["cost_per_reidentification"]) == (None,) * 3
    assert alabama["unknown"] == "Not all fields of the voter list of Alabama are known."
    assert (ohio["unknown"], ohio["rank"]["1"]) == (None, 1)
    assert ohio["total_risk"]["expected"] == 1.0
    assert told["people"] == 6
    json.dumps(told, allow_nan=False)


def test_a_state_that_the_table_lacks_is_unknown() -> None:
    people = population([("Bavaria", 30, 1, 3)], areas=["state"])
    told = population_risk(people, Policy.of("year_of_birth"), voter_lists()).to_dict()
    assert told["unknown"] == "It is unknown whether the voter list of Bavaria contains: birth."


def test_limits_decide() -> None:
    def judged(**limits: float) -> PopulationRisk:
        options = PopulationOptions(limits={name.strip("g"): share for name, share in limits.items()})
        return population_risk(figure_1(), Policy.of("year_of_birth,sex"), options=options)

    assert judged(total=0.8, g2=1.0).acceptable
    assert not judged(total=0.79).acceptable
    assert judged(total=0.79).to_dict()["reasons"][-1] == (
        "Total risk: 80.0 %, the limit is 79.0 %: not acceptable."
    )
    nothing = population_risk(figure_1(), Policy.of("sex"))
    assert nothing.to_dict()["acceptable"] is None
    rows = [("01", 30, 1, 3)]
    unknown = population_risk(
        population(rows, areas=["state"]), Policy.of("year_of_birth"), voter_lists(),
        options=PopulationOptions(limits={"total": 1.0}),
    )  # fmt: skip
    assert unknown.to_dict()["acceptable"] is False


@given(
    st.sampled_from(list(product(("", "year_of_birth", "month_of_birth", "date_of_birth"), (0, 1), (0, 1))))
)
def test_more_detail_is_never_less_risk(step: tuple[str, int, int]) -> None:
    birth, county, sex = step
    names = [*([birth] if birth else []), *(["county"] if county else []), *(["sex"] if sex else []), "race"]
    people = two_states()
    some, most = population_risk(people, Policy.of(",".join(names))), population_risk(people, LIMITED_DATASET)
    for measure in ("1", "3", "5", "10", "total"):
        assert exposure(some).number(measure) <= exposure(most).number(measure) * (1 + 1e-12)


@given(st.lists(st.integers(1, 300), min_size=1, max_size=5, unique=True))
def test_shares_rise_with_g(sizes: list[int]) -> None:
    result = population_risk(two_states(), LIMITED_DATASET, options=PopulationOptions(g=sizes))
    shares = list(result.to_dict()["g_distinct"].values())
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 + 1e-12 for share in shares)
    curve = [point["share"] for point in result.to_dict()["curve"]]
    assert curve == sorted(curve)
    assert curve[-1] >= 0.9999


def test_the_assumption_of_even_births_is_worth_little() -> None:
    people = two_states()
    even = exposure(population_risk(people, LIMITED_DATASET))
    leap = exposure(
        population_risk(people, LIMITED_DATASET, options=PopulationOptions(birth_dates=leap_days()))
    )
    assert leap.matched == pytest.approx(even.matched, rel=0.005)
    assert leap.matched != even.matched
    same = PopulationOptions(birth_dates=leap_days())
    year = Policy.of("year_of_birth")
    assert exposure(population_risk(people, year, options=same)).matched == (
        exposure(population_risk(people, year)).matched
    )


def test_rows_without_people_change_nothing() -> None:
    rows = [("F", 30, 1, 3), ("M", 30, 1, 0)]
    result = population_risk(population(rows, fields=["sex"]), Policy.of("sex,year_of_birth"))
    assert (result.groups, result.people) == (1, 3)


@pytest.mark.parametrize("asked", [(5,), (1, 3, 5, 10), (7, 100_000)])
def test_every_g_up_to_fifty_is_in_the_result_whatever_was_asked(asked: tuple[int, ...]) -> None:
    people = two_states()
    every = PopulationOptions(g=range(1, 51))
    for policy in (LIMITED_DATASET, SAFE_HARBOR):
        found = population_risk(people, policy, by="county", options=PopulationOptions(g=asked)).to_dict()
        second = population_risk(people, policy, by="county", options=every).to_dict()
        for one, other in zip((found, *found["by_area"]), (second, *second["by_area"]), strict=True):
            assert (one["g_range"]["first"], one["g_range"]["last"]) == (1, 50)
            assert one["g_range"]["shares"] == pytest.approx(list(other["g_distinct"].values()))


def test_the_points_of_the_curve_do_not_depend_on_the_range_of_g() -> None:
    found = population_risk(two_states(), LIMITED_DATASET).to_dict()["curve"]
    assert len(found) <= 80 + 4
    by_g = {row["g"]: row["share"] for row in found}
    shares = population_risk(two_states(), LIMITED_DATASET).to_dict()["g_range"]["shares"]
    assert {g: share for g, share in by_g.items() if g <= 50} == pytest.approx(
        {g: shares[g - 1] for g in by_g if g <= 50}
    )


def test_an_unknown_list_has_no_range() -> None:
    fields = Policy.of("year_of_birth,sex").fields
    unknown = Attacker("a list", fields, unknown=frozenset({"county", "birth", "sex"}))
    found = population_risk(two_states(), LIMITED_DATASET, unknown).to_dict()
    assert found["g_range"] is None


def test_notes_apply_if_they_do_for_the_list_of_any_state() -> None:
    people = two_states()
    policy = Policy.of("county,date_of_birth,sex,admission_quarter")

    def notes(*fields: str) -> str:
        rows = {state: Attacker.of(own) for state, own in zip(("10", "39"), fields, strict=True)}
        return " ".join(population_risk(people, policy, VoterLists("test", rows)).notes)

    modeled, even, coverage = "are modeled from ages", "evenly distributed", "with the same probability"
    plain = "county,year_of_birth"
    assert not any(said in notes(plain, plain) for said in (modeled, even, coverage))
    for both in (("county,date_of_birth", plain), (plain, "county,month_of_birth")):
        assert modeled in notes(*both)
        assert even not in notes(*both)
    for both in (("county,admission_quarter", plain), (plain, "county,admission_quarter")):
        assert even in notes(*both)
        assert modeled not in notes(*both)

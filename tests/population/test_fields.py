from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.population.attacker import GENERAL, Attacker, read_attacker
from reidrisk.population.fields import BIRTH, Fields
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy, read_policy

SOME = st.builds(
    Fields,
    st.sampled_from([None, *BIRTH]),
    st.lists(st.sampled_from(["county", "sex", "race", "zip5"]), unique=True).map(tuple),
    st.sampled_from([None, "hhs-2000", "none"]),
    st.dictionaries(st.sampled_from(["admission", "ward"]), st.integers(1, 12), max_size=2),
)


def told(fields: Fields) -> tuple[Any, ...]:
    return fields.birth, set(fields.columns), fields.zip3, dict(fields.spread)


@given(SOME, SOME)
def test_what_both_tell_does_not_depend_on_the_order(one: Fields, other: Fields) -> None:
    assert told(one.meet(other)) == told(other.meet(one))


@given(SOME)
def test_a_list_that_tells_the_same_takes_nothing_away(fields: Fields) -> None:
    same = fields.meet(fields)
    assert (same.birth, same.columns, same.spread) == (fields.birth, fields.columns, fields.spread)
    assert same.zip3 == (None if "zip5" in fields.columns else fields.zip3)


def test_the_coarser_of_two_granularities_is_left() -> None:
    """Ohio's list in the paper: county and year of birth."""
    ohio = Fields.parse("county,year_of_birth")
    assert told(LIMITED_DATASET.fields.meet(ohio)) == ("year", {"county"}, None, {})
    assert told(SAFE_HARBOR.fields.meet(ohio)) == ("year", set(), None, {})
    assert told(Fields.parse("month_of_birth").meet(Fields.parse("date_of_birth")))[0] == "month"


def test_zip_codes_meet_at_three_digits() -> None:
    assert Fields.parse("zip5").meet(Fields.parse("zip3")).zip3 == "hhs-2000"
    assert Fields.parse("zip5").meet(Fields.parse("zip3:none")).zip3 == "none"
    assert Fields.parse("zip5").meet(Fields.parse("zip")).columns == ("zip5",)
    assert Fields.parse("county").meet(Fields.parse("zip3")).zip3 is None


def test_fields_of_an_admission_are_spread() -> None:
    quarter, month = Fields.parse("admission_quarter,ward:10"), Fields.parse("admission_month")
    assert dict(quarter.spread) == {"admission": 4, "ward": 10}
    assert quarter.texts() == ["admission quarter", "ward (10 values)"]
    assert dict(quarter.meet(month).spread) == {"admission": 4}


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "No field is named"),
        ("year_of_birth,date_of_birth", "given twice"),
        ("zip3:hhs-1990", "Did you mean 'hhs-2000'"),
        ("ward:many", "needs a number of values"),
        ("ward:0", "needs a number of values"),
    ],
)
def test_texts_that_mean_nothing(text: str, match: str) -> None:
    with pytest.raises(InvalidSetting, match=match):
        Fields.parse(text)


def test_fields_refuse_nonsense() -> None:
    with pytest.raises(InvalidSetting, match="granularity of birth"):
        Fields("decade")  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="at least one value"):
        Fields(spread={"ward": 0})


def test_policies_as_they_are_typed(tmp_path: Path) -> None:
    assert read_policy("safe") is SAFE_HARBOR
    assert read_policy("limited") is LIMITED_DATASET
    assert (
        read_policy("zip3,year_of_birth,sex").name
        == "year of birth, ZIP3 (small areas merged: hhs-2000), sex"
    )
    file = tmp_path / "policy.yaml"
    file.write_text("name: ours\nfields: [county, month_of_birth]\nsource: board of 2024\n", encoding="utf-8")
    policy = read_policy(file)
    assert (policy.name, policy.source, policy.fields.birth) == ("ours", "board of 2024", "month")
    assert policy.to_dict()["fields"] == {"county": "as counted", "birth": "month"}


def test_attackers_as_they_are_typed(tmp_path: Path) -> None:
    assert read_attacker("general") is GENERAL
    assert read_attacker("county,year_of_birth").fields == Fields("year", ("county",))
    file = tmp_path / "attacker.yml"
    file.write_text("name: broker\nfields: county,sex\nprice: 250\ncoverage: 0.8\n", encoding="utf-8")
    broker = read_attacker(file)
    assert (broker.name, broker.price, broker.coverage) == ("broker", 250.0, 0.8)
    assert broker.with_price(None) is broker
    assert broker.with_price(10).price == 10
    file.write_text("name: all-knowing\nprice: 1\n", encoding="utf-8")
    assert read_attacker(file).fields is None


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("- sex\n", "is not a mapping"),
        ("name: ours\n", "needs the setting 'fields'"),
        ("fields: 3\n", "is not a list of names"),
        ("fields: [1, 2]\n", "is not a list of names"),
        ("fields: sex\nfeilds: sex\n", "Did you mean 'fields'"),
        ("name: 3\nfields: sex\n", "is not text"),
    ],
)
def test_files_that_say_nothing(tmp_path: Path, content: str, match: str) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidSetting, match=match):
        read_policy(file)


@pytest.mark.parametrize(
    ("price", "coverage"), [(-1.0, None), (float("nan"), None), (None, 0.0), (None, 1.1)]
)
def test_attackers_refuse_nonsense(price: float | None, coverage: float | None) -> None:
    with pytest.raises(InvalidSetting):
        Attacker("broker", price=price, coverage=coverage)


def test_general_knows_all_that_is_released() -> None:
    policy = Policy.of("county,sex,admission_quarter")
    assert GENERAL.usable(policy) == policy.fields

from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path

import pytest

from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.population.attacker import Attacker
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.voters import COLUMNS, read_voter_lists, state_label, state_names, voter_lists

HEADER = ",".join(COLUMNS)


def listed(state: str) -> Attacker:
    found = voter_lists().of(state)
    assert found is not None
    return found


def test_the_lists_of_the_paper() -> None:
    """Ohio and Texas are described in the text; prices stand in table 2."""
    ohio = listed("OH").usable(LIMITED_DATASET)
    assert ohio is not None
    assert ohio.texts() == ["year of birth", "county"]
    assert listed("48").usable(LIMITED_DATASET) == LIMITED_DATASET.fields
    assert [listed(state).price for state in ("VA", "WI", "WV", "NH")] == [0, 12_500, 17_000, 8_267]


def test_unknown_is_unknown() -> None:
    alabama = listed("Alabama")
    assert alabama.usable(LIMITED_DATASET) is None
    assert alabama.doubts(LIMITED_DATASET) == ["county", "sex", "race", "birth"]
    assert alabama.price is None


@pytest.mark.parametrize("policy", ["zip3", "zip5,sex", "sex,hispanic", "ward:10,sex"])
def test_what_the_table_does_not_ask_about_is_unknown(policy: str) -> None:
    """Voters' addresses are in many lists: no column for them does not mean that they are not told."""
    assert listed("NY").usable(Policy.of(policy)) is None
    assert listed("NY").usable(Policy.of("sex,admission_quarter")) is not None


def test_a_table_of_ones_own_may_ask_about_more(tmp_path: Path) -> None:
    head, *rows = files("reidrisk.population").joinpath("voter_lists.csv").read_text("utf-8").splitlines()
    path = tmp_path / "lists.csv"
    answers = ["yes" if row.startswith("NY") else "no" if row.startswith("TX") else "unknown" for row in rows]
    more = [f"{row},{answer}" for row, answer in zip(rows, answers, strict=True)]
    path.write_text("\n".join([f"{head},zip5", *more]) + "\n", encoding="utf-8")
    own, policy = read_voter_lists(path), Policy.of("zip3,sex")
    told = [own.of(state).usable(policy) for state in ("NY", "TX", "VA")]  # type: ignore[union-attr]
    assert [None if one is None else one.zip3 for one in told] == ["hhs-2000", None, None]
    assert [one is None for one in told] == [False, False, True]


def test_what_is_known_in_part_is_used_where_it_is_enough() -> None:
    """North Carolina's list has at least the year of birth; nobody knows of its county."""
    assert listed("NC").usable(SAFE_HARBOR) == SAFE_HARBOR.fields
    assert listed("NC").usable(LIMITED_DATASET) is None
    assert listed("NC").doubts(Policy.of("date_of_birth,sex")) == ["birth"]
    assert listed("NC").doubts(Policy.of("month_of_birth,gender")) == ["birth"]


def test_every_row_tells_its_source_and_year() -> None:
    text = files("reidrisk.population").joinpath("voter_lists.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 52
    for row in rows:
        known = "unknown" not in (row["birth"], row["sex"])
        assert row["source"], row["state"]
        assert bool(row["year"]) or not known, row["state"]
        assert (row["price"] == "unknown") == (row["price_source"] == "" == row["price_year"]), row["state"]


def test_states_by_any_name() -> None:
    assert state_names("39") == state_names("ohio") == ("OH", "39", "Ohio")
    assert state_names("Bavaria") == ("Bavaria",)
    assert voter_lists().of("1") == voter_lists().of("AL")
    assert state_label("AL", ("39", "1")) == "1"
    assert state_label("1", ("39", "01")) == "01"
    assert state_label("puerto rico", ("39", "72")) == "72"
    assert state_label("XX", ("39", "72")) is None
    assert voter_lists().of("Bavaria") is None


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "lists.csv"
    file.write_text(f"{HEADER}\nBY,,Bavaria,month,yes,no,unknown,our survey,2024,12.5\n", encoding="utf-8")
    lists = read_voter_lists(file)
    found = lists.of("bavaria")
    assert found is not None
    assert (found.price, found.unknown, found.source) == (12.5, frozenset({"county"}), "our survey (2024)")
    cheap = lists.with_price(1.0).of("BY")
    assert cheap is not None
    assert cheap.price == 1.0
    assert lists.to_dict()["source"] == str(file)


@pytest.mark.parametrize(
    ("row", "match"),
    [
        ("OH,39,Ohio,week,no,no,yes,x,2008,0", "birth, cannot be 'week'"),
        ("OH,39,Ohio,year,maybe,no,yes,x,2008,0", "sex, cannot be 'maybe'"),
        ("OH,39,Ohio,year,no,no,yes,x,2008,free", "price, is not a number"),
        ("OH,39,Ohio,year,no,no,yes,x,2008,0\nOH,,,year,no,no,yes,x,2008,0", "line 3 repeats a state"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, row: str, match: str) -> None:
    file = tmp_path / "lists.csv"
    file.write_text(f"{HEADER}\n{row}\n", encoding="utf-8")
    with pytest.raises((InvalidSetting, BadData), match=match):
        read_voter_lists(file)


def test_a_table_without_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "lists.csv"
    file.write_text("state,price\nOH,0\n", encoding="utf-8")
    with pytest.raises(BadData, match="does not have the columns fips"):
        read_voter_lists(file)
    with pytest.raises(UnreadableFile):
        read_voter_lists(tmp_path / "nowhere.csv")

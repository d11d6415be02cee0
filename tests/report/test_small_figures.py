"""No false precision on pages: fewer than one person, states by name, file names, and an upper bound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.population.policy import read_policy
from reidrisk.report.blocks.upper_bound import command as upper_bound_command
from reidrisk.report.page import fragment
from tests.cli.running import Run

EXPONENT = re.compile(r"\d[eE][-+]?\d\d")


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two states with millions of people of each sex and age."""
    path = tmp_path_factory.mktemp("large") / "counts.csv"
    rows = [
        f"{state},{sex},white,{age},{age},{3_000_000}"
        for state in ("39", "01")
        for sex in "FM"
        for age in (30, 40)
    ]
    path.write_text("\n".join(["state,sex,race,age_lo,age_hi,n", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def tiny_risk(counts: Path) -> rr.PopulationRisk:
    people = rr.read_population(counts)
    return rr.population_risk(people, read_policy("year_of_birth,sex"), rr.GENERAL, by="state")


def test_a_tiny_share_is_fewer_than_one_person(tiny_risk: rr.PopulationRisk) -> None:
    text, page = str(tiny_risk), fragment(tiny_risk.to_dict())
    assert "fewer than one" not in text, "eight groups are eight expected matches"
    assert "ABOUT EIGHT PEOPLE ARE EXPECTED TO BE RE-IDENTIFIED" in text
    for shown in (text, re.sub(r"<svg.*?</svg>|<style.*?</style>", "", page, flags=re.DOTALL)):
        assert not EXPONENT.search(shown)


def test_by_day_of_birth_fewer_than_one_person_is_unique(counts: Path) -> None:
    people = rr.read_population(counts)
    risk = rr.population_risk(
        people, read_policy("date_of_birth,sex"), rr.GENERAL, options=rr.PopulationOptions(g=(5000,))
    )
    share = risk.to_dict()["g_distinct"]["5000"]
    assert 0 < share * risk.people < 1
    assert "Fewer than one of 24,000,000 people matches at most 4,999 others" in str(
        risk.to_dict()["reasons"]
    )
    assert "fewer than one" in " ".join(str(risk).split())
    assert not EXPONENT.search(str(risk))


def test_states_have_names_and_files_no_folders(tiny_risk: rr.PopulationRisk, counts: Path) -> None:
    page = fragment(tiny_risk.to_dict())
    assert "Ohio" in page
    assert "Alabama" in page
    assert str(counts.parent) not in page
    assert [row["area"] for row in tiny_risk.to_dict()["by_area"]] == ["01", "39"]


def test_an_unknown_voter_list_offers_the_general_attacker(command: Run, counts: Path) -> None:
    """The command that is printed can be typed, and gives a risk."""
    given = ("population", "risk", counts, "--state", "AL", "--policy", "safe", "--by", "state")
    code, text, _ = command(*given, "--attacker", "voter")
    assert code == 0
    assert "AN UPPER BOUND" in text
    line = next(line for line in text.splitlines() if line.startswith("  reidrisk population risk"))
    words = line.split()[1:]
    assert words[-4:] == ["--attacker", "general", "--by", "state"]
    code, text, _ = command(*words)
    assert code == 0
    assert "EXPECTED TO BE RE-IDENTIFIED" in text
    assert "AN UPPER BOUND" not in text


def test_the_page_offers_the_upper_bound_with_a_file_name(counts: Path) -> None:
    people = rr.read_population(counts)
    both = rr.compare_policies(people, [rr.SAFE_HARBOR, read_policy("sex")], rr.voter_lists())
    page = fragment(both.to_dict())
    assert "An upper bound" in page
    typed = upper_bound_command(both.to_dict(), "compare", place=lambda path: Path(path).name)
    assert typed == "reidrisk population compare counts.csv --policy safe --policy sex --attacker general"
    assert typed in page


def test_a_table_names_its_file_without_its_folder(tmp_path: Path) -> None:
    table = tmp_path / "visits.csv"
    table.write_text("age,sex\n34,F\n34,F\n51,M\n", encoding="utf-8")
    page = fragment(rr.table_risk(table, ["age", "sex"]).to_dict())
    assert "visits.csv" in page
    assert str(tmp_path) not in page

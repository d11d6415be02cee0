from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.population.tiny import two_states


@pytest.fixture
def pop(tmp_path: Path) -> Path:
    people = two_states()
    assert people.ages is not None
    path = tmp_path / "pop.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*people.codes, "age_lo", "age_hi", "n"])
        for at, count in enumerate(people.counts.tolist()):
            first, years = int(people.ages.first[at]), int(people.ages.years[at])
            labels = [people.labels[name][code[at]] for name, code in people.codes.items()]
            rows.writerow([*labels, first, first + years - 1, count])
    return path


def test_risk_as_it_is_typed(command: Run, pop: Path, tmp_path: Path) -> None:
    page, file = tmp_path / "page.html", tmp_path / "risk.json"
    asked = (
        "--state",
        "39",
        "--policy",
        "limited",
        "--attacker",
        "general",
        "--g",
        "1,3,5,10",
        "--days",
        "365",
    )
    code, out, err = command(
        "population", "risk", pop, *asked, "--by", "county", "--json", file, "--html", page
    )
    assert (code, err) == (0, "")
    assert "re-identified" in out
    told = json.loads(file.read_text(encoding="utf-8"))
    assert (told["kind"], told["acceptable"], told["policy"]["name"]) == (
        "population_risk",
        None,
        "Limited Dataset",
    )
    assert [area["area"] for area in told["by_area"]] == ["39001", "39003"]
    assert list(told["g_distinct"]) == ["1", "3", "5", "10"]
    assert "Limited Dataset" in page.read_text(encoding="utf-8")


def risk(command: Run, *arguments: object) -> tuple[int, dict[str, object]]:
    code, out, err = command("population", "risk", *arguments, "--json", "-")
    assert err == ""
    return code, json.loads(out)


@pytest.mark.parametrize("state", ["39", "OH", "ohio"])
def test_states_by_any_name(command: Run, pop: Path, state: str) -> None:
    _, told = risk(command, pop, "--state", state, "--policy", "safe", "--attacker", "voter")
    attacker = told["attacker"]
    assert isinstance(attacker, dict)
    assert attacker["source"].endswith("survey of 2008; stated in the text (2008)")
    assert {name: attacker[name] for name in ("name", "fields", "price", "coverage")} == {
        "name": "voter list of Ohio",
        "fields": {"county": "as counted", "birth": "year"},
        "price": 0.0,
        "coverage": None,
    }
    assert told["fields"] == ["year of birth"]
    population, settings = told["population"], told["settings"]
    assert isinstance(population, dict)
    assert isinstance(settings, dict)
    assert population["chosen"] == settings["chosen"] == "state 39"
    assert "pop.csv, Ohio" in command("population", "risk", pop, "--state", state, "--policy", "safe")[1]


def test_fields_and_files(command: Run, pop: Path, tmp_path: Path) -> None:
    policy, attacker = tmp_path / "policy.yaml", tmp_path / "attacker.yaml"
    policy.write_text("name: ours\nfields: [county, month_of_birth, sex]\n", encoding="utf-8")
    attacker.write_text(
        "name: broker\nfields: county,date_of_birth\nprice: 50\ncoverage: 0.5\n", encoding="utf-8"
    )
    _, told = risk(command, pop, "--policy", policy, "--attacker", attacker, "--g", "1-3,10")
    assert (told["fields"], told["policy"]) == (
        ["month of birth", "county"],
        {"name": "ours", "fields": {"county": "as counted", "sex": "as counted", "birth": "month"},
         "source": str(policy)},
    )  # fmt: skip
    assert list(told["g_distinct"]) == ["1", "2", "3", "10"]  # type: ignore[call-overload]
    asked = ("--policy", "county,month_of_birth,sex", "--attacker", "county,date_of_birth", "--price", "50")
    _, typed = risk(command, pop, *asked)
    assert typed["cost_per_reidentification"] < told["cost_per_reidentification"]  # type: ignore[operator]


def test_a_file_that_does_not_say_so_can_be_called_modelled(command: Run, pop: Path) -> None:
    _, told = risk(command, pop, "--policy", "safe", "--modelled", "fitted by a colleague")
    assert told["population"]["modelled"] == "fitted by a colleague"  # type: ignore[index]


def test_limits_and_exit_codes(command: Run, pop: Path) -> None:
    given = (pop, "--policy", "limited", "--max-share")
    assert risk(command, *given, "5=1")[0] == 0
    code, told = risk(command, *given, "total=0.01")
    assert (code, told["acceptable"]) == (3, False)


def test_a_data_set_and_other_births(command: Run, pop: Path, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("state,county,race,sex,year_of_birth\n39,39001,white,F,1976\n", encoding="utf-8")
    asked = ("--policy", "limited", "--dataset", data, "--counted-in", "2000", "--birth-dates", "leap")
    _, told = risk(command, pop, *asked)
    assert (told["people"], told["settings"]["birth_dates"]) == (1, "leap")  # type: ignore[index]
    code, _, err = command("population", "risk", pop, "--policy", "limited", "--dataset", data)
    assert code == 2
    assert "the year of the population counts is missing" in err


def test_unknown_lists_are_unknown(command: Run, pop: Path, tmp_path: Path) -> None:
    lists = tmp_path / "lists.csv"
    lists.write_text(
        "state,fips,name,birth,sex,race,county,source,year,price\nOH,39,Ohio,unknown,no,no,no,x,2024,9\n",
        encoding="utf-8",
    )
    asked = ("--policy", "safe", "--attacker", "voter", "--voter-lists", lists, "--by", "state")
    code, told = risk(command, pop, *asked)
    assert (code, told["g_distinct"]) == (0, None)
    assert all(area["unknown"] for area in told["by_area"])  # type: ignore[attr-defined]
    assert command("population", "risk", pop, *asked)[0] == 0
    assert command("population", "risk", pop, "--policy", "safe", "--voter-lists", lists)[0] == 2


def test_compare_as_it_is_typed(command: Run, pop: Path, tmp_path: Path) -> None:
    file = tmp_path / "compare.json"
    asked = ("--policy", "limited", "--policy", "safe", "--by", "state", "--json", file)
    code, out, err = command("population", "compare", pop, *asked)
    assert (code, err) == (0, "")
    assert "Safe Harbor" in out
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["kind"] == "population_comparison"
    assert told["trust_differential"]["total"] > 1
    assert command("population", "compare", pop, "--policy", "limited")[0] == 2


def test_explore_as_it_is_typed(command: Run, pop: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = ("--state", "10", "--target", "0.05", "--measure", "5", "--html", page)
    code, out, err = command("population", "explore", pop, *asked)
    assert (code, err) == (0, "")
    assert "Safe Harbor" in out
    assert page.stat().st_size > 1_000
    assert command("population", "explore", pop, "--from", "limited", "--to", "safe", "--quiet")[0] == 2


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        (("--policy", "cuonty,sex"), 1, "Did you mean 'county'"),
        (("--policy", "limitd"), 1, "Did you mean 'limited'"),
        (("--policy", "Limited", "--attacker", "votr"), 1, "Did you mean 'voter'"),
        (("--policy", "safe", "--state", "TX"), 2, "'TX' is not a value of state in"),
        (("--policy", "safe", "--by", "tract"), 1, "no column 'tract'"),
        (("--policy", "safe", "--g", "none"), 2, "whole numbers"),
        (("--policy", "safe", "--g", "-1"), 2, "whole numbers"),
        (("--policy", "safe", "--g", "5-3"), 2, "ranges such as 1-100"),
        (("--policy", "safe", "--g", "1-999999999999"), 2, "1,000,000 numbers at most"),
        (("--policy", "safe", "--g", "99999999999999999999"), 2, "g can be at most"),
        (("--policy", "safe", "--max-share", "all=1"), 2, "needs a value of g"),
        (("--policy", "safe", "--max-share", "5=0.1", "--max-share", "05=1"), 2, "sets the limit of 5 twice"),
        (("--policy", "safe", "--max-share", "5"), 2, "takes NAME=VALUE"),
        (("--policy", "safe", "--birth-dates", "leap", "--days", "365"), 2, "evenly distributed"),
        (("--policy", "nowhere.yaml"), 1, "does not exist"),
        ((), 2, "Missing option '--policy'"),
    ],
)
def test_wrong_usage(command: Run, pop: Path, asked: tuple[str, ...], code: int, said: str) -> None:
    found, out, err = command("population", "risk", pop, *asked)
    assert (found, out) == (code, "")
    assert said in err


def test_inputs_are_never_overwritten(command: Run, pop: Path) -> None:
    before = pop.read_bytes()
    code, _, err = command("population", "risk", pop, "--policy", "safe", "--json", pop)
    assert code == 2
    assert "must not be written" in err
    assert pop.read_bytes() == before

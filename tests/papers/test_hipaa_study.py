"""docs/hipaa-study.md: our figures on the modelled population of 2000 beside those that were printed."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

import reidrisk as rr

DOCUMENT = Path(__file__).parents[2] / "docs" / "hipaa-study.md"
STATES = {
    "Delaware": "10",
    "Rhode Island": "44",
    "Alaska": "02",
    "New York": "36",
    "California": "06",
    "Texas": "48",
}
VOTERS = rr.Attacker.of("county,year_of_birth")
"""What the voter list of Ohio tells."""
POLICIES = (rr.LIMITED_DATASET, rr.SAFE_HARBOR)


@pytest.fixture(scope="module")
def people(shared: Path) -> rr.Population:
    return rr.read_population(shared / "census" / "us2000_county_race_sex_age.parquet")


@pytest.fixture(scope="module")
def ohio(people: rr.Population) -> rr.Population:
    return people.of("state", ["39"])


def printed() -> dict[str, list[str]]:
    """The rows of all tables of the page, by their first cell."""
    return {
        cells[0]: cells[1:]
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and (cells := [cell.strip() for cell in line.strip("|").split("|")])
    }


@pytest.mark.parametrize("state", STATES)
def test_total_risks_of_states(people: rr.Population, state: str) -> None:
    found = rr.compare_policies(people.of("state", [STATES[state]]), POLICIES)
    limited, safe = (100 * risk.to_dict()["total_risk"]["share"] for risk in found.risks)
    ours = [f"{limited:.2f}", f"{safe:.2g}", f"{found.trust_differential()['total']:,.0f}"]
    assert printed()[state][1::2] == ours


def distinct(population: rr.Population, policy: rr.Policy, attacker: rr.Attacker, g: int) -> float:
    options = rr.PopulationOptions(g=(g,))
    return float(
        100
        * rr.population_risk(population, policy, attacker, options=options).to_dict()["g_distinct"][str(g)]
    )


@pytest.mark.parametrize(
    ("row", "policy", "attacker", "g"),
    [
        ("Limited Dataset, GENERAL, 1-distinct", rr.LIMITED_DATASET, rr.GENERAL, 1),
        ("Limited Dataset, GENERAL, 5-distinct", rr.LIMITED_DATASET, rr.GENERAL, 5),
        ("Limited Dataset, GENERAL, 31-distinct", rr.LIMITED_DATASET, rr.GENERAL, 31),
        ("Safe Harbor, GENERAL, 1-distinct", rr.SAFE_HARBOR, rr.GENERAL, 1),
        ("Safe Harbor, GENERAL, 5-distinct", rr.SAFE_HARBOR, rr.GENERAL, 5),
        ("Limited Dataset, VOTER, 1-distinct", rr.LIMITED_DATASET, VOTERS, 1),
        ("Limited Dataset, VOTER, 5-distinct", rr.LIMITED_DATASET, VOTERS, 5),
        ("Limited Dataset, VOTER, 3,500-distinct", rr.LIMITED_DATASET, VOTERS, 3500),
        ("Safe Harbor, VOTER, 20,000-distinct", rr.SAFE_HARBOR, VOTERS, 20_000),
    ],
)
def test_figures_of_ohio(
    ohio: rr.Population, row: str, policy: rr.Policy, attacker: rr.Attacker, g: int
) -> None:
    ours = distinct(ohio, policy, attacker, g)
    assert printed()[row][-1] == (
        f"{ours:.2f}" if ours > 99 else f"{ours:.1f}" if ours > 1 else f"{ours:.2g}"
    )


@pytest.mark.parametrize("attacker", [rr.GENERAL, VOTERS], ids=["GENERAL", "VOTER"])
def test_trust_differential_of_ohio_over_g(ohio: rr.Population, attacker: rr.Attacker) -> None:
    options = rr.PopulationOptions(g=range(1, 20_001))
    found = rr.compare_policies(ohio, POLICIES, attacker, options=options).trust_differential()
    ratios = [ratio for g, ratio in found.items() if g != "total" and ratio is not None]
    name = "GENERAL" if attacker is rr.GENERAL else "VOTER"
    most = max(ratios)
    low = f"{min(ratios):.2g}"
    high = f"{most:,.0f}" if most < 1e6 else f"{round(most / 1e12, -2):,.0f} trillion"
    assert printed()[f"trust differential, {name}, g = 1 to 20,000"][-1] == f"{low} to {high}"


def test_the_range_over_fifty_states(people: rr.Population) -> None:
    limited, safe = (rr.population_risk(people, policy, by="state").to_dict() for policy in POLICIES)

    def shares(risk: dict[str, Any], g: str) -> list[float]:
        return sorted(100 * row["g_distinct"][g] for row in risk["by_area"] if row["area"] != "11")

    ten = shares(limited, "10")
    assert len(ten) == 50
    assert (
        printed()["Limited Dataset, 10-distinct"][-1]
        == f"{ten[0]:.0f} to {ten[-1]:.0f}, median {median(ten):.1f}"
    )
    one, least = shares(limited, "1"), shares(safe, "1")
    assert printed()["Limited Dataset, 1-distinct"][-1] == f"{one[0]:.1f} to {one[-1]:.1f}"
    assert printed()["Safe Harbor, 1-distinct"][-1] == f"{least[0]:.6f} to {least[-1]:.2g}"


@pytest.mark.parametrize(
    ("label", "state"),
    [
        ("North Dakota", "Delaware"),
        ("Arizona", "Rhode Island"),
        ("Pennsylvania", "New York"),
        ("Virginia", "California"),
        ("Missouri", "Texas"),
    ],
)
def test_voter_lists_of_states(people: rr.Population, label: str, state: str) -> None:
    """Rows that are printed under the name of another state."""
    found = rr.compare_policies(people.of("state", [STATES[state]]), POLICIES, rr.voter_lists())
    limited = 100 * found.risks[0].to_dict()["total_risk"]["share"]
    row = printed()[label]
    assert row[0] == state
    assert [row[3], row[5]] == [f"{limited:.2f}", f"{found.trust_differential()['total']:,.0f}"]
    assert limited == pytest.approx(float(row[2]), abs=0.2)


def test_a_list_without_birth_has_the_number_of_areas_as_its_differential(people: rr.Population) -> None:
    alaska = people.of("state", ["02"])
    found = rr.compare_policies(alaska, POLICIES, rr.Attacker.of("county,sex"))
    assert found.trust_differential()["total"] == pytest.approx(27)
    assert round(100 * found.risks[0].to_dict()["total_risk"]["share"], 2) == 0.01


@pytest.mark.parametrize("policy", POLICIES, ids=["limited", "safe"])
def test_costs_of_a_reidentification(people: rr.Population, policy: rr.Policy) -> None:
    """The study's table 2; a list without charge costs nothing."""
    names = {
        "33": "New Hampshire",
        "36": "New York",
        "37": "North Carolina",
        "45": "South Carolina",
        "51": "Virginia",
        "54": "West Virginia",
        "55": "Wisconsin",
    }
    found = rr.population_risk(people.of("state", [*names]), policy, rr.voter_lists(), by="state").to_dict()
    ours = {f"{policy.name}, {names[row['area']]}": row for row in found["by_area"]}
    shown = {name: cells for name, cells in printed().items() if name in ours}
    assert len(shown) == 6
    for name, cells in shown.items():
        row = ours[name]
        told = [f"{row['total_risk']['expected']:,.0f}", f"{row['cost_per_reidentification']:,.0f}"]
        assert cells[1::2] == told

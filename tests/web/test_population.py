"""The page of a population: figures are those of the command line, at every g."""

from __future__ import annotations

import json
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from reidrisk.assess.kinds.population import PopulationPart
from reidrisk.assess.release_file import read_release
from reidrisk.report.kinds import population_explorer
from reidrisk.report.numbers import brief_percent, expected_people
from tests.cli.running import Run, runner
from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of

PAGE = f"/r/{DEMO}/population/demographics"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


def text_of(client: Client, url: str, **options: Any) -> str:
    answer = client.get(url, **options)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def test_the_page_shows_verdict_curves_and_areas(client: Client, demo_releases: Path) -> None:
    place = demo_releases / DEMO / "assessment" / "parts" / "demographics" / "result.json"
    result = json.loads(place.read_text())
    shown = text_of(client, PAGE)
    for sentence in result["reasons"]:
        assert sentence in shown
    assert "In this release:" in shown
    assert "People in small groups, g from 1 to 50" in shown
    assert shown.count("As table") >= 5
    for row in result["by_area"]:
        assert row["area"] in shown


@pytest.mark.parametrize("g", [1, 7, 50])
def test_figures_at_any_g_are_those_of_the_command(
    client: Client, demo_releases: Path, run: Run, tmp_path: Path, g: int
) -> None:
    state = demo_releases / DEMO / "population" / "state.csv"
    words = ("--policy", "limited", "--policy", "safe", "--by", "county", "--g", g)
    assert run("population", "compare", state, *words, "--json", tmp_path / "r.json")[0] == 0
    result = json.loads((tmp_path / "r.json").read_text())
    shown = text_of(client, f"{PAGE}/at", params={"g": g})
    for risk in result["risks"]:
        assert f">{brief_percent(risk['g_distinct'][str(g)])}<" in shown
        assert f"{expected_people(risk['g_distinct_people'][str(g)])} people expected" in shown
        for row in risk["by_area"]:
            assert f">{brief_percent(row['g_distinct'][str(g)])}<" in shown
    order = sorted(result["risks"][0]["by_area"], key=lambda row: (row["rank"][str(g)], row["area"]))
    places = [shown.index(f">{row['area']}<") for row in order]
    assert places == sorted(places)


@pytest.mark.parametrize("g", ["0", "51", "-3", "x", "1e3", ""])
def test_other_g_are_refused(client: Client, g: str) -> None:
    assert client.get(f"{PAGE}/at", params={"g": g}, headers={"HX-Request": "true"}).status_code == 422


def test_the_frontier_is_that_of_the_library(client: Client, demo_releases: Path) -> None:
    part = read_release(demo_releases / DEMO / "release.yaml").parts[2]
    assert isinstance(part, PopulationPart)
    result = part.explore("5").to_dict()
    shown = text_of(client, f"{PAGE}/explore", params={"measure": "5"})
    for sentence in result["reasons"]:
        assert sentence in shown
    for row in population_explorer.frontier(result).rows:
        assert all(cell.strip() in shown for cell in row)
    assert (result["policies"][result["safe"]]["name"], result["policies"][result["limited"]]["name"]) == (
        "Safe Harbor",
        "Limited Dataset",
    )
    assert client.get(f"{PAGE}/explore", params={"measure": "4"}).status_code == 422
    assert client.get(f"{PAGE}/explore", params={"measure": "all"}).status_code == 422


def test_a_single_policy_is_explored_from_safe_harbor(own_releases: Path) -> None:
    file = own_releases / DEMO / "release.yaml"
    file.write_text(file.read_text().replace("    compare: safe\n", ""))
    part = read_release(file).parts[2]
    assert isinstance(part, PopulationPart)
    found = part.explore().to_dict()
    assert found["policies"][found["safe"]]["name"] == "Safe Harbor"


def test_results_without_every_g_say_what_to_do(own_releases: Path) -> None:
    place = own_releases / DEMO / "assessment" / "parts" / "demographics" / "result.json"
    result = json.loads(place.read_text())
    for risk in result["risks"]:
        del risk["g_range"]
    place.write_text(json.dumps(result))
    with client_of(own_releases) as client:
        assert "Run the assessment again" in text_of(client, PAGE)
        assert client.get(f"{PAGE}/at", params={"g": 5}).status_code == 404


def test_a_part_that_was_not_measured_says_what_to_do(own_releases: Path) -> None:
    shutil.rmtree(own_releases / DEMO / "assessment")
    with client_of(own_releases) as client:
        assert "not measured yet" in text_of(client, PAGE)


@pytest.mark.parametrize("part", ["notes", "released", "nobody"])
def test_other_parts_have_no_population_page(client: Client, part: str) -> None:
    for rest in ("", "/at?g=5", "/explore"):
        assert client.get(f"/r/{DEMO}/population/{part}{rest}").status_code == 404

"""Every shape of an assessment in the terminal, on a page and as a figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.assess.builders import content, write_data, write_file
from tests.report.test_page import Reader


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("data")
    write_data(folder, extra=3)
    whole = rr.assess(write_file(folder), out=folder.parent / "before").to_dict()
    broken = content("records", "state")
    broken["parts"][0]["quasi"] = ["<b>"]
    (folder / "release.yaml").write_text(json.dumps(broken), encoding="utf-8")
    failed = rr.assess(folder / "release.yaml", previous=folder.parent / "before").to_dict()
    write_data(folder)
    named = {
        "name": "Fine <b>&",
        "custodian": "A hospital",
        "recipient": "A university",
        "purpose": "Research",
    }
    fine = rr.assess(write_file(folder, "records", release=named, context={"preset": "hospital"})).to_dict()
    return {"refused": whole, "failed": failed, "fine": fine}


@pytest.mark.parametrize("name", ["refused", "failed", "fine"])
def test_pages_are_well_formed_and_load_nothing(results: dict[str, dict[str, Any]], name: str) -> None:
    result = json.loads(json.dumps(results[name]))
    text = page([result, result])
    Reader(text)
    assert "<b>" not in text
    for part in result["parts"]:
        assert part["name"] in text
    assert draw(result, "html") == draw(results[name], "html")


@pytest.mark.parametrize("name", ["refused", "failed", "fine"])
def test_the_terminal_fits_and_says_everything_that_decides(
    results: dict[str, dict[str, Any]], name: str
) -> None:
    result = results[name]
    text = str(draw(result, "terminal"))
    assert max(len(line) for line in text.splitlines()) <= 100
    for part in result["parts"]:
        assert part["name"] in text
    assert ("NOT ACCEPTABLE" in text) is (name == "refused")
    assert ("COULD NOT BE JUDGED" in text) is (name == "failed")
    assert ("SINCE THE LAST ASSESSMENT" in text) is (name == "failed")


def test_the_figure_shows_parts_that_have_a_risk(results: dict[str, dict[str, Any]]) -> None:
    assert len(draw(results["refused"], "figure").subfigs) >= 1
    assert (
        "records" in json.dumps(results["failed"]["parts"][0]["error"])
        or results["failed"]["parts"][0]["error"]
    )


def test_a_report_of_each_can_be_written(results: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    for name, result in results.items():
        made = rr.write_report(result, tmp_path / name)
        assert [path.name for path in made] == [
            *("report.html", "report.pdf", "annex.html", "annex.pdf", "crosswalks.json"),
        ]

"""The benchmark page shows the figures of its JSON file and nothing else. No benchmark runs here."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE, FIGURES = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks.json"
DRAW = runpy.run_path(str(ROOT / "bench" / "page_drawing.py"))["draw"]
PEERS = runpy.run_path(str(ROOT / "bench" / "peers_setup.py"))
MACHINE = {"processor": "P", "cores": 2, "gigabytes": 8.0, "system": "Linux", "load": 0.1}
FAST, SLOW = ({"seconds": seconds, "cpu": seconds, "megabytes": None} for seconds in (0.5, 4.0))


def figures(**measure: Any) -> dict[str, Any]:
    made = {"mode": "quick", "date": "2026-01-01", "seconds": 60.0, "machine": MACHINE}
    made |= {"versions": {"Python": "3.11"}, "peers": {"other": {"missing": "no connection"}}}
    whole = {"name": "some", "section": "Tables", "rows": [], "curves": [], "problem": ""} | measure
    return {"made": made, "measures": [whole]}


def row(kind: str, goal: float, *, met: bool) -> dict[str, Any]:
    found = {"question": "Is it fast", "data": "some", "against": "a peer", "notes": ["a note"]}
    ratio = {"clock": 8.0, "cpu": 7.0, "met": met}
    return found | {
        "goal": {"kind": kind, "value": goal, "why": "It does more."},
        "ours": FAST,
        "other": SLOW,
        "ratio": ratio,
    }


def test_the_page_is_drawn_from_its_figures() -> None:
    drawn = DRAW(json.loads(FIGURES.read_text(encoding="utf-8")))
    assert drawn == PAGE.read_text(encoding="utf-8"), "run python bench/page.py --draw"


def test_every_peer_and_every_missed_goal_is_on_the_page() -> None:
    page, found = PAGE.read_text(encoding="utf-8"), json.loads(FIGURES.read_text(encoding="utf-8"))
    assert set(found["made"]["peers"]) == set(PEERS["wanted"]())
    assert all(name in page for name in found["made"]["peers"])
    missed = [row for one in found["measures"] for row in one["rows"] if not row["ratio"]["met"]]
    assert all(row["goal"]["why"] and row["goal"]["why"] in page for row in missed)


@pytest.mark.parametrize("met", [True, False])
def test_a_missed_goal_is_explained_and_a_met_one_is_not(met: bool) -> None:
    page = DRAW(figures(rows=[row("peer", 5, met=met)]))
    assert "8.00 times as fast | 7.00 | at least 5 |" in page
    assert ("**missed**" in page) is ("It does more." in page) is not met


def test_what_could_not_be_measured_is_said() -> None:
    page = DRAW(figures(problem="not finished within 60 s"))
    assert "other: not installable here (no connection)" in page
    assert "Not measured in this run (`some`): not finished within 60 s." in page


def test_growth_is_shown_with_its_exponent() -> None:
    points: list[dict[str, Any]] = [
        {"size": 10, "ours": FAST, "floor": None, "note": ""},
        {"size": 1000, "ours": None, "floor": None, "note": "not finished"},
    ]
    curve = {"question": "Q", "data": "d", "axis": "rows", "goal": 1.1, "why": "Because.", "against": ""}
    curve |= {"points": points, "exponent": 1.2345, "tail": 1.5}
    page = DRAW(figures(curves=[curve]))
    assert "to the power of 1.23 over all points, and of 1.50 between the last two" in page
    assert "**missed**. Because." in page
    assert "| 1,000 |  |  |  | not finished |" in page


def test_the_reason_why_a_peer_is_missing_names_no_address() -> None:
    said = "WARNING: Retrying after connection broken: https://index.example.org/simple/pycanon/"
    assert PEERS["reason_of"](said) == "no connection to a package index"
    assert PEERS["reason_of"]("ERROR: /home/user/x") == "pip could not install it"

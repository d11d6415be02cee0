"""Tables of events in a release: measured, de-identified, judged by what may be known of people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reidrisk as rr
from tests.assess.builders import CONTENT, write_file, written

EVENTS: dict[str, Any] = {
    "kind": "table",
    "table": "claims.csv",
    "quasi": ["sex"],
    "unit": "person",
    "events": ["code", "month"],
}
RULES = {"code": {"kind": "prefix", "lengths": [1]}, "month": {"kind": "number", "levels": [6, 12]}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    draw = np.random.default_rng(5)
    rows = [
        (person, "FM"[person % 2], f"{'AAB'[draw.integers(3)]}{draw.integers(4)}", draw.integers(1, 13))
        for person in range(120)
        for _ in range(4)
    ]
    written(tmp_path / "claims.csv", ("person", "sex", "code", "month"), rows)
    return tmp_path


def assessed(folder: Path, part: dict[str, Any]) -> tuple[bool | None, dict[str, Any]]:
    done = rr.assess(write_file(folder, parts=[{"name": "claims", **EVENTS, **part}]), out=folder / "out")
    return done.acceptable, done.to_dict()["parts"][0]


def test_what_may_be_known_decides(folder: Path) -> None:
    assert CONTENT["context"]["preset"] == "hospital"
    fine, part = assessed(folder, {"known": 0})
    assert fine
    exposed, part = assessed(folder, {"known": 2})
    assert not exposed
    assert part["result"]["longitudinal"]["by_known"][-1]["highest"] == part["judged"]["risk"] == 1.0


def test_events_are_protected_and_written(folder: Path) -> None:
    made = {"deidentify": True, "hierarchies": RULES, "max_event_suppression": 0.3, "out": "made.csv"}
    fine, part = assessed(folder, {"known": 2, **made})
    assert fine
    assert any("of events goes out as" in text for text in part["measures"])
    schema = rr.Schema(quasi=("sex",), unit="person")
    five = rr.Threshold.from_cell_size(5, "test")
    asked = rr.EventKnowledge(("code", "month"))
    assert rr.table_risk(folder / "made.csv", schema, threshold=five, events=asked).acceptable
    assert rr.verify(folder / "out").holds

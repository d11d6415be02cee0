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
    assert any("of events is released as" in text for text in part["measures"])
    schema = rr.Schema(quasi=("sex",), unit="person")
    five = rr.Threshold.from_cell_size(5, "test")
    asked = rr.EventKnowledge(("code", "month"))
    assert rr.table_risk(folder / "made.csv", schema, threshold=five, events=asked).acceptable
    assert rr.verify(folder / "out").holds


def test_the_risk_before_steps_is_of_somebody_who_knows_events_too(folder: Path) -> None:
    written(
        folder / "claims.csv",
        ("person", "sex", "code", "seen"),
        [
            (person, "FM"[person % 2], "AB"[person % 3 % 2], f"2023-0{1 + person % 9}-11")
            for person in range(120)
        ],
    )
    (folder / "release.key").write_text("ab" * 32)
    (folder / "release.key").chmod(0o600)
    steps = [{"kind": "shift_dates", "dates": ["seen"], "person": "person", "days": 9, "release": "a"}]
    events = {"events": ["code", "seen"], "known": 1, "key": "release.key"}
    exposed, part = assessed(folder, {**events, "steps": steps})
    assert not exposed
    source = rr.table_risk(
        folder / "claims.csv",
        rr.Schema(quasi=("sex",), unit="person"),
        events=rr.EventKnowledge(("code", "seen"), known=1),
    )
    assert source.longitudinal is not None
    assert part["initial"]["risk"] == 1 / source.longitudinal.worst.smallest > 1 / 60
    sentence = part["judged"]["sentence"]
    assert "against an adversary who also knows 1 event of a person" in sentence
    assert sentence.endswith("Counted on values that were changed at random: seen.")
    assert part["judged"]["statistic"].endswith("prosecutor who also knows 1 event of a person")
    assert any("known events are counted" in text for text in part["result"]["step_notes"])

"""What would make it acceptable: what is said comes true when it is done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from tests.assess.builders import content, write_data, write_file
from tests.context.builders import every


def found(path: Path) -> list[dict[str, Any]]:
    remedies: list[dict[str, Any]] = rr.assess(path).to_dict()["remedies"]
    return remedies


def test_an_acceptable_release_needs_none(folder: Path) -> None:
    assert found(write_file(folder, "records")) == []


def test_ranks_go_from_what_is_enough_to_what_is_not(folder: Path) -> None:
    write_data(folder, extra=3)
    remedies = found(write_file(folder))
    assert [one["rank"] for one in remedies] == list(range(1, len(remedies) + 1))
    order = [(not one["acceptable_after"], not one["part_acceptable_after"]) for one in remedies]
    assert order == sorted(order)


def test_every_change_that_is_said_to_be_enough_is_enough(folder: Path) -> None:
    """All that can be typed after --set are tried."""
    write_data(folder, extra=3)
    path = write_file(folder, "records", "state", context={"preset": "ipc", "invasion": "medium"})
    tried = 0
    for one in found(path):
        if one["trial"] and one["acceptable_after"] is not None and one["kind"] != "drop":
            tried += 1
            then = rr.assess(path, changes=one["trial"])
            assert then.acceptable is one["acceptable_by_change"], one["text"]
    assert tried > 2


def test_a_single_generalization_tells_its_risk(folder: Path) -> None:
    write_data(folder, extra=7)
    remedies = [one for one in found(write_file(folder, "records")) if one["kind"] == "generalize"]
    texts = [one["text"] for one in remedies]
    assert any(
        text.startswith("Generalize age to ") and "risk from 1.0000 to 0.1429" in text for text in texts
    )
    best = remedies[0]
    assert (best["risk_before"], best["risk_after"], best["acceptable_after"]) == (
        1.0,
        pytest.approx(1 / 7),
        True,
    )


def test_two_more_practices_allow_a_third(folder: Path) -> None:
    write_data(folder, extra=3)
    part = {**content("made")["parts"][0], "ladder": [5, 3], "max_suppression": 0.0, "max_level": {"age": 1}}
    context = {"access": "non_public", "checklist": every(alarms="no", visitors="no")}
    path = write_file(folder, parts=[part], context=context)
    first = found(path)[0]
    assert (first["kind"], first["part"], first["acceptable_after"]) == ("practice", None, True)
    assert first["text"].startswith("Require 2 more practices")
    assert first["change"] is None
    assert set(first["needs_evidence"]) == {"context.checklist.alarms", "context.checklist.visitors"}
    assert rr.assess(path, changes=first["trial"]).acceptable


def test_parts_that_need_different_things_get_both(folder: Path) -> None:
    write_data(folder, extra=7)
    records, state = content("records", "state")["parts"]
    path = write_file(folder, parts=[records, {**state, "max_share": {"total": 0.001}}])
    first = found(path)[0]
    assert first["acceptable_after"]
    assert first["text"].startswith("Together: ")
    assert " And: " in first["text"]


def test_the_other_policy_takes_the_place_of_this_one(folder: Path) -> None:
    state = {**content("state")["parts"][0], "max_share": {"total": 0.001}}
    path = write_file(folder, parts=[state])
    first = next(one for one in found(path) if one["part"] == "state")
    assert first["change"] == {"parts.state.policy": "sex", "parts.state.compare": "year_of_birth,sex"}
    assert rr.assess(path, changes=first["change"]).acceptable is first["acceptable_after"]


def test_sensitivity_says_what_each_choice_would_have_said(folder: Path) -> None:
    path = write_file(folder)
    rows = rr.assess(path).to_dict()["sensitivity"]
    told = {(row["part"], row["what"]): row for row in rows}
    assert told["records", "threshold 1/5"]["acceptable"]
    assert not told["records", "threshold 1/11"]["acceptable"]
    assert ("records", "controls low") not in told, "a cell size does not depend on controls"
    assert ("state", "controls low") not in told, "also for a population"
    assert {what for part, what in told if part == "notes"} >= {"gate rule observed", "gate rule significant"}
    json.dumps(rows, allow_nan=False)


def test_recognition_is_among_the_choices_of_surrogates(folder: Path) -> None:
    part = {**content("notes")["parts"][0], "treatment": "resynthesis", "recognition": 0.05}
    rows = rr.assess(write_file(folder, parts=[part])).to_dict()["sensitivity"]
    assert [row["what"] for row in rows if row["what"].startswith("recognition")] == [
        "recognition 0.1", "recognition 0.27", "recognition 0.68", "recognition 1",
    ]  # fmt: skip

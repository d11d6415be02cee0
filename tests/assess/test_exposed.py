"""Columns of a table that would go out although they name people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import reidrisk as rr
from tests.assess.builders import content


def test_a_column_that_seems_to_identify_people_is_never_ignored(folder: Path) -> None:
    rows = (folder / "rx.csv").read_text(encoding="utf-8")
    (folder / "rx.csv").write_text(rows.replace("name,", "patient_name,", 1), encoding="utf-8")
    given = content("records")
    del given["parts"][0]["direct"]
    done = rr.assess(_in(folder, given))
    assert not done.acceptable
    part = done.to_dict()["parts"][0]
    assert "1 item would leave without being measured: patient_name" in part["judged"]["sentence"]
    assert [(one["part"], one["item"]) for one in done.to_dict()["unmeasured"]] == [
        ("records", "patient_name")
    ]
    assert "not everything that would leave was measured in: records" in done.to_dict()["verdict"]["sentence"]
    first = done.to_dict()["remedies"][0]
    assert first["change"] == {"parts.records.direct": {"patient_name": "drop"}}
    assert first["acceptable_after"]
    assert rr.assess(_in(folder, given), changes=first["change"]).acceptable
    others = [
        one for one in done.to_dict()["remedies"] if one["kind"] == "generalize" and one["change"] is None
    ]
    assert not any(one["acceptable_after"] for one in others)


def test_an_identifier_is_kept_only_with_a_reason(folder: Path) -> None:
    given = content("records", "made")
    for part in given["parts"]:
        part["direct"] = {"name": "keep"}
    kept = rr.assess(_in(folder, given)).to_dict()
    assert [one["item"] for one in kept["unmeasured"]] == ["name", "name"]
    for part in given["parts"]:
        part["other"] = {"name": "invented names"}
    accepted = rr.assess(_in(folder, given)).to_dict()
    assert accepted["unmeasured"] == []
    reasons = [one["reason"] for one in accepted["inventory"] if one["item"] == "name"]
    assert reasons == ["invented names"] * 2


def test_columns_that_the_release_file_does_not_mention_are_listed(folder: Path) -> None:
    given = content("records")
    given["parts"][0] |= {"quasi": ["sex"], "hierarchies": None}
    done = rr.assess(_in(folder, given)).to_dict()
    assert done["parts"][0]["measures"] == ["name is left out before release (as stated, not checked)."]
    assert [one["item"] for one in done["unmeasured"]] == ["age"]


def test_roles_that_nobody_confirmed_stop_the_verdict(folder: Path) -> None:
    given = content("records", "made")
    for part in given["parts"]:
        part["confirmed"] = False
    done = rr.assess(_in(folder, given)).to_dict()
    assert not done["acceptable"]
    assert {one["item"] for one in done["unmeasured"]} == {"roles of the columns"}


def _in(folder: Path, given: dict[str, Any]) -> Path:
    path = folder / "release.yaml"
    path.write_text(json.dumps(given), encoding="utf-8")
    return path

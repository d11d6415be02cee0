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
    assert (
        "patient_name seems to identify people directly, and the release file does not list it"
        in part["judged"]["sentence"]
    )
    first = done.to_dict()["remedies"][0]
    assert first["change"] == {"parts.records.direct": {"patient_name": "drop"}}
    assert first["acceptable_after"]
    assert rr.assess(_in(folder, given), changes=first["change"]).acceptable
    others = [
        one for one in done.to_dict()["remedies"] if one["kind"] == "generalize" and one["change"] is None
    ]
    assert not any(one["acceptable_after"] for one in others)


def test_an_identifier_that_is_kept_on_purpose_is_reported(folder: Path) -> None:
    given = content("records", "made")
    for part in given["parts"]:
        part["direct"] = {"name": "keep"}
    for part in rr.assess(_in(folder, given)).to_dict()["parts"]:
        assert part["judged"]["sentence"].endswith(
            "as the release file states that they identify nobody: name."
        )


def test_columns_that_the_release_file_does_not_mention_are_listed(folder: Path) -> None:
    given = content("records")
    given["parts"][0] |= {"quasi": ["sex"], "hierarchies": None}
    part = rr.assess(_in(folder, given)).to_dict()["parts"][0]
    assert part["measures"] == [
        "name is left out before release (as stated, not checked).",
        "Released unchanged, assuming they do not help an intruder: age.",
    ]


def _in(folder: Path, given: dict[str, Any]) -> Path:
    path = folder / "release.yaml"
    path.write_text(json.dumps(given), encoding="utf-8")
    return path

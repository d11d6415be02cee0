"""What a remedy promises is true: each is written into the release file, and the release is run again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import reidrisk as rr
from reidrisk.assess.editing import edit_release, release_sha256
from reidrisk.assess.judgement import Judgement
from reidrisk.assess.kind import RunControl
from reidrisk.assess.measurement import MeasurementStore, measure_parts
from reidrisk.assess.release_file import read_release
from reidrisk.assess.remedies import combined_remedies, remedy_changes
from reidrisk.context.checklist import practices
from reidrisk.errors import InvalidSetting
from tests.assess.builders import content, write_data, write_file
from tests.cli.running import Run

EVERY = {one.id: {"answer": "yes", "evidence": "a visit"} for one in practices()}
KNOWN = {"preset": "hospital", "access": "non_public"}


def leaks_and_classes(folder: Path) -> Path:
    write_data(folder, leaky=3, extra=7)
    return write_file(folder, "notes", "records", "state")


def public_table(folder: Path) -> Path:
    write_data(folder, extra=3)
    return write_file(folder, "records", "state", context={"preset": "ipc", "invasion": "medium"})


def missing_practices(folder: Path) -> Path:
    write_data(folder, extra=3)
    part = {**content("made")["parts"][0], "ladder": [5, 3], "max_suppression": 0.0, "max_level": {"age": 1}}
    return write_file(folder, parts=[part], context={**KNOWN, "checklist": {**EVERY, "alarms": "no"}})


def no_checklist(folder: Path) -> Path:
    write_data(folder, leaky=1, extra=3)
    part = {**content("made")["parts"][0], "max_suppression": 0.0, "max_level": {"age": 1}}
    return write_file(
        folder, parts=[content("notes")["parts"][0], part], context={**KNOWN, "controls": "low"}
    )


def unconfirmed(folder: Path) -> Path:
    write_data(folder, extra=7)
    records, state = content("records", "state")["parts"]
    return write_file(
        folder, parts=[{**records, "confirmed": False}, {**state, "max_share": {"total": 0.001}}]
    )


def two_needs(folder: Path) -> Path:
    write_data(folder, leaky=2, extra=7)
    notes, records, state = content("notes", "records", "state")["parts"]
    return write_file(folder, parts=[notes, records, {**state, "max_share": {"total": 0.001}}])


@pytest.mark.parametrize(
    "build", [leaks_and_classes, public_table, missing_practices, no_checklist, unconfirmed, two_needs]
)
def test_every_promise_is_kept(build: Callable[[Path], Path], folder: Path, tmp_path: Path) -> None:
    release = build(folder)
    before = rr.assess(release, out=folder / "assessment").to_dict()
    assert before["remedies"]
    for number, one in enumerate(before["remedies"]):
        evidence = dict.fromkeys(one["needs_evidence"], "shown to us")
        changes = remedy_changes(one, evidence)
        if not changes:
            assert one["outside"], one["text"]
            continue
        place = tmp_path / str(number)
        shutil.copytree(folder, place)
        path = place / release.name
        edit_release(path, changes, expected_sha256=release_sha256(path))
        then = rr.assess(path, out=place / "assessment")
        if one["acceptable_by_change"] is not None:
            assert then.acceptable is one["acceptable_by_change"], one["text"]
        if one["part"] is not None and one["part_acceptable_after"] is not None:
            part = next(part for part in then.to_dict()["parts"] if part["name"] == one["part"])
            assert part["judged"]["acceptable"] is one["part_acceptable_after"], one["text"]


def test_no_change_claims_anything(folder: Path) -> None:
    for build in (missing_practices, no_checklist):
        for one in rr.assess(build(folder)).to_dict()["remedies"]:
            assert "checklist" not in json.dumps(one["change"])
            assert "what if" not in json.dumps(one["change"])
            if one["needs_evidence"]:
                with pytest.raises(InvalidSetting, match="needs evidence or a reason"):
                    remedy_changes(one, dict.fromkeys(one["needs_evidence"], " "))


def test_a_combination_with_work_outside_says_so(folder: Path) -> None:
    write_data(folder, extra=7)
    records, state = content("records", "state")["parts"]
    release = read_release(write_file(folder, parts=[records, {**state, "max_share": {"total": 0.001}}]))
    measured = measure_parts(release.parts, RunControl(7), MeasurementStore(None))
    now = Judgement.of(measured, release.score, seed=7)
    single = [
        one
        for refused in now.refused
        if refused.verdict is not None and refused.measurement.measured is not None
        for one in refused.part.remedies(
            refused.measurement.measured, now.case_of(refused.part, refused.verdict)
        )
    ]
    [half] = combined_remedies(single, measured, now)  # a table that is only measured is not generalized here
    assert (half.acceptable_after, half.acceptable_by_change) == (True, False)
    assert set(half.change or {}) == {"parts.state.policy", "parts.state.compare"}
    assert half.outside == ("Generalize age to width 10",)
    settings = [
        replace(one, change={"parts.records.x": 1}, outside=()) for one in single if one.part == "records"
    ]
    [whole] = combined_remedies([*settings, *(one for one in single if one.part == "state")], measured, now)
    assert (whole.acceptable_after, whole.acceptable_by_change, whole.outside) == (True, True, ())


def test_the_command_asks_for_evidence_and_writes_it(folder: Path, command: Run) -> None:
    release = missing_practices(folder)
    assert command("assess", release)[0] == 3
    remedies = json.loads((folder / "assessment" / "assessment.json").read_text())["remedies"]
    one = next(one for one in remedies if one["needs_evidence"])
    code, _, err = command("release", "apply", folder, one["rank"])
    assert (code, "context.checklist.alarms" in err) == (2, True)
    given = [word for key in one["needs_evidence"] for word in ("--evidence", f"{key}=a letter of 2026")]
    assert command("release", "apply", folder, one["rank"], *given)[0] == 0
    found: Any = yaml.safe_load(release.read_text())["context"]["checklist"]["alarms"]
    assert found["evidence"] == "a letter of 2026"
    assert command("release", "apply", folder, one["rank"], *given)[0] == 1  # it was not assessed yet
    assert command("release", "apply", folder, 99)[0] == 2
    assert command("assess", release)[0] == (0 if one["acceptable_by_change"] else 3)

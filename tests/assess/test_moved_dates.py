"""Parts of the same people that move dates differently are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from reidrisk.assess.moved_dates import MovedDates
from reidrisk.assess.release_file import read_release
from reidrisk.core.key import new_key
from reidrisk.errors import InvalidSetting, ReidRiskError
from tests.assess.test_joint import release as clinic_and_notes
from tests.assess.test_joint_kinds import GROUP
from tests.assess.test_joint_kinds import release as registry_and_report
from tests.assess.test_relational import release as database
from tests.cli.running import runner

KEYS = ("my.key", "other.key")
SHIFT = {"kind": "shift_dates", "dates": ["seen"], "person": "id", "days": 30}


def together(folder: Path, notes: dict[str, Any], **settings: Any) -> Path:
    """A database and notes of the same people, with these settings."""
    own = clinic_and_notes(folder)["parts"][1]
    for name in KEYS:
        if not (folder / name).exists():
            new_key(folder / name, "pseudonyms")
    joint = [{"parts": ["base", "notes"], "people": {"notes": "patient"}}]
    return database(
        folder, diagnoses="xx", drugs="mm", settings=settings, parts=[{**own, **notes}], joint=joint
    )


@pytest.mark.parametrize(
    ("notes", "dates", "problem", "hint"),
    [
        ({"date_days": 60}, {"offset": 30, "know": "nothing"}, "base by at most 30 days", "date_days: 60"),
        (
            {"date_days": 60},
            {},
            "base by at most 365 days .dates.offset., notes by at most 60",
            "date_days: 365",
        ),
        ({"date_days": 60}, {"anchor": "2020-01-01"}, "base to an anchor", "in place of anchor"),
        ({"date_days": 60}, {"offset": "none", "reason": "a test"}, "base not at all", "offset: none"),
        (
            {"date_days": 30, "key": "other.key"},
            {"offset": 30},
            "by different keys: base and notes",
            "one key",
        ),
    ],
)
def test_texts_with_another_offset_than_tables(
    tmp_path: Path, notes: dict[str, Any], dates: dict[str, Any], problem: str, hint: str
) -> None:
    path = together(tmp_path, notes, dates=dates)
    content = yaml.safe_load(path.read_text())
    if "anchor" in dates:
        content["parts"][0]["dates"] = yaml.safe_load("{anchor: 2020-01-01}")
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(InvalidSetting, match=problem) as refused:
        read_release(path)
    assert "joint[0].parts" in refused.value.problem
    assert "release.yaml, line" in refused.value.problem
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    "notes", [{}, {"date_days": 30}, {"date_days": 30, "key": "my.key"}, {"date_days": 30, "key": "copy.key"}]
)
def test_one_offset_and_what_the_release_file_does_not_say(tmp_path: Path, notes: dict[str, Any]) -> None:
    new_key(tmp_path / "my.key", "pseudonyms")
    (tmp_path / "copy.key").write_bytes((tmp_path / "my.key").read_bytes())
    (tmp_path / "copy.key").chmod(0o600)
    path = together(tmp_path, notes, dates={"offset": 30, "know": "nothing"})
    assert [part.name for part in read_release(path).parts] == ["base", "notes", "together"]


def test_the_command_ends_as_with_other_bad_release_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = together(tmp_path, {"date_days": 60}, dates={"offset": 30, "know": "nothing"})
    code, _, said = runner(capsys)("assess", path)
    assert code == 2
    assert "notes by at most 60 days (date_days)" in said
    assert "Hint: Write the same range" in said


def test_recipients_who_cannot_pool_may_have_other_offsets(tmp_path: Path) -> None:
    path = together(tmp_path, {"date_days": 60}, dates={"offset": 30, "know": "nothing"})
    content = yaml.safe_load(path.read_text())
    [group] = content["joint"]
    group["recipients"] = {"a": ["base"], "b": ["notes"]}
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(InvalidSetting, match="dates of one person differently"):
        read_release(path)
    group["apart"] = "they signed agreements"
    path.write_text(yaml.safe_dump(content))
    assert len(read_release(path).parts) == 2


def test_documents_and_tables_whose_steps_shift_dates(tmp_path: Path) -> None:
    rules = {"key": "study.key", "shift": {"days": 30}}
    content = registry_and_report(tmp_path, deidentified=rules)
    registry, report = content["parts"]
    kept = {name: registry[name] for name in ("name", "kind", "table", "quasi", "key")}
    for changed in ({**kept, "steps": [SHIFT]}, {**registry, "steps": [SHIFT]}):
        with pytest.raises(InvalidSetting, match="dates of one person differently") as refused:
            read_release({**content, "parts": [changed, report], "joint": [GROUP]})
        assert "deidentified.shift in study.yaml" in refused.value.problem
        assert "shift_dates draws another number" in refused.value.hint
    assert read_release(content).parts[1].moved_dates == MovedDates(
        "deidentified.shift in study.yaml", 30, tmp_path / "study.key"
    )


def test_two_tables_shifted_alike(tmp_path: Path) -> None:
    content = registry_and_report(tmp_path)
    registry, report = content["parts"]
    tables = [{**registry, "name": name, "steps": [SHIFT]} for name in ("registry", "copy")]
    group = {"parts": ["registry", "copy"], "people": {"registry": "id", "copy": "id"}}
    rest = {"parts": ["report"], "none": "other people"}
    whole = {**content, "parts": [*tables, report], "joint": [group, rest]}
    assert len(read_release(whole).parts) == 4
    tables[1]["steps"] = [{**SHIFT, "release": "second"}]
    with pytest.raises(InvalidSetting, match="dates of one person differently"):
        read_release(whole)


@pytest.mark.parametrize(
    ("notes", "problem"),
    [({"key": "my.key"}, "only for texts whose dates"), ({"date_days": 30, "key": "no.key"}, "not exist")],
)
def test_keys_of_texts(tmp_path: Path, notes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ReidRiskError, match=problem):
        read_release(together(tmp_path, notes))

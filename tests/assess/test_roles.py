"""Roles of columns in a release file: suggestions, changes, and that nothing is left unnamed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from reidrisk.assess.drafting import draft_parts
from reidrisk.assess.editing import release_sha256
from reidrisk.assess.roles import OPEN, ROLE_WORDS, part_roles, set_roles
from reidrisk.errors import ChangedMeanwhile, InvalidSetting, ReidRiskError, UnknownColumn
from tests.cli.running import Run

ROWS = [f"Name {at},{'FM'[at % 2]},{30 + at % 4},E11.{at % 3},{'ABC'[at % 3]},{at % 7}" for at in range(60)]


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("drafted")
    (place / "visits.csv").write_text("\n".join(["patient_name,sex,age,diagnosis_code,ward,cost", *ROWS]))
    (place / "release.yaml").write_text(draft_parts(place).text)
    return place


@pytest.fixture
def release(drafted: Path, tmp_path: Path) -> Path:
    shutil.copytree(drafted, tmp_path, dirs_exist_ok=True)
    return tmp_path


def settings(folder: Path) -> dict[str, object]:
    return dict(yaml.safe_load((folder / "release.yaml").read_text())["parts"][0])


def change(folder: Path, roles: dict[str, str], **given: object) -> str:
    known = release_sha256(folder / "release.yaml")
    return set_roles(folder, "visits", roles, expected_sha256=known, **given)  # type: ignore[arg-type]


def test_every_column_has_a_suggestion_and_a_reason(release: Path) -> None:
    found = part_roles(release, "visits")
    assert [one.name for one in found.columns] == [
        "patient_name",
        "sex",
        "age",
        "diagnosis_code",
        "ward",
        "cost",
    ]
    assert not found.confirmed
    roles = {one.name: one.role for one in found.columns}
    assert roles["patient_name"] == "direct:drop"
    assert roles["sex"] == roles["age"] == "quasi"
    assert OPEN in roles.values()
    assert all(one.suggested in ROLE_WORDS and one.reason for one in found.columns)


def test_confirming_leaves_nothing_unnamed(release: Path) -> None:
    before = part_roles(release, "visits")
    assert before.open
    change(release, {}, confirm=True)
    after = part_roles(release, "visits")
    assert after.confirmed
    assert not after.open
    for one in before.columns:
        if one.role == OPEN:
            assert next(new.role for new in after.columns if new.name == one.name) == one.suggested


@pytest.mark.parametrize("role", [role for role in ROLE_WORDS if role not in ("event", "direct:pseudonym")])
def test_a_column_moves_to_every_role_and_back(release: Path, role: str) -> None:
    change(release, {"ward": role}, reasons={"ward": "it is coarse"})
    (found,) = [one for one in part_roles(release, "visits").columns if one.name == "ward"]
    assert found.role == role
    assert found.why == ("it is coarse" if role == "other" else None)
    change(release, {"ward": "sensitive"})
    (found,) = [one for one in part_roles(release, "visits").columns if one.name == "ward"]
    assert found.role == "sensitive"
    assert "other" not in settings(release)
    assert "unit" not in settings(release)


def test_a_column_that_is_no_longer_known_to_others_loses_its_hierarchy(release: Path) -> None:
    assert "age" in settings(release)["hierarchies"]  # type: ignore[operator]
    change(release, {"age": "direct:drop"})
    assert "age" not in settings(release)["hierarchies"]  # type: ignore[operator]
    change(release, {"age": "quasi"})
    assert settings(release)["hierarchies"]["age"]["suppress"] is True  # type: ignore[index]


def test_comments_stay(release: Path) -> None:
    change(release, {"cost": "direct:drop"}, confirm=True)
    text = (release / "release.yaml").read_text()
    assert "# A release, its context and its parts." in text
    assert "confirmed: true" in text


def test_what_makes_no_sense_is_refused_and_changes_nothing(release: Path) -> None:
    before = (release / "release.yaml").read_bytes()
    with pytest.raises(UnknownColumn):
        change(release, {"nothing": "quasi"})
    with pytest.raises(InvalidSetting, match="role of"):
        change(release, {"ward": "strange"})
    with pytest.raises(InvalidSetting, match="Only one column"):
        change(release, {"ward": "unit", "cost": "unit"})
    with pytest.raises(ReidRiskError):
        change(release, {"sex": "direct:drop", "age": "direct:drop", "ward": "direct:drop", "cost": "other"})
    with pytest.raises(ChangedMeanwhile):
        set_roles(release, "visits", {"ward": "quasi"}, expected_sha256="0" * 64)
    with pytest.raises(InvalidSetting):
        part_roles(release, "other")
    assert (release / "release.yaml").read_bytes() == before


def test_a_table_outside_is_not_opened(release: Path, tmp_path: Path) -> None:
    file = release / "release.yaml"
    file.write_text(file.read_text().replace("table: visits.csv", "table: ../visits.csv"))
    with pytest.raises(InvalidSetting, match="not a file in the folder"):
        part_roles(release, "visits")


def test_the_command_shows_and_changes_roles(release: Path, command: Run) -> None:
    code, out, _ = command("release", "roles", release, "visits")
    assert code == 0
    assert "not confirmed yet" in out
    assert "open, suggested:" in out
    code, out, _ = command(
        "release",
        "roles",
        release,
        "visits",
        "ward=sensitive",
        "cost=other",
        "--reason",
        "cost=rounded",
        "--confirm",
    )
    assert code == 0
    assert "visits: confirmed" in out
    assert settings(release)["other"] == {"cost": "rounded"}
    assert command("release", "roles", release, "visits", "ward=strange")[0] == 2


def test_a_copy_has_the_files_and_no_assessment(release: Path, tmp_path: Path, command: Run) -> None:
    (release / "assessment").mkdir()
    (release / "assessment" / "manifest.json").write_text("{}")
    (release / "notes").mkdir()
    (release / "notes" / "a.txt").write_text("a")
    (release / "out").symlink_to("/etc/hostname")
    target = tmp_path.parent / f"{tmp_path.name}-copy"
    assert command("release", "copy", release, target, "--name", "The copy")[0] == 0
    assert sorted(one.name for one in target.iterdir() if one.name != ".reidrisk") == [
        "notes",
        "release.yaml",
        "visits.csv",
    ]
    assert yaml.safe_load((target / "release.yaml").read_text())["release"]["name"] == "The copy"
    assert command("release", "copy", release, target)[0] == 1
    assert command("release", "copy", release, release / "inside")[0] == 1
    assert command("release", "copy", tmp_path.parent, target)[0] == 1

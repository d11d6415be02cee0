"""The context of a release file, read and changed through the questionnaire."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from reidrisk.assess.editing import release_sha256
from reidrisk.assess.release_context import (
    release_about,
    release_context,
    save_context,
    show_context,
    try_context,
)
from reidrisk.assess.release_file import read_release
from reidrisk.context.form_reading import field_values
from reidrisk.errors import ChangedMeanwhile
from tests.assess.builders import write_file


def test_answers_are_written_and_nothing_else(folder: Path) -> None:
    release = write_file(folder, "records")
    release.write_text("# mine\n" + release.read_text())
    shown = show_context(release)
    assert shown.score is not None
    fields = {**field_values(shown.form, shown.settings), "controls": "high"}
    before = release_sha256(release)
    tried = try_context(release, fields)
    assert release_sha256(release) == before
    filled, sha256 = save_context(release, fields, expected_sha256=before)
    assert sha256 == release_sha256(release)
    assert filled.settings == tried.settings == release_context(release)
    assert read_release(release).score.to_dict() == show_context(release).score.to_dict()  # type: ignore[union-attr]
    assert release.read_text().startswith("# mine\n")
    with pytest.raises(ChangedMeanwhile):
        save_context(release, fields, expected_sha256=before)


def test_a_problem_leaves_the_file(folder: Path) -> None:
    release = write_file(folder, "records")
    before = release_sha256(release)
    filled, sha256 = save_context(release, {"breach": "often"}, expected_sha256=before)
    assert (sha256, list(filled.problems)) == (None, ["breach"])
    assert release_sha256(release) == before


def test_a_context_in_a_file_of_its_own_is_read(folder: Path) -> None:
    release = write_file(folder, "records")
    (folder / "sheet.yaml").write_text("others: {answer: yes, evidence: audit}\n")
    (folder / "context.yaml").write_text("access: non_public\nchecklist: sheet.yaml\n")
    content = yaml.safe_load(release.read_text())
    content["context"] = "context.yaml"
    release.write_text(yaml.safe_dump(content))
    assert release_context(release)["checklist"] == {"others": {"answer": "yes", "evidence": "audit"}}


def test_the_submission_and_the_expert_are_fields_of_the_form(folder: Path) -> None:
    release = write_file(folder, "records")
    shown = show_context(release)
    fields = field_values(shown.form, shown.settings)
    about = release_about(release) | {
        "submission.product": "Examplinib",
        "submission.studies": "S-1, S-2",
        "expert.name": "Ada Expert",
    }
    save_context(release, fields, expected_sha256=release_sha256(release), about=about)
    stored = read_release(release).about
    assert stored["submission"] == {"product": "Examplinib", "studies": ["S-1", "S-2"]}
    assert stored["expert"] == {"name": "Ada Expert"}
    again = release_about(release)
    assert again["submission.studies"] == "S-1, S-2"
    save_context(release, fields, expected_sha256=release_sha256(release), about=again | {"expert.name": ""})
    assert release_about(release)["expert.name"] == ""

"""Who gets the data: the form shows what the release file says, and writes nothing but answers."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest

from reidrisk.assess.editing import release_sha256
from reidrisk.assess.release_context import release_context, show_context
from reidrisk.assess.release_file import read_release
from reidrisk.context.form_reading import field_values
from reidrisk.core.trail import read_trail
from tests.cli.running import Run
from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of
from tests.web.small_release import NAME, small_release, words


def fields_of(folder: Path) -> dict[str, str]:
    shown = show_context(folder / "release.yaml")
    return field_values(shown.form, shown.settings)


def test_every_question_is_on_the_page_with_its_answer(client: Client, demo_releases: Path) -> None:
    page = client.get(f"/r/{DEMO}/context")
    assert page.status_code == 200
    shown = show_context(demo_releases / DEMO / "release.yaml")
    text = words(page.text)
    for question in shown.form.questions:
        if question.applies:
            assert f'name="{question.key}"' in page.text, question.key
            assert " ".join(question.text.split()) in text
    assert 'value="invented"' in page.text
    assert "1/3 would require 2 more practices." in text


def test_the_score_is_that_of_the_command(client: Client, demo_releases: Path, command: Run) -> None:
    fields = {**fields_of(demo_releases / DEMO), "access": "public"}
    found = client.post(f"/r/{DEMO}/context/score", data=fields).json()
    context = {**release_context(demo_releases / DEMO / "release.yaml"), "access": "public"}
    file = demo_releases.parent / "context.yaml"
    file.write_text(json.dumps(context))
    code, out, _ = command("context", "score", file)
    assert code == 0
    panel = words(found["panel"])
    assert "Public release: we assume that an attempt at re-identification is certain." in panel
    assert "Public release: we assume that an attempt at re-identification is certain." in " ".join(
        out.split()
    )
    assert found["applies"]["controls"] is False
    assert found["problems"] == {}


def test_problems_are_told_at_the_question(client: Client) -> None:
    found = client.post(f"/r/{DEMO}/context/score", data={"breach": "often", "access": "non_public"}).json()
    assert "not a number from 0 to 1" in found["problems"]["breach"]
    assert "Not complete yet" in found["panel"]
    found = client.post(f"/r/{DEMO}/context/score", data={"preset": "<b>none</b>"}).json()
    assert "<b>none" not in found["panel"]


def test_answers_are_saved_and_logged(tmp_path: Path) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    client = client_of(tmp_path)
    sent = {
        **fields_of(folder),
        "controls": "checklist",
        "checklist.others": "yes",
        "more.checklist.others": "audit of 2026",
        "checklist.training": "no",
        "about.recipient": "A university",
        "about.date": "2026-11-02",
        "sha256": release_sha256(folder / "release.yaml"),
    }
    answer = client.post(f"/r/{NAME}/context", data=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/r/{NAME}/run")
    saved = read_release(folder / "release.yaml")
    assert saved.score.context.controls.checklist is not None
    assert [one.id for one in saved.score.context.controls.checklist.missing] == ["training"]
    assert saved.about["recipient"] == "A university"
    assert str(saved.about["date"]) == "2026-11-02"
    assert read_trail(folder).entries[-1]["command"] == "serve: context"
    again = client.post(f"/r/{NAME}/context", data=sent)
    assert again.status_code == 409
    assert "was changed meanwhile" in words(again.text)


def test_nothing_is_saved_with_a_problem_and_what_was_typed_stays(tmp_path: Path) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    client, before = client_of(tmp_path), release_sha256(folder / "release.yaml")
    for wrong in ({"breach": "often"}, {"about.date": "tomorrow"}, {"about.review_months": "0"}):
        sent = {**fields_of(folder), **wrong, "about.purpose": "<i>mine</i>", "sha256": before}
        answer = client.post(f"/r/{NAME}/context", data=sent)
        assert answer.status_code == 422
        assert html.escape("<i>mine</i>") in answer.text
        assert release_sha256(folder / "release.yaml") == before


def test_only_a_preparer_saves(tmp_path: Path) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    before = release_sha256(folder / "release.yaml")
    for role in ("reviewer", "approver"):
        client = client_of(tmp_path, "Ann", (role,))
        sent = {**fields_of(folder), "controls": "low", "sha256": before}
        assert client.post(f"/r/{NAME}/context", data=sent).status_code == 403
    assert release_sha256(folder / "release.yaml") == before


@pytest.mark.parametrize(
    "text", ["reidrisk: 1\ncontext: 5\n", "reidrisk: [", "reidrisk: 1\ncontext: no.yaml\n"]
)
def test_a_broken_release_file_is_told(tmp_path: Path, text: str) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    (folder / "release.yaml").write_text(text)
    answer = client_of(tmp_path).get(f"/r/{NAME}/context")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text

"""The verdict: its figures are those of the command line, and remedies do what they say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reidrisk.assess.editing import release_sha256
from reidrisk.assess.state import release_state
from reidrisk.report.numbers import probability
from tests.cli.running import Run
from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of
from tests.web.small_release import NAME, ended, small_release, words

VERDICT = f"/r/{NAME}/verdict"


@pytest.fixture(scope="module")
def result(demo_releases: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        (demo_releases / DEMO / "assessment" / "assessment.json").read_text(encoding="utf-8")
    )
    return found


def test_figures_equal_those_of_the_command(client: Client, demo_releases: Path, command: Run) -> None:
    """`assess` of the same release, run again on the command line, against the cells of the page."""
    again = demo_releases.parent / "again.json"
    release = demo_releases / DEMO / "release.yaml"
    code, _, _ = command("assess", release, "--set", "seed=7", "--json", again, "--quiet")
    assert code == 3
    made = json.loads(again.read_text(encoding="utf-8"))
    page = client.get(f"/r/{DEMO}/verdict").text
    cells = re.findall(r'data-figure="(\w+)">([^<]*)<', page)
    expected = [
        (name, probability(part["judged"][name]))
        for part in made["parts"]
        for name in ("risk", "overall", "threshold")
    ]
    assert cells == expected
    text = words(page)
    assert made["verdict"]["sentence"] in text
    for reason in made["reasons"]:
        assert " ".join(reason["text"].split()) in text
    for remedy in made["remedies"]:
        assert " ".join(remedy["text"].split()) in text
    for part in made["parts"]:
        assert f'href="/r/{DEMO}/part/{part["name"]}"' in page


def test_what_leaves_unmeasured_is_on_the_page(client: Client, result: dict[str, object]) -> None:
    text = words(client.get(f"/r/{DEMO}/verdict").text)
    found = result["inventory"]
    assert isinstance(found, list)
    for one in found:
        if one["status"] in ("unmeasured", "accepted"):
            assert one["item"] in text
    assert "stops the verdict" in text


def test_what_the_app_cannot_do_has_no_button(client: Client, result: dict[str, object]) -> None:
    page = client.get(f"/r/{DEMO}/verdict").text
    remedies = result["remedies"]
    assert isinstance(remedies, list)
    for one in remedies:
        start = page.index(f'id="remedy-{one["rank"]}"')
        card = page[start : page.index("</li>", start)]
        assert ("<button" in card) == bool(one["trial"])
        assert card.count('name="evidence.') == len(one["needs_evidence"])
        assert ("outside this app" in card) == bool(one["outside"])


def remedies_of(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "assessment" / "assessment.json").read_text())[
        "remedies"
    ]
    return found


def test_a_trial_writes_nothing_and_tells_the_verdict(tmp_path: Path) -> None:
    folder = small_release(tmp_path, extra=3)
    client = client_of(tmp_path)
    rank = next(one["rank"] for one in remedies_of(folder) if one["trial"])
    before = release_sha256(folder / "release.yaml")
    answer = client.post(f"{VERDICT}/try/{rank}", headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "Trying this change. Nothing is written." in words(answer.text)
    job = ended(folder)
    assert (job.task, job.status) == ("try", "done")
    shown = client.get(f"{VERDICT}/trial/{rank}/{job.id}")
    assert "If you make this change" in words(shown.text)
    assert "If you make this change" in words(client.get(VERDICT).text)  # also after a reload
    assert release_sha256(folder / "release.yaml") == before
    assert release_state(folder).holds
    assert client.get(f"{VERDICT}/trial/{rank}/20261101T101010-00000000").status_code == 404
    assert client.get(f"{VERDICT}/trial/999/{job.id}").status_code == 404


def test_a_practice_needs_evidence_and_an_applied_remedy_is_run(tmp_path: Path) -> None:
    folder = small_release(tmp_path, extra=3)
    client, before = client_of(tmp_path), release_sha256(folder / "release.yaml")
    claims = next(one for one in remedies_of(folder) if one["needs_evidence"])
    plain = next(one for one in remedies_of(folder) if one["change"] and not one["needs_evidence"])
    refused = client.post(f"{VERDICT}/apply/{claims['rank']}", headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "needs evidence or a reason" in words(refused.text)
    assert release_sha256(folder / "release.yaml") == before
    answer = client.post(f"{VERDICT}/apply/{plain['rank']}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/r/{NAME}/run")
    assert release_sha256(folder / "release.yaml") != before
    assert ended(folder).status == "done"
    assert release_state(folder).holds


def test_an_old_verdict_is_marked_and_its_remedies_are_not_applied(tmp_path: Path) -> None:
    folder = small_release(tmp_path, extra=3)
    release = folder / "release.yaml"
    release.write_text(release.read_text().replace("A small release", "A changed release"))
    client, before = client_of(tmp_path), release_sha256(release)
    page = client.get(VERDICT).text
    assert "This is the verdict of an earlier run" in words(page)
    assert "hx-post" not in page
    plain = next(one for one in remedies_of(folder) if one["change"] and not one["needs_evidence"])
    assert client.post(f"{VERDICT}/apply/{plain['rank']}").status_code == 409
    assert release_sha256(release) == before


def test_without_an_assessment_the_page_says_what_to_do(tmp_path: Path) -> None:
    small_release(tmp_path, is_assessed=False)
    text = words(client_of(tmp_path).get(VERDICT).text)
    assert "There is no verdict yet" in text


def test_only_a_preparer_tries_and_applies(tmp_path: Path) -> None:
    folder = small_release(tmp_path, extra=3)
    before = release_sha256(folder / "release.yaml")
    for role in ("reviewer", "approver"):
        client = client_of(tmp_path, "Ann", (role,))
        assert client.post(f"{VERDICT}/try/1").status_code == 403
        assert client.post(f"{VERDICT}/apply/1").status_code == 403
    assert release_sha256(folder / "release.yaml") == before

"""The pages of linked tables and of parts together: figures of the result, states, and the browser."""

from __future__ import annotations

import json
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from reidrisk.core.key import read_key
from reidrisk.report.blocks.relational import tables_and_columns, treatments
from reidrisk.report.kinds import joint_risk, relational_risk
from reidrisk.report.parts import Table
from tests.assess.test_linked_draft import clinic
from tests.web.barriers import barriers, fits, look
from tests.web.conftest import DEMO, OpenPage
from tests.web.serving import Running, client_of

PAGE, TOGETHER = f"/r/{DEMO}/relational/hospital", f"/r/{DEMO}/together/together"


def result_of(root: Path, part: str) -> dict[str, Any]:
    place = root / DEMO / "assessment" / "parts" / part / "result.json"
    return dict(json.loads(place.read_text(encoding="utf-8")))


def assert_shown(table: Table | None, text: str) -> None:
    assert table is not None
    for row in table.rows:
        assert all(cell.strip() in text for cell in row)


def test_pages_show_what_the_results_say(demo_releases: Path) -> None:
    client = client_of(demo_releases)
    page, result = unescape(client.get(PAGE).text), result_of(demo_releases, "hospital")
    for build in (tables_and_columns, treatments):
        assert_shown(build(result["release"]), page)
    assert_shown(relational_risk.tables(result), page)
    joint = result_of(demo_releases, "together")
    assert_shown(joint_risk.parts(joint), unescape(client.get(TOGETHER).text))
    for text in (page, client.get(TOGETHER).text):
        assert joint_risk.charts(joint)[0].description in unescape(text)
        assert 'style="' not in text
    assert client.get(f"/r/{DEMO}/part/hospital").headers["location"] == PAGE
    assert client.get(f"/r/{DEMO}/part/together").headers["location"] == TOGETHER
    assert "What becomes of each column" in client.get(f"/r/{DEMO}/roles").text


@pytest.mark.parametrize(
    "url", ["relational/notes", "relational/nobody", "together/notes", "together/nobody"]
)
def test_other_parts_have_no_such_page(demo_releases: Path, url: str) -> None:
    assert client_of(demo_releases).get(f"/r/{DEMO}/{url}").status_code == 404


def test_what_was_not_measured_says_why_and_what_to_do(tmp_path: Path, demo_releases: Path) -> None:
    folder = tmp_path / DEMO
    folder.mkdir()
    shutil.copy(demo_releases / DEMO / "release.yaml", folder)
    client = client_of(tmp_path)
    assert "This part was not measured yet" in client.get(PAGE).text
    assert client.get(TOGETHER).status_code == 404
    assessed = json.loads((demo_releases / DEMO / "assessment" / "assessment.json").read_text())
    for one in assessed["parts"]:
        one["error"] = {"problem": "Nobody accounted for 1 column.", "hint": "Write what becomes of it."}
    (folder / "assessment").mkdir()
    (folder / "assessment" / "assessment.json").write_text(json.dumps(assessed))
    for url in (PAGE, TOGETHER):
        shown = client.get(url).text
        assert "Nobody accounted for 1 column." in shown
        assert "Write what becomes of it." in shown


def test_files_that_refer_to_each_other_become_linked_tables(tmp_path: Path) -> None:
    clinic(tmp_path / "given")
    (tmp_path / "served").mkdir()
    client = client_of(tmp_path / "served")
    url = client.post("/new").json()["url"]
    for name in ("patients.csv", "visits.csv"):
        content = (tmp_path / "given" / "clinic" / name).read_bytes()
        assert client.put(f"{url}/file", params={"name": name}, content=content).status_code == 200
    made = client.post(f"{url}/make", data={"title": "Clinic"}).headers["location"]
    assert made == "/r/clinic/files"
    shown = client.get(made).text
    assert "taken for linked tables about the same people" in shown
    assert "uploads/visits.csv" in shown
    assert "refers to" in client.get("/r/clinic/files/patients/why").text
    assert len(read_key(tmp_path / "served" / "clinic" / "pseudonyms.key")) >= 32


def test_in_the_browser_from_the_verdict_to_the_tables(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, f"/r/{DEMO}/verdict", bypass_csp=True)
    page.locator("table.parts").get_by_role("link", name="together").click()
    expect(page.get_by_role("heading", name="Parts together: hospital, notes")).to_be_visible()
    expect(page.get_by_role("img", name="What each part adds")).to_be_visible()
    assert barriers(page) == []
    assert fits(page)
    page.get_by_label("The parts").get_by_role("link", name="hospital").click()
    graph = page.locator("figure", has=page.get_by_role("img", name="Tables and their keys"))
    expect(graph).to_be_visible()
    graph.get_by_text("As table").click()
    expect(graph.get_by_role("cell", name="visit_id").first).to_be_visible()
    assert barriers(page) == []
    assert fits(page)
    look(page, is_dark=True, width=820)
    assert barriers(page, is_by_looks=True) == []
    assert fits(page)


def test_no_message_of_the_browser_under_the_policy(server: Running, open_page: OpenPage) -> None:
    for url in (PAGE, TOGETHER):
        page = open_page(server, url, dark=True, width=820)
        expect(page.locator("figure svg").first).to_be_visible()

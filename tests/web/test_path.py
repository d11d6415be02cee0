"""The path in the browser: from dropped files to confirmed roles; wrong files, two tabs, copies."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect

from tests.web.barriers import ANY, barriers, fits, look
from tests.web.conftest import DEMO, OpenPage
from tests.web.serving import Running, running
from tests.web.small import SECRET, write_release, write_table, write_texts


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Running]:
    (tmp_path / "served").mkdir()
    with running(tmp_path / "served") as found:
        yield found


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One release, whose roles nobody has confirmed; read only."""
    place = tmp_path_factory.mktemp("draft")
    write_release(place / "visits")
    return place


@pytest.fixture
def drafted(draft: Path, tmp_path: Path) -> Iterator[Running]:
    """A server with a copy of it."""
    shutil.copytree(draft, tmp_path / "served")
    with running(tmp_path / "served") as found:
        yield found


def part(folder: Path) -> dict[str, object]:
    return dict(yaml.safe_load((folder / "release.yaml").read_text())["parts"][0])


def test_from_files_to_confirmed_roles_in_five_clicks(
    empty: Running, open_page: OpenPage, tmp_path: Path
) -> None:
    files = [write_table(tmp_path / "visits.csv"), *write_texts(tmp_path)]
    page = open_page(empty, allowed=("404",))  # the page after the roles is of others
    page.get_by_role("link", name="Start with your files").click()
    page.get_by_label("Name of the release").fill("Visits & notes")
    page.get_by_label("Choose files").set_input_files(files)
    expect(page.locator("#chosen li")).to_have_count(3)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/r/visits-notes/files")
    expect(page.get_by_role("heading", level=1)).to_have_text("Files of Visits & notes")
    expect(page.get_by_text("taken for a table")).to_be_visible()
    expect(page.get_by_text("taken for texts with annotations")).to_be_visible()
    page.get_by_role("link", name="Continue to roles").click()
    expect(page.get_by_label("Role of patient_name", exact=True)).to_have_value("direct:drop")
    expect(page.get_by_role("row", name="patient_name")).to_contain_text("a name of a person")
    assert SECRET not in page.content()
    page.get_by_role("button", name="Confirm all 6 roles").click()
    page.wait_for_url("**/r/visits-notes/context")
    folder = empty.root / "visits-notes"
    saved = next(
        one for one in yaml.safe_load((folder / "release.yaml").read_text())["parts"] if "table" in one
    )
    assert saved["confirmed"] is True
    named = {*saved["quasi"], *saved["direct"], *saved.get("sensitive", ()), *saved.get("other", ())}
    assert named == {"patient_name", "sex", "age", "postal_code", "diagnosis_code", "ward"}


def test_files_are_dropped(empty: Running, open_page: OpenPage) -> None:
    page = open_page(empty, "/new")
    data = page.evaluate_handle(
        """() => { const data = new DataTransfer();
        data.items.add(new File(["sex,age\\nF,30\\nM,31\\n"], "people.csv")); return data; }"""
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": data})
    expect(page.locator("#chosen")).to_contain_text("people.csv")
    page.get_by_role("button", name="Remove people.csv").click()
    expect(page.locator("#chosen li")).to_have_count(0)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("No file is chosen")


def test_a_wrong_file_is_refused_with_what_to_do(empty: Running, open_page: OpenPage, tmp_path: Path) -> None:
    wrong = tmp_path / "table.csv"
    wrong.write_bytes(b"%PDF-1.7 not a table")
    right = write_table(tmp_path / "visits.csv")
    page = open_page(empty, "/new", allowed=("422",))
    page.get_by_label("Choose files").set_input_files([wrong])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("The content of table.csv is not what its suffix says")
    page.get_by_role("button", name="Remove table.csv").click()
    page.get_by_label("Choose files").set_input_files([right])
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/r/visits/files")


def test_a_file_of_no_known_kind_can_be_left_out(empty: Running, open_page: OpenPage, tmp_path: Path) -> None:
    other = tmp_path / "picture.pdf"
    other.write_bytes(b"%PDF-1.7 a document")
    page = open_page(empty, "/new")
    page.get_by_label("Choose files").set_input_files([write_table(tmp_path / "visits.csv"), other])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Not every file can be part of a release")
    page.get_by_role("button", name="Leave it out").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/r/visits/files")


def test_what_a_file_is_taken_for_and_why(drafted: Running, open_page: OpenPage) -> None:
    page = open_page(drafted, "/r/visits/files")
    page.get_by_text("Not so?").click()
    expect(page.get_by_text("It has 6 columns and 60 rows.")).to_be_visible()
    expect(page.get_by_text("It can be nothing else.")).to_be_visible()
    assert SECRET not in page.content()


def test_a_part_is_left_out_and_a_file_added(drafted: Running, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(drafted, "/r/visits/files")
    page.get_by_label("Choose files").set_input_files(write_texts(tmp_path))
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("taken for texts with annotations")).to_be_visible()
    page.locator("section", has_text="visits.csv").get_by_text("Not so?").click()
    page.get_by_role("button", name="Leave visits out of the release").click()
    expect(page.get_by_text("taken for a table")).to_have_count(0)
    assert part(drafted.root / "visits")["kind"] == "text"
    assert (drafted.root / "visits" / "uploads" / "visits.csv").exists()


def test_one_role_is_changed_and_each_is_read(drafted: Running, open_page: OpenPage) -> None:
    page = open_page(drafted, "/r/visits/roles", allowed=("404", "422"))
    page.get_by_label("Role of ward", exact=True).select_option("sensitive")
    page.get_by_role("button", name="Confirm those marked as read").click()
    expect(page.get_by_role("alert")).to_contain_text("not marked as read: patient_name, sex")
    expect(page.get_by_label("Role of ward", exact=True)).to_have_value("sensitive")
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Confirm those marked as read").click()
    page.wait_for_url("**/r/visits/context")
    saved = part(drafted.root / "visits")
    assert saved["confirmed"] is True
    assert "ward" in saved["sensitive"]  # type: ignore[operator]
    page.goto(drafted.origin + "/r/visits/roles")
    expect(page.get_by_text("A person has read and confirmed these roles.")).to_be_visible()


def test_the_second_of_two_tabs_overwrites_nothing(drafted: Running, open_page: OpenPage) -> None:
    first = open_page(drafted, "/r/visits/roles", user="Ann")
    second = open_page(drafted, "/r/visits/roles", user="Ben", allowed=("409",))
    for page, role in ((first, "sensitive"), (second, "direct:drop")):
        page.get_by_label("Role of ward", exact=True).select_option(role)
        page.get_by_role("button", name="Save without confirming").click()
    expect(first.get_by_label("Role of ward", exact=True)).to_have_value("sensitive")
    expect(second.get_by_role("alert")).to_contain_text("was changed meanwhile")
    second.get_by_role("link", name="Load the page again").click()
    expect(second.get_by_label("Role of ward", exact=True)).to_have_value("sensitive")
    assert "ward" in part(drafted.root / "visits")["sensitive"]  # type: ignore[operator]


def test_a_role_that_makes_no_sense_keeps_what_was_chosen(drafted: Running, open_page: OpenPage) -> None:
    page = open_page(drafted, "/r/visits/roles", allowed=("422",))
    for name in ("sex", "age", "postal_code", "ward"):
        page.get_by_label(f"Role of {name}", exact=True).select_option("direct:drop")
    page.get_by_role("button", name="Save without confirming").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Role of sex", exact=True)).to_have_value("direct:drop")
    assert "sex" in part(drafted.root / "visits")["quasi"]  # type: ignore[operator]


def test_a_release_is_copied_and_compared(own_releases: Path, open_page: OpenPage) -> None:
    with running(own_releases) as server:
        page = open_page(server, f"/r/{DEMO}/files")
        page.get_by_role("link", name="Copy this release").click()
        page.get_by_label("Name of the copy").fill("Second try")
        page.get_by_role("button", name="Copy", exact=True).click()
        page.wait_for_url("**/r/second-try/files")
        assert not (own_releases / "second-try" / "assessment").exists()
        page.goto(f"{server.origin}/r/{DEMO}/compare")
        expect(page.get_by_role("heading", name="There is no other release with a verdict")).to_be_visible()
        _assess_without_documents(own_releases / "second-try")
        page.reload()
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", name="Compared with Second try")).to_be_visible()
        expect(page.get_by_role("row", name="report_draft")).to_contain_text("present")
        page.close()


def _assess_without_documents(folder: Path) -> None:
    """Assess what is quick to measure."""
    from reidrisk.assess.run import assess

    content = yaml.safe_load((folder / "release.yaml").read_text())
    content["parts"] = [one for one in content["parts"] if one["kind"] == "population"]
    del content["joint"]
    (folder / "release.yaml").write_text(yaml.safe_dump(content))
    assess(folder / "release.yaml", out=folder / "assessment")


def test_a_release_without_a_table_has_no_roles(
    drafted: Running, open_page: OpenPage, tmp_path: Path
) -> None:
    folder = drafted.root / "visits"
    write_texts(folder)
    text = (folder / "release.yaml").read_text()
    notes = "parts:\n  - {name: notes, kind: text, gold: gold.jsonl, tool: tool.jsonl}\n"
    (folder / "release.yaml").write_text(text[: text.index("parts:\n")] + notes)
    page = open_page(drafted, "/r/visits/roles")
    expect(page.get_by_role("heading", name="There is no table in this release")).to_be_visible()


def test_a_broken_release_file_says_where(drafted: Running, open_page: OpenPage) -> None:
    (drafted.root / "visits" / "release.yaml").write_text("reidrisk: 1\nparts: [\n")
    page = open_page(drafted)
    expect(page.get_by_role("row", name="visits")).to_contain_text("line")
    page.goto(drafted.origin + "/r/visits/files")
    expect(page.get_by_role("alert").first).to_contain_text("line")


PAGES = ("/", "/new", *(f"/r/visits/{one}" for one in ("files", "roles", "copy", "compare")))


def test_pages_are_accessible(drafted: Running, open_page: OpenPage) -> None:
    page = open_page(drafted, bypass_csp=True)
    for path in PAGES:
        look(page, is_dark=False, width=1280)
        page.goto(drafted.origin + path)
        assert barriers(page, impacts=ANY) == []
        assert fits(page), path
        look(page, is_dark=True, width=820)
        assert barriers(page, is_by_looks=True, impacts=ANY) == []
        assert fits(page), path

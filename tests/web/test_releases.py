"""The first page in the browser: the list of releases."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from reidrisk.assess.state import list_releases
from tests.web.conftest import DEMO, OpenPage
from tests.web.serving import Running, running


def test_it_lists_releases_with_verdict_and_next_review(server: Running, open_page: OpenPage) -> None:
    page = open_page(server)
    (state,) = list_releases(server.root)
    row = page.get_by_role("row", name=state.title)
    expect(row).to_contain_text("not acceptable")
    expect(row).to_contain_text(str(state.next_review or "–"))
    expect(row.get_by_role("link")).to_have_attribute("href", f"/r/{DEMO}")


def test_an_empty_folder_says_how_to_start(tmp_path: Path, open_page: OpenPage) -> None:
    with running(tmp_path) as own:
        page = open_page(own)
        expect(page.get_by_role("heading", name="There is no release here yet")).to_be_visible()
        expect(page.get_by_role("link", name="Start with your files")).to_have_attribute("href", "/new")
        page.close()


def test_the_demo_is_started_and_cancelled(tmp_path: Path, open_page: OpenPage) -> None:
    with running(tmp_path) as own:
        page = open_page(own)
        page.get_by_role("button", name="Try the demo").click()
        expect(page.get_by_role("heading", name="Making the demo")).to_be_visible()
        expect(page.locator("#demo")).to_contain_text("Job 1, text")
        expect(page.locator("#demo")).to_contain_text("0 of 7")
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("#demo")).to_contain_text("The demo was cancelled")
        expect(page.get_by_role("button", name="Try the demo")).to_be_visible()
        page.close()
    assert [one.name for one in tmp_path.iterdir()] == [".reidrisk"]


def test_colors_are_remembered(server: Running, open_page: OpenPage) -> None:
    page = open_page(server)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_label("Colors").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_the_link_works_once(tmp_path: Path, browser: object, open_page: OpenPage) -> None:
    with running(tmp_path) as own:
        page = open_page(own, allowed=("403",))
        page.context.clear_cookies()
        page.goto(own.link)
        page.wait_for_url(own.origin + "/")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Releases in")
        page.goto(own.link)
        expect(page.get_by_role("alert")).to_contain_text("used already")
        page.close()

"""The page of a table in the browser: sliders, dots, previews, classes, and accessibility."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from reidrisk.core.yaml_file import read_yaml
from tests.web.barriers import barriers_in_both
from tests.web.conftest import DEMO, OpenPage
from tests.web.serving import Running, running

PART = f"/r/{DEMO}/table/released"


def slide(page: Page, label: str, value: str) -> None:
    page.get_by_label(label).fill(value)


def test_sliders_recount_and_buttons_lead_to_a_solution(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, f"{PART}/solutions")
    answer = page.locator(".answer")
    expect(answer).to_contain_text("No solution at 1/5")
    page.get_by_role("button", name="Accept a smallest class of 3").click()
    expect(answer).to_contain_text("Solutions at 1/3")
    expect(page.locator("#cell-size-text")).to_contain_text("threshold 1/3")
    expect(page.get_by_label("This combination of levels")).to_contain_text("1,282 (12.4 %)")
    slide(page, "Smallest class", "5")
    page.get_by_role("button", name="Allow 22.4 % with suppressed values").click()
    expect(answer).to_contain_text("Solutions at 1/5")
    expect(page.locator("#share-text")).to_contain_text("22.4")


def test_dots_by_keyboard(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, f"{PART}/solutions?cell_size=3&max_suppression=0.4")
    dots = page.get_by_role("radio", name="Loss")
    assert dots.count() > 1
    expect(dots.first).to_have_attribute("aria-checked", "true")
    dots.first.focus()
    page.keyboard.press("ArrowRight")
    expect(dots.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(dots.nth(1)).to_have_attribute("aria-checked", "true")
    expect(dots.nth(1)).to_be_focused()
    expect(page.locator("#use input[name=node]")).to_have_value(str(dots.nth(1).get_attribute("data-node")))
    page.get_by_role("button", name="Show values before and after").click()
    expect(page.locator("#spread .chart-card").first).to_be_visible(timeout=60_000)


def test_a_solution_is_used_and_a_second_tab_is_told(own_releases: Path, open_page: OpenPage) -> None:
    with running(own_releases) as own:
        path = f"{PART}/solutions?cell_size=3&max_suppression=0.15"
        first = open_page(own, path)
        second = open_page(own, path, allowed=("409",))
        first.get_by_role("button", name="Use this").click()
        expect(first.get_by_text("Written to the release file")).to_be_visible()
        second.get_by_role("button", name="Use this").click()
        expect(second.get_by_role("alert")).to_contain_text("changed meanwhile")
        parts = read_yaml(own_releases / DEMO / "release.yaml")["parts"]
        (part,) = [one for one in parts if one["name"] == "released"]
        assert part["max_level"]["admission_date"] == "quarter"
        for page in (first, second):
            page.close()


def test_a_hierarchy_is_previewed_while_it_is_typed(own_releases: Path, open_page: OpenPage) -> None:
    with running(own_releases) as own:
        page = open_page(own, f"{PART}/hierarchies", allowed=("422",))
        expect(page.locator(".hierarchy").first).to_be_visible(timeout=60_000)
        card = page.locator(".hierarchy", has=page.get_by_role("heading", name="admission_date"))
        card.get_by_text("Change the levels of admission_date").click()
        card.get_by_label("Levels, from fine to coarse").fill("day, half_year")
        expect(card.locator(".draft")).to_contain_text("half_year", timeout=60_000)
        card.get_by_label("Levels, from fine to coarse").fill("day, parsec")
        expect(card.locator(".draft").get_by_role("alert")).to_be_visible()
        card.get_by_label("Levels, from fine to coarse").fill("day, quarter")
        expect(card.locator(".draft")).to_contain_text("Nothing is saved yet")
        card.get_by_label("At most month").check()
        page.wait_for_load_state()
        expect(page.locator(".hierarchy").first).to_be_visible(timeout=60_000)
        parts = read_yaml(own_releases / DEMO / "release.yaml")["parts"]
        assert [one["max_level"] for one in parts if one["name"] == "released"] == [
            {"admission_date": "month"}
        ]
        page.close()


def test_classes_and_their_values(own_releases: Path, open_page: OpenPage) -> None:
    with running(own_releases) as own:
        page = open_page(own, f"{PART}/risk")
        page.get_by_role("button", name="Count the riskiest classes").click()
        expect(page.locator(".waterfall")).to_contain_text("Why class 1 is small", timeout=60_000)
        page.get_by_role("button", name="Why is class 3 small").click()
        expect(page.locator(".waterfall")).to_contain_text("Why class 3 is small")
        expect(page.locator(".waterfall .value")).to_have_count(0)
        page.get_by_role("button", name="Show the values of this class (logged)").click()
        expect(page.locator(".waterfall .value").first).to_be_visible()
        page.close()


def test_no_serious_barriers(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, f"{PART}/columns", bypass_csp=True)
    for tab, ready in (
        ("columns", "table"),
        ("hierarchies", ".hierarchy"),
        ("solutions?cell_size=3&max_suppression=0.4", ".explorer"),
        ("solutions", ".explorer"),
        ("risk", ".chart-card"),
        ("download", ".card"),
    ):
        page.goto(f"{server.origin}{PART}/{tab}")
        page.locator(ready).first.wait_for(timeout=60_000)
        if tab == "risk":
            page.get_by_role("button", name="Count the riskiest classes").click()
            page.locator(".waterfall").wait_for(timeout=60_000)
        for summary in page.locator("main summary").all():
            summary.click()
        assert barriers_in_both(page) == []

"""Texts and populations in the browser: sliders, leaks, keyboard, light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from reidrisk.core.trail import read_trail
from tests.web.barriers import barriers, fits, look
from tests.web.conftest import DEMO, OpenPage
from tests.web.serving import Running, running

TEXT = f"/r/{DEMO}/text/notes"
POPULATION = f"/r/{DEMO}/population/demographics"
LONG = 60_000
"""Milliseconds; the machine may be busy."""


def assert_readable(page: Page) -> None:
    """In light colors and wide, and in dark ones and narrow."""
    assert barriers(page) == []
    assert fits(page)
    look(page, is_dark=True, width=820)
    assert barriers(page, is_by_looks=True) == []
    assert fits(page)


def test_sliders_of_recall_and_recognition(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, TEXT)
    answer = page.locator("#what-if-answer")
    expect(answer).to_contain_text("What if, not a verdict", timeout=LONG)
    expect(answer).to_contain_text("would stay")
    name = page.get_by_label("NAME direct")
    before = page.locator(f"#{name.get_attribute('data-output')}").inner_text()
    with page.expect_response(lambda one: "recall.NAME=1" in one.url, timeout=LONG) as asked:
        name.focus()
        page.keyboard.press("End")
    assert "recognition" not in asked.value.url  # only what was moved is sent
    expect(page.locator(f"#{name.get_attribute('data-output')}")).to_have_text("100.0 %")
    expect(answer).to_contain_text("instead of", timeout=LONG)
    with page.expect_response(lambda one: "recognition=0.5" in one.url, timeout=LONG):
        page.get_by_label("Recognition", exact=True).fill("0.5")
    page.get_by_role("button", name="Back to what was measured").click()
    expect(answer).to_contain_text("would stay", timeout=LONG)
    expect(page.locator(f"#{name.get_attribute('data-output')}")).to_have_text(before)


def test_one_leak_at_a_time_after_a_click_that_says_so(own_releases: Path, open_page: OpenPage) -> None:
    with running(own_releases) as own:
        page = open_page(own, TEXT)
        page.get_by_role("button", name="List the places").click()
        buttons = page.get_by_role("button", name="this is logged")
        expect(buttons.first).to_be_visible(timeout=LONG)
        shown = page.locator("#leak-text")
        expect(shown).to_be_empty()
        before = len(read_trail(own_releases / DEMO).entries)
        buttons.nth(0).click()
        expect(shown).to_contain_text("Leak 1:", timeout=LONG)
        buttons.nth(4).click()
        expect(shown).to_contain_text("Leak 5:", timeout=LONG)
        expect(shown.locator(".card")).to_have_count(1)
        page.get_by_role("button", name="Hide the text").click()
        expect(shown).to_be_empty()
        assert len(read_trail(own_releases / DEMO).entries) == before + 2
        page.close()


def test_the_slider_of_g(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, POPULATION)
    expect(page.get_by_role("heading", name="Policies at g = 5")).to_be_visible()
    slider = page.get_by_label("g, the size of a group")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Policies at g = 6")).to_be_visible(timeout=LONG)
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name="Policies at g = 50")).to_be_visible(timeout=LONG)
    expect(page.locator("#g-shown")).to_have_text("50")


def test_texts_are_readable_for_all(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, TEXT, bypass_csp=True)
    expect(page.locator("#what-if-answer")).to_contain_text("What if", timeout=LONG)
    page.get_by_role("button", name="List the places").click()
    expect(page.locator("table.leaks")).to_be_visible(timeout=LONG)
    assert_readable(page)


def test_populations_are_readable_for_all(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, POPULATION, bypass_csp=True)
    page.get_by_role("button", name="Try all policies").click()
    expect(page.locator("#explored figure").first).to_be_visible(timeout=LONG)
    assert_readable(page)

"""The page in a real browser: nothing loaded, nothing wrong, readable on a phone and in the dark."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from reidrisk.core.files import write_text
from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.tiny import HOSTILE, RESYNTHESIS, result

Scheme = Literal["light", "dark"]
CONTRAST = """() => {
  const channel = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 }
  const light = text => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number)
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  }
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor
      if (!colour.startsWith('rgba(0, 0, 0, 0')) return colour
    }
    return 'rgb(255, 255, 255)'
  }
  const ratios = [...document.querySelectorAll('h1, h2, h3, p, li, th, td, dt, dd, a, figcaption, svg text')]
    .filter(element => element.textContent.trim())
    .map(element => {
      const style = getComputedStyle(element)
      const [a, b] = [light(element.closest('svg') ? style.fill : style.color), light(ground(element))]
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    })
  return Math.min(...ratios)
}"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_text(path, page([result(release=RESYNTHESIS), result(rename=HOSTILE)]))
    return path


def _open(
    browser: Browser, path: Path, *, width: int = 1200, scheme: Scheme = "light"
) -> tuple[Page, list[str]]:
    tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    trouble: list[str] = []
    tab.on("console", lambda message: trouble.append(f"console: {message.text}"))
    tab.on("pageerror", lambda error: trouble.append(f"error: {error}"))
    tab.on("request", lambda request: trouble.append(f"request: {request.url}"))
    tab.goto(path.as_uri())
    return tab, [entry for entry in trouble if entry != f"request: {path.as_uri()}"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 400])
def test_it_opens_without_errors_requests_or_sideways_scrolling(
    browser: Browser, written: Path, width: int, scheme: Scheme
) -> None:
    tab, trouble = _open(browser, written, width=width, scheme=scheme)
    assert trouble == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_charts_are_seen_and_named(browser: Browser, written: Path, scheme: Scheme) -> None:
    tab, _ = _open(browser, written, scheme=scheme)
    for section in ("#r1", "#r2"):
        charts = tab.locator(f"{section} svg[role=img]")
        assert charts.count() == 4
        for number in range(4):
            box: Any = charts.nth(number).bounding_box()
            assert box["width"] > 300
            assert box["height"] > 80
    names = tab.get_by_role("img", name="Recall by type")
    assert names.count() == 2
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser: Browser, written: Path, scheme: Scheme) -> None:
    tab, _ = _open(browser, written, scheme=scheme)
    assert tab.evaluate(CONTRAST) >= 4.5
    tab.close()


def test_headings_descend_without_a_gap(browser: Browser, written: Path) -> None:
    tab, _ = _open(browser, written)
    levels = tab.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    tab.close()


def test_the_overview_leads_to_each_result(browser: Browser, written: Path) -> None:
    tab, _ = _open(browser, written)
    tab.locator("section[aria-labelledby=overview] tbody a").nth(1).click()
    assert tab.locator("#r2").evaluate("e => Math.abs(e.getBoundingClientRect().top) < 5")
    tab.close()


def test_names_from_the_data_are_shown_and_never_run(browser: Browser, written: Path) -> None:
    tab, trouble = _open(browser, written)
    assert trouble == []
    assert tab.locator("script").count() == 0
    assert tab.get_by_role("rowheader", name="<script>alert(1)</script>").count() > 0
    tab.close()


def test_a_notebook_keeps_its_own_looks_around_the_fragment(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    write_text(path, f"<!DOCTYPE html><h2>Mine</h2><p id=mine>Text</p>{draw(result(), 'html')}")
    tab, trouble = _open(browser, path)
    assert trouble == []
    assert tab.locator("#mine").evaluate("e => getComputedStyle(e).marginTop") == "16px"
    assert tab.locator(".reidrisk svg[role=img]").count() == 4
    tab.locator("summary", has_text="Recall by type").click()
    assert tab.get_by_role("rowheader", name="NAME").first.is_visible()
    tab.close()

"""Reports in a real browser: nothing loaded, readable on a phone, the summary on one sheet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from reidrisk.core.files import write_text
from reidrisk.report.page import document_page
from reidrisk.report.writing import TEMPLATES, document_of
from tests.e2e.test_page import CONTRAST, Scheme, _open
from tests.report.assessed import accepted, assessment
from tests.report.test_document_page import hostile, page_of

SHEET = (688, 1001)
"""A4 within its margins, in CSS pixels."""
BOTTOM = "document.querySelector('.rr-first').getBoundingClientRect().bottom + scrollY"
CLIPPED = """[...document.querySelectorAll('.rr-first .rr-scroll')]
  .filter(element => element.scrollWidth > element.clientWidth + 1).length"""


@pytest.fixture(scope="module", params=TEMPLATES)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_text(path, page_of(assessment, request.param))
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "light"), (400, "dark")])
def test_it_is_readable_without_errors_requests_or_sideways_scrolling(
    browser: Browser, written: Path, width: int, scheme: Scheme
) -> None:
    tab, trouble = _open(browser, written, width=width, scheme=scheme)
    assert trouble == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.evaluate(CLIPPED) == 0
    assert tab.evaluate(CONTRAST) >= 4.5
    tab.close()


def test_the_summary_is_one_sheet_of_paper(browser: Browser, written: Path) -> None:
    tab, _ = _open(browser, written, width=SHEET[0])
    tab.emulate_media(media="print")
    assert tab.evaluate(BOTTOM) <= SHEET[1]
    tab.close()


@pytest.mark.parametrize("given", [assessment, accepted])
def test_what_goes_to_a_board_prints_on_one_page(browser: Browser, tmp_path: Path, given: Any) -> None:
    path = tmp_path / "summary.html"
    content = given()
    content["release"]["name"] = "Notes, prescriptions and demographics of a hospital for children"
    write_text(path, document_page(document_of(content, template="summary")))
    tab, _ = _open(browser, path, width=SHEET[0])
    printed = tab.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    tab.close()


def test_texts_of_the_release_do_nothing(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_text(path, page_of(hostile))
    tab, trouble = _open(browser, path, width=400)
    assert trouble == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.close()

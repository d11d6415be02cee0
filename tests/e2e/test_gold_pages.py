"""Pages of comparisons, samples and agreement in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from reidrisk.core.files import write_text
from reidrisk.report.page import page
from tests.e2e.test_page import CONTRAST, Scheme, _open
from tests.report.gold import result

CASES = ("comparison: hostile names", "sample: too few", "agreement: four")


@pytest.fixture(scope="module", params=CASES)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_text(path, page([result(request.param)]))
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "dark")])
def test_it_is_readable_without_errors_requests_or_sideways_scrolling(
    browser: Browser, written: Path, width: int, scheme: Scheme
) -> None:
    tab, trouble = _open(browser, written, width=width, scheme=scheme)
    assert trouble == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.evaluate(CONTRAST) >= 4.5
    tab.close()

"""One browser for all tests of pages that follow each other."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu")
"""Machines that run tests have no graphics processor; to imitate one takes half of the browser's time."""


class Chromium:
    """The system's browser. It starts when a test asks for it and is stopped before a test without it.

    Playwright keeps an event loop in the thread, which other tests must not meet.
    """

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def started(self) -> Browser:
        from playwright.sync_api import sync_playwright

        if self._browser is None or not self._browser.is_connected():
            self.stop()
            found = next(filter(None, map(shutil.which, PROGRAMS)), None)
            if found is None:
                pytest.fail("Chromium is missing. Install it, for example: apt-get install chromium")
            self._playwright = sync_playwright().start()
            self._browser = self._playwright.chromium.launch(executable_path=found, args=OPTIONS)
        return self._browser

    def stop(self) -> None:
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._browser = self._playwright = None

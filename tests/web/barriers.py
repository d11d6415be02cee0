"""What axe finds wrong on a page, in the looks that people choose."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")
ANY = ("minor", "moderate", *SERIOUS)
BY_LOOKS = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
"""Rules whose answer depends on colors or on the width; the others read names, roles and structure."""


def barriers(page: Page, *, is_by_looks: bool = False, impacts: tuple[str, ...] = SERIOUS) -> list[Any]:
    """Violations of the page as it is now.

    With `is_by_looks`, only of rules that depend on the looks: for a page that all rules have seen.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if is_by_looks:
        options["runOnly"] = {"type": "rule", "values": list(BY_LOOKS)}
    return [
        (page.url, one["id"], one["help"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in Axe().run(page, options=options).response["violations"]
        if one["impact"] in impacts
    ]


def look(page: Page, *, is_dark: bool, width: int | None = None) -> None:
    """Change the colors, and the width, of an open page."""
    page.emulate_media(color_scheme="dark" if is_dark else "light")
    if width is not None:
        page.set_viewport_size({"width": width, "height": 900})


def fits(page: Page) -> bool:
    """Whether the page needs no scrolling to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def barriers_in_both(page: Page) -> list[Any]:
    """Violations in light colors, and in dark ones; afterwards the page is light again."""
    found = barriers(page)
    look(page, is_dark=True)
    found += barriers(page, is_by_looks=True)
    look(page, is_dark=False)
    return found

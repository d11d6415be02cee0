"""What tests of the app share: the demo's release, a server on it, a client, and a browser.

A test that opens pages must not use `client`: Playwright keeps an event loop in the thread until the browser
stops, before the next test without it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.sharing import made_once
from tests.web.serving import Client, Running, client_of, running

PATIENCE = 120_000.0
"""Milliseconds: other tests may use all cores."""
expect.set_options(timeout=PATIENCE)
DEMO = "demo"
"""The name of the demo's release in the served folder."""


@pytest.fixture(scope="session")
def demo_releases(tmp_path_factory: pytest.TempPathFactory, demo_folder: Callable[[], Path]) -> Path:
    """A folder with the release of the demo, assessed and signed. Read only: see `own_releases`."""

    def make(folder: Path) -> None:
        shutil.copytree(demo_folder() / "demo-output", folder / DEMO)

    return made_once(tmp_path_factory, "reidrisk-web", make)


@pytest.fixture
def own_releases(demo_releases: Path, tmp_path: Path) -> Path:
    """A copy of that folder, for a test that changes it."""
    place = tmp_path / "releases"
    shutil.copytree(demo_releases, place)
    return place


@pytest.fixture(scope="module")
def client(demo_releases: Path) -> Client:
    """A client of the app on the demo's release, which it must not change. No browser in the same module."""
    return client_of(demo_releases)


@pytest.fixture(scope="module")
def server(demo_releases: Path) -> Iterator[Running]:
    """The real server on the demo's release, not to be changed; else use `running(own_releases)`."""
    with running(demo_releases) as found:
        yield found


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open pages of a server: `open_page(server, "/r/demo/files", dark=True, width=820)`.

    Any message on the console, such as a violation of the content security policy, fails the test, but for
    those that `allowed` names: browsers report every answer with an error code.
    """
    contexts: list[BrowserContext] = []
    said: list[str] = []

    def open_one(
        server: Running,
        path: str = "/",
        *,
        dark: bool = False,
        width: int = 1280,
        user: str | None = None,
        roles: tuple[str, ...] = ("preparer", "reviewer", "approver"),
        allowed: tuple[str, ...] = (),
        bypass_csp: bool = False,
    ) -> Page:
        context = browser.new_context(
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": 900},
            bypass_csp=bypass_csp,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.set_default_navigation_timeout(PATIENCE)
        context.add_cookies([server.cookie(user, roles)])  # type: ignore[list-item]
        page = context.new_page()

        def hear(message: ConsoleMessage) -> None:
            if not any(text in message.text for text in allowed):
                said.append(f"{message.type}: {message.text}")

        page.on("console", hear)
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.goto(server.origin + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not said, said

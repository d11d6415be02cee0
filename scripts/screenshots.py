"""Pictures of every page of the web app on the demo's release, for the guide: light and dark.

    reidrisk demo
    python scripts/screenshots.py demo-output docs/images/web

The release is copied first. Needs the development packages, and Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from reidrisk.web.app import App, open_session
from reidrisk.web.security import EVERY_ROLE
from reidrisk.web.server import Serving, _listen, make_app

NAME = "demo"
HEIGHT = 900
WIDTH = 1280
COLORS = 96
"""Of a picture: pages have few, and files stay small."""
LONG = 120_000
"""Milliseconds to wait for what a page loads later."""
STEP = 300
"""Milliseconds between two looks at a page that is busy."""
BUSY = "[...document.querySelectorAll('main .busy')].some(one => one.textContent.trim())"
THEMES = ("light", "dark")
ROWS = 2_000
"""Of the demo's table, for a new release."""
Act = Callable[[Page, Path], None]
"""What is done on a page first; it knows the folder of the demo."""


def nothing(_page: Page, _demo: Path) -> None:
    """The page as it opens."""


def scroll_to(page: Page, selector: str) -> None:
    """Bring a part of the page to the top."""
    page.locator(selector).first.wait_for(timeout=LONG)
    page.locator(selector).first.evaluate("one => one.scrollIntoView({block: 'start'})")


def what_if(page: Page, _demo: Path) -> None:
    """A tool that misses fewer names."""
    page.locator("#what-if-answer .rr-word").wait_for(timeout=LONG)
    with page.expect_response(lambda one: "answer" in one.url, timeout=LONG):
        page.get_by_label("NAME direct").fill("0.99")
    scroll_to(page, "#what-if")


def leaks(page: Page, _demo: Path) -> None:
    """The list of places."""
    page.get_by_role("button", name="List the places").click()
    page.locator("table.leaks").wait_for(timeout=LONG)
    scroll_to(page, "#leaks")


def frontier(page: Page, _demo: Path) -> None:
    """Every policy tried."""
    page.get_by_role("button", name="Try all policies").click()
    page.locator("#explored figure").first.wait_for(timeout=LONG)
    scroll_to(page, "#explored")


def linked(page: Page, _demo: Path) -> None:
    """The graph of tables and keys."""
    scroll_to(page, "#tables")


def solutions(page: Page, _demo: Path) -> None:
    """The dots of the explorer."""
    page.locator("main svg").first.wait_for(timeout=LONG)


def review(page: Page, _demo: Path) -> None:
    """The pages of the report, after the click that shows them."""
    page.get_by_role("link", name="Review").first.click()
    page.get_by_role("button", name="Show").first.click(timeout=LONG)
    page.locator("main image, main img").first.wait_for(timeout=LONG)


def roles(page: Page, demo: Path) -> None:
    """A new release of a table, and what its columns are."""
    with (demo / "table" / "prescriptions.csv").open("rb") as file:
        rows = b"".join(file.readline() for _ in range(ROWS))
    page.get_by_label("Name of the release").fill("Prescriptions for a study of asthma")
    page.locator("#files").set_input_files(
        {"name": "prescriptions.csv", "mimeType": "text/csv", "buffer": rows}
    )
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Continue to roles").click()
    page.wait_for_url("**/roles**")


def settle(page: Page) -> None:
    """Wait until nothing says that it is busy."""
    for _ in range(LONG // STEP):
        if not page.evaluate(BUSY):
            break
        page.wait_for_timeout(STEP)
    page.wait_for_timeout(STEP)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to take."""

    name: str
    path: str
    act: Act = nothing


OF = f"/r/{NAME}"
SHOTS = (
    Shot("releases", "/"),
    Shot("new", "/new"),
    Shot("files", f"{OF}/files"),
    Shot("context", f"{OF}/context"),
    Shot("run", f"{OF}/run"),
    Shot("verdict", f"{OF}/verdict"),
    Shot("report", f"{OF}/report"),
    Shot("sign", f"{OF}/sign"),
    Shot("verify", f"{OF}/verify"),
    Shot("log", f"{OF}/log"),
    Shot("table-columns", f"{OF}/table/released/columns"),
    Shot("table-hierarchies", f"{OF}/table/released/hierarchies"),
    Shot("table-solutions", f"{OF}/table/released/solutions", solutions),
    Shot("table-risk", f"{OF}/table/released/risk"),
    Shot("table-download", f"{OF}/table/released/download"),
    Shot("text", f"{OF}/text/notes"),
    Shot("text-what-if", f"{OF}/text/notes", what_if),
    Shot("text-leaks", f"{OF}/text/notes", leaks),
    Shot("population", f"{OF}/population/demographics"),
    Shot("population-frontier", f"{OF}/population/demographics", frontier),
    Shot("relational", f"{OF}/relational/hospital", linked),
    Shot("together", f"{OF}/together/together"),
    Shot("document", f"{OF}/document/report"),
    Shot("document-review", f"{OF}/document/report", review),
    Shot("roles", "/new", roles),
)
"""Every page. A new page gets a line here."""


@contextmanager
def served(folder: Path) -> Iterator[App]:
    """The real server on a free port, in a thread."""
    serving = Serving(folder)
    listening = _listen(serving)
    app = make_app(serving, listening.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False, ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield app
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def take(browser: Browser, app: App, shot: Shot, theme: str) -> bytes:
    """One picture."""
    site = app.state.served.site
    context = browser.new_context(
        color_scheme="dark" if theme == "dark" else "light", viewport={"width": WIDTH, "height": HEIGHT}
    )
    try:
        context.add_cookies(
            [{"name": site.cookie, "value": open_session(app, "Ada", EVERY_ROLE), "url": site.origin}]
        )
        page = context.new_page()
        page.set_default_timeout(LONG)
        answer = page.goto(site.origin + shot.path)
        if answer is None or answer.status != 200:
            raise SystemExit(f"{shot.path} answered {'nothing' if answer is None else answer.status}.")
        shot.act(page, app.state.served.root / NAME)
        settle(page)
        return page.screenshot()
    finally:
        context.close()


def compressed(picture: bytes) -> bytes:
    """The same picture with few colors."""
    made = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(
        made, "PNG", optimize=True
    )
    return made.getvalue()


def main() -> int:
    """Take all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("demo", type=Path, help="the folder that `reidrisk demo` wrote")
    parser.add_argument("out", type=Path, help="where the pictures go")
    parser.add_argument("--only", action="append", default=[], help="the name of a picture; can be repeated")
    given = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("Chromium is missing. Install it, for example: apt-get install chromium")
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(given.demo, Path(place) / "releases" / NAME)
        with served(Path(place) / "releases") as app, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for shot in SHOTS:
                if given.only and shot.name not in given.only:
                    continue
                for theme in THEMES:
                    made = compressed(take(browser, app, shot, theme))
                    (given.out / f"{shot.name}-{theme}.png").write_bytes(made)
                    print(f"{shot.name}-{theme}.png  {len(made):,} bytes", flush=True)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

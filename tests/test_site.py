"""The documentation as a site: built without a warning, every page has a place, links lead somewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest

from reidrisk.report.kind import Kind
from reidrisk.report.views import KINDS, kind_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SETTINGS = ROOT / "zensical.toml"
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The links, the loaded files and the ids of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])


def documents() -> list[Path]:
    """The pages, without the navigation."""
    return sorted(file for file in DOCS.rglob("*.md") if not file.name.startswith("."))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it: a warning is an error."""
    folder = tmp_path_factory.mktemp("documentation")
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(SETTINGS, folder)
    program = Path(sys.executable).with_name("zensical")
    done = subprocess.run(
        [program, "build", "--clean", "--strict"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout + done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in sorted(site.rglob("*.html"))}


def test_every_page_is_built_and_in_the_navigation(site: Path) -> None:
    """Also one that has no line in docs/.nav.md: it is below "More"."""
    written = {file.relative_to(DOCS).with_suffix(".html") for file in documents()}
    built = (site / "index.html").read_text(encoding="utf-8")
    listed = set(re.findall(r'<a href="\.?/?([^"#]+\.html)" class="md-nav__link', built))
    assert {Path(link) for link in listed} == written
    tabs = re.findall(r'class="md-tabs__link">\s*(\w+)', built)
    assert tabs == ["Home", "Start", "Guides", "Concepts", "Results", "Reference"]


def test_links_and_anchors_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    """A link that leaves the documentation leads to a file of the repository."""
    missing = []
    for file, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or file.name == "404.html":
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists() and not target.is_relative_to(site):
                target = ROOT / target.relative_to(site.parent)
            if not target.exists() or (parts.fragment and not _has(pages, target, parts.fragment)):
                missing.append(f"{file.relative_to(site)}: {link}")
    assert not missing


def _has(pages: dict[Path, Page], target: Path, fragment: str) -> bool:
    return target not in pages or fragment in pages[target].ids


def test_nothing_is_loaded_from_the_network(pages: dict[Path, Page]) -> None:
    loaded = {link for page in pages.values() for link in page.loaded if urlsplit(link).netloc}
    assert not loaded


def test_the_search_works_from_disk_without_a_network(site: Path, browser: Browser) -> None:
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    context = browser.new_context()
    try:
        page = context.new_page()
        page.route("http*://**", refuse)
        page.goto((site / "index.html").as_uri())
        page.get_by_role("button", name="Search").first.click()
        page.keyboard.type("equivalence class")
        found = page.locator("a[href*='glossary.html']").filter(has_text="equivalence class")
        found.first.wait_for()
    finally:
        context.close()
    assert not asked


def test_a_list_begins_after_an_empty_line() -> None:
    """Otherwise it is a list where the repository is shown, and a paragraph on the site."""
    item = re.compile(r"(- |\d+\. )")
    wrong = []
    for file in documents():
        before, in_code = "", False
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            in_code ^= line.startswith("```")
            follows_text = before and not item.match(before) and not before.startswith((" ", "#"))
            if not in_code and item.match(line) and follows_text:
                wrong.append(f"{file.name}:{number}")
            before = line
    assert not wrong


def kinds_with_charts() -> Iterator[str]:
    for name in KINDS:
        kind = kind_of({"kind": name})
        if kind.charts is not Kind.__dataclass_fields__["charts"].default:
            yield name


def test_every_kind_with_charts_is_explained() -> None:
    page = (DOCS / "reference" / "charts.md").read_text(encoding="utf-8")
    lacking = [name for name in kinds_with_charts() if f"\n## {kind_of({'kind': name}).title}\n" not in page]
    assert not lacking


def test_every_chart_of_the_examples_is_explained_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chart that somebody adds to a kind needs a line in docs/chart_guide.py."""
    monkeypatch.syspath_prepend(str(DOCS))
    made = import_module("make_charts")
    assert '"/' not in json.dumps(made.examples()), "an example has the path of a folder"
    for name, result in made.examples().items():
        charts = {re.sub(r"\d+$", "1", one.name): one for one in made.charts_of(kind_of(result), result)}
        explained = {re.sub(r"\d+$", "1", chart) for chart in made.GUIDE[name]}
        assert set(charts) == explained, name
        drawn = [chart for chart in made.GUIDE[name] if charts[re.sub(r"\d+$", "1", chart)].draw is not None]
        assert all((made.PICTURES / f"{name}-{chart}.svg").is_file() for chart in drawn)


def test_the_pictures_of_charts_say_what_charts_say_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words and numbers, not lines: `python docs/make_charts.py` draws the pictures again."""
    monkeypatch.syspath_prepend(str(DOCS))
    made = import_module("make_charts")
    stored = made.PICTURES
    monkeypatch.setattr(made, "PICTURES", tmp_path)
    made.draw_all()
    shown = re.compile(r"<text[^>]*>([^<]*)<")
    today = {file.name: shown.findall(file.read_text(encoding="utf-8")) for file in tmp_path.glob("*.svg")}
    assert len(today) > 30
    assert today == {name: shown.findall((stored / name).read_text(encoding="utf-8")) for name in today}

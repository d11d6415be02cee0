"""The document page in the browser: review by keyboard and mouse, a dead server, two reviewers, axe."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from reidrisk.core.trail import system_user
from reidrisk.documents.findings.file import read_findings
from reidrisk.documents.findings.journal import ReviewJournal, journal_path
from reidrisk.documents.review.opinions import decided
from tests.cli.running import PROGRAM
from tests.web.barriers import barriers, fits, look
from tests.web.conftest import OpenPage
from tests.web.documents import PAGES, PART, PERSON, RELEASE, write_trial
from tests.web.serving import Running, running

BASE = f"/r/{RELEASE}/document/{PART}"
REVIEW = f"{BASE}/review?document=csr.pdf"


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Running]:
    write_trial(tmp_path / "releases")
    with running(tmp_path / "releases") as server:
        yield server


def show(page: Page) -> None:
    """Click on the button that says so, and wait for the boxes of the first page."""
    page.get_by_role("button", name="Show the pages").click()
    page.locator(".sheet svg g").first.wait_for(state="attached")
    expect(page.locator("#total")).not_to_have_text("–")


def all_saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("All decisions saved", timeout=15_000)


def decisions(server: Running, who: str) -> list[tuple[str, int, str, str | None]]:
    """What stands in the journal of a reviewer."""
    path = journal_path(server.root / RELEASE / "findings.json", who)
    if not path.exists():
        return []
    found = ReviewJournal.read(path).decisions().values()
    return [
        (one.decision.block, one.decision.start, one.decision.action, one.decision.type)
        for one in found
        if one.decision is not None
    ]


def assert_readable(page: Page) -> None:
    """Light and dark, wide and narrow; some parts are not shown on narrow pages."""
    for width in (820, 1280):
        look(page, is_dark=True, width=width)
        assert barriers(page, is_by_looks=True) == []
        look(page, is_dark=False, width=width)
        assert barriers(page) == []


def test_no_picture_before_the_click(trial: Running, open_page: OpenPage) -> None:
    asked: list[str] = []
    page = open_page(trial, BASE, user="anna")
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("link", name="Review csr.pdf").first.click()
    expect(page.get_by_role("heading", name="The pages show patients’ data")).to_be_visible()
    expect(page.locator("#total")).to_have_text(str(2 * PAGES + 1))
    assert not [url for url in asked if "/picture" in url or "/boxes" in url]
    assert PERSON not in page.content()
    show(page)
    assert [url for url in asked if "/picture" in url]
    page.reload()
    page.locator(".sheet svg g").first.wait_for(state="attached")  # once per document and session


def test_a_review_by_keyboard_alone(trial: Running, open_page: OpenPage) -> None:
    page = open_page(trial, REVIEW, user="anna")
    show(page)
    canvas = page.locator("#canvas")
    expect(canvas).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#f-type")).to_have_text("NAME")
    page.keyboard.press("a")
    expect(page.locator("#f-type")).to_have_text("DATE")
    page.keyboard.press("r")
    expect(page.locator("#f-type")).to_have_text("ID")
    page.keyboard.press("c")
    expect(page.locator("#decided")).to_have_text("3")
    expect(page.locator('.sheet[data-index="1"] .ring')).to_be_attached()
    page.keyboard.press("t")
    expect(page.get_by_role("dialog", name="Which type is it?")).to_be_visible()
    page.locator("#type-list").select_option("DATE")
    page.keyboard.press("Enter")
    expect(page.locator("#decided")).to_have_text("4")
    page.keyboard.press("u")
    expect(page.locator("#decided")).to_have_text("3")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#f-type")).to_have_text("ID")
    page.keyboard.press("h")
    expect(canvas).to_have_class("canvas hide-boxes")
    page.keyboard.press("h")
    page.keyboard.press("n")
    expect(page.locator("#go-to")).to_have_value("2")
    page.locator('.sheet[data-index="1"] svg').wait_for(state="attached")
    page.keyboard.press("s")
    expect(page.locator("#decided")).to_have_text("5")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys on the pages")).to_be_visible()
    page.keyboard.press("Escape")
    all_saved(page)
    found = decisions(trial, "anna")
    assert [(block, action, kind) for block, _, action, kind in found] == [
        ("page 1", "accept", None),
        ("page 1", "reject", None),
        ("page 1", "retype", "CCI"),
    ]
    assert set(ReviewJournal.read(journal_path(trial.root / RELEASE / "findings.json", "anna")).pages()) == {
        ("csr.pdf", "page 2")
    }


def test_letters_count_only_on_the_pages(trial: Running, open_page: OpenPage) -> None:
    page = open_page(trial, REVIEW, user="anna")
    show(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator("#canvas")).not_to_be_focused()
    page.keyboard.press("a")
    expect(page.locator("#decided")).to_have_text("0")


def test_the_same_value_everywhere_asks_with_the_count(trial: Running, open_page: OpenPage) -> None:
    page = open_page(trial, REVIEW, user="anna")
    show(page)
    page.keyboard.press("Tab")
    page.keyboard.press("e")
    dialog = page.get_by_role("dialog", name="Same value everywhere")
    expect(dialog).to_contain_text(f"{PAGES} findings on {PAGES} pages have the type NAME", timeout=15_000)
    page.keyboard.press("r")
    expect(page.locator("#decided")).to_have_text(str(PAGES))
    all_saved(page)
    file = read_findings(trial.root / RELEASE / "findings.json")
    left = decided(file.documents[0], file.reviews).findings
    assert sum(one.type == "NAME" for one in left) == 0
    page.locator("#canvas").focus()
    page.keyboard.press("u")
    expect(page.locator("#decided")).to_have_text("0")
    all_saved(page)
    assert decisions(trial, "anna") == []


def test_dragging_over_words_adds_a_finding(trial: Running, open_page: OpenPage) -> None:
    page = open_page(trial, REVIEW, user="anna")
    show(page)
    sheet = page.locator('.sheet[data-index="0"]').bounding_box()
    width = page.evaluate('document.querySelector(".sheet").offsetWidth') / 612
    assert sheet is not None
    from reidrisk.documents.page_view import open_view

    with open_view(trial.root / RELEASE / "csr.pdf") as view:
        start = view.text("page 1").index("Hidden")
        width = sheet["width"] / float(view.blocks[0].width or 1)
        box = view.boxes("page 1", [(start, start + len("Hidden Person"))])[0][0]
    left, top = sheet["x"] + box.left * width, sheet["y"] + box.top * width
    page.mouse.move(left - 2, top - 2)
    page.mouse.down()
    page.mouse.move(left + box.width * width / 2, top + 4)
    page.mouse.move(left + box.width * width + 2, top + box.height * width + 2)
    page.mouse.up()
    expect(page.get_by_role("dialog", name="Which type is it?")).to_be_visible()
    page.locator("#type-list").select_option("NAME")
    page.get_by_role("button", name="Use this type").click()
    expect(page.locator(".sheet svg g.add")).to_have_count(1)
    all_saved(page)
    assert decisions(trial, "anna") == [("page 1", start, "add", "NAME")]
    page.keyboard.press("u")
    expect(page.locator(".sheet svg g.add")).to_have_count(0)
    page.keyboard.press("m")
    page.locator("#words-text").fill("Hidden Person")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Which type is it?")).to_be_visible()
    page.locator("#type-own").fill("STAFF")
    page.keyboard.press("Enter")
    expect(page.locator("#f-type")).to_have_text("STAFF")
    all_saved(page)
    assert decisions(trial, "anna") == [("page 1", start, "add", "STAFF")]


def test_a_text_is_reviewed_in_the_same_way(trial: Running, open_page: OpenPage) -> None:
    page = open_page(trial, f"{BASE}/review?document=note.txt", user="anna")
    page.get_by_role("button", name="Show the pages").click()
    expect(page.locator("mark")).to_have_count(3)
    page.locator("#canvas").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("a")
    expect(page.locator("mark.accept")).to_have_text(PERSON)
    text = (trial.root / RELEASE / "note.txt").read_text()
    page.evaluate(
        """() => {
          const node = [...document.querySelector(".sheet.text").childNodes].pop();
          const at = node.data.indexOf("W-09");
          getSelection().setBaseAndExtent(node, at, node, at + 4);
        }"""
    )
    page.locator(".sheet.text").dispatch_event("pointerdown", {"button": 0, "bubbles": True})
    page.locator(".sheet.text").dispatch_event("pointerup", {"button": 0, "bubbles": True})
    page.locator("#type-list").select_option("ID")
    page.get_by_role("button", name="Use this type").click()
    expect(page.locator("mark.add")).to_have_text("W-09")
    all_saved(page)
    assert ("text", text.index("W-09"), "add", "ID") in decisions(trial, "anna")  # behind an emoji


def test_decisions_survive_a_dead_server(tmp_path: Path, open_page: OpenPage) -> None:
    write_trial(tmp_path / "releases")
    with running(tmp_path / "releases") as server:
        page = open_page(server, REVIEW, user="anna", allowed=("Failed to load resource",))
        show(page)
        page.keyboard.press("Tab")
        page.route("**/decide*", lambda route: route.abort())
        for key in "ara":
            page.keyboard.press(key)
        expect(page.locator("#saved")).to_contain_text("Not saved yet: 3 decisions wait", timeout=10_000)
        assert decisions(server, "anna") == []
        stored = page.evaluate("[localStorage.length, sessionStorage.length]")
        assert stored == [0, 0]
        page.unroute("**/decide*")
        all_saved(page)
        assert len(decisions(server, "anna")) == 3
        page.close()


@contextmanager
def program(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`reidrisk serve` as a process of its own, and its link."""
    words = [PROGRAM, "serve", str(folder), "--no-browser", "--port", str(port)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield process, found[0]
        finally:
            process.kill()


def test_a_review_goes_on_after_the_server_was_killed(tmp_path: Path, browser: Browser) -> None:
    place = write_trial(tmp_path / "releases")
    journal = journal_path(place / "findings.json", system_user())
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    saved = page.locator("#saved")
    with program(place.parent) as (process, link):
        origin = urlsplit(link)
        page.goto(link)
        page.wait_for_url("**/")
        page.goto(f"http://{origin.netloc}{REVIEW}")
        show(page)
        page.keyboard.press("Tab")
        page.keyboard.press("a")
        all_saved(page)
        page.keyboard.press("r")
        process.send_signal(signal.SIGKILL)  # the second decision is on its way, or not even that
        process.wait()
    before = journal.read_bytes()
    assert len(ReviewJournal.read(journal).decisions()) in (1, 2)
    page.keyboard.press("c")
    expect(saved).to_contain_text("The server does not answer")
    expect(saved).to_contain_text("Keep this page open")
    expect(page.locator("#decided")).to_have_text("3")
    with program(place.parent, origin.port or 0) as (_, link):
        expect(saved).to_contain_text("Open its new link")
        other = context.new_page()
        other.goto(link)
        other.wait_for_url("**/")
        all_saved(page)
        page.reload()
        expect(page.locator("#decided")).to_have_text("3")
    context.close()
    assert journal.read_bytes().startswith(before)
    made = [one.decision.action for one in ReviewJournal.read(journal).decisions().values() if one.decision]
    assert made == ["accept", "reject", "retype"]


def test_filters_by_type_and_participant(trial: Running, open_page: OpenPage) -> None:
    page = open_page(trial, REVIEW, user="anna")
    show(page)
    page.get_by_label("Type", exact=True).first.select_option("ID")
    page.locator("#canvas").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#f-type")).to_have_text("ID")
    expect(page.locator('.sheet[data-index="0"] g:not(.out)')).to_have_count(1)
    page.keyboard.press("a")
    expect(page.locator('.sheet[data-index="1"] .ring')).to_be_attached()
    page.get_by_label("Type", exact=True).first.select_option("")
    page.get_by_label("Participant").select_option("1")
    expect(page.locator('.sheet[data-index="0"] g:not(.out)')).to_have_count(1)
    page.locator("#canvas").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#f-type")).to_have_text("NAME")
    all_saved(page)


def test_two_reviewers_see_where_they_differ_after_both_finished(trial: Running, open_page: OpenPage) -> None:
    for who, key in (("anna", "a"), ("ben", "r")):
        page = open_page(trial, REVIEW, user=who)
        show(page)
        page.keyboard.press("Tab")
        page.keyboard.press(key)
        all_saved(page)
        expect(page.locator("#differ-line")).to_be_hidden()
        page.goto(trial.origin + BASE)
        page.get_by_role("button", name="I have finished my review").click()
        expect(page.get_by_text("✓ finished")).to_be_visible()
        page.close()
    page = open_page(trial, REVIEW, user="anna")
    show(page)
    page.get_by_label("Only where reviewers differ (1)").check()
    expect(page.locator('.sheet[data-index="0"] g:not(.out)')).to_have_count(1)
    page.locator("#canvas").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#f-opinions")).to_contain_text("ben: not an identifier")
    page.goto(trial.origin + BASE)
    page.get_by_text("where reviewers differ").click()
    expect(page.get_by_text("Reviewers disagree on 1 place")).to_be_visible(timeout=60_000)


def test_a_file_that_changed_says_detect_again(trial: Running, open_page: OpenPage) -> None:
    with (trial.root / RELEASE / "csr.pdf").open("ab") as file:
        file.write(b"\n% more\n")
    page = open_page(trial, REVIEW, user="anna", allowed=("422",))
    expect(page.get_by_role("alert")).to_contain_text("has changed since its findings were made")
    expect(page.get_by_role("alert")).to_contain_text("Detect again")


def test_axe_finds_nothing_serious(trial: Running, open_page: OpenPage) -> None:
    page = open_page(trial, BASE, user="anna", bypass_csp=True)
    assert_readable(page)
    page.goto(trial.origin + REVIEW)
    expect(page.locator("#total")).not_to_have_text("–")
    assert_readable(page)
    show(page)
    page.keyboard.press("Tab")
    page.keyboard.press("a")
    all_saved(page)
    assert_readable(page)
    for dark, width in ((True, 820), (False, 820), (True, 1280), (False, 1280)):
        look(page, is_dark=dark, width=width)
        paper = page.evaluate("getComputedStyle(document.querySelector('.sheet')).backgroundColor")
        assert paper == "rgb(255, 255, 255)"
        assert fits(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys on the pages")).to_be_visible()
    assert_readable(page)

"""From the context to a signature, in the browser: what a person sees change, and what survives."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from reidrisk.assess.jobs import list_jobs
from reidrisk.assess.release_context import release_context
from reidrisk.assess.state import release_state
from tests.cli.running import PROGRAM
from tests.web.barriers import barriers_in_both, look
from tests.web.conftest import DEMO, OpenPage
from tests.web.hand import SLOW, Hand, sign_and_verify
from tests.web.serving import Running, running
from tests.web.small_release import NAME, ended, hold_jobs, small_release

PAGES = ("context", "run", "verdict", "report", "sign", "verify", "log")


def test_no_page_has_a_serious_violation(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, "/", bypass_csp=True)
    for name in PAGES:
        page.goto(f"{server.origin}/r/{DEMO}/{name}")
        for fold in page.locator("main details").all():
            fold.evaluate("one => { one.open = true }")
        assert barriers_in_both(page) == []


def test_no_page_is_wider_than_the_window(server: Running, open_page: OpenPage) -> None:
    page = open_page(server, "/")
    for name in PAGES:
        look(page, is_dark=False, width=1280)
        page.goto(f"{server.origin}/r/{DEMO}/{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280, name
        look(page, is_dark=False, width=820)
        assert page.evaluate("document.documentElement.scrollWidth") <= 820, name


def test_the_threshold_follows_the_answers(tmp_path: Path, open_page: OpenPage) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    with running(tmp_path) as own:
        page = open_page(own, f"/r/{NAME}/context")
        panel = page.locator("#panel")
        expect(panel).to_contain_text("given medium controls and low motives")
        page.get_by_label("go through the practices").check()
        expect(page.get_by_role("heading", name="Practices of the recipient")).to_be_visible()
        expect(panel).to_contain_text("1/3 would require 38 more practices.")
        page.get_by_label("are in place", exact=True).check()
        page.get_by_label("Evidence that covers all of them").fill("audit of 2026")
        expect(panel).to_contain_text("1/3 may be used")
        page.locator('[id="f-checklist.retention_oversight"]').select_option("no")
        expect(panel).to_contain_text("1/3 would require 1 more practice.")
        expect(panel.get_by_role("link")).to_have_count(1)
        page.get_by_label("Which policy applies?").select_option("ipc")
        expect(panel).to_contain_text("0.")
        page.get_by_label("Which policy applies?").select_option("hospital")
        page.get_by_label("anyone", exact=True).check()
        expect(panel).to_contain_text("attempt at re-identification is certain")
        expect(page.get_by_role("heading", name="Practices of the recipient")).to_be_hidden()
        page.get_by_label("a known recipient who has signed an agreement").check()
        expect(panel).to_contain_text("1/3 would require 1 more practice.")
        page.get_by_label("Who receives the data").fill("A university")
        page.get_by_role("button", name="Save and go on").click()
        page.wait_for_url("**/run")
        page.close()
    saved = release_context(folder / "release.yaml")["checklist"]
    assert saved == {"others": {"answer": "yes", "evidence": "audit of 2026"}, "retention_oversight": "no"}


def test_two_tabs_do_not_overwrite_each_other(tmp_path: Path, open_page: OpenPage) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    with running(tmp_path) as own:
        first = open_page(own, f"/r/{NAME}/context", allowed=("409",))
        second = first.context.new_page()
        second.goto(f"{own.origin}/r/{NAME}/context")
        first.get_by_label("the level is known: high").first.check()
        first.get_by_role("button", name="Save and go on").click()
        first.wait_for_url("**/run")
        second.get_by_label("the level is known: low").first.check()
        second.get_by_role("button", name="Save and go on").click()
        expect(second.get_by_role("alert")).to_contain_text("was changed meanwhile")
        second.close()
        first.close()
    assert release_context(folder / "release.yaml")["controls"] == "high"


def test_a_lost_connection_is_told_and_answers_stay(tmp_path: Path, open_page: OpenPage) -> None:
    small_release(tmp_path, is_assessed=False)
    with running(tmp_path) as own:
        page = open_page(own, f"/r/{NAME}/context", allowed=("ERR_CONNECTION_REFUSED", "ERR_INTERNET"))
        expect(page.locator("#panel")).to_contain_text("Threshold")
        page.context.set_offline(True)
        page.get_by_label("the level is known: high").first.check()
        expect(page.locator("#offline")).to_be_visible()
        page.context.set_offline(False)
        page.get_by_label("Who receives the data").fill("A university")
        page.get_by_label("the level is known: low").first.check()
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.locator("#panel")).to_contain_text("given low controls")
        expect(page.get_by_label("Who receives the data")).to_have_value("A university")
        page.close()


def test_a_run_shows_its_progress_and_is_cancelled(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    hold_jobs(folder, monkeypatch)
    with running(tmp_path) as own:
        page = open_page(own, f"/r/{NAME}/run")
        page.get_by_role("button", name="Run the assessment").click()
        expect(page.locator("#run-status")).to_contain_text("records: classes", timeout=SLOW)
        page.reload()
        expect(page.locator("#run-status")).to_contain_text("records: classes")
        expect(page.locator("#job-bar")).to_contain_text("records")
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("heading", name="The run was cancelled")).to_be_visible(timeout=SLOW)
        monkeypatch.delenv("REIDRISK_HOLD")
        page.get_by_role("button", name="Run again").click()
        expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=SLOW)
        page.get_by_role("link", name="Show the verdict").click()
        expect(page.locator("#verdict")).to_contain_text("Acceptable")
        page.close()
    assert [one.status for one in list_jobs(folder)] == ["done", "cancelled"]


@contextmanager
def program(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`reidrisk serve` as a process of its own, and its link."""
    process = subprocess.Popen(
        [PROGRAM, "serve", str(folder), "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield process, found[0]
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def test_a_run_goes_on_while_the_server_is_killed(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    hold_jobs(folder, monkeypatch)
    context = browser.new_context()
    page = context.new_page()
    with program(tmp_path) as (process, link):
        page.goto(link)
        page.wait_for_url(re.compile(r"/$"))
        page.goto(f"{link.split('/open')[0]}/r/{NAME}/run")
        page.get_by_role("button", name="Run the assessment").click()
        expect(page.locator("#run-status")).to_contain_text("records: classes", timeout=SLOW)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert list_jobs(folder)[0].is_alive
    with program(tmp_path) as (_, link):
        page.goto(link)
        page.wait_for_url(re.compile(r"/$"))
        page.goto(f"{link.split('/open')[0]}/r/{NAME}/run")
        expect(page.locator("#run-status")).to_contain_text("records: classes")
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("heading", name="The run was cancelled")).to_be_visible(timeout=SLOW)
    context.close()
    assert ended(folder).status == "cancelled"


def test_a_remedy_is_tried_and_applied(tmp_path: Path, open_page: OpenPage) -> None:
    folder = small_release(tmp_path, extra=3)
    with running(tmp_path) as own:
        page = open_page(own, f"/r/{NAME}/verdict", allowed=("422",))
        card = page.locator("li.remedy").filter(has=page.get_by_role("button", name="Try")).first
        card.get_by_role("button", name="Try").click()
        expect(card.locator("table")).to_contain_text("verdict then", timeout=SLOW)
        assert release_state(folder).holds
        claims = (
            page.locator("li.remedy").filter(has=page.get_by_label(re.compile("checklist|threshold"))).first
        )
        if not claims.is_visible():
            page.get_by_text(re.compile(r"^\d+ more$")).click()
        claims.get_by_role("button", name="Apply and run again").click()
        expect(claims.get_by_role("alert")).to_contain_text("needs evidence or a reason")
        card.get_by_role("button", name="Apply and run again").click()
        page.wait_for_url("**/run")
        expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=SLOW)
        page.close()
    assert release_state(folder).holds


def test_it_is_signed_and_verified_in_the_browser(tmp_path: Path, open_page: OpenPage) -> None:
    folder = small_release(tmp_path / "served")
    with running(tmp_path / "served") as own:
        page = open_page(own, f"/r/{NAME}/report")
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("heading", level=1)).to_contain_text("A small release")
        page.get_by_role("link", name="Go on to sign").click()
        sign_and_verify(Hand(page), folder, tmp_path)
        page.goto(f"{own.origin}/r/{NAME}/report")
        expect(frame.get_by_text("Signed electronically by: Ann Smith (approver)")).to_be_visible()
        page.close()

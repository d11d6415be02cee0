"""The whole path in the browser: from the raw files of the demo to a signed, verified report."""

from __future__ import annotations

import json
import re
import sys
import time
from itertools import islice
from pathlib import Path

from playwright.sync_api import expect

from reidrisk.assess.state import release_state
from tests.cli.running import Run
from tests.web.conftest import DEMO, OpenPage
from tests.web.hand import SLOW, Hand, sign_and_verify
from tests.web.serving import running

RAW = ("gold.jsonl", "tool.jsonl", "population/state.csv")
TABLE, ROWS = "table/prescriptions.csv", 12_000
"""The table, of which the first rows are enough: `reidrisk demo` assesses all of them."""
CLICKS, FIELDS = 20, 6
"""What a newcomer does; the rest of the fifteen minutes is for reading."""


def test_from_raw_files_to_a_signed_and_verified_report(
    tmp_path: Path,
    demo_releases: Path,
    open_page: OpenPage,
    command: Run,
) -> None:
    began = time.monotonic()
    (tmp_path / "served").mkdir()
    table = tmp_path / Path(TABLE).name
    with (demo_releases / DEMO / TABLE).open(encoding="utf-8") as lines:
        table.write_text("".join(islice(lines, ROWS)), encoding="utf-8")
    with running(tmp_path / "served") as own:
        page = open_page(own)
        hand = Hand(page)
        hand.click("link", "Start with your files")
        hand.fill("#title", "Prescriptions and notes")
        hand.give("#files", [*(demo_releases / DEMO / name for name in RAW), table])
        hand.click("button", "Continue")
        page.wait_for_url("**/files", timeout=SLOW)
        hand.click("link", "Continue to roles")
        hand.click("button", re.compile("Confirm all"))
        page.wait_for_url("**/context", timeout=SLOW)
        hand.click("radio", "a known recipient who has signed an agreement")
        hand.click("radio", "go through the practices; a higher threshold requires this")
        hand.click("radio", "are in place")
        hand.fill('[id="m-checklist.others"]', "audit of 2026")
        expect(page.locator("#panel")).to_contain_text("given high controls")
        hand.click("button", "Save and go on")
        hand.click("button", "Run the assessment")
        expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=SLOW)
        hand.click("link", "Show the verdict")
        folder = own.root / "prescriptions-and-notes"
        state = release_state(folder)
        assert state.holds
        expect(page.locator("#verdict")).to_contain_text(str(state.sentence))
        hand.click("link", "Go on to the report with this verdict")
        hand.click("link", "Go on to sign")
        sign_and_verify(hand, folder, tmp_path)
        seconds = time.monotonic() - began
        sys.stdout.write(f"{hand.clicks} clicks, {hand.fields} fields, {seconds:.0f} s\n")
        assert (hand.clicks, hand.fields) == (CLICKS, FIELDS)
        page.close()
    code, out, _ = command(
        "verify", folder / "assessment", "--trusted", tmp_path / "ann.pub", "--quick", "--json", "-"
    )
    assert code == 0
    assert json.loads(out[out.index("{") :])["signatures"][0]["trusted_as"] == "Ann Smith"

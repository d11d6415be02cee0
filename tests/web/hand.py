"""A person at a page of the app, for tests in the browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, expect

from reidrisk.assess.signature import read_signatures

SLOW = 240_000
"""Milliseconds that a job may take on a busy machine."""
expect.set_options(timeout=30_000)


class Hand:
    """A person at the page, whose clicks and filled fields are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.fields = page, 0, 0

    def click(self, role: Literal["button", "link", "radio"], name: str | re.Pattern[str]) -> None:
        self.clicks += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()

    def fill(self, where: str, text: str) -> None:
        self.fields += 1
        self.page.locator(where).fill(text)

    def choose(self, where: str, value: str) -> None:
        self.clicks += 1
        self.page.locator(where).select_option(value)

    def give(self, where: str, files: list[Path]) -> None:
        self.clicks += 1
        self.page.locator(where).set_input_files(files)


def sign_and_verify(hand: Hand, folder: Path, keys: Path) -> None:
    """Make a key, sign as approver and verify with the public key."""
    page = hand.page
    expect(page.locator("#key-form")).to_be_visible()
    hand.fill("#key-name", "Ann Smith")
    hand.fill("#new-passphrase", "a long passphrase")
    hand.fill("#again", "a long passphrase")
    with page.expect_download() as saved:
        hand.click("button", "Make a key and save it")
    saved.value.save_as(keys / "ann.key")
    expect(page.locator("#key-made")).to_contain_text("Saved as ann-smith.key")
    expect(page.locator("#name")).to_have_value("Ann Smith")
    hand.choose("#role", "approver")
    expect(page.locator("#meaning")).to_have_value(re.compile("I approve|I confirm"))
    hand.fill("#passphrase", "a long passphrase")
    hand.click("button", "Sign")
    expect(page.get_by_text("covers this assessment")).to_be_visible(timeout=SLOW)
    (made,) = read_signatures(folder / "assessment")
    assert (made.name, made.role) == ("Ann Smith", "approver")
    with page.expect_download() as public:
        hand.click("link", "Public key, for those who verify")
    public.value.save_as(keys / "ann.pub")
    hand.click("link", "Verify")
    hand.give("#trusted-files", [keys / "ann.pub"])
    hand.click("button", "Verify")
    expect(page.locator("#verification")).to_contain_text("Trusted key of Ann Smith", timeout=SLOW)
    expect(page.locator("#verification .rr-word")).to_have_text(re.compile("Verified"))

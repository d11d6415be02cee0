"""A report of 500 pages with 46,000 findings in the web app: how fast is its review? For `bench_web.py`."""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

PROGRAM = str(Path(sys.executable).with_name("reidrisk"))
RELEASE = """\
reidrisk: 1
release: {name: A long report}
context: {preset: ipc, access: public}
parts:
  - {name: report, kind: documents, study: study.yaml, scenario: ipd_mentioned, findings: findings.json}
"""
BOXES = 700
WATCH = """() => {
  window.took = [];
  const channel = new MessageChannel();
  let since = 0;
  channel.port1.onmessage = () => window.took.push(performance.now() - since);
  addEventListener("keydown", (event) => {
    since = event.timeStamp;
    requestAnimationFrame(() => channel.port2.postMessage(0));
  }, true);
}"""
"""Milliseconds from a key to the frame after it."""
FIRST = """() => new Promise((answer) => {
  const found = { start: performance.now() };
  const look = () => {
    const picture = document.querySelector(".sheet > img");
    if (picture && !found.picture) found.picture = performance.now();
    if (document.querySelector(".sheet svg g")) { found.boxes = performance.now(); answer(found); }
    else requestAnimationFrame(look);
  };
  document.getElementById("show").click();
  look();
})"""


def make(folder: Path) -> None:
    """The report, its findings with one very full page, and a release."""
    from reidrisk.demo import study
    from reidrisk.documents.findings.file import read_findings, write_findings
    from reidrisk.documents.page_view import open_view

    release = folder / "long"
    if (release / "release.yaml").exists():
        return
    release.mkdir(parents=True, exist_ok=True)
    study.write_study(release, size=study.LONG)
    report, found = release / "csr.pdf", release / "detected.json"
    words = ("document", "detect", str(report), "--study", str(release / "study.yaml"), "--out", str(found))
    subprocess.run([PROGRAM, *words, "--quiet"], check=True)
    file = read_findings(found)
    with open_view(report) as view:
        documents = [fuller(one, view) for one in file.documents]
    write_findings(release / "findings.json", documents, settings=file.settings)
    study_file = release / "study.yaml"
    study_file.write_text(
        study_file.read_text().replace("documents: [csr.pdf, csr.docx]", "documents: [csr.pdf]")
    )
    (release / "release.yaml").write_text(RELEASE)


def fuller(document: Any, view: Any) -> Any:
    """The page with the most findings gets one for every word."""
    from collections import Counter
    from dataclasses import replace

    from reidrisk.documents.findings.finding import DocumentFinding

    block = Counter(one.block for one in document.findings).most_common(1)[0][0]
    places = [match.span() for match in re.finditer(r"\S+", view.text(block))][:BOXES]
    full = [DocumentFinding(block, start, end, "OTHER", 0.5, "model") for start, end in places]
    rest = [one for one in document.findings if one.block != block]
    return replace(document, findings=tuple(sorted([*rest, *full], key=lambda one: one.place)))


def full_page(folder: Path) -> int:
    from collections import Counter

    found = json.loads((folder / "long" / "findings.json").read_text())["documents"][0]["findings"]
    counted = Counter(one["block"] for one in found)
    return int(counted.most_common(1)[0][0].split()[1])


class Served:
    """The server as a user starts it."""

    def __init__(self, folder: Path) -> None:
        words = [PROGRAM, "serve", str(folder), "--no-browser"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        self.link = ""
        while not self.link:
            line = self.process.stdout.readline()
            said = re.search(r"http://\S+", line)
            self.link = said[0] if said else ""

    @property
    def origin(self) -> str:
        return re.match(r"http://[^/]+", self.link)[0]  # type: ignore[index]

    def megabytes(self) -> float:
        """The most memory so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]

    def seconds(self) -> float:
        """The time of processors so far."""
        numbers = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def enter(page: Page, served: Served) -> None:
    page.goto(served.link)
    page.wait_for_url(served.origin + "/")


def first(page: Page, served: Served) -> dict[str, float]:
    """Milliseconds from the click to the first picture and the first boxes."""
    page.goto(
        f"{served.origin}/r/long/document/report/review?document=csr.pdf", wait_until="domcontentloaded"
    )
    found = page.evaluate(FIRST)
    return {name: found[name] - found["start"] for name in ("picture", "boxes")}


def next_pages(page: Page, number: int) -> list[float]:
    """Milliseconds from the key to the picture of the next page."""
    found = []
    for at in range(1, number + 1):
        page.wait_for_timeout(900)
        began = time.perf_counter()
        page.keyboard.press("n")
        page.wait_for_selector(f'.sheet[data-index="{at}"] > img', timeout=10_000)
        found.append(1000 * (time.perf_counter() - began))
    return found


def keys(page: Page, full: int, number: int = 200) -> list[float]:
    """Milliseconds from a decision to its picture, on the fullest page."""
    page.fill("#go-to", str(full))
    page.keyboard.press("Enter")
    page.wait_for_selector(f'.sheet[data-index="{full - 1}"] svg g', timeout=30_000)
    page.wait_for_timeout(1000)
    page.keyboard.press("Tab")
    page.evaluate(WATCH)
    for at in range(number):
        page.keyboard.press("arut"[at % 3])
        page.wait_for_timeout(30)
    took: list[float] = page.evaluate("window.took")
    return took


def every_page(page: Page) -> None:
    """Ask for the boxes and pictures of all pages, as somebody would who reads all of them."""
    page.evaluate(
        """async () => {
          const base = document.getElementById("desk").dataset.base;
          for (let page = 1; page <= 493; page += 1) {
            const more = new URLSearchParams({ document: "csr.pdf", block: `page ${page}` });
            await (await fetch(`${base}/boxes?${more}`)).json();
            if (page % 5 === 0) await (await fetch(`${base}/picture?${more}&scale=1.5`)).blob();
          }
        }"""
    )


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def tell(what: str, value: float, goal: float, unit: str = "ms") -> None:
    print(
        f"{what:44} {value:8.0f} {unit}, goal {goal:.0f}: {'met' if value <= goal else 'MISSED'}", flush=True
    )


def measure(folder: Path) -> None:
    shutil.rmtree(folder / "long" / "findings.reviews", ignore_errors=True)
    served = Served(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
                args=["--no-sandbox"],
            )
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            enter(page, served)
            before = served.seconds()
            cold = first(page, served)
            worked = served.seconds() - before
            print(f"load of the machine {os.getloadavg()[0]:.1f}; the server worked {worked:.2f} s")
            tell("first picture, cold", cold["picture"], 1000)
            tell("first boxes, cold", cold["boxes"], 1500)
            tell("next page, median", statistics.median(next_pages(page, 10)), 200)
            took = keys(page, full_page(folder))
            tell(f"key to paint with {BOXES} boxes, median", statistics.median(took), 100)
            tell(f"key to paint with {BOXES} boxes, 95th percentile", p95(took), 100)
            tell("memory of the server after the review", served.megabytes(), 500, "MB")
            every_page(page)
            tell("memory of the server after all pages", served.megabytes(), 500, "MB")
            browser.close()
    finally:
        served.stop()

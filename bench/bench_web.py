"""Is the web app fast enough on large inputs? One function per page; each prints its figures and the goal.

    python bench/bench_web.py [start|table|text|documents ...] [--keep FOLDER]

- start: from the start of the process to the first page, 1 s.
- table: with a million rows, a move of the threshold slider is answered and painted within 200 ms.
- text: so is a move of a what-if slider on 120 documents.
- documents: with 493 pages and 46,000 findings, the first picture after 1 s, the first boxes after 1.5 s, the
  next page after 200 ms, a key after 100 ms, with at most 500 MB.

FOLDER keeps what was made for the next time. Needs Chromium.
"""

from __future__ import annotations

import argparse
import http.client
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from playwright.sync_api import Page, sync_playwright

from web_documents import Served, make, measure

ROWS = 1_000_000
MOVES = 60
STARTS = 7
SLIDER_GOAL, START_GOAL = 0.2, 1.0
RULES = """\
sex: {kind: exact, suppress: true}
age: {kind: age, unit: years, levels: [years, 5 years, 10 years, 20 years]}
area: {kind: prefix, lengths: [4, 3, 2, 1]}
admitted: {kind: date, levels: [day, month, quarter, year, decade]}
stay: {kind: number, levels: [7, 14]}
"""
SMALL = "reidrisk: 1\nrelease: {name: A small release}\nparts: []\n"
NOTES = """\
reidrisk: 1
release: {name: Notes}
context: {preset: hospital, access: non_public}
parts:
  - {name: notes, kind: text, gold: gold.jsonl, tool: tool.jsonl, treatment: resynthesis, recognition: 0.1}
"""
RELEASE = """\
reidrisk: 1
release: {name: A million rows}
context: {preset: hospital, access: non_public}
parts:
  - name: visits
    kind: table
    table: visits.parquet
    deidentify: true
    quasi: [sex, age, area, admitted, stay]
    hierarchies: rules.yaml
    max_suppression: 0.05
    out: released.parquet
"""


def million_rows(folder: Path, rows: int = ROWS) -> Path:
    """A release with one large table, in a folder of its own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(7)
    release = folder / "million"
    release.mkdir(parents=True)
    days = np.datetime64("2018-01-01") + rng.integers(0, 1461, rows).astype("timedelta64[D]")
    areas = np.array([f"K{a}{b}{c}" for a in range(6) for b in "ABC" for c in range(5)])
    table = {
        "sex": np.array(["F", "M"])[rng.integers(0, 2, rows)],
        "age": np.clip(rng.normal(48, 20, rows), 0, 99).astype(np.int64),
        "area": areas[np.minimum(rng.zipf(1.4, rows) - 1, areas.size - 1)],
        "admitted": days,
        "stay": np.minimum(rng.geometric(0.2, rows), 60).astype(np.int64),
    }
    pq.write_table(pa.table(table), release / "visits.parquet")
    (release / "rules.yaml").write_text(RULES, encoding="utf-8")
    (release / "release.yaml").write_text(RELEASE, encoding="utf-8")
    return release


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The real server on a folder: its address, and the cookie of a session."""
    import threading

    import uvicorn

    from reidrisk.web.app import open_session
    from reidrisk.web.security import EVERY_ROLE
    from reidrisk.web.server import Serving, _listen, make_app

    serving = Serving(folder)
    listening = _listen(serving)
    app = make_app(serving, listening.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False, ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    site = app.state.served.site
    try:
        cookie = {"name": site.cookie, "value": open_session(app, None, EVERY_ROLE), "url": site.origin}
        yield site.origin, cookie
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def shown(what: str, seconds: list[float], goal: float) -> None:
    """Median, 95th percentile and worst of some times, against a goal."""
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    word = "ok" if late <= goal else "MISSED"
    print(
        f"{what:<52} median {1000 * statistics.median(ordered):6.0f} ms, p95 {1000 * late:6.0f} ms, worst "
        f"{1000 * ordered[-1]:6.0f} ms, goal {1000 * goal:.0f} ms: {word}"
    )


def tell_load() -> None:
    """Whether the machine was busy with other work."""
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"other work on this machine: {busy:.1f} processes per core; idle is below 1")


@contextmanager
def browsing(cookie: dict[str, str]) -> Iterator[Page]:
    """A page of a browser with a session."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        context = browser.new_context()
        context.add_cookies([cookie])  # type: ignore[list-item]
        yield context.new_page()
        browser.close()


def table_page(folder: Path) -> None:
    """The sliders of the solutions of a table with a million rows."""
    from reidrisk.report.assessment_folder import assess_and_report

    release = million_rows(folder)
    start = time.perf_counter()
    assess_and_report(release / "release.yaml", release / "assessment")
    measured = release / "assessment/parts/visits/measured.json"
    from reidrisk.tables.deidentify.profile import read_lattice_profile

    nodes = sum(len(one.counts.levels) for one in read_lattice_profile(measured).layouts)
    print(f"assessed {ROWS:,} rows in {time.perf_counter() - start:.1f} s; {nodes:,} combinations of levels")
    print(f"measurement with its profile: {measured.stat().st_size / 1000:.0f} kB")
    with served(folder) as (origin, cookie), browsing(cookie) as page:
        page.goto(f"{origin}/r/million/table/visits/solutions")
        answered = [_moved(page, 2 + at % 49) for at in range(MOVES)]
        shown("threshold slider, to the next painted frame", answered, SLIDER_GOAL)
        tell_load()


MOVE = """async (size) => {
  const slider = document.getElementById("cell-size"), view = document.getElementById("explorer-view");
  const begun = performance.now();
  const painted = new Promise((done) => {
    new MutationObserver((_, watching) => {
      watching.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
    }).observe(view, { childList: true });
  });
  slider.value = String(size);
  slider.dispatchEvent(new Event("input"));
  return painted;
}"""


def _moved(page: Page, size: int) -> float:
    """Seconds from a move of the slider to the frame with its answer."""
    return float(page.evaluate(MOVE, size)) / 1000


def start(folder: Path) -> None:
    """From the start of the process to its first page, which lists a release."""
    (folder / "one").mkdir(exist_ok=True)
    (folder / "one" / "release.yaml").write_text(SMALL, encoding="utf-8")
    took, worked = [], []
    for _ in range(STARTS):
        began = time.perf_counter()
        server = Served(folder)
        try:
            _first_page(server)
            took.append(time.perf_counter() - began)
            worked.append(server.seconds())
        finally:
            server.stop()
    shown("start of the process to its first page", took, START_GOAL)
    print(f"time of processors until then: median {statistics.median(worked):.2f} s")


def _first_page(server: Served) -> None:
    """Open the link as a browser does, and read the first page."""
    at = urlsplit(server.link)
    connection = http.client.HTTPConnection(at.netloc)
    connection.request("GET", f"{at.path}?{at.query}")
    answer = connection.getresponse()
    answer.read()
    cookie = str(answer.getheader("set-cookie")).split(";")[0]
    connection.request("GET", "/", headers={"Cookie": cookie, "Sec-Fetch-Site": "same-origin"})
    answer = connection.getresponse()
    assert answer.status == 200
    assert b"A small release" in answer.read()
    connection.close()


def text_page(folder: Path) -> None:
    """The what-if sliders of a text part."""
    from reidrisk.demo import case_study_tool, clinical_notes
    from reidrisk.report.assessment_folder import assess_and_report
    from reidrisk.text.formats.jsonl import write_jsonl

    release = folder / "notes"
    release.mkdir(exist_ok=True)
    notes = clinical_notes(seed=7)
    write_jsonl(notes, release / "gold.jsonl")
    write_jsonl(case_study_tool(notes, seed=7), release / "tool.jsonl")
    (release / "release.yaml").write_text(NOTES, encoding="utf-8")
    assess_and_report(release / "release.yaml", release / "assessment")
    with served(folder) as (origin, cookie), browsing(cookie) as page:
        page.goto(f"{origin}/r/notes/text/notes")
        page.wait_for_selector("#what-if-answer .rr-word")
        answered = [float(page.evaluate(WHAT_IF, 0.5 + 0.4 * at / MOVES)) / 1000 for at in range(MOVES // 2)]
        shown("what-if slider, to the next painted frame", answered, SLIDER_GOAL)
        tell_load()


WHAT_IF = (
    MOVE.replace('document.getElementById("cell-size")', 'document.querySelector("#what-if input")')
    .replace("explorer-view", "what-if-answer")
    .replace('new Event("input")', 'new Event("input", { bubbles: true })')
)


def documents_page(folder: Path) -> None:
    """The review of a long report."""
    make(folder)
    measure(folder)


PAGES = {"start": start, "table": table_page, "text": text_page, "documents": documents_page}
"""By name: what measures a page, given a folder."""


def main() -> None:
    """Measure the named pages, or all."""
    parser = argparse.ArgumentParser(description="How fast is the web app?")
    parser.add_argument("names", nargs="*", metavar="PAGE", help=", ".join(PAGES))
    parser.add_argument("--keep", type=Path, help="a folder that keeps what was made")
    given = parser.parse_args()
    for name in given.names or list(PAGES):
        print(f"-- {name}")
        with tempfile.TemporaryDirectory() as new:
            folder = Path(new) if given.keep is None else given.keep / name
            folder.mkdir(parents=True, exist_ok=True)
            PAGES[name](folder)


if __name__ == "__main__":
    main()

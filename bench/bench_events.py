"""How long does it take to learn what known events of people give away, and to make them releasable?

100,000 people with a million events (about 300 diagnoses by month, some people with many more than others),
an adversary who knows 1, 2 or 3 of them: seconds of clock and processors and memory of the whole command, and
the ratio to reading the file and counting the people by their quasi-identifiers alone. Then the walk itself,
without reading, the same with subsets drawn, and a whole de-identification. From the project's folder:

    python bench/bench_events.py [--people 100000 --events 1000000]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reidrisk.engine.opening import open_table
from reidrisk.stats.events.lists import EventLists
from reidrisk.stats.events.risk import sample_risks
from reidrisk.stats.events.walk import support_risks
from reidrisk.tables.events import read_lists
from timing import Process, least_seconds, run_process

CODES = 300
QUASI, EVENTS = ("sex", "born"), ("code", "month")
RULES = """
code: {kind: prefix, lengths: [1]}
month: {kind: number, levels: [3, 12]}
born: {kind: number, levels: [20]}
"""


def write_events(path: Path, people: int, rows: int) -> None:
    """Everybody has an event, most have several, few have many."""
    rng = np.random.default_rng(1)
    weight = rng.gamma(1.5, 1, people)
    person = np.concatenate([np.arange(people), rng.choice(people, rows - people, p=weight / weight.sum())])
    chance = 1 / np.arange(1, CODES + 1)
    code = rng.choice(CODES, rows, p=chance / chance.sum())
    born = rng.integers(1940, 2000, people) // 10 * 10
    table = {
        "person": person,
        "sex": np.array(["F", "M"])[person % 2],
        "born": born[person],
        "code": np.array([f"{chr(65 + n % 20)}{n:03d}" for n in range(CODES)])[code],
        "month": rng.integers(1, 13, rows),
    }
    pq.write_table(pa.table(table), path)


def command(*arguments: str) -> Process:
    """A whole command, as a user types it."""
    program = "from reidrisk.cli.main import run; run()"
    return run_process(sys.executable, "-c", program, "table", *arguments, "--quiet")


def told(done: Process) -> str:
    return f"{done.seconds:.1f} s, processors {done.cpu:.1f} s, {done.megabytes:.0f} MB"


def lists_of(path: Path) -> EventLists:
    with open_table(path) as table:
        records = table.per_unit("person", QUASI)
        return read_lists(table, records, "person", QUASI, EVENTS, counted=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, rules = Path(folder) / "events.parquet", Path(folder) / "rules.yaml"
        write_events(path, given.people, given.events)
        rules.write_text(RULES, encoding="utf-8")
        whole = (
            "risk",
            str(path),
            "--quasi",
            ",".join(QUASI),
            "--unit",
            "person",
            "--json",
            f"{folder}/r.json",
        )
        known = (*whole, "--events", ",".join(EVENTS), "--known")
        command(*known, "2")
        plain = command(*whole)
        print(f"without events: {told(plain)}")
        for number in ("1", "2", "3"):
            done = command(*known, number)
            print(f"{number} known: {told(done)}, {done.cpu / plain.cpu:.1f} times the processors")
        lists = lists_of(path)
        print(f"reading alone: {least_seconds(partial(lists_of, path), runs=2):.1f} s")
        for size in (1, 2, 3):
            walked = least_seconds(partial(support_risks, lists, size), runs=2)
            drawn = least_seconds(partial(sample_risks, lists, size, np.random.default_rng(7)), runs=1)
            print(
                f"{size} known: walk of {lists.subsets(size):,} subsets {walked:.2f} s; drawn {drawn:.2f} s"
            )
        made = command(
            *("deidentify", str(path), "--quasi", ",".join(QUASI), "--unit", "person", "--events"),
            *(
                ",".join(EVENTS),
                "--known",
                "2",
                "--hierarchies",
                str(rules),
                "--max-event-suppression",
                "0.3",
            ),
            *("--out", f"{folder}/out.parquet", "--json", f"{folder}/d.json"),
        )
        print(f"de-identified, 2 known: {told(made)}, exit code {made.exit_code}")


if __name__ == "__main__":
    main()

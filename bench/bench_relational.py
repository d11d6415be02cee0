"""How long does it take to learn what linked tables tell about people, and how much memory?

A million people and ten million events in five tables (codes of which some are far more common than others,
some people with many more events than others), 400 static classes, two known events from any tables.

    python bench/bench_relational.py [--people 1000000 --events 10000000 --known 2]
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.events.joined import joined_risk
from reidrisk.stats.events.lists import Pairs, event_lists

TABLES, CODES, CLASSES = 5, 400, 400


def generated(people: int, events: int, rng: np.random.Generator) -> tuple[Pairs, Ints]:
    """Return people with events of all tables: distinct pairs of person and event."""
    weight = rng.gamma(2.0, 0.5, people)
    person = np.repeat(np.arange(people), rng.poisson(weight / weight.mean() * events / people))
    code = (CODES * rng.random(len(person)) ** 3).astype(np.int64)
    event = rng.integers(0, TABLES, len(person)) * CODES + code
    keys = np.unique(person * (TABLES * CODES) + event)
    person, event = keys // (TABLES * CODES), keys % (TABLES * CODES)
    table_of = np.repeat(np.arange(TABLES), CODES)
    pairs = Pairs(person, event, np.ones(len(keys), dtype=np.int64), table_of)
    return pairs, rng.integers(0, CLASSES, people)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--known", type=int, default=2)
    given = parser.parse_args()
    small, few = generated(1_000, 10_000, np.random.default_rng(1))
    joined_risk(event_lists(small, few), given.known)  # compiles the loops
    pairs, class_of = generated(given.people, given.events, np.random.default_rng(7))
    before = peak()
    wall, work = time.perf_counter(), time.process_time()
    lists = event_lists(pairs, class_of)
    listed = time.process_time() - work
    found = joined_risk(lists, given.known).by_known[-1]
    print(f"{given.people:,} people, {len(pairs.person):,} different events in {TABLES} tables")
    print(f"{found.subsets:,} sets of {given.known} events, {found.method}")
    print(f"highest {1 / found.least.min():.4f}, average {found.average:.6f}")
    print(f"share above 1/5: {found.share_below(5)[0]:.6f}")
    seconds, waited = time.process_time() - work, time.perf_counter() - wall
    print(f"CPU {seconds:.1f} s (lists {listed:.1f} s), {waited:.1f} s")
    print(f"peak memory {peak():.2f} GB ({before:.2f} GB before)")


def peak() -> float:
    """Return the largest memory of the process so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()

"""Invented people with events, and the definitions written down once more, without any cleverness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from reidrisk.stats.events.lists import EventLists, Pairs, event_lists

People = list[tuple[int, list[int]]]
"""For each person the static class and the events."""

PEOPLE: st.SearchStrategy[People] = st.lists(
    st.tuples(st.integers(0, 1), st.lists(st.integers(0, 4), max_size=6)), min_size=1, max_size=9
)


def pairs_of(people: People) -> Pairs:
    rows = [(at, event, n) for at, (_, has) in enumerate(people) for event, n in Counter(has).items()]
    found = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Pairs(found[:, 0], found[:, 1], found[:, 2])


def lists_of(people: People, *, counted: bool = False) -> EventLists:
    return event_lists(pairs_of(people), np.array([of for of, _ in people]), counted=counted)


def support(people: People, of: int, known: Sequence[int], *, counted: bool) -> int:
    wanted = Counter(known)
    return sum(
        other == of and all(Counter(has)[event] >= (n if counted else 1) for event, n in wanted.items())
        for other, has in people
    )


def supports(people: People, known: int, *, counted: bool = False) -> list[list[int]]:
    """For each person the support of everything that may be known."""
    found = []
    for of, has in people:
        events = has if counted else sorted(set(has))
        size = min(known, len(events))
        found.append([support(people, of, part, counted=counted) for part in combinations(events, size)])
    return found

"""Ways to spread known events over tables: against all of them, written down by counting."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.events.compositions import Compositions, counts_of

TABLES_AND_CAPS = st.lists(st.integers(0, 3), min_size=1, max_size=3)


@given(st.integers(0, 3), TABLES_AND_CAPS)
@settings(max_examples=40)
def test_each_way_once_the_smallest_first(known: int, caps: list[int]) -> None:
    comps = Compositions.of(known, caps)
    ways = [way for way in product(*(range(cap + 1) for cap in caps)) if sum(way) <= known]
    assert sorted(tuple(counts_of(row, len(caps)).tolist()) for row in comps.rows) == sorted(ways)
    for size in range(known + 1):
        assert all(len(row) == size for row in comps.of_size(size))
        assert len(comps.of_size(size)) == sum(sum(way) == size for way in ways)
    assert comps.largest == max(map(sum, ways))
    assert comps.tables == len(caps)


@given(st.integers(1, 3), TABLES_AND_CAPS, st.data())
@settings(max_examples=40)
def test_each_step_adds_one_event(known: int, caps: list[int], data: st.DataObject) -> None:
    comps = Compositions.of(known, caps)
    own = comps.of_size(known)
    first = data.draw(st.integers(0, len(own)))
    last = data.draw(st.integers(first, len(own)))
    steps = comps.steps(known, first, last)
    for at, row in enumerate(comps.rows):
        for table in range(len(caps)):
            longer = tuple(sorted((*row, table)))
            allowed = longer in comps.rows
            assert steps.next[at, table] == (comps.rows.index(longer) if allowed else -1)
        counted = row in own[first:last]
        assert steps.columns[at] == (own.index(row) - first if counted else -1)
    for left in range(known):
        rows = steps.rows[steps.edges[left] : steps.edges[left + 1]].tolist()
        wanted = [sorted(row) for row in product(range(len(caps)), repeat=left)]
        assert sorted(row[:left] for row in rows) == sorted([list(one) for one in set(map(tuple, wanted))])
        assert all(place == -1 for row in rows for place in row[left:])

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.profile import MOST_SIZE, AcceptableNodes, profile_lattice, profile_levels
from reidrisk.stats.lattice.search import Solution, evaluate, minimal, solve
from tests.stats.lattice.adult import COLUMNS, adult
from tests.stats.lattice.tables import tables

CRITERIA = (
    Criterion(cell_size=2, limit=0.0),
    Criterion(cell_size=3, limit=0.1),
    Criterion(cell_size=2, limit=0.3),
    Criterion(cell_size=5, limit=1.0),
    Criterion(cell_size=1, average=0.3, limit=0.4),
    Criterion(cell_size=2, average=0.25, limit=0.0),
)


def within(counts: object, criterion: Criterion) -> AcceptableNodes:
    return AcceptableNodes(
        counts,  # type: ignore[arg-type]
        criterion.cell_size,
        criterion.limit,
        criterion.average,
    )


def minimal_of(found: AcceptableNodes) -> list[Solution]:
    nodes = [found.solution(int(place)) for place in np.flatnonzero(found.minimal)]
    return sorted(nodes, key=lambda node: (node.score, node.levels))


def without_smallest(one: Solution | None) -> tuple[object, ...] | None:
    return None if one is None else (one.levels, one.score, one.suppressed, one.classes)


@given(table=tables(), loss=st.sampled_from(LOSSES), criterion=st.sampled_from(CRITERIA))
def test_a_profile_answers_as_the_search_does(
    table: tuple[Tuples, list[Recoding]], loss: Loss, criterion: Criterion
) -> None:
    tuples, recodings = table
    counts = profile_lattice(tuples, recodings, loss)
    assert counts is not None
    assert counts.complete
    found, searched = within(counts, criterion), solve(tuples, recodings, criterion, loss)
    best = None if found.best is None else found.solution(found.best)
    assert without_smallest(best) == without_smallest(searched.solution)
    expected = [without_smallest(one) for one in minimal(tuples, recodings, criterion, loss).nodes]
    assert [without_smallest(one) for one in minimal_of(found)] == expected


@pytest.mark.parametrize("loss", LOSSES)
def test_a_profile_of_adult_agrees_to_the_last_digit(shared: Path, loss: Loss) -> None:
    tuples, recodings = adult(shared / "adult", COLUMNS[:5])
    counts = profile_lattice(tuples, recodings, loss)
    assert counts is not None
    for cell_size, limit in ((2, 0.0), (5, 0.02), (5, 0.15), (20, 0.1), (50, 1.0)):
        criterion = Criterion(cell_size, limit=limit)
        found = AcceptableNodes(counts, cell_size, limit)
        assert found.best is not None
        assert found.solution(found.best) == solve(tuples, recodings, criterion, loss).solution
        assert minimal_of(found) == list(minimal(tuples, recodings, criterion, loss).nodes)


@given(table=tables(), loss=st.sampled_from(LOSSES))
def test_some_nodes_have_the_counts_that_they_have_in_the_whole(
    table: tuple[Tuples, list[Recoding]], loss: Loss
) -> None:
    tuples, recodings = table
    whole = profile_lattice(tuples, recodings, loss)
    assert whole is not None
    chosen = [tuple(int(level) for level in whole.levels[place]) for place in (0, len(whole.levels) - 1)]
    some = profile_levels(tuples, recodings, loss, chosen)
    assert some is not None
    assert some.lattice == whole.lattice
    assert some.order == whole.order
    for name in ("below", "classes", "loss", "total"):
        assert np.array_equal(getattr(some, name), getattr(whole, name)[[0, -1]])
    there = evaluate(tuples, recodings, Criterion(3), loss, chosen[0])
    assert (some.loss[0, 2], some.below[0, 2]) == (there.score, there.suppressed)


def test_the_nodes_of_a_part_are_minimal_among_themselves() -> None:
    tuples = Tuples(np.array([[0], [1], [2], [3]], dtype=np.int32), np.array([1, 1, 1, 5]))
    ages = Recoding.of_rows([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]])
    counts = profile_levels(tuples, [ages], "prec", [(1,), (2,)])
    assert counts is not None
    assert not counts.complete
    assert AcceptableNodes(counts, 2, 0.0).minimal.tolist() == [True, False]
    assert AcceptableNodes(counts, 3, 0.0).minimal.tolist() == [False, True]
    unmet = AcceptableNodes(counts, 9, 0.5)
    assert (unmet.best, unmet.nearest) == (None, 0)


def test_a_profile_can_be_stopped_and_tells_how_far_it_is(shared: Path) -> None:
    tuples, recodings = adult(shared / "adult", COLUMNS[:3])
    assert profile_lattice(tuples, recodings, "prec", stop=lambda: True) is None
    assert profile_levels(tuples, recodings, "prec", [(0, 0, 0)], stop=lambda: True) is None
    seen: list[tuple[int, int]] = []
    counts = profile_lattice(
        tuples, recodings, "prec", progress=lambda done, total: seen.append((done, total))
    )
    assert counts is not None
    assert seen[-1] == (counts.lattice, counts.lattice)


@pytest.mark.parametrize(
    ("cell_size", "average", "text"),
    [(MOST_SIZE + 1, None, "cell sizes from 1 to 50"), (0, None, "1 to 50"), (5, 0.01, "below 1/50")],
)
def test_limits_beyond_a_profile_are_refused(cell_size: int, average: float | None, text: str) -> None:
    tuples = Tuples(np.array([[0]], dtype=np.int32), np.array([3]))
    counts = profile_lattice(tuples, [Recoding.of_rows([[0]])], "prec")
    assert counts is not None
    with pytest.raises(InvalidSetting, match=text):
        AcceptableNodes(counts, cell_size, 0.1, average)

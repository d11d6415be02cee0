from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.profile import (
    MOST_SIZE,
    AcceptableNodes,
    LatticeCounts,
    profile_lattice,
    profile_levels,
)
from reidrisk.stats.lattice.profile_kernels import by_size
from reidrisk.stats.lattice.search import Solution, evaluate, minimal, solve
from tests.stats.lattice.adult import COLUMNS, adult
from tests.stats.lattice.exhaustive import Exhaustive
from tests.stats.lattice.tables import small_table, tables

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


def small_counts(seed: int, loss: Loss) -> LatticeCounts:
    counts = profile_lattice(*small_table(seed), loss, weights=[2.0, 1.0, 0.5])
    assert counts is not None
    assert counts.complete
    return counts


@pytest.mark.parametrize(("loss", "seed"), [(loss, seed) for seed, loss in enumerate(LOSSES * 2)])
def test_every_node_and_cell_size_has_the_figures_of_its_classes(loss: Loss, seed: int) -> None:
    counts = small_counts(seed, loss)
    for cell_size in (1, 2, 3, 4, 5, 7, 50):
        nodes = Exhaustive(*small_table(seed), Criterion(cell_size, limit=1.0), [2.0, 1.0, 0.5])
        found = AcceptableNodes(counts, cell_size, 1.0)
        assert counts.records == nodes.tuples.records
        for place, levels in enumerate(counts.levels.tolist()):
            own, one = nodes.figures(tuple(levels), loss), found.solution(place)
            assert (one.levels, one.suppressed, one.classes) == (tuple(levels), own.suppressed, own.classes)
            assert one.score == pytest.approx(own.score, rel=1e-9, abs=4e-10)
            assert one.smallest == cell_size
            assert counts.total[place] == len(nodes.classes(tuple(levels)))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("average", [None, 0.2, 1 / 3, 1.0])
def test_acceptable_and_minimal_nodes_are_those_of_going_through_all(
    seed: int, average: float | None
) -> None:
    counts = small_counts(seed, "loss_am")
    for cell_size, limit in ((1, 0.3), (2, 0.0), (3, 0.15), (4, 0.6), (4, 1.0)):
        criterion = Criterion(cell_size, average=average, limit=limit)
        nodes = Exhaustive(*small_table(seed), criterion, [2.0, 1.0, 0.5])
        good, found = nodes.acceptable("loss_am"), within(counts, criterion)
        every = [tuple(row) for row in counts.levels.tolist()]
        assert [every[at] for at in np.flatnonzero(found.acceptable)] == [one for one in every if one in good]
        assert {one.levels for one in minimal_of(found)} == set(nodes.minimal("loss_am"))
        for place in np.flatnonzero(found.acceptable):
            own, one = good[every[place]], found.solution(int(place))
            assert (one.suppressed, one.classes) == (own.suppressed, own.classes)
            kept = list(nodes.kept(every[place]).values())
            assert one.smallest <= min(kept, default=MOST_SIZE)
            assert one.smallest == cell_size or not fits_average(nodes, every[place], one.smallest - 1)
        fewest = min(nodes.figures(node, "loss_am").suppressed for node in every)
        assert found.fewest == fewest
        assert found.nearest is not None
        assert found.suppressed[found.nearest] == fewest
        assert found.loss[found.nearest] == found.loss[found.suppressed == fewest].min()


def fits_average(nodes: Exhaustive, node: tuple[int, ...], least: int) -> bool:
    """Whether the classes from a size on meet the average."""
    assert nodes.criterion.average is not None
    kept = [size for size in nodes.classes(node).values() if size >= least]
    return len(kept) <= nodes.criterion.average * sum(kept) + 1e-12


def test_between_nodes_of_equal_loss_the_one_of_the_search_is_taken() -> None:
    """Two columns that are alike: both (0, 2) and (2, 0), and what is between them, may have equal losses."""
    rows = np.array([[a, b] for a in range(4) for b in range(4)], dtype=np.int32)
    halves = Recoding.of_rows([np.arange(4), np.arange(4) // 2, np.zeros(4, dtype=int)])
    tuples = Tuples(rows, np.ones(16, dtype=np.int64))
    counts = profile_lattice(tuples, [halves, halves], "prec")
    assert counts is not None
    for cell_size in (2, 4, 8):
        found = AcceptableNodes(counts, cell_size, 0.0)
        searched = solve(tuples, [halves, halves], Criterion(cell_size), "prec").solution
        assert found.best is not None
        assert found.solution(found.best) == searched
    equal = AcceptableNodes(counts, 4, 0.0)
    assert (equal.loss[equal.acceptable] == equal.loss[equal.acceptable].min()).sum() == 3
    assert equal.solution(equal.best or 0).levels == (1, 1)


def test_classes_below_a_size_are_sorted_by_size() -> None:
    counts = np.array([4, 1, 3, 4, 9, 2, 1, 5])
    begins, order = np.zeros(6, dtype=np.int64), np.full(8, -1, dtype=np.int32)
    assert by_size(counts, begins, order) == 6
    own = [order[begins[size] : begins[size + 1]].tolist() for size in range(5)]
    assert own == [[], [1, 6], [5], [2], [0, 3]]


def test_progress_of_nodes_is_told_one_by_one() -> None:
    tuples, recodings = small_table(2)
    seen: list[tuple[int, int]] = []
    chosen = [tuple(one.top for one in recodings), tuple(one.lowest for one in recodings)]
    some = profile_levels(tuples, recodings, "prec", chosen, progress=lambda *at: seen.append(at))
    assert seen == [(1, 2), (2, 2)]
    assert some is not None
    assert some.levels.tolist() == [list(one) for one in chosen]
    nothing = profile_levels(tuples, recodings, "prec", [])
    assert nothing is not None
    empty = AcceptableNodes(nothing, 2, 0.5)
    assert (empty.best, empty.nearest, empty.fewest) == (None, None, tuples.records)


def test_counts_that_do_not_fit_together_are_refused() -> None:
    counts = small_counts(0, "prec")
    wrong_ones: tuple[tuple[str, Any], ...] = (
        ("levels", counts.levels[:, :2]),
        ("total", counts.total[1:]),
        ("below", counts.below[:, 1:]),
        ("loss", counts.loss[1:]),
        ("order", (0, 1, 1)),
    )
    for name, wrong in wrong_ones:
        with pytest.raises(InvalidSetting, match="do not fit together"):
            replace(counts, **{name: wrong})


def test_the_ends_of_what_a_profile_can_tell() -> None:
    counts = small_counts(0, "prec")
    assert AcceptableNodes(counts, MOST_SIZE, 0.0).fewest <= counts.records
    assert AcceptableNodes(counts, 1, 0.0, 1 / MOST_SIZE).column.max() < MOST_SIZE
    assert AcceptableNodes(counts, 1, 0.5).allowed == counts.records // 2

"""Counting nodes one by one finds what the search over all tuples finds, whatever the sample says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped, grouped
from reidrisk.stats.lattice import counted
from reidrisk.stats.lattice.bounds import ClassCounts, CountedQuestion, KnownNodes, Node, NodeLosses
from reidrisk.stats.lattice.counted import CountedSearch, CountingRun, ExpectedNodes, search_counted
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.search import OptimalityProof, minimal, solve
from tests.stats.lattice.exhaustive import Exhaustive
from tests.stats.lattice.tables import small_table, tables

LARGE = 10**9


@dataclass
class Counting:
    """Counts nodes of a table at hand, and remembers which."""

    tuples: Tuples
    recodings: Sequence[Recoding]
    asked: list[Node] = field(default_factory=list)

    def classes(self, node: Node) -> Grouped:
        pairs = enumerate(zip(self.recodings, node, strict=True))
        codes = [one.levels[level][self.tuples.codes[:, place]] for place, (one, level) in pairs]
        return grouped(np.stack(codes, axis=1).astype(np.int32), self.tuples.counts)

    def sizes(self, node: Node) -> ClassCounts:
        self.asked.append(node)
        size, number = np.unique(self.classes(node).counts, return_counts=True)
        return tuple(zip(size.tolist(), number.tolist(), strict=True))

    def lost(self, node: Node, smallest: int) -> list[Ints]:
        classes = self.classes(node)
        small = classes.counts < smallest
        return [
            np.bincount(classes.codes[small, place], classes.counts[small]).astype(np.int64)
            for place in range(len(node))
        ]


def question(
    tuples: Tuples, recodings: Sequence[Recoding], criterion: Criterion, loss: Loss, weights: Sequence[float]
) -> CountedQuestion:
    counts = tuple(
        np.bincount(tuples.codes[:, place], tuples.counts, one.levels[0].size).astype(np.int64)
        for place, one in enumerate(recodings)
    )
    known = (tuple(recodings), counts, criterion, loss, tuple(weights))
    return CountedQuestion(*known, tuples=len(tuples.counts), most_classes=LARGE)


def drawn(tuples: Tuples, kept: Sequence[bool]) -> Tuples | None:
    """Return some of the tuples, in whatever unfair way."""
    some = np.resize(np.array(kept, dtype=bool), len(tuples.counts))
    return Tuples(tuples.codes[some], tuples.counts[some]) if some.any() else None


@given(
    table=tables(),
    kept=st.lists(st.booleans(), min_size=1, max_size=12),
    cell_size=st.integers(1, 6),
    limit=st.sampled_from([0.0, 0.1, 0.35]),
    average=st.sampled_from([None, None, 0.2]),
    losses=st.tuples(
        st.sampled_from(["loss_gm", "loss_am", "prec", "dm"]),
        st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=4, max_size=4),
    ),
)
def test_any_sample_leads_to_the_same_solution(
    table: tuple[Tuples, list[Recoding]],
    kept: list[bool],
    cell_size: int,
    limit: float,
    average: float | None,
    losses: tuple[Loss, list[float]],
) -> None:
    loss, weights = losses
    tuples, recodings = table
    given_weights = [*weights[: len(recodings) - 1], 1.0]
    criterion = Criterion(cell_size, average=average, limit=limit)
    asked = question(tuples, recodings, criterion, loss, given_weights)
    found = search_counted(asked, Counting(tuples, recodings), drawn(tuples, kept))
    known = solve(tuples, recodings, criterion, loss, weights=given_weights)
    assert found.outcome.solution == known.solution
    assert found.outcome.lattice == known.lattice
    assert found.outcome.proof == known.proof
    if average is None:
        nodes = minimal(tuples, recodings, criterion, loss, weights=given_weights)
        assert found.minimal.complete
        assert found.minimal.nodes == nodes.nodes


def pairs(rows: int, columns: int = 2, values: int = 64) -> tuple[Tuples, list[Recoding]]:
    """Return a table of random values whose levels halve the values."""
    draw = np.random.default_rng(11)
    codes = draw.integers(0, values, (rows, columns)).astype(np.int32)
    every = np.arange(values)
    halves = range(int(np.log2(values)) + 1)
    one = Recoding.of_rows([every >> level for level in halves])
    made = grouped(codes, np.ones(rows, dtype=np.int64))
    return Tuples(made.codes, made.counts), [one] * columns


def searched(
    tuples: Tuples, recodings: Sequence[Recoding], sample: Tuples | None, limit: float = 0.05
) -> tuple[CountedSearch, Counting]:
    counter = Counting(tuples, recodings)
    asked = question(tuples, recodings, Criterion(5, limit=limit), "loss_gm", [1.0] * len(recodings))
    return search_counted(asked, counter, sample), counter


def test_few_nodes_of_many_are_counted() -> None:
    tuples, recodings = pairs(4000, columns=3)
    some = tuples.codes[:, 0] >> 3 == 2
    found, counter = searched(tuples, recodings, Tuples(tuples.codes[some], tuples.counts[some]))
    assert found.outcome.optimal
    assert found.outcome.solution == solve(tuples, recodings, Criterion(5, limit=0.05), "loss_gm").solution
    assert len(set(counter.asked)) < found.outcome.lattice / 2


def test_a_sample_that_misleads_is_found_out() -> None:
    """In the sample every class is large; in the rest of the table none is."""
    tuples, recodings = pairs(400)
    crowd = np.array([[1, 1], [2, 2], [40, 40]], dtype=np.int32)
    codes = np.concatenate([tuples.codes, crowd])
    counts = np.concatenate([tuples.counts, [300, 300, 300]])
    every = Tuples(codes, counts)
    sample = Tuples(crowd, np.array([300, 300, 300]))
    alone = solve(sample, recodings, Criterion(5, limit=0.05), "loss_gm").solution
    assert alone is not None
    assert alone.levels == (0, 0)
    found, counter = searched(every, recodings, sample)
    assert (0, 0) in counter.asked
    assert found.misled >= 1
    assert found.outcome.solution == solve(every, recodings, Criterion(5, limit=0.05), "loss_gm").solution
    assert found.outcome.solution is not None
    assert found.outcome.solution.levels != (0, 0)


def test_too_few_counts_prove_nothing_but_release_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MOST_COUNTS", 1)
    tuples, recodings = pairs(4000, columns=3)
    found, counter = searched(tuples, recodings, drawn(tuples, [True, False]))
    assert found.outcome.proof is OptimalityProof.COUNTED
    assert not found.outcome.optimal
    assert found.outcome.solution is not None
    assert found.outcome.solution.levels in counter.asked
    assert found.outcome.solution.suppressed <= 0.05 * tuples.records


def test_of_a_very_large_lattice_the_surroundings_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MOST_NODES", 100)
    tuples, recodings = pairs(4000, columns=3)
    found, _ = searched(tuples, recodings, tuples)
    assert found.outcome.proof is OptimalityProof.COUNTED
    assert found.outcome.solution == solve(tuples, recodings, Criterion(5, limit=0.05), "loss_gm").solution


def test_a_node_with_too_many_classes_is_left_out() -> None:
    tuples, recodings = pairs(4000)
    best = solve(tuples, recodings, Criterion(5, limit=0.05), "loss_gm").solution
    assert best is not None
    asked = question(tuples, recodings, Criterion(5, limit=0.05), "loss_gm", [1.0, 1.0])
    small = CountedQuestion(
        asked.recodings,
        asked.value_counts,
        asked.criterion,
        "loss_gm",
        asked.weights,
        asked.tuples,
        best.classes // 2,
    )
    found = search_counted(small, Counting(tuples, recodings), tuples)
    assert found.too_large
    assert not found.outcome.optimal
    assert found.outcome.solution is not None
    assert found.outcome.solution.score > best.score


def test_without_any_acceptable_node_that_is_proved() -> None:
    tuples, recodings = pairs(40)
    found, _ = searched(
        tuples, [Recoding(one.levels, one.leaves, one.domain, 0, 1) for one in recodings], tuples, 0.0
    )
    assert found.outcome.solution is None
    assert found.outcome.optimal
    assert found.outcome.nearest is not None


SMALL = (
    Criterion(3, limit=0.0),
    Criterion(3, limit=0.3),
    Criterion(2, average=0.4, limit=0.5),
    Criterion(4, limit=1.0),
    Criterion(5, limit=0.15),
)


@pytest.mark.parametrize("seed", range(15))
def test_of_small_tables_the_best_of_all_nodes_is_found(seed: int) -> None:
    loss, criterion = LOSSES[seed % 5], SMALL[seed // 3]
    tuples, recodings = small_table(seed)
    nodes = Exhaustive(tuples, recodings, criterion, [1.0, 2.0, 0.5])
    good = nodes.acceptable(loss)
    asked = question(tuples, recodings, criterion, loss, nodes.weights)
    for sample in (None, Tuples(tuples.codes[::2], tuples.counts[::2])):
        counter = Counting(tuples, recodings)
        found = search_counted(asked, counter, sample)
        assert found.outcome.optimal
        assert found.outcome.lattice == found.minimal.lattice == len(nodes.nodes())
        assert found.outcome.evaluated == found.minimal.evaluated == len(set(counter.asked))
        assert found.too_large == 0
        assert found.misled == 0 or sample is not None
        for one in (*found.minimal.nodes, *([found.outcome.solution] if found.outcome.solution else [])):
            own = good[one.levels]
            assert (one.suppressed, one.classes) == (own.suppressed, own.classes)
            assert one.score == pytest.approx(own.score, rel=1e-9, abs=4e-10)
        if found.outcome.solution is not None:
            best = min(one.score for one in good.values())
            assert found.outcome.solution.score == pytest.approx(best, rel=1e-9, abs=4e-10)
        assert (found.outcome.solution is None) == (found.outcome.nearest is not None) == (not good)
        lowest = {one.levels for one in found.minimal.nodes}
        assert found.minimal.complete == (criterion.average is None or not good)
        assert lowest == set(nodes.minimal(loss)) or not found.minimal.complete


def test_a_single_chain_is_searched_from_its_middle_and_its_top() -> None:
    """One column with five levels, so that a node has as many nodes below it as its level."""
    values = np.arange(16)
    chain = Recoding.of_rows([values >> level for level in range(5)])
    tuples = Tuples(values[:, None].astype(np.int32), np.ones(16, dtype=np.int64))
    for loss, first in (("loss_am", 4), ("dm", 0)):
        asked = question(tuples, [chain], Criterion(2, limit=0.0), loss, [1.0])  # type: ignore[arg-type]
        run = CountingRun(asked, Counting(tuples, [chain]), None)
        run.run()
        run.box = KnownNodes(asked, NodeLosses(asked), (0,), (4,))
        assert run._telling(run.box.unknown()) == (first,)
        assert run._middle(run.box.unknown()) == (2,)
        run.box.note((4,), [(16, 1)], None)
        assert run._telling(run.box.unknown()) == (min(first, 3),)
        run.box.note((0,), [(1, 16)], None)
        assert not run.box.unknown()[0]
        assert run._middle(run.box.unknown()) == (2,)


def test_a_sample_must_keep_to_more_than_the_criterion() -> None:
    tuples, recodings = small_table(0)
    asked = question(tuples, recodings, Criterion(5, average=0.1, limit=0.08), "prec", [1.0] * 3)
    run = CountingRun(asked, Counting(tuples, recodings), tuples)
    assert run._stricter(1.0) == asked.criterion
    assert run._stricter(1.25) == Criterion(7, average=0.1, limit=0.064)
    assert run._stricter(2.0) == Criterion(10, average=0.1, limit=0.04)


def test_the_border_is_highest_among_the_nodes_that_are_not_acceptable() -> None:
    tuples, recodings = small_table(0)
    levels = [Recoding(one.levels, one.leaves, one.domain) for one in recodings]
    asked = question(tuples, levels, Criterion(2), "prec", [1.0] * 3)
    box = KnownNodes(asked, NodeLosses(asked), asked.low, asked.high)
    every = Exhaustive(tuples, levels, Criterion(2), [1.0] * 3).nodes()
    for lowest in ([(1, 0, 1), (0, 1, 0)], [(2, 1, 1)], [(0, 0, 0)], []):
        bad = [node for node in every if not any(is_below(one, node) for one in lowest)]
        highest = [node for node in bad if not any(is_below(node, one) and one != node for one in bad)]
        found = ExpectedNodes.of(lowest, box)
        assert found.minimal == lowest
        assert sorted(found.border) == sorted(highest)


def is_below(one: Node, other: Node) -> bool:
    return all(low <= high for low, high in zip(one, other, strict=True))


def test_of_nodes_with_too_many_classes_nothing_is_claimed() -> None:
    tuples, recodings = small_table(1)
    asked = question(tuples, recodings, Criterion(2, limit=1.0), "prec", [1.0] * 3)
    most = 4
    few = CountedQuestion(
        asked.recodings, asked.value_counts, asked.criterion, "prec", asked.weights, asked.tuples, most
    )
    nodes = Exhaustive(tuples, recodings, asked.criterion, [1.0] * 3)
    fine = {node: nodes.figures(node, "prec") for node in nodes.nodes() if len(nodes.classes(node)) <= most}
    found = search_counted(few, Counting(tuples, recodings), None)
    assert found.too_large > 0
    assert found.outcome.proof is found.minimal.proof is OptimalityProof.COUNTED
    assert found.outcome.solution is not None
    assert found.outcome.solution.levels in fine
    assert found.outcome.solution.score == pytest.approx(min(one.score for one in fine.values()))
    assert not found.minimal.complete


def test_a_search_that_is_stopped_proves_nothing() -> None:
    tuples, recodings = small_table(8)
    asked = question(tuples, recodings, Criterion(3, limit=0.2), "prec", [1.0] * 3)
    seen: list[tuple[int, int]] = []
    counter = Counting(tuples, recodings)
    found = search_counted(asked, counter, None, stop=lambda: True, progress=lambda *at: seen.append(at))
    assert found.outcome.proof is OptimalityProof.INTERRUPTED
    assert not found.minimal.complete
    assert seen == [(number, asked.lattice) for number in range(1, len(seen) + 1)]
    whole = search_counted(asked, Counting(tuples, recodings), None)
    assert found.outcome.evaluated < whole.outcome.evaluated


def test_what_is_still_open_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MOST_COUNTS", 0)
    tuples, recodings = small_table(8)
    asked = question(tuples, recodings, Criterion(3, limit=0.2), "prec", [1.0] * 3)
    found = search_counted(asked, Counting(tuples, recodings), None)
    assert found.outcome.proof is OptimalityProof.COUNTED
    assert not found.minimal.complete
    counter = Counting(tuples, recodings)
    search_counted(asked, counter, None)
    for node in counter.asked:  # the highest, and those that limit one column: nothing else is looked for
        assert sum(level != top for level, top in zip(node, asked.high, strict=True)) <= 1


@pytest.mark.parametrize("most", [4, 11])
def test_around_the_best_node_of_the_sample_a_part_is_searched(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one step of the node; what is outside is not proved, and minimal nodes are not looked for."""
    tuples, recodings = small_table(8)
    levels = [Recoding(one.levels, one.leaves, one.domain) for one in recodings]
    criterion = Criterion(3, limit=0.2)
    asked = question(tuples, levels, criterion, "prec", [1.0] * 3)
    monkeypatch.setattr(counted, "MOST_NODES", most)
    counter = Counting(tuples, levels)
    run = CountingRun(asked, counter, tuples)
    found = run.run()
    assert found.outcome.proof is OptimalityProof.COUNTED
    assert not found.minimal.complete
    first = solve(tuples, levels, criterion, "prec").solution
    assert first is not None
    assert found.outcome.solution == first
    ends = zip(first.levels, run.least, run.box.low, run.box.high, asked.high, strict=True)
    for at, least, low, high, top in ends:
        assert (low, high) == (max(least, at - 1), min(top, at + 1))
    monkeypatch.setattr(counted, "MOST_NODES", 12)
    assert search_counted(asked, Counting(tuples, levels), tuples).minimal.complete


def test_without_an_acceptable_node_the_highest_is_shown() -> None:
    tuples = Tuples(np.array([[0], [1], [2]], dtype=np.int32), np.array([4, 2, 1]))
    column = [Recoding.of_rows([[0, 1, 2], [0, 0, 1]])]
    for loss in ("prec", "dm"):
        asked = question(tuples, column, Criterion(5, limit=0.0), loss, [1.0])
        found = search_counted(asked, Counting(tuples, column), None)
        nearest = found.outcome.nearest
        assert nearest is not None
        assert (nearest.levels, nearest.suppressed, nearest.classes, nearest.smallest) == ((1,), 1, 1, 5)
        assert nearest.score == (np.inf if loss == "dm" else 1.0)
        assert found.minimal.nodes == ()
        assert found.minimal.complete

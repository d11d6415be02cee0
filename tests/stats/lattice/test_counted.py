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
from reidrisk.stats.lattice.bounds import ClassCounts, CountedQuestion, Node
from reidrisk.stats.lattice.counted import CountedSearch, search_counted
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import Loss
from reidrisk.stats.lattice.search import OptimalityProof, minimal, solve
from tests.stats.lattice.tables import tables

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

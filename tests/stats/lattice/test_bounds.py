"""What is known of nodes that were not counted, against all nodes of small tables."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from reidrisk.stats.lattice.bounds import (
    CountedQuestion,
    KnownNodes,
    Node,
    NodeLosses,
    below,
    least_discernibility,
    smallest_kept,
)
from reidrisk.stats.lattice.inputs import Criterion
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.search import evaluate
from tests.stats.lattice.exhaustive import Exhaustive
from tests.stats.lattice.tables import small_table
from tests.stats.lattice.test_counted import Counting, question

WEIGHTS = [2.0, 1.0, 0.5]


def asked(nodes: Exhaustive, loss: Loss) -> CountedQuestion:
    return question(nodes.tuples, nodes.recodings, nodes.criterion, loss, WEIGHTS)


@pytest.mark.parametrize("loss", [one for one in LOSSES if one != "dm"])
def test_losses_from_counts_are_those_of_the_tuples(loss: Loss) -> None:
    nodes = Exhaustive(*small_table(1), Criterion(3, limit=0.5), WEIGHTS)
    known, counter = NodeLosses(asked(nodes, loss)), Counting(nodes.tuples, nodes.recodings)
    for node in nodes.nodes():
        found = known.of(node, counter.lost(node, 3))
        assert found == pytest.approx(nodes.figures(node, loss).score, rel=1e-9, abs=4e-10)


def test_losses_from_counts_are_the_same_to_the_last_digit() -> None:
    nodes = Exhaustive(*small_table(2), Criterion(3, limit=0.5), [1.0] * 3)
    whole = question(nodes.tuples, nodes.recodings, nodes.criterion, "loss_gm", [1.0] * 3)
    known, counter = NodeLosses(whole), Counting(nodes.tuples, nodes.recodings)
    for node in nodes.nodes():
        theirs = evaluate(nodes.tuples, nodes.recodings, nodes.criterion, "loss_gm", node).score
        assert known.of(node, counter.lost(node, 3)) == theirs


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("average", [None, 0.3])
def test_a_counted_node_says_nothing_wrong_about_the_others(loss: Loss, average: float | None) -> None:
    criterion = Criterion(4, average=average, limit=0.25)
    nodes = Exhaustive(*small_table(3), criterion, WEIGHTS)
    what, counter = asked(nodes, loss), Counting(nodes.tuples, nodes.recodings)
    good = nodes.acceptable(loss)
    every = {node: nodes.figures(node, loss) for node in nodes.nodes()}
    for node in nodes.nodes():
        known = KnownNodes(what, NodeLosses(what), what.low, what.high)
        solution = evaluate(nodes.tuples, nodes.recodings, criterion, loss, node) if node in good else None
        known.note(node, counter.sizes(node), solution)
        assert known.counted == {node: solution}
        unknown = known.unknown()
        for other, figures in every.items():
            place = known.place(other)
            assert place is not None
            assert known.node(place) == other
            assert known.seen[place] == (other == node)
            assert known.impossible[place] == (few(nodes, node) and is_below(other, node))
            assert not known.impossible[place] or other not in good
            assert known.possible[place] == (node in good and average is None and is_below(node, other))
            assert not known.possible[place] or other in good
            assert unknown[place] == (
                not (known.possible[place] or known.impossible[place]) and other != node
            )
            assert other not in good or known.bound[place] <= figures.score + 1e-8
        best = min(one.score for one in good.values())
        is_open = known.open(best)
        assert not (is_open & (known.seen | known.impossible)).any()
        assert not known.open(-1.0).any()
        assert np.array_equal(known.open(math.inf), ~known.seen & ~known.impossible)
        for other, figures in good.items():  # the best node is not ruled out before it was counted
            if figures.score == best and other != node:
                assert is_open[known.place(other)]


@pytest.mark.parametrize("loss", ["loss_gm", "loss_am", "prec", "dm"])
def test_a_bound_is_the_loss_if_the_least_costly_records_are_suppressed(loss: Loss) -> None:
    nodes = Exhaustive(*small_table(4), Criterion(3, limit=0.5), WEIGHTS)
    what = asked(nodes, loss)
    records, gone = nodes.tuples.records, 4
    found = NodeLosses(what).least(what.low, what.high, gone)
    for node in nodes.nodes():
        losses = []
        for a, (recoding, level) in enumerate(zip(nodes.recodings, node, strict=True)):
            least, most = records / recoding.domain, records - records / recoding.domain
            share = recoding.leaves[level][recoding.levels[level]] / recoding.domain
            if loss == "prec":
                own = level / recoding.height
                losses.append(own + gone * (1 - own) / records)
            else:
                total = float(nodes.tuples.counts @ share[nodes.tuples.codes[:, a]])
                losses.append((total - least + gone * (1 - float(share.max()))) / most)
        place = tuple(level - low for level, low in zip(node, what.low, strict=True))
        weights = [weight / sum(WEIGHTS) for weight in WEIGHTS]
        expected = sum(weight * one for weight, one in zip(weights, losses, strict=True))
        if loss == "loss_gm":
            expected = math.prod((1 + one) ** weight for weight, one in zip(weights, losses, strict=True)) - 1
        if loss == "dm":
            expected = records * gone
        assert found[place] == pytest.approx(expected, abs=3e-10)


@pytest.mark.parametrize("loss", [one for one in LOSSES if one != "dm"])
def test_without_suppression_the_bound_is_the_loss(loss: Loss) -> None:
    nodes = Exhaustive(*small_table(1), Criterion(1), WEIGHTS)
    what = asked(nodes, loss)
    known = NodeLosses(what)
    assert what.lattice == len(nodes.nodes())
    assert (what.records, what.allowed) == (nodes.tuples.records, 0)
    bounds, nothing = known.least(what.low, what.high, 0), [np.zeros(1, dtype=np.int64)] * 3
    found = [known.of(node, nothing) for node in nodes.nodes()]
    assert bounds.ravel().tolist() == pytest.approx(found, rel=1e-14, abs=1e-14)


def test_parts_of_the_lattice_are_those_below_and_above() -> None:
    nodes = Exhaustive(*small_table(5), Criterion(2), WEIGHTS)
    what = asked(nodes, "prec")
    high = tuple(level - (level > low) for level, low in zip(what.high, what.low, strict=True))
    part = KnownNodes(what, NodeLosses(what), what.low, high)
    inside = list(product(*(range(low, top + 1) for low, top in zip(what.low, high, strict=True))))
    for node in nodes.nodes():
        lower, upper = np.zeros_like(part.seen), np.zeros_like(part.seen)
        lower[part.below(node)], upper[part.above(node)] = True, True
        for other in inside:
            place = part.place(other)
            assert place is not None
            assert lower[place] == is_below(other, node)
            assert upper[place] == is_below(node, other)
        assert (part.place(node) is None) == (node not in inside)
    volume = {other: math.log(sum(is_below(one, other) for one in inside)) for other in inside}
    for other, expected in volume.items():
        assert part.volume[part.place(other)] == pytest.approx(expected)


def few(nodes: Exhaustive, node: Node) -> bool:
    """Whether too many records are in classes below the cell size."""
    small = [size for size in nodes.classes(node).values() if size < nodes.criterion.smallest]
    return sum(small) > nodes.criterion.may_suppress(nodes.tuples.records)


def is_below(one: Node, other: Node) -> bool:
    return all(low <= high for low, high in zip(one, other, strict=True))


def test_a_node_outside_the_part_still_tells_about_it() -> None:
    nodes = Exhaustive(*small_table(3), Criterion(4, limit=0.1), WEIGHTS)
    what, counter = asked(nodes, "loss_am"), Counting(nodes.tuples, nodes.recodings)
    bad = next(node for node in reversed(nodes.nodes()) if node not in nodes.acceptable("loss_am"))
    part = KnownNodes(what, NodeLosses(what), what.low, what.low)
    part.note(bad, counter.sizes(bad), None)
    assert part.place(bad) is None or bad == what.low
    assert part.impossible.all()
    assert not part.unknown().any()


SIZES = ((1, 3), (2, 2), (5, 1))
"""Three classes of one record, two of two, one of five."""


def test_records_in_small_classes_are_counted() -> None:
    assert [below(SIZES, size) for size in (1, 2, 3, 5, 6)] == [0, 3, 7, 7, 12]


@pytest.mark.parametrize(
    ("cell_size", "average", "expected"),
    [(1, None, 1), (3, None, 3), (1, 0.5, 1), (1, 0.49, 2), (1, 3 / 9, 2), (1, 0.3, 3),
     (2, 0.2, 3), (1, 0.1, 6)]
)  # fmt: skip
def test_the_least_class_that_is_kept(cell_size: int, average: float | None, expected: int) -> None:
    assert smallest_kept(SIZES, Criterion(cell_size, average=average)) == expected


def test_no_node_above_has_less_discernibility() -> None:
    assert least_discernibility(SIZES, 1, 12) == 3 * 1 + 4 * 2 + 5 * 5
    assert least_discernibility(SIZES, 3, 12) == 3 * 3 + 4 * 3 + 5 * 5
    assert least_discernibility(SIZES, 20, 12) == 12 * 12

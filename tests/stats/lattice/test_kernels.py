"""The loops of the search against the same in plain Python, on tables that are small enough for all nodes."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice import kernels
from reidrisk.stats.lattice.arrange import LatticeQuestion, PreparedSearch, arrange
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.search import OptimalityProof, evaluate, minimal, solve
from reidrisk.stats.lattice.tables import LossMeasure, SearchLimits, new_state
from tests.stats.lattice.exhaustive import Exhaustive, Node
from tests.stats.lattice.tables import small_table

CRITERIA = (
    Criterion(cell_size=2, limit=0.0),
    Criterion(cell_size=3, limit=0.2),
    Criterion(cell_size=2, limit=0.4),
    Criterion(cell_size=4, limit=1.0),
    Criterion(average=0.3, cap=0.5, limit=0.5),
    Criterion(average=0.25, limit=0.0),
    Criterion(cell_size=5, limit=0.3),
)
WEIGHTS = (2.0, 1.0, 0.5)
CASES = [(LOSSES[at % 5], CRITERIA[at % 7], at) for at in range(35)]


def every(seed: int, criterion: Criterion) -> Exhaustive:
    return Exhaustive(*small_table(seed), criterion, list(WEIGHTS))


@pytest.mark.parametrize(("loss", "criterion", "seed"), CASES)
def test_the_search_finds_what_going_through_all_nodes_finds(
    loss: Loss, criterion: Criterion, seed: int
) -> None:
    nodes = every(seed, criterion)
    good, asked = nodes.acceptable(loss), (nodes.tuples, nodes.recodings, criterion, loss)
    found, lowest = solve(*asked, weights=WEIGHTS), minimal(*asked, weights=WEIGHTS)
    assert found.lattice == lowest.lattice == len(nodes.nodes())
    assert {node.levels for node in lowest.nodes} == set(nodes.minimal(loss))
    for node in (*lowest.nodes, *([found.solution] if found.solution else [])):
        own = good[node.levels]
        assert (node.suppressed, node.classes) == (own.suppressed, own.classes)
        assert node.score == pytest.approx(own.score, rel=1e-9, abs=4e-10)
        assert node.smallest >= criterion.smallest
    assert (found.solution is None) == (not good)
    if found.solution is not None:
        assert found.solution.score == pytest.approx(min(one.score for one in good.values()), abs=4e-10)
    suppresses = criterion.may_suppress(nodes.tuples.records) > 0
    proof = OptimalityProof.BOUNDS if suppresses else OptimalityProof.MONOTONE
    assert found.proof is proof
    assert lowest.proof is (OptimalityProof.MONOTONE if criterion.average is None else proof)


@pytest.mark.parametrize("loss", LOSSES)
def test_every_node_has_the_figures_of_its_classes(loss: Loss) -> None:
    criterion = Criterion(3)
    nodes = Exhaustive(*small_table(50), criterion, [1.0] * 3)
    for node in nodes.nodes():
        found = evaluate(nodes.tuples, nodes.recodings, criterion, loss, node)
        own = nodes.figures(node, loss)
        assert (found.levels, found.suppressed, found.classes) == (node, own.suppressed, own.classes)
        assert found.score == pytest.approx(own.score, rel=1e-9, abs=4e-10)


def prefixes(ready: PreparedSearch, given: list[int]) -> list[float]:
    """Lower bounds with the first attribute fixed at its level, with the first two, and so on."""
    problem, state, found = ready.problem, ready.state, []
    state.level[:] = problem.low
    for a, level in enumerate(given):
        while state.level[a] < level:
            kernels.roll_up(problem, state, a)
        kernels.number_groups(problem, state, a)
        found.append(kernels.least_loss(problem, state, a + 1))
        kernels.fix_level(problem, state, a)
    return found


def least(nodes: Exhaustive, ready: PreparedSearch, fixed: dict[int, int], loss: Loss) -> float:
    """The same bound from its definition: classes with all other attributes at the top decide what is lost.

    Attributes that are not fixed have their lowest level.
    """
    low = dict(zip(ready.order, ready.problem.low.tolist(), strict=True))
    top = tuple(fixed.get(a, one.top) for a, one in enumerate(nodes.recodings))
    bottom = tuple(fixed.get(a, low[a]) for a in range(3))
    size, records = nodes.criterion.smallest, nodes.tuples.records
    kept = {key: number for key, number in nodes.classes(top).items() if number >= size}
    lost = records - sum(kept.values())
    if lost > nodes.criterion.may_suppress(records):
        return math.inf
    fine: Counter[tuple[int, ...]] = Counter()
    gone: Counter[tuple[int, ...]] = Counter()
    for row, number in zip(nodes.tuples.codes.tolist(), nodes.tuples.counts.tolist(), strict=True):
        (fine if nodes.general(top, row) in kept else gone)[nodes.general(bottom, row)] += number
    if loss == "dm":
        return float(sum(n * min(max(n, size), records) for n in fine.values()) + records * lost)
    losses = []
    for a, recoding in enumerate(nodes.recodings):
        if a in fixed or loss == "entropy":
            losses.append(nodes.attribute(a, bottom, dict(fine), loss))
            continue
        share = recoding.leaves[low[a]] / recoding.domain
        best = {code: nodes.recodings[a].levels[low[a]].tolist().count(code) for code in range(len(share))}
        largest = max(float(share[code]) for code, number in best.items() if number)
        per_level = low[a] / recoding.height
        if loss == "prec":
            losses.append(per_level + lost * (1 - per_level) / records)
            continue
        most = records - records / recoding.domain
        whole = nodes.attribute(a, bottom, dict(nodes.classes(bottom)), loss)
        losses.append(whole + lost * (1 - largest) / most)
    whole_weight = sum(WEIGHTS)
    if loss == "loss_gm":
        return float(
            math.prod((1 + x) ** (w / whole_weight) for x, w in zip(losses, WEIGHTS, strict=True)) - 1
        )
    total = sum(x * w for x, w in zip(losses, WEIGHTS, strict=True))
    return total if loss == "entropy" else total / whole_weight


@pytest.mark.parametrize(("loss", "seed"), [(loss, seed) for loss in LOSSES for seed in (60, 63, 64)])
def test_lower_bounds_are_what_they_are_defined_as_and_no_node_is_below_them(loss: Loss, seed: int) -> None:
    nodes = every(seed, Criterion(5, limit=0.9))
    good = nodes.acceptable(loss)
    asked = LatticeQuestion.of(nodes.tuples, nodes.recodings, nodes.criterion, loss, WEIGHTS)
    first = arrange(asked)
    levels = [range(low, high + 1) for low, high in zip(first.problem.low, first.problem.high, strict=True)]
    for two in product(*levels[:2]):
        ready = arrange(asked)
        found = prefixes(ready, list(two))
        for number, bound in enumerate(found, 1):
            fixed = dict(zip(ready.order[:number], two, strict=False))
            assert bound == pytest.approx(least(nodes, ready, fixed, loss), rel=1e-9, abs=3e-10)
            above = [one.score for node, one in good.items() if is_at(node, fixed)]
            assert bound <= min(above, default=math.inf) + 1e-9


def test_a_level_that_costs_as_much_as_the_best_node_is_not_searched() -> None:
    nodes = every(60, Criterion(2, limit=0.2))
    asked = LatticeQuestion.of(nodes.tuples, nodes.recodings, nodes.criterion, "prec", WEIGHTS)
    ready = arrange(asked)
    problem, state = ready.problem, ready.state
    state.level[:] = problem.low
    kernels.roll_up(problem, state, 0)
    first, share = ready.order[0], 1 / nodes.recodings[ready.order[0]].height
    cost = WEIGHTS[first] * share * int(state.level[0]) / sum(WEIGHTS)
    rest = zip(ready.order[1:], problem.low[1:].tolist(), strict=True)
    cost += sum(WEIGHTS[a] * low / nodes.recodings[a].height for a, low in rest) / sum(WEIGHTS)
    state.best[0] = cost + 1e-9
    assert not kernels.is_hopeless(problem, state, 0)
    state.best[0] = cost - 1e-9
    assert kernels.is_hopeless(problem, state, 0)


@pytest.mark.parametrize("room", [1, 2])
def test_a_search_in_small_steps_and_with_little_room_finds_the_same(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = every(8, Criterion(3, limit=0.2))
    loss: Loss = "prec"
    asked = (nodes.tuples, nodes.recodings, nodes.criterion, loss)
    whole, best = minimal(*asked), solve(*asked)
    assert len(whole.nodes) > room
    monkeypatch.setattr("reidrisk.stats.lattice.search.ENTRIES", 1)
    assert solve(*asked) == best
    monkeypatch.setattr("reidrisk.stats.lattice.tables.FOUND", room)
    steps: list[int] = []
    assert minimal(*asked, progress=lambda done, _: steps.append(done)) == whole
    assert len(steps) > 3
    assert steps == sorted(steps)


def test_of_a_chain_the_nodes_up_to_the_first_acceptable_one_are_evaluated() -> None:
    """Sixteen values of one record each: from the third level on, the average of 1/4 is met."""
    values = np.arange(16)
    chain = [Recoding.of_rows([values >> level for level in range(5)])]
    tuples = Tuples(values[:, None].astype(np.int32), np.ones(16, dtype=np.int64))
    found = minimal(tuples, chain, Criterion(average=0.25), "prec")
    assert [node.levels for node in found.nodes] == [(2,)]
    assert (found.evaluated, found.lattice) == (3, 5)


def is_at(node: Node, fixed: dict[int, int]) -> bool:
    return all(node[a] == level for a, level in fixed.items())


def test_the_search_begins_where_the_others_at_their_highest_suppress_few_enough() -> None:
    raised = 0
    for seed in range(20):
        nodes = every(seed, Criterion(4, limit=0.1))
        asked = LatticeQuestion.of(nodes.tuples, nodes.recodings, nodes.criterion, "prec", WEIGHTS)
        ready = arrange(asked)
        most = nodes.criterion.may_suppress(nodes.tuples.records)
        for a, low in zip(ready.order, ready.problem.low.tolist(), strict=True):
            tops = [one.top for one in nodes.recodings]
            levels = range(nodes.recodings[a].lowest, tops[a] + 1)
            fine = [at for at in levels if lost(nodes, (*tops[:a], at, *tops[a + 1 :])) <= most]
            assert low == min(fine, default=tops[a])
            raised += low > nodes.recodings[a].lowest
    assert raised


def lost(nodes: Exhaustive, node: Node) -> int:
    return sum(size for size in nodes.classes(node).values() if size < nodes.criterion.smallest)


def test_ranks_of_pairs_are_dense_and_in_order() -> None:
    rng = np.random.default_rng(3)
    for size in (1, 2, 7, 12):
        high, low = rng.integers(0, 3, (2, size)).astype(np.int32)
        ranks = np.empty(size, dtype=np.int32)
        number = kernels.rank_pairs(high, low, new_state(size, 2, 4), ranks)
        pairs, expected = np.unique(np.stack([high, low], axis=1), axis=0, return_inverse=True)
        assert (number, ranks.tolist()) == (len(pairs), expected.ravel().tolist())


def limits(*, smallest: int = 1, suppressed: int = 0, average: float = 1.0) -> SearchLimits:
    return SearchLimits(20, smallest, suppressed, average)


@pytest.mark.parametrize(
    ("average", "smallest", "expected"),
    [
        (1.0, 2, 2),  # no average is asked for
        (5 / 20, 1, 1),  # 5 classes of 20 records: exactly the average
        (0.24, 1, 2),  # without the class of 1, 4 classes of 19
        (4 / 19, 1, 2),
        (0.2, 1, 3),  # 3 classes of 17
        (0.2, 4, 4),
        (0.15, 1, 4),  # 2 classes of 14
        (1 / 10, 1, 5),  # only the class of 10
        (0.09, 1, 11),  # nothing is left
    ],
)
def test_small_classes_go_until_the_average_is_met(average: float, smallest: int, expected: int) -> None:
    counts = np.array([3, 1, 10, 2, 4])
    assert kernels.smallest_kept(limits(smallest=smallest, average=average), counts) == expected


def test_discernibility_of_a_worked_example() -> None:
    counts = np.array([3, 1, 4])
    assert kernels.discernibility(limits(), counts, 3) == 9 + 16 + 1 * 20
    assert kernels.discernibility(limits(), counts, 1) == 9 + 16 + 1
    assert kernels.discernibility(limits(), counts, 5) == 8 * 20


def measure(*, geometric: bool, floored: bool, weights: tuple[float, ...] = (0.5, 0.5)) -> LossMeasure:
    none: Floats = np.zeros((2, 1))
    return LossMeasure(0, geometric, floored, np.array(weights), none, none[0], none)


def test_losses_are_rounded_down_to_ten_digits_and_combined() -> None:
    floored = measure(geometric=False, floored=True)
    assert kernels.rounded(floored, 0.123456789099) == 0.1234567890
    assert kernels.rounded(floored, -1e-17) == 0.0
    assert kernels.rounded(measure(geometric=False, floored=False), 0.123456789099) == 0.123456789099
    losses: Floats = np.array([0.44, 0.0])
    assert kernels.combined(floored, losses) == pytest.approx(0.22)
    assert kernels.combined(measure(geometric=True, floored=True), losses) == pytest.approx(0.2)


def test_entries_are_sorted_by_their_keys_and_keep_their_order() -> None:
    keys: Ints = np.array([2, 0, 2, 1, 0])
    given, out = np.arange(5, dtype=np.int32), np.empty(5, dtype=np.int32)
    kernels.sort_by(keys.astype(np.int32), given, np.full(9, 7), out)
    assert out.tolist() == [1, 4, 3, 0, 2]

"""Limits on secrets as criteria of the search: exact against every node in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.stats.lattice.arrange import LatticeQuestion
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import LOSSES
from reidrisk.stats.lattice.search import OptimalityProof, evaluate, solve
from reidrisk.stats.lattice.sensitive import Nodes, SensitiveAttribute, hidden_keeps, releasable
from reidrisk.stats.lattice.sensitive_search import solve_sensitive
from tests.stats.lattice.exhaustive import Exhaustive, Figures
from tests.stats.lattice.tables import small_table, tables


@dataclass(frozen=True)
class WithSecret(Exhaustive):
    """Every node, with classes that tell too much suppressed as well."""

    secret: SensitiveAttribute

    def kept(self, node: tuple[int, ...]) -> dict[tuple[int, ...], int]:
        told = self.told(node)
        least = self.criterion.smallest
        while True:
            kept = {
                key: size
                for key, size in self.classes(node).items()
                if size >= least and self.keeps(told[key], size)
            }
            average = len(kept) / sum(kept.values()) if kept else 0.0
            if self.criterion.average is None or average <= self.criterion.average + 1e-12:
                return kept
            least += 1

    def acceptable(self, loss: str) -> dict[tuple[int, ...], Figures]:
        good = super().acceptable(loss)
        return {node: figures for node, figures in good.items() if self.fits(node)}

    def fits(self, node: tuple[int, ...]) -> bool:
        """Suppressed records keep the limits as one class, or the rest keeps them without them."""
        kept, told = self.kept(node), self.told(node)
        gone: Counter[int] = Counter()
        for key, values in told.items():
            gone += Counter() if key in kept else values
        size = sum(gone.values())
        if not size or (size >= self.criterion.cell_size and self.keeps(gone, size)):
            return True
        rest: Counter[int] = Counter()
        for key in kept:
            rest += told[key]
        left = sorted(rest)
        share = np.array([rest[value] / sum(rest.values()) for value in left])
        alone = replace(self, secret=replace(self.secret, overall=share))
        return bool(kept) and all(
            alone.keeps(Counter({left.index(v): n for v, n in told[key].items()}), kept[key]) for key in kept
        )

    def told(self, node: tuple[int, ...]) -> dict[tuple[int, ...], Counter[int]]:
        found: dict[tuple[int, ...], Counter[int]] = {}
        rows = zip(self.secret.owner, self.secret.value, self.secret.counts, strict=True)
        for owner, value, count in rows:
            key = self.general(node, self.tuples.codes[owner].tolist())
            found.setdefault(key, Counter())[int(value)] += int(count)
        return found

    def keeps(self, told: Counter[int], size: int) -> bool:
        limits, q = self.secret.limits, self.secret.overall
        p = {value: count / size for value, count in told.items()}
        return (
            (limits.l is None or self.diverse(sorted(told.values(), reverse=True), size))
            and (limits.t is None or self.distance(p) <= limits.t + 1e-9)
            and (limits.beta is None or max((p[v] - q[v]) / q[v] for v in p) <= limits.beta + 1e-9)
            and (limits.delta is None or max(abs(math.log2(p[v] / q[v])) for v in p) <= limits.delta + 1e-9)
        )

    def diverse(self, counts: list[int], size: int) -> bool:
        limits = self.secret.limits
        assert limits.l is not None
        if limits.diversity == "distinct":
            return len(counts) >= limits.l
        if limits.diversity == "entropy":
            entropy = -sum(count / size * math.log(count / size) for count in counts)
            return math.exp(entropy) >= limits.l - 1e-9
        number = sum(counts[0] < limits.c * sum(counts[place:]) for place in range(len(counts)))
        return number >= limits.l

    def distance(self, p: dict[int, float]) -> float:
        q = self.secret.overall
        apart = [p.get(value, 0.0) - float(share) for value, share in enumerate(q)]
        if self.secret.limits.distance == "equal":
            return sum(abs(each) for each in apart) / 2
        return sum(abs(sum(apart[: place + 1])) for place in range(len(q))) / max(len(q) - 1, 1)


LIMITS = st.builds(
    SensitiveLimits,
    l=st.sampled_from([None, 1.5, 2.0, 3.0]),
    t=st.sampled_from([None, 0.1, 0.3, 0.6]),
    beta=st.sampled_from([None, 0.3, 1.0]),
    delta=st.sampled_from([None, 0.5, 1.5]),
    diversity=st.sampled_from(["distinct", "entropy", "recursive"]),
    distance=st.sampled_from(["equal", "ordered"]),
)


@st.composite
def secrets(draw: st.DrawFn, tuples: Tuples) -> SensitiveAttribute:
    """Every record of every tuple has a value."""
    owner = np.repeat(np.arange(tuples.counts.size), tuples.counts)
    value = np.array(draw(st.lists(st.integers(0, 3), min_size=owner.size, max_size=owner.size)))
    counts = np.ones(owner.size, dtype=np.int64)
    overall = np.bincount(value, minlength=int(value.max()) + 1) / owner.size
    return SensitiveAttribute(owner, value, counts, draw(LIMITS), overall)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Tuples, list[Recoding], SensitiveAttribute, Criterion]:
    tuples, columns = draw(tables())
    criterion = Criterion(
        draw(st.integers(1, 4)),
        average=draw(st.sampled_from([None, None, 0.5])),
        limit=draw(st.sampled_from([0.0, 0.2, 0.5, 1.0])),
    )
    return tuples, columns, draw(secrets(tuples)), criterion


@given(problems(), st.sampled_from(LOSSES))
@settings(max_examples=60, deadline=None)
def test_the_search_agrees_with_every_node_in_turn(
    problem: tuple[Tuples, list[Recoding], SensitiveAttribute, Criterion], loss: str
) -> None:
    tuples, columns, secret, criterion = problem
    every = WithSecret(tuples, columns, criterion, [1.0] * len(columns), secret)
    good = every.acceptable(loss)
    outcome, lowest = solve_sensitive(tuples, columns, criterion, loss, [secret])  # type: ignore[arg-type]
    assert outcome.optimal
    if not good:
        assert outcome.solution is None
        assert outcome.nearest is not None
        assert lowest.nodes == ()
        return
    assert outcome.solution is not None
    assert outcome.solution.score == pytest.approx(min(one.score for one in good.values()), abs=2e-9)
    own = good[outcome.solution.levels]
    assert (outcome.solution.suppressed, outcome.solution.classes) == (own.suppressed, own.classes)
    assert {node.levels for node in lowest.nodes} <= set(every.minimal(loss))


@given(tables(), st.sampled_from(LOSSES), st.integers(1, 3), st.sampled_from([0.0, 0.3]))
@settings(max_examples=25, deadline=None)
def test_limits_that_ask_nothing_change_nothing(
    table: tuple[Tuples, list[Recoding]], loss: str, cell_size: int, limit: float
) -> None:
    tuples, columns = table
    criterion = Criterion(cell_size, limit=limit)
    free = SensitiveAttribute(
        np.arange(tuples.counts.size),
        np.zeros(tuples.counts.size, int),
        tuples.counts,
        SensitiveLimits(),
        np.ones(1),
    )
    outcome, _ = solve_sensitive(tuples, columns, criterion, loss, [free])  # type: ignore[arg-type]
    plain = solve(tuples, columns, criterion, loss)  # type: ignore[arg-type]
    assert (outcome.solution is None) == (plain.solution is None)
    if outcome.solution and plain.solution:
        assert outcome.solution.score == pytest.approx(plain.solution.score, abs=2e-9)


@given(tables(), st.sampled_from(LOSSES))
@settings(max_examples=25, deadline=None)
def test_the_loss_of_a_node_is_that_of_the_kernels(table: tuple[Tuples, list[Recoding]], loss: str) -> None:
    tuples, columns = table
    criterion = Criterion(2, limit=1.0)
    nodes = Nodes(LatticeQuestion.of(tuples, columns, criterion, loss, None), ())  # type: ignore[arg-type]
    bounds = nodes.bounds()
    for node in Exhaustive(tuples, columns, criterion, [1.0] * len(columns)).nodes():
        mine, theirs = nodes.solution(node), evaluate(tuples, columns, criterion, loss, node)  # type: ignore[arg-type]
        assert mine.score == pytest.approx(theirs.score, abs=2e-9)
        assert (mine.suppressed, mine.classes) == (theirs.suppressed, theirs.classes)
        place = tuple(level - each.lowest for level, each in zip(node, columns, strict=True))
        assert bounds[place] <= mine.score + 1e-9 or loss == "dm"


ASKED = (
    SensitiveLimits(l=2),
    SensitiveLimits(l=1.6, diversity="entropy"),
    SensitiveLimits(l=2, diversity="recursive", c=1.5),
    SensitiveLimits(t=0.35, distance="equal"),
    SensitiveLimits(t=0.25, distance="ordered"),
    SensitiveLimits(beta=0.8),
    SensitiveLimits(delta=1.2),
)


def with_secret(seed: int) -> WithSecret:
    """A small table with three values of a secret, spread by the same seed."""
    tuples, columns = small_table(seed)
    owner = np.repeat(np.arange(tuples.counts.size), tuples.counts)
    value = np.random.default_rng(seed).integers(0, 3, owner.size)
    overall = np.bincount(value, minlength=int(value.max()) + 1) / owner.size
    ones = np.ones(owner.size, dtype=np.int64)
    secret = SensitiveAttribute(owner, value, ones, ASKED[seed % 7], overall)
    average = 0.4 if seed % 3 == 2 else None
    criterion = Criterion(2 + seed % 2, average=average, limit=(0.0, 0.3, 0.7, 1.0)[seed % 4])
    return WithSecret(tuples, columns, criterion, [2.0, 1.0, 0.5], secret)


@pytest.mark.parametrize("seed", range(28))
def test_of_small_tables_the_best_of_all_nodes_is_found(seed: int) -> None:
    every, loss = with_secret(seed), LOSSES[seed % 5]
    good = every.acceptable(loss)
    outcome, lowest = solve_sensitive(
        every.tuples, every.recodings, every.criterion, loss, [every.secret], weights=every.weights
    )
    assert outcome.proof is OptimalityProof.BOUNDS
    assert 0 < outcome.evaluated <= outcome.lattice == len(every.nodes()) or not good
    assert (outcome.solution is None) == (outcome.nearest is not None) == (not good)
    if outcome.solution is not None:
        best = min(one.score for one in good.values())
        assert outcome.solution.score == pytest.approx(best, rel=1e-9, abs=4e-10)
    for one in (*lowest.nodes, *([outcome.solution] if outcome.solution else [])):
        assert one.score == pytest.approx(good[one.levels].score, rel=1e-9, abs=4e-10)
        assert (one.suppressed, one.classes) == (good[one.levels].suppressed, good[one.levels].classes)
    assert {one.levels for one in lowest.nodes} <= set(every.minimal(loss))


@pytest.mark.parametrize("seed", range(14))
def test_every_node_of_a_small_table_is_judged_as_by_hand(seed: int) -> None:
    every, loss = with_secret(seed), LOSSES[seed % 5]
    asked = LatticeQuestion.of(every.tuples, every.recodings, every.criterion, loss, every.weights)
    nodes = Nodes(asked, [every.secret])
    bounds = nodes.bounds()
    for node in every.nodes():
        found, own = nodes.classes(node), every.figures(node, loss)
        kept = every.kept(node)
        assert sorted(found.counts[found.kept].tolist()) == sorted(kept.values())
        assert found.smallest <= min(kept.values(), default=99)
        one = nodes.figures(node, found)
        assert (one.levels, one.suppressed, one.classes) == (node, own.suppressed, own.classes)
        assert one.score == pytest.approx(own.score, rel=1e-9, abs=4e-10)
        place = tuple(level - each.lowest for level, each in zip(node, every.recodings, strict=True))
        assert bounds[place] <= one.score + 1e-12
        if not found.suppressed and loss != "dm":
            assert bounds[place] == pytest.approx(one.score, abs=1e-12)
        assert nodes.fits(found) == every.fits(node)
    if loss == "dm":
        assert np.unique(bounds).tolist() == [every.tuples.records * every.criterion.smallest]


@pytest.mark.parametrize("most", [0, 1, 64])
def test_classes_have_the_same_numbers_however_they_are_counted(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reidrisk.stats.lattice.sensitive.MOST_KEYS", most)
    every = with_secret(1)
    nodes = Nodes(LatticeQuestion.of(every.tuples, every.recodings, every.criterion, "prec", None), ())
    for node in every.nodes():
        codes = np.stack([own[level] for own, level in zip(nodes.codes, node, strict=True)], axis=1)
        _, expected = np.unique(codes, axis=0, return_inverse=True)
        assert nodes.classes(node).of.tolist() == expected.ravel().tolist()


def two_classes(limits: SensitiveLimits) -> tuple[Nodes, SensitiveAttribute]:
    """Classes of 4, 1 and 1 records; the last two have the values 0 and 1."""
    tuples = Tuples(np.array([[0], [1], [2]], dtype=np.int32), np.array([4, 1, 1]))
    owner, value = np.array([0, 0, 1, 2]), np.array([0, 1, 0, 1])
    secret = SensitiveAttribute(owner, value, np.array([2, 2, 1, 1]), limits, np.array([0.5, 0.5]))
    column = Recoding.of_rows([[0, 1, 2], [0, 0, 0]])
    return Nodes(
        LatticeQuestion.of(tuples, [column], Criterion(2, limit=0.5), "prec", None), [secret]
    ), secret


def test_suppressed_records_are_released_as_one_class_or_left_out() -> None:
    nodes, secret = two_classes(SensitiveLimits(l=2))
    found = nodes.classes((0,))
    assert found.kept.tolist() == [True, False, False]
    assert found.suppressed == 2
    assert hidden_keeps([secret], found, 2)
    assert not hidden_keeps([secret], found, 3)  # too few for the cell size
    assert releasable([secret], found, 3)  # the rest keeps the limit without them
    three = SensitiveAttribute(
        secret.owner, secret.value, secret.counts, SensitiveLimits(l=3), secret.overall
    )
    assert not hidden_keeps([three], found, 2)
    assert not releasable([three], found, 2)
    nothing = replace(found, kept=np.zeros(3, dtype=bool))
    assert not releasable([three], nothing, 2)
    assert releasable([secret], nothing, 2)
    assert releasable([three], replace(found, kept=np.ones(3, dtype=bool)), 2)


def test_shares_of_some_rows_are_those_of_a_table_of_their_own() -> None:
    secret = SensitiveAttribute(
        np.array([0, 0, 1, 2]),
        np.array([0, 3, 2, 3]),
        np.array([1, 3, 5, 1]),
        SensitiveLimits(),
        np.array([0.1, 0.0, 0.5, 0.4]),
        (np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1])),
    )
    some = secret.only(np.array([True, True, False, True]))
    assert some.overall.tolist() == [0.2, 0.8]
    assert (some.owner.tolist(), some.value.tolist(), some.counts.tolist()) == (
        [0, 0, 2],
        [0, 1, 1],
        [1, 3, 1],
    )
    assert [level.tolist() for level in some.levels] == [[0, 3], [0, 1]]
    assert some.of_tuples(np.array([5, 6, 4])).owner.tolist() == [5, 5, 4]


def test_a_lattice_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    every = with_secret(0)
    nodes = len(every.nodes())
    monkeypatch.setattr("reidrisk.stats.lattice.sensitive_search.MOST_NODES", nodes - 1)
    asked = every.tuples, every.recodings, every.criterion
    with pytest.raises(BadData, match=f"{nodes} nodes"):
        solve_sensitive(*asked, "prec", [every.secret])
    monkeypatch.setattr("reidrisk.stats.lattice.sensitive_search.MOST_NODES", nodes)
    assert solve_sensitive(*asked, "prec", [every.secret])[0].lattice == nodes


def test_which_criteria_are_monotone() -> None:
    rows = np.zeros(1, dtype=np.int64)
    one = SensitiveAttribute(rows, rows, rows + 1, SensitiveLimits(l=2), np.ones(1))
    assert one.is_monotone(suppresses=True)
    for limits in (
        SensitiveLimits(l=2, diversity="entropy"),
        SensitiveLimits(l=2, diversity="recursive"),
        SensitiveLimits(t=0.1),
        SensitiveLimits(beta=1.0),
    ):
        assert not replace(one, limits=limits).is_monotone(suppresses=True)
        assert replace(one, limits=limits).is_monotone(suppresses=False)
    assert not replace(one, limits=SensitiveLimits(delta=1.0)).is_monotone(suppresses=False)
    assert not replace(one, limits=SensitiveLimits(beta=1, likeness="enhanced")).is_monotone(suppresses=False)


def test_a_search_that_is_stopped_says_so() -> None:
    tuples = Tuples(np.array([[0], [1]], dtype=np.int32), np.array([3, 3]))
    columns = [Recoding.of_rows([[0, 1], [0, 0]])]
    secret = SensitiveAttribute(
        np.array([0, 1]), np.array([0, 1]), np.array([3, 3]), SensitiveLimits(l=2), np.array([0.5, 0.5])
    )
    outcome, _ = solve_sensitive(tuples, columns, Criterion(2), "prec", [secret], stop=lambda: True)
    assert (outcome.solution, outcome.proof) == (None, OptimalityProof.INTERRUPTED)
    seen: list[tuple[int, int]] = []
    outcome, _ = solve_sensitive(
        tuples, columns, Criterion(2), "prec", [secret], progress=lambda *step: seen.append(step)
    )
    assert outcome.solution is not None
    assert outcome.solution.levels == (1,)
    assert seen


def test_rows_that_do_not_fit_are_refused() -> None:
    none = np.array([], dtype=np.int64)
    with pytest.raises(InvalidSetting, match="no rows"):
        SensitiveAttribute(none, none, none, SensitiveLimits(), np.ones(1))

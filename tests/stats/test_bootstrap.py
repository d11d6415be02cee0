from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod

import numpy as np
import pytest

from reidrisk.stats import bootstrap as module
from reidrisk.stats.arrays import Floats
from reidrisk.stats.bootstrap import DocumentCounts, bootstrap, difference_interval, share_difference
from reidrisk.stats.counts import counts as distribution
from reidrisk.stats.leak import at_least, direct_risk, value_leak
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.stats.uncertain import Beta, Triangular

ANY = ObservedProportion(1, 2, "jeffreys")
HOLDS = np.array([[True, True], [True, False], [False, False]])
LEAKS = np.array([[True, False], [False, False], [False, False]])
THREE = DocumentCounts(HOLDS, LEAKS, np.array([4, 2, 0]), np.array([8, 3, 0]), np.array([6, 3, 0]))
HALF, SURE = Triangular.constant(0.5), Triangular.constant(1.0)


def direct(gate: bool | None = True, **changed: object) -> DirectModel:
    types = DirectType(ANY, ANY, gate), DirectType(ANY, ANY, gate, recognition=Triangular.constant(0.25))
    return DirectModel(types, HALF, Triangular.constant(0.4), **changed)  # type: ignore[arg-type]


def quasi(**changed: object) -> QuasiModel:
    some = distribution("fixed", mean=1.0)
    known = {"gate": True, "recognition": HALF, "attempt": Triangular.constant(0.4), **changed}
    return QuasiModel(ANY, some, some, **known)  # type: ignore[arg-type]


def resamples(number: int) -> list[tuple[int, ...]]:
    """How often each document occurs in each of the equally likely ordered resamples."""
    draws = product(range(number), repeat=number)
    return [tuple(Counter(draw)[one] for one in range(number)) for draw in draws]


def agree(drawn: Floats | None, expected: list[float]) -> None:
    """Every possible value is drawn about as often as expected, and no other."""
    assert drawn is not None
    drawn_often, due = Counter(drawn.round(9).tolist()), Counter(np.round(expected, 9).tolist())
    assert set(drawn_often) == set(due)
    for value, number in due.items():
        assert drawn_often[value] / drawn.size == pytest.approx(number / len(expected), abs=0.06)


@pytest.mark.parametrize("catch", [0.0, 0.1])
def test_direct_risks_are_those_of_every_possible_resample(catch: float) -> None:
    expected = []
    for times in resamples(3):
        leaking, present = times @ LEAKS, times @ HOLDS
        recalls = 1 - leaking / np.maximum(present, 1)
        risk = direct_risk(present / 3, recalls, recognition=[0.5, 0.25])
        expected.append(0.4 * (catch + (1 - catch) * risk))
    found = bootstrap(THREE, direct(given_catch=catch), None, resamples=600, rng=np.random.default_rng(1))
    assert found.quasi is None
    agree(found.direct, expected)


def test_a_gate_is_decided_by_the_recall_of_each_resample() -> None:
    model = direct(gate=None, cutoff=0.5)
    expected = []
    for times in resamples(3):
        leaking, present = times @ LEAKS, times @ HOLDS
        recalls = np.where(present > 0, 1 - leaking / np.maximum(present, 1), 1.0)
        exposure = np.where(recalls >= 0.5, [0.5, 0.25], 1.0)
        expected.append(0.4 * (1 - prod(1 - exposure * leaking / 3)))
    agree(bootstrap(THREE, model, None, resamples=600, rng=np.random.default_rng(2)).direct, expected)


def test_where_everything_leaks_the_risk_is_that_of_an_attempt() -> None:
    every = np.ones((2, 1), dtype=bool)
    counts = DocumentCounts(every, every, np.array([1, 1]), np.array([1, 1]), np.array([0, 0]))
    model = DirectModel((DirectType(ANY, ANY, True),), SURE, Triangular.constant(0.4))
    assert bootstrap(counts, model, None, resamples=9, rng=np.random.default_rng(1)).direct == pytest.approx(
        np.full(9, 0.4)
    )


@pytest.mark.parametrize(("scale", "needed", "catch"), [(1.0, 2, 0.0), (0.7, 1, 0.2), (0.7, 2, 0.0)])
def test_quasi_risks_are_those_of_every_possible_resample(scale: float, needed: int, catch: float) -> None:
    expected = []
    for times in resamples(3):
        values, instances, caught = (
            float(times @ part) for part in (THREE.values, THREE.instances, THREE.caught)
        )
        share = (times[0] + times[1]) / 3 if scale < 1 else 1.0
        risk = 0.0
        if values:
            leak = 0.5 * float(value_leak(caught / instances, instances / values))
            risk = share * float(at_least(needed, values / 3 / share, leak))
        expected.append(0.4 * (catch + (1 - catch) * risk))
    model = quasi(scale=scale, needed=needed, given_catch=catch)
    found = bootstrap(THREE, None, model, resamples=600, rng=np.random.default_rng(3))
    assert found.direct is None
    agree(found.quasi, expected)


def test_batches_of_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CELLS", 12)  # four resamples at a time
    found = bootstrap(THREE, direct(), quasi(), resamples=10, rng=np.random.default_rng(4))
    assert found.direct is not None
    assert found.quasi is not None
    assert found.direct.shape == found.quasi.shape == (10,)
    monkeypatch.setattr(module, "CELLS", 1)
    three = bootstrap(THREE, direct(), None, resamples=3, rng=np.random.default_rng(4)).direct
    assert three is not None
    assert three.shape == (3,)


def test_what_is_uncertain_is_drawn_anew_for_each_resample() -> None:
    """One document, so that nothing else varies: attempt, recognition of a type and of all, and catch."""
    every = np.ones((1, 2), dtype=bool)
    one = DocumentCounts(every, every, np.array([1]), np.array([1]), np.array([0]))
    own, shared, attempt = Beta(3, 5), Triangular(0.1, 0.3, 0.8), Triangular(0.2, 0.2, 0.5)
    types = DirectType(ANY, ANY, True), DirectType(ANY, ANY, True, recognition=own)
    drawn = bootstrap(
        one,
        DirectModel(types, shared, attempt),
        quasi(needed=1, recognition=shared, attempt=attempt, given_catch=Triangular(0.0, 0.1, 0.2)),
        resamples=4000,
        rng=np.random.default_rng(5),
    )
    assert drawn.direct is not None
    assert drawn.quasi is not None
    assert drawn.direct.mean() == pytest.approx(0.3 * (1 - 0.6 * (1 - 3 / 8)), rel=0.03)
    assert drawn.quasi.mean() == pytest.approx(0.3 * (0.1 + 0.9 * 0.4), rel=0.03)
    assert len(np.unique(drawn.direct)) == len(np.unique(drawn.quasi)) == 4000


def test_an_interval_of_paired_draws_has_their_quantiles() -> None:
    first, second = np.arange(101) / 100, np.full(101, 0.25)
    low, high = difference_interval(first, second, (0.1, 0.8))
    assert (low, high) == pytest.approx((0.1 - 0.25, 0.8 - 0.25))


def test_shares_that_never_disagree_may_still_differ() -> None:
    """Bonett and Price 2012: one document is added to each kind of disagreement."""
    value, low, high = share_difference(0, 0, 8, levels=(0.025, 0.975))
    assert value == 0.0
    assert (low, high) == pytest.approx((-1.959964 * 0.2**0.5 / 10**0.5, 1.959964 * 0.2**0.5 / 10**0.5))
    assert share_difference(1, 0, 1, levels=(0.0001, 0.9999))[2] == 1.0
    assert share_difference(0, 1, 1, levels=(0.0001, 0.9999))[1] == -1.0

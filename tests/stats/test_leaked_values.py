"""Leaks with a probability: the worked examples, every pattern of leaks, and a second way to compute."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.leaked_values import (
    NOT_KNOWN,
    LeakKind,
    LeakPatterns,
    TextValues,
    leak_chance,
    leak_risk,
    observed_leak_risk,
    risk_of_leak,
    with_direct,
)

Values = Sequence[tuple[int, ...]]


def texts(values: Values, classes: list[int] | None = None, instances: int = 1) -> TextValues:
    codes = np.array(values)
    return TextValues(np.array(classes or [0] * len(values)), codes, np.full(codes.shape, instances))


def by_weights(values: Values, target: int, chances: list[float]) -> float:
    """Every pattern of leaks of all people of one class: the definition, without any cleverness."""
    people, kinds = len(values), len(values[0])
    total = 0.0
    for leaks in product((False, True), repeat=people * kinds):
        shown = [leaks[n * kinds : (n + 1) * kinds] for n in range(people)]
        chance = prod(
            chances[kind] if leak else 1 - chances[kind] for one in shown for kind, leak in enumerate(one)
        )
        weights = []
        for n in range(people):
            weight = 1.0
            for kind in range(kinds):
                if shown[n][kind]:
                    share = sum(one[kind] == values[target][kind] for one in values) / people
                    weight = weight / share if values[n][kind] == values[target][kind] else 0.0
            weights.append(weight)
        if weights[target] >= max(weights) * (1 - 1e-9):
            total += chance / sum(
                abs(weight - weights[target]) < 1e-9 * weight for weight in weights if weight
            )
    return total


def test_a_leaked_age_in_a_class_of_five() -> None:
    """Example 5: all differ, two share it, all share it."""
    assert [round(risk_of_leak(5, m, 0.2), 6) for m in (1, 2, 5)] == [0.399936, 0.330016, 0.2]
    assert risk_of_leak(5, 2, 0.0) == pytest.approx(1 / 5)
    assert risk_of_leak(5, 2, 1.0) == pytest.approx(1 / 2)


KUMAR = ["M26", "F26", "M26", "F26", "F29", "F28", "M26", "F27", "F28", "F29"]


def test_a_document_that_is_finer_than_the_table() -> None:
    """Example 6: the report tells the exact age of one woman; the table shows 25-29 for all."""
    sexes = [int(who[0] == "F") for who in KUMAR]
    told = np.zeros((10, 1), dtype=np.bool_)
    told[7] = True
    found = observed_leak_risk(texts([(int(who[1:]),) for who in KUMAR], sexes), told)
    assert found.mean[7] == 1.0
    assert found.mean[[1, 3, 4, 5, 8, 9]].tolist() == pytest.approx([1 / 6] * 6)
    assert found.mean[[0, 2, 6]].tolist() == pytest.approx([1 / 3] * 3)
    assert float(with_direct(0.27 * 0.05, np.array([1 / 7]))[0]) == pytest.approx(0.154429, abs=1e-6)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=4),
    st.sampled_from([0.0, 0.2, 0.6, 1.0]),
    st.sampled_from([0.0, 0.3, 1.0]),
)
@settings(max_examples=25, deadline=None)
def test_drawn_leaks_against_every_pattern(values: Values, first: float, second: float) -> None:
    draws = 4_000
    chances = np.tile([first, second], (len(values), 1))
    found = LeakPatterns.of(texts(values)).drawn(chances, draws, np.random.default_rng(5))
    wanted = [by_weights(values, target, [first, second]) for target in range(len(values))]
    assert found.tolist() == pytest.approx(wanted, abs=5 * 0.5 / draws**0.5)
    if {first, second} <= {0.0, 1.0}:
        assert found.tolist() == pytest.approx(wanted)


@given(st.integers(1, 30), st.data(), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_what_must_always_hold(people: int, data: st.DataObject, one: float, two: float) -> None:
    sharing = data.draw(st.integers(1, people))
    low, high = (risk_of_leak(people, sharing, chance) for chance in sorted((one, two)))
    assert 1 / people - 1e-12 <= low <= high + 1e-12
    assert high <= 1 / sharing + 1e-12
    assert risk_of_leak(people, people, one) == pytest.approx(1 / people)


def test_one_kind_by_formula_agrees_with_draws() -> None:
    values = texts([(age,) for age in (47, 47, 46, 48, 49)] * 2, [0] * 5 + [1] * 5)
    by_draws = LeakPatterns.of(values).drawn(np.full((10, 1), 0.2), 40_000, np.random.default_rng(1))
    wanted = [risk_of_leak(5, m, 0.2) for m in (2, 2, 1, 1, 1)] * 2
    assert by_draws.tolist() == pytest.approx(wanted, abs=0.012)


def test_the_upper_limit_decides_and_follows_the_evidence() -> None:
    """The table passes 1/5 alone, and together with a text that leaks in a fifth of cases does not."""
    ages = texts([(age,) for age in (47, 45, 46, 48, 49)])
    much = leak_risk(ages, [LeakKind("AGE", 80_000, 100_000)])
    assert much.method == "formula"
    assert much.mean.tolist() == pytest.approx([0.399936] * 5, abs=2e-3)
    assert much.above(5).all()
    little = leak_risk(ages, [LeakKind("AGE", 8, 10)])
    assert little.highest > much.highest > little.low.max()
    none = leak_risk(ages, [LeakKind("AGE", 100, 100)])
    assert none.highest > 1 / 5, "a recall of 1 in 100 cases does not prove that nothing leaks"
    unrecognized = leak_risk(ages, [LeakKind("AGE", 80, 100, recognition=0.0)])
    assert unrecognized.highest == pytest.approx(1 / 5)
    assert not unrecognized.above(5).any()


def test_several_kinds_with_an_uncertain_recall() -> None:
    pairs = texts([(47, 0), (47, 1), (46, 0)] * 2, [0, 0, 0, 1, 1, 1])
    kinds = [LeakKind("AGE", 900, 1000), LeakKind("JOB", 700, 1000)]
    found = leak_risk(pairs, kinds, seed=3)
    wanted = by_weights([(47, 0), (47, 1), (46, 0)], 0, [0.1, 0.3])
    assert found.method == "drawn"
    assert found.low[0] <= wanted <= found.high[0]
    assert found.mean[0] == pytest.approx(wanted, abs=0.03)
    assert found.average[1] <= found.average[0] <= found.average[2]
    again = leak_risk(pairs, kinds, seed=3)
    assert again.high.tolist() == found.high.tolist()
    more = leak_risk(pairs, kinds, seed=3, direct=0.5)
    assert more.mean.tolist() == pytest.approx((0.5 + 0.5 * found.mean).tolist())


def test_values_that_are_not_there_cannot_leak() -> None:
    values = texts([(NOT_KNOWN, 1), (3, 1), (4, 2)])
    leaked = np.ones((3, 2), dtype=np.bool_)
    assert observed_leak_risk(values, leaked).mean.tolist() == [1.0, 1.0, 1.0]
    assert leak_chance(np.array([0.0, 0.5]), np.array([0, 2]), 0.5).tolist() == [0.0, 0.375]


def test_refusals() -> None:
    with pytest.raises(InvalidSetting, match="cannot share"):
        risk_of_leak(3, 4, 0.1)
    with pytest.raises(InvalidSetting, match="makes no sense"):
        risk_of_leak(3, 1, 1.5)
    with pytest.raises(InvalidSetting, match="recall of AGE"):
        LeakKind("AGE", 3, 2)
    with pytest.raises(InvalidSetting, match="recognition of AGE"):
        LeakKind("AGE", 1, 2, 2.0)
    with pytest.raises(InvalidSetting, match="one recall per kind"):
        leak_risk(texts([(1, 2)]), [LeakKind("AGE", 1, 2)])
    with pytest.raises(InvalidSetting, match="different shapes"):
        TextValues(np.zeros(1, dtype=np.int64), *2 * (np.zeros((2, 1), dtype=np.int64),))
    with pytest.raises(InvalidSetting, match="too many to combine"):
        texts([tuple(range(11))])

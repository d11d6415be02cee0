"""Leaks with a probability: the worked examples, every pattern of leaks, and a second way to compute."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from reidrisk.errors import InvalidSetting
from reidrisk.stats import leaked_values as module
from reidrisk.stats.leaked_values import (
    NOT_KNOWN,
    LeakKind,
    LeakPatterns,
    LeakRisk,
    TextValues,
    leak_chance,
    leak_risk,
    left_after_leaks,
    mean_share,
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


@pytest.mark.parametrize("people", [1, 2, 4])
@pytest.mark.parametrize("chance", [0.0, 0.2, 0.7, 1.0])
def test_one_kind_against_every_pattern_of_leaks(people: int, chance: float) -> None:
    for sharing in range(1, people + 1):
        values = [(0,)] * sharing + [(1 + at,) for at in range(people - sharing)]
        assert risk_of_leak(people, sharing, chance) == pytest.approx(by_weights(values, 0, [chance]))


@pytest.mark.parametrize("chance", [0.0, 0.2, 0.7, 1.0])
def test_means_over_how_many_leak(chance: float) -> None:
    """Each of the others leaks or not: the mean over all patterns."""
    for others in range(4):
        patterns = list(product((False, True), repeat=others))
        weights = [prod(chance if leak else 1 - chance for leak in one) for one in patterns]
        for surely in (1, 3):
            wanted = sum(w / (surely + one.count(False)) for w, one in zip(weights, patterns, strict=True))
            assert left_after_leaks(surely, others, np.array([chance]))[0] == pytest.approx(wanted)
        wanted = sum(w / (1 + one.count(True)) for w, one in zip(weights, patterns, strict=True))
        assert mean_share(np.array([others + 1]), np.array([chance]))[0, 0] == pytest.approx(wanted)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-1, 2), st.integers(-1, 2)), min_size=1, max_size=6),
    st.data(),
)
@settings(max_examples=25, deadline=None)
def test_known_leaks_against_the_weights(rows: list[tuple[int, int, int]], data: st.DataObject) -> None:
    """Whoever fits all that the target may show, and shows the rarest values of it, is taken."""
    classes, values = [of for of, _, _ in rows], [row[1:] for row in rows]
    leaked = np.array([[data.draw(st.booleans()) for _ in range(2)] for _ in rows])
    found = observed_leak_risk(texts(values, classes), leaked)
    for target, of in enumerate(classes):
        mine = [at for at, one in enumerate(classes) if one == of]
        weights = []
        for at in mine:
            weight = 1.0
            for kind in range(2):
                if leaked[at, kind] and values[at][kind] != NOT_KNOWN:
                    share = sum(values[one][kind] == values[target][kind] for one in mine) / len(mine)
                    weight = weight / share if values[at][kind] == values[target][kind] else 0.0
            weights.append(weight)
        own, best = weights[mine.index(target)], max(weights)
        ties = sum(abs(one - own) < 1e-9 for one in weights)
        assert found.mean[target] == pytest.approx(1 / ties if own >= best - 1e-9 else 0.0)
    assert found.low.tolist() == found.high.tolist() == found.mean.tolist()
    assert found.average == pytest.approx((found.mean.mean(),) * 3)
    assert (found.method, found.draws) == ("observed", 1)
    direct = np.linspace(0, 1, len(rows))
    named = observed_leak_risk(texts(values, classes), leaked, direct=direct)
    assert named.mean.tolist() == pytest.approx((direct + (1 - direct) * found.mean).tolist())


def test_limits_are_quantiles_of_what_was_drawn() -> None:
    """41 draws: the second and the last but one are beyond 2.5 % and 97.5 %."""
    one = np.arange(41) / 40
    found = module._limits(np.stack([one, one[::-1], one**0], axis=1), "drawn", 41)
    assert found.low.tolist() == [1 / 40, 1 / 40, 1.0]
    assert found.high.tolist() == [39 / 40, 39 / 40, 1.0]
    assert found.mean.tolist() == pytest.approx([0.5, 0.5, 1.0])
    assert found.average == pytest.approx((2 / 3,) * 3), "the mean over people does not vary"
    both = module._limits(np.stack([one, one], axis=1), "drawn", 41)
    assert both.average == pytest.approx((0.5, 1 / 40, 39 / 40))
    few = module._limits(np.array([[0.2], [0.4], [0.6]]), "drawn", 3)
    assert (few.low[0], few.high[0]) == (0.2, 0.6), "the limit is never inside what was drawn"


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("INNER", 20), ("MOST_INNER", 40), ("MOST_OUTER", 10), ("FEWEST_OUTER", 4)):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(module, "STEPS", 0)


SURELY, NEVER = LeakKind("AGE", 1, 10**12), LeakKind("JOB", 10**12, 10**12)


@pytest.mark.usefixtures("few_draws")
def test_kinds_that_surely_or_never_leak() -> None:
    ages_and_jobs = texts([(47, 0), (47, 1), (46, 0), (NOT_KNOWN, 1)])
    found = leak_risk(ages_and_jobs, [SURELY, NEVER])
    assert found.method == "drawn"
    assert found.draws == 4 * 20
    assert found.mean.tolist() == pytest.approx([1 / 2, 1 / 2, 1, 1], abs=1e-6)
    jobs = leak_risk(ages_and_jobs, [NEVER, SURELY])
    assert jobs.mean.tolist() == pytest.approx([1 / 2] * 4, abs=1e-6)
    none = leak_risk(ages_and_jobs, [NEVER, NEVER], direct=0.2)
    assert none.mean.tolist() == pytest.approx([0.2 + 0.8 / 4] * 4, abs=1e-6)
    unknown = leak_risk(ages_and_jobs, [LeakKind("AGE", 1, 10**12, recognition=0.0), NEVER])
    assert unknown.mean.tolist() == pytest.approx([1 / 4] * 4, abs=1e-6)


@pytest.mark.usefixtures("few_draws")
def test_as_many_draws_as_the_work_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three people and two kinds are twelve steps a draw."""
    pairs, kinds = texts([(47, 0), (47, 1), (46, 0)]), [LeakKind("AGE", 9, 10), LeakKind("JOB", 7, 10)]
    for steps, wanted in ((12 * 20 * 7, 7 * 20), (12 * 10 * 30, 10 * 30), (10**9, 10 * 40), (0, 4 * 20)):
        monkeypatch.setattr(module, "STEPS", steps)
        found = leak_risk(pairs, kinds, seed=2)
        assert found.draws == wanted
    assert (found.low <= found.mean).all()
    assert (found.mean <= found.high).all()
    other = leak_risk(pairs, kinds, seed=3)
    assert other.mean.tolist() != found.mean.tolist()


def test_draws_may_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = LeakPatterns.of(texts([(47, 0), (47, 1), (46, 0)], [0, 0, 1]))
    chances = np.full((3, 2), 0.4)
    at_once = patterns.drawn(chances, 7, np.random.default_rng(4))
    for chunk in (0, 12, 13):
        monkeypatch.setattr(module, "CHUNK", chunk)
        assert patterns.drawn(chances, 7, np.random.default_rng(4)).tolist() == at_once.tolist()


def test_the_formula_takes_the_limits_of_the_recall() -> None:
    """Two people share a value that is there twice, one has another value, and one has none."""
    four = TextValues(
        np.zeros(4, dtype=np.int64), np.array([[7], [7], [8], [NOT_KNOWN]]), np.array([[2], [2], [1], [5]])
    )
    kind = LeakKind("AGE", 8, 10, recognition=0.5)
    found = leak_risk(four, [kind])
    low, high = (float(one) for one in kind.recall(np.array([0.025, 0.975])))
    assert low == pytest.approx(float(beta.ppf(0.025, 8.5, 2.5)))
    for limit, recall in ((found.high, low), (found.low, high)):
        twice, once = 0.5 * (1 - recall**2), 0.5 * (1 - recall)
        wanted = [risk_of_leak(4, 2, twice), risk_of_leak(4, 2, twice), risk_of_leak(4, 1, once)]
        assert limit.tolist() == pytest.approx([*wanted, 1 / 4])
    mean = [(found.mean[at], found.low[at], found.high[at]) for at in range(3)]
    assert all(least < middle < most for middle, least, most in mean)
    assert found.average == pytest.approx((found.mean.mean(), found.low.mean(), found.high.mean()))
    assert found.draws == 0
    recalls = kind.recall((np.arange(999) + 0.5) / 999)
    wanted_mean = np.mean([risk_of_leak(4, 1, 0.5 * (1 - float(one))) for one in recalls])
    assert found.mean[2] == pytest.approx(wanted_mean, abs=2e-4)
    assert found.highest == max(found.high)


def test_recall_after_everything_was_caught() -> None:
    """Clopper and Pearson's limit: 0.025 to the power of 1 / 100."""
    assert LeakKind("AGE", 100, 100).recall(np.array([0.025]))[0] == pytest.approx(0.025 ** (1 / 100))
    LeakKind("AGE", 0, 1, 0.0)
    with pytest.raises(InvalidSetting, match="recall of AGE"):
        LeakKind("AGE", 0, 0)
    with pytest.raises(InvalidSetting, match="recall of AGE"):
        LeakKind("AGE", -1, 2)
    with pytest.raises(InvalidSetting, match="recognition of AGE"):
        LeakKind("AGE", 1, 2, -0.1)


def test_who_is_above_a_cell_size() -> None:
    high = np.array([0.2, 0.2 + 1e-12, 0.21])
    found = LeakRisk(high, high, high, (0.2, 0.2, 0.2), "formula", 0)
    assert found.above(5).tolist() == [False, False, True]
    assert found.highest == 0.21


def test_who_shares_a_value() -> None:
    four = texts([(1, 5), (1, 6), (1, 5), (NOT_KNOWN, 5)], [0, 0, 1, 1])
    people, sharing = four.sharing(0)
    assert people.tolist() == [2, 2, 2, 2]
    assert sharing.tolist() == [2, 2, 1, 1]
    assert four.sharing(1)[1].tolist() == [1, 1, 2, 2]
    ten = texts([tuple(range(10))] * 2)
    assert (ten.kinds, ten.people) == (10, 2)

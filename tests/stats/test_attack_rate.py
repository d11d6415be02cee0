from __future__ import annotations

from math import inf, isnan

import pytest
from scipy.stats import binom, binomtest

from reidrisk.errors import InvalidSetting
from reidrisk.stats.attack_rate import AttackRate, attack_rate, residual_risk, singling_out_by_chance


@pytest.mark.parametrize(("successes", "attacks"), [(0, 1), (1, 1), (0, 40), (23, 100), (100, 100)])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_is_wilsons(successes: int, attacks: int, level: float) -> None:
    found = attack_rate(successes, attacks, level=level)
    expected = binomtest(successes, attacks).proportion_ci(level, "wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.value == pytest.approx((expected.low + expected.high) / 2, abs=1e-12)


def test_limits_stay_within_0_and_1() -> None:
    for value, low, high in ((0.1, 0.0, 0.4), (0.9, 0.6, 1.0), (0.5, 0.2, 0.8)):
        found = AttackRate(value, 0.3)
        assert (found.low, found.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("successes", "attacks", "level"), [(-1, 5, 0.9), (6, 5, 0.9), (0, 0, 0.9), (1, 5, 0.0), (1, 5, 1.0)]
)
def test_impossible_attacks_are_refused(successes: int, attacks: int, level: float) -> None:
    with pytest.raises(InvalidSetting, match="not possible"):
        attack_rate(successes, attacks, level=level)


def test_what_an_attack_gains_over_the_control() -> None:
    """(a - c) / (1 - c), and the error to the first order by small steps."""
    found = residual_risk(AttackRate(0.6, 0.05), AttackRate(0.2, 0.03))
    assert found.value == pytest.approx(0.5)
    step = 1e-6

    def gain(attack: float, control: float) -> float:
        return (attack - control) / (1 - control)

    by_attack = (gain(0.6 + step, 0.2) - gain(0.6, 0.2)) / step
    by_control = (gain(0.6, 0.2 + step) - gain(0.6, 0.2)) / step
    assert found.error == pytest.approx(((0.05 * by_attack) ** 2 + (0.03 * by_control) ** 2) ** 0.5, rel=1e-4)
    assert residual_risk(AttackRate(0.1, 0.05), AttackRate(0.2, 0.03)).value == 0.0
    assert residual_risk(AttackRate(1.2, 0.05), AttackRate(0.2, 0.03)).value == 1.0
    for control in (1.0, 1.1, inf):
        assert isnan(residual_risk(AttackRate(0.6, 0.1), AttackRate(control, 0.1)).value)


@pytest.mark.parametrize("records", [1, 2, 50])
@pytest.mark.parametrize("weight", [0.0, 0.02, 0.5, 1.0])
def test_singling_out_by_chance_is_the_binomial_chance_of_one(records: int, weight: float) -> None:
    assert singling_out_by_chance(records, weight) == pytest.approx(binom.pmf(1, records, weight))

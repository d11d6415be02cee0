"""The estimated population: reference values of margins, copula, calibration, risks, limits and decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reidrisk.stats.uniqueness.calibration import (
    ClassRows,
    Mixture,
    calibrate,
    mean_inverses,
    mixture_risk,
    small_chances,
    unique_chances,
)
from reidrisk.stats.uniqueness.copula import cell_table, class_chances, latent_correlation, rectangles
from reidrisk.stats.uniqueness.copula_estimate import fit_copula
from reidrisk.stats.uniqueness.margins import margin_shares
from reidrisk.stats.uniqueness.model_limits import (
    accepts_maximum,
    count_limits,
    limit_smallest,
    median_smallest,
    people_limits,
    small_class_chance,
    spread_limits,
)
from reidrisk.stats.uniqueness.record_risk import Sampled, component_risk

CALIBRATED = (
    "-3.0 1 30,-3.0 2 2,-2.5 1 34,-2.5 2 2,-2.0 1 37,-2.0 2 3,-1.5 1 38,-1.5 2 4,-1.5 3 1,-1.0 1 37,-1.0 2 5,"
    "-1.0 3 1,-0.5 1 34,-0.5 2 6,-0.5 3 2,0.0 1 30,0.0 2 7,0.0 3 3,0.0 7 1,0.5 1 25,0.5 2 8,0.5 3 3,0.5 7 1,"
    "1.0 1 20,1.0 2 8,1.0 3 4,1.0 7 1,1.5 1 15,1.5 2 8,1.5 3 4,1.5 7 2,2.0 1 11,2.0 2 7,2.0 3 4,2.0 7 2"
)
"""Log chance less its mean, class size, number of classes."""
RECORDS = (
    "700 903 800 912 B13 102 400 300 600 712 710 710 102 711 402 911 901 801 502 713 500 403 500 513 "
    "400 402 500 500 811 202 910 700 412 302 402 701 700 612 600 A11 801 500 811 400 813 700 802 100 "
    "502 703 302 610 A13 502 813 911 911 A11 911 B11 710 612 710 400 002 300 700 710 100 202 613 600 "
    "610 912 913 502 712 500 202 703"
)
"""One record per word: three columns, one hexadecimal digit each."""


def sample_of_80() -> tuple[Any, Any]:
    rows = np.array([[int(digit, 16) for digit in word] for word in RECORDS.split()])
    return np.unique(rows, axis=0, return_counts=True)


def rows_of(text: str, centre: float) -> ClassRows:
    table = np.array([[float(part) for part in row.split()] for row in text.split(",")])
    return ClassRows(table[:, 0], table[:, 1].astype(int), table[:, 2].astype(int), centre)


def test_shares_of_a_margin_with_two_singletons() -> None:
    found = margin_shares(np.array([40, 25, 20, 8, 4, 1, 1]))
    expected = [
        0.39782628,
        0.24864142,
        0.19891314,
        0.079565256,
        0.039782628,
        0.0099456569,
        0.0099456569,
    ]
    assert found.seen == pytest.approx(expected, rel=1e-4)
    assert found.unseen == pytest.approx(0.015379962, rel=1e-4)


def test_shares_of_a_margin_without_a_singleton() -> None:
    found = margin_shares(np.array([50, 30, 20]))
    assert found.seen == pytest.approx([0.5, 0.3, 0.2], rel=1e-9)
    assert found.unseen == 0


def test_cells_of_two_columns() -> None:
    found = cell_table(np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.4]), 0.5)
    expected = np.array([[0.171228, 0.0287717], [0.320633, 0.179367], [0.108262, 0.191738]])
    assert found == pytest.approx(expected, abs=2e-4)
    independent = cell_table(np.array([0.7, 0.3]), np.array([0.1, 0.9]), 0.0)
    assert independent == pytest.approx(np.array([[0.07, 0.63], [0.03, 0.27]]), abs=1e-9)


def test_latent_correlation() -> None:
    dependent = latent_correlation(np.array([[30.0, 15.0, 5.0], [5.0, 20.0, 25.0]]))
    assert dependent == pytest.approx(0.7235, abs=0.005)
    assert latent_correlation(np.full((2, 2), 20.0)) == pytest.approx(0.0, abs=0.005)


def test_rectangle_of_three_columns() -> None:
    correlation = np.array([[1, 0.4, -0.3], [0.4, 1, 0.2], [-0.3, 0.2, 1]])
    found = rectangles(np.array([[-0.5, 0.0, -9.0]]), np.array([[0.3, 1.0, -0.2]]), correlation)
    assert found == pytest.approx([0.03554658], rel=0.02)


@pytest.mark.parametrize(
    ("given", "unique", "below", "inverse"),
    [
        ((2e-5, 1.5, 1, 30_000), 0.6073039, 0.9861488, 0.77661266),
        ((1e-4, 2.0, 2, 30_000), 0.0, 0.32783816, 0.20299406),
        ((1e-4, 2.0, 5, 30_000), 0.0, 0.0, 0.081197624),
        ((1e-4, 2.0, 1, 300), 1.0, 1.0, 1.0),
    ],
    ids=["sample unique", "pair", "class at the cell size", "everybody sampled"],
)
def test_risk_under_one_component(
    given: tuple[float, float, int, int], unique: float, below: float, inverse: float
) -> None:
    chance, shape, size, people = given
    found = component_risk(np.array([size]), np.array([chance]), shape, Sampled(300, people), cell_size=5)
    assert found.unique == pytest.approx([unique], rel=1e-5)
    assert found.below == pytest.approx([below], rel=1e-5)
    assert found.inverse == pytest.approx([inverse], rel=1e-5)


def test_risk_under_two_components() -> None:
    rows = rows_of("-2.0 1 1,0.0 1 1,1.0 3 1", -9.0)
    model = Mixture(np.array([-9.0, 1.0, 0.5, 0.2, 1.5, 0.3]))
    found = mixture_risk(model, rows, Sampled(500, 50_000), cell_size=5)
    assert found.unique == pytest.approx([0.6537287, 0.22216096, 0.0], rel=1e-5)
    assert found.below == pytest.approx([0.98206898, 0.61651672, 0.0029638468], rel=1e-5)
    assert found.inverse == pytest.approx([0.80044565, 0.42385059, 0.039884007], rel=1e-5)


def test_calibration_with_a_cap_of_ten() -> None:
    rows, sample = rows_of(CALIBRATED, -7.5), Sampled(546, 10_920)
    found = calibrate(rows, cap=10)
    assert found is not None
    assert found.loss == pytest.approx(657.34206, abs=0.05)

    def totals(model: Mixture) -> Any:
        return np.array(
            [
                rows.number @ unique_chances(model, rows, sample),
                (rows.number * rows.size) @ mean_inverses(model, rows, sample) / 546,
                rows.number @ small_chances(model, rows, sample, cell_size=5),
            ]
        )

    assert totals(found.model) == pytest.approx([28.065, 0.1899, 141.32], rel=0.02)
    assert found.log_spreads(totals) == pytest.approx([0.386, 0.122, 0.124], rel=0.15)


UNIQUE = [31.5, 30.1, 28.0, 35.2, 9.1], [0.25, 0.24, 0.22, 0.3]
MARKETER = [0.205, 0.2, 0.19, 0.22, 0.1086], [0.1, 0.1, 0.09, 0.12]


def test_interval_over_the_models() -> None:
    assert count_limits(*UNIQUE, most=227) == (2, 79)
    people = people_limits(*UNIQUE, fraction=0.01, population=30_200)
    assert people == pytest.approx((405.661, 6909.58), rel=1e-4)
    assert spread_limits(*MARKETER) == pytest.approx((0.0892705, 0.278336), rel=1e-4)


def test_interval_if_next_to_nobody_is_unique() -> None:
    few = [0.3, 0.25, 0.2, 0.5, 0.1], [1.1, 1.0, 0.9, 1.3]
    assert count_limits(*few, most=6) == (0, 6)
    low, high = people_limits(*few, fraction=0.01, population=50_000)
    assert low == 0
    assert high == pytest.approx(6859.48, rel=1e-4)
    found = spread_limits([0.01, 0.009, 0.009, 0.012, 0.008], [0.3, 0.3, 0.25, 0.35])
    assert found == pytest.approx((0.0044435, 0.0238291), rel=1e-4)


@pytest.mark.parametrize(
    ("expected", "spreads", "smallest", "chance", "accepted"),
    [
        ([60.0, 58.0, 55.0, 63.0], [0.2, 0.2, 0.18, 0.25], 1, 1.0, False),
        ([0.004, 0.006, 0.003, 0.009], [1.0, 0.9, 0.8, 1.2], 1, 0.01832, True),
        ([0.0] * 4, [0.0] * 4, 5, 0.0, True),
        ([0.02, 0.02, 0.02, 0.03], [1.6, 1.5, 1.4, 1.9], 2, 0.140662, False),
    ],
    ids=["unsafe", "hardly any small class", "classes reach the cell size", "the spread decides"],
)
def test_decision_by_the_maximum_rule(
    expected: list[float],
    spreads: list[float],
    smallest: int,
    chance: float,
    accepted: bool,
) -> None:
    found = small_class_chance(expected, spreads)
    assert found == pytest.approx(chance, abs=1e-5)
    assert accepts_maximum(found, smallest=smallest, cell_size=5) is accepted


def test_highest_risk_from_the_chances() -> None:
    chance_below = {2: 0.02, 3: 0.11, 4: 0.31, 5: 0.52, 6: 0.7}
    assert median_smallest(lambda size: chance_below.get(size, 1.0), most=1000) == 4
    assert limit_smallest(lambda size: chance_below.get(size, 1.0), most=1000) == 2


def test_order_correlation_and_chances_of_a_table() -> None:
    codes, number = sample_of_80()
    found = class_chances(codes, number, ordinal=(True, False, False))
    assert found.order[0].tolist() == list(range(12))
    expected = np.array([[1.0, 0.7483, 0.6665], [0.7483, 1.0, 0.422], [0.6665, 0.422, 1.0]])
    flips = np.ones(3)
    for place, order in ((1, [0, 1]), (2, [2, 0, 3, 1])):
        assert found.order[place].tolist() in (order, order[::-1])
        flips[place] = 1 if found.order[place].tolist() == order else -1
    assert found.correlation * np.outer(flips, flips) == pytest.approx(expected, abs=0.01)
    first = [[0, 0, 2], [1, 0, 0], [1, 0, 2], [2, 0, 2], [3, 0, 0], [3, 0, 2]]
    assert codes[:6].tolist() == first
    assert number[:6].tolist() == [1, 2, 2, 3, 2, 2]
    chances = [0.01118, 0.008459, 0.03826, 0.02427, 0.01534, 0.02789]
    assert found.by_copula[:6] == pytest.approx(chances, rel=0.05)


def test_estimate_of_a_table() -> None:
    codes, number = sample_of_80()
    found = fit_copula(codes, number, 2000, ordinal=(True, False, False))
    assert found.plug_in == pytest.approx(0.0332, rel=0.05)
    assert found.main.unique == pytest.approx(0.3341, rel=0.05)
    assert found.unique == pytest.approx(0.1053, rel=0.05)
    assert found.main.average == pytest.approx(0.05405, rel=0.05)
    assert found.small_classes(5).classes[1] == pytest.approx(2.828, rel=0.05)

"""Estimators of population uniques and rates of attacks: the reference cases, as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reidrisk.stats.attack_rate import AttackRate, attack_rate, residual_risk, singling_out_by_chance
from reidrisk.stats.uniqueness.class_models import Pitman, SampledClasses, fit_pitman, snb_expected
from reidrisk.stats.uniqueness.individual import individual_risk, least_sample_class
from reidrisk.stats.uniqueness.loglinear import expected_matches
from tests.papers.tables import Case

CASES: list[Case] = [
    (
        "pitman-mle",
        "uniqueness.pitman",
        "pitman_fit",
        {"hist": {"1": 600, "2": 100, "3": 40, "4": 25, "5": 15, "8": 10, "12": 8, "20": 5, "40": 3}},
        [93.9542941949688, 0.6801111310844733],
        {"rel": 0.0001},
    ),
    (
        "pitman-boundary",
        "uniqueness.pitman",
        "pitman_fit",
        {"hist": {"1": 300, "2": 100, "3": 40, "4": 20, "5": 10, "8": 5}},
        1.5389679546816205e-13,
        {"abs": 0.0001},
    ),
    (
        "pitman-ewens",
        "uniqueness.pitman",
        "pitman_uniques",
        {"theta": 500, "alpha": 0, "N": 20000, "exact": True},
        487.8286745568149,
        {"rel": 1e-07},
    ),
    (
        "pitman-asymptotic",
        "uniqueness.pitman",
        "pitman_uniques",
        {"theta": 50, "alpha": 0.3, "N": 2000, "exact": False},
        151.53090720298405,
        {"rel": 1e-08},
    ),
    (
        "snb-equations",
        "uniqueness.snb",
        "snb_equations",
        {"alpha": 0.7, "beta": 0.3, "K": 200000, "f": 0.2},
        [57849.37162536712, 14185.485118187158],
        {"rel": 1e-07},
    ),
    (
        "indiv-1-215",
        "uniqueness.individual_risk",
        "individual_risk",
        {"f": 1, "F": 215},
        0.025096439383774136,
        {"rel": 1e-06},
    ),
    (
        "indiv-1-186",
        "uniqueness.individual_risk",
        "individual_risk",
        {"f": 1, "F": 186},
        0.02824727931736866,
        {"rel": 1e-06},
    ),
    (
        "indiv-2-360",
        "uniqueness.individual_risk",
        "individual_risk",
        {"f": 2, "F": 360},
        0.00542451993224651,
        {"rel": 1e-06},
    ),
    (
        "indiv-2-152",
        "uniqueness.individual_risk",
        "individual_risk",
        {"f": 2, "F": 152},
        0.012563425183949053,
        {"rel": 1e-06},
    ),
    (
        "indiv-3-60",
        "uniqueness.individual_risk",
        "individual_risk",
        {"f": 3, "F": 60},
        0.023982465705431364,
        {"rel": 1e-09},
    ),
    (
        "skinner-shlomo",
        "uniqueness.loglinear",
        "skinner_shlomo",
        {"mu": [0.5, 0.2, 1.4, 0.05], "f_counts": [1, 0, 1, 1], "pi": 0.1},
        [0.6487405201752497, 1.104389142243495],
        {"rel": 1e-09},
    ),
    (
        "anonymeter-100",
        "attack",
        "attack_rate",
        {"n_success": 100, "n_attacks": 100, "conf": 0.95},
        [0.9815032508965071, 0.01849674910349284],
        {"rel": 1e-09},
    ),
    (
        "anonymeter-23",
        "attack",
        "attack_rate",
        {"n_success": 23, "n_attacks": 100, "conf": 0.95},
        [0.23998824451588613, 0.08155558571285167],
        {"rel": 1e-09},
    ),
    (
        "anonymeter-negative",
        "attack",
        "residual_risk",
        {"attack": [0.2, 0.05], "control": [0.3, 0.05]},
        0.0,
        {"abs": 0.0},
    ),
    (
        "singling-out-chance",
        "attack",
        "singling_out_by_chance",
        {"n": 1000, "w": 0.001},
        0.3680634882592229,
        {"rel": 1e-09},
    ),
    (
        "kmap-5-0.1",
        "structured.kmap",
        "kmap_min_sample_class",
        {"k": 5, "pi": 0.1, "alpha": 0.05},
        3,
        {"rel": 1e-09},
    ),
    (
        "kmap-20-0.2",
        "structured.kmap",
        "kmap_min_sample_class",
        {"k": 20, "pi": 0.2, "alpha": 0.05},
        8,
        {"rel": 1e-09},
    ),
]


def fitted(given: dict[str, Any]) -> list[float]:
    sizes = np.array([int(size) for size in given["hist"]])
    model = fit_pitman(SampledClasses(sizes, np.array(list(given["hist"].values())), 10**6))
    assert model is not None
    return [model.theta, model.alpha]


def matches(given: dict[str, Any]) -> list[float]:
    unique = np.array(given["mu"])[np.array(given["f_counts"]) == 1]
    found = expected_matches(unique, given["pi"])
    return [found.population_uniques, found.correct_matches]


def rate(given: dict[str, Any]) -> list[float]:
    found = attack_rate(given["n_success"], given["n_attacks"], level=given["conf"])
    return [found.value, found.error]


COMPUTE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pitman_fit": fitted,
    "pitman_uniques": lambda x: Pitman(x["theta"], x["alpha"]).uniques(x["N"], exact=x["exact"]),
    "snb_equations": lambda x: list(snb_expected(x["alpha"], x["beta"], x["K"], x["f"])),
    "individual_risk": lambda x: float(individual_risk(np.array([x["f"]]), np.array([x["F"]]))[0]),
    "skinner_shlomo": matches,
    "attack_rate": rate,
    "residual_risk": lambda x: residual_risk(AttackRate(*x["attack"]), AttackRate(*x["control"])).value,
    "singling_out_by_chance": lambda x: singling_out_by_chance(x["n"], x["w"]),
    "kmap_min_sample_class": lambda x: least_sample_class(x["k"], x["pi"], alpha=x["alpha"]),
}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_reference_case(case: Case) -> None:
    name, _, function, given, expected, tolerance = case
    found = COMPUTE[function](given)
    if name == "pitman-boundary":
        found = found[1]
    assert found == pytest.approx(expected, rel=tolerance.get("rel", 0), abs=tolerance.get("abs", 0))

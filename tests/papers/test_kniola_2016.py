"""Numbers printed in Kniola 2016 and derived from its ten people: risk, generalization, suppression."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import discernibility, expected_matches, journalist
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import Loss
from reidrisk.stats.lattice.search import Solution, evaluate, minimal
from reidrisk.stats.lattice.search import solve as best_node
from reidrisk.stats.suppress.table import Request
from tests.papers.tables import KNIOLA, Case, Compute, check, matched, prosecutor_figures, sizes
from tests.stats.suppress.tables import KNIOLA as KNIOLA_AS_TEXT
from tests.stats.suppress.tables import published, solve

SIMILAR_TRIALS = {"M,26": 12, "F,28": 32, "F,31": 27, "M,29": 11, "M,30": 15, "F,32": 4}
DECADES = [(sex, "21-30" if age <= 30 else "31-40") for sex, age in KNIOLA]
HIERARCHIES = "sex: exact,*; age: exact, 2-year (25-26,27-28,..), decade (21-30,..), *"
ALONG_AGE = [[0, 0], [0, 1], [0, 2], [0, 3]]
EXACT = {"rel": 1e-9}

CASES: list[Case] = [
    (
        "kniola-study",
        "structured.prosecutor",
        "prosecutor",
        {"rows": KNIOLA, "tau": 0.09},
        {"max": 1.0, "avg": 0.6, "unique": 0.3, "J": 6, "dm": 20},
        EXACT,
    ),
    (
        "kniola-similar-trials",
        "structured.journalist",
        "journalist",
        {"rows": KNIOLA, "population_class_sizes": SIMILAR_TRIALS, "tau": 0.09},
        {
            "max": 0.25,
            "avg": 0.08093013468013469,
            "share_above": 0.4,
            "c1": 0.0594059405940594,
            "c2": 0.08093013468013469,
        },
        EXACT,
    ),
    (
        "kniola-generalised",
        "structured.prosecutor",
        "prosecutor",
        {"rows": DECADES, "tau": 0.09},
        {"max": 0.5, "avg": 0.3, "J": 3, "unique": 0.0},
        EXACT,
    ),
    (
        "ola-k2-sup0",
        "structured.ola",
        "ola minimal nodes",
        {"rows": KNIOLA, "hierarchies": HIERARCHIES, "k": 2, "max_sup": 0.0},
        {"anonymous": [[0, 2], [0, 3], [1, 2], [1, 3]], "minimal": [[0, 2]]},
        EXACT,
    ),
    (
        "nue-0-2",
        "structured.infoloss",
        "nonuniform_entropy",
        {"rows": KNIOLA, "node": [0, 2]},
        15.651484454403228,
        EXACT,
    ),
    (
        "dm-nonmonotone",
        "structured.infoloss",
        "discernability(k=2)",
        {"rows": KNIOLA, "nodes": ALONG_AGE},
        [47, 39, 38, 50],
        EXACT,
    ),
    (
        "cells-kniola-k5",
        "structured.cell_suppression",
        "optimal number of starred cells",
        {"rows": KNIOLA, "k": 5},
        10,
        {"abs": 0},
    ),
]


def lattice() -> tuple[Tuples, list[Recoding]]:
    """Sex exact or starred; ages exact, in two-year bands, decades, or starred."""
    codes, counts = published(KNIOLA_AS_TEXT)
    ages = np.unique(codes[:, 1]).astype(np.int64)
    places = np.stack([codes[:, 0], np.searchsorted(ages, codes[:, 1])], axis=1).astype(np.int32)
    age: list[Ints] = [np.arange(ages.size), (ages - 25) // 2, (ages - 21) // 10, 0 * ages]
    return Tuples(places, counts), [Recoding.of_rows([[0, 1], [0, 0]]), Recoding.of_rows(age)]


def against_trials(given: dict[str, Any]) -> dict[str, float]:
    words = (name.split(",") for name in given["population_class_sizes"])
    people = [(sex, int(age)) for sex, age in words]
    trials = dict(zip(people, given["population_class_sizes"].values(), strict=True))
    pairs = matched(given["rows"], Counter(trials))
    risk = journalist(pairs, cell_size=Threshold(given["tau"], "reference").cell_size)
    return {
        "max": risk.highest,
        "avg": risk.average,
        "share_above": risk.share_above,
        "c1": pairs.number.sum() / (pairs.population @ pairs.number),
        "c2": expected_matches(pairs) / pairs.records,
    }


def nodes(given: dict[str, Any]) -> dict[str, list[list[int]]]:
    criterion = Criterion(given["k"], limit=given["max_sup"])
    every = [evaluate(*lattice(), criterion, "dm", node) for node in product(range(2), range(4))]
    allowed = criterion.may_suppress(len(given["rows"]))
    return {
        "anonymous": [list(node.levels) for node in every if node.suppressed <= allowed],
        "minimal": [list(node.levels) for node in minimal(*lattice(), criterion, "dm").nodes],
    }


def score(node: list[int], loss: Loss, cell_size: int) -> float:
    return evaluate(*lattice(), Criterion(cell_size), loss, node).score


COMPUTE: dict[str, Compute] = {
    "prosecutor": prosecutor_figures,
    "journalist": against_trials,
    "ola minimal nodes": nodes,
    "nonuniform_entropy": lambda x: score(x["node"], "entropy", 1),
    "discernability(k=2)": lambda x: [score(node, "dm", 2) for node in x["nodes"]],
    "optimal number of starred cells": lambda x: solve(*published(KNIOLA_AS_TEXT), Request(x["k"])).cells,
}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_printed_numbers(case: Case) -> None:
    check(case, COMPUTE[case[2]](case[3]))


def test_the_rows_are_the_same_everywhere() -> None:
    assert [f"{sex}{age}" for sex, age in KNIOLA] == KNIOLA_AS_TEXT.split()


def test_class_size_11_passes_only_as_a_cell_size() -> None:
    """Three records in a class of 11 are above a literal 0.09 and not above 1/11."""
    people = {("M", 26): 12, ("F", 28): 32, ("F", 31): 27, ("M", 29): 11, ("M", 30): 15, ("F", 32): 4}
    assert journalist(matched(KNIOLA, people), cell_size=11).share_above == pytest.approx(0.1)


def test_discernibility_from_the_classes_themselves() -> None:
    two_years = [(sex, (age - 1) // 2) for sex, age in KNIOLA]
    sexes = [sex for sex, _ in KNIOLA]
    found = [discernibility(*sizes(rows), cell_size=2) for rows in (KNIOLA, two_years, DECADES, sexes)]
    assert found == [47, 39, 38, 50]


def test_with_one_record_suppressed_the_optimum_is_not_the_minimal_node() -> None:
    criterion = Criterion(2, limit=0.1)
    assert [node.levels for node in minimal(*lattice(), criterion, "dm").nodes] == [(0, 1)]
    assert best_node(*lattice(), criterion, "dm").solution == Solution((0, 2), 38.0, 0, 3, 2)

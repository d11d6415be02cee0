"""Numbers printed in Benitez & Malin 2010: figure 1, a released sample matched with a voter list."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from reidrisk.core.threshold import Threshold
from reidrisk.stats.class_risk import expected_matches, journalist
from tests.papers.tables import Case, Person, check, matched

RELEASED: list[Person] = list(zip("FMFMM", (1953, 1953, 1953, 1955, 1955), strict=True))
VOTERS: list[Person] = [
    *(("F", 1953), ("M", 1953), ("F", 1953), ("M", 1955), ("M", 1957)),
    *(("F", 1955), ("M", 1955), ("F", 1957), ("M", 1956), ("F", 1956)),
]

CASES: list[Case] = [
    (
        "benitez-fig1",
        "structured.marketer",
        "journalist",
        {"sample": RELEASED, "population": VOTERS, "tau": 0.2},
        {"max": 1.0, "c2": 0.6, "expected_correct": 3.0},
        {"rel": 1e-9},
    )
]


def marketer(given: dict[str, Any]) -> dict[str, float]:
    pairs = matched(given["sample"], Counter(given["population"]))
    risk = journalist(pairs, cell_size=Threshold(given["tau"], "reference").cell_size)
    correct = expected_matches(pairs)
    return {"max": risk.highest, "c2": correct / pairs.records, "expected_correct": correct}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_figure_1(case: Case) -> None:
    check(case, marketer(case[3]))


def test_the_classes_of_figure_1() -> None:
    """Two women and one man of 1953, two men of 1955; the voter list has as many of each."""
    pairs = matched(RELEASED, Counter(VOTERS))
    found = sorted(zip(pairs.sample.tolist(), pairs.population.tolist(), pairs.number.tolist(), strict=True))
    assert found == [(1, 1, 1), (2, 2, 2)]

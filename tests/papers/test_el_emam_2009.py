"""Numbers printed in El Emam et al. 2009, Can J Hosp Pharm 62(4):307, a hospital's pharmacy records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reidrisk.stats.class_risk import discernibility, prosecutor
from reidrisk.stats.suppress.result import Suppression, SuppressionMoves, finish, keeps, tidy
from reidrisk.stats.suppress.table import Request, SuppressionTable, make_table
from tests.papers.tables import Case, Compute, check

RECORDS = 10_364
COLUMNS = 5
STARRED = 1544
"""Records with any starred cell: 14.9 % of all."""
TABLE_4 = (117, 1177, 475, 548, 398)
"""Starred cells of each column; the second is age."""

CASES: list[Case] = [
    (
        "cheo-records-suppressed",
        "cheo.results",
        "678+601+228+x",
        {"one": 678, "two": 601, "three": 228, "total": 10364, "share": 0.149},
        [1507, 0.14540717869548436],
        {"rel": 1e-5},
    ),
    (
        "cheo-cells",
        "cheo.results",
        "sum of table 4 / (1544*5)",
        {"cells": list(TABLE_4)},
        [2715, 0.35168393782383417],
        {"rel": 1e-5},
    ),
]


def hospital() -> SuppressionTable:
    """As many records and columns; the values were not printed."""
    one = np.zeros((1, COLUMNS), dtype=np.int32)
    return make_table(one, np.array([RECORDS]), Request(5))


def stars(numbers: dict[int, int]) -> SuppressionMoves:
    """So many records starred on each set of columns."""
    masks = np.array(list(numbers), dtype=np.int64)
    return tidy(np.zeros(len(masks), dtype=np.int64), masks, np.array(list(numbers.values())))


def described(numbers: dict[int, int]) -> Suppression:
    return finish(stars(numbers), hospital(), 0.0, "printed")


def starred_records(given: dict[str, Any]) -> list[float]:
    """Records with one, two and three starred cells, as the text counts them."""
    answer = described({0b1: given["one"], 0b11: given["two"], 0b111: given["three"]})
    return [answer.records, answer.records / given["total"]]


def starred_cells(given: dict[str, Any]) -> list[float]:
    answer = described({1 << column: cells for column, cells in enumerate(given["cells"])})
    assert list(answer.by_column) == given["cells"]
    return [answer.cells, answer.cells / (STARRED * COLUMNS)]


COMPUTE: dict[str, Compute] = {"678+601+228+x": starred_records, "sum of table 4 / (1544*5)": starred_cells}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_printed_numbers(case: Case) -> None:
    check(case, COMPUTE[case[2]](case[3]))


def test_figure_3() -> None:
    """Eleven records in five classes, one of them of three, the smallest of two: the sizes are forced."""
    forced = (np.array([2, 3]), np.array([4, 1]))
    risk = prosecutor(*forced, cell_size=3)
    assert risk.highest == 0.5
    assert risk.average == pytest.approx(5 / 11)
    assert discernibility(*forced) == 25


def test_every_column_of_table_4_is_within_15_per_cent() -> None:
    cells = stars({1 << column: number for column, number in enumerate(TABLE_4)})
    assert keeps(cells, hospital(), Request(5, max_column=0.15))
    assert not keeps(cells, hospital(), Request(5, max_column=0.11))
    age = described({0b10: TABLE_4[1]}).by_column[1]
    assert age / RECORDS == pytest.approx(0.1136, abs=5e-5)


def test_the_printed_counts_do_not_reconcile_exactly() -> None:
    """What is left of table 4 for records with four stars is not a multiple of four."""
    some = described({0b1: 678, 0b11: 601, 0b111: 228})
    left = sum(TABLE_4) - some.cells
    assert (left, left % 4) == (151, 3)
    assert STARRED - some.records == 37
    assert pytest.approx(0.149, abs=5e-5) == STARRED / RECORDS

"""Numbers of Kumar & Sareen 2017: redacted and replaced reports, and individual participant data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reidrisk.stats.arrays import Floats
from reidrisk.stats.caught import COMBINES, redacted_direct, redacted_quasi, replaced_quasi
from reidrisk.stats.suppress.compatible import compatible_sizes
from reidrisk.stats.suppress.table import Request
from tests.papers.tables import KUMAR, Case, Compute, check, numbered, prosecutor_figures
from tests.stats.suppress.tables import KUMAR as KUMAR_AS_TEXT
from tests.stats.suppress.tables import published, solve

AGES = [age for _, age in KUMAR]
EXACT = {"rel": 1e-9}
THIRD = 1 / 3

REPLACED = {"p_catch": 0.09, "n_q": 4, "m": 2, "r_q": 0.95, "h": 0.1}

CASES: list[Case] = [
    ("kumar-eq3", "kumar.eq3", "kumar_redacted_direct", {"w": [1, 0.5], "r": [0.98, 0.9]}, 0.069, EXACT),
    (
        "kumar-eq4",
        "kumar.eq4",
        "kumar_redacted_quasi",
        {"n_q": 4, "m": 2, "r_q": 0.95},
        0.04989373136718757,
        EXACT,
    ),
    (
        "kumar-replaced-literal",
        "kumar.replaced",
        "kumar_replaced_quasi",
        {**REPLACED, "combine": "literal"},
        0.08178798723563671,
        EXACT,
    ),
    (
        "kumar-replaced-eq8",
        "kumar.replaced",
        "kumar_replaced_quasi",
        {**REPLACED, "combine": "eq8"},
        0.09051231838442941,
        EXACT,
    ),
    (
        "kumar-table2",
        "kumar.ipd",
        "prosecutor",
        {"rows": KUMAR, "tau": 0.2},
        {"max": 1.0, "avg": 0.5, "J": 5, "share_above": 1.0, "unique": 0.1, "dm": 22},
        EXACT,
    ),
    (
        "kumar-table2-record-risk",
        "kumar.ipd",
        "1/class size",
        {"rows": KUMAR},
        [THIRD, 0.5, THIRD, 0.5, 0.5, 0.5, THIRD, 1.0, 0.5, 0.5],
        EXACT,
    ),
    (
        "kumar-table3",
        "kumar.ipd",
        "prosecutor",
        {"rows": AGES, "tau": 0.2},
        {"max": 1.0, "avg": 0.4, "J": 4, "share_above": 0.5},
        EXACT,
    ),
    (
        "kumar-subset-age-only",
        "kumar.ipd",
        "max over subjects 101,102 (age only)",
        {"rows": AGES, "subjects": [0, 1]},
        0.2,
        EXACT,
    ),
    (
        "cells-kumar-k2",
        "structured.cell_suppression",
        "optimal number of starred cells",
        {"rows": KUMAR, "k": 2},
        3,
        {"abs": 0},
    ),
    (
        "cells-kumar-k3",
        "structured.cell_suppression",
        "optimal number of starred cells",
        {"rows": KUMAR, "k": 3},
        7,
        {"abs": 0},
    ),
]


def record_risks(rows: list[Any]) -> Floats:
    """Each record's risk, from its class in the whole table."""
    names, counts = numbered(rows)
    alike = compatible_sizes(np.arange(counts.size, dtype=np.int32)[:, None], counts)
    return np.asarray(1 / alike[names], dtype=np.float64)


def test_the_rows_are_the_same_everywhere() -> None:
    assert [f"{sex}{age}" for sex, age in KUMAR] == KUMAR_AS_TEXT.split()


def replaced(x: dict[str, Any]) -> float:
    return replaced_quasi(x["p_catch"], x["n_q"], x["m"], x["r_q"], recognition=x["h"], combine=x["combine"])


COMPUTE: dict[str, Compute] = {
    "kumar_redacted_direct": lambda x: redacted_direct(x["w"], x["r"]),
    "kumar_redacted_quasi": lambda x: redacted_quasi(x["n_q"], x["m"], x["r_q"]),
    "kumar_replaced_quasi": replaced,
    "prosecutor": prosecutor_figures,
    "1/class size": lambda x: record_risks(x["rows"]).tolist(),
    "max over subjects 101,102 (age only)": lambda x: record_risks(x["rows"])[x["subjects"]].max(),
    "optimal number of starred cells": lambda x: solve(*published(KUMAR_AS_TEXT), Request(x["k"])).cells,
}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_printed_numbers(case: Case) -> None:
    check(case, COMPUTE[case[2]](case[3]))


def test_the_two_subjects_of_the_report_by_sex_and_age() -> None:
    assert record_risks(KUMAR)[:2].max() == 0.5


def test_the_printed_sum_is_no_probability_and_is_cut() -> None:
    given = {"recognition": 1.0, "combine": "literal"}
    assert replaced_quasi(0.5, 30, 1, 0.69, **given) == 1.0  # type: ignore[arg-type]
    assert redacted_quasi(30, 1, 0.69) + 0.5 * 0.69 > 1.34


def test_nothing_caught_tells_anything_where_all_is_redacted() -> None:
    for how in COMBINES:
        assert replaced_quasi(0.0, 4, 2, 0.95, recognition=1.0, combine=how) == redacted_quasi(4, 2, 0.95)

"""The hierarchies of the prescription records: readable, on every value, limited as in the study."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reidrisk.demo.prescriptions import COLUMNS, LAYOUT, prescription_records
from reidrisk.tables.hierarchy.hierarchy import read_hierarchies
from reidrisk.tables.hierarchy.levels import Levels

STAY = "length_of_stay"
LIMITS = {
    "sex": "exact",
    "age_days": "weeks to one year, then years",
    "postal_fsa": "1 character",
    "admission_date": "quarter",
    "discharge_date": "quarter",
    STAY: "days",
}
"""Table 2 of Can J Hosp Pharm 62(4):307."""


@cache
def levels(column: str) -> Levels:
    """The hierarchy on the values of the generated records."""
    records = prescription_records()
    if column == STAY:
        values: Any = (records["discharge_date"] - records["admission_date"]).astype(np.int64)
    else:
        values = records[column]
    return read_hierarchies(LAYOUT)[column].on(np.unique(values).tolist())


def test_every_quasi_identifier_of_the_study_has_a_hierarchy_and_a_reason() -> None:
    hierarchies = read_hierarchies(LAYOUT)
    assert set(hierarchies) == set(LIMITS)
    assert set(hierarchies) - {STAY} < set(COLUMNS)
    assert all(hierarchy.reason.endswith(".") for hierarchy in hierarchies.values())


@pytest.mark.parametrize("column", LIMITS)
def test_the_limit_is_that_of_the_study(column: str) -> None:
    found = levels(column)
    assert found.names[found.recoding.top] == LIMITS[column]


def test_the_limits_are_those_of_the_documentation() -> None:
    page = Path(__file__).parents[2] / "docs" / "hospital-study.md"
    _, table = page.read_text(encoding="utf-8").split("| at most, ours |", 1)
    rows = table.split("\n\n", 1)[0].splitlines()[2:]
    assert [row.strip("| ").split("|")[-1].strip() for row in rows] == list(LIMITS.values())


def test_the_first_year_is_told_in_weeks_and_the_rest_in_years() -> None:
    found = levels("age_days")
    values = found.labels[0].tolist()
    labels = dict(zip(values, found.labels[found.recoding.top].tolist(), strict=True))
    assert [labels[age] for age in (0, 7, 27)] == ["0 weeks", "1 week", "3 weeks"]
    assert all(("week" in label) == (age < 365.25) for age, label in labels.items())
    assert len(set(labels.values())) <= 53 + 21


def test_regions_are_letters_and_dates_quarters() -> None:
    area = levels("postal_fsa")
    assert set(area.labels[area.recoding.top].tolist()) <= set("ABEGHJKLMNPRTVX")
    admitted = levels("admission_date")
    quarters = {"2007-Q1", "2007-Q2", "2007-Q3", "2007-Q4", "2008-Q1", "2008-Q2"}
    assert set(admitted.labels[admitted.recoding.top].tolist()) == quarters

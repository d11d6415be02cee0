"""Drafted hierarchies: they run on the column as it is, and no exact date or postal code is released."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

import reidrisk as rr
from reidrisk.tables.column_kinds import kind_of_name
from reidrisk.tables.hierarchy.draft import ColumnContent, draft_hierarchy
from reidrisk.tables.hierarchy.levels import Levels, objects


def drafted(name: str, values: list[Any], rows: int = 20) -> tuple[dict[str, Any], Levels]:
    """The settings, and the levels that they make of the values."""
    match = kind_of_name(name)
    counts = np.full(len(values), rows, dtype=np.int64)
    content = ColumnContent(name, match.kind if match else None, objects(values), counts)
    settings = dict(draft_hierarchy(content).settings)
    return settings, rr.Hierarchy.of(name, settings).on(values, counts)


def finest(levels: Levels) -> list[Any]:
    """What the values become at the finest level that may be released."""
    return list(levels.labels[levels.recoding.lowest])


@pytest.mark.parametrize(
    ("name", "values", "kind", "least"),
    [
        ("admission_date", [date(2021, 1, 5), date(2021, 3, 9), None], "date", ["2021-01", "2021-03", None]),
        ("admission_date", ["2021-01-05", "2022-03-09"], "date", ["2021-01", "2022-03"]),
        ("date_of_birth", [date(1951, 1, 5), date(1967, 3, 9)], "date", ["1951", "1967"]),
        ("year_of_birth", [1951, 1967], "number", ["1950-1954", "1965-1969"]),
        ("age", [34, 89, 90, 97], "age", ["34", "89", "90+", "90+"]),
        ("zip", ["02138", "02139-1234", "10001", None], "zip", ["021", "021", "100", None]),
        ("postal_code", ["K1A 0B1", "k1a0b2", "H3Z 2Y7"], "prefix", ["K1A", "K1A", "H3Z"]),
        ("postcode", ["SW1A 1AA", "M1 1AE", "SW1A 2AA"], "prefix", ["SW", "M1", "SW"]),
        ("plz", ["10115", "10117", "80331"], "prefix", ["101", "101", "803"]),
        ("code_postal", ["75001", "75002", "13001"], "prefix", ["75", "75", "13"]),
        ("codigo_postal", ["28001", "28002", "08001"], "prefix", ["28", "28", "08"]),
    ],
)
def test_the_finest_level_is_not_the_exact_value(
    name: str, values: list[Any], kind: str, least: list[Any]
) -> None:
    settings, levels = drafted(name, values)
    assert settings["kind"] == kind
    assert [None if label is None else str(label) for label in finest(levels)] == least


@pytest.mark.parametrize("name", ["admission_date", "zip", "age", "year_of_birth", "diagnosis", "weight"])
def test_values_outside_the_rule_are_no_error(name: str) -> None:
    odd = ["2021-01-05", "02138", "41", "unknown", "E11.9", "n/a", None]
    _, levels = drafted(name, odd)
    assert levels.names[-1] == "suppressed"


def test_dates_that_cannot_be_read_are_not_released() -> None:
    settings, levels = drafted("admission_date", ["June 17, 2007", "unknown"])
    assert settings["min_level"] == "suppressed"
    assert set(finest(levels)) == {"*"}


def test_diagnoses_follow_their_classification() -> None:
    settings, levels = drafted("diagnosis", ["E11.9", "E10.1", "I21.0"])
    assert settings == {"kind": "icd10"}
    assert levels.names[1:] == ("category", "chapter", "suppressed")


def test_numbers_become_intervals_and_codes_do_not() -> None:
    assert drafted("weight", list(range(40, 140)))[0]["kind"] == "number"
    assert drafted("provider_id", list(range(1000, 1100)))[0]["kind"] != "number"


def test_a_draft_of_categories_has_no_label_and_hides_rare_ones() -> None:
    values, counts = objects(["teacher", "nurse", "astronaut"]), np.array([60, 40, 1])
    found = draft_hierarchy(ColumnContent("occupation", None, values, counts)).settings
    assert not any(label in str(found) for label in ("teacher", "nurse", "astronaut"))
    levels = rr.Hierarchy.of("occupation", dict(found)).on(values, counts)
    assert finest(levels) == ["teacher", "nurse", "other"]


def test_levels_that_merge_nothing_are_left_out() -> None:
    settings, _ = drafted("sex", ["F", "M"])
    assert settings == {"kind": "exact", "suppress": True}
    settings, _ = drafted("visit_date", [date(2021, 1, day) for day in range(1, 20)])
    assert settings["levels"] == ["month"]


def test_frequent_categories_stay() -> None:
    levels = rr.Hierarchy.frequent("job", [10, 50]).on(["a", "b", "c", None], [100, 20, 3, 7])
    assert levels.names == ("exact", "in 10 rows or more", "in 50 rows or more", "suppressed")
    assert list(levels.labels[1]) == ["a", "b", "other", None]
    assert list(levels.labels[2]) == ["a", "other", "other", None]
    with pytest.raises(rr.errors.InvalidSetting, match="ascending"):
        rr.Hierarchy.frequent("job", [50, 10])

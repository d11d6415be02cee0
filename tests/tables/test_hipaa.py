from __future__ import annotations

import datetime
import json
from typing import Any

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.tables.column_kinds import kind_keys, kind_named
from reidrisk.tables.hipaa import IDENTIFIERS
from tests.tables.sources import adsl, prescriptions


def held(table: dict[str, list[Any]]) -> dict[str, list[str]]:
    """Columns by letter."""
    check = rr.hipaa_check(pa.table(table))
    return {one.identifier.letter: [column.column for column in one.columns] for one in check.remaining}


def cells(table: dict[str, list[Any]], letter: str) -> int:
    check = rr.hipaa_check(pa.table(table))
    return sum(
        one.cells
        for finding in check.findings
        for one in finding.columns
        if finding.identifier.letter == letter
    )


def test_the_lists_of_the_rule() -> None:
    assert [one.letter for one in IDENTIFIERS] == list("ABCDEFGHIJKLMNOPQR")
    assert len([one for one in IDENTIFIERS if one.limited]) == 16
    assert {one.letter for one in IDENTIFIERS if one.limited is None} == {"C", "R"}
    letters = {kind_named(key).hipaa for key in kind_keys()} - {None}
    assert letters == {one.letter for one in IDENTIFIERS}


@pytest.mark.parametrize(
    ("column", "letter"),
    [
        *(
            ("patient_name", "A"),
            ("street", "B"),
            ("city", "B"),
            ("county", "B"),
            ("phone", "D"),
            ("fax", "E"),
        ),
        *(("email", "F"), ("ssn", "G"), ("mrn", "H"), ("member_id", "I"), ("account_number", "J")),
        *(("license_number", "K"), ("license_plate", "L"), ("device_serial_number", "M"), ("url", "N")),
        *(("ip_address", "O"), ("fingerprint", "P"), ("photo", "Q"), ("usubjid", "R"), ("visit_id", "R")),
    ],
)
def test_each_identifier_by_its_name(column: str, letter: str) -> None:
    assert held({column: ["q", "w"]}) == {letter: [column]}


def test_a_table_that_holds_none() -> None:
    check = rr.hipaa_check(
        pa.table({"sex": ["M", "F"], "age": [40, 89], "state": ["OH", "NY"], "birth_year": [1950, 1961]})
    )
    assert check.acceptable
    result = check.to_dict()
    assert result["safe_harbor"] == {"remaining": 0, "letters": []}
    assert "not sufficient" in result["reasons"][0]
    assert any("do not actually know" in text for text in result["not_checked"])
    assert "NO SAFE HARBOR IDENTIFIER FOUND" in str(check)


def test_ages_over_89_are_counted() -> None:
    assert held({"age": [10, 89]}) == {}
    assert cells({"age": [10, 90, 101]}, "C") == 2
    assert cells({"age": ["10", "90+", "90 or older", "91-95"]}, "C") == 1
    assert held({"age_months": [12 * 80, 11]}) == {}
    assert cells({"age_months": [12 * 91, 11]}, "C") == 1
    top = rr.hipaa_check(pa.table({"age": [10, 90, 90, 90]}))
    assert [one.status for one in top.remaining] == ["possible"], "90 may be the class of the oldest"


def test_dates_more_exact_than_a_year() -> None:
    new_year, summer = datetime.date(2020, 1, 1), datetime.date(2020, 7, 4)
    assert held({"admission_date": [new_year, new_year]}) == {}
    assert cells({"admission_date": [new_year, summer]}, "C") == 2
    assert cells({"admission_date": ["2020", "2020-07", "04/07/2020"]}, "C") == 2
    assert held({"admission_date": [2019, 2020]}) == {}
    assert cells({"admission_date": [20190704, 20200704]}, "C") == 2
    assert cells({"admission_date": [summer, None]}, "C") == 1


def test_zip_codes() -> None:
    assert held({"zip": ["941", "100"]}) == {}
    assert cells({"zip": ["94110", "100"]}, "B") == 1
    assert cells({"zip": ["036", "893", "941"]}, "B") == 2
    assert cells({"zip": [36, 941]}, "B") == 1, "a leading zero is lost in numbers"
    assert held({"zip": ["941**", "100**"]}) == {}
    assert cells({"postal_code": ["K1A", "H3Z"]}, "B") == 2, "no ZIP code, and smaller than a province"


def test_a_limited_data_set_may_hold_dates_and_towns() -> None:
    check = rr.hipaa_check(
        pa.table({"city": ["x", "y"], "zip": ["94110", "94111"], "birth_date": ["1950-01-02", "1961-03-04"]})
    )
    assert not check.acceptable
    assert check.limited_remaining == ()
    street = rr.hipaa_check(pa.table({"street": ["q", "w"]}))
    assert [one.identifier.limited for one in street.limited_remaining] == ["ii"]


def test_identifiers_inside_other_columns() -> None:
    remarks = ["fine"] * 50 + ["jane@example.org", "123-45-6789", "see www.example.org"]
    check = rr.hipaa_check(pa.table({"remarks": remarks}))
    assert {one.identifier.letter: one.status for one in check.remaining} == {
        "F": "found",
        "G": "found",
        "N": "possible",
    }
    assert "remarks" in check.to_dict()["not_checked"][0]


def test_photographs_are_not_checked() -> None:
    statuses = {
        one["letter"]: one["status"] for one in rr.hipaa_check(prescriptions()).to_dict()["identifiers"]
    }
    assert statuses["Q"] == "not checked"
    assert statuses["A"] == "none found"


def test_trial_and_prescriptions() -> None:
    assert set(rr.hipaa_check(adsl()).to_dict()["safe_harbor"]["letters"]) == {"C", "R"}
    assert set(rr.hipaa_check(prescriptions()).to_dict()["safe_harbor"]["letters"]) == {"B", "C", "R"}


def test_no_value_is_shown() -> None:
    check = rr.hipaa_check(
        pa.table({"name": ["Zaphod", "Ford"], "zip": ["94110", "03601"], "age": [97, 101]})
    )
    text = check.to_json() + str(check) + repr(check) + check._repr_html_()
    for value in ("Zaphod", "Ford", "94110", "03601", "101"):
        assert value not in text
    json.loads(check.to_json())
    assert check.plot() is not None

from __future__ import annotations

import datetime
import json
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.tables.column_kinds import kind_keys, kind_named
from reidrisk.tables.column_role import PATTERNS, SAMPLE_ROWS
from reidrisk.tables.hipaa import IDENTIFIERS
from reidrisk.tables.inside import inside_rules
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
        "N": "found",
    }
    assert check.to_dict()["not_checked"]


COMMENTS = {
    "A": "Seen with Mrs. Hartwell, who was worried",
    "B": "moved to 14 Maple Street last year",
    "C": "next visit on 03/14/2022 at noon",
    "D": "call wife at 614-732-1234",
    "E": "send it by fax to 614-732-9876 please",
    "F": "write to someone@example.org",
    "G": "SSN on file 123-45-6789",
    "H": "see MRN: 4471922 for the rest",
    "I": "member ID 88120044 was declined",
    "J": "account number 5561-2290 is overdue",
    "K": "driver's license no. D1234567 copied",
    "L": "parked car, license plate GHX 4821",
    "M": "pacemaker serial number SN-448812",
    "N": "photos at www.example.org/ward",
    "O": "logged in from 192.168.10.44",
    "Q": "see wound_face.jpg",
    "R": "passport number K1234567 shown",
}


@pytest.mark.parametrize("letter", COMMENTS)
def test_each_kind_inside_a_comment(letter: str) -> None:
    comments = ["feels better today"] * 30 + [COMMENTS[letter]]
    check = rr.hipaa_check(pa.table({"comment": comments}))
    found = {one.identifier.letter: one.columns for one in check.remaining}
    assert [(one.column, one.found_by, one.cells) for one in found[letter]] == [
        ("comment", "inside values", 1)
    ]
    assert set(found) == {letter}


def test_patterns_of_whole_values_and_rules_for_the_inside_have_different_names() -> None:
    assert not set(PATTERNS) & set(inside_rules())


def test_all_rows_are_searched() -> None:
    comments = ["feels better"] * (SAMPLE_ROWS + 5) + [COMMENTS["D"]] * 3
    assert cells({"comment": comments}, "D") == 3


def test_an_age_over_89_inside_a_comment() -> None:
    assert cells({"comment": ["a 93-year-old woman", "aged 91", "89 years old", "92 mg"]}, "C") == 2


@pytest.mark.parametrize(
    "values",
    [
        ["120/80", "4.5-5.9", "1:40", "3 x 10^9", "98.6", "12-14"],
        ["E84.0", "A00", "J45.909", "Z99", "I10", "C34.1"],
        ["A16AB04", "N02BE01", "C09AA05"],
        ["Down syndrome", "Crohn disease", "Parkinson disease", "Graves disease"],
        ["ABC 123", "GHX 4821", "K-MB 1234"],
        ["aspirin 100 mg", "take 2 tablets 3 times a day", "0.9 % sodium chloride 1000 ml"],
        ["01-701-1015", "01-701-1023", "01-701-1028"],
        ["2 weeks 3 days", "10.5 mmol/l", "version 2.1.0"],
    ],
)
def test_measurements_and_codes_are_no_identifiers(values: list[str]) -> None:
    check = rr.hipaa_check(pa.table({"result": values * 10}))
    assert not [
        one for finding in check.findings for one in finding.columns if one.found_by == "inside values"
    ]


def test_license_plates_by_the_name_of_the_column() -> None:
    for name in ("plate", "license_plates", "car_plate", "Kennzeichen", "numberplate"):
        assert held({name: ["GHX 4821", "B-MW 1234"]}) == {"L": [name]}


@pytest.mark.parametrize("mark", ["*", "", None, "[suppressed]", "***", "N/A", "null"])
def test_suppressed_cells_are_ignored(mark: str | None) -> None:
    hidden = {name: [mark] * 4 for name in ("phone", "patient_name", "zip", "admission_date", "city", "age")}
    assert rr.hipaa_check(pa.table(hidden | {"sex": ["F"] * 4})).acceptable
    assert cells({"phone": [mark, "614-732-1234", mark, "614-732-4321"]}, "D") == 2
    assert cells({"zip": [mark, "43210", mark, "432"]}, "B") == 1
    assert cells({"admission_date": [mark, "2020-03-04", "2020", "2018-2020"]}, "C") == 1


def test_what_cannot_be_checked_is_said_for_each_kind() -> None:
    check = rr.hipaa_check(pa.table({"sex": ["F", "M"]}))
    by_letter = {one["letter"]: one for one in check.to_dict()["identifiers"]}
    assert by_letter["P"]["checked_by"] == ["column name"]
    assert by_letter["P"]["status"] == by_letter["Q"]["status"] == "not checked"
    assert "cannot be checked" in by_letter["P"]["limit"]
    assert by_letter["D"]["checked_by"] == ["column name", "whole values", "inside values"]
    assert check.to_dict()["settings"]["searched"].startswith("all rows")
    text = " ".join(str(check).split())
    assert "Looked for by column name, whole values, inside values: (A) (B) (C) (D)" in text
    assert "other scripts are not recognized" in text


def test_a_comment_with_telephone_numbers_is_free_text_for_certain() -> None:
    comments = [f"seen in clinic {COMMENTS['D'][:-4]}{1000 + number}" for number in range(40)]
    (column,) = rr.suggest_roles(pa.table({"comment": comments})).columns
    assert (column.role, column.confidence) == ("text", "certain")
    assert "contain telephone numbers" in column.reason
    (short,) = rr.suggest_roles(pa.table({"misc": ["614-732-1234", "x", "y"] * 9})).columns
    assert (short.role, short.confidence) == ("direct identifier", "likely")


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


def test_in_shorter_numbers_nothing_is_known_by_its_form() -> None:
    """The search leaves them out, so no expression may match one; cards have fifteen digits or more."""
    days = [datetime.date(year, month, 28) for year in (1899, 1950, 2024) for month in (1, 12)]
    texts = [day.strftime(form) for day in days for form in ("%Y%m%d", "%d%m%Y", "%m%d%y")]
    texts += [str(7**power % 10**size).zfill(size) for size in range(5, 15) for power in range(20, 120)]
    listed = ", ".join(f"('{text}')" for text in texts)
    with duckdb.connect() as base:
        base.execute(f"CREATE TABLE numbers AS SELECT v FROM (VALUES {listed}) AS made(v)")  # noqa: S608 - our own
        found = {
            name: base.execute(
                f"SELECT count(*) FROM numbers WHERE {' OR '.join(map(matches, rule.expressions))}"  # noqa: S608
            ).fetchall()
            for name, rule in inside_rules().items()
        }
        base.execute("CREATE OR REPLACE TABLE numbers AS SELECT '4111111111111111' AS v")
        card = " OR ".join(map(matches, inside_rules()["account number"].expressions))
        assert base.execute(f"SELECT {card} FROM numbers").fetchall() == [(True,)]  # noqa: S608
    assert set(map(str, found.values())) == {"[(0,)]"}


def matches(expression: str) -> str:
    quoted = expression.replace("'", "''")
    return f"regexp_matches(v, '{quoted}')"

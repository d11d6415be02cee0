from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.detector import build_detector
from reidrisk.detect.known.index import KnownValues
from reidrisk.detect.settings import DetectSettings
from reidrisk.errors import UnreadableFile
from tests.detect.known.date_writings import date_writings

PEOPLE = [
    [
        ("first_name", "John"),
        ("last_name", "Smith"),
        ("dob", "1961-05-03"),
        ("age", "92"),
        ("usubjid", "ABC-001-0042"),
        ("phone", "310-555-1234"),
        ("city", "Springfield"),
        ("mrn", "00482133"),
    ],
    [("first_name", "Renée"), ("last_name", "O'Brien"), ("dob", "03/04/1970")],
    [("first_name", "John"), ("last_name", "Marlow")],
]


def mentions(text: str) -> list[tuple[str, list[int], str]]:
    found = KnownValues(PEOPLE).find_mentions(text)
    return [(text[one.start : one.end], list(one.rows), one.column) for one in found]


@pytest.mark.parametrize(
    ("text", "value", "rows", "column"),
    [
        ("met Smith, John A. here", "Smith, John", [0], "last_name"),
        ("JOHN SMITH's note", "JOHN SMITH", [0], "first_name"),
        ("John came", "John", [0, 2], "first_name"),
        ("John R. Marlow", "John R. Marlow", [2], "first_name"),
        ("Ms. O’BRIEN", "O’BRIEN", [1], "last_name"),
        ("saw Renee", "Renee", [1], "first_name"),
        ("born May 3rd, 1961", "May 3rd, 1961", [0], "dob"),
        ("on 3 May he", "3 May", [0], "dob"),
        ("born 3 April 1970", "3 April 1970", [1], "dob"),
        ("born 4 March 1970", "4 March 1970", [1], "dob"),
        ("ninety-two years old", "ninety-two years old", [0], "age"),
        ("a 92 y/o", "92 y/o", [0], "age"),
        ("subject 0042 left", "0042", [0], "usubjid"),
        ("id ABC 001 0042", "ABC 001 0042", [0], "usubjid"),
        ("abc0010042", "abc0010042", [0], "usubjid"),
        ("(310) 555-1234", "(310) 555-1234", [0], "phone"),
        ("from SPRINGFIELD", "SPRINGFIELD", [0], "city"),
        ("record 482133", "482133", [0], "mrn"),
    ],
)
def test_values_are_found_in_all_their_writings(text: str, value: str, rows: list[int], column: str) -> None:
    assert mentions(text) == [(value, rows, column)]


@pytest.mark.parametrize(
    "text", ["a smith's forge", "Smithson", "92 mg", "Blacksmith", "10042", "subject 42", "May 4th, 1961"]
)
def test_other_words_and_numbers_are_not(text: str) -> None:
    assert mentions(text) == []


@given(st.dates(date(1951, 1, 1), date(2049, 12, 31)))
def test_every_writing_of_a_known_date_is_found(day: date) -> None:
    known = KnownValues([[("visit_date", day.isoformat())]])
    for writing in date_writings(day):
        found = known.find(f"seen {writing} there")
        assert [(one.start, one.end) for one in found] == [(5, 5 + len(writing))], "a writing is missed"


@given(st.text(max_size=60))
def test_offsets_fit_any_text(text: str) -> None:
    for finding in KnownValues(PEOPLE).find(text + " Smith " + text):
        assert finding.end <= 2 * len(text) + 7
    found = KnownValues(PEOPLE).find(text + " Smith ")
    assert any(one.end == len(text) + 6 for one in found)


def test_people_are_no_part_of_what_a_mention_shows() -> None:
    assert "482133" not in repr(KnownValues(PEOPLE).find_mentions("record 482133"))


def test_tables_and_lists_of_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("first_name;mrn\nJane;48213\n", encoding="utf-8")
    (tmp_path / "a.tsv").write_text("first_name\tmrn\nJane\t48213\n", encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps([{"first_name": "Jane", "mrn": 48213}]), encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(json.dumps({"first_name": ["Jane"], "mrn": "48213"}), encoding="utf-8")
    text = "Jane has 48213."
    for path in sorted(tmp_path.iterdir()):
        found = build_detector(DetectSettings(model=None, rules="none", known=path)).find(text)
        assert [(text[one.start : one.end], one.type, one.source) for one in found] == [
            ("Jane", "NAME", "known:first_name"),
            ("48213", "MEDICALRECORD", "known:mrn"),
        ], path.suffix


def test_a_plain_list(tmp_path: Path) -> None:
    path = tmp_path / "values.txt"
    path.write_text("Blue Heron House\n2020-03-14\n", encoding="utf-8")
    found = KnownValues.read(path).find("At blue heron house on March 14, 2020.")
    assert [(one.start, one.end, one.type) for one in found] == [(3, 19, "OTHER"), (23, 37, "DATE")]


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(
        arrow.table({"dob": [date(1961, 5, 3), None], "name": ["Jane Roe", None]}), tmp_path / "a.parquet"
    )
    known = KnownValues.read(tmp_path / "a.parquet")
    assert [list(one.rows) for one in known.find_mentions("Roe, 5/3/61")] == [[0], [0]]


@pytest.mark.parametrize(
    ("name", "content"), [("none.csv", None), ("bad.json", b"{"), ("bad.jsonl", b"\xff")]
)
def test_files_that_cannot_be_read_are_refused(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=name):
        KnownValues.read(path)


def test_nothing_known_finds_nothing() -> None:
    assert KnownValues([]).find("John Smith, May 3rd, 1961") == []

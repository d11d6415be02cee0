from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn, UnreadableFile
from reidrisk.tables.rare import RareCode

SEX = rr.Schema(quasi=("sex",))


def listed(*codes: str, columns: Sequence[str] = ("dx",)) -> rr.RareCodes:
    return rr.RareCodes(tuple(RareCode(code) for code in codes), tuple(columns))


def found(table: dict[str, list[object]], rare: rr.RareCodes, schema: rr.Schema = SEX) -> dict[str, object]:
    rows = len(next(iter(table.values())))
    result = rr.table_risk(pa.table({"sex": ["M"] * rows, **table}), schema, rare=rare).to_dict()[
        "rare_codes"
    ]
    assert isinstance(result, dict)
    return result


def test_records_with_listed_codes_are_counted() -> None:
    result = found({"dx": ["E84.0", "e840", "J45", None, "E841", "Q87.4"]}, listed("E84.0", "Q87.4", "Z99"))
    assert (result["records"], result["share"]) == (3, 0.5)
    assert (result["codes_listed"], result["codes_present"]) == (3, 2)
    assert result["by_column"] == [{"column": "dx", "records": 3, "share": 0.5, "codes_present": 2}]
    assert "recognizable whatever the size of their class" in str(result["warning"])


def test_the_beginning_of_codes() -> None:
    assert found({"dx": ["E84.0", "E84.9", "E85", "E8"]}, listed("E84*"))["records"] == 2


@pytest.mark.parametrize(
    ("code", "matches", "others"),
    [
        ("E84", ["E84", "E84.0", "e840", " E84.19 "], ["E8", "E85", "E84-E90", "WE84"]),
        ("E84.0", ["E84.0", "E840", "E84.01"], ["E84", "E84.1", "E841"]),
        ("A16AB", ["A16AB", "A16AB04", "a16ab10"], ["A16AA", "A16A"]),
        ("277", ["277", "277.0", "277.01"], ["2770", "27701", "1277"]),
        ("277.0", ["277.0", "277.01", "2770"], ["277", "277.1", "27701"]),
        ("Ivacaftor", ["ivacaftor", "IVACAFTOR "], ["ivacaftor 150 mg", "lumacaftor/ivacaftor"]),
        ("cystic fibrosis", ["Cystic Fibrosis"], ["cystic fibrosis carrier"]),
        ("E84", ["J45;E84.0", "J45, E84", "E84.0|Z99"], ["J45;Z99"]),
    ],
)
def test_codes_include_more_exact_ones(code: str, matches: list[str], others: list[str]) -> None:
    assert found({"dx": [*matches, *others]}, listed(code))["records"] == len(matches)
    for value in others:
        assert found({"dx": [value]}, listed(code))["records"] == 0


def test_drug_numbers_that_lost_their_zeros() -> None:
    for values in (["00723894", "1"], [723894, 1], ["723894", "1"]):
        assert found({"dx": list(values)}, listed("00723894"))["records"] == 1
    assert found({"dx": [250.0, 250.01, 2500.0]}, listed("250"))["records"] == 2


def test_a_unit_counts_once() -> None:
    table: dict[str, list[object]] = {
        "visit": [1, 1, 2, 3],
        "dx": ["A", "A", "B", "A"],
        "dx2": [None, "B", None, None],
    }
    schema = rr.Schema(quasi=("sex",), unit="visit")
    result = found(table, listed("A", "B", columns=("dx", "dx2")), schema)
    assert (result["records"], result["share"], result["codes_present"]) == (3, 1.0, 2)
    assert [row["records"] for row in result["by_column"]] == [3, 1]  # type: ignore[attr-defined]


def test_a_code_for_one_column_only() -> None:
    rare = rr.RareCodes((RareCode("A", "drug"), RareCode("B")), ("dx",))
    result = found({"dx": ["A", "B"], "drug": ["A", "B"]}, rare)
    assert (result["records"], result["codes_present"]) == (2, 2)


def test_a_listed_code_decides_and_the_reason_is_given() -> None:
    table = pa.table({"sex": ["M"] * 6, "dx": ["A"] * 6})
    risk = rr.table_risk(table, SEX, rare=listed("A"))
    assert not risk.acceptable
    assert risk.identity_acceptable
    assert len(risk.to_dict()["reasons"]) == 2
    assert "[no] 6 of 6 records have" in str(risk)
    assert "recognizable" in risk._repr_html_()
    none = rr.table_risk(table, SEX, rare=listed("Z"))
    assert none.acceptable
    assert "[ok] No record has" in str(none)
    assert rr.table_risk(table, SEX).to_dict()["rare_codes"] is None


def test_lists_as_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "rare.txt"
    path.write_text("# from the registry\n\nE84*\n  Q87.4  \n", encoding="utf-8")
    assert rr.RareCodes.read(path, ["dx"]).by_column() == {"dx": [("E84", "start"), ("Q874", "structure")]}
    path.write_text("\ufeffCode;Column;Reason\nE84*;dx;lungs\n123;din;\n", encoding="utf-8")
    assert rr.RareCodes.read(path).by_column() == {"dx": [("E84", "start")], "din": [("123", "decimal")]}
    path.write_text('code,reason\nA1,"seen, at once"\n', encoding="utf-8")
    assert rr.RareCodes.read(path, ["dx"]).codes[0].reason == "seen, at once"


def test_lists_that_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rare.txt"
    with pytest.raises(UnreadableFile, match="cannot be read"):
        rr.RareCodes.read(path, ["dx"])
    path.write_bytes(b"\xff\xfeE\x00")
    with pytest.raises(UnreadableFile, match="not UTF-8"):
        rr.RareCodes.read(path, ["dx"])
    for empty in ("", "# nothing\n", "code,column\n"):
        path.write_text(empty, encoding="utf-8")
        with pytest.raises(BadData, match="has no codes"):
            rr.RareCodes.read(path, ["dx"])
    path.write_text("*\n", encoding="utf-8")
    with pytest.raises(InvalidSetting, match=r"only a \*"):
        rr.RareCodes.read(path, ["dx"])
    path.write_text("E84\n", encoding="utf-8")
    with pytest.raises(InvalidSetting, match="which column"):
        rr.RareCodes.read(path)


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(UnknownColumn, match="'dy'"):
        found({"dx": ["A"]}, listed("A", columns=("dy",)))


def test_codes_are_not_shown() -> None:
    risk = rr.table_risk(pa.table({"sex": ["M"], "dx": ["XQZ9"]}), SEX, rare=listed("XQZ9"))
    assert "XQZ9" not in risk.to_json() + str(risk) + repr(risk) + risk._repr_html_()
    assert "XQZ9" not in repr(listed("XQZ9"))


codes = st.sampled_from(["A1", "A12", "B2", "B20", "C"])


@given(
    st.lists(codes, min_size=1, max_size=20),
    st.lists(st.tuples(codes, st.booleans()), min_size=1, max_size=4),
)
@settings(max_examples=10)
def test_any_list_against_a_count_in_python(values: list[str], wanted: list[tuple[str, bool]]) -> None:
    rare = listed(*(code + "*" * start for code, start in wanted))
    result = found({"dx": list(values)}, rare)
    expected = sum(
        any(value == code or (start and value.startswith(code)) for code, start in wanted) for value in values
    )
    assert result["records"] == expected

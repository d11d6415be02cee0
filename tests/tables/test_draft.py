"""Drafts of roles: several rows per person, free text, unknown columns, tables with nothing to release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import NothingToMeasure
from reidrisk.tables.draft import TableDraft, draft_table, hierarchies_text


def visits(rows: int = 300) -> Any:
    """Three rows per person: what is constant, what varies, and what is written in one row only."""
    return pa.table(
        {
            "patient_id": [f"P{n // 3:04}" for n in range(rows)],
            "sex": ["FM"[n // 3 % 2] for n in range(rows)],
            "date_of_birth": [
                f"19{50 + n // 3 % 40}-03-0{1 + n // 3 % 9}" if n % 3 == 0 else None for n in range(rows)
            ],
            "visit_date": [f"2021-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(rows)],
            "diagnosis": [("E11.9", "I21.0", "J45.9", "K35")[n % 4] for n in range(rows)],
            "ward": [("north", "south", "east")[n // 3 % 3] for n in range(rows)],
            "comment": [f"Called the family of patient number {n} and left a message." for n in range(rows)],
        }
    )


def roles(table: Any) -> TableDraft:
    return draft_table(table)


def test_several_rows_per_person_lead_to_unit_and_events() -> None:
    found = roles(visits())
    assert (found.unit, found.events) == ("patient_id", ("visit_date", "diagnosis"))
    assert found.quasi == ("sex", "date_of_birth", "ward"), "a possible quasi-identifier counts, too"
    assert dict(found.reduce) == {"date_of_birth": "max"}
    assert found.text == ("comment",)
    assert found.to_consider == ()
    assert {one.column for one in found.hierarchies} == {*found.quasi, *found.events}


def test_possible_quasi_identifiers_count_as_long_as_a_search_takes_them() -> None:
    wide = pa.table(
        {"sex": ["FM"[n % 2] for n in range(200)]}
        | {
            f"flux_{place}": [("red", "green", "blue")[(n + place) % 3] for n in range(200)]
            for place in range(12)
        }
    )
    found = roles(wide)
    assert found.quasi == ("sex", *(f"flux_{place}" for place in range(7)))
    assert found.to_consider == tuple(f"flux_{place}" for place in range(7, 12))


def test_unknown_texts_and_numbers_of_records_are_dropped() -> None:
    table = pa.table(
        {
            "sex": ["FM"[n % 2] for n in range(200)],
            "subj": [f"78{n // 2 * 3571:07}" for n in range(200)],
            "zz": [f"q{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200)],
            "result_id": list(range(200)),
        }
    )
    found = roles(table)
    assert found.unit == "subj" or "subj" in found.direct
    assert {"zz", "result_id"} <= {*found.direct, *found.text}


@pytest.mark.parametrize(
    "columns",
    [
        {"patient_name": [f"Anna Sm{n}th" for n in range(30)]},
        {"flux": [n / 7 for n in range(30)]},
        {
            "patient_id": [n // 2 for n in range(30)],
            "visit_date": [f"2021-01-{1 + n % 28:02}" for n in range(30)],
        },
        {"empty": pa.array([None] * 30, pa.string()), "sex": ["F", "M"] * 15},
    ],
)
def test_a_draft_can_be_searched_whatever_the_table_holds(columns: dict[str, Any]) -> None:
    table = pa.table(columns)
    found = roles(table)
    schema = rr.Schema(
        quasi=found.quasi,
        direct=found.dropped,
        unit=found.unit,
        reduce=found.reduce,
        text=dict.fromkeys(found.text, "drop"),
    )
    events = rr.EventKnowledge(found.events, known=1) if found.events else None
    hierarchies = {one.column: rr.Hierarchy.of(one.column, dict(one.settings)) for one in found.hierarchies}
    done = rr.deidentify(table, schema, hierarchies, options=rr.DeidentifyOptions(events=events))
    assert done.acceptable


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("sex,age\n", encoding="utf-8")
    with pytest.raises(NothingToMeasure, match="no rows"):
        roles(tmp_path / "t.csv")


def test_the_file_of_hierarchies_reads_back_the_same(tmp_path: Path) -> None:
    found = roles(visits())
    path = tmp_path / "rules.yaml"
    path.write_text(hierarchies_text(found), encoding="utf-8")
    assert list(rr.read_hierarchies(path)) == [one.column for one in found.hierarchies]
    assert "P0001" not in path.read_text(encoding="utf-8")


def test_a_person_that_repeats_without_a_unit_is_a_warning() -> None:
    table = visits()
    [said] = rr.table_risk(table, rr.Schema(quasi=("sex",))).to_dict()["warnings"]
    assert said.startswith(
        "patient_id repeats: 300 rows of 100 people. Each row is now counted as a separate person"
    )
    assert said.endswith("Use --unit patient_id.")
    assert rr.table_risk(table, rr.Schema(quasi=("sex",), unit="patient_id")).to_dict()["warnings"] == []
    done = rr.deidentify(table, rr.Schema(quasi=("sex",), direct=("patient_id",)))
    assert said in done.to_dict()["notes"]
    assert "PLEASE NOTE" in str(done)
    assert "patient_id repeats" in str(rr.table_risk(table, rr.Schema(quasi=("sex",))))


def test_a_missing_hierarchy_is_named_as_the_cause() -> None:
    table = pa.table({"sex": ["F", "M"] * 200, "zip": [f"{10000 + n % 150}" for n in range(400)]})
    result = rr.deidentify(
        table,
        rr.Schema(
            quasi=(
                "sex",
                "zip",
            )
        ),
    ).to_dict()
    [reason] = result["reasons"]
    assert "zip (150 distinct values) has no hierarchy" in reason
    assert "reidrisk table suggest" in reason
    assert "suppression limit" not in reason
    assert result["threshold_ladder"][0]["without_hierarchy"] == ["zip"]

"""Every reason in `to_dict()` says beside its text whether it speaks for the release."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import reidrisk as rr

TABLE = pa.table(
    {
        "person": ["p1", "p2", "p3", "p4", "p5", "p6"],
        "sex": ["M", "M", "M", "F", "F", "F"],
        "drug": ["a", "a", "a", "a", "b", "c"],
        "age": [30, 31, 32, 33, 34, 35],
    }
)
OTHER = {"age": "a test"}
QUASI = rr.Schema(quasi=("sex",), sensitive=("drug",), direct=("person",), other=OTHER)
THREE = rr.Threshold.from_cell_size(3, "a test")


def told(result: Any) -> list[bool | None]:
    """What the reasons say; there is one answer for each text."""
    found = result.to_dict()
    assert len(found["holds"]) == len(found["reasons"])
    assert all(isinstance(text, str) for text in found["reasons"])
    names = list(found)
    assert names.index("holds") == names.index("reasons") + 1
    return list(found["holds"])


@pytest.mark.parametrize(
    ("more", "holds"),
    [
        ({}, [True, None]),
        ({"sensitive_limits": rr.SensitiveLimits(l=2)}, [True, False]),
        ({"sensitive_limits": rr.SensitiveLimits(l=1)}, [True, True]),
        ({"threshold": rr.Threshold.from_cell_size(4, "a test")}, [False, None]),
        ({"special": 1}, [True, None, None]),
        ({"previous": TABLE}, [True, None, True]),
        ({"previous": TABLE.slice(1)}, [True, None, False]),
        ({"sampling": rr.Sampling(fraction=0.1)}, [True, None, None]),
    ],
)
def test_reasons_of_a_risk(more: dict[str, Any], holds: list[bool | None]) -> None:
    assert told(rr.table_risk(TABLE, QUASI, **{"threshold": THREE, **more})) == holds


@pytest.mark.parametrize(("code", "holds"), [("a", False), ("z", True)])
def test_rare_codes_speak_against_a_release(tmp_path: Path, code: str, holds: bool) -> None:
    listed = tmp_path / "rare.txt"
    listed.write_text(f"{code}\n", encoding="utf-8")
    rare = rr.RareCodes.read(listed, ["drug"])
    schema = replace(QUASI, sensitive=())
    assert told(rr.table_risk(TABLE, schema, threshold=THREE, rare=rare)) == [True, holds]


def test_reasons_of_a_deidentification_follow_the_verdict() -> None:
    schema = rr.Schema(quasi=("sex",), other=OTHER)
    fine = rr.deidentify(TABLE.drop_columns(["person"]), schema, threshold=THREE)
    assert fine.acceptable
    assert set(told(fine)) == {True}
    refused = rr.deidentify(
        TABLE.drop_columns(["person"]), rr.Schema(quasi=("age",)), threshold=THREE, max_suppression=0
    )
    assert not refused.acceptable
    assert set(told(refused)) == {False}


def test_reasons_of_an_attack() -> None:
    plan = rr.AttackPlan(("sex", "age"), id="person")
    undecided = told(rr.attack_table(TABLE, TABLE, plan))
    assert undecided[0] is None
    assert len(undecided) == 4
    limited = rr.AttackPlan(("sex", "age"), id="person", threshold=THREE)
    result = rr.attack_table(TABLE, TABLE, limited)
    assert told(result) == [*undecided, result.acceptable]
    possible = [one.possible for one in result.criteria]
    assert undecided[1:] == [None if one is None else not one for one in possible]


def test_reasons_that_decide_nothing(tmp_path: Path) -> None:
    assert set(told(rr.table_utility(TABLE, TABLE))) == {None}
    steps = [{"kind": "noise", "columns": ["age"]}]
    assert told(rr.transform_table(TABLE, steps, tmp_path / "out.csv")) == [None, None]


def test_reasons_of_suggestions_checks_and_previews() -> None:
    named = TABLE.append_column("patient_name", pa.array(["Ann"] * 6))
    plain = TABLE.drop_columns(["person", "age"])
    assert told(rr.suggest_roles(named)) == [False, True]
    assert told(rr.suggest_roles(plain)) == [True, True]
    assert told(rr.hipaa_check(named)) == [False, False]
    assert told(rr.hipaa_check(plain)) == [True, True]
    assert told(rr.preview_hierarchies(TABLE, {"sex": rr.Hierarchy.exact("sex")})) == [True]

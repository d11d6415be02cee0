"""Everything that leaves with a table is measured, removed, or accepted by name with a reason."""

from __future__ import annotations

import csv
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.cli.main import reidrisk
from reidrisk.core.inventory import NO_SIGN, ORDER_OF_ROWS, Inventory, InventoryItem
from reidrisk.errors import InvalidSetting, UnknownColumn

HEADER = ("patient_id", "sex", "age", "zip", "admitted", "comment", "ward")
FIVE = rr.Threshold.from_cell_size(5, "a test")
SCHEMA = rr.Schema(quasi=("sex", "age"))
COMPLETE = rr.Schema(quasi=("sex", "age"), direct=("patient_id", "zip", "admitted"), text={"comment": "drop"})


@pytest.fixture(scope="module")
def admissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Admissions whose classes are large, with a comment that names a telephone number in every row."""
    draw, path = random.Random(3), tmp_path_factory.mktemp("inventory") / "admissions.csv"  # noqa: S311 - test data
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for n in range(400):
            day = f"2022-{1 + n % 12:02}-{1 + n % 28:02}"
            text = f"Stable today. Call wife at 614-732-{draw.randint(1000, 9999)} about room {n}."
            row = (f"P{n:05}", "FM"[n % 2], 20 + n % 5 * 10, 43201 + n % 40, day, text, "ABC"[n % 3])
            writer.writerow(row)
    return path


def of_status(result: Any, status: str) -> dict[str, str]:
    return {one["item"]: one["role"] for one in result.to_dict()["inventory"] if one["status"] == status}


def command(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(reidrisk, list(words), catch_exceptions=False)
    return done.exit_code, done.output


def test_columns_that_nobody_mentioned_stop_the_verdict(admissions: Path) -> None:
    result = rr.table_risk(admissions, SCHEMA, threshold=FIVE)
    assert not result.acceptable
    assert result.figures_acceptable, "all figures are given, and they are fine"
    assert of_status(result, "unmeasured") == {
        "patient_id": "direct identifier",
        "zip": "quasi-identifier",
        "admitted": "quasi-identifier",
        "comment": "free text",
    }
    found = result.to_dict()
    assert [set(one) for one in found["unmeasured"]] == [{"item", "role", "reason"}] * 4
    assert "4 items would leave without being measured" in found["reasons"][0]
    assert found["holds"][0] is False


def test_a_column_without_any_sign_is_listed_and_does_not_stop(admissions: Path) -> None:
    result = rr.table_risk(admissions, COMPLETE, threshold=FIVE)
    assert result.acceptable
    ward = next(one for one in result.inventory.items if one.item == "ward")
    assert (ward.status, ward.reason) == ("accepted", NO_SIGN)
    assert set(of_status(result, "removed")) == {"patient_id", "zip", "admitted", "comment"}
    assert "RELEASED WITHOUT BEING MEASURED" in str(result)


def test_a_column_is_accepted_by_name_with_a_reason(admissions: Path) -> None:
    reasons = {"zip": "forty areas of the city", "admitted": "shifted before", "patient_id": "a study code"}
    schema = replace(SCHEMA, other=reasons, text={"comment": "drop"})
    result = rr.table_risk(admissions, schema, threshold=FIVE)
    assert result.acceptable
    shown = str(result)
    for reason in reasons.values():
        assert reason in " ".join(shown.split())
    with pytest.raises(InvalidSetting, match="accepted without a reason"):
        replace(SCHEMA, other={"zip": " "})
    with pytest.raises(UnknownColumn, match="'zpi'"):
        rr.table_risk(admissions, replace(SCHEMA, other={"zpi": "misspelled"}), threshold=FIVE)


@pytest.mark.parametrize("treatment", ["keep", "deidentify"])
def test_text_that_leaves_must_be_accepted(admissions: Path, treatment: Any, tmp_path: Path) -> None:
    options = rr.DeidentifyOptions(clean=rr.cell_cleaner())
    schema, out = replace(COMPLETE, text={"comment": treatment}), tmp_path / "out.csv"
    stopped = rr.deidentify(admissions, schema, threshold=FIVE, options=options, out=out)
    assert not stopped.acceptable
    assert not out.exists()
    assert of_status(stopped, "unmeasured") == {"comment": "text"}
    accepted = replace(schema, other={"comment": "two people read every comment"})
    done = rr.deidentify(admissions, accepted, threshold=FIVE, options=options, out=out)
    assert done.acceptable
    assert ("614-732-" in out.read_text(encoding="utf-8")) == (treatment == "keep")


def test_the_detector_replaces_and_counts(admissions: Path, tmp_path: Path) -> None:
    schema = replace(COMPLETE, text={"comment": "deidentify"}, other={"comment": "read by two people"})
    options = rr.DeidentifyOptions(clean=rr.cell_cleaner())
    done = rr.deidentify(admissions, schema, threshold=FIVE, options=options, out=tmp_path / "out.csv")
    (column,) = done.to_dict()["text"]
    assert (column["column"], column["values"], column["changed"]) == ("comment", 400, 400)
    assert column["by_type"]["PHONE"] == 400
    assert column["found"] == sum(column["by_type"].values())
    with pytest.raises(InvalidSetting, match="with a detector"):
        rr.deidentify(admissions, schema, threshold=FIVE)


def test_free_text_is_dropped_unless_stated_otherwise(admissions: Path, tmp_path: Path) -> None:
    words = ["table", "deidentify", str(admissions), "--quasi", "sex,age", "--text", "comment"]
    direct = ["--direct", "patient_id,zip=drop,admitted", "--out", str(tmp_path / "out.csv"), "--quiet"]
    assert command(*words, *direct) == (0, "")
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        assert next(csv.reader(file)) == ["sex", "age", "ward"]
    codebook = (tmp_path / "out.codebook.md").read_text(encoding="utf-8")
    assert "| comment | free text | removed |" in codebook


def test_the_command_line_stops_with_exit_code_3(admissions: Path, tmp_path: Path) -> None:
    base, target = ["table", "risk", str(admissions), "--quasi", "sex,age"], str(tmp_path / "r.json")
    code, shown = command(*base, "--json", target)
    assert code == 3
    assert "NOT ACCEPTABLE" in shown
    assert "614-732" not in shown
    found = json.loads(Path(target).read_text(encoding="utf-8"))
    assert found["acceptable"] is False
    assert found["prosecutor"]["highest"] == 1 / 40
    accepted = ["--direct", "patient_id,admitted", "--text", "comment=drop", "--other", "zip=forty areas"]
    assert command(*base, *accepted)[0] == 0
    with pytest.raises(InvalidSetting, match="only one role"):
        command(*base, *accepted, "--other", "sex=two roles")
    with pytest.raises(InvalidSetting, match="treatment of 'patient_id'"):
        command(*base, "--direct", "patient_id=lose")


def test_a_release_that_keeps_the_order_of_the_source_says_why(admissions: Path) -> None:
    options = rr.DeidentifyOptions(order="keep")
    stopped = rr.deidentify(admissions, COMPLETE, threshold=FIVE, options=options)
    assert of_status(stopped, "unmeasured") == {ORDER_OF_ROWS: "order"}
    stated = replace(COMPLETE, other={ORDER_OF_ROWS: "no other release of these rows exists"})
    assert rr.deidentify(admissions, stated, threshold=FIVE, options=options).acceptable


def test_a_unit_that_is_no_code_stops_the_verdict(admissions: Path, tmp_path: Path) -> None:
    text = admissions.read_text(encoding="utf-8")
    renamed = tmp_path / "ssn.csv"
    renamed.write_text(text.replace("patient_id", "ssn", 1), encoding="utf-8")
    schema = replace(COMPLETE, direct=("zip", "admitted"))
    code = rr.table_risk(admissions, replace(schema, unit="patient_id"), threshold=FIVE)
    assert code.acceptable
    assert of_status(code, "accepted")["patient_id"] == "unit"
    insured = rr.table_risk(renamed, replace(schema, unit="ssn"), threshold=FIVE)
    assert of_status(insured, "unmeasured") == {"ssn": "unit"}


ITEMS = st.lists(
    st.builds(
        InventoryItem,
        item=st.text("abc", min_size=1),
        role=st.sampled_from(["other", "text"]),
        treatment=st.just("kept"),
        status=st.sampled_from(["measured", "removed", "accepted", "unmeasured"]),
        reason=st.text("xyz", min_size=1),
    )
)


@given(ITEMS)
def test_only_unmeasured_items_stop(items: list[InventoryItem]) -> None:
    inventory = Inventory(tuple(items))
    stops = [one for one in items if one.status == "unmeasured"]
    assert inventory.is_complete == (not stops) == (not inventory.objection)
    assert len(inventory.to_dict()["unmeasured"]) == len(stops)
    assert Inventory.from_list(inventory.to_dict()["inventory"]) == inventory

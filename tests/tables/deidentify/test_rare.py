from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

import reidrisk as rr
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.tables.deidentify.rare import RarePlan
from reidrisk.tables.deidentify.settings import RareTreatment
from reidrisk.tables.rare import RareCode
from tests.cli.running import runner

TABLE = {
    "person": list(range(40)),
    "sex": ["F", "M"] * 20,
    "dx": ["J45.9", "I10"] * 18 + ["E84.0", "E84.1", "e840", "E11.9"],
    "drug": ["aspirin"] * 39 + ["Ivacaftor"],
}
CODES = rr.RareCodes((RareCode("E84", "dx"), RareCode("ivacaftor", "drug")))
SCHEMA = rr.Schema(quasi=("sex",), direct=("person",))
ICD = {"dx": rr.Hierarchy.icd10("dx")}


def released(treatment: RareTreatment, **changes: Any) -> tuple[rr.Deidentified, dict[str, list[Any]]]:
    options = rr.DeidentifyOptions(rare=RarePlan(CODES, treatment))
    schema = changes.get("schema", SCHEMA)
    table = pa.table({**TABLE, **changes.get("columns", {})})
    result = rr.deidentify(table, schema, changes.get("hierarchies", ICD), options=options)
    return result, result.to_arrow().to_pydict()


def test_listed_codes_are_suppressed_by_default() -> None:
    assert RarePlan(CODES).treatment == "suppress"
    result, table = released("suppress")
    assert Counter(table["dx"]) == {"J45.9": 18, "I10": 18, None: 3, "E11.9": 1}
    assert Counter(table["drug"]) == {"aspirin": 39, None: 1}
    assert result.acceptable
    counts = result.to_dict()["rare_codes"]
    assert (counts["records"], counts["cells_suppressed"], counts["records_removed"]) == (4, 4, 0)
    assert "4 records of 40 had a code listed as rare and visible: 4 cells suppressed." in " ".join(
        str(result).split()
    )
    entry = next(one for one in result.columns if one.column == "dx")
    assert entry.treatment == "codes listed as rare and visible are suppressed"
    assert not any(code in result.to_json() for code in ("E84", "Ivacaftor", "ivacaftor"))


def test_listed_codes_are_generalized_to_the_first_level_that_is_not_listed() -> None:
    result, table = released("generalize")
    assert Counter(table["dx"]) == {"J45.9": 18, "I10": 18, "E00-E90": 3, "E11.9": 1}
    assert Counter(table["drug"]) == {"aspirin": 39, None: 1}, "without a hierarchy"
    counts = result.to_dict()["rare_codes"]
    assert (counts["cells_generalized"], counts["cells_suppressed"]) == (3, 1)


def test_a_quasi_identifier_is_suppressed_because_its_hierarchy_knows_exact_codes() -> None:
    result, _ = released("generalize", schema=rr.Schema(quasi=("sex", "dx"), direct=("person",)))
    counts = result.to_dict()["rare_codes"]
    assert (counts["cells_generalized"], counts["cells_suppressed"]) == (0, 4)


def test_records_are_removed() -> None:
    result, table = released("remove")
    assert len(table["dx"]) == 36
    assert result.to_dict()["rare_codes"]["records_removed"] == 4
    assert result.to_dict()["before"]["records"] == 40


def test_all_rows_of_a_person_are_removed() -> None:
    schema = rr.Schema(quasi=("sex",), unit="person")
    people = {"person": [number // 4 for number in range(40)], "sex": ["F"] * 40}
    result, table = released("remove", schema=schema, columns=people)
    assert len(table["dx"]) == 36
    assert result.to_dict()["rare_codes"]["records"] == 1


def test_the_released_table_is_acceptable_with_the_same_list() -> None:
    for treatment in ("suppress", "generalize", "remove"):
        _, table = released(treatment)
        assert not rr.table_risk(pa.table(TABLE), SCHEMA, rare=CODES).acceptable
        assert rr.table_risk(pa.table(table), rr.Schema(quasi=("sex",)), rare=CODES).acceptable


def test_unknown_columns_and_treatments_are_refused() -> None:
    plan = RarePlan(rr.RareCodes((RareCode("E84"),), ("dy",)))
    with pytest.raises(UnknownColumn, match="'dy'"):
        rr.deidentify(pa.table(TABLE), SCHEMA, options=rr.DeidentifyOptions(rare=plan))
    with pytest.raises(InvalidSetting):
        RarePlan(CODES, "hide")  # type: ignore[arg-type]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    with (tmp_path / "table.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(TABLE)
        writer.writerows(zip(*TABLE.values(), strict=True))
    (tmp_path / "rare.csv").write_text("code,column\nE84,dx\nivacaftor,drug\n", encoding="utf-8")
    return tmp_path


def test_on_the_command_line(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = runner(capsys)
    table, rare, out = (str(files / name) for name in ("table.csv", "rare.csv", "out.csv"))
    direct = ("--direct", "person=drop")
    assert run("table", "risk", table, "--quasi", "sex", "--rare", rare)[0] == 3
    code, told, _ = run("table", "deidentify", table, "--quasi", "sex", *direct, "--rare", rare, "--out", out)
    assert code == 0
    assert "4 cells suppressed" in told
    released_rows = csv.DictReader((files / "out.csv").read_text(encoding="utf-8").splitlines())
    assert [row["dx"] for row in released_rows].count("") == 3
    assert run("table", "risk", out, "--quasi", "sex", "--rare", rare)[0] == 0


def test_in_a_release_file(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = runner(capsys)
    part: dict[str, Any] = {"name": "visits", "kind": "table", "table": "table.csv", "quasi": ["sex"]}
    part |= {"direct": {"person": "drop"}, "rare": "rare.csv"}
    results = {}
    for name, more in (("measured", {}), ("treated", {"deidentify": True, "rare_treatment": "remove"})):
        path = files / f"{name}.yaml"
        context = {"preset": "hospital", "access": "public"}
        content = {"reidrisk": 1, "release": {"name": "Visits"}, "context": context, "parts": [part | more]}
        path.write_text(yaml.safe_dump(content), encoding="utf-8")
        code, told, error = run("assess", path, "--out", files / name)
        results[name] = code, " ".join((told + error).split())
    assert results["measured"][0] == 3
    assert "4 records of 40 have a code listed as rare and visible: not acceptable." in results["measured"][1]
    assert results["treated"][0] == 0
    assert "4 records removed" in results["treated"][1]

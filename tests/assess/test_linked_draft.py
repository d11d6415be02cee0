"""Drafts of linked tables, and of what parts tell together, by looking at keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import reidrisk as rr
from reidrisk.assess.drafting import draft_parts
from reidrisk.core.key import make_key
from reidrisk.relational.database import Database
from reidrisk.relational.suggest import suggest_database
from tests.relational.databases import write_tables


def clinic(folder: Path, people: int = 60) -> Path:
    """Patients with two visits each, and notes of the first ten."""
    write_tables(
        folder / "clinic",
        patients=["patient_id,sex", *(f"P{n:03},{'FM'[n % 2]}" for n in range(people))],
        visits=[
            "visit_id,patient_id,ward",
            *(f"V{n:03},P{n // 2:03},{'AB'[n % 3 == 0]}" for n in range(2 * people)),
        ],
    )
    text = "Ann Smith was seen."
    for name, key in (("gold.jsonl", "entities"), ("tool.jsonl", "spans")):
        mark = {"start": 0, "end": 9, "type" if key == "entities" else "label": "NAME"}
        rows = [{"doc_id": f"d{n}", "text": text, key: [mark], "patient": f"P{n:03}"} for n in range(10)]
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def drafted(text: str) -> dict[str, dict[str, object]]:
    return {one["name"]: one for one in yaml.safe_load(text)["parts"]}


def test_a_folder_of_linked_tables_and_notes_of_the_same_people(tmp_path: Path) -> None:
    clinic(tmp_path)
    files = [tmp_path / name for name in ("clinic", "gold.jsonl", "tool.jsonl")]
    text = rr.draft_release(files, folder=tmp_path)
    part = drafted(text)["clinic"]
    assert (part["kind"], part["folder"], part["person"]) == ("relational", "clinic", "patients.patient_id")
    assert part["keys"] == {"visits.patient_id": "patients.patient_id"}
    assert (part["quasi"], part["confirmed"]) == (["patients.sex"], False)
    joint = yaml.safe_load(text)["joint"]
    assert joint == [{"parts": ["clinic", "notes"], "people": {"notes": "patient"}, "known": 2}]
    assert "10 of 10 are in clinic" in text
    assert "P00" not in text, "no value of a person"
    make_key(tmp_path / "pseudonyms.key")
    (tmp_path / "release.yaml").write_text(text, encoding="utf-8")
    found = rr.assess(tmp_path / "release.yaml").to_dict()
    assert [one["status"] for one in found["parts"]] == ["measured"] * 3
    unread = [one for one in found["unmeasured"] if one["part"] == "clinic"]
    assert [one["item"] for one in unread] == ["roles of the columns"]


def test_files_that_were_dropped_one_by_one(tmp_path: Path) -> None:
    clinic(tmp_path / "made")
    uploads = tmp_path / "uploads"
    uploads.mkdir()
    for name in ("patients", "visits"):
        (uploads / f"{name}.csv").write_bytes((tmp_path / "made" / "clinic" / f"{name}.csv").read_bytes())
    (uploads / "beds.csv").write_text("ward,beds\n" + "A,4\nB,6\n" * 20)
    found = draft_parts(tmp_path)
    assert [(one.name, one.kind) for one in found.parts] == [("patients", "relational"), ("beds", "table")]
    assert found.parts[0].settings["tables"] == {
        "patients": "uploads/patients.csv",
        "visits": "uploads/visits.csv",
    }
    assert "visits.patient_id refers to patients.patient_id" in found.parts[0].reason
    apart = draft_parts(tmp_path, kinds={"uploads/visits.csv": "table", "uploads/patients.csv": "table"})
    assert {one.kind for one in apart.parts} == {"table"}


@pytest.mark.parametrize("column", ["patient_id", "patient"])
def test_a_table_of_the_same_people(tmp_path: Path, column: str) -> None:
    """Found by the name of the key; with another name and without a unit, a person has to say it."""
    clinic(tmp_path)
    rows = [f"P{n % 30:03},{'xyz'[n % 3]}" for n in range(90)]
    (tmp_path / "scans.csv").write_text("\n".join([f"{column},organ", *rows]) + "\n")
    text = rr.draft_release([tmp_path / "clinic", tmp_path / "scans.csv"], folder=tmp_path)
    joint = yaml.safe_load(text).get("joint")
    assert joint is not None
    assert joint[0]["people"] == {"scans": column}


def test_drafted_hierarchies_lead_to_a_solution(tmp_path: Path) -> None:
    """Exact ages, birth dates and postal codes single out everybody; the draft says how to coarsen them."""
    people = range(60)
    write_tables(
        tmp_path / "clinic",
        patients=[
            "patient_id,sex,age,birth_date,zip_code",
            *(f"P{n:03},{'FM'[n % 2]},{20 + n},{2003 - n}-05-17,{60100 + 37 * n}" for n in people),
        ],
        visits=[
            "visit_id,patient_id,icd10",
            *(f"V{n:03},P{n % 60:03},E1{n % 2}.{n % 7}" for n in range(120)),
        ],
    )
    text = rr.draft_release([tmp_path / "clinic"], folder=tmp_path)
    part = drafted(text)["clinic"]
    rules = part["hierarchies"]
    assert isinstance(rules, dict)
    assert (rules["patients.age"]["kind"], rules["patients.age"]["top"]) == ("age", "90 years")
    assert (rules["patients.birth_date"]["kind"], rules["patients.birth_date"]["min_level"]) == (
        "date",
        "year",
    )
    assert (rules["patients.zip_code"]["kind"], rules["patients.zip_code"]["min_level"]) == ("zip", "ZIP3")
    assert rules["patients.sex"] == {"kind": "exact", "suppress": True}
    assert rules["visits.icd10"] == {"kind": "icd10"}
    make_key(tmp_path / "pseudonyms.key")
    path = tmp_path / "release.yaml"
    path.write_text(text.replace("confirmed: false", "confirmed: true"), encoding="utf-8")
    assert rr.assess(path).to_dict()["acceptable"]
    before = text[: text.index("    # How values may be generalized")] + text[text.index("    confirmed: ") :]
    path.write_text(before, encoding="utf-8")
    sentence = rr.assess(path).to_dict()["parts"][0]["judged"]["sentence"]
    assert "no levels" in sentence, "exact values alone leave no solution, which is said"


def test_hierarchies_of_a_profile_by_attribute(tmp_path: Path) -> None:
    """Ages stand in two tables of a trial and are one attribute; dates that move are not generalized."""
    write_tables(
        tmp_path / "trial",
        dm=[
            "STUDYID,USUBJID,AGE,SEX,RFSTDTC",
            *(f"T,S{n:02},{40 + n},F,2020-01-{1 + n:02}" for n in range(20)),
        ],
        ae=[
            "STUDYID,USUBJID,AESEQ,AEDECOD,AESTDTC",
            *(f"T,S{n:02},1,PT{n % 3},2020-02-03" for n in range(20)),
        ],
    )
    with Database.open(tmp_path / "trial") as database:
        found = suggest_database(database)
    assert found.profile == "cdisc"
    kinds = {one.column: one.settings["kind"] for one in found.hierarchies}
    assert kinds["age"] == "age"
    assert not any("DTC" in name for name in kinds)

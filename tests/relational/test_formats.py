"""Linked tables of the formats that hospitals and sponsors have, from files to a release."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reidrisk.core.threshold import Threshold
from reidrisk.engine.linked import TableColumn
from reidrisk.errors import BadData, InvalidSetting, NoSolution
from reidrisk.relational.config import config_of
from reidrisk.relational.database import Database
from reidrisk.relational.fhir import US_CORE
from reidrisk.relational.people import people_of
from reidrisk.relational.plan import config_for
from reidrisk.relational.protected import ProtectedRelease
from reidrisk.relational.redcap import redcap_profile
from reidrisk.relational.run import (
    deidentify_relational,
    protect_relational,
    suggest_relational,
    verify_relational,
)
from tests.relational.making import KEY, clinic, written

PEOPLE = 12
SUBJECTS = [f"01-70{at % 3}-10{at:02d}" for at in range(PEOPLE)]


def trial() -> dict[str, list[dict[str, Any]]]:
    """Datasets of SDTM with the traps of a real trial: ids inside ids, padded keys, partial dates."""
    dm = [
        {
            "STUDYID": "PILOT",
            "DOMAIN": "DM",
            "USUBJID": subject,
            "SUBJID": subject[-4:],
            "SITEID": subject[3:6],
            "RFSTDTC": f"2014-01-{1 + at:02d}",
            "BRTHDTC": f"19{30 + at}-05-05",
            "AGE": 80 + at,
            "SEX": "FM"[at % 2],
            "RACE": "WHITE",
            "ETHNIC": "NOT HISPANIC",
        }
        for at, subject in enumerate(SUBJECTS)
    ]
    ae = [
        {
            "STUDYID": "PILOT",
            "DOMAIN": "AE",
            "USUBJID": subject,
            "AESEQ": seq,
            "AESPID": f"E{seq:02d}",
            "AETERM": f"verbatim of {subject}",
            "AEDECOD": "HEADACHE" if at else "RARE THING",
            "AESTDTC": ["2014-02-10", "2014-02", "2014-02-11T10:30"][seq - 1],
            "AESTDY": 40.0,
        }
        for at, subject in enumerate(SUBJECTS)
        for seq in (1, 2, 3)
    ]
    suppae = [
        {
            "STUDYID": "PILOT",
            "RDOMAIN": "AE",
            "USUBJID": subject,
            "IDVAR": "AESEQ",
            "IDVARVAL": "   2",
            "QNAM": name,
            "QLABEL": "label",
            "QVAL": value,
        }
        for subject in SUBJECTS
        for name, value in (("AETRTEM", "Y"), ("AEVISIT", "2014-03-03"), ("AEOTH", f"told by {subject}"))
    ]
    relrec = [
        {
            "STUDYID": "PILOT",
            "RDOMAIN": "AE",
            "USUBJID": subject,
            "IDVAR": "AESPID",
            "IDVARVAL": "E01",
            "RELTYPE": "",
            "RELID": f"{subject}-E01",
        }
        for subject in SUBJECTS
    ]
    return {"dm": dm, "ae": ae, "suppae": suppae, "relrec": relrec}


def as_xpt(folder: Path) -> Path:
    pl, pyreadstat = pytest.importorskip("polars"), pytest.importorskip("pyreadstat")
    folder.mkdir()
    for name, rows in trial().items():
        labels = {column: f"Label of {column}" for column in rows[0]}
        pyreadstat.write_xport(pl.DataFrame(rows), str(folder / f"{name}.xpt"), column_labels=labels)
    return folder


def as_dataset_json(folder: Path) -> Path:
    folder.mkdir()
    for name, rows in trial().items():
        columns = [
            {
                "itemOID": f"IT.{column}",
                "name": column,
                "label": column,
                "dataType": "string" if isinstance(value, str) else "double",
            }
            for column, value in rows[0].items()
        ]
        header = {
            "datasetJSONVersion": "1.1.0",
            "name": name.upper(),
            "records": len(rows),
            "columns": columns,
        }
        values = [list(row.values()) for row in rows]
        (folder / f"{name}.json").write_text(json.dumps({**header, "rows": values}), encoding="utf-8")
    return folder


def as_parquet(folder: Path) -> Path:
    folder.mkdir()
    for name, rows in trial().items():
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet")
    return folder


def read_xpt(path: Path) -> list[dict[str, Any]]:
    import pyreadstat

    columns, _ = pyreadstat.read_xport(str(path), output_format="dict")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def read_json(path: Path) -> list[dict[str, Any]]:
    content = json.loads(path.read_text(encoding="utf-8"))
    names = [one["name"] for one in content["columns"]]
    return [dict(zip(names, row, strict=True)) for row in content["rows"]]


FORMATS: dict[str, tuple[Callable[[Path], Path], str, Callable[[Path], list[dict[str, Any]]]]] = {
    "transport": (as_xpt, ".xpt", read_xpt),
    "Dataset-JSON": (as_dataset_json, ".json", read_json),
    "Parquet": (as_parquet, ".parquet", lambda path: pq.read_table(path).to_pylist()),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_trial_from_files_to_a_release(tmp_path: Path, name: str) -> None:
    make, suffix, read = FORMATS[name]
    source, out = make(tmp_path / "sdtm"), tmp_path / "out"
    result = deidentify_relational(source, out, key=KEY, profile="cdisc")
    assert result.acceptable
    assert verify_relational(out, against=source, key=KEY).acceptable
    dm, ae, suppae, relrec = (read(out / f"{one}{suffix}") for one in ("dm", "ae", "suppae", "relrec"))
    _check_people(dm, ae)
    _check_adverse_events(ae)
    _check_links(ae, suppae, relrec)


def _check_people(dm: list[dict[str, Any]], ae: list[dict[str, Any]]) -> None:
    assert "BRTHDTC" not in dm[0]
    assert len({row["SITEID"] for row in dm}) == 3
    assert all(row["SUBJID"] == row["USUBJID"] and row["USUBJID"] not in SUBJECTS for row in dm)
    assert {row["USUBJID"] for row in ae} == {row["USUBJID"] for row in dm}
    assert sorted(row["AGE"] for row in dm if row["AGE"] is not None) == list(range(80, 90))


def _check_adverse_events(ae: list[dict[str, Any]]) -> None:
    assert "AETERM" not in ae[0]
    assert {row["AEDECOD"] or None for row in ae} == {"HEADACHE", None}
    assert {len(row["AESTDTC"]) for row in ae} == {7, 10, 16}
    for row in ae:
        if row["AESEQ"] == 1:
            # The first day of the study is the 1st to 12th of January: days 30 to 41 of the study.
            assert 30 <= row["AESTDY"] <= 41
    assert all(row["AESTDY"] is None for row in ae if row["AESEQ"] == 2)


def _check_links(
    ae: list[dict[str, Any]], suppae: list[dict[str, Any]], relrec: list[dict[str, Any]]
) -> None:
    values = {row["QNAM"]: row["QVAL"] for row in suppae}
    assert values["AETRTEM"] == "Y"
    assert not values["AEOTH"]
    assert len(values["AEVISIT"]) == 10
    spids = {(row["USUBJID"], row["AESPID"]) for row in ae}
    assert all((row["USUBJID"], row["IDVARVAL"]) in spids for row in relrec)
    assert not any("01-70" in row["RELID"] for row in relrec)
    assert {row["IDVARVAL"].strip() for row in suppae} == {"2"}


def test_labels_and_the_name_of_a_dataset_stay(tmp_path: Path) -> None:
    import pyreadstat

    out = tmp_path / "out"
    deidentify_relational(as_xpt(tmp_path / "sdtm"), out, key=KEY, profile="sdtm")
    _, meta = pyreadstat.read_xport(str(out / "dm.xpt"), metadataonly=True)
    assert meta.column_names_to_labels["AGE"] == "Label of AGE"
    assert meta.table_name == "DM"


def test_a_database_file(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    source, base = clinic(tmp_path / "db"), tmp_path / "clinic.duckdb"
    with duckdb.connect(str(base)) as connection:
        for name in ("people", "visits", "codes"):
            connection.execute(f"CREATE TABLE {name} AS FROM read_csv('{source / f'{name}.csv'}')")
    with Database.open(base) as database:
        assert sorted(database.names) == ["codes", "people", "visits"]
    from tests.relational.making import settings

    result = deidentify_relational(base, tmp_path / "out", key=KEY, config=settings())
    assert result.acceptable
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "codes.parquet",
        "people.parquet",
        "treatment.json",
        "visits.parquet",
    ]


def fhir(folder: Path) -> Path:
    """Two patients with encounters; staff is referred to by number, and notes have the name."""
    folder.mkdir()
    resources: dict[str, list[dict[str, Any]]] = {"Patient": [], "Encounter": [], "Condition": []}
    resources["Practitioner"] = [
        {
            "resourceType": "Practitioner",
            "id": "doctor-000001",
            "identifier": [{"system": "npi", "value": "9999974493"}],
            "name": [{"family": "Simonis280"}],
        }
    ]
    for at, person in enumerate(("patient-000001", "patient-000002")):
        resources["Patient"].append(
            {
                "resourceType": "Patient",
                "id": person,
                "text": {"status": "generated", "div": f"<div>{person}</div>"},
                "identifier": [{"system": "mrn", "value": person}],
                "name": [{"family": f"Medhurst{at}46", "given": ["Sumiko254"]}],
                "gender": "female",
                "birthDate": "1950-05-21",
                "address": [
                    {"line": ["633 Abernathy"], "city": "Emporia", "state": "KS", "postalCode": "66801"}
                ],
            }
        )
        resources["Encounter"].append(
            {
                "resourceType": "Encounter",
                "id": f"encounter-00{at}",
                "status": "finished",
                "class": {"code": "AMB"},
                "subject": {"reference": f"Patient/{person}", "display": "Sumiko254"},
                "participant": [
                    {
                        "individual": {
                            "reference": "Practitioner?identifier=npi|9999974493",
                            "display": "Dr. S",
                        }
                    }
                ],
                "period": {"start": "2019-10-04T02:25:16-04:00", "end": "2019-10-05T06:20:16-04:00"},
            }
        )
        resources["Condition"].append(
            {
                "resourceType": "Condition",
                "id": f"condition-00{at}",
                "code": {"coding": [{"system": "sct", "code": "46177005"}], "text": "what the doctor wrote"},
                "subject": {"reference": f"Patient/{person}"},
                "encounter": {"reference": f"Encounter/encounter-00{at}"},
                "onsetDateTime": "2019-10",
                "recordedDate": "2019-10-04",
            }
        )
    for name, some in resources.items():
        text = "".join(json.dumps(one) + "\n" for one in some).encode()
        (folder / f"{name}.ndjson.gz").write_bytes(gzip.compress(text))
    return folder


def read_resources(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def test_resources_of_fhir(tmp_path: Path) -> None:
    source, out = fhir(tmp_path / "fhir"), tmp_path / "out"
    assert suggest_relational(source).profile == "fhir"
    result = deidentify_relational(source, out, key=KEY, profile="fhir")
    assert result.acceptable
    patients = {one["id"]: one for one in read_resources(out / "Patient.ndjson.gz")}
    doctors = {one["id"] for one in read_resources(out / "Practitioner.ndjson.gz")}
    assert all(
        one["birthDate"] == "1950" and "name" not in one and "text" not in one for one in patients.values()
    )
    assert all(one["address"] == [{"state": "KS", "postalCode": "668"}] for one in patients.values())
    for one in read_resources(out / "Encounter.ndjson.gz"):
        assert one["subject"]["reference"].removeprefix("Patient/") in patients
        assert one["participant"][0]["individual"]["reference"].removeprefix("Practitioner/") in doctors
        start, end = one["period"]["start"], one["period"]["end"]
        assert (date.fromisoformat(end[:10]) - date.fromisoformat(start[:10])).days == 1
        assert start[10:] == "T02:25:16-04:00"
    for one in read_resources(out / "Condition.ndjson.gz"):
        assert one["code"] == {"coding": [{"system": "sct", "code": "46177005"}]}
        assert len(one["onsetDateTime"]) == 7


def test_a_fault_in_released_resources_is_found(tmp_path: Path) -> None:
    source, out = fhir(tmp_path / "fhir"), tmp_path / "out"
    deidentify_relational(source, out, key=KEY, profile="fhir")
    path = out / "Condition.ndjson.gz"
    some = read_resources(path)
    some[0]["recordedDate"] = "2019-10-04"
    some[0]["encounter"] = {"reference": "Encounter/encounter-000"}
    path.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in some).encode()))
    proof = verify_relational(out, against=source, key=KEY)
    assert {one.name for one in proof.checks if not one.holds} == {"offset", "keys", "ids"}


def test_a_reference_to_nothing_is_refused_unless_said(tmp_path: Path) -> None:
    source = fhir(tmp_path / "fhir")
    (source / "Encounter.ndjson.gz").unlink()
    with pytest.raises(BadData, match="refer to a resource that is not there"):
        deidentify_relational(source, tmp_path / "out", key=KEY, profile="fhir")
    assert not (tmp_path / "out").exists()
    deidentify_relational(source, tmp_path / "out", key=KEY, profile="fhir", orphans="detach")
    assert all("encounter" not in one for one in read_resources(tmp_path / "out" / "Condition.ndjson.gz"))


def test_a_date_that_is_not_in_the_calendar_is_refused(tmp_path: Path) -> None:
    source = fhir(tmp_path / "fhir")
    [path] = source.glob("Condition.ndjson*")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = re.sub(r"\d{4}-\d\d-\d\d", "2020-02-30", file.read())
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(BadData, match="of a Condition has a date that is not in the calendar") as error:
        deidentify_relational(source, tmp_path / "out", key=KEY, profile="fhir", orphans="detach")
    assert "02-30" not in str(error.value)
    assert not (tmp_path / "out").exists()


def test_resources_are_released_below_a_limit_or_refused_with_a_reason(tmp_path: Path) -> None:
    """Without the year of birth the two patients are alike; without the limit it stays."""
    source, out = fhir(tmp_path / "fhir"), tmp_path / "out"
    patients = read_resources(source / "Patient.ndjson.gz")
    patients[1]["birthDate"] = "1961-02-03"
    race = {"url": f"{US_CORE}race", "extension": [{"url": "x", "valueCoding": {"code": "2106-3"}}]}
    patients[0]["extension"] = [race, {**race, "url": f"{US_CORE}ethnicity"}]
    lines = "".join(json.dumps(one) + "\n" for one in patients)
    (source / "Patient.ndjson.gz").write_bytes(gzip.compress(lines.encode()))
    two = Threshold.from_cell_size(2, "a test")

    def tried(**columns: str) -> ProtectedRelease:
        names = {f"patient.{name}": how for name, how in columns.items()}
        content = {"profile": "fhir", "person": "patient.id", "columns": names}
        config = config_of(content, folder=tmp_path, place="rel.yaml")
        return protect_relational(source, out, key=KEY, config=config, threshold=two, known=1)

    with pytest.raises(NoSolution, match=r"2 of 2 people .* smaller than 2 .* 2 of them by quasi-id"):
        tried(race="drop", ethnicity="drop")
    for wrong in ({"gender": "keep"}, {"name": "drop"}):
        with pytest.raises(InvalidSetting, match="is not possible for resources of FHIR"):
            tried(**wrong)
    assert not out.exists()
    done = tried(birth_date="drop", race="drop", ethnicity="drop", state="drop")
    assert done.acceptable
    assert done.after.to_dict()["highest"] == 0.5
    assert [set(one) for one in read_resources(out / "Patient.ndjson.gz")] == 2 * [
        {"resourceType", "id", "gender"}
    ]
    treated = {(one.at.table, one.at.column): one.words for one in done.release.treatments}
    assert treated["patient", "birthDate"] == "removed"


def test_people_of_fhir(tmp_path: Path) -> None:
    with Database.open(fhir(tmp_path / "fhir")) as database:
        people = people_of(database, config_for(database, "fhir"))
    assert len(people) == 2
    assert people.tables[0] == "condition"
    assert people.events[0] == (0, ("46177005",))


HEADER = "Variable / Field Name,Form Name,Field Type,Text Validation Type OR Show Slider Number,Identifier?"
DICTIONARY = f"""{HEADER}
study_id,demographics,text,,
first_name,demographics,text,,y
email,demographics,text,email,
dob,demographics,text,date_ymd,
enrolled,demographics,text,date_ymd,
sex,demographics,radio,,
comments,demographics,notes,,
weight,visit,text,number,
gym,visit,checkbox,,
"""
FIELDS = "study_id,redcap_event_name,first_name,email,dob,enrolled,sex,comments,weight,gym___0,visit_complete"
PROJECT = f"""{FIELDS}
100,enrollment_arm_1,Zharko,z@x.org,1983-09-23,2015-04-02,1,likes tea,,,
100,visit_1_arm_1,,,,,,,80,1,2
101,enrollment_arm_1,Ann,a@x.org,1990-01-02,2015-05-02,0,,,,
"""


def test_a_project_of_redcap(tmp_path: Path) -> None:
    files = {"dictionary.csv": DICTIONARY, "data.csv": PROJECT}
    source, out = written(tmp_path / "project", files), tmp_path / "out"
    assert suggest_relational(source).profile == "redcap"
    assert deidentify_relational(source, out, key=KEY, profile="redcap").acceptable
    with (out / "data.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "study_id", "redcap_event_name", "enrolled", "sex", "weight", "gym___0", "visit_complete",
    ]  # fmt: skip
    assert len({row["study_id"] for row in rows}) == 2
    assert not {"2015-04-02", "2015-05-02"} & {row["enrolled"] for row in rows}


def test_keys_are_found_by_looking_with_the_evidence(tmp_path: Path) -> None:
    files = {
        "person.csv": "person_id,sex\n" + "".join(f"{n},F\n" for n in range(200)),
        "stay.csv": "stay_id,person_id\n" + "".join(f"{n + 1000},{n % 200}\n" for n in range(400)),
        "lab.csv": "stay_id,value\n" + "".join(f"{n % 401 + 1000},{n % 200}\n" for n in range(900)),
    }
    with Database.open(written(tmp_path / "db", files)) as database:
        found = {one.link.child: one for one in database.tables.found_links()}
    assert set(found) == {TableColumn("stay", "person_id"), TableColumn("lab", "stay_id")}
    one = found[TableColumn("lab", "stay_id")]
    assert (one.values, one.inside) == (401, 400)
    suggestion = suggest_relational(tmp_path / "db")
    assert str(suggestion.config.person) == "person.person_id"
    assert "400 of 401 values" in suggestion.yaml("db")


def test_spark_is_refused(tmp_path: Path) -> None:
    from reidrisk.engine.opening import working

    with working("local[1]"), pytest.raises(InvalidSetting, match="not read on Spark"):
        Database.open(clinic(tmp_path / "db"))


def test_the_public_samples_run(tmp_path: Path, shared: Path) -> None:
    """A small database of OMOP and one of CDISC, as published."""
    result = deidentify_relational(
        shared / "omop_sample" / "synthea27_v54", tmp_path / "omop", key=KEY, profile="omop"
    )
    assert (result.people, result.proof.released) == (28, 28)
    source = tmp_path / "sdtm"
    source.mkdir()
    for name in ("dm", "ae", "suppae", "relrec", "ts"):
        (source / f"{name}.xpt").symlink_to(shared / "cdisc_pilot" / "sdtm" / f"{name}.xpt")
    pilot = deidentify_relational(source, tmp_path / "cdisc", key=KEY)
    assert (pilot.people, pilot.config.profile) == (306, "cdisc")


def test_a_dictionary_without_fields_is_refused(tmp_path: Path) -> None:
    head = "Variable / Field Name,Form Name,Field Type,Field Label,Identifier?\n"
    (tmp_path / "dictionary.csv").write_text(head, encoding="utf-8")
    (tmp_path / "data.csv").write_text("record_id,age\n1,30\n", encoding="utf-8")
    with Database.open(tmp_path) as database, pytest.raises(BadData, match="names no fields"):
        redcap_profile(database)

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.demo import clinical_notes
from reidrisk.engine.opening import open_table
from reidrisk.errors import InvalidSetting
from reidrisk.tables.column_kinds import kind_keys, kind_of_name
from reidrisk.tables.column_role import CONFIRMS, PATTERNS, expressions
from reidrisk.tables.suggest import EVERYTHING, intruders
from tests.tables.sources import adsl, prescriptions

QUASI = "quasi-identifier"
DIRECT = "direct identifier"


def roles(suggestion: rr.Suggestion) -> dict[str, str]:
    return {column.name: column.role for column in suggestion.columns}


def one(values: list[Any], name: str = "x") -> Any:
    return rr.suggest_roles(pa.table({name: values})).columns[0]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Date of Birth", "date_of_birth"),
        ("date_of_birth", "date_of_birth"),
        ("dateOfBirth", "date_of_birth"),
        ("DATEOFBIRTH", "date_of_birth"),
        ("patient.birthDate", "date_of_birth"),
        ("BRTHDTC", "date_of_birth"),
        ("Geburtsdatum", "date_of_birth"),
        ("fecha_nacimiento", "date_of_birth"),
        ("Année de naissance", "year_of_birth"),
        ("sexe", "sex"),
        ("Geschlecht", "sex"),
        ("gender_concept_id", "sex"),
        ("code postal", "postal_code"),
        ("PLZ", "postal_code"),
        ("address.postalCode", "postal_code"),
        ("ZIP5", "postal_code"),
        ("RFSTDTC", "event_date"),
        ("AESTDTC", "event_date"),
        ("DTHDTC", "date_of_death"),
        ("drug_name", "drug"),
        ("hospital_name", "facility"),
        ("age_at_death", "age"),
        ("birth_weight", "body_measure"),
        ("admission_age", "age"),
        ("mac_address", "device"),
        ("maritalStatus", "marital_status"),
        ("SAFFL", "flag"),
    ],
)
def test_names_in_many_spellings(name: str, kind: str) -> None:
    found = kind_of_name(name)
    assert found is not None
    assert found.kind.key == kind


@pytest.mark.parametrize("name", ["flux", "x1", "", "___", "file_name", "agenda", "sextant", "usage", "密码"])
def test_names_that_tell_nothing(name: str) -> None:
    assert kind_of_name(name) is None


def test_the_lists_name_each_other_rightly() -> None:
    assert {pattern.kind for pattern in PATTERNS.values()} <= kind_keys()
    assert set(CONFIRMS) <= kind_keys()
    for intruder in intruders().values():
        assert set(intruder.knows) <= kind_keys() | {EVERYTHING}
        assert all("El Emam" in known.source or "ours" in known.source for known in intruder.knows.values())


def test_a_request_for_prescription_records() -> None:
    """The quasi-identifiers of the hospital study are the ones suggested."""
    suggestion = rr.suggest_roles(prescriptions())
    assert suggestion.quasi == (
        "patient_age",
        "patient_sex",
        "patient_fsa",
        "admission_date",
        "discharge_date",
    )
    found = roles(suggestion)
    for name in ("diagnosis_code", "summary_stage_level", "drug_description", "din", "therapeutic_intent"):
        assert found[name] == "sensitive", name
    for name in ("dose_administered", "measurement_unit", "route", "schedule", "transaction_cost"):
        assert found[name] == "other", name
    assert found["visit_id"] == "unit candidate"
    assert suggestion.unit is not None
    assert (suggestion.unit.column, suggestion.unit.units, suggestion.unit.varying) == ("visit_id", 60, ())
    considered = suggestion.to_dict()["to_consider"]
    assert {"service_cost_centre", "dose_transaction_date", "prescriber_group", "location"} <= set(considered)


def test_a_table_of_a_trial() -> None:
    suggestion = rr.suggest_roles(adsl())
    found = roles(suggestion)
    assert {name for name, role in found.items() if role == DIRECT} == {"USUBJID", "SUBJID"}
    assert {name for name, role in found.items() if role == QUASI} == {
        *("SITEID", "AGE", "SEX", "RACE", "ETHNIC", "COUNTRY", "RFSTDTC", "BRTHDTC", "DTHDTC"),
    }
    assert found["STUDYID"] == found["AGEU"] == "other"
    units = {column.name: column.unit for column in suggestion.columns if column.unit}
    assert units == {"USUBJID": "person", "SUBJID": "person"}
    assert suggestion.unit is None, "every row is a subject of its own"


def test_adult(shared: Path) -> None:
    suggestion = rr.suggest_roles(shared / "adult" / "adult.csv")
    found = roles(suggestion)
    assert found.pop("salary-class") == "sensitive"
    assert set(found.values()) == {QUASI}
    assert suggestion.acceptable
    age = next(column for column in suggestion.columns if column.name == "age")
    assert age.profile.distinct == 72


@pytest.mark.parametrize(
    ("values", "role", "kind"),
    [
        ([f"u{n}@example.org" for n in range(30)], DIRECT, "email"),
        ([f"({200 + n}) 555-{1000 + n}" for n in range(30)], DIRECT, "phone"),
        ([f"123-45-{1000 + n}" for n in range(30)], DIRECT, "social_security"),
        ([f"10.0.0.{n}" for n in range(30)], DIRECT, "ip_address"),
        ([f"https://example.org/{n}" for n in range(30)], DIRECT, "url"),
        ([f"K1A {n % 10}B{n % 7}" for n in range(30)], QUASI, "postal_code"),
        (["K1A", "H3Z", "M5V"] * 10, QUASI, "postal_code"),
        (["2007-01-02", "2008-03-04"] * 15, QUASI, "event_date"),
        (["02JAN2007", "13FEB2008"] * 15, QUASI, "event_date"),
        ([20070102, 20080304] * 15, QUASI, "event_date"),
        (["J45.9", "E84.0", "K35", "A09"] * 8, "sensitive", "diagnosis"),
        (["M", "F"] * 15, QUASI, "sex"),
        ([f"{'ABCDEFGHIJ'[n % 10]}nna Sm{'abcdefg'[n % 7]}th" for n in range(30)], DIRECT, "person_name"),
        ([f"she came in with cough {n} and went home again" for n in range(30)], "text", "free_text"),
        ([f"Seen in room {n}. Well." for n in range(80)], "text", "free_text"),
    ],
)
def test_values_tell_where_names_do_not(values: list[Any], role: str, kind: str) -> None:
    found = rr.suggest_roles(pa.table({"x": values, "n": list(range(len(values)))})).columns[0]
    if len(set(values)) > 1:
        assert found.role == role
    assert found.kind is not None
    assert found.kind.key == kind
    assert found.confidence in ("likely", "possible")


def test_uniqueness_is_counted_in_all_rows() -> None:
    found = one([f"c{n}" for n in range(998)] + ["c0", "c1"])
    assert (found.role, found.confidence, found.profile.distinct) == (DIRECT, "likely", 998)
    assert "99.8 % of its values are unique" in found.reason
    numbers = one(list(range(500)))
    assert (numbers.role, numbers.unit) == ("unit candidate", "record")
    assert one([0.5 * n for n in range(500)]).role == "other"


def test_few_categories_and_nothing_at_all() -> None:
    assert one(["a", "b", "c"] * 20).role == QUASI
    assert one(["a", "b", "c"] * 20).confidence == "possible"
    assert one([None] * 5).reason == "it has no values"
    assert "same value in every row" in one(["Canada"] * 5, "country").reason


def test_an_address_hidden_in_remarks_is_found() -> None:
    remarks = ["all is well today"] * 99 + ["write to jane@example.org"]
    found = one(remarks, "remarks")
    assert (found.role, found.confidence) == ("text", "certain")
    assert "1 % of the values contain e-mail addresses" in found.reason


def test_a_name_that_its_values_belie() -> None:
    found = one(["yes", "no", "unclear"] * 10, "discharge")
    assert found.confidence == "possible"
    assert "not dates" in found.reason


def test_the_neighbour_of_the_study() -> None:
    suggestion = rr.suggest_roles(prescriptions(), scenario="neighbour")
    scenario = suggestion.to_dict()["scenario"]
    assert [row["column"] for row in scenario["quasi"]] == list(suggestion.quasi)
    assert all("El Emam" in row["source"] for row in scenario["quasi"])
    assert "service_cost_centre" in scenario["left_out"]


def test_intruders_differ() -> None:
    table = prescriptions()
    known = {name: set(rr.suggest_roles(table, scenario=name).quasi) for name in intruders()}
    assert known["registry"] == {"patient_age", "patient_sex", "patient_fsa"}
    assert known["registry"] < known["neighbour"] < known["acquaintance"] < known["insider"]
    with pytest.raises(InvalidSetting, match="Did you mean 'neighbour'"):
        rr.suggest_roles(table, scenario="neighbor")


def test_the_command_that_is_suggested_runs(tmp_path: Path) -> None:
    """Also where quasi-identifiers vary within a unit, and where names need quotes."""
    import csv

    path = tmp_path / "my rx.csv"
    rows = [
        ("p1", "F", "K1A", "2007-01-02"),
        ("p1", "F", "K1B", "2007-02-02"),
        ("p2", "M", "K1A", "2007-01-02"),
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("patient id", "sex", "postal code", "admission date"), *rows])
    suggestion = rr.suggest_roles(path)
    assert suggestion.unit is not None
    assert suggestion.unit.varying == ("postal code", "admission date")
    words = shlex.split(suggestion.next_step or "")
    assert words[:4] == ["reidrisk", "table", "risk", str(path)]
    from reidrisk.cli.main import run

    with pytest.raises(SystemExit) as ended:
        run([*words[1:], "--quiet"])
    assert ended.value.code == 3


def test_the_call_for_a_frame_runs() -> None:
    table = prescriptions(5)
    suggestion = rr.suggest_roles(table)
    assert (suggestion.next_step or "").startswith("rr.table_risk(table, rr.Schema(")
    assert eval(suggestion.next_step or "").sizes.records == 5  # noqa: S307 - our own text


def test_nothing_to_suggest() -> None:
    suggestion = rr.suggest_roles(pa.table({"flux": [0.5, 1.5]}))
    assert suggestion.next_step is None
    assert "Name them yourself" in str(suggestion)


def test_the_result_is_json_and_holds_no_value() -> None:
    hidden = "Zaphod Beeblebrox"
    table = pa.table(
        {
            "name": [hidden, "Ford"],
            "remarks": ["call 555", "zz@example.org"],
            "x": ["qwx", "qwy"],
            "age": [97, 3],
        }
    )
    suggestion = rr.suggest_roles(table)
    text = suggestion.to_json() + str(suggestion) + repr(suggestion) + suggestion._repr_html_()
    for value in (hidden, "Ford", "zz@example", "qwx", "call 555"):
        assert value not in text
    result = json.loads(suggestion.to_json())
    assert (result["kind"], result["rows"], result["acceptable"]) == ("table_suggestion", 2, False)
    assert result["hipaa"]["kind"] == "table_hipaa"
    assert "must decide" in str(suggestion)
    assert suggestion.plot() is not None


def test_a_table_without_rows() -> None:
    suggestion = rr.suggest_roles(
        pa.table({"age": pa.array([], pa.int64()), "name": pa.array([], pa.string())})
    )
    assert roles(suggestion) == {"age": "other", "name": "other"}
    assert "no values" in str(suggestion)
    assert suggestion._repr_html_()
    assert suggestion.hipaa.acceptable


def test_where_patterns_were_sought_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"x": ["a@b.org"] * 10 + ["none"] * 90})
    assert rr.suggest_roles(table).to_dict()["settings"]["patterns_sought_in"] == "all rows"
    monkeypatch.setattr("reidrisk.tables.suggest.SAMPLE_ROWS", 10)
    suggestion = rr.suggest_roles(table)
    assert "the first 10 rows" in suggestion.to_dict()["settings"]["patterns_sought_in"]
    assert (suggestion.columns[0].profile.looked_at, suggestion.columns[0].profile.rows) == (10, 100)


cells = st.one_of(st.none(), st.text(max_size=12), st.sampled_from(["M", "2007-01-02", "a@b.org", "K1A"]))


@given(st.lists(cells, min_size=1, max_size=30), st.text(min_size=1, max_size=12).filter(str.strip))
@settings(max_examples=12)
def test_any_column_gets_one_role_and_a_reason(values: list[str | None], name: str) -> None:
    name = name.encode("utf-8", "replace").decode().replace("\x00", "0")
    values = [value and value.encode("utf-8", "replace").decode() for value in values]
    found = one(values, name)
    assert found.reason
    assert found.profile.missing == values.count(None)
    assert found.profile.distinct == len({value for value in values if value is not None})


def test_names_without_a_telling_column_name() -> None:
    surnames = [
        "Müller",
        "Schmidt",
        "Weber",
        "Fischer",
        "Wagner",
        "Becker",
        "Hoffmann",
        "Koch",
        "Klein",
        "Wolf",
    ]
    rarer = ["Abendroth", "Birnbaum", "Zwickel"]
    found = one([*(surnames * 4), *rarer], "field12")
    assert (found.role, found.confidence) == (DIRECT, "likely")
    colors = one(["Brown", "Green", "White", "Black", "Gray"] * 9, "field13")
    assert colors.role != DIRECT


def test_postal_codes_under_the_name_of_a_place() -> None:
    found = one([f"{60300 + n % 40}" for n in range(120)], "PLZ_Wohnort")
    assert found.kind is not None
    assert (found.kind.key, found.confidence) == ("postal_code", "certain")


def test_letters_with_a_number_are_codes_of_people_not_of_diseases() -> None:
    families = one([f"K{n // 4:04}" for n in range(400)], "grp")
    assert (families.role, families.confidence) == (DIRECT, "likely")
    diseases = one([("E11.9", "I10", "J44.1", "C50911", "E1165")[n % 5] for n in range(400)], "grp")
    assert diseases.kind.key == "diagnosis"
    people = one([f"P{n}" for n in range(400)], "grp")
    assert (people.role, people.confidence) == (DIRECT, "likely"), (
        "no code of a disease is another in each row"
    )


@pytest.mark.parametrize("name", ["person", "Individual", "PID"])
def test_a_short_name_of_people_is_a_person(name: str) -> None:
    found = one([f"P{n // 3}" for n in range(180)], name)
    assert (found.role, found.confidence, found.unit) == (DIRECT, "certain", "person")


def test_names_of_online_accounts_and_a_share_of_names_are_found() -> None:
    handle = one([f"@{('ann', 'bo', 'cy', 'di')[n % 4]}_{n % 90}" for n in range(300)], "h")
    assert (handle.role, handle.confidence, handle.kind.key) == (DIRECT, "likely", "account")
    firsts, lasts = ("Emma", "Liam", "Qxo", "Zyr"), ("Okafor", "Berg", "Rossi", "Novak", "Silva")
    names = one([f"{lasts[n % 5]}, {firsts[n % 4]}" for n in range(300)], "pt")
    assert (names.role, names.confidence) == (DIRECT, "likely")


def test_the_short_expressions_leave_no_match_out() -> None:
    cells = {line for note in clinical_notes(seed=5) for line in (note.text or "").splitlines() if line}
    cells |= {"Jan. 4, 2021", "4. März 2021", "O'Brien", "Dr.Smith", "K1A 0B1", "00:1A:2b:3C:4D:5E"}
    searches = expressions()
    bare = {name: replace(search, only=()) for name, search in searches.items()}
    with open_table(pa.table({"x": sorted(cells)})) as table:
        assert table.search.matches(["x"], searches) == table.search.matches(["x"], bare)

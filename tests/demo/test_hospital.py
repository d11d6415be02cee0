"""The generated hospital database: keys, and the patients of the notes as the notes have them."""

from __future__ import annotations

import re

import pytest

from reidrisk.demo.hospital import CODES, HospitalTable, hospital_patients, hospital_tables
from reidrisk.demo.medicine import illnesses
from reidrisk.demo.notes import written_notes


@pytest.fixture(scope="module")
def tables() -> dict[str, HospitalTable]:
    return {one.name: one for one in hospital_tables(seed=7)}


def column(table: HospitalTable, name: str) -> list[str]:
    return [row[table.columns.index(name)] for row in table.rows]


def test_every_key_has_its_row(tables: dict[str, HospitalTable]) -> None:
    people, visits = (
        set(column(tables[name], key)) for name, key in (("patients", "patient_id"), ("visits", "visit_id"))
    )
    assert len(people) == len(tables["patients"].rows) == 900
    assert set(column(tables["visits"], "patient_id")) == people
    for name in ("diagnoses", "drugs"):
        assert set(column(tables[name], "visit_id")) == visits
    assert set(CODES) == {one.disease for one in illnesses()}


def test_patients_of_the_notes_are_the_same_people(tables: dict[str, HospitalTable]) -> None:
    rows = {one.id: one for one in hospital_patients(seed=7)}
    pronouns = {"F": r"\b(she|her)\b", "M": r"\b(he|his|him)\b"}
    agreed = 0
    for note, patient in written_notes(seed=7):
        row = rows[patient.id]
        assert dict(note.about) == {"patient": row.id}
        assert row.visits[0] == patient.visit
        marked = {(note.text or "")[mark.start : mark.end] for mark in note.annotations}
        names = {mark for mark in marked if row.name.split(" ")[-1] in mark}
        agreed += bool(names) and row.record_number in marked
        own, other = (
            len(re.findall(pronouns[sex], note.text or "", re.IGNORECASE))
            for sex in (row.sex, "FM"[row.sex == "F"])
        )
        assert own >= other or not names
    assert agreed > 80


def test_another_seed_gives_other_people() -> None:
    assert {one.name for one in hospital_patients(seed=7, patients=130)} != {
        one.name for one in hospital_patients(seed=8, patients=130)
    }

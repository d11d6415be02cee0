"""A small hospital database of linked tables: patients, visits, diagnoses and drugs, made from a seed.

The patients of the notes are among its patients, with the same names, record numbers, illnesses and dates.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from reidrisk.core.file_set import together
from reidrisk.core.files import write_bytes, write_text
from reidrisk.demo.cast import age_on, birthday, visit_day
from reidrisk.demo.entity import pick
from reidrisk.demo.medicine import Illness, illnesses
from reidrisk.demo.notes import MOST_PATIENTS, NotePatient, patient_id, written_notes
from reidrisk.demo.prescriptions import demo_key
from reidrisk.demo.vocabulary import MEN, STATES, SURNAMES, WOMEN

TABLES, KEY = "tables", "hospital.key"
"""The folder with one file per table, and the key for pseudonyms and dates."""
NAMES = ("patients", "visits", "diagnoses", "drugs")
FILES = tuple(f"{name}.csv" for name in NAMES)
PATIENTS = 900
STREAM = 22
"""Of random numbers: the database is drawn apart from the notes."""
FOLLOW_UPS = (28, 91)
"""Days until a patient is seen again: the hospital has two schedules."""
FOLLOWED = 0.6
CODES = {
    "acute decompensated heart failure": ("I50.9", "I25.5"),
    "community-acquired pneumonia": ("J18.9", "J44.1"),
    "left hip fracture": ("S72.0", "M81.0"),
    "cellulitis of the right leg": ("L03.1", "E11.9"),
    "acute ischemic stroke": ("I63.4", "I48.0"),
    "upper gastrointestinal bleeding": ("K26.4", "M19.9"),
    "acute kidney injury with urinary retention": ("N17.9", "M10.9"),
    "acute pancreatitis": ("K85.1", "E78.1"),
    "pulmonary embolism": ("I26.9", "E66.9"),
    "urosepsis": ("A41.5", "E11.4"),
}
"""By disease: the diagnosis of the stay, and one that the patient had before."""
REMARKS = ("seen with the family", "no complaints today", "advised to call at any time", "transport arranged")
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HospitalPatient:
    """One patient of the hospital, who comes once or twice with one illness."""

    id: str
    record_number: str
    name: str
    sex: str
    birth: date
    state: str
    illness: Illness
    visits: tuple[date, ...]


def hospital_patients(*, seed: int = 7, patients: int = PATIENTS) -> list[HospitalPatient]:
    """The patients in the order of their numbers; those of the notes are among them."""
    rng = np.random.default_rng([seed, STREAM])
    found = [_of_note(one, rng=rng) for _, one in written_notes(seed=seed)]
    taken = {one.id for one in found}
    numbers = (patient_id(int(one)) for one in rng.permutation(MOST_PATIENTS))
    free = (one for one in numbers if one not in taken)
    found += [_other(next(free), rng=rng) for _ in range(patients - len(found))]
    return sorted(found, key=lambda one: one.id)


def _of_note(note: NotePatient, *, rng: np.random.Generator) -> HospitalPatient:
    patient = note.cast.patient
    return HospitalPatient(
        note.id,
        note.record_number or _record_number(rng=rng),
        f"{patient.first} {patient.last}",
        patient.sex.upper(),
        note.cast.birth,
        note.home_state or pick(STATES, rng=rng)[1],
        note.illness,
        _visits(note.visit, rng=rng),
    )


def _other(number: str, *, rng: np.random.Generator) -> HospitalPatient:
    illness, sex = pick(illnesses(), rng=rng), pick("fm", rng=rng)
    visit = visit_day(rng=rng)
    return HospitalPatient(
        number,
        _record_number(rng=rng),
        f"{pick(WOMEN if sex == 'f' else MEN, rng=rng)} {pick(SURNAMES, rng=rng)}",
        sex.upper(),
        birthday(visit, pick(illness.stages, rng=rng), rng=rng),
        pick(STATES, rng=rng)[1],
        illness,
        _visits(visit, rng=rng),
    )


def _record_number(*, rng: np.random.Generator) -> str:
    return str(rng.integers(10**6, 10**8))


def _visits(first: date, *, rng: np.random.Generator) -> tuple[date, ...]:
    if rng.random() >= FOLLOWED:
        return (first,)
    return first, first + timedelta(days=int(pick(FOLLOW_UPS, rng=rng)))


@dataclass(frozen=True, slots=True)
class HospitalTable:
    """One table of the database."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Row]

    @property
    def text(self) -> str:
        """The table as CSV."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([self.columns, *self.rows])
        return file.getvalue()


def hospital_tables(*, seed: int = 7, patients: int = PATIENTS) -> tuple[HospitalTable, ...]:
    """Patients, visits, diagnoses and drugs; the same seed gives the same rows."""
    people = hospital_patients(seed=seed, patients=patients)
    rng = np.random.default_rng([seed, STREAM, 1])
    stays = [(person, day) for person in people for day in person.visits]
    stays = [stays[at] for at in rng.permutation(len(stays))]
    numbered = [(f"V{at + 1:05d}", person, day) for at, (person, day) in enumerate(stays)]
    return (
        HospitalTable(
            NAMES[0],
            ("patient_id", "record_number", "name", "sex", "birth_date", "age", "state"),
            [_person_row(one) for one in people],
        ),
        HospitalTable(
            NAMES[1],
            ("visit_id", "patient_id", "admitted", "discharged", "ward", "physician"),
            [_visit_row(*one, rng=rng) for one in numbered],
        ),
        HospitalTable(
            NAMES[2],
            ("diagnosis_id", "visit_id", "icd10", "remark"),
            _numbered("D", (row for one in numbered for row in _diagnoses(*one, rng=rng))),
        ),
        HospitalTable(
            NAMES[3],
            ("order_id", "visit_id", "drug"),
            _numbered("O", (row for one in numbered for row in _drugs(*one))),
        ),
    )


def _person_row(one: HospitalPatient) -> Row:
    age = age_on(one.visits[0], one.birth)
    return one.id, one.record_number, one.name, one.sex, one.birth.isoformat(), str(age), one.state


def _visit_row(visit: str, person: HospitalPatient, day: date, *, rng: np.random.Generator) -> Row:
    leaves = day + timedelta(days=int(rng.integers(2, 9)))
    physician = f"Dr. {pick(SURNAMES[:40], rng=rng)}"
    return visit, person.id, day.isoformat(), leaves.isoformat(), person.illness.specialties[0], physician


def _diagnoses(visit: str, person: HospitalPatient, _: date, *, rng: np.random.Generator) -> Iterable[Row]:
    for code in CODES[person.illness.disease]:
        yield visit, code, pick(REMARKS, rng=rng)


def _drugs(visit: str, person: HospitalPatient, _: date) -> Iterable[Row]:
    """The drugs at discharge, without doses."""
    for order in person.illness.said["drug"][0].split("; "):
        yield visit, order.split(" ")[0]


def _numbered(letter: str, rows: Iterable[Row]) -> list[Row]:
    return [(f"{letter}{at:05d}", *row) for at, row in enumerate(rows, start=1)]


def write_hospital(folder: str | Path, *, seed: int = 7) -> dict[str, int]:
    """Write one file per table, and a key; return the rows of each. The same seed gives the same bytes."""
    target = Path(folder)
    (target / TABLES).mkdir(parents=True, exist_ok=True)
    tables = hospital_tables(seed=seed)
    with together():
        for table in tables:
            write_text(target / TABLES / f"{table.name}.csv", table.text)
        write_bytes(target / KEY, demo_key(seed).encode(), mode=0o600)
    return {table.name: len(table.rows) for table in tables}

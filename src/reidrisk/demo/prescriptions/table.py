"""The synthetic prescription records, and the folder of the demo with its key, hierarchies and settings."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.file_set import together
from reidrisk.core.files import whole_file, write_bytes, write_text
from reidrisk.demo.prescriptions.dispensing import Prescriptions, dispense, drugs
from reidrisk.demo.prescriptions.illnesses import illnesses
from reidrisk.demo.prescriptions.visits import FIRST_DAY, PATIENTS, Visits, boys, make_visits
from reidrisk.demo.vocabulary import MEN, SURNAMES, WOMEN
from reidrisk.stats.arrays import Bools, Ints

LETTERS = {
    "K": 83.0,  # eastern Ontario, the hospital's own region
    "J": 12.0,  # western Quebec: Gatineau is across the river
    "X": 2.0,  # Nunavut: children of its eastern half are flown to Ottawa
    "P": 1.6,  # northern Ontario
    "L": 0.4,
    "H": 0.25,
    "M": 0.25,
    "N": 0.15,
    "G": 0.1,
    "B": 0.05,
    "E": 0.05,
    "A": 0.04,
    "T": 0.04,
    "V": 0.04,
    "R": 0.03,
}
"""Percentage of patients by first letter. Most come from the first four; the numbers are our own.
Names of the regions: Statistics Canada, Dictionary of the Census, forward sortation area."""

_RESIDENTS = {
    "K": """
        K1B 17 K1C 38 K1E 29 K1G 33 K1H 15 K1J 25 K1K 27 K1L 17 K1M 7 K1N 25 K1P 1 K1R 16 K1S 27 K1T 28
        K1V 45 K1W 12 K1X 3 K1Y 18 K1Z 20 K2A 16 K2B 33 K2C 33 K2E 14 K2G 47 K2H 24 K2J 47 K2K 23 K2L 23
        K2M 20 K2P 12 K2R 3 K2S 18 K2T 9 K2V 1 K2W 3 K4A 45 K4B 7 K4C 4 K4K 14 K4M 8 K4P 7 K4R 6
        K0A 62 K0B 18 K0C 49 K0E 20 K0G 22 K0J 32 K6A 11 K6H 21 K6J 18 K6K 7 K6T 2 K6V 24
        K7A 12 K7C 14 K7H 10 K7S 11 K7V 10 K8A 18 K8B 2 K8H 12
        K0H 6 K0K 5 K0L 2 K7G 1 K7K 3 K7L 4 K7M 5 K7N 1 K7P 3 K7R 2 K8N 4 K8P 2 K8R 1 K8V 3 K9A 1 K9H 1 K9J 2
    """,
    "J": """
        J8L 13 J8M 11 J8N 9 J8P 35 J8R 20 J8T 36 J8V 18 J8X 20 J8Y 25 J8Z 22 J9A 26 J9B 9 J9H 28 J9J 13
        J0X 52 J9E 5 J9L 4 J0V 5 J8H 3 J9P 3 J9T 2 J9X 3 J9Z 1 J7V 1 J6S 1 J3Y 1 J4L 1
    """,
    "X": "X0A 92 X0C 6 X0B 2",
    "P": """
        P0H 3 P1A 3 P1B 3 P1C 1 P2N 2 P3A 2 P3B 2 P3E 2 P4N 4 P0J 2 P0K 2 P0L 3 P0M 3 P5E 1 P6A 1 P6B 1 P7B 1
    """,
    "L": "L0B 1 L1C 1 L1G 1 L1J 1 L1V 1 L3P 1 L4C 1 L4N 2 L5M 2 L6Y 2 L7M 1 L8S 1",
    "H": "H1G 1 H2X 1 H3A 1 H3H 1 H3S 1 H4N 1 H7N 1 H9R 2",
    "M": "M1B 2 M1P 1 M2N 1 M4C 1 M5V 1 M6H 1 M9W 1",
    "N": "N1E 1 N2L 1 N5Y 1 N6A 1 N8Y 1 N9A 1",
    "G": "G1K 1 G1V 1 G5L 1 G7H 1 G9A 1",
    "B": "B2W 1 B3H 1 B3M 1",
    "E": "E1A 1 E2L 1 E3B 1",
    "A": "A1A 1 A1C 1 A2H 1",
    "T": "T2N 1 T5K 1 T6H 1",
    "V": "V5K 1 V6B 1 V8W 1",
    "R": "R2C 1 R3E 1 R3T 1",
}
"""Areas and weights. For K and J near the hospital, about the thousands of residents in 2006, and less for
those with a closer children's ward, such as Kingston; elsewhere arbitrary (our own, from memory). All areas
are real areas of Canada Post; K1A, which is government offices, has no children."""

_MOVE = 0.03
"""Probability that a family lives in another area at the next visit. 14 % of Canadians move within a year
(2006 census, mobility), half of them within their area (our own), and visits are a third of a year
apart."""


def homes(patients: int, *, rng: np.random.Generator) -> NDArray[np.str_]:
    """The first letter of each patient's postal code."""
    share = np.array(list(LETTERS.values()))
    return rng.choice(np.array(list(LETTERS)), size=patients, p=share / share.sum())


def areas(letters: NDArray[np.str_], patient: Ints, *, rng: np.random.Generator) -> NDArray[np.str_]:
    """The area at each visit, with visits grouped by patient; a move keeps the first letter."""
    drawn = np.empty(patient.size, dtype="<U3")
    own = letters[patient]
    for letter, block in _RESIDENTS.items():
        words = block.split()
        weight = np.array(words[1::2], dtype=np.float64)
        at = np.flatnonzero(own == letter)
        drawn[at] = rng.choice(np.array(words[::2]), size=at.size, p=weight / weight.sum())
    fresh = rng.random(patient.size) < _MOVE
    fresh[0] = True
    fresh[1:] |= patient[1:] != patient[:-1]
    since = np.maximum.accumulate(np.where(fresh, np.arange(patient.size), 0))
    return drawn[since]


def names(boy: Bools, *, rng: np.random.Generator) -> list[str]:
    """First names and surnames, drawn independently; two children may have the same name."""
    first = np.where(boy, rng.integers(len(MEN), size=boy.size), rng.integers(len(WOMEN), size=boy.size))
    last = rng.integers(len(SURNAMES), size=boy.size)
    return [
        f"{(MEN if one else WOMEN)[at]} {SURNAMES[surname]}"
        for one, at, surname in zip(boy.tolist(), first.tolist(), last.tolist(), strict=True)
    ]


def health_cards(patients: int, *, rng: np.random.Generator) -> list[str]:
    """Health card numbers as in Ontario, but with leading zeros, which no real card has."""
    numbers = _fresh(patients, 10**6, rng=rng)
    return [f"0000-{number // 1000:03d}-{number % 1000:03d}" for number in numbers]


def record_numbers(patients: int, *, rng: np.random.Generator) -> list[str]:
    """The medical record number of each patient."""
    return [f"M{number:07d}" for number in _fresh(patients, 10**7, rng=rng)]


def visit_numbers(admitted: Ints) -> NDArray[np.str_]:
    """Visit numbers in order of admission."""
    rank = np.empty(admitted.size, dtype=np.int64)
    rank[np.argsort(admitted, kind="stable")] = np.arange(admitted.size)
    return np.array([f"V{number + 1:06d}" for number in rank.tolist()])


def drug_code(place: int) -> str:
    """Eight characters like the numbers of Health Canada, but with a letter, which real ones do not have."""
    return f"X{place + 1:07d}"


def _fresh(many: int, below: int, *, rng: np.random.Generator) -> list[int]:
    """Distinct numbers in random order."""
    drawn: list[int] = rng.choice(below, size=many, replace=False).tolist()
    return drawn


@dataclass(frozen=True, slots=True)
class Ward:
    """The ward of a service."""

    name: str
    """The service as written in the extract."""
    location: str
    prescribers: str
    """Code of the group of prescribers."""


WARDS = {
    "neonatal": Ward("Neonatal intensive care", "NICU", "NEO"),
    "critical": Ward("Pediatric intensive care", "PICU", "CRIT"),
    "medicine": Ward("Pediatric medicine", "Ward A", "PED"),
    "cardiology": Ward("Cardiology", "Ward A", "CARD"),
    "neurology": Ward("Neurology", "Ward B", "NEUR"),
    "neurosurgery": Ward("Neurosurgery", "Ward B", "SURG"),
    "respirology": Ward("Respirology", "Ward B", "RESP"),
    "gastroenterology": Ward("Gastroenterology", "Ward B", "GAST"),
    "nephrology": Ward("Nephrology", "Ward B", "NEPH"),
    "oncology": Ward("Hematology and oncology", "Ward C", "ONC"),
    "rheumatology": Ward("Rheumatology", "Day unit", "RHEU"),
    "surgery": Ward("General and plastic surgery", "Ward D", "SURG"),
    "orthopedics": Ward("Orthopedic surgery", "Ward D", "SURG"),
    "otolaryngology": Ward("Otolaryngology", "Day surgery", "SURG"),
    "dentistry": Ward("Dentistry", "Day surgery", "DENT"),
    "psychiatry": Ward("Mental health", "Ward E", "PSYC"),
}


Column = NDArray[Any]

COLUMNS = (
    *("patient_name", "health_card", "mrn", "visit_id", "diagnosis_code", "age_days", "sex", "postal_fsa"),
    *("admission_date", "discharge_date", "service", "drug", "drug_code", "dose_date", "dose", "unit"),
    *("schedule", "route", "doses", "cost", "days_supplied", "location", "prescriber_group"),
)
"""Identifiers, then the fields requested in the study, in its order."""


def prescription_records(*, seed: int = 7) -> dict[str, Column]:
    """94,100 synthetic prescriptions of 10,364 visits by 6,970 children from January 2007 to June 2008.

    The counts and the months are from Can J Hosp Pharm 62(4):307; everything else is drawn from tables
    that cite their sources. Age, sex, area and dates belong to the visit. The same seed gives
    the same table.

    >>> records = prescription_records()
    >>> len(records["drug"]), len(set(records["visit_id"])), len(set(records["mrn"]))
    (94100, 10364, 6970)
    """
    rng = np.random.default_rng(seed)
    visits = make_visits(rng=rng)
    by_visit = _of_patients(visits, rng=rng) | _of_visits(visits)
    given = dispense(visits, rng=rng)
    columns = {name: column[given.visit] for name, column in by_visit.items()} | _of_drugs(given)
    return {name: columns[name] for name in COLUMNS}


def write_prescriptions(path: str | Path, *, seed: int = 7) -> None:
    """Write the records as CSV, completely or not at all; the same seed gives the same bytes."""
    records = prescription_records(seed=seed)
    columns = [_format_column(name, column) for name, column in records.items()]
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(records)
        writer.writerows(zip(*columns, strict=True))


def _of_patients(visits: Visits, *, rng: np.random.Generator) -> dict[str, Column]:
    """Patient columns, one entry per visit; the area may change with a move."""
    boy = boys(visits.age[visits.first], rng=rng)
    own = {
        "patient_name": np.array(names(boy, rng=rng)),
        "health_card": np.array(health_cards(PATIENTS, rng=rng)),
        "mrn": np.array(record_numbers(PATIENTS, rng=rng)),
        "sex": np.where(boy, "M", "F"),
    }
    area = areas(homes(PATIENTS, rng=rng), visits.patient, rng=rng)
    return {name: column[visits.patient] for name, column in own.items()} | {"postal_fsa": area}


def _of_visits(visits: Visits) -> dict[str, Column]:
    wards = [WARDS[illness.service] for illness in illnesses()]
    return {
        "visit_id": visit_numbers(visits.admitted),
        "diagnosis_code": np.array([illness.code for illness in illnesses()])[visits.illness],
        "age_days": visits.age,
        "admission_date": FIRST_DAY + visits.admitted,
        "discharge_date": FIRST_DAY + visits.admitted + visits.stay,
        "service": np.array([ward.name for ward in wards])[visits.illness],
        "location": np.array([ward.location for ward in wards])[visits.illness],
        "prescriber_group": np.array([ward.prescribers for ward in wards])[visits.illness],
    }


def _of_drugs(given: Prescriptions) -> dict[str, Column]:
    listed = drugs()
    return {
        "drug": np.array([drug.name for drug in listed])[given.drug],
        "drug_code": np.array([drug_code(at) for at in range(len(listed))])[given.drug],
        "dose_date": FIRST_DAY + given.day,
        "dose": given.dose,
        "unit": np.array([drug.unit for drug in listed])[given.drug],
        "schedule": np.array([drug.schedule for drug in listed])[given.drug],
        "route": np.array([drug.route for drug in listed])[given.drug],
        "doses": given.doses,
        "cost": given.cost,
        "days_supplied": given.days,
    }


def _format_column(name: str, column: Column) -> list[Any]:
    """Values as written to the file: dates as year-month-day, money with two decimals."""
    if name == "dose":
        return [f"{value:g}" for value in column.tolist()]
    if name == "cost":
        return [f"{value:.2f}" for value in column.tolist()]
    return list(column.astype(str).tolist() if column.dtype.kind == "M" else column.tolist())


LAYOUT = Path(__file__).with_name("layout.yaml")
"""Generalization hierarchies, with the maximum acceptable generalization of each."""
CONFIG = Path(__file__).with_name("table.yaml")
"""The configuration of the release; it reads the hierarchies from the same folder."""
RECORDS, KEY = "prescriptions.csv", "demo.key"


def write_case(folder: str | Path, *, seed: int = 7) -> None:
    """Write records, configuration, hierarchies and a key; the same seed gives the same bytes."""
    target = Path(folder)
    with together():
        for source in (CONFIG, LAYOUT):
            write_text(target / source.name, source.read_text(encoding="utf-8"))
        write_bytes(target / KEY, demo_key(seed).encode(), mode=0o600)
        write_prescriptions(target / RECORDS, seed=seed)


def demo_key(seed: int) -> str:
    """A key that anybody can reproduce, so that the demo can be repeated. It protects nothing.

    >>> demo_key(7) == demo_key(7), demo_key(7) == demo_key(8)
    (True, False)
    """
    noise = sha256(f"reidrisk demo {seed}".encode()).hexdigest()
    return f"No secret: made from seed {seed}. A real key is made by: reidrisk table key FILE. {noise}\n"

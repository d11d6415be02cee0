"""The prescription records as a table, one row a dispensed prescription."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.files import written_whole
from reidrisk.demo.prescriptions import identifiers
from reidrisk.demo.prescriptions.ages import boys
from reidrisk.demo.prescriptions.areas import areas, homes
from reidrisk.demo.prescriptions.dispensing import Dispensed, dispense
from reidrisk.demo.prescriptions.drugs import drugs
from reidrisk.demo.prescriptions.illnesses import illnesses
from reidrisk.demo.prescriptions.study import FIRST_DAY, PATIENTS
from reidrisk.demo.prescriptions.visits import Visits, make_visits
from reidrisk.demo.prescriptions.wards import WARDS

Column = NDArray[Any]

COLUMNS = (
    *("patient_name", "health_card", "mrn", "visit_id", "diagnosis_code", "age_days", "sex", "postal_fsa"),
    *("admission_date", "discharge_date", "service", "drug", "drug_code", "dose_date", "dose", "unit"),
    *("schedule", "route", "doses", "cost", "days_supplied", "location", "prescriber_group"),
)
"""Who, then the fields that were asked for in the study, in its order."""


def prescription_records(*, seed: int = 7) -> dict[str, Column]:
    """94,100 invented prescriptions of 10,364 visits by 6,970 children from January 2007 to June 2008.

    The counts and the months are those of Can J Hosp Pharm 62(4):307; everything else is drawn from
    tables that name their sources. Age, sex, area and dates belong to the visit. The same seed gives
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
    columns = [_written(name, column) for name, column in records.items()]
    with written_whole(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(records)
        writer.writerows(zip(*columns, strict=True))


def _of_patients(visits: Visits, *, rng: np.random.Generator) -> dict[str, Column]:
    """What stays with a patient, one entry a visit; the area may change with a move."""
    boy = boys(visits.age[visits.first], rng=rng)
    own = {
        "patient_name": np.array(identifiers.names(boy, rng=rng)),
        "health_card": np.array(identifiers.health_cards(PATIENTS, rng=rng)),
        "mrn": np.array(identifiers.record_numbers(PATIENTS, rng=rng)),
        "sex": np.where(boy, "M", "F"),
    }
    area = areas(homes(PATIENTS, rng=rng), visits.patient, rng=rng)
    return {name: column[visits.patient] for name, column in own.items()} | {"postal_fsa": area}


def _of_visits(visits: Visits) -> dict[str, Column]:
    wards = [WARDS[illness.service] for illness in illnesses()]
    return {
        "visit_id": identifiers.visit_numbers(visits.admitted),
        "diagnosis_code": np.array([illness.code for illness in illnesses()])[visits.illness],
        "age_days": visits.age,
        "admission_date": FIRST_DAY + visits.admitted,
        "discharge_date": FIRST_DAY + visits.admitted + visits.stay,
        "service": np.array([ward.name for ward in wards])[visits.illness],
        "location": np.array([ward.location for ward in wards])[visits.illness],
        "prescriber_group": np.array([ward.prescribers for ward in wards])[visits.illness],
    }


def _of_drugs(given: Dispensed) -> dict[str, Column]:
    listed = drugs()
    return {
        "drug": np.array([drug.name for drug in listed])[given.drug],
        "drug_code": np.array([identifiers.drug_code(at) for at in range(len(listed))])[given.drug],
        "dose_date": FIRST_DAY + given.day,
        "dose": given.dose,
        "unit": np.array([drug.unit for drug in listed])[given.drug],
        "schedule": np.array([drug.schedule for drug in listed])[given.drug],
        "route": np.array([drug.route for drug in listed])[given.drug],
        "doses": given.doses,
        "cost": given.cost,
        "days_supplied": given.days,
    }


def _written(name: str, column: Column) -> list[Any]:
    """Values as they stand in the file: dates as year-month-day, money with two decimals."""
    if name == "dose":
        return [f"{value:g}" for value in column.tolist()]
    if name == "cost":
        return [f"{value:.2f}" for value in column.tolist()]
    return list(column.astype(str).tolist() if column.dtype.kind == "M" else column.tolist())

"""Tables that look like those of hospitals and trials, made of nothing real."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

SITES = ("001", "002", "003")
REQUEST = (
    *("diagnosis_code", "diagnosis_code_version", "summary_stage_level", "patient_age", "patient_sex"),
    *("patient_fsa", "admission_date", "discharge_date", "service_cost_centre", "drug_description", "din"),
    *("dose_transaction_date", "dose_administered", "measurement_unit", "instructions_for_administration"),
    *("schedule", "route", "transaction_items", "transaction_doses", "transaction_cost", "dose_cost"),
    *("days_supplied", "regimen", "scheduled_stop_date", "actual_stop_date", "therapeutic_intent"),
    *("location", "prescriber_group"),
)
"""The fields of a request for prescription records, as column names."""


def day(number: int) -> str:
    return f"2007-{1 + number % 12:02}-{1 + number % 28:02}"


def prescriptions(visits: int = 60) -> pa.Table:
    """Two doses a visit."""
    rows: dict[str, list[Any]] = {name: [] for name in ("visit_id", *REQUEST)}
    known: dict[str, Any] = {
        "diagnosis_code": lambda v, _: ("J45.9", "E84.0", "K35.8", "A09")[v % 4],
        "patient_age": lambda v, _: v % 18,
        "patient_sex": lambda v, _: ("male", "female")[v % 2],
        "patient_fsa": lambda v, _: ("K1A", "H3Z", "M5V")[v % 3],
        "admission_date": lambda v, _: day(v),
        "discharge_date": lambda v, _: day(v + 3),
        "dose_transaction_date": lambda v, d: day(v + d),
        "din": lambda v, d: ("00723894", "02242519")[(v + d) % 2],
        "dose_administered": lambda v, d: v + d,
        "transaction_cost": lambda v, d: 0.5 * v + d,
    }
    for visit in range(visits):
        for dose in range(2):
            rows["visit_id"].append(f"V{visit:04}")
            for name in REQUEST:
                make = known.get(name, lambda v, d: f"{'ABC'[(v + d) % 3]}x")
                rows[name].append(make(visit, dose))
    return pa.table(rows)


def adsl(subjects: int = 90) -> pa.Table:
    """One row a subject, as a statistician of a trial keeps them."""
    numbers = range(subjects)
    return pa.table(
        {
            "STUDYID": ["T1"] * subjects,
            "USUBJID": [f"T1-{SITES[n % 3]}-{n:04}" for n in numbers],
            "SUBJID": [f"{n:04}" for n in numbers],
            "SITEID": [SITES[n % 3] for n in numbers],
            "AGE": [float(40 + n % 60) for n in numbers],
            "AGEU": ["YEARS"] * subjects,
            "SEX": ["MF"[n % 2] for n in numbers],
            "RACE": [("WHITE", "ASIAN")[n % 2] for n in numbers],
            "ETHNIC": [("HISPANIC", "OTHER")[n % 2] for n in numbers],
            "COUNTRY": [("CAN", "USA")[n % 2] for n in numbers],
            "TRT01P": [("Placebo", "Active")[n % 2] for n in numbers],
            "RFSTDTC": [day(n) for n in numbers],
            "BRTHDTC": [f"19{20 + n % 60}-0{1 + n % 9}" for n in numbers],
            "DTHDTC": [day(n) if n % 9 == 0 else None for n in numbers],
            "SAFFL": ["YN"[n % 2] for n in numbers],
        }
    )

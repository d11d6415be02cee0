from __future__ import annotations

import pytest

from reidrisk.tables.column_kinds import direct_suspects, looks_direct
from tests.tables.sources import REQUEST


@pytest.mark.parametrize(
    "name",
    [
        *("name", "Patient Name", "firstName", "FIRST_NAME", "surname", "lname"),
        *("mrn", "MRN_number", "patient_id", "PatientID", "ptid", "chart_no", "person_id", "USUBJID"),
        *("ssn", "social_security_number", "SIN", "health_card_number", "HCN", "ohip", "nhs_number"),
        *("email", "e-mail", "EmailAddress", "phone", "Phone1", "home_phone", "fax", "address", "address_2"),
        *(
            "street",
            "passport_no",
            "licence_plate",
            "ip_address",
            "photo",
            "latitude",
            "fingerprint",
            "FIRST",
            "user_id",
        ),
        *("prenom", "nom", "Vorname", "Nachname", "apellidos", "Adresse", "telefono", "Versichertennummer"),
    ],
)
def test_names_that_surely_name_people(name: str) -> None:
    assert looks_direct(name)


@pytest.mark.parametrize(
    "name",
    [
        *("id", "record_id", "row", "visit_id", "encounter_id", "key", "index", "STUDYID", "SITEID"),
        *("drug_name", "hospital_name", "file_name", "product_name", "age", "sex", "zip", "city", "country"),
        *("date_of_birth", "admission_date", "diagnosis", "dose", "cost", "status", "race", "language"),
        *(
            "sinus_rhythm",
            "phonetic",
            "unnamed",
            "telemetry",
            "emaciated",
            "faxon",
            "streetcar",
            "long_stay",
            "phone_type",
            "has_email",
            "street_drugs",
        ),
    ],
)
def test_names_that_do_not(name: str) -> None:
    assert looks_direct(name) is None


def test_the_suspects_of_a_table() -> None:
    assert direct_suspects(REQUEST) == {}
    assert direct_suspects(["age", "MRN"]) == {"MRN": "a medical record or patient number"}

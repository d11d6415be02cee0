from __future__ import annotations

import pytest

from tests.detect.patterns.finding import found


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("219-09-9999", "SSN"),
        ("12345678Z", "IDNUM"),
        ("X1234567L", "IDNUM"),
        ("AB1234563", "LICENSE"),
        ("1EG4-TE5-MK73", "HEALTHPLAN"),
        ("GB82WEST12345698765432", "ACCOUNT"),
        ("GB82 WEST 1234 5698 7654 32", "ACCOUNT"),
        ("4111 1111 1111 1111", "ACCOUNT"),
        ("1M8GDM9AXKP042788", "VEHICLE"),
        ("1234567893", "LICENSE"),
    ],
)
def test_numbers_that_prove_themselves(value: str, kind: str) -> None:
    assert found(f"It says {value} there.") == [(value, kind)]


@pytest.mark.parametrize("value", ["AB1234560", "X1234567A", "12345678A"])
def test_a_wrong_check_digit_is_not_that_number(value: str) -> None:
    assert "LICENSE" not in {kind for _, kind in found(f"It says {value}.")}
    assert found(f"It says {value}.", universal=True) == []


@pytest.mark.parametrize("value", ["QX-789012", "S-987654", "112-45-789", "12345-JS", "99887766"])
def test_numbers_that_look_given_out(value: str) -> None:
    assert found(f"It says {value} there.") == [(value, "IDNUM")]


@pytest.mark.parametrize(
    "text",
    [
        "IL-6 and COVID-19",
        "CYP2D6",
        "platelets 250000 cells",
        "NCT01234567",
        "HbA1c 7.2",
        "SARS-CoV-2",
        "T2DM, B12 and D3",
    ],
)
def test_numbers_of_medicine_are_no_ids(text: str) -> None:
    assert found(text) == []


def test_a_number_of_the_nhs_is_told_from_a_telephone_by_its_name() -> None:
    assert found("NHS number 943 476 5919.") == [("943 476 5919", "HEALTHPLAN")]

from __future__ import annotations

import pytest

from tests.detect.patterns.finding import found


@pytest.mark.parametrize(
    "value",
    [
        "12 Elm Street",
        "4821 N. Old Mill Rd",
        "77 Massachusetts Avenue, Apt 4B",
        "9 5th Avenue",
        "100 Broadway",
        "3 Quail Hollow Ct.",
    ],
)
def test_streets_with_their_numbers(value: str) -> None:
    assert found(f"lives at {value} with a son")[0] == (value, "STREET")


@pytest.mark.parametrize("value", ["SW1A 1AA", "M1 1AE", "K1A 0B1", "EC1A 1BB"])
def test_postal_codes_of_letters_and_digits(value: str) -> None:
    assert found(f"at {value}.") == [(value, "ZIP")]


def test_a_zip_code_stands_after_a_state_or_a_word() -> None:
    assert found("Boston, MA 02115") == [("02115", "ZIP")]
    assert found("Boston, MA 02115-1234") == [("02115-1234", "ZIP")]
    assert found("zip 02115") == [("02115", "ZIP")]
    assert found("a count of 15000") == []

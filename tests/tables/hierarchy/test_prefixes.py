from __future__ import annotations

import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy


def test_characters_of_postal_codes() -> None:
    levels = Hierarchy.prefixes("postal", [3, 2, 1], normalise=True).on(["k1h 8l1", "K1H8L1", "K2A", "M"])
    assert levels.names == ("exact", "3 characters", "2 characters", "1 character", "suppressed")
    assert levels.labels[1].tolist() == ["K1H", "K1H", "K2A", "M"]
    assert levels.labels[3].tolist() == ["K", "K", "K", "M"]


def test_without_normalisation_spaces_and_case_count() -> None:
    levels = Hierarchy.prefixes("postal", [3]).on(["k1 H8", "K1H"])
    assert levels.labels[1].tolist() == ["k1 ", "K1H"]


def test_numbers_are_codes_too() -> None:
    assert Hierarchy.prefixes("code", [2]).on([1234, 12.0]).labels[1].tolist() == ["12", "12"]


@pytest.mark.parametrize(
    ("lengths", "said"),
    [([1, 2], "not in descending order"), ([0], r"lengths\[0\] is not a whole number"), ([], "empty")],
)
def test_refusals(lengths: list[int], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        Hierarchy.prefixes("postal", lengths)

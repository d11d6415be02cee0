from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest

from reidrisk.context.attempt import Acquaintance, Breach
from reidrisk.errors import InvalidSetting


def test_knowing_somebody_in_the_data() -> None:
    """1 - (1 - p)^m, by hand for few people."""
    assert Acquaintance(0.5, 1).risk == 0.5
    assert Acquaintance(0.5, 2).risk == pytest.approx(0.75)
    assert Acquaintance(0.1, 3).risk == pytest.approx(1 - 0.9**3)
    assert Acquaintance(0.01).risk == pytest.approx(1 - 0.99**150)
    assert (Acquaintance(1.0, 0).risk, Acquaintance(0.3, 0).risk, Acquaintance(0.0).risk) == (0, 0, 0)
    assert (Acquaintance(1.0, 0.5).risk, Acquaintance(1.0).risk) == (1, 1)
    assert Acquaintance(0.2, 30).to_dict() == {"prevalence": 0.2, "known": 30}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0.2, Acquaintance(0.2, 150)),
        (1, Acquaintance(1.0, 150)),
        ({"prevalence": 0.2}, Acquaintance(0.2, 150)),
        ({"prevalence": 0.2, "known": 0}, Acquaintance(0.2, 0)),
        ({"prevalence": 0, "known": 30}, Acquaintance(0.0, 30)),
    ],
)
def test_acquaintances_from_settings(given: Any, expected: Acquaintance) -> None:
    assert Acquaintance.of(given, place="acquaintance") == expected


@pytest.mark.parametrize(("share", "known"), [(-0.1, 1), (1.1, 1), (nan, 1), (0.5, -1), (0.5, inf)])
def test_impossible_acquaintances_are_refused(share: float, known: float) -> None:
    with pytest.raises(InvalidSetting, match=r"prevalence must|known people"):
        Acquaintance(share, known)


def test_fewer_than_no_people_in_settings_are_refused_by_their_place() -> None:
    with pytest.raises(InvalidSetting, match="known is below 0"):
        Acquaintance.of({"prevalence": 0.2, "known": -1}, place="acquaintance")


def test_breaches() -> None:
    for chance in (0, 0.27, 1):
        found = Breach.of({"probability": chance, "source": "survey"}, place="breach")
        assert (found, found.to_dict()) == (
            Breach(chance, "survey"),
            {"probability": chance, "source": "survey"},
        )
    for chance in (-0.1, 1.1, nan):
        with pytest.raises(InvalidSetting, match="chance of a breach"):
            Breach(chance, "survey")
    with pytest.raises(InvalidSetting, match="source"):
        Breach.of({"probability": 0.2}, place="breach")

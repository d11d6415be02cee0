from __future__ import annotations

from math import nan

import pytest
from scipy.stats import norm

from reidrisk.errors import InvalidSetting
from reidrisk.stats.gate import SEVERAL, gate_open, shared_level

LEVEL = 0.975


def wilson(share: float, number: float, level: float) -> float:
    z = norm.ppf(level)
    middle = share + z**2 / (2 * number)
    return float(
        (middle - z * (share * (1 - share) / number + z**2 / (4 * number**2)) ** 0.5) / (1 + z**2 / number)
    )


@pytest.mark.parametrize(
    ("caught", "number"), [(24, 24), (25, 25), (95, 100), (96, 100), (90, 100), (89, 100)]
)
def test_gates_open_by_the_recall_or_by_its_lower_bound(caught: int, number: int) -> None:
    recall = caught / number
    significant = gate_open(recall, number, cutoff=0.9, rule="significant")
    assert significant == (wilson(recall, number, 0.95) >= 0.9)
    stricter = gate_open(recall, number, cutoff=0.9, rule="significant", level=0.999)
    assert stricter == (wilson(recall, number, 0.999) >= 0.9)
    for rule in ("observed", "draw"):
        assert gate_open(recall, number, cutoff=0.9, rule=rule) == (recall >= 0.9)
    assert gate_open(recall, number, cutoff=0.9, rule="always")
    assert not gate_open(recall, number, cutoff=0.9, rule="never")


def test_without_support_no_gate_is_open() -> None:
    for rule in ("observed", "significant", "always", "draw", "never"):
        assert not gate_open(1.0, 0, cutoff=0.9, rule=rule)
        assert not gate_open(nan, 5, cutoff=0.9, rule=rule)
    with pytest.raises(InvalidSetting, match="rule of the gate"):
        gate_open(1.0, 5, cutoff=0.9, rule="open")  # type: ignore[arg-type]


def by_holm(chances: list[float]) -> list[bool]:
    """Step by step: the surest gate with the error shared by all, the next with that shared by the rest."""
    found = [False] * len(chances)
    error = (1 - LEVEL) * (SEVERAL if len(chances) > 1 else 1)
    for rank, place in enumerate(sorted(range(len(chances)), key=lambda at: -chances[at])):
        if 1 - chances[place] > error / (len(chances) - rank) + 1e-12:
            break
        found[place] = True
    return found


@pytest.mark.parametrize(
    "chances",
    [
        [],
        [0.974],
        [0.976],
        [0.9976, 0.9951],
        [0.9974, 0.9999],
        [0.9976, 0.994],
        [0.999, 0.9976, 0.9951],
        [0.9984, 0.9976, 0.9949],
        [0.9982, 0.9982, 0.9982],
        [1.0, 1.0, 1.0],
        [0.5, 0.5],
    ],
)
def test_several_gates_share_the_error(chances: list[float]) -> None:
    level = shared_level(chances, LEVEL)
    assert [chance >= level for chance in chances] == by_holm(chances)
    if len(chances) < 2:
        assert level == LEVEL

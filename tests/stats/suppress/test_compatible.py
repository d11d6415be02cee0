"""Both readings of a suppressed cell: every row is compared with every other, column by column."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.suppress import compatible
from reidrisk.stats.suppress.compatible import (
    ReleasedRows,
    compatible_sizes,
    readings,
    released_rows,
    suppressed_masks,
    value_sizes,
)
from reidrisk.stats.suppress.result import SuppressionMoves

pytestmark = pytest.mark.usefixtures("plain_loops")


def moves(*rows: tuple[int, int, int]) -> SuppressionMoves:
    tuples, masks, numbers = np.array(rows, dtype=np.int64).T
    return SuppressionMoves(tuples, masks, numbers)


def alike(one: list[int], other: list[int]) -> bool:
    return all(a == b or -1 in (a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("small", [0, compatible.SMALL])
def test_sizes_are_those_of_a_plain_count(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compatible, "SMALL", small)
    for seed in range(15):
        rng = np.random.default_rng(seed)
        codes = rng.integers(-1, 3, (8, 1 + seed % 4)).astype(np.int32)
        numbers = rng.integers(1, 4, 8)
        some = ReleasedRows(codes[3:], numbers[3:])
        rows = codes.tolist()
        counted = list(zip(rows, numbers.tolist(), strict=True))
        assert compatible_sizes(codes, numbers).tolist() == [
            sum(number for other, number in counted if alike(row, other)) for row in rows
        ]
        assert compatible_sizes(codes, numbers, some).tolist() == [
            sum(number for other, number in counted[3:] if alike(row, other)) for row in rows
        ]
        assert value_sizes(ReleasedRows(codes, numbers)).tolist() == [
            sum(number for other, number in counted if row == other) for row in rows
        ]


def test_released_rows_show_what_is_not_suppressed() -> None:
    codes = np.array([[1, 2, 3], [4, 5, 0]], dtype=np.int32)
    rows = released_rows(codes, moves((0, 0b000, 4), (0, 0b101, 2), (1, 0b010, 1), (1, 0b111, 9)))
    assert rows.codes.tolist() == [[1, 2, 3], [-1, 2, -1], [4, -1, 0], [-1, -1, -1]]
    assert rows.numbers.tolist() == [4, 2, 1, 9]
    assert suppressed_masks(rows.codes).tolist() == [0b000, 0b101, 0b010, 0b111]


def test_two_readings_of_one_table() -> None:
    """Rows 00 twice, 0* once, 11 three times; k = 3.

    Compatible: 00 and 0* have 3, 11 has 3. As values: 2, 1 and 3.
    """
    codes = np.array([[0, 0], [0, 1], [1, 1]], dtype=np.int32)
    both = readings(codes, moves((0, 0, 2), (1, 2, 1), (2, 0, 3)), k=3)
    assert (both.wildcard.smallest, both.wildcard.highest, both.wildcard.share_below) == (3, 1 / 3, 0.0)
    assert both.wildcard.average == pytest.approx(1 / 3)
    assert (both.value.smallest, both.value.highest) == (1, 1.0)
    assert both.value.average == pytest.approx((2 / 2 + 1 / 1 + 3 / 3) / 6)
    assert both.value.share_below == 3 / 6
    assert readings(codes, moves((0, 0, 2), (1, 2, 1), (2, 0, 3)), k=2).value.share_below == 1 / 6

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples


def recoding(*levels: list[int], leaves: list[list[int]] | None = None, domain: int = 3) -> Recoding:
    codes = tuple(np.array(level, dtype=np.int32) for level in levels)
    counts = leaves if leaves is not None else [[1] * 3] * len(levels)
    return Recoding(codes, tuple(np.array(each, dtype=np.int64) for each in counts), domain)


def test_a_hierarchy_of_rows_counts_its_leaves() -> None:
    found = Recoding.of_rows([[0, 1, 2], [0, 0, 1], [0, 0, 0]], lowest=1)
    assert [each.tolist() for each in found.leaves] == [[1, 1, 1], [2, 1], [3]]
    assert (found.domain, found.height, found.lowest, found.top) == (3, 2, 1, 2)


def test_levels_that_make_no_hierarchy_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="Level 2 splits"):
        recoding([0, 1, 2], [0, 0, 1], [0, 1, 1])
    with pytest.raises(InvalidSetting, match="Level 0 of a hierarchy changes"):
        recoding([0, 2, 1])
    with pytest.raises(InvalidSetting, match="without a leaf count"):
        recoding([0, 1, 2], leaves=[[1, 1]])
    with pytest.raises(InvalidSetting, match="not within 1 to 1"):
        recoding([0, 1, 2], leaves=[[1, 1, 2]], domain=1)
    with pytest.raises(InvalidSetting, match="does not have a code"):
        recoding([0, 1, 2], [0, 0])
    with pytest.raises(InvalidSetting, match="leaf counts for 0"):
        recoding([0, 1, 2], leaves=[])
    with pytest.raises(InvalidSetting, match="leaf counts for 0"):
        Recoding((), (), 3)
    with pytest.raises(InvalidSetting, match="not within 1 to 3"):
        recoding([0, 1, 2], leaves=[[1, 0, 1]])
    with pytest.raises(InvalidSetting, match="does not have a code"):
        recoding([0, 1, 2], [0, 0, -1])
    with pytest.raises(InvalidSetting, match="Levels 0 to 3"):
        Recoding.of_rows([[0, 1], [0, 0]], highest=3)
    with pytest.raises(InvalidSetting, match="Levels -1 to 1"):
        Recoding.of_rows([[0, 1], [0, 0]], lowest=-1)
    with pytest.raises(InvalidSetting, match="Levels 1 to 0"):
        Recoding.of_rows([[0, 1], [0, 0]], lowest=1, highest=0)
    assert Recoding.of_rows([[0, 1], [0, 0]], lowest=1, highest=1).top == 1
    assert recoding([0, 1, 2], leaves=[[1, 3, 1]]).top == 0


def test_criteria_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="cell size cannot be 0"):
        Criterion(0)
    with pytest.raises(InvalidSetting, match=r"average risk is 1\.5"):
        Criterion(average=1.5)
    with pytest.raises(InvalidSetting, match="limit cannot be 15"):
        Criterion(5, limit=15)

    with pytest.raises(InvalidSetting, match=r"cap risk is 0"):
        Criterion(cap=0.0)
    with pytest.raises(InvalidSetting, match=r"limit cannot be -0\.1"):
        Criterion(limit=-0.1)


def test_criteria_at_the_ends_are_allowed() -> None:
    assert Criterion(1, average=1.0, cap=1.0, limit=1.0).smallest == 1
    assert Criterion().may_suppress(1000) == 0
    assert Criterion(limit=1.0).may_suppress(1000) == 1000


def test_the_cap_is_a_cell_size() -> None:
    assert Criterion(cap=1 / 3).smallest == 3
    assert Criterion(cap=0.33).smallest == 4
    assert Criterion(5, cap=0.5).smallest == 5


def test_the_limit_in_records_is_not_spoiled_by_rounding() -> None:
    assert Criterion(limit=0.29).may_suppress(100) == 29
    assert Criterion(limit=0.02).may_suppress(30162) == 603


def test_counts_must_fit_their_tuples() -> None:
    with pytest.raises(InvalidSetting, match="3 counts"):
        Tuples(np.zeros((2, 2), dtype=np.int32), np.ones(3, dtype=np.int64))
    with pytest.raises(InvalidSetting, match="1 counts"):
        Tuples(np.zeros(1, dtype=np.int32), np.ones(1, dtype=np.int64))
    with pytest.raises(NothingToMeasure, match="no quasi-identifiers"):
        Tuples(np.zeros((2, 0), dtype=np.int32), np.ones(2, dtype=np.int64))
    with pytest.raises(InvalidSetting, match="code less than 0"):
        Tuples(np.array([[0, -1]], dtype=np.int32), np.ones(1, dtype=np.int64))
    assert Tuples(np.zeros((1, 2), dtype=np.int32), np.array([4])).records == 4
    with pytest.raises(InvalidSetting, match="less than 1"):
        Tuples(np.zeros((2, 2), dtype=np.int32), np.zeros(2, dtype=np.int64))

"""Losses cell by cell: against the lattice search, against a count in plain Python, and by hand."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.search import evaluate
from reidrisk.stats.utility import ReleasedTuples, distribution, utility
from tests.stats.lattice.tables import tables

Table = tuple[Tuples, list[Recoding]]


@st.composite
def releases(draw: st.DrawFn) -> ReleasedTuples:
    """A random table at random levels with random stars; records of a tuple may differ in theirs."""
    tuples, recodings = draw(tables())
    levels = tuple(draw(st.integers(0, recoding.height)) for recoding in recodings)
    masks = st.integers(0, (1 << len(levels)) - 1)
    moves = [(row, draw(masks)) for row, count in enumerate(tuples.counts.tolist()) for _ in range(count)]
    rows, starred = (np.array(column, dtype=np.int64) for column in zip(*moves, strict=True))
    return ReleasedTuples(tuples, recodings, levels, (rows, starred, np.ones(len(rows), dtype=np.int64)))


def cells(released: ReleasedTuples) -> list[list[tuple[int, int | None]]]:
    """Each record's cells as value before and code after, None for a star."""
    found = []
    for row, mask, number in zip(*(column.tolist() for column in released.moves), strict=True):
        values = released.tuples.codes[row].tolist()
        pairs: list[tuple[int, int | None]] = [
            (value, None if mask >> c & 1 else int(released.general(c)[value]))
            for c, value in enumerate(values)
        ]
        found += [pairs] * number
    return found


def whole_records(
    tuples: Tuples, recodings: list[Recoding], levels: tuple[int, ...], k: int
) -> ReleasedTuples:
    """Star all of each record in a class below k."""
    general = np.stack(
        [r.levels[at][tuples.codes[:, c]] for c, (r, at) in enumerate(zip(recodings, levels, strict=True))]
    )
    sizes: Counter[tuple[int, ...]] = Counter()
    keys = [tuple(key) for key in general.T.tolist()]
    for key, count in zip(keys, tuples.counts.tolist(), strict=True):
        sizes[key] += count
    everything = (1 << len(levels)) - 1
    masks = np.array([everything if sizes[key] < k else 0 for key in keys], dtype=np.int64)
    return ReleasedTuples(tuples, recodings, levels, (np.arange(len(masks)), masks, tuples.counts))


@given(tables(), st.data(), st.integers(1, 6))
@settings(max_examples=15)
def test_whole_starred_records_lose_what_the_lattice_search_says(
    table: Table, data: st.DataObject, k: int
) -> None:
    tuples, recodings = table
    levels = tuple(data.draw(st.integers(r.lowest, r.top)) for r in recodings)
    found = utility(whole_records(tuples, recodings, levels, k))

    def score(loss: str) -> float:
        return evaluate(tuples, recodings, Criterion(k), loss, levels).score  # type: ignore[arg-type]

    assert 1 - found.precision == pytest.approx(score("prec"), abs=1e-9)
    assert found.loss_gm == pytest.approx(score("loss_gm"), abs=2e-9)
    assert found.loss_am == pytest.approx(score("loss_am"), abs=2e-9)


@given(tables(), st.data())
@settings(max_examples=20)
def test_without_stars_entropy_and_discernibility_are_those_of_the_search(
    table: Table, data: st.DataObject
) -> None:
    tuples, recodings = table
    levels = tuple(data.draw(st.integers(r.lowest, r.top)) for r in recodings)
    found = utility(ReleasedTuples.generalized_only(tuples, recodings, levels))
    assert found.entropy == pytest.approx(
        evaluate(tuples, recodings, Criterion(1), "entropy", levels).score, abs=1e-8
    )
    assert found.discernibility == evaluate(tuples, recodings, Criterion(1), "dm", levels).score


@given(releases())
@settings(max_examples=20)
def test_against_cell_by_cell_sums(released: ReleasedTuples) -> None:
    rows, found = cells(released), utility(released)
    records = len(rows)
    precision, bits = [], []
    for c, (recoding, level) in enumerate(zip(released.recodings, released.levels, strict=True)):
        step = level / recoding.height if recoding.height else 0.0
        column = [row[c] for row in rows]
        precision.append(sum(1 if after is None else step for _, after in column) / records)
        values = Counter(before for before, _ in column)
        general = Counter(int(released.general(c)[before]) for before, _ in column)
        bits.append(
            sum(
                math.log2((records if after is None else general[after]) / values[before])
                for before, after in column
            )
        )
        assert found.columns[c].suppressed == sum(after is None for _, after in column)
        assert found.columns[c].precision == pytest.approx(1 - precision[-1])
        assert found.columns[c].entropy == pytest.approx(bits[-1], abs=1e-9)
    assert found.precision == pytest.approx(1 - sum(precision) / len(precision))
    assert found.entropy == pytest.approx(sum(bits), abs=1e-9)
    classes = Counter(tuple(after for _, after in row) for row in rows)
    whole = sum(number for values, number in classes.items() if set(values) == {None})
    squares = sum(number**2 for values, number in classes.items() if set(values) != {None})
    assert found.discernibility == squares + records * whole


@given(releases(), st.data())
@settings(max_examples=20)
def test_another_star_never_gains(released: ReleasedTuples, data: st.DataObject) -> None:
    rows, masks, numbers = released.moves
    more = masks.copy()
    more[data.draw(st.integers(0, len(masks) - 1))] |= 1 << data.draw(st.integers(0, released.columns - 1))
    before = utility(released)
    after = utility(
        ReleasedTuples(released.tuples, released.recodings, released.levels, (rows, more, numbers))
    )
    assert after.precision <= before.precision + 1e-12
    assert after.entropy >= before.entropy - 1e-9
    assert after.loss_gm >= before.loss_gm - 1e-12
    assert after.loss_am >= before.loss_am - 1e-12


def small() -> ReleasedTuples:
    """Four ages, two of them joined by level 1; one record of three in the first is starred."""
    codes = np.array([[0], [1], [2], [3]], dtype=np.int32)
    tuples = Tuples(codes, np.array([3, 1, 2, 2]))
    recoding = Recoding.of_rows([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]])
    rows: Ints = np.array([0, 0, 1, 2, 3])
    return ReleasedTuples(
        tuples, [recoding], (1,), (rows, np.array([0, 1, 0, 0, 0]), np.array([2, 1, 1, 2, 2]))
    )


def test_by_hand() -> None:
    found = utility(small())
    assert found.precision == pytest.approx(1 - (7 * 0.5 + 1) / 8)
    assert found.discernibility == 9 + 16 + 8
    bits = 2 * math.log2(4 / 3) + math.log2(8 / 3) + math.log2(4) + 4 * math.log2(2)
    assert found.entropy == pytest.approx(bits)
    assert found.loss_am == pytest.approx((7 * 0.5 + 1 - 2) / (8 - 2))
    assert found.loss_gm == pytest.approx(found.loss_am)


def test_shares_of_one_column() -> None:
    found = distribution(small(), 0)
    assert found.before.tolist() == [3 / 8, 1 / 8, 2 / 8, 2 / 8]
    assert found.generalized.tolist() == [4 / 8, 4 / 8]
    assert found.after.tolist() == [3 / 8, 4 / 8]
    assert found.suppressed == 1 / 8


@given(releases())
def test_shares_add_up(released: ReleasedTuples) -> None:
    for column in range(released.columns):
        found = distribution(released, column)
        assert found.before.sum() == pytest.approx(1)
        assert found.generalized.sum() == pytest.approx(1)
        assert found.after.sum() + found.suppressed == pytest.approx(1)
        assert np.all(found.after <= found.generalized + 1e-12)


def test_weights_say_which_column_counts() -> None:
    codes = np.array([[0, 0], [1, 1]], dtype=np.int32)
    hierarchy = Recoding.of_rows([[0, 1], [0, 0]])
    released = ReleasedTuples.generalized_only(
        Tuples(codes, np.array([1, 1])), [hierarchy, hierarchy], (0, 1)
    )
    assert utility(released).precision == 0.5
    assert utility(released, weights=[1, 0]).precision == 1
    assert utility(released, weights=[1, 3]).loss_am == 0.75
    for weights in ([1.0], [0.0, 0.0], [1.0, -1.0]):
        with pytest.raises(InvalidSetting, match="weights"):
            utility(released, weights=weights)


def test_what_does_not_fit_is_refused() -> None:
    good = small()
    rows, masks, numbers = good.moves
    for levels, moves, words in [
        ((1, 1), good.moves, "hierarchies"),
        ((3,), good.moves, "Level 3"),
        ((1,), (rows, masks * 2, numbers), "does not exist"),
        ((1,), (rows, masks, numbers + 1), "every record exactly once"),
    ]:
        with pytest.raises(InvalidSetting, match=words):
            ReleasedTuples(good.tuples, good.recodings, levels, moves)


def test_suppressed_cells_of_merged_tuples_are_spread_like_the_values() -> None:
    """Two and four records have the values of the first tuple; three of its six cells are suppressed."""
    recoding = Recoding.of_rows([[0, 1, 2], [0, 0, 1], [0, 0, 0]])
    released = ReleasedTuples(
        Tuples(np.array([[0], [2]], dtype=np.int32), np.array([6, 2])),
        [recoding],
        (1,),
        (np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3, 3, 2])),
        (np.array([2, 4, 2]),),
    )
    shown = 1 * math.log2(6 / 2) + 2 * math.log2(6 / 4) + 2 * math.log2(2 / 2)
    gone = 1 * math.log2(8 / 2) + 2 * math.log2(8 / 4)
    assert utility(released).entropy == pytest.approx(shown + gone)

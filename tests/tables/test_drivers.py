from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.core.classes import ClassSizes
from reidrisk.engine.duckdb import tuple_sets as engine
from reidrisk.engine.duckdb.packed_tuples import PackedTuples
from reidrisk.engine.duckdb.table import open_embedded as open_table
from reidrisk.stats.sampled_classes import SampledClasses
from reidrisk.tables.drivers import DriverCounts, DriverLimits, count_drivers
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.risk import measure_table

VALUES: list[list[Any]] = [
    [None, "a", "b", ""],
    [None, -3, 7],
    [None, date(1900, 1, 1), date(2031, 5, 5), date(2031, 5, 6)],
    [None, True, False],
    [None, 1.5, float("nan"), 0.0],
    [None, Decimal("1.10"), Decimal("2.25")],
]
KINDS = [pa.string(), pa.int64(), pa.date32(), pa.bool_(), pa.float64(), pa.decimal128(5, 2)]
tables = st.lists(st.tuples(*[st.integers(0, len(values) - 1) for values in VALUES]), min_size=1, max_size=25)
LOOKING = DriverLimits(most_untested=0, sample=1)
SAMPLING = DriverLimits(most_exact=0, most_untested=0, sample=1)


def frame(rows: list[tuple[int, ...]]) -> pa.Table:
    columns = {
        f"q{place}": pa.array([VALUES[place][row[place]] for row in rows], kind)
        for place, kind in enumerate(KINDS)
    }
    return pa.table(columns)


def found_in(rows: Any, limits: DriverLimits | None = None) -> DriverCounts:
    with open_table(rows) as table:
        return count_drivers(table, table.columns, limits)


def sizes_of(rows: list[tuple[int, ...]], places: tuple[int, ...]) -> ClassSizes:
    return ClassSizes.of(Counter(tuple(row[place] for place in places) for row in rows).values())


def smallest(rows: list[tuple[int, ...]], width: int) -> list[tuple[int, ...]]:
    every = [places for size in range(1, width + 1) for places in combinations(range(width), size)]
    unique = [places for places in every if sizes_of(rows, places).smallest == 1]
    return [places for places in unique if not any(set(other) < set(places) for other in unique)]


def named(places: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"q{place}" for place in places)


@settings(max_examples=10, deadline=None)
@given(tables)
def test_equal_to_a_count_of_every_set(rows: list[tuple[int, ...]]) -> None:
    width = len(VALUES)
    minimal = smallest(rows, width)
    for limits in (None, LOOKING):
        found = found_in(frame(rows), limits)
        assert found.sizes == sizes_of(rows, tuple(range(width)))
        rest = [tuple(place for place in range(width) if place != gone) for gone in range(width)]
        assert [one.columns for one in found.without] == [named(places) for places in rest]
        assert [one.sizes for one in found.without] == [sizes_of(rows, places) for places in rest]
        assert [one.columns for one in found.singling] == [named(places) for places in minimal]
        assert [one.sizes for one in found.singling] == [sizes_of(rows, places) for places in minimal]
        assert found.complete


@settings(max_examples=10, deadline=None)
@given(tables)
def test_the_smallest_sets_stay_exact_where_shares_are_sampled(rows: list[tuple[int, ...]]) -> None:
    found = found_in(frame(rows), SAMPLING)
    assert [one.columns for one in found.singling] == [named(one) for one in smallest(rows, len(VALUES))]
    assert found.complete


def generated(number: int, seed: int = 1) -> pa.Table:
    rng = np.random.default_rng(seed)
    columns = {
        "sex": rng.integers(0, 2, number),
        "age": rng.integers(0, 90, number),
        "zip": np.char.add("Z", rng.integers(0, 400, number).astype(str)),
        "race": (7 * rng.random(number) ** 3).astype(int),
        "one": np.full(number, 4),
    }
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def test_sampled_shares_have_an_interval_that_holds() -> None:
    rows = generated(30_000)
    exact = found_in(rows)
    threshold = rr.Threshold.from_cell_size(5, "test")
    intervals = held = 0
    for seed in range(12):
        found = found_in(rows, DriverLimits(most_exact=0, most_untested=0, sample=2000, seed=seed))
        assert [one.columns for one in found.singling] == [one.columns for one in exact.singling]
        for one, true in zip(found.without, exact.without, strict=True):
            share = true.driver(threshold, exact.sizes)
            estimate = one.driver(threshold, exact.sizes)
            if estimate.estimated is None:
                assert estimate == share
                continue
            for name in ("unique_share", "share_above_threshold"):
                low, high = getattr(estimate.estimated, name)
                intervals += 1
                held += low <= getattr(share, name) <= high
                assert low <= getattr(estimate, name) <= high
    assert intervals == 12 * 4 * 2
    assert held >= 0.9 * intervals


def test_a_sample_has_whole_classes_only() -> None:
    rows = generated(5000)
    with open_table(rows) as table, engine.tuple_sets(table, table.columns) as sets:
        for places in ((0, 1, 2), (1, 3), (2,)):
            columns = [rows.column(place).to_pylist() for place in places]
            true = Counter(zip(*columns, strict=True))
            whole = Counter(true.values())
            for draw in (sets.sampled, sets.glimpsed):
                assert all(number <= whole[size] for size, number in draw(places, 4))
            drawn = [sum(number for _, number in sets.sampled(places, 4, seed=seed)) for seed in range(40)]
            assert np.mean(drawn) == pytest.approx(len(true) / 4, rel=0.15)


def test_smaller_tables_of_tuples_are_kept_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = generated(3000)
    exact = found_in(rows)
    monkeypatch.setattr(engine, "LARGE", 0)
    monkeypatch.setattr(engine, "MOST_CLUSTERS", 1)
    with open_table(rows) as table:
        with engine.tuple_sets(table, table.columns) as sets:
            sets.alone((0, 3))
            assert [sorted(one.places) for one in sets.kept] == [[0, 1, 2, 3], [0, 3]]
            assert sum(number for _, number in sets.alone((3,))) == 7
            assert sets.sampled((4,), 4) == sets.alone(()) == ((3000, 1),)
            for places in ((0, 1), (1, 2), (0, 1)):
                sets.glimpsed(places, 2)
        left = table.connection.sql("SELECT count(*) FROM duckdb_tables()").fetchall()
    assert left == [(0,)]
    assert found_in(rows) == exact
    assert found_in(rows, DriverLimits(most_untested=0, sample=10)) == exact


def test_wide_codes_take_several_numbers() -> None:
    rng = np.random.default_rng(2)
    far = {f"q{place}": rng.integers(0, 2**29, 60) for place in range(5)}
    near = {name: np.where(rng.random(60) < 0.5, 0, values) for name, values in far.items()}
    rows = list(zip(*(values.tolist() for values in near.values()), strict=True))
    for limits in (None, LOOKING):
        found = found_in(pa.table(near), limits)
        assert [one.columns for one in found.singling] == [named(one) for one in smallest(rows, 5)]
        assert found.without[0].sizes == sizes_of(rows, (1, 2, 3, 4))


def test_numbers_and_days_beyond_any_range_are_told_apart() -> None:
    rows = duckdb.sql(
        "SELECT unnest([-9223372036854775808, 9223372036854775807, 0]) AS q0, "
        "unnest(['infinity'::DATE, '-infinity'::DATE, NULL]) AS q1, unnest([1::UTINYINT, 1, 1]) AS q2"
    )
    found = found_in(rows)
    assert [one.columns for one in found.singling] == [("q0",), ("q1",)]
    assert [one.sizes.counts for one in found.without] == [((1, 3),)] * 3


def test_one_record_is_singled_out_by_any_column() -> None:
    found = found_in(pa.table({"a": [1], "b": ["x"]}))
    assert [one.columns for one in found.singling] == [("a",), ("b",)]


def test_a_measure_with_a_sample_is_the_same_when_read_again() -> None:
    rows = generated(2000)
    asked = MeasureSettings(driver_limits=DriverLimits(most_exact=0, sample=200, most_looks=0))
    measured = measure_table(rows, rr.Schema(quasi=("sex", "age", "zip")), settings=asked)
    assert isinstance(measured.without[0].sizes, SampledClasses)
    assert TableMeasure.from_dict(measured.to_dict()) == measured
    threshold = rr.Threshold.from_cell_size(5, "test")
    result = measured.risk(threshold).to_dict()
    one = result["without_column"][0]["estimated"]
    assert (one["from"], one["level"]) == ("a sample of classes", 0.95)
    assert one["unique_share"]["low"] <= result["without_column"][0]["unique_share"]


def test_without_drivers_nothing_is_said_about_them() -> None:
    risk = rr.table_risk(generated(200), rr.Schema(quasi=("sex", "age")), drivers=False)
    assert risk.to_dict()["without_column"] == risk.to_dict()["singling_out"] == []
    assert "single out" not in str(risk)
    assert "column adds" not in risk._repr_html_()


def test_an_estimate_and_an_early_end_are_told_in_the_report() -> None:
    limits = DriverLimits(most_exact=0, most_untested=0, sample=200, most_looks=0)
    schema = rr.Schema(quasi=("sex", "age", "zip", "race"))
    measured = measure_table(generated(2000), schema, settings=MeasureSettings(driver_limits=limits))
    risk = measured.risk(rr.Threshold.from_cell_size(5, "test"))
    assert risk.to_dict()["singling_out_complete"] is False
    text = " ".join(str(risk).split())
    assert "estimated from a sample of classes (1 in 16)" in text
    assert "Not all sets were examined" in text
    assert "estimated from a sample of classes" in risk._repr_html_()


def test_texts_with_many_values_beside_numbers_with_many_values_are_packed() -> None:
    rows = np.arange(66_000)
    texts = pa.array([f"{number % 40_000:05d}" for number in rows])
    found = found_in(pa.table({"number": rows, "text": texts}))
    assert found.sizes == ClassSizes(((1, 66_000),))
    assert {one.columns: one.sizes for one in found.without} == {
        ("text",): ClassSizes(((1, 14_000), (2, 26_000))),
        ("number",): ClassSizes(((1, 66_000),)),
    }


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.integers(0, 2**30))
def test_tuples_in_memory_are_counted_as_one_by_one(number: int, seed: int) -> None:
    """Two packed numbers, with classes of every size."""
    rng = np.random.default_rng(seed)
    words = np.unique(rng.integers(0, 1 << 5, (number, 2)) << np.array([55, 0]), axis=0)
    sizes = rng.integers(1, 3, len(words))
    packed = PackedTuples(tuple(np.ascontiguousarray(words[:, at]) for at in (0, 1)), sizes)
    for masks in ((3 << 55, 0), (0, 6), (31 << 55, 31), (1 << 55, 24)):
        classes: Counter[tuple[int, ...]] = Counter()
        for (one, other), size in zip(words.tolist(), sizes.tolist(), strict=True):
            classes[one & masks[0], other & masks[1]] += size
        assert packed.counted(masks) == tuple(sorted(Counter(classes.values()).items()))
        assert packed.has_unique(masks) == (1 in classes.values())

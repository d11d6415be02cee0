"""Counts agree with plain Python, whatever the values and the names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.engine.duckdb.classes import are_all_different, class_sizes, count_distinct, joined_sizes
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from tests.engine.builders import arrow_people, sizes_of

pa = pytest.importorskip("pyarrow")

SMALL = ScanSettings(threads=1)
CELLS = {
    "text": st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=3),
    "whole": st.none() | st.integers(-3, 3),
    "real": st.none() | st.sampled_from([0.5, -1.25, 3.0]),
    "day": st.none() | st.dates(),
    'odd "name", ; select': st.none() | st.booleans(),
}
ROWS = st.lists(st.tuples(*CELLS.values()), max_size=30)
TYPES = pa.schema(zip(CELLS, [pa.string(), pa.int64(), pa.float64(), pa.date32(), pa.bool_()], strict=True))


def made(rows: list[tuple[Any, ...]]) -> DuckTable:
    columns = [[row[place] for row in rows] for place in range(len(CELLS))]
    return open_embedded(pa.table(columns, schema=TYPES), settings=SMALL)


@given(ROWS)
@settings(max_examples=15)
def test_class_sizes_equal_a_counter(rows: list[tuple[Any, ...]]) -> None:
    with made(rows) as table:
        assert class_sizes(table, CELLS) == sizes_of(rows)
        assert class_sizes(table, ["text"]) == sizes_of([row[:1] for row in rows])
        distinct = count_distinct(table, CELLS)
    assert list(distinct.values()) == [len({row[place] for row in rows}) for place in range(len(CELLS))]


@given(ROWS)
@settings(max_examples=15)
def test_distinct_tuples_equal_a_counter(rows: list[tuple[Any, ...]]) -> None:
    with made(rows) as table:
        tuples = distinct_tuples(table, CELLS)
    decoded = [
        tuple(values[code] for values, code in zip(tuples.values, codes, strict=True))
        for codes in tuples.codes
    ]
    assert dict(zip(decoded, tuples.counts.tolist(), strict=True)) == Counter(rows)
    assert len(tuples) == len(set(rows))
    assert tuples.records == len(rows)
    assert tuples.codes.tolist() == sorted(tuples.codes.tolist())
    for place, values in enumerate(tuples.values):
        assert set(values) == {row[place] for row in rows}
        assert None not in values[:-1]


@given(ROWS, ROWS)
@settings(max_examples=15)
def test_joined_sizes_equal_two_counters(rows: list[tuple[Any, ...]], people: list[tuple[Any, ...]]) -> None:
    both = rows + people
    with made(rows) as table, made(both) as population, made(people) as others:
        assert joined_sizes(table, population, CELLS) == pairs_of(rows, both)
        assert joined_sizes(table, others, CELLS) == pairs_of(rows, people)


def pairs_of(rows: list[tuple[Any, ...]], people: list[tuple[Any, ...]]) -> tuple[tuple[int, int, int], ...]:
    sizes, known = Counter(rows), Counter(people)
    tally = Counter((size, known[row]) for row, size in sizes.items())
    return tuple(sorted((*pair, number) for pair, number in tally.items()))


def test_tuples_do_not_depend_on_threads() -> None:
    rows = pa.table({"a": [i * 7919 % 1000 for i in range(50_000)], "b": [i % 3 for i in range(50_000)]})
    one, two = (
        distinct_tuples(open_embedded(rows, settings=ScanSettings(threads=threads)), ["a", "b"])
        for threads in (1, 2)
    )
    assert (one.codes == two.codes).all()
    assert (one.counts == two.counts).all()
    assert one.codes[:, 0].flags.c_contiguous


def test_nothing_is_left_behind_in_the_database() -> None:
    table = open_embedded(arrow_people())
    distinct_tuples(table, ["sex", "age"])
    assert table.connection.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)


def test_numbers_of_two_types_are_comparable_but_numbers_and_texts_are_not() -> None:
    whole = open_embedded(pa.table({"zip": [1, 2]}))
    real = open_embedded(pa.table({"zip": [1.0, 1.0]}))
    text = open_embedded(pa.table({"zip": ["1", "2"]}))
    assert joined_sizes(whole, real, ["zip"]) == ((1, 0, 1), (1, 2, 1))
    with pytest.raises(BadData, match="'zip' is whole number in The frame but text"):
        joined_sizes(whole, text, ["zip"])


def test_unknown_columns_are_refused_with_a_suggestion() -> None:
    table = open_embedded(arrow_people())
    with pytest.raises(UnknownColumn, match="no column 'Region'") as caught:
        class_sizes(table, ["sex", "Region"])
    assert "Did you mean 'region'?" in str(caught.value)
    with pytest.raises(BadData, match=r"Columns are: sex, age, region, born\."):
        distinct_tuples(table, ["zzz"])
    with pytest.raises(InvalidSetting, match="No column"):
        class_sizes(table, [])


KINDS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_marked_in_a_map_of_bits_are_counted_as_they_are(kind: str) -> None:
    """Most rows differ; one value occurs twice, and one cell is empty."""
    low, high = (int(bound) for bound in (np.iinfo(kind).min, np.iinfo(kind).max))
    first = max(low, -4000)
    numbers = [min(high, first + 3 * at) for at in range(6000)]
    cells = [*numbers, numbers[7], None]
    with open_embedded(pa.table({"n": pa.array(cells, getattr(pa, kind)())})) as table:
        assert count_distinct(table, ["n"]) == {"n": len({*numbers}) + 1}
        assert not are_all_different(table, "n")
    with open_embedded(pa.table({"n": pa.array(numbers, getattr(pa, kind)())})) as table:
        wide = kind not in ("int8", "uint8")
        assert are_all_different(table, "n") == (wide and len({*numbers}) == len(numbers))

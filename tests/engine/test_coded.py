from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.engine.duckdb.coded import coded_rows, row_marks
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.errors import UnknownColumn


@given(st.lists(st.tuples(st.none() | st.integers(-5, 5), st.none() | st.sampled_from("abc")), min_size=1))
@settings(max_examples=15)
def test_rows_come_back_in_the_order_of_the_table(rows: list[tuple[int | None, str | None]]) -> None:
    numbers, words = (list(column) for column in zip(*rows, strict=True))
    with open_embedded(
        pa.table({"n": pa.array(numbers, pa.int64()), "w": pa.array(words, pa.string())})
    ) as table:
        found = coded_rows(table, ["w", "n"])
    assert [one.kind for one in found] == ["text", "number"]
    told = [[[*one.values.tolist(), None][code] for code in one.codes.tolist()] for one in found]
    assert told == [words, numbers]
    for one in found:
        assert one.values.tolist() == sorted(set(one.values.tolist()))
        assert one.missing == sum(code == one.values.size for code in one.codes)


def test_files_keep_their_order_too(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"{'abcdefg'[at % 7]},{at}\n" for at in range(5000))
    path.write_text(f"x,y\n{rows}", encoding="utf-8")
    with open_embedded(path) as table:
        y, x = coded_rows(table, ["y", "x"])
    assert np.array_equal(y.codes, np.arange(5000))
    assert x.codes[:10].tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2]
    assert "4999" not in repr(y)


def test_days_and_moments_are_numbers_of_days() -> None:
    day, noon = date(2019, 1, 2), datetime(2019, 1, 2, 12, tzinfo=UTC)
    table = pa.table(
        {"day": [day], "noon": pa.array([noon]), "gone": pa.array([float("inf")]), "yes": [True]}
    )
    with open_embedded(table) as opened:
        found = coded_rows(opened, ["day", "noon", "gone", "yes"])
    assert [one.values.tolist() for one in found] == [
        [day.toordinal()],
        [day.toordinal() + 0.5],
        [],
        ["true"],
    ]
    assert found[2].missing == 1


def test_marks_are_the_same_for_the_same_value_whatever_its_type() -> None:
    marks = []
    for values in ([5, 6, None], [5.0, 6.0, None], ["5", " 6", None]):
        with open_embedded(pa.table({"id": values})) as table:
            marks.append(row_marks(table, "id"))
    for found, empty in marks:
        assert found[:2].tolist() == marks[0][0][:2].tolist()
        assert empty.tolist() == [False, False, True]
    with open_embedded(pa.table({"id": ["05", "5.50", "x"]})) as table:
        others, _ = row_marks(table, "id")
    assert not set(others.tolist()) & set(marks[0][0].tolist())


def test_an_unknown_column_is_refused() -> None:
    with (
        open_embedded(pa.table({"age": [1]})) as table,
        pytest.raises(UnknownColumn, match="Did you mean 'age'"),
    ):
        coded_rows(table, ["agee"])

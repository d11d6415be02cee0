from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.engine.coded import coded_rows
from reidrisk.engine.table import open_table
from reidrisk.errors import UnknownColumn


@given(st.lists(st.tuples(st.none() | st.integers(-5, 5), st.none() | st.sampled_from("abc")), min_size=1))
def test_rows_come_back_in_the_order_of_the_table(rows: list[tuple[int | None, str | None]]) -> None:
    numbers, words = (list(column) for column in zip(*rows, strict=True))
    with open_table(
        pa.table({"n": pa.array(numbers, pa.int64()), "w": pa.array(words, pa.string())})
    ) as table:
        found = coded_rows(table, ["w", "n"])
    assert found.codes.flags.f_contiguous
    told = [(found.values[1][n], found.values[0][w]) for w, n in found.codes.tolist()]
    assert told == rows
    for values in found.values:
        filled = [value for value in values.tolist() if value is not None]
        assert filled == sorted(filled)
        assert None not in values[:-1].tolist()


def test_files_keep_their_order_too(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"{at % 7},{at}\n" for at in range(5000)), encoding="utf-8")
    with open_table(path) as table:
        found = coded_rows(table, ["y", "x"])
    assert np.array_equal(found.codes[:, 0], np.arange(5000))
    assert found.codes[:10, 1].tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2]
    assert "5000" not in repr(found)


def test_an_unknown_column_is_refused() -> None:
    with (
        open_table(pa.table({"age": [1]})) as table,
        pytest.raises(UnknownColumn, match="Did you mean 'age'"),
    ):
        coded_rows(table, ["agee"])

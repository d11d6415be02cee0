from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reidrisk.engine.duckdb.coded import coded_columns
from reidrisk.engine.duckdb.table import open_embedded, table_of
from reidrisk.engine.results import CodedColumns
from reidrisk.errors import BadData, UnknownColumn
from tests.engine.builders import write_out


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_become_codes_in_order_and_numbers_stay(tmp_path: Path) -> None:
    file = written(tmp_path / "a.csv", "county,sex,n\n03,F,2\n01,M,5\n03,M,\n")
    with open_embedded(file) as table:
        found = coded_columns(table.as_stored(()), ["county", "sex"], ["n"])
    assert found.labels == {"county": ("01", "03"), "sex": ("F", "M")}
    rows = sorted(zip(found.codes["county"], found.codes["sex"], found.numbers["n"].tolist(), strict=True))
    assert rows[:2] == [(0, 1, 5.0), (1, 0, 2.0)]
    assert rows[2][:2] == (1, 1)
    assert np.isnan(rows[2][2])
    assert len(found) == 3


def test_an_empty_cell_is_the_last_label(tmp_path: Path) -> None:
    file = written(tmp_path / "a.csv", "sex,n\nF,2\n,5\nM,1\n")
    with open_embedded(file) as table:
        found = coded_columns(table, ["sex"], ["n"])
    assert found.labels["sex"] == ("F", "M", None)


def test_words_are_no_numbers_and_are_counted_not_shown(tmp_path: Path) -> None:
    file = written(tmp_path / "a.csv", "sex,n\nF,secret\nM,2\n")
    with open_embedded(file) as table, pytest.raises(BadData, match="1 value of column 'n'") as error:
        coded_columns(table, ["sex"], ["n"])
    assert "secret" not in str(error.value)


def test_unknown_columns_are_named(tmp_path: Path) -> None:
    file = written(tmp_path / "a.csv", "sex,n\nF,1\nM,2\n")
    with open_embedded(file) as table, pytest.raises(UnknownColumn, match="sexx"):
        coded_columns(table, ["sexx"], ["n"])


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_made_of_columns_reads_back(tmp_path: Path, suffix: str) -> None:
    columns = CodedColumns(
        {"county": ("01", 'a "b", c'), "race": ("x",)},
        {"county": np.array([1, 0, 1], dtype=np.int32), "race": np.zeros(3, dtype=np.int32)},
        {"n": np.array([3.0, 4.0, 2**40]), "share": np.array([0.5, 1.0, 2.0])},
    )
    with table_of(columns, source="made") as table:
        assert table.columns == ("county", "race", "n", "share")
        assert table.types["n"] == "BIGINT"
        write_out(table, tmp_path / f"out{suffix}")
    with open_embedded(tmp_path / f"out{suffix}") as table:
        back = coded_columns(table.as_stored(()), ["county", "race"], ["n", "share"])
    assert back.labels == columns.labels
    assert sorted(back.numbers["n"].tolist()) == [3.0, 4.0, 2**40]
    assert dict(zip(back.numbers["n"], back.codes["county"], strict=True)) == {3.0: 1, 4.0: 0, 2**40: 1}

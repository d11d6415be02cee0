"""The classes of a written file, counted anew."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.engine.duckdb.scan import Form, TextForm
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.errors import UnreadableFile
from tests.engine.builders import smallest_class, smallest_class_of, write_out

pa = pytest.importorskip("pyarrow")

TABLE = pa.table(
    {
        "visit": [1, 1, 2, 3, 3, 3, 4],
        "sex": ["F", "F", "F", None, None, None, None],
        "a;b": ["x\n1", "x\n1", "x\n1", "y", "y", "y", "y"],
    }
)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arrow", ".xlsx", ".sqlite", ".duckdb"])
def test_records_or_units(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{suffix}"
    write_out(open_embedded(TABLE), path)
    assert smallest_class(path, ["sex", "a;b"], suffix=suffix) == 3
    assert smallest_class(path, ["sex", "a;b"], suffix=suffix, unit="visit") == 2
    assert smallest_class(path, ["visit"], suffix=suffix, unit="visit") == 1


def test_a_table_in_memory() -> None:
    assert smallest_class_of(TABLE, ["sex", "a;b"]) == 3
    assert smallest_class_of(TABLE, ["sex"], unit="visit") == 2
    assert smallest_class_of(TABLE.slice(0, 0), ["sex"]) is None


def test_the_delimiter_of_the_source(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_text("sex;born\nF;05/03/1990\nF;05/03/1990\nM;06/03/1990\n")
    opened = open_embedded(source)
    assert opened.form.text is not None
    write_out(opened, tmp_path / "out.csv", like=opened.form)
    assert smallest_class(tmp_path / "out.csv", ["born"], suffix=".csv", like=opened.form) == 1
    pipe = Form(TextForm("|", None, opened.form.text.typed))
    write_out(opened, tmp_path / "pipe.csv", like=pipe)
    assert (tmp_path / "pipe.csv").read_text().startswith("sex|born\n")
    assert smallest_class(tmp_path / "pipe.csv", ["sex", "born"], suffix=".csv", like=pipe) == 1


@pytest.mark.parametrize(
    "suffix", [".csv.gz", ".parquet", ".xlsx", ".sqlite", ".duckdb", ".xpt", ".dta", ".sav"]
)
def test_a_broken_file_is_no_answer(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "broken.part").write_bytes(b"CANARY" * 100)
    with pytest.raises(UnreadableFile) as refused:
        smallest_class(tmp_path / "broken.part", ["sex"], suffix=suffix)
    assert "CANARY" not in str(refused.value)


CELLS = st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=3).map(
    lambda t: t or None
)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12))
@settings(max_examples=15)
def test_csv_classes_are_those_of_the_table(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str | None, str | None]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "t.csv"
    table = pa.table(
        {
            "a": pa.array([row[0] for row in rows], pa.string()),
            "b": pa.array([row[1] for row in rows], pa.string()),
        }
    )
    write_out(open_embedded(table), path)
    assert smallest_class(path, ["a", "b"], suffix=".csv") == min(Counter(rows).values())

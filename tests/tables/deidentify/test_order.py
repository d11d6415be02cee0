"""The order of rows: whether it tells anything, and an order that does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.order import serial_correlation
from reidrisk.engine.table import open_table
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

pa = pytest.importorskip("pyarrow")
TWO = Threshold.from_cell_size(2, "test")


def frame(ages: list[int], **more: list[Any]) -> Any:
    return pa.table({"age": ages, **more})


def test_a_sorted_column_is_told_and_a_shuffled_one_is_not() -> None:
    mixed = np.random.default_rng(3).permutation(2000).tolist()
    table = open_table(frame(sorted(mixed), mixed=mixed, same=[1] * 2000))
    found = serial_correlation(table, ["age", "mixed", "same"])
    assert found["age"] > 0.99
    assert abs(found["mixed"]) < 0.1
    assert found["same"] == 0.0


def test_neighbours_are_units_not_rows() -> None:
    """Rows of a unit are alike of course; what counts is whether the next unit is."""
    ages = np.random.default_rng(5).permutation(1000).tolist()
    table = open_table(frame([age for age in ages for _ in range(3)], unit=[row // 3 for row in range(3000)]))
    assert abs(serial_correlation(table, ["age"], unit="unit")["age"]) < 0.1
    assert serial_correlation(table, ["age"])["age"] > 0.5


def released(ages: list[int], order: str, tmp_path: Path, **more: list[Any]) -> tuple[Any, Any]:
    tens = {"age": Hierarchy.numbers("age", [{"width": 10}]).limited(1, min_level=1)}
    out = tmp_path / f"{order}.parquet"
    options = DeidentifyOptions(order=order)  # type: ignore[arg-type]
    result = deidentify(
        frame(ages, **more), Schema(quasi=("age",)), tens, threshold=TWO, options=options, out=out
    )
    return result, duckdb.read_parquet(str(out)).fetchall()


def test_a_table_sorted_by_what_is_generalized_leaves_in_another_order(tmp_path: Path) -> None:
    ages = sorted(row % 100 for row in range(3000))
    rows = list(range(3000))
    result, out = released(ages, "auto", tmp_path, row=rows)
    assert [row[1] for row in out] != rows
    assert sorted(row[1] for row in out) == rows
    assert any("order would reveal: age" in note for note in result.notes)
    _, same = released(ages, "content", tmp_path, row=rows)
    assert same == out
    kept, order = released(ages, "keep", tmp_path, row=rows)
    assert [row[1] for row in order] == rows
    assert any("the order of the rows reveals" in note for note in kept.notes)


def test_the_order_by_content_follows_from_the_content_alone(tmp_path: Path) -> None:
    """The same records in another order give the same file."""
    people = [(age % 60, f"d{age % 7}") for age in range(2000)]
    mixed = [people[place] for place in np.random.default_rng(9).permutation(len(people))]
    found = [
        released([age for age, _ in rows], "content", tmp_path, drug=[drug for _, drug in rows])[1]
        for rows in (people, mixed)
    ]
    assert found[0] == found[1]


def test_an_order_that_tells_nothing_is_kept(tmp_path: Path) -> None:
    ages = np.random.default_rng(1).integers(0, 100, 3000).tolist()
    result, out = released(ages, "auto", tmp_path, row=list(range(3000)))
    assert [row[1] for row in out] == list(range(3000))
    assert not any("order" in note for note in result.notes)


@pytest.mark.parametrize("treatment", ["pseudonym", "drop"])
def test_an_order_that_tells_an_identifier_is_not_kept(tmp_path: Path, treatment: str) -> None:
    """Numbers given at registration: who came before whom is told by rows in that order."""
    ages = np.random.default_rng(1).integers(0, 100, 3000).tolist()
    table = frame(ages, number=list(range(7000, 10_000)), row=list(range(3000)))
    schema = Schema(quasi=("age",), direct=("number",))
    options = DeidentifyOptions(
        treatments={"number": treatment},  # type: ignore[dict-item]
        key=b"k" * 32 if treatment == "pseudonym" else None,
    )
    out = tmp_path / "out.parquet"
    result = deidentify(table, schema, threshold=TWO, options=options, out=out)
    assert duckdb.read_parquet(str(out)).project("row").fetchall() != [(row,) for row in range(3000)]
    assert any("order would reveal: number" in note for note in result.notes)


def test_units_are_numbered_by_content_too(tmp_path: Path) -> None:
    """Numbers in order of appearance would tell the order that the rows no longer have."""
    visits = [(visit, visit // 20, f"d{visit * k % 11}") for visit in range(2000) for k in range(1, 3)]
    tens = {"age": Hierarchy.numbers("age", [{"width": 10}]).limited(1, min_level=1)}
    files = []
    for name, rows in (("a", visits), ("b", list(reversed(visits)))):
        table = pa.table(dict(zip(("visit", "age", "drug"), map(list, zip(*rows, strict=True)), strict=True)))
        out = tmp_path / f"{name}.csv"
        schema = Schema(quasi=("age",), unit="visit")
        deidentify(table, schema, tens, threshold=TWO, options=DeidentifyOptions(order="content"), out=out)
        files.append(out.read_bytes())
    assert files[0] == files[1]

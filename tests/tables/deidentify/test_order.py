"""The order of rows: whether it tells anything, and an order that does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.duckdb.release import serial_correlation
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.deidentify.search import Watch
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.transform.run import transform_table

pa = pytest.importorskip("pyarrow")
TWO = Threshold.from_cell_size(2, "test")


def frame(ages: list[int], **more: list[Any]) -> Any:
    return pa.table({"age": ages, **more})


def test_a_sorted_column_is_told_and_a_shuffled_one_is_not() -> None:
    mixed = np.random.default_rng(3).permutation(2000).tolist()
    table = open_embedded(frame(sorted(mixed), mixed=mixed, same=[1] * 2000))
    found = serial_correlation(table, ["age", "mixed", "same"])
    assert found["age"] > 0.99
    assert abs(found["mixed"]) < 0.1
    assert found["same"] == 0.0


def test_neighbours_are_units_not_rows() -> None:
    """Rows of a unit are alike of course; what counts is whether the next unit is."""
    ages = np.random.default_rng(5).permutation(1000).tolist()
    table = open_embedded(
        frame([age for age in ages for _ in range(3)], unit=[row // 3 for row in range(3000)])
    )
    assert abs(serial_correlation(table, ["age"], unit="unit")["age"]) < 0.1
    assert serial_correlation(table, ["age"])["age"] > 0.5


def released(ages: list[int], order: str, tmp_path: Path, **more: list[Any]) -> tuple[Any, Any]:
    tens = {"age": Hierarchy.numbers("age", [{"width": 10}]).limited(1, min_level=1)}
    out = tmp_path / f"{order}.parquet"
    options = DeidentifyOptions(order=order)  # type: ignore[arg-type]
    schema = Schema(quasi=("age",), other={"order of the rows": "test"} if order == "keep" else {})
    result = deidentify(frame(ages, **more), schema, tens, threshold=TWO, options=options, out=out)
    return result, duckdb.read_parquet(str(out)).fetchall()


@pytest.mark.parametrize("sort", [True, False])
def test_rows_leave_in_an_order_of_their_own(tmp_path: Path, sort: bool) -> None:
    """Whether the source is sorted by what is generalized or not."""
    ages = np.random.default_rng(1).permutation([row % 100 for row in range(3000)]).tolist()
    ages, rows = sorted(ages) if sort else ages, list(range(3000))
    result, out = released(ages, "random", tmp_path, row=rows)
    assert result.to_dict()["settings"]["order"] == "random"
    assert abs(np.corrcoef([row[1] for row in out], rows)[0, 1]) < 0.1
    assert sorted(row[1] for row in out) == rows
    assert not any("order" in note for note in result.notes)
    assert released(ages, "auto", tmp_path, row=rows)[1] == out, "auto is another name of it"
    _, same = released(ages, "content", tmp_path, row=rows)
    assert same == sorted(out)
    kept, order = released(ages, "keep", tmp_path, row=rows)
    assert [row[1] for row in order] == rows
    [note] = [note for note in kept.notes if "order of the source, a join key" in note]
    assert ("generalized or removed: age" in note) is sort


def test_an_order_that_is_kept_must_be_accepted_by_name(tmp_path: Path) -> None:
    table, options = frame([row % 50 for row in range(500)]), DeidentifyOptions(order="keep")
    done = deidentify(table, Schema(quasi=("age",)), threshold=TWO, options=options, out=tmp_path / "a.csv")
    assert not done.acceptable
    assert not (tmp_path / "a.csv").exists()
    [item] = done.to_dict()["unmeasured"]
    assert (item["item"], item["role"]) == ("order of the rows", "order")
    schema = Schema(quasi=("age",), other={"order of the rows": "drawn at random by the registry"})
    done = deidentify(table, schema, threshold=TWO, options=options, out=tmp_path / "b.csv")
    assert done.acceptable
    [entry] = [one for one in done.to_dict()["inventory"] if one["role"] == "order"]
    assert (entry["status"], entry["reason"]) == ("accepted", "drawn at random by the registry")


def joined_by_row_number(first: Path, second: Path, names: tuple[str, str]) -> list[tuple[Any, Any]]:
    """A column of each of two files, side by side."""
    columns = (
        duckdb.read_csv(str(path)).project(name) for path, name in zip((first, second), names, strict=True)
    )
    left, right = ([row[0] for row in column.fetchall()] for column in columns)
    return list(zip(left, right, strict=True))


@pytest.mark.parametrize("unit", [None, "person"])
@pytest.mark.parametrize("key", [None, b"the same key of thirty-two bytes"])
def test_two_releases_cannot_be_joined_by_row_number(
    tmp_path: Path, unit: str | None, key: bytes | None
) -> None:
    """Each is safe; one has the first half of what is known about people and the other the second half."""
    rng, people = np.random.default_rng(11), 2000
    age, town = rng.integers(0, 100, people).tolist(), rng.integers(0, 100, people).tolist()
    table = pa.table({"age": age, "town": town} | ({"person": list(range(people))} if unit else {}))
    files = []
    for quasi, other in (("age", "town"), ("town", "age")):
        files.append(tmp_path / f"{quasi}.csv")
        schema = Schema(quasi=(quasi,), unit=unit)
        treatments: Any = {other: "drop"}
        options = DeidentifyOptions(treatments=treatments, key=key)
        done = deidentify(table, schema, threshold=TWO, options=options, out=files[-1], watch=Watch(seed=7))
        assert done.to_dict()["after"]["unique_share"] == 0
    found = joined_by_row_number(files[0], files[1], ("age", "town"))
    true = set(zip(age, town, strict=True))
    by_chance = sum((a, t) in true for a, t in zip(age, rng.permutation(town).tolist(), strict=True))
    assert sum(pair in true for pair in found) < 1.5 * by_chance < people / 3


@pytest.mark.parametrize("order", ["random", "content"])
@pytest.mark.parametrize("unit", [None, "person"])
def test_the_source_in_another_order_gives_the_same_bytes(
    tmp_path: Path, unit: str | None, order: Any
) -> None:
    rng = np.random.default_rng(2)
    table = pa.table(
        {
            "person": [row // 3 for row in range(900)],
            "age": [row // 3 % 60 for row in range(900)],
            "drug": [f"d{n}" for n in rng.integers(0, 9, 900)],
            "dose": rng.integers(0, 50, 900).tolist(),
        }
    )
    tens, files = {"age": Hierarchy.numbers("age", [{"width": 10}]).limited(1, min_level=1)}, []
    for name, places in (("a", list(range(900))), ("b", rng.permutation(900).tolist())):
        files.append(tmp_path / f"{name}.csv")
        options = DeidentifyOptions(order=order, treatments={} if unit else {"person": "drop"})
        source = table.take(places)
        deidentify(
            source, Schema(quasi=("age",), unit=unit), tens, threshold=TWO, options=options, out=files[-1]
        )
    assert files[0].read_bytes() == files[1].read_bytes()


def test_another_seed_gives_another_order_of_the_same_rows(tmp_path: Path) -> None:
    table, found = frame([row % 50 for row in range(500)], row=list(range(500))), []
    for seed in (7, 7, 8):
        out = tmp_path / "out.csv"
        deidentify(table, Schema(quasi=("age",)), threshold=TWO, out=out, watch=Watch(seed=seed))
        found.append(out.read_text().splitlines())
    assert found[0] == found[1] != found[2]
    assert sorted(found[0]) == sorted(found[2])


def test_a_transformed_table_cannot_be_joined_by_row_number(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = {"age": rng.integers(0, 500, 1000).tolist(), "town": rng.integers(0, 500, 1000).tolist()}
    step = {"kind": "tails", "column": "age", "top": 0.01}
    for drop, keep in (("town", "age"), ("age", "town")):
        chosen = {**step, "column": keep}
        transform_table(pa.table(rows), [chosen], tmp_path / f"{keep}.csv", drop=[drop])
    found = joined_by_row_number(tmp_path / "age.csv", tmp_path / "town.csv", ("age", "town"))
    true = set(zip(rows["age"], rows["town"], strict=True))
    assert sum(pair in true for pair in found) < 25
    kept = transform_table(pa.table(rows), [step], tmp_path / "kept.csv", order="keep")
    assert any("order of the source, a join key" in warning for warning in kept.warnings)
    assert [row[1] for row in duckdb.read_csv(str(tmp_path / "kept.csv")).fetchall()] == rows["town"]
    transform_table(pa.table(rows), [step], tmp_path / "sorted.csv", order="content")
    ages = [row[0] for row in duckdb.read_csv(str(tmp_path / "sorted.csv")).fetchall()]
    assert ages == sorted(ages)


def test_the_order_by_content_follows_from_the_content_alone(tmp_path: Path) -> None:
    """The same records in another order give the same file."""
    people = [(age % 60, f"d{age % 7}") for age in range(2000)]
    mixed = [people[place] for place in np.random.default_rng(9).permutation(len(people))]
    found = [
        released([age for age, _ in rows], "content", tmp_path, drug=[drug for _, drug in rows])[1]
        for rows in (people, mixed)
    ]
    assert found[0] == found[1]


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
    deidentify(table, schema, threshold=TWO, options=options, out=out)
    assert duckdb.read_parquet(str(out)).project("row").fetchall() != [(row,) for row in range(3000)]


def test_units_are_numbered_by_content_too(tmp_path: Path) -> None:
    """Numbers in order of appearance would tell the order that the rows no longer have."""
    visits = [(visit, visit // 20, f"d{visit * k % 11}") for visit in range(2000) for k in range(1, 3)]
    tens = {"age": Hierarchy.numbers("age", [{"width": 10}]).limited(1, min_level=1)}
    files = []
    for name, rows in (("a", visits), ("b", list(reversed(visits)))):
        table = pa.table(dict(zip(("visit", "age", "drug"), map(list, zip(*rows, strict=True)), strict=True)))
        out = tmp_path / f"{name}.csv"
        schema = Schema(quasi=("age",), unit="visit")
        deidentify(table, schema, tens, threshold=TWO, options=DeidentifyOptions(), out=out)
        files.append(out.read_bytes())
    assert files[0] == files[1]

"""What a release loses without anyone asking: fully suppressed columns, and rows that a rule overwrites."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.report.codebook import codebook_text
from reidrisk.tables.hierarchy.hierarchy import hierarchies_from

FIVE = rr.Threshold.from_cell_size(5, "test")
RULES = hierarchies_from(
    {
        "zip": {"kind": "prefix", "lengths": [3], "suppress": True},
        "age": {"kind": "number", "levels": [10, 20]},
    },
    folder=Path(),
    place="test: ",
)


def people(number: int = 400, seed: int = 3) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "zip": [f"{n:05}" for n in rng.integers(43000, 48000, number)],
            "age": rng.integers(20, 60, number),
            "dose": rng.integers(0, 5, number),
        }
    )


def run(table: pa.Table, rules: Any = RULES, limit: float = 0.02, **more: Any) -> Any:
    schema = rr.Schema(quasi=("zip", "age"), other={"dose": "made up"})
    asked = rr.DeidentifyOptions(**more)
    return rr.deidentify(table, schema, rules, threshold=FIVE, max_suppression=limit, options=asked)


def views(result: Any) -> list[str]:
    shown = (str(result), codebook_text(result.to_dict()), re.sub(r"<[^>]+>", "", result._repr_html_()))
    return [" ".join(text.split()) for text in shown]


def test_a_column_at_the_top_of_its_hierarchy_is_named_with_the_choice_that_keeps_it() -> None:
    result = run(people())
    said = result.to_dict()
    assert said["solution"]["levels"]["zip"] == "suppressed"
    [row] = said["fully_suppressed"]
    assert set(row) == {"column", "reason", "choice"}
    assert (row["column"], "every cell has the same value" in row["reason"]) == ("zip", True)
    terminal, codebook, notebook = views(result)
    assert all("No detail left in zip" in view for view in (terminal, codebook, notebook))
    assert "To keep it, limit its generalization" in terminal
    assert "To keep it" not in codebook
    option = re.search(r"--max-level '?zip=([^'.]+?)'?\.", row["choice"])
    assert option is not None
    kept = run(people(), max_level={"zip": option[1]})
    assert kept.acceptable
    assert "zip" not in [one["column"] for one in kept.to_dict()["fully_suppressed"]]


def test_the_named_choice_has_a_solution() -> None:
    """With one age there is room for the ZIP code; the loss preferred another combination."""
    rules = hierarchies_from(
        {
            "zip": {"kind": "prefix", "lengths": [2], "suppress": True},
            "age": {"kind": "number", "levels": [5, 10, 20, 40], "suppress": True},
        },
        folder=Path(),
        place="test: ",
    )
    result = run(people(2000), rules, weights={"age": 50.0})
    [row] = result.to_dict()["fully_suppressed"]
    assert row["column"] == "zip"
    option = re.search(r"--max-level '?zip=([^'.]+?)'?\. ", row["choice"])
    assert option is not None
    kept = run(people(2000), rules, weights={"age": 50.0}, max_level={"zip": option[1]})
    assert kept.acceptable
    assert "zip" not in [one["column"] for one in kept.to_dict()["fully_suppressed"]]


def test_a_column_whose_cells_are_all_suppressed_needs_a_hierarchy() -> None:
    table = pa.table({"zip": [f"{n:05}" for n in range(50)], "age": [30] * 50, "dose": [1] * 50})
    result = run(table, {}, limit=1.0)
    [row] = result.to_dict()["fully_suppressed"]
    assert (row["column"], row["reason"]) == ("zip", "every cell is suppressed")
    assert "give it a generalization hierarchy" in row["choice"]


def test_a_column_without_a_way_to_keep_it_says_what_else_would() -> None:
    """Every ZIP code is another one: nothing but more suppression would keep them."""
    rules = hierarchies_from(
        {"zip": {"kind": "prefix", "lengths": [4], "suppress": True}}, folder=Path(), place=""
    )
    table = pa.table({"zip": [f"{n * 10:05}" for n in range(60)], "age": [30] * 60, "dose": [1] * 60})
    [row] = run(table, rules).to_dict()["fully_suppressed"]
    assert "allow at least 100.0 % of suppressed records" in row["choice"]


def test_nothing_is_said_of_columns_that_are_left() -> None:
    table = pa.table({"zip": ["43001"] * 30 + ["43002"] * 30, "age": [30] * 60, "dose": [1] * 60})
    result = run(table)
    assert result.to_dict()["fully_suppressed"] == []
    assert not any("No detail left" in view for view in views(result))


def visits() -> pa.Table:
    """A hundred people with three visits each, on other days but for the first ten people."""
    rows = [
        (person, "FM"[person % 2], date(2023, 1, 1) + timedelta(days=visit * (person >= 10)))
        for person in range(100)
        for visit in range(3)
    ]
    return pa.table(dict(zip(("person", "sex", "day"), map(list, zip(*rows, strict=True)), strict=True)))


@pytest.mark.parametrize(("rule", "changed"), [("first", 180), ("min", 180), ("max", 180), ("set", 270)])
def test_rows_that_a_rule_overwrites_are_counted_and_named(rule: Any, changed: int) -> None:
    schema = rr.Schema(quasi=("sex", "day"), unit="person", reduce={"day": rule})
    result = rr.deidentify(visits(), schema, {}, threshold=FIVE, max_suppression=1.0)
    said = result.to_dict()
    row = {"column": "day", "rule": rule, "people": 90, "rows_changed": changed, "rows": 300}
    assert said["reduced"] == [row]
    [column] = [one["treatment"] for one in said["codebook"] if one["column"] == "day"]
    assert column.startswith(
        f"every row has the {rule} value of the person: {changed} rows of 300 overwritten; then "
    )
    terminal, codebook, _ = views(result)
    note = "--reduce day={} overwrites {} rows of 300"
    assert note.format(rule, changed) in terminal
    assert "--events day" in terminal
    rounded = changed - changed % 20  # five people have up to 20 rows
    assert f"{note.format(rule, rounded)}, within 90 people" in codebook
    assert f"every row has the {rule} value of the person; then " in codebook
    assert f"{changed} rows" not in codebook or changed == rounded
    released = result.to_arrow()
    assert len(released) == 300


def test_a_rule_that_overwrites_nothing_is_no_reason_for_a_note() -> None:
    table = visits().slice(0, 30)
    schema = rr.Schema(quasi=("sex", "day"), unit="person", reduce={"day": "first"})
    result = rr.deidentify(table, schema, {}, threshold=FIVE, max_suppression=1.0)
    assert result.to_dict()["reduced"][0]["rows_changed"] == 0
    assert not any("overwrites" in note for note in result.notes)


def test_without_a_rule_events_are_recommended_first() -> None:
    schema = rr.Schema(quasi=("sex", "day"), unit="person")
    with pytest.raises(rr.ReidRiskError, match="varies within 90 units") as found:
        rr.deidentify(visits(), schema, {}, threshold=FIVE)
    assert "name it with --events" in str(found.value)

"""Records that are suppressed as a whole: they keep a row without quasi-identifiers, or leave none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.report.codebook import codebook_text

THREE = rr.Threshold.from_cell_size(3, "test")
AGES = [30] * 40 + [41] * 40 + [51, 52, 53, 54]
FEW = [30] * 40 + [41] * 40 + [51, 52]


def people(ages: list[int], rows_each: int) -> pa.Table:
    rows = [(person, age) for person, age in enumerate(ages) for _ in range(rows_each)]
    return pa.table({"person": [row[0] for row in rows], "age": [row[1] for row in rows]})


def run(ages: list[int], unit: str | None, out: Path, **more: Any) -> Any:
    asked = rr.DeidentifyOptions(suppress="records", **more)
    schema = rr.Schema(quasi=("age",), unit=unit, other={} if unit else {"person": "made up"})
    table = people(ages, 2 if unit else 1)
    return rr.deidentify(table, schema, threshold=THREE, max_suppression=0.1, options=asked, out=out)


@pytest.mark.parametrize("method", ["global", "local", "mondrian"])
@pytest.mark.parametrize("records", ["remove", "blank"])
@pytest.mark.parametrize("unit", [None, "person"])
def test_suppressed_records_are_removed_or_blank(
    tmp_path: Path, unit: str | None, records: Any, method: Any
) -> None:
    out, each = tmp_path / "out.csv", 2 if unit else 1
    found = run(AGES, unit, out, records=records, method=method)
    said = found.to_dict()
    ages = [row[0] for row in duckdb.read_csv(str(out)).project("age").fetchall()]
    if method == "mondrian":  # makes groups and has nothing to suppress
        assert len(ages) == 84 * each
        return
    blank = 4 * each if records == "blank" else 0
    assert len(ages) == 80 * each + blank
    assert ages.count(None) == blank
    solution = said["solution"]
    assert (solution["suppressed_records"], solution["removed_records"]) == (4, 0 if blank else 4)
    assert (solution["blank_records"], solution["removed_rows"]) == (
        4 if blank else 0,
        0 if blank else 4 * each,
    )
    assert said["after"]["rows"] == len(ages)
    assert said["settings"]["records"] == records
    words = "4 released with all quasi-identifiers suppressed" if blank else f"4 removed with {4 * each} rows"
    assert f"4 records of 84 (4.8 %) are suppressed: {words}." in said["reasons"]
    shown = "suppressed records keep their rows" if blank else "records are removed from the file"
    assert f" 4 {shown}" in " ".join(str(found).split())
    codebook = " ".join(codebook_text(said).split())
    assert f" 3 {shown}" in codebook  # rounded down to the cell size
    assert "with 8 rows" not in codebook
    assert "age: no values are missing or suppressed." in codebook or blank
    [column] = [one["treatment"] for one in said["codebook"] if one["column"] == "age"]
    assert column.endswith(f"4 records of 84 {'suppressed' if blank else 'removed'}")


@pytest.mark.parametrize("unit", [None, "person"])
def test_too_few_to_hide_are_removed_and_the_result_says_so(tmp_path: Path, unit: str | None) -> None:
    found = run(FEW, unit, tmp_path / "out.csv")
    said, each = found.to_dict(), 2 if unit else 1
    assert said["solution"]["removed_rows"] == 2 * each
    assert said["after"]["rows"] == 80 * each == len(duckdb.read_csv(str(tmp_path / "out.csv")).fetchall())
    few = "are removed from the file{} because they are fewer than the cell size"
    more = f" with {2 * each} rows," if unit else ","
    assert f" 2 records {few.format(more)}" in " ".join(str(found).split())
    assert f" fewer than 3 records {few.format(',')}" in " ".join(codebook_text(said).split())


@pytest.mark.parametrize("suppress", ["records", "cells"])
@pytest.mark.parametrize("records", ["remove", "blank"])
@pytest.mark.parametrize("ages", [AGES, FEW])
def test_one_discernibility(ages: list[int], records: Any, suppress: Any) -> None:
    """All records for each suppressed one, whether it stays as a blank row or not."""
    table, schema = people(ages, 1), rr.Schema(quasi=("age",), other={"person": "made up"})
    asked = rr.DeidentifyOptions(suppress=suppress, records=records, loss="dm")
    done = rr.deidentify(table, schema, threshold=THREE, max_suppression=0.1, options=asked)
    worth = done.to_dict()["solution"]["utility"]
    few = done.to_dict()["solution"]["suppressed_records"]
    if few == len(ages) - 80:
        assert worth["discernibility"] == 2 * 40**2 + len(ages) * few
    assert worth["loss"] == worth["discernibility"]
    local = rr.DeidentifyOptions(suppress="records", records=records, method="local")
    same = rr.deidentify(table, schema, threshold=THREE, max_suppression=0.1, options=local).to_dict()
    assert same["solution"]["utility"]["discernibility"] == 2 * 40**2 + len(ages) * (len(ages) - 80)

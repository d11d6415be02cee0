"""Distinct tuples that do not fit at any level stay inside the engine; solution and release are the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reidrisk.core.limits import Limits
from reidrisk.core.schema import Schema
from reidrisk.engine import budget
from reidrisk.engine.protocol import LeveledTuples
from reidrisk.errors import BadData
from reidrisk.stats.lattice import counted
from reidrisk.tables.deidentify import beyond_memory
from reidrisk.tables.deidentify.beyond_memory import CellSample, draw_cells
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, hierarchies_from

SCHEMA = Schema(quasi=("sex", "age", "zip", "born"), other={"cost": "needed"})
SAME = (
    *("before", "after", "threshold_ladder", "named_solutions", "codebook", "conditions", "candidates"),
    *("reasons", "acceptable", "readings", "fully_suppressed"),
)
LIMITS = Limits(memory="1GB")
RULES = {
    "sex": {"kind": "exact", "suppress": True},
    "age": {"kind": "number", "levels": [5, 10, 30]},
    "zip": {"kind": "prefix", "lengths": [3, 2]},
    "born": {"kind": "date", "levels": ["day", "month", "year"]},
}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of other tests do not count here."""
    monkeypatch.setattr(budget, "_registry", budget._Registry())


def rules() -> dict[str, Hierarchy]:
    return hierarchies_from(RULES, folder=Path(), place="")


def write(path: Path, rows: int, ages: Any, zips: Any, days: Any) -> Path:
    """Write a table with a few missing values."""
    number = np.arange(rows)
    born = np.datetime64("1990-01-01") + np.asarray(days, dtype="timedelta64[D]")
    table = {
        "sex": pa.array(np.where(number % 3 == 0, "F", "M")),
        "age": pa.array(np.asarray(ages, dtype=np.int64), mask=number % 97 == 5),
        "zip": pa.array([f"{code:05d}" for code in np.asarray(zips).tolist()], mask=number % 89 == 7),
        "born": pa.array(born.astype("datetime64[D]")),
        "cost": pa.array(number % 7),
    }
    pq.write_table(pa.table(table), path)
    return path


def uniform(path: Path, rows: int = 3000) -> Path:
    draw = np.random.default_rng(1)
    return write(
        path, rows, draw.integers(0, 90, rows), draw.integers(0, 600, rows), draw.integers(0, 900, rows)
    )


def skewed(path: Path, rows: int = 3000) -> Path:
    """Write a table with one large group and many rare values."""
    draw = np.random.default_rng(2)
    ages = np.minimum(89, draw.geometric(0.08, rows))
    zips = np.where(draw.random(rows) < 0.6, 100, 1 + draw.integers(0, 40, rows) ** 2 % 997)
    return write(path, rows, ages, zips, draw.integers(0, 30, rows) ** 2 % 900)


def nested(path: Path, rows: int = 3000) -> Path:
    """Write a table whose columns follow from each other."""
    draw = np.random.default_rng(3)
    ages = draw.integers(0, 90, rows)
    return write(path, rows, ages, ages * 7 % 300 + draw.integers(0, 20, rows), ages * 9)


def tight(monkeypatch: pytest.MonkeyPatch, tuples: int) -> None:
    """Let so many tuples fit, and no more."""
    monkeypatch.setattr(budget, "TUPLE", int(0.6e9) // tuples)


def release(
    path: Path, out: Path, options: DeidentifyOptions | None = None, limit: float = 0.05
) -> Deidentified:
    return deidentify(path, SCHEMA, rules(), options=options, max_suppression=limit, out=out, limits=LIMITS)


def same_result(wide: Deidentified, narrow: Deidentified) -> None:
    ours, theirs = narrow.to_dict(), wide.to_dict()
    assert {name: ours[name] for name in SAME} == {name: theirs[name] for name in SAME}
    if wide.found is None:
        return
    for name in ("levels", "suppressed_cells", "suppressed_records", "by_column", "optimal", "proof"):
        assert ours["solution"][name] == theirs["solution"][name]
    for name in ("precision", "discernibility", "loss", "search_loss"):
        assert ours["solution"]["utility"][name] == theirs["solution"]["utility"][name]
    assert ours["solution"]["utility"]["entropy"] == pytest.approx(
        theirs["solution"]["utility"]["entropy"], rel=0.02, abs=30
    )
    kept, bits = ([one.pop("information_kept") for one in given["variables"]] for given in (ours, theirs))
    assert kept == pytest.approx(bits, abs=0.02)  # what suppressed records held is known for the sample
    assert ours["variables"] == theirs["variables"]


RECORDS = DeidentifyOptions(suppress="records")
CASES = {
    "cells": (uniform, DeidentifyOptions()),
    "records": (skewed, RECORDS),
    "weights": (nested, replace(RECORDS, loss="loss_am", weights={"zip": 3.0})),
    "precision": (skewed, replace(RECORDS, loss="prec")),
    "discernibility": (skewed, replace(RECORDS, loss="dm")),
    "highest levels": (nested, replace(RECORDS, max_level={"age": "width 10", "born": "year"})),
}


@pytest.mark.parametrize(("make", "options"), CASES.values(), ids=CASES)
def test_the_release_is_the_same_as_with_enough_memory(
    make: Callable[[Path], Path], options: DeidentifyOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / "t.parquet")
    wide = release(path, tmp_path / "wide.csv", options)
    tight(monkeypatch, 700)
    narrow = release(path, tmp_path / "narrow.csv", options)
    assert wide.sampled is None
    assert narrow.sampled is not None
    assert narrow.sampled.optimum_proved
    assert 0 < narrow.sampled.sample_tuples < narrow.sampled.tuples
    assert any("did not fit in memory" in note for note in narrow.notes)
    same_result(wide, narrow)
    if wide.found is not None:
        assert (tmp_path / "narrow.csv").read_bytes() == (tmp_path / "wide.csv").read_bytes()


def test_a_sample_that_misleads_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All drawn records are alike, so that exact values look acceptable; the rest of the table is not."""
    path = tmp_path / "t.parquet"
    draw = np.random.default_rng(5)
    ages, zips = (
        np.append(draw.integers(0, 90, 2400), [50] * 600),
        np.append(draw.integers(0, 600, 2400), [1] * 600),
    )
    write(path, 3000, ages, zips, np.append(draw.integers(0, 900, 2400), [9] * 600))
    release(path, tmp_path / "wide.csv", RECORDS)
    tight(monkeypatch, 700)

    def unfair(stored: LeveledTuples, levels: Any, *, seed: int) -> CellSample:
        drawn = draw_cells(stored, levels, seed=seed)
        crowd = ("M", 50, "00001", date(1990, 1, 10))
        codes = [
            values.tolist().index(value) for values, value in zip(drawn.found.values, crowd, strict=True)
        ]
        some = replace(drawn.found, codes=np.array([codes], dtype=np.int32), counts=np.array([300]))
        return replace(drawn, found=some)

    monkeypatch.setattr(beyond_memory, "draw_cells", unfair)
    narrow = release(path, tmp_path / "narrow.csv", RECORDS)
    assert narrow.sampled is not None
    assert narrow.sampled.sample_tuples == 1
    assert narrow.sampled.misled > 0
    assert narrow.sampled.optimum_proved
    assert (tmp_path / "narrow.csv").read_bytes() == (tmp_path / "wide.csv").read_bytes()


def test_if_choosing_cells_does_not_fit_whole_records_are_suppressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = uniform(tmp_path / "t.parquet")
    whole = release(path, tmp_path / "whole.csv", RECORDS)
    tight(monkeypatch, 700)
    monkeypatch.setattr(beyond_memory, "ROOM_FOR_CELLS", 100)
    narrow = release(path, tmp_path / "narrow.csv")
    assert narrow.sampled is not None
    assert narrow.sampled.whole_records
    assert any("not single cells as requested" in note for note in narrow.notes)
    assert narrow.levels == whole.levels
    assert (tmp_path / "narrow.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    narrow.write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_without_enough_counts_nothing_is_claimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = uniform(tmp_path / "t.parquet")
    tight(monkeypatch, 700)
    monkeypatch.setattr(counted, "MOST_COUNTS", 1)
    narrow = release(path, tmp_path / "narrow.csv", RECORDS)
    assert narrow.acceptable
    assert narrow.after is not None
    assert narrow.after.sizes.smallest >= 5
    found = narrow.to_dict()
    assert not found["solution"]["optimal"]
    assert not found["sampled_search"]["optimum_proved"]
    assert any("may exist" in note for note in narrow.notes)
    assert "may exist" in str(narrow)


def test_the_table_can_be_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = uniform(tmp_path / "t.parquet")
    tight(monkeypatch, 700)
    narrow = release(path, tmp_path / "narrow.csv")
    narrow.write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "narrow.csv").read_bytes()
    skewed(path)
    with pytest.raises(BadData, match="changed"):
        narrow.write(tmp_path / "changed.csv")

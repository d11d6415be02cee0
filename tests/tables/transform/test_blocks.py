"""Tables of any length: every row is changed, a block at a time, and a sample only serves to measure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from reidrisk.core.limits import Limits
from reidrisk.engine.duckdb import blocks
from reidrisk.errors import OverBudget
from reidrisk.tables.transform import applied
from reidrisk.tables.transform.run import TableTransformed, transform_table
from tests.tables.deidentify.study import write_rows

KEY = b"a key of more than sixteen bytes"
HEADER = ("person", "region", "income", "height", "admitted")
ROWS = [
    (
        f"p{n // 3}",
        ["north", "south", "east", ""][n % 7 % 4],
        "" if n % 50 == 7 else n * n % 997,
        1.5 + (n * 7 % 100) / 200,
        f"2020-{1 + n % 12:02}-{1 + n % 27:02}",
    )
    for n in range(430)
]
STEPS: list[dict[str, Any]] = [
    {"kind": "noise", "columns": ["income", "height"], "share": 0.1},
    {"kind": "pram", "column": "region", "keep": 0.6},
    {"kind": "shift_dates", "dates": ["admitted"], "person": "person", "days": 30},
    {"kind": "sample", "share": 0.7, "person": "person"},
]


def run(folder: Path, **given: Any) -> tuple[TableTransformed, list[dict[str, Any]]]:
    source, out = write_rows(folder / "t.csv", HEADER, ROWS), folder / "out.parquet"
    done = transform_table(source, STEPS, out, key=KEY, order="keep", **given)
    return done, pq.read_table(out).to_pylist()


def test_blocks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, rows = run(tmp_path)
    monkeypatch.setattr(blocks, "BLOCK", 64)
    again, others = run(tmp_path)
    assert len(others) == len(rows)
    for one, other in zip(rows, others, strict=True):
        assert one == pytest.approx(other, nan_ok=True)
    for (kind, text, figures), (_, other_text, other_figures) in zip(whole.steps, again.steps, strict=True):
        assert text == other_text, kind
        assert _flat(figures) == pytest.approx(_flat(other_figures))
    assert again.linkage == whole.linkage


def _flat(figures: Any) -> dict[str, Any]:
    """All numbers of the figures, by their place."""
    if isinstance(figures, dict):
        return {f"{key}/{at}": one for key, value in figures.items() for at, one in _flat(value).items()}
    if isinstance(figures, list):
        return {f"{key}/{at}": one for key, value in enumerate(figures) for at, one in _flat(value).items()}
    return {"": figures}


def test_a_sample_of_the_originals_is_compared_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, rows = run(tmp_path)
    monkeypatch.setattr(applied, "MOST_ROWS", 150)
    some, others = run(tmp_path)
    assert rows == others  # what is released does not depend on it
    assert whole.linkage is not None
    assert whole.linkage["sampled"] is None
    assert some.linkage is not None
    drawn = some.linkage["sampled"]
    assert (drawn["what"], drawn["of"]) == ("rows", 430)
    assert 110 < drawn["drawn"] < 190
    assert some.linkage["guesses"] < drawn["drawn"]  # of these, not all are in the released sample
    assert some.linkage["value"] >= whole.linkage["value"] - 0.05
    assert f"a sample of {drawn['drawn']} of 430 originals" in str(some)
    json.dumps(some.to_dict(), allow_nan=False)


def test_what_needs_all_ranks_is_refused_with_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_rows(tmp_path / "t.csv", HEADER, ROWS)
    monkeypatch.setattr("reidrisk.engine.duckdb.replacing.CELL", 10**9)
    step = {"kind": "rank_swap", "columns": ["height"]}
    with pytest.raises(OverBudget, match=r"all 430 rows of 1 column at once.* need about") as caught:
        transform_table(source, [step], tmp_path / "out.csv", limits=Limits(memory="1GB"))
    assert "--memory" in str(caught.value)
    assert not (tmp_path / "out.csv").exists()

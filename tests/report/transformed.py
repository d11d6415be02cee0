"""A transformed table, for tests of its views."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

import reidrisk as rr

KEY = b"a key of more than sixteen bytes"
STEPS = (
    {"kind": "sample", "share": 0.7, "person": "person"},
    {"kind": "tails", "column": "income", "top": 0.05, "bottom": 0.05},
    {"kind": "rank_swap", "columns": ["income", "age"], "within": 0.1},
    {"kind": "noise", "columns": ["income"], "share": 0.1},
    {"kind": "pram", "column": "region", "keep": 0.8},
    {"kind": "shift_dates", "dates": ["admitted"], "person": "person", "days": 90},
    {"kind": "pseudonyms", "columns": ["person"], "release": "one"},
)


def visits() -> pa.Table:
    """Two visits of each of a hundred people."""
    numbers = range(200)
    return pa.table(
        {
            "person": [f"p{n // 2}" for n in numbers],
            "region": ["NSE"[n * n % 3] for n in numbers],
            "income": [20_000 + n * n * 37 % 9973 for n in numbers],
            "age": [20 + n * 7 % 60 for n in numbers],
            "admitted": pa.array([18_000 + n % 365 for n in numbers], pa.int32()).cast(pa.date32()),
        }
    )


@cache
def _result() -> rr.TableTransformed:
    with tempfile.TemporaryDirectory() as folder:
        return rr.transform_table(visits(), STEPS, Path(folder) / "out.parquet", key=KEY)


def transformed() -> dict[str, Any]:
    """Its dictionary, the file named as if it had stayed."""
    found = _result().to_dict()
    return {**found, "out": "out.parquet", "settings": {**found["settings"], "out": "out.parquet"}}

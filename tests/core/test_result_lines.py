"""The short line of every kind of result, and its tables of figures."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.core.frames import figures_of, frame_of, tables_of
from reidrisk.core.result import Result
from reidrisk.report.views import KINDS, draw

STORED = Path(__file__).parents[1] / "results" / "stored.json.gz"


def every_kind() -> list[dict[str, Any]]:
    """One stored result of each kind that was stored."""
    stored = json.loads(gzip.decompress(STORED.read_bytes()))
    found = {one["kind"]: restored(one) for one in stored.values() if isinstance(one, dict) and "kind" in one}
    return [one for kind, one in found.items() if kind in KINDS]


def restored(value: Any) -> Any:
    """Stored results have the numbers of a sentence in its place; here they are a text again."""
    if isinstance(value, dict):
        if set(value) == {"numbers"}:
            return f"numbers {' '.join(value['numbers'])}"
        return {name: restored(inner) for name, inner in value.items()}
    return [restored(inner) for inner in value] if isinstance(value, list) else value


RESULTS = every_kind()


@pytest.mark.parametrize("result", RESULTS, ids=[one["kind"] for one in RESULTS])
def test_a_result_is_one_short_line(result: dict[str, Any]) -> None:
    line = draw(result, "line")
    assert "\n" not in line
    assert 10 < len(line) < 160
    assert not re.search(r"\.(csv|parquet|json|xpt)|\w/\w{3}", line), "a path is not a figure"


@pytest.mark.parametrize("result", RESULTS, ids=[one["kind"] for one in RESULTS])
def test_the_tables_of_a_result_are_frames(result: dict[str, Any]) -> None:
    pytest.importorskip("polars")
    tables = tables_of(result)
    assert len(tables["figures"]) == 1
    assert figures_of(result)["kind"] == result["kind"]
    for rows in tables.values():
        assert frame_of(rows, "polars").height == len(rows)


def test_every_public_result_has_the_short_repr() -> None:
    kinds = [getattr(rr, name) for name in rr.__all__]
    results = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Result)]
    assert len(results) > 25
    assert {kind.__repr__ for kind in results} == {Result.__repr__}

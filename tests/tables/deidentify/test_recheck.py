"""Written files are measured anew, and long work can be stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.engine.duckdb.release import released
from reidrisk.engine.duckdb.scan import Form
from reidrisk.engine.duckdb.verify import table_in_memory
from reidrisk.engine.plans import ReleasePlan
from reidrisk.errors import FailedCheck, Interrupted
from reidrisk.stats.partition.mdav import microaggregate
from reidrisk.tables.deidentify.search import Watch
from reidrisk.tables.deidentify.writing import refuse_disclosure

FIVE = rr.Threshold.from_cell_size(5, "test")
AGES = {"age": rr.Hierarchy.numbers("age", [{"width": 10}, {"width": 60}])}
SECRET = rr.Schema(quasi=("age", "sex"), sensitive=("illness",), other={"person": "a test"})


def people(rows: int = 300) -> pa.Table:
    numbers = range(rows)
    return pa.table(
        {
            "person": [f"p{n // 2}" for n in numbers],
            "age": [20 + (n // 2) * 37 % 60 for n in numbers],
            "sex": ["FM"[(n // 2) * 7 % 11 % 2] for n in numbers],
            "illness": ["abcdef"[(n // 2) * (n // 2) % 6] for n in numbers],
            "cost": [float((n // 2) * 13 % 101) for n in numbers],
        }
    )


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("limits", [{"l": 2, "beta": 3.0}, {"t": 0.5, "delta": 2.5}])
def test_files_that_keep_the_limits_are_written(
    tmp_path: Path, suffix: str, limits: dict[str, float]
) -> None:
    asked: Any = rr.SensitiveLimits(**limits)  # type: ignore[arg-type]
    options, out = rr.DeidentifyOptions(sensitive_limits=asked), tmp_path / f"out.{suffix}"
    for column, unit in (("illness", None), ("cost", "person")):
        schema = replace(SECRET, sensitive=(column,), unit=unit)
        done = rr.deidentify(
            people(), schema, AGES, threshold=FIVE, max_suppression=0.5, options=options, out=out
        )
        assert done.acceptable == out.exists()
        assert done.to_arrow().num_rows > 0 if done.acceptable else True
        out.unlink(missing_ok=True)


def test_a_table_that_breaks_a_limit_is_refused_without_a_value() -> None:
    """Rows that went wrong on the way: every released illness is the same."""
    options = rr.DeidentifyOptions(sensitive_limits=rr.SensitiveLimits(l=2))
    done = rr.deidentify(people(), SECRET, AGES, threshold=FIVE, max_suppression=0.5, options=options)
    found: Any = done.found
    plan = ReleasePlan(found.problem.tuples, (), found.suppressed.blanks(), {})
    right = done.to_arrow()
    wrong = right.set_column(right.column_names.index("illness"), "illness", [["CANARY"] * right.num_rows])
    with table_in_memory(right, Form()) as read:
        refuse_disclosure(found, plan, read, read, "It")
    with (
        table_in_memory(wrong, Form()) as read,
        pytest.raises(FailedCheck, match=r"It: .* more than the limits allow about illness") as refused,
    ):
        refuse_disclosure(found, plan, read, read, "It")
    assert "CANARY" not in str(refused.value)


def test_rows_that_break_a_limit_reach_neither_a_file_nor_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*given: Any, **named: Any) -> Any:
        return released(*given, **named).project("* REPLACE ('CANARY' AS illness)")

    monkeypatch.setattr("reidrisk.engine.duckdb.release.released", wrong)
    options, out = rr.DeidentifyOptions(sensitive_limits=rr.SensitiveLimits(l=2)), tmp_path / "out.csv"
    done = rr.deidentify(people(), SECRET, AGES, threshold=FIVE, max_suppression=0.5, options=options)
    for release in (lambda: done.write(out), done.to_arrow):
        with pytest.raises(FailedCheck, match="more than the limits allow about illness") as refused:
            release()
        assert "CANARY" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_microaggregation_that_is_stopped_is_less_exact_but_keeps_the_cell_size(tmp_path: Path) -> None:
    asked = [0]

    def soon() -> bool:
        asked[0] += 1
        return asked[0] > 1

    points = np.random.default_rng(1).normal(size=(3000, 2))
    counts = np.ones(3000, dtype=np.int64)
    whole, part = (microaggregate(points, counts, 5, stop=stop) for stop in (None, soon))
    assert asked[0] > 1
    assert 1 < len(np.unique(part)) < len(np.unique(whole))
    assert np.bincount(part).min() >= 5
    options, out = rr.DeidentifyOptions(method="microaggregate"), tmp_path / "out.csv"
    schema = rr.Schema(quasi=("age", "cost"), other={"sex": "a test", "person": "a test"})
    done = rr.deidentify(
        people(), schema, threshold=FIVE, options=options, out=out, watch=Watch(stop=lambda: True)
    )
    assert "interrupted" in done.to_dict()["solution"]["proof"]
    assert rr.table_risk(out, schema, threshold=FIVE).acceptable


def test_the_walk_with_secrets_is_stopped_between_two_nodes() -> None:
    options = rr.DeidentifyOptions(sensitive_limits=rr.SensitiveLimits(t=0.3))
    with pytest.raises(Interrupted, match="before it had found any"):
        rr.deidentify(people(), SECRET, AGES, threshold=FIVE, options=options, watch=Watch(stop=lambda: True))


def test_spellings_that_hide_an_order_are_no_reason_to_refuse(tmp_path: Path) -> None:
    """Decimal commas and dates of another country: written as the source spells them."""
    rows = [
        f"{20 + n % 30};{'FM'[n % 2]};{n * 7 % 40},5;{1 + n % 28:02}.{1 + n % 12:02}.2020" for n in range(240)
    ]
    source = tmp_path / "t.csv"
    source.write_text("\n".join(["age;sex;cost;seen", *rows]) + "\n")
    for column in ("cost", "seen"):
        other = {"seen": "a test"} if column == "cost" else {}
        schema = rr.Schema(quasi=("age", "sex"), sensitive=(column,), other=other)
        options = rr.DeidentifyOptions(sensitive_limits=rr.SensitiveLimits(t=0.95, l=2))
        out = tmp_path / "out.csv"
        done = rr.deidentify(
            source, schema, AGES, threshold=FIVE, max_suppression=0.5, options=options, out=out
        )
        assert done.acceptable
        assert out.exists()
        out.unlink()

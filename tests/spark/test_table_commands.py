"""The table commands as a user types them, on a cluster: the same figures and the same released rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from tests.cli.running import Run

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

RULES = """
age: {kind: number, levels: [5, 20]}
region: exact
sex: exact
"""


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files and an empty one; some cells are empty."""
    rng, folder = np.random.default_rng(23), tmp_path_factory.mktemp("people")
    number = 900
    ages = [None if one % 90 == 7 else int(one) for one in rng.integers(18, 95, number)]
    table = pa.table(
        {
            "person": [f"P{one}" for one in range(number)],
            "sex": rng.choice(np.array(["F", "M", None]), number, p=[0.5, 0.48, 0.02]).tolist(),
            "age": pa.array(ages, pa.int64()),
            "region": rng.choice(["north", "süd", "west"], number).tolist(),
            "cost": rng.normal(100, 30, number),
        }
    )
    pq.write_table(table.slice(0, 500), folder / "a.parquet")
    pq.write_table(table.slice(500), folder / "b.parquet")
    pq.write_table(table.slice(0, 0), folder / "c.parquet")
    return folder


def figures(command: Run, *given: Any) -> dict[str, Any]:
    code, out, err = command("table", *given, "--json", "-", "--quiet")
    assert code in (0, 3), err
    found: dict[str, Any] = json.loads(out)
    for name in ("settings", "notes", "version", "versions"):
        found.pop(name, None)
    return found


def same_rows(one: Path, other: Path) -> bool:
    rows = [f"SELECT * FROM read_parquet('{path}')" for path in (one, other)]  # noqa: S608 - our own files
    differ = [f"({left} EXCEPT ALL {right})" for left, right in (rows, rows[::-1])]
    return not duckdb.sql(" UNION ALL ".join(differ)).fetchall()


def test_the_risk_is_that_of_one_machine(spark: Any, command: Run, people: Path) -> None:
    asked = ("risk", people, "--quasi", "sex,age,region", "--direct", "person")
    here = figures(command, *asked)
    there = figures(command, *asked, "--master", spark.sparkContext.master)
    assert here["records"] == 900
    assert there == here


def test_the_release_is_that_of_one_machine(spark: Any, command: Run, people: Path, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    asked = ("deidentify", people, "--quasi", "sex,age,region", "--direct", "person")
    more = ("--hierarchies", tmp_path / "rules.yaml", "--max-suppression", "0.2")
    here = figures(command, *asked, *more, "--out", tmp_path / "here.parquet")
    there = figures(
        command, *asked, *more, "--master", spark.sparkContext.master, "--out", tmp_path / "there"
    )
    assert here["solution"]["levels"]["age"] != "exact", "something must be recoded"
    assert here["solution"]["suppressed_cells"], "and something suppressed"
    assert there["solution"] == here["solution"]
    assert there["after"]["risk_curve"] == here["after"]["risk_curve"]
    assert same_rows(tmp_path / "here.parquet", tmp_path / "there" / "*.parquet")
    to_hive = ("--master", spark.sparkContext.master, "--out", "hive:default.released")
    code, _, error = command("table", *asked, *more, *to_hive)
    assert (code, "--codebook" in error) == (2, True)
    inside = figures(command, *asked, *more, *to_hive, "--codebook", tmp_path / "codebook.md")
    assert inside["solution"] == here["solution"]
    assert inside["files"]["out"] == "hive:default.released"
    spark.table("released").write.parquet(f"file:{tmp_path}/inside")
    assert same_rows(tmp_path / "here.parquet", tmp_path / "inside" / "*.parquet")
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]

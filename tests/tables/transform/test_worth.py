"""What transformations are worth: figures computed a second way, and what they say of simple cases."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.cli.table_deidentify import transform
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.report.page import page
from reidrisk.stats.perturb import column_change, correlation_change
from reidrisk.stats.swap import UNLIKE, Points, own_nearest, partners
from tests.report.transformed import KEY, STEPS, transformed, visits


def run(
    tmp_path: Path, *steps: dict[str, Any], table: pa.Table | None = None, seed: int = 7
) -> dict[str, Any]:
    source = visits() if table is None else table
    return rr.transform_table(source, steps, tmp_path / "out.parquet", key=KEY, seed=seed).to_dict()


def test_a_second_way_to_every_figure_of_numbers() -> None:
    rng = np.random.default_rng(1)
    before = rng.normal(size=(500, 2)) @ np.array([[1.0, 0.5], [0.0, 1.0]])
    after = before + rng.normal(size=before.shape)
    found = column_change(before[:, 0], after[:, 0])
    x, y = before[:, 0].tolist(), after[:, 0].tolist()
    mean = sum(x) / 500
    spread = math.sqrt(sum((a - mean) ** 2 for a in x) / 499)
    lost = sum(abs(a - b) for a, b in zip(x, y, strict=True)) / 500 / (math.sqrt(2) * spread)
    assert found.information_loss == pytest.approx(lost)
    assert found.correlation == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found.variance_ratio == pytest.approx(np.var(y) / np.var(x))
    then, now = (np.corrcoef(table, rowvar=False)[0, 1] for table in (before, after))
    assert correlation_change(before, after) == pytest.approx(abs(then - now))


def test_a_normal_draw_without_regard_to_the_person_loses_two_over_the_root_of_two_pi() -> None:
    rng = np.random.default_rng(3)
    found = column_change(rng.normal(size=200_000), rng.normal(size=200_000))
    assert found.information_loss == pytest.approx(math.sqrt(2 / math.pi), abs=0.01)


def test_columns_that_do_not_vary_or_are_empty_tell_nothing() -> None:
    assert column_change(np.full(3, 2.0), np.array([2.0, 2.0, 3.0])).variance_ratio is None
    assert column_change(np.full(3, np.nan), np.full(3, np.nan)).share_changed is None
    assert correlation_change(np.ones((3, 2)), np.ones((3, 2))) is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=12), st.integers(0, 99))
def test_linkage_is_that_of_a_plain_loop(rows: list[tuple[int, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = np.array(rows, dtype=float)
    after = before.copy()
    after[:, 0] += rng.integers(-1, 2, len(after))
    owner = np.arange(len(rows))
    links = own_nearest(
        Points(before, np.array([False, True])), Points(after, np.array([False, True])), owner, rng
    )
    spread = float(np.std(before[:, 0])) or 1.0
    right = 0.0
    for at, row in enumerate(after):
        apart = [((row[0] - one[0]) / spread) ** 2 + (UNLIKE if row[1] != one[1] else 0.0) for one in before]
        near = [place for place, distance in enumerate(apart) if distance <= min(apart) + 1e-9]
        right += (at in near) / len(near)
    assert (links.guesses, links.originals) == (len(rows), len(rows))
    assert links.right == pytest.approx(right)


def test_every_step_has_figures_and_a_sentence() -> None:
    result = transformed()
    assert [one["kind"] for one in result["steps"]] == [step["kind"] for step in STEPS]
    assert all(one["worth"] and "n/a" not in one["worth"] for one in result["steps"])
    sample, tails, swap, noise, pram, dates, pseudonyms = result["steps"]
    assert sample["rows_after"] == result["rows_after"]
    [row] = tails["by_column"]
    assert row["share_top"] + row["share_bottom"] == pytest.approx(row["share_changed"])
    assert all(0 < row["mean_rank_shift"] < 0.1 for row in swap["by_column"])
    assert swap["largest_correlation_change"] is not None
    assert noise["by_column"][0]["correlation"] < 1
    assert (pram["by_column"][0]["correctable"], dates["intervals_kept"]) == (True, True)
    assert dates["largest_shift"] <= 90
    assert pseudonyms["by_column"][0]["distinct"] == pseudonyms["by_column"][0]["distinct_before"]
    assert (result["acceptable"], result["decided"]) == (None, False)
    assert result["steps_linkage"]["columns"] == ["income", "age", "region", "admitted"]


def test_more_noise_hides_more_and_none_hides_nothing(tmp_path: Path) -> None:
    linked = [
        run(tmp_path, {"kind": "noise", "columns": ["income"], "share": share})["steps_linkage"]["value"]
        for share in (1e-9, 0.5)
    ]
    assert linked[0] > 0.95 > linked[1]
    few = run(tmp_path, {"kind": "pram", "column": "region", "keep": 1.0})["steps_linkage"]
    assert few["share_unchanged"] == 1


def test_a_matrix_without_an_inverse_cannot_be_corrected(tmp_path: Path) -> None:
    [step] = run(tmp_path, {"kind": "pram", "column": "region", "keep": 0.0})["steps"]
    assert step["by_column"][0]["correctable"] is False
    assert "cannot be estimated" in step["worth"]


def test_sizes_of_shifts_are_told_of_many_only(tmp_path: Path) -> None:
    step = {"kind": "shift_dates", "dates": ["admitted"], "person": "person", "days": 50}
    [few] = run(tmp_path, step, table=visits().slice(0, 8))["steps"]
    assert (few["people"], few["mean_shift"], few["largest_shift"]) == (4, None, None)


def test_samples_alone_change_no_value(tmp_path: Path) -> None:
    result = run(tmp_path, {"kind": "sample", "share": 0.5})
    assert result["steps_linkage"] is None
    assert "Linkage" not in page([result])


def test_messages_name_the_place_and_no_value(tmp_path: Path) -> None:
    table = pa.table({"x": ["CANARY", "b", "a", "b"] * 5, "n": [1, 2, 3, 4] * 5})
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"kind": "noise", "columns": ["y"]}, UnknownColumn, "no column 'y'"),
        ({"kind": "noise", "columns": ["x"]}, BadData, "does not contain numbers"),
        ({"kind": "pram", "column": "x", "matrix": {"c": {"c": 1.0}}}, BadData, "is not in the column"),
        ({"kind": "sample", "share": 2}, InvalidSetting, "sample cannot be 2"),
    ]
    for step, error, words in cases:
        with pytest.raises(error, match=r"steps\[1\].*" + words) as found:
            rr.transform_table(table, [{"kind": "sample", "share": 0.9}, step], tmp_path / "out.parquet")
        assert "CANARY" not in str(found.value)
    assert not (tmp_path / "out.parquet").exists()


def test_the_command_writes_a_page_and_the_file_of_steps_is_named(tmp_path: Path) -> None:
    table, config = tmp_path / "t.csv", tmp_path / "steps.yaml"
    table.write_text("age,sex\n" + "\n".join(f"{20 + n % 50},{'FM'[n % 2]}" for n in range(100)) + "\n")
    config.write_text("steps: [{kind: rank_swap, columns: [age], within: 0.2}]\n")
    words = [str(table), "--config", str(config), "--out", str(tmp_path / "o.csv")]
    files = ["--html", str(tmp_path / "p.html"), "--json", str(tmp_path / "r.json")]
    shown = CliRunner().invoke(transform, [*words, *files])
    assert shown.exit_code == 0, shown.output
    assert "rank_swap" in (tmp_path / "p.html").read_text()
    assert json.loads((tmp_path / "r.json").read_text())["steps"][0]["worth"] in " ".join(
        shown.output.split()
    )
    config.write_text("steps: [{kind: rank_swap, columns: [height]}]\n")
    refused = CliRunner().invoke(transform, words)
    assert isinstance(refused.exception, UnknownColumn)
    assert "steps.yaml.steps[0] (rank_swap)" in str(refused.exception)


def test_a_seed_that_is_guessed_undoes_a_swap_and_a_key_prevents_it(tmp_path: Path) -> None:
    """Why a key is advised: the attacker has the released column and the default seed, nothing else."""
    original = [float(n * n % 401) for n in range(401)]
    original = [value + n / 1000 for n, value in enumerate(original)]
    table, step = pa.table({"x": original}), {"kind": "rank_swap", "columns": ["x"], "within": 0.2}
    undone = []
    for key in (None, KEY):
        out = tmp_path / "out.parquet"
        done = rr.transform_table(table, [step], out, key=key, order="keep")
        assert any("seed alone" in text for text in done.warnings) == (key is None)
        released = np.array(pq.read_table(out)["x"].to_pylist())
        guess = np.random.default_rng(7)
        guess.random(released.size)
        swapped = partners(guess.random(released.size), int(0.2 * released.size))
        ranks = np.argsort(np.argsort(released))
        undone.append(float((np.sort(released)[swapped[ranks]] == np.array(original)).mean()))
    assert undone[0] == 1.0
    assert undone[1] < 0.1

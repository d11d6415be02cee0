"""Transformations before the search: what is searched, written and told is the transformed table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.cli.table_deidentify import deidentify as command
from reidrisk.core.key import make_key
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.report.codebook import codebook_text
from reidrisk.report.page import page
from reidrisk.tables.deidentify.config import read_config
from reidrisk.tables.deidentify.search import Watch
from reidrisk.tables.transform.plan import plan_steps

KEY = b"a key of more than sixteen bytes"
OTHER = {"seen": "shifted", "income": "noise was added"}
FIVE = rr.Threshold.from_cell_size(5, "test")
AGES = {"age": rr.Hierarchy.numbers("age", [{"width": 10}, {"width": 30}])}
STEPS: tuple[dict[str, Any], ...] = (
    {"kind": "sample", "share": 0.7, "person": "person"},
    {"kind": "noise", "columns": ["income"], "share": 0.1},
    {"kind": "rank_swap", "columns": ["age"], "within": 0.05},
    {"kind": "pram", "column": "region", "keep": 0.8},
    {"kind": "shift_dates", "dates": ["seen"], "person": "person", "days": 60},
    {"kind": "pseudonyms", "columns": ["person"], "release": "one"},
)


def people() -> pa.Table:
    numbers = range(400)
    return pa.table(
        {
            "person": [f"CANARY{n // 2}" for n in numbers],
            "age": pa.array([20 + (n // 2) * 37 % 60 for n in numbers], pa.int16()),
            "region": ["NSE"[n // 2 * 7 % 11 % 3] for n in numbers],
            "income": [1000.5 + n * n % 997 for n in numbers],
            "seen": pa.array([18_000 + n * 31 % 300 for n in numbers], pa.int32()).cast(pa.date32()),
            "code": [f"00{n % 9}" for n in numbers],
        }
    )


def options(*steps: dict[str, Any], **more: Any) -> rr.DeidentifyOptions:
    return rr.DeidentifyOptions(steps=plan_steps(steps), key=KEY, **more)


def run(
    table: Any,
    asked: rr.DeidentifyOptions,
    out: Path | None = None,
    *,
    unit: str | None = "person",
    seed: int = 7,
) -> Any:
    other = {**OTHER, "order of the rows": "compared row by row"}
    if unit is None or asked.treatments.get("person") == "keep":
        other["person"] = "compared row by row"
    quasi = ("age", "region")
    rules: dict[str, Any] = dict.fromkeys(quasi, "first")
    schema = rr.Schema(quasi=quasi, unit=unit, reduce=rules, other=other)
    limits: dict[str, Any] = {"threshold": FIVE, "max_suppression": 0.2}
    return rr.deidentify(table, schema, AGES, **limits, options=asked, out=out, watch=Watch(seed=seed))


def as_csv(path: Path) -> Path:
    table = people()
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return path


@pytest.mark.parametrize(("unit", "suffix"), [("person", "csv"), (None, "parquet")])
def test_one_command_does_what_two_do_in_turn(tmp_path: Path, suffix: str, unit: str | None) -> None:
    source = tmp_path / f"source.{suffix}"
    if suffix == "csv":
        as_csv(source)
    else:
        pq.write_table(people(), source)
    once, twice, between = (tmp_path / f"{name}.{suffix}" for name in ("once", "twice", "between"))
    done = run(source, options(*STEPS, order="keep", treatments={"person": "keep"}), once, unit=unit)
    told = rr.transform_table(source, STEPS, between, key=KEY, order="keep")
    then = run(between, options(order="keep", treatments={"person": "keep"}), twice, unit=unit)
    assert once.read_bytes() == twice.read_bytes()
    assert done.to_dict()["steps"] == told.to_dict()["steps"]
    assert done.to_dict()["steps_linkage"] == told.to_dict()["steps_linkage"]
    assert done.after.sizes == then.after.sizes


def test_the_risk_before_is_of_the_source_and_after_of_the_release(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = run(people(), options(*STEPS), out)
    schema = rr.Schema(quasi=("age", "region"), unit="person", reduce={"region": "first", "age": "first"})
    assert done.before.sizes == rr.table_risk(people(), schema, threshold=FIVE).sizes
    assert done.after.sizes == rr.table_risk(out, schema, threshold=FIVE).sizes
    assert done.after.sizes.records < done.before.sizes.records
    again = tmp_path / "again.parquet"
    done.write(again)
    assert again.read_bytes() == out.read_bytes()
    assert done.to_arrow().num_rows == pq.read_table(out).num_rows
    assert "CANARY" not in str(pq.read_table(out)["person"].to_pylist()), "pseudonyms, not numbers"
    assert pq.read_schema(out).field("income").type == pa.float64()


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10**6), share=st.floats(0.3, 0.9), keep=st.floats(0.0, 1.0))
def test_the_cell_size_holds_whatever_is_done_before(
    tmp_path_factory: pytest.TempPathFactory, seed: int, share: float, keep: float
) -> None:
    folder = tmp_path_factory.mktemp("steps")
    steps = ({"kind": "sample", "share": share}, {"kind": "pram", "column": "region", "keep": keep})
    written = []
    for name in ("one.csv", "two.csv"):
        assert run(people(), options(*steps), folder / name, unit=None, seed=seed).acceptable
        written.append((folder / name).read_bytes())
    assert written[0] == written[1]
    schema = rr.Schema(quasi=("age", "region"), other={**OTHER, "person": "a test"})
    assert rr.table_risk(folder / "one.csv", schema, threshold=FIVE).acceptable


def test_the_key_is_part_of_every_draw(tmp_path: Path) -> None:
    steps = ({"kind": "rank_swap", "columns": ["income"], "within": 0.1}, {"kind": "sample", "share": 0.5})
    written = {}
    for name, key in (("none", None), ("first", KEY), ("second", KEY[::-1])):
        asked = rr.DeidentifyOptions(steps=plan_steps(steps), key=key)
        done = run(people(), asked, tmp_path / f"{name}.csv", unit=None)
        written[name] = (tmp_path / f"{name}.csv").read_bytes()
        assert any("depend on the seed alone" in note for note in done.notes) == (key is None)
    assert len(set(written.values())) == 3


def test_everybody_is_told_what_was_done_but_not_the_seed() -> None:
    done = run(people(), options(*STEPS), seed=987_654).to_dict()
    kinds = [step["kind"] for step in STEPS]
    assert [one["kind"] for one in done["steps"]] == kinds
    assert [one["kind"] for one in done["settings"]["steps"]] == kinds
    notes = " ".join(done["notes"])
    assert "--sampling-fraction 0.7" in notes
    assert "changed at random: age, region" in notes
    codebook = codebook_text(done)
    assert "rank_swap; then" in codebook
    assert "pram; then" in codebook
    assert "987654" not in codebook
    shown = page([done])
    for text in (shown, codebook, json.dumps(done)):
        assert "CANARY" not in text
        assert KEY.decode() not in text
    assert "What each step changed" in shown


def test_limits_on_secrets_see_what_was_changed(tmp_path: Path) -> None:
    schema = rr.Schema(
        quasi=("age", "region"), sensitive=("income",), other={"seen": "a test", "person": "a test"}
    )
    limits = rr.SensitiveLimits(t=0.4)
    for name in ("out.csv", "out.parquet"):
        done = rr.deidentify(
            people(), schema, AGES, threshold=FIVE, max_suppression=0.5,
            options=options(*STEPS[1:4], sensitive_limits=limits), out=tmp_path / name,
        )  # fmt: skip
        assert done.acceptable
        found = rr.table_risk(tmp_path / name, schema, threshold=FIVE, sensitive_limits=limits)
        assert found.acceptable
        assert any("whole records" in note for note in done.notes)
        assert any(
            "attribute disclosure is measured on" in note and ": income;" in note for note in done.notes
        )
    plain = rr.DeidentifyOptions(sensitive_limits=limits, suppress="records")
    told = rr.deidentify(people(), schema, AGES, threshold=FIVE, max_suppression=0.5, options=plain)
    assert not any("whole records" in note for note in told.notes)


def test_a_configuration_with_steps(tmp_path: Path) -> None:
    table, key = as_csv(tmp_path / "people.csv"), tmp_path / "key"
    make_key(key)
    config = tmp_path / "table.yaml"
    accepted = "other: {seen: shifted, income: a test}\n"
    head = "quasi: [age, region]\nunit: person\nreduce: {region: first, age: first}\nmax_suppression: 0.3\n"
    rules = "hierarchies: {age: {kind: number, levels: [{width: 10}]}}\n" + accepted
    steps = f"steps:\n  - {{kind: pram, column: region, keep: 0.9}}\n  - {json.dumps(STEPS[4])}\n"
    config.write_text(head + rules + steps)
    words = [str(table), "--config", str(config), "--out", str(tmp_path / "out.csv")]
    shown = CliRunner().invoke(command, [*words, "--key", str(key), "--json", str(tmp_path / "r.json")])
    assert shown.exit_code == 0, shown.output
    assert "TRANSFORMATIONS" in shown.output
    assert [one["kind"] for one in json.loads((tmp_path / "r.json").read_text())["steps"]] == [
        "pram",
        "shift_dates",
    ]
    (tmp_path / "out.csv").unlink()
    refused = CliRunner().invoke(command, words)
    assert "table.yaml.steps[1] (shift_dates) needs a key" in str(refused.exception)
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        ({"kind": "noise", "columns": ["incme"]}, UnknownColumn, "Did you mean 'income'"),
        ({"kind": "noise", "columns": ["region"]}, BadData, "does not contain numbers"),
        ({"kind": "tails", "column": "income", "top": 0.7}, InvalidSetting, "tail cannot be 0.7"),
        ({"kind": "blur", "columns": ["income"]}, InvalidSetting, "blur"),
    ],
)
def test_nonsense_is_refused_by_its_place(
    tmp_path: Path, step: dict[str, Any], error: type[Exception], words: str
) -> None:
    config, out = tmp_path / "table.yaml", tmp_path / "out.csv"
    steps = json.dumps([{"kind": "sample", "share": 0.9}, step])
    config.write_text(f"quasi: [age, region]\nsteps: {steps}\n")

    def configured() -> None:
        asked = read_config(config)
        rr.deidentify(people(), asked.schema, AGES, options=asked.options((), key=None), out=out)

    with pytest.raises(error, match=r"table\.yaml\.steps\[1\]") as found:
        configured()
    assert words in str(found.value)
    assert "CANARY" not in str(found.value)
    assert not out.exists()


@pytest.mark.parametrize("kind", ["noise", "rank_swap"])
def test_whose_record_a_row_is_stays(kind: str) -> None:
    table = pa.table({"id": [at // 2 for at in range(40)], "sex": ["F", "M"] * 20})
    schema = rr.Schema(quasi=("sex",), unit="id", reduce={"sex": "first"})
    with pytest.raises(InvalidSetting, match="identifies the unit of a row"):
        rr.deidentify(table, schema, {}, options=options({"kind": kind, "columns": ["id"]}))

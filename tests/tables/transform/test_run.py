"""Each transformation from file to file: what it promises holds, what it does not name stays."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.cli.table_deidentify import transform
from reidrisk.core.key import make_key
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.tables.transform.keyed import Pseudonyms, ShiftDates
from reidrisk.tables.transform.perturb import Noise, Pram, RankSwap
from reidrisk.tables.transform.plan import KINDS, read_steps, step_from
from reidrisk.tables.transform.reduce import Sample, Tails
from reidrisk.tables.transform.run import TableTransformed, transform_table
from reidrisk.tables.transform.step import TransformStep
from tests.tables.deidentify.study import read_rows, write_rows

KEY = b"a key of more than sixteen bytes"
HEADER = ("person", "region", "income", "admitted", "left", "note")
ROWS = [
    (
        f"p{n // 3}",
        ["north", "south", "east"][n % 7 % 3],
        n * n % 997,
        f"2020-{1 + n % 12:02}-01",
        f"2020-{1 + n % 12:02}-{5 + n % 9:02}",
        f"00{n}.50",
    )
    for n in range(300)
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "t.csv", HEADER, ROWS)


def run(
    table: Path, *steps: TransformStep, seed: int = 7, key: bytes | None = KEY
) -> tuple[TableTransformed, list[Any]]:
    out = table.with_name("out.csv")
    done = transform_table(table, steps, out, key=key, seed=seed, order="keep")
    header, rows = read_rows(out)
    assert tuple(header) == HEADER
    return done, rows


def column(rows: list[Any], name: str) -> list[str]:
    return [str(row[HEADER.index(name)]) for row in rows]


def unchanged(rows: list[Any], *changed: str) -> None:
    for name in HEADER:
        if name not in changed:
            assert column(rows, name) == column(ROWS, name), name


def test_a_sample_has_all_rows_of_a_person_or_none(table: Path) -> None:
    done, rows = run(table, Sample(0.5, person="person"))
    left = Counter(column(rows, "person"))
    assert set(left.values()) == {3}
    assert 30 <= len(left) <= 70
    assert done.rows_after == len(rows) < done.rows_before
    places = [column(ROWS, "note").index(note) for note in column(rows, "note")]
    assert [[str(cell) for cell in ROWS[place]] for place in places] == rows
    assert places == sorted(places), "rows keep their order"
    assert column(run(table, Sample(0.5, person="person"))[1], "person") == column(rows, "person")
    assert column(run(table, Sample(0.5, person="person"), seed=8)[1], "person") != column(rows, "person")
    assert 100 < len(run(table, Sample(0.5))[1]) < 200


def test_tails_have_enough_records_and_their_least_extreme_value(table: Path) -> None:
    _, rows = run(table, Tails("income", top=0.01, bottom=0.05))
    unchanged(rows, "income")
    before = sorted(int(text) for text in column(ROWS, "income"))
    after = sorted(int(text) for text in column(rows, "income"))
    assert after[:15] == [before[14]] * 15
    assert after[-5:] == [before[-5]] * 5, "never fewer than five"
    assert after[15:-5] == before[15:-5]


def test_noise_keeps_whole_numbers_whole_and_all_else(table: Path) -> None:
    done, rows = run(table, Noise(("income",), share=0.1))
    unchanged(rows, "income")
    assert all("." not in text for text in column(rows, "income"))
    assert column(rows, "income") != column(ROWS, "income")
    assert 0.9 < done.steps[0][2]["correlation_with_original"]["income"] < 0.99


def test_swapped_columns_hold_the_same_values(table: Path) -> None:
    _, rows = run(table, RankSwap(("income", "admitted"), within=0.1))
    unchanged(rows, "income", "admitted")
    for name in ("income", "admitted"):
        assert Counter(column(rows, name)) == Counter(column(ROWS, name))
    assert column(rows, "income") != column(ROWS, "income")


def test_randomised_categories_keep_their_names(table: Path) -> None:
    done, rows = run(table, Pram("region", keep=0.5))
    unchanged(rows, "region")
    assert set(column(rows, "region")) == set(column(ROWS, "region"))
    assert 0.2 < done.steps[0][2]["share_changed"] < 0.5


def test_a_matrix_says_what_may_become_what(table: Path) -> None:
    step = Pram("region", matrix={"east": {"east": 0.5, "south": 0.5}}, invariant=False)
    _, rows = run(table, step)
    pairs = set(zip(column(ROWS, "region"), column(rows, "region"), strict=True))
    assert pairs == {("north", "north"), ("south", "south"), ("east", "east"), ("east", "south")}


@settings(max_examples=10, deadline=None)
@given(days=st.integers(7, 400), keep_weekday=st.booleans(), release=st.sampled_from(["", "b"]))
def test_moved_dates_keep_what_lies_between_them(
    tmp_path_factory: pytest.TempPathFactory, days: int, keep_weekday: bool, release: str
) -> None:
    table = write_rows(tmp_path_factory.mktemp("dates") / "t.csv", HEADER, ROWS)
    step = ShiftDates(("admitted", "left"), "person", days, keep_weekday, release)
    _, rows = run(table, step)
    unchanged(rows, "admitted", "left")
    moved = defaultdict(set)
    for before, after in zip(ROWS, rows, strict=True):
        for at in (3, 4):
            shift = date.fromisoformat(after[at]) - date.fromisoformat(str(before[at]))
            moved[before[0]].add(shift.days)
    assert all(len(shifts) == 1 for shifts in moved.values()), "one shift a person"
    shifts = [shift for each in moved.values() for shift in each]
    assert all(0 < abs(shift) <= days for shift in shifts)
    assert len(set(shifts)) > 1
    assert not keep_weekday or all(shift % 7 == 0 for shift in shifts)


def test_pseudonyms_of_two_releases_cannot_be_joined(table: Path) -> None:
    first = column(run(table, Pseudonyms(("person",), "one"))[1], "person")
    again = column(run(table, Pseudonyms(("person",), "one"))[1], "person")
    second = column(run(table, Pseudonyms(("person",), "two"))[1], "person")
    assert first == again
    assert not set(first) & set(second)
    assert len(set(first)) == len(set(second)) == 100
    assert [first.index(one) for one in first] == [n - n % 3 for n in range(300)]


def test_missing_values_stay_missing_and_types_stay(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    frame = pa.table({"x": [1, None, 3, 4, 5, 6], "c": ["a", None, "b", "a", "b", "a"]})
    out = tmp_path / "out.parquet"
    steps = (RankSwap(("x",), 1.0), Pram("c", 0.5), Noise(("x",), 0.1), Tails("x", top=0.1, least=2))
    transform_table(frame, steps, out, order="keep")
    found = duckdb.read_parquet(str(out))
    assert [str(kind) for kind in found.types] == ["BIGINT", "VARCHAR"]
    assert found.fetchall()[1] == (None, None)


def test_noise_may_leave_the_range_of_a_narrow_type(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    frame = pa.table({"x": pa.array([0, 255] * 50, pa.uint8())})
    transform_table(frame, [Noise(("x",), 1.0)], tmp_path / "out.parquet")
    found = [row[0] for row in duckdb.read_parquet(str(tmp_path / "out.parquet")).fetchall()]
    assert min(found) < 0
    assert max(found) > 255


@pytest.mark.parametrize("most", [float("inf"), -1e200])
@pytest.mark.parametrize("step", [Noise(("x",)), RankSwap(("x",)), Tails("x", top=0.1), Pram("x")])
def test_numbers_without_an_end_are_refused_by_column(
    tmp_path: Path, step: TransformStep, most: float
) -> None:
    table = pa.table({"x": [most, *map(float, range(30))]})
    with pytest.raises(BadData, match="'x' holds infinite values"):
        transform_table(table, [step], tmp_path / "out.csv")


def test_times_with_a_zone_are_randomised(tmp_path: Path) -> None:
    days = [datetime(2020, 1, 1 + at % 3, tzinfo=UTC) for at in range(30)]
    transform_table(pa.table({"x": days}), [Pram("x", 0.5)], tmp_path / "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet", columns=["x"])["x"].cast(pa.int64()).to_pylist()
    allowed = set(pa.array(days).cast(pa.int64()).to_pylist())
    assert set(found) == allowed
    assert found != pa.array(days).cast(pa.int64()).to_pylist()


def test_a_file_of_steps_and_the_command(table: Path, tmp_path: Path) -> None:
    config, key = tmp_path / "steps.yaml", tmp_path / "key"
    make_key(key)
    config.write_text(
        "steps:\n"
        "  - {kind: sample, share: 0.5, person: person}\n"
        "  - {kind: tails, column: income, top: 0.02}\n"
        "  - {kind: noise, columns: [income], share: 0.05}\n"
        "  - {kind: rank_swap, columns: [income], within: 0.1}\n"
        "  - {kind: pram, column: region, matrix: {north: {north: 0.9, south: 0.1}}}\n"
        "  - {kind: shift_dates, dates: [admitted, left], person: person, days: 100}\n"
        "  - {kind: pseudonyms, columns: [person], release: study-1}\n"
    )
    assert [step.kind for _, step in read_steps(config)] == list(KINDS)
    out = tmp_path / "out.csv"
    words = [str(table), "--config", str(config), "--out", str(out), "--key", str(key), "--json"]
    shown = CliRunner().invoke(transform, [*words, "-"])
    assert shown.exit_code == 0, shown.output
    assert '"kind": "table_transformed"' in shown.output
    plain = CliRunner().invoke(transform, [*words, str(tmp_path / "done.json")])
    assert "No risk was measured" in plain.output
    assert len(read_rows(out)[1]) < 300


@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        (Sample(0.5, person="nobody"), UnknownColumn, "nobody"),
        (Noise(("region",)), BadData, "does not contain numbers"),
        (RankSwap(("region",)), BadData, "has no ranks"),
        (Tails("region", top=0.1), BadData, "has no order"),
        (Tails("income", top=0.1, least=301), BadData, "fewer than the 301"),
        (Tails("income", top=0.1, bottom=0.1, least=151), BadData, "fewer than the 302"),
        (RankSwap(("income", "income")), InvalidSetting, "named twice"),
        (Noise(("income", "income")), InvalidSetting, "named twice"),
        (Sample(1e-12), NothingToMeasure, "None of 300 rows"),
        (Pram("note", matrix={"x": {"x": 1.0}}), BadData, "is not in the column"),
        (ShiftDates(("income",), "person"), BadData, "does not contain dates"),
    ],
)
def test_what_does_not_fit_the_table_is_refused_and_nothing_is_written(
    table: Path, step: TransformStep, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        run(table, step)
    assert not table.with_name("out.csv").exists()


@pytest.mark.parametrize("step", [ShiftDates(("admitted",), "person"), Pseudonyms(("person",), "one")])
def test_a_secret_is_needed(table: Path, step: TransformStep) -> None:
    with pytest.raises(InvalidSetting, match="needs a key"):
        run(table, step, key=None)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "sample", "share": 1.5}, "sample cannot be 1.5"),
        ({"kind": "sample"}, "needs the setting 'share'"),
        ({"kind": "sample", "share": "half"}, "wrong type"),
        ({"kind": "sample", "share": 0.5, "people": "x"}, "no setting 'people'"),
        ({"kind": "shuffle"}, "shuffle"),
        ({"kind": ["noise"]}, "noise"),
        (5, "not a mapping"),
        ({"kind": "noise", "columns": []}, "needs columns"),
        ({"kind": "noise", "columns": [1]}, "wrong type"),
        ({"kind": "rank_swap", "columns": ["x"], "within": 0}, "ranks above 0"),
        ({"kind": "tails", "column": "x"}, "No tail"),
        ({"kind": "tails", "column": "x", "top": 0.5}, "tail cannot be 0.5"),
        ({"kind": "pram", "column": "x", "keep": 2}, "keep a value cannot be 2"),
        ({"kind": "pram", "column": "x", "matrix": [1]}, "not a matrix"),
        ({"kind": "shift_dates", "dates": ["x"], "person": "p", "days": 0}, "1 to 36,525 days"),
        ({"kind": "shift_dates", "dates": ["x"], "person": "p", "days": 10**9}, "1 to 36,525 days"),
        ({"kind": "pseudonyms", "columns": ["x"], "release": ""}, "name of the release"),
        ("sample", "not a mapping"),
    ],
)
def test_refusals_of_a_file(given: Any, words: str) -> None:
    with pytest.raises(InvalidSetting, match=words):
        step_from(given, "steps[0]")


def test_steps_are_objects_mappings_or_a_file(table: Path, tmp_path: Path) -> None:
    config = tmp_path / "steps.yaml"
    config.write_text("steps: [{kind: pram, column: region, keep: 0.5}]\n")
    written = []
    for steps in ([Pram("region", 0.5)], [{"kind": "pram", "column": "region", "keep": 0.5}], config):
        transform_table(table, steps, tmp_path / "out.csv")
        written.append((tmp_path / "out.csv").read_bytes())
    assert written[0] == written[1] == written[2]


def test_an_empty_file_or_list_is_refused(table: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="no steps"):
        transform_table(table, (), tmp_path / "out.csv")
    (tmp_path / "steps.yaml").write_text("- sample\n")
    with pytest.raises(InvalidSetting, match="not a mapping"):
        read_steps(tmp_path / "steps.yaml")


def test_the_written_rows_come_back_as_a_frame(table: Path) -> None:
    done, rows = run(table, Pseudonyms(("person",), "r1"))
    frame = done.to_polars()
    assert tuple(frame.columns) == HEADER
    assert frame["person"].to_list() == column(rows, "person")
    assert done.to_polars("steps").height == 1  # a table of figures, by its name

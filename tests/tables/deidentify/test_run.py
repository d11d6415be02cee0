"""The whole way: search, suppress, write, check."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.core.schema import Derived, Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.plans import Blanks
from reidrisk.errors import (
    BadData,
    FailedCheck,
    InvalidSetting,
    NoSolution,
    NothingToMeasure,
    UnknownColumn,
)
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout, NamedSolution, Permission
from reidrisk.tables.deidentify.problem import SuppressionPlan
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.deidentify.search import LevelSolution, Watch
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, read_hierarchies
from tests.tables.deidentify.study import ROWS, hierarchies, read_rows, smallest, write_rows

TWO = Threshold.from_cell_size(2, "test")
THREE = Threshold.from_cell_size(3, "test")
FIVE = Threshold.from_cell_size(5, "test")
BOTH = Schema(quasi=("sex", "age"))
RECORDS = DeidentifyOptions(suppress="records")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "trial.csv", ("sex", "age"), ROWS)


def test_the_published_lattice(table: Path) -> None:
    """Without suppression (0, 2) is the only minimal node; with one record (0, 1) is."""
    strict = deidentify(table, BOTH, hierarchies(), threshold=TWO, max_suppression=0, options=RECORDS)
    assert [row["level_numbers"] for row in strict.to_dict()["candidates"]] == [{"sex": 0, "age": 2}]
    loose = deidentify(table, BOTH, hierarchies(), threshold=TWO, max_suppression=0.1, options=RECORDS)
    least = [row["level_numbers"] for row in loose.to_dict()["candidates"] if row["minimal"]]
    assert least == [{"sex": 0, "age": 1}]


def test_a_non_minimal_optimum_is_among_the_candidates(table: Path) -> None:
    options = DeidentifyOptions(suppress="records", loss="dm")
    result = deidentify(table, BOTH, hierarchies(), threshold=TWO, max_suppression=0.1, options=options)
    found = {tuple(row["level_numbers"].values()): row for row in result.to_dict()["candidates"]}
    assert (found[0, 2]["loss"], found[0, 2]["minimal"], found[0, 2]["chosen"]) == (38, False, True)
    assert (found[0, 1]["loss"], found[0, 1]["minimal"]) == (39, True)


def test_fewer_suppressed_records_than_the_cell_size_leave_the_file(table: Path, tmp_path: Path) -> None:
    """One blank record would be a class of its own."""
    out = tmp_path / "out.csv"
    result = deidentify(
        table, BOTH, hierarchies(), threshold=TWO, max_suppression=0.1, options=RECORDS, out=out
    )
    part = result.to_dict()["solution"]
    assert (part["suppressed_records"], part["removed_records"]) == (1, 1)
    assert len(read_rows(out)[1]) == 9
    assert smallest(out, ["sex", "age"]) >= 2


def test_cells_without_generalization(table: Path, tmp_path: Path) -> None:
    """The exact optimum of the published table: 5 cells for two, 10 for three."""
    for threshold, cells in ((TWO, 5), (THREE, 10)):
        out = tmp_path / "out.csv"
        result = deidentify(table, BOTH, threshold=threshold, max_suppression=1, out=out)
        part = result.to_dict()["solution"]
        assert (part["suppressed_cells"], part["cell_suppression"]["optimal"]) == (cells, True)
        assert sum(row.count("") for row in read_rows(out)[1]) == cells
        assert smallest(out, ["sex", "age"]) >= threshold.cell_size


def test_no_solution_names_what_is_nearest(table: Path, tmp_path: Path) -> None:
    limited = {name: one.limited(0) for name, one in hierarchies().items()}
    out = tmp_path / "out.csv"
    result = deidentify(table, BOTH, limited, threshold=FIVE, max_suppression=0.1, out=out)
    assert not result.acceptable
    assert not out.exists()
    [reason] = result.to_dict()["reasons"]
    assert "100.0 % of the records are in classes smaller than 5; at most 10.0 % may be suppressed" in reason
    assert "age up to" in reason or "age not released" in reason
    with pytest.raises(NoSolution):
        result.write(out)


def test_the_ladder_goes_on_to_the_next_threshold(table: Path) -> None:
    options = DeidentifyOptions(ladder=(FIVE, TWO), max_level={"sex": 0, "age": 2})
    result = deidentify(table, BOTH, hierarchies(), threshold=FIVE, max_suppression=0.1, options=options)
    found = result.to_dict()
    assert [rung["outcome"] for rung in found["threshold_ladder"]] == ["no solution", "solution"]
    assert found["threshold"]["cell_size"] == 2
    assert "practices" in found["conditions"][0]


def test_a_gate_can_forbid_a_threshold(table: Path) -> None:
    def never(_threshold: Threshold, place: int) -> Permission:
        return Permission(allowed=place == 0, requires="audits")

    options = DeidentifyOptions(ladder=(FIVE, TWO), max_level={"sex": 0, "age": 0}, gate=never)
    result = deidentify(table, BOTH, hierarchies(), threshold=FIVE, max_suppression=0.1, options=options)
    assert [rung["outcome"] for rung in result.to_dict()["threshold_ladder"]] == [
        "no solution",
        "not allowed",
    ]
    assert not result.acceptable


VISITS = [
    # visit, patient, sex, in, out, drug
    ("a", "Ann", "F", "2007-01-03", "2007-01-05", "x1"),
    ("a", "Ann", "F", "2007-01-03", "2007-01-05", "x2"),
    ("b", "Bea", "F", "2007-02-03", "2007-02-05", "x1"),
    ("c", "Cyn", "F", "2007-04-03", "2007-04-05", "x3"),
    ("d", "Dan", "M", "2007-05-03", "2007-05-05", "x1"),
    ("d", "Dan", "M", "2007-05-03", "2007-05-05", "x4"),
    ("e", "Ed", "M", "2007-06-03", "2007-06-05", "x1"),
]
HEADER = ("visit", "patient", "sex", "admitted", "discharged", "drug")


def test_a_unit_of_many_rows_and_two_layouts(tmp_path: Path) -> None:
    """The stay is preferred; its source goes, every row of a visit is treated alike, names are dropped."""
    table = write_rows(tmp_path / "visits.csv", HEADER, VISITS)
    out = tmp_path / "out.csv"
    dates = Hierarchy.dates("admitted", ["day", "quarter", "year"], suppress=False)
    options = DeidentifyOptions(
        treatments={"patient": "drop"},
        derived=(Derived("stay", "admitted", "discharged"),),
        layouts=(
            Layout("stay", ("sex", "admitted", "stay")),
            Layout("dates", ("sex", "admitted", "discharged")),
        ),
        solutions=(NamedSolution("as asked", {"sex": 0, "admitted": "day", "discharged": 0}),),
    )
    schema = Schema(quasi=("sex", "admitted"), unit="visit")
    result = deidentify(
        table, schema, {"admitted": dates}, threshold=TWO, max_suppression=0, options=options, out=out
    )
    assert result.to_dict()["layout"] == "stay"
    header, rows = read_rows(out)
    assert header == ["visit", "sex", "admitted", "stay", "drug"]
    numbers = [row[0] for row in rows]
    assert sorted(set(numbers)) == list("12345")
    assert sorted(Counter(numbers).values()) == [1, 1, 1, 2, 2]
    assert {row[3] for row in rows} == {"2"}
    assert Counter(row[4] for row in rows) == Counter(row[5] for row in VISITS)
    units = {(row[0], *row[1:4]) for row in rows}
    assert len(units) == 5
    assert min(Counter(unit[1:] for unit in units).values()) >= 2
    asked = result.to_dict()["named_solutions"][0]
    assert (asked["shares"]["2"], asked["levels"]["stay"]) == (1.0, None)


def test_the_same_as_written_later_and_on_another_format(tmp_path: Path) -> None:
    rows = [(place, "FM"[place % 2], 20 + place % 17, f"{place}.50") for place in range(200)]
    table = write_rows(tmp_path / "t.csv", ("row", "sex", "age", "price"), rows, ";")
    ages = Hierarchy.numbers("age", [{"width": 5}, {"width": 10}])
    schema = Schema(quasi=("sex", "age"))
    first = tmp_path / "first.csv"
    result = deidentify(table, schema, {"age": ages}, max_suppression=0.1, out=first)
    result.write(tmp_path / "second.csv")
    assert first.read_bytes() == (tmp_path / "second.csv").read_bytes()
    header, written = read_rows(first, ";")
    assert header == ["row", "sex", "age", "price"]
    assert sorted(row[3] for row in written) == sorted(row[3] for row in rows)
    result.write(tmp_path / "third.parquet")
    again = duckdb.read_parquet(str(tmp_path / "third.parquet"))
    assert [str(kind) for kind in again.types] == ["BIGINT", "VARCHAR", "BIGINT", "DOUBLE"]
    expected = [(int(row[0]), row[1], int(row[2]), float(row[3])) for row in written]
    assert sorted(again.fetchall()) == sorted(expected), "another format spells rows, and orders them, anew"
    arrow = result.to_arrow()
    assert arrow.column_names == header
    assert list(zip(*arrow.to_pydict().values(), strict=True)) == again.fetchall()


def test_a_table_that_changed_is_not_written(tmp_path: Path) -> None:
    table = write_rows(tmp_path / "t.csv", ("sex", "age"), ROWS)
    result = deidentify(table, BOTH, hierarchies(), threshold=TWO)
    write_rows(table, ("sex", "age"), ROWS[:-1])
    with pytest.raises(BadData, match="has changed"):
        result.write(tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_strict_average(tmp_path: Path) -> None:
    rows = [("FM"[place % 2], 20 + place % 30) for place in range(300)]
    table = write_rows(tmp_path / "t.csv", ("sex", "age"), rows)
    ages = {"age": Hierarchy.numbers("age", [{"width": 5}, {"width": 10}])}
    plain = deidentify(table, BOTH, ages, threshold=THREE)
    strict = deidentify(table, BOTH, ages, threshold=THREE, options=DeidentifyOptions(average=0.05))
    before, after = (result.to_dict()["after"]["prosecutor"]["average"] for result in (plain, strict))
    assert after <= 0.05 < before


def test_both_readings_of_a_suppressed_cell(table: Path) -> None:
    value = deidentify(table, BOTH, threshold=THREE, max_suppression=1).to_dict()
    wild = deidentify(
        table, BOTH, threshold=THREE, max_suppression=1, options=DeidentifyOptions(reading="wildcard")
    ).to_dict()
    assert wild["solution"]["suppressed_cells"] <= value["solution"]["suppressed_cells"]
    assert wild["readings"]["wildcard"]["smallest_class"] >= 3
    assert value["readings"]["value"]["smallest_class"] >= 3


def test_fewest_cells_are_claimed_only_where_that_is_proved(table: Path) -> None:
    result = deidentify(table, BOTH, threshold=THREE, max_suppression=1)
    part, found = result.to_dict()["solution"], result.found
    assert part["cell_suppression"]["optimal"]
    assert part["proof"].endswith("then the fewest cells at that node")
    assert isinstance(found, LevelSolution)
    assert found.suppressed.proof is not None
    doubtful = replace(
        found, suppressed=replace(found.suppressed, proof=replace(found.suppressed.proof, optimal=False))
    )
    assert doubtful.proof.endswith("then few cells, not proved to be the fewest, at that node")


def test_interrupted_gives_the_best_so_far_or_says_that_there_is_none(table: Path) -> None:
    from reidrisk.errors import Interrupted

    with pytest.raises(Interrupted):
        deidentify(table, BOTH, hierarchies(), threshold=TWO, watch=Watch(stop=lambda: True))
    looks = iter([False] * 2)

    def late_in_the_main_search() -> bool:
        return threading.current_thread() is not threading.main_thread() or next(looks, True)

    late = Watch(stop=late_in_the_main_search)
    result = deidentify(table, BOTH, hierarchies(), threshold=TWO, options=RECORDS, watch=late)
    part = result.to_dict()["solution"]
    assert (part["proof"], part["optimal"]) == ("interrupted: best so far", False)


ROW = st.tuples(st.sampled_from("FM"), st.sampled_from([26, 28, 29, 30, 31, 32, None]))


@settings(max_examples=10, deadline=None)
@given(
    rows=st.lists(ROW, min_size=4, max_size=40),
    k=st.integers(2, 4),
    limit=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    suppress=st.sampled_from(["cells", "records"]),
)
def test_no_class_of_the_written_file_is_too_small(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], k: int, limit: float, suppress: Any
) -> None:
    folder = tmp_path_factory.mktemp("random")
    pa = pytest.importorskip("pyarrow")
    frame = pa.table({"sex": [row[0] for row in rows], "age": pa.array([row[1] for row in rows], pa.int64())})
    out = folder / "out.parquet"
    result = deidentify(
        frame,
        BOTH,
        hierarchies(),
        threshold=Threshold.from_cell_size(k, "test"),
        max_suppression=limit,
        options=DeidentifyOptions(suppress=suppress),
        out=out,
    )
    if not result.acceptable:
        assert not out.exists()
        return
    written = duckdb.read_parquet(str(out))
    sizes = [row[0] for row in duckdb.sql("SELECT count(*) FROM written GROUP BY sex, age").fetchall()]
    assert written.columns == ["sex", "age"]
    part = result.to_dict()["solution"]
    assert min(sizes) >= k
    assert sum(sizes) == len(rows) - part["removed_records"]
    assert part["suppressed_share"] <= limit + 1e-12


def test_adult_scores_are_those_of_the_reference(shared: Path) -> None:
    """By the whole way; tests/stats/lattice/test_search.py has every case of the reference."""
    known = json.loads((shared / "arx_reference.json").read_text())["anonymization"]
    found = read_hierarchies(shared / "adult")
    cases = [
        case
        for case in known
        if case["dataset"] == "adult"
        and (case["metric"], case["supp"]) in {("loss_gm", 0), ("loss_gm", 0.02), ("prec", 0.15)}
        and len(case["optimum"]) == 9
    ]
    assert len(cases) == 3
    for case in cases:
        options = DeidentifyOptions(suppress="records", loss=case["metric"])
        result = deidentify(
            shared / "adult" / "adult.csv",
            Schema(quasi=tuple(case["optimum"])),
            found,
            threshold=Threshold.from_cell_size(case["k"], "reference"),
            max_suppression=case["supp"] / 100 if case["supp"] > 1 else case["supp"],
            options=options,
        )
        assert result.to_dict()["solution"]["utility"]["loss"] == pytest.approx(case["score"], abs=1e-9)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"treatments": {"sexx": "drop"}}, UnknownColumn, "no column 'sexx'"),
        ({"treatments": {"sex": "drop"}}, InvalidSetting, "quasi-identifier"),
        ({"treatments": {"name": "burn"}}, InvalidSetting, "treatment"),
        ({"max_level": {"age": "galaxy"}}, InvalidSetting, "galaxy"),
        ({"max_level": {"agee": 1}}, InvalidSetting, "agee"),
        ({"weights": {"agee": 2.0}}, InvalidSetting, "agee"),
        ({"weights": {"age": 0.0}}, InvalidSetting, "weight"),
        ({"ladder": (TWO, FIVE)}, InvalidSetting, "ladder"),
        ({"loss": "best"}, InvalidSetting, "loss"),
        ({"suppress": "records", "max_cell_suppression": 0.1}, InvalidSetting, "per variable"),
        ({"layouts": (Layout("a", ("sex",)), Layout("a", ("age",)))}, InvalidSetting, "same name"),
        ({"solutions": (NamedSolution("x", {"agee": 0}),)}, InvalidSetting, "agee"),
        ({"derived": (Derived("stay", "age", "sex"),)}, BadData, "cannot be read as a date"),
    ],
)
def test_refusals(table: Path, options: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        deidentify(table, BOTH, hierarchies(), threshold=TWO, options=DeidentifyOptions(**options))


def test_a_forgotten_direct_identifier_stops_the_verdict(tmp_path: Path) -> None:
    rows = [(f"P {place}", *row) for place, row in enumerate(ROWS)]
    table, out = write_rows(tmp_path / "t.csv", ("patient_name", "sex", "age"), rows), tmp_path / "out.csv"
    stopped = deidentify(table, BOTH, hierarchies(), threshold=TWO, out=out)
    assert not stopped.acceptable
    assert not out.exists()
    assert [one["item"] for one in stopped.to_dict()["unmeasured"]] == ["patient_name"]
    assert "P 1" not in str(stopped)
    for refuses in (lambda: stopped.write(out), stopped.to_arrow):
        with pytest.raises(NoSolution, match="not measured"):
            refuses()


def test_a_direct_identifier_is_kept_only_with_a_reason(tmp_path: Path) -> None:
    rows = [(f"P {place}", *row) for place, row in enumerate(ROWS)]
    table = write_rows(tmp_path / "t.csv", ("patient_name", "sex", "age"), rows)
    options = DeidentifyOptions(treatments={"patient_name": "keep"})
    kept = deidentify(table, BOTH, hierarchies(), threshold=TWO, options=options)
    assert not kept.acceptable
    assert any("on purpose" in note for note in kept.notes)
    schema = replace(BOTH, direct=("patient_name",), other={"patient_name": "invented names"})
    assert deidentify(table, schema, hierarchies(), threshold=TWO, options=options).acceptable


def test_odd_tables(tmp_path: Path) -> None:
    with pytest.raises(NothingToMeasure):
        deidentify(write_rows(tmp_path / "none.csv", ("sex", "age"), []), BOTH)
    one = write_rows(tmp_path / "one.csv", ("sex", "age"), ROWS[:1])
    result = deidentify(one, BOTH, hierarchies(), max_suppression=1)
    assert not result.acceptable
    assert "1 record, fewer than the cell size 5" in result.to_dict()["reasons"][0]
    empty = write_rows(tmp_path / "empty.csv", ("sex", "age", "x"), [("", "", place) for place in range(9)])
    nothing = deidentify(empty, BOTH, out=tmp_path / "out.csv")
    assert nothing.to_dict()["solution"]["suppressed_cells"] == 0


def test_a_value_without_a_parent_is_refused_and_not_shown(tmp_path: Path) -> None:
    table = write_rows(tmp_path / "t.csv", ("sex", "age"), [*ROWS, ("F", 47)])
    with pytest.raises(BadData, match="age") as refused:
        deidentify(table, BOTH, hierarchies(), threshold=TWO)
    assert "47" not in str(refused.value).replace(str(tmp_path), "")


def test_a_quasi_identifier_of_no_layout_does_not_go_out(tmp_path: Path) -> None:
    rows = [("FM"[row % 2], 20 + row % 4, f"z{row}") for row in range(40)]
    table = write_rows(tmp_path / "t.csv", ("sex", "age", "zip"), rows)
    options = DeidentifyOptions(layouts=(Layout("a", ("sex",)), Layout("b", ("sex", "age"))))
    schema = Schema(quasi=("sex", "age", "zip"))
    result = deidentify(table, schema, threshold=TWO, options=options, out=tmp_path / "out.csv")
    assert read_rows(tmp_path / "out.csv")[0] == ["sex"]
    assert [row["treatment"] for row in result.to_dict()["codebook"]][1:] == ["removed", "removed"]


def test_the_average_never_breaks_the_limit_of_a_variable(tmp_path: Path) -> None:
    """Whole records would keep the average, but no column may lose half of its cells."""
    chance = random.Random(48)  # noqa: S311 - a fixed example
    size = chance.choice([60, 120])
    rows = [
        (chance.randrange(4), int(chance.expovariate(0.5)), int(chance.expovariate(0.4))) for _ in range(size)
    ]
    table = write_rows(tmp_path / "t.csv", ("a", "b", "c"), rows)

    def run(**limits: float) -> Deidentified:
        schema, options = Schema(quasi=("a", "b", "c")), DeidentifyOptions(average=0.19, **limits)  # type: ignore[arg-type]
        return deidentify(table, schema, threshold=THREE, max_suppression=0.9, options=options)

    free = run()
    assert free.acceptable
    assert max(free.to_dict()["solution"]["by_column_share"].values()) > 0.5
    assert not run(max_cell_suppression=0.5).acceptable


def test_a_file_that_breaks_its_promise_is_never_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were the cells not blanked that must be, the count of the file's own classes says so."""
    rows = [("F", 30)] * 20 + [("M", 31)] * 20 + [("M", f"canary{more}") for more in range(7)]
    table = write_rows(tmp_path / "t.csv", ("sex", "age"), rows)
    asked: dict[str, Any] = {"threshold": FIVE, "max_suppression": 0.2}
    assert deidentify(table, BOTH, out=tmp_path / "out.csv", **asked).acceptable
    (tmp_path / "out.csv").unlink()
    whole = SuppressionPlan.blanks

    def forgetful(lost: SuppressionPlan) -> Blanks:
        blanks = whole(lost)
        return replace(blanks, masks=np.zeros_like(blanks.masks))

    monkeypatch.setattr(SuppressionPlan, "blanks", forgetful)
    with pytest.raises(FailedCheck, match="one of its classes would have 1 records") as caught:
        deidentify(table, BOTH, out=tmp_path / "out.csv", **asked)
    assert "canary" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    with pytest.raises(FailedCheck, match="not released"):
        deidentify(table, BOTH, **asked).to_arrow()


def test_too_many_quasi_identifiers_are_refused(tmp_path: Path) -> None:
    names = tuple(f"c{place}" for place in range(63))
    table = write_rows(tmp_path / "t.csv", names, [[row] * 63 for row in range(9)])
    with pytest.raises(InvalidSetting, match="63 quasi-identifiers"):
        deidentify(table, Schema(quasi=names), threshold=TWO, out=tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_the_set_of_a_unit_is_a_text(tmp_path: Path) -> None:
    rows = [(visit, "F", ward) for visit in range(12) for ward in (0, 1)]
    table = write_rows(tmp_path / "t.csv", ("visit", "sex", "ward"), rows)
    schema = Schema(quasi=("sex", "ward"), unit="visit", reduce={"ward": "set"})
    result = deidentify(table, schema, threshold=TWO, out=tmp_path / "out.csv")
    assert {row[2] for row in read_rows(tmp_path / "out.csv")[1]} == {"[0, 1]"}
    assert result.to_dict()["codebook"][2]["type_after"] == "text"


def test_minus_zero_is_zero(tmp_path: Path) -> None:
    rows = [("-0.0",)] * 2 + [("0.0",)] * 20 + [("1.5",)] * 20
    table = write_rows(tmp_path / "t.csv", ("x",), rows)
    result = deidentify(table, Schema(quasi=("x",)), threshold=FIVE, out=tmp_path / "out.csv")
    assert result.acceptable
    assert smallest(tmp_path / "out.csv", ["x"]) == 20


def test_what_is_nearest_is_what_would_help(tmp_path: Path) -> None:
    rows = [("FM"[row % 2], 20 + row % 4) for row in range(400)]
    table = write_rows(tmp_path / "t.csv", ("sex", "age"), rows)
    result = deidentify(table, BOTH, threshold=FIVE, options=DeidentifyOptions(average=0.001))
    [reason] = result.to_dict()["reasons"]
    assert "The average risk stays above 0.001" in reason
    assert "cell size of" not in reason

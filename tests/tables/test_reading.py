"""What is computed from dates and numbers reads them as told, and says so."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.engine.duckdb.table import embedded, open_embedded
from reidrisk.errors import BadData
from reidrisk.tables.transform.keyed import ShiftDates

pa = pytest.importorskip("pyarrow")

KEY = b"k" * 32
READING = rr.TableReading(date_format="%m/%d/%Y", null=("unknown",))
MONTHS = {"when": rr.Hierarchy.dates("when", ["day", "month", "year"])}
STUDY = rr.Threshold.from_cell_size(3, "a test")


def table(folder: Path, *, odd: tuple[int, ...] = (), rows: int = 120) -> Path:
    lines = [f"{n % 2},{30 + n % 3},{n % 12 + 1:02d}/01/{2021 + n % 2}" for n in range(rows)]
    for row in odd:
        lines[row - 1] = "1,unknown,unknown"
    (folder / "t.csv").write_text("sex,age,when\n" + "\n".join(lines) + "\n")
    return folder / "t.csv"


def shifted(cells: list[Any], **said: Any) -> list[Any]:
    from reidrisk.tables.transform.step import StepInputs

    rows = pa.table({"person": [str(n % 2) for n in range(len(cells))], "when": cells})
    step = ShiftDates(("when",), "person", **said)
    done = step.apply(open_embedded(rows), StepInputs.drawing(7, KEY))
    return [row[0] for row in embedded(done.table).relation.project('"when"').fetchall()]


def test_dates_are_read_as_told(tmp_path: Path) -> None:
    shown = rr.preview_hierarchies(table(tmp_path), MONTHS, reading=READING).to_dict()
    month = shown["columns"][0]["levels"][1]
    assert (month["level"], month["values"]) == ("month", 12)
    assert "column 'when': dates read as %m/%d/%Y" in shown["settings"]["read_as"]
    other = rr.TableReading(date_format={"when": "%d/%m/%Y"})
    month = rr.preview_hierarchies(table(tmp_path), MONTHS, reading=other).to_dict()["columns"][0]["levels"][
        1
    ]
    assert (month["level"], month["values"]) == ("month", 2)


@pytest.mark.parametrize("job", ["preview", "deidentify", "utility", "attack", "sensitive", "shift", "swap"])
def test_ambiguous_dates_are_refused_wherever_they_are_needed(job: str, tmp_path: Path) -> None:
    source, schema = table(tmp_path), rr.Schema(quasi=("sex", "when"))
    plan = rr.AttackPlan(quasi=("sex", "when"))
    secret = rr.Schema(quasi=("sex",), sensitive=("when",))
    near = rr.SensitiveLimits(t=0.5, distance="ordered")
    swap, shift = {"kind": "rank_swap", "columns": ["when"]}, {"kind": "shift_dates", "dates": ["when"]}
    jobs: dict[str, Any] = {
        "preview": lambda: rr.preview_hierarchies(source, MONTHS),
        "deidentify": lambda: rr.deidentify(source, schema, MONTHS),
        "utility": lambda: rr.table_utility(source, source, hierarchies=MONTHS),
        "attack": lambda: rr.attack_table(source, source, plan, hierarchies=MONTHS),
        "sensitive": lambda: rr.table_risk(source, secret, sensitive_limits=near),
        "shift": lambda: rr.transform_table(
            source, [{**shift, "person": "sex"}], tmp_path / "o.csv", key=KEY
        ),
        "swap": lambda: rr.transform_table(source, [swap], tmp_path / "o.csv"),
    }
    with pytest.raises(BadData, match="ambiguous") as refused:
        jobs[job]()
    assert "%d/%m/%Y" in str(refused.value)
    assert "%m/%d/%Y" in str(refused.value)
    assert not (tmp_path / "o.csv").exists()


def test_nothing_needs_the_date_where_classes_are_counted(tmp_path: Path) -> None:
    risk = rr.table_risk(table(tmp_path), rr.Schema(quasi=("sex", "when")))
    assert risk.to_dict()["classes"] == 12


def test_unreadable_cells_are_named_by_row_and_can_be_missing(tmp_path: Path) -> None:
    source = table(tmp_path, odd=(3, 8, 11))
    schema = rr.Schema(quasi=("age", "when"), other={"sex": "a test"})
    ages = {"age": rr.Hierarchy.numbers("age", [{"width": 5}]), **MONTHS}
    for hierarchies in (ages, MONTHS):
        with pytest.raises(BadData, match=r"3 cells of .* rows 3, 8, 11 ") as refused:
            rr.deidentify(source, schema, hierarchies)
        assert "unknown" not in str(refused.value)
        assert "--null VALUE" in str(refused.value)
    done = rr.deidentify(source, schema, ages, threshold=STUDY, reading=READING, out=tmp_path / "o.csv")
    assert done.acceptable
    read_as = done.to_dict()["settings"]["read_as"]
    assert "column 'when': dates read as %m/%d/%Y" in read_as
    assert "column 'age': 3 cells read as missing" in read_as
    assert "texts that mean missing: unknown" in read_as
    again = tmp_path / "again.csv"
    done.write(again)
    assert again.read_bytes() == (tmp_path / "o.csv").read_bytes()


def test_the_codebook_says_how_the_table_was_read(tmp_path: Path) -> None:
    from reidrisk.report.codebook import codebook_text

    source = table(tmp_path, odd=(3, 8))
    ages = {"age": rr.Hierarchy.numbers("age", [{"width": 5}])}
    result = rr.deidentify(source, rr.Schema(quasi=("age",)), ages, threshold=STUDY, reading=READING)
    text = codebook_text(result.to_dict())
    assert "## How the table was read" in text
    assert "column 'when': dates read as %m/%d/%Y" in text
    assert "column 'age': fewer than 3 cells read as missing" in text
    assert "texts that mean missing: unknown" in text
    assert "encoding: " in text
    assert "column 'age': 2 cells read as missing" in result.to_dict()["settings"]["read_as"]


def test_a_population_and_a_previous_release_are_read_in_the_same_way(tmp_path: Path) -> None:
    source = table(tmp_path, odd=(3,))
    people = tmp_path / "people.csv"
    people.write_text(source.read_text().replace("unknown", ""))
    risk = rr.table_risk(
        source,
        rr.Schema(quasi=("age", "when"), other={"sex": "a test"}),
        population=people,
        previous=people,
        reading=READING,
    )
    assert risk.to_dict()["differencing"]["changed"] == 0
    assert risk.to_dict()["journalist"]["highest"] is not None


def test_suggest_reports_both_readings(tmp_path: Path) -> None:
    found = rr.suggest_roles(table(tmp_path))
    assert dict(found.ambiguous_dates) == {"when": ("%d/%m/%Y", "%m/%d/%Y")}
    [entry] = found.to_dict()["ambiguous_dates"]
    assert entry == {"column": "when", "formats": ["%d/%m/%Y", "%m/%d/%Y"]}
    assert "its dates can be read as %d/%m/%Y or %m/%d/%Y" in str(found).replace("\n", " ").replace(
        "  ", ""
    ) or any("%d/%m/%Y or %m/%d/%Y" in one.reason for one in found.columns)
    told = rr.suggest_roles(table(tmp_path), reading=READING)
    assert not told.ambiguous_dates
    assert told.next_step is not None
    assert "--date-format %m/%d/%Y --null unknown" in told.next_step


def test_partial_dates_are_shifted_as_exactly_as_they_are_written() -> None:
    cells = [
        "2022-03-04",
        "2022-03-10",
        "2022-03",
        "2022-06",
        "2022",
        None,
        "2022-03-04T10:30",
        "2022-03-04 23:59:01Z",
    ]
    new = shifted(cells, days=20)
    assert [None if text is None else len(text) for text in new] == [
        None if text is None else len(text) for text in cells
    ]
    assert new[5] is None
    days = {
        0: date.fromisoformat(new[0]) - date(2022, 3, 4),
        1: date.fromisoformat(new[1]) - date(2022, 3, 10),
    }
    assert all(0 < abs(one.days) <= 20 for one in days.values())
    middle = date(2022, 3, 15) + days[0]
    assert new[2] == middle.isoformat()[:7]
    assert new[3] == (date(2022, 6, 15) + days[1]).isoformat()[:7]
    assert new[4] == "2022"
    assert new[6] == f"{date(2022, 3, 4) + days[0]}T10:30"
    assert new[7] == f"{date(2022, 3, 4) + days[1]} 23:59:01Z"


@given(st.lists(st.dates(date(1900, 1, 1), date(2100, 1, 1)), min_size=2, max_size=10))
@settings(max_examples=12)
def test_texts_are_shifted_like_dates(days: list[date]) -> None:
    texts = shifted([day.isoformat() for day in days])
    assert texts == [day.isoformat() for day in shifted(days)]


def test_a_shift_says_what_happened_to_partial_dates(tmp_path: Path) -> None:
    lines = "".join(f"{n % 20},2022-{n % 12 + 1:02d}{'-07' if n % 3 else ''}\n" for n in range(60))
    (tmp_path / "t.csv").write_text("person,when\n" + lines)
    step = {"kind": "shift_dates", "dates": ["when"], "person": "person", "days": 30}
    done = rr.transform_table(tmp_path / "t.csv", [step], tmp_path / "o.csv", key=KEY).to_dict()["steps"][0]
    assert (
        "dates without a day (20 of when) were shifted from the middle of their month or year" in done["text"]
    )
    assert done["partial_dates"] == {"when": 20}
    assert done["intervals_kept"] is True


def test_cells_that_are_not_dates_stop_a_shift() -> None:
    with pytest.raises(BadData, match="1 cell of column 'when' cannot be read as a date: row 2 "):
        shifted(["2022-03-04", "2022-13", "2022"])
    assert len(shifted([2021, 2022, 2023])[0]) == 4


def test_partial_dates_have_the_levels_that_they_support() -> None:
    levels = rr.Hierarchy.dates("when", ["day", "month", "quarter", "year", "decade"]).on(
        ["2022", "2022-03", "2022-03-04", "2022-03-05", "2022-05-01"]
    )
    labels = dict(zip(levels.names, (list(one) for one in levels.labels), strict=True))
    assert labels["day"] == ["2022", "2022-03", "2022-03-04", "2022-03-05", "2022-05-01"]
    assert labels["month"] == ["2022", "2022-03", "2022-03", "2022-03", "2022-05"]
    assert labels["quarter"] == ["2022", "2022-Q1", "2022-Q1", "2022-Q1", "2022-Q2"]
    assert labels["year"] == ["2022"] * 5
    assert labels["decade"] == ["2020-2029"] * 5


def test_local_dates_stay_local_in_the_release(tmp_path: Path) -> None:
    rows = "".join(f"{n % 20};{n % 28 + 1:02d}DEC2022;1,5\n" for n in range(60))
    (tmp_path / "t.csv").write_text("person;when;dose\n" + rows)
    step = {"kind": "shift_dates", "dates": ["when"], "person": "person", "days": 3}
    rr.transform_table(
        tmp_path / "t.csv",
        [step, {"kind": "rank_swap", "columns": ["dose"]}],
        tmp_path / "o.csv",
        key=KEY,
        reading=rr.TableReading(decimal=","),
    )
    cells = [line.split(";") for line in (tmp_path / "o.csv").read_text().splitlines()[1:]]
    assert all(cell[1][2:].startswith(("DEC20", "NOV20", "JAN20")) for cell in cells)
    assert {cell[2] for cell in cells} == {"1,5"}


def test_ranges_of_dates_need_one_reading(tmp_path: Path) -> None:
    options = rr.DeidentifyOptions(method="mondrian")
    with pytest.raises(BadData, match="ambiguous"):
        rr.deidentify(
            table(tmp_path), rr.Schema(quasi=("age", "when"), other={"sex": "a test"}), options=options
        )
    done = rr.deidentify(
        table(tmp_path),
        rr.Schema(quasi=("age", "when"), other={"sex": "a test"}),
        options=options,
        threshold=STUDY,
        reading=READING,
    )
    assert done.acceptable


def test_codes_that_look_like_numbers_stay_categories(tmp_path: Path) -> None:
    rows = "".join(f"{'FM'[n % 2]},{('250', '401', 'V45')[n % 3]}\n" for n in range(60))
    (tmp_path / "t.csv").write_text("sex,code\n" + rows)
    schema = rr.Schema(quasi=("sex",), sensitive=("code",))
    risk = rr.table_risk(tmp_path / "t.csv", schema, sensitive_limits=rr.SensitiveLimits(t=0.5))
    assert risk.disclosure[0].distance == "equal"


def test_a_missing_value_may_contain_the_delimiter(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a,b\n1,2\n"no, sorry",3\n4,5\n')
    risk = rr.table_risk(
        tmp_path / "t.csv", rr.Schema(quasi=("a",)), reading=rr.TableReading(null=("no, sorry",))
    )
    assert "column 'a': 1 cell read as missing" in risk.notes

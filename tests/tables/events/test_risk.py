"""The risk of a table of events, as the library tells it."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.tables.events import event_knowledge
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.risk import measure_table

Row = tuple[str, str, str | None, int | None]
SCHEMA = rr.Schema(quasi=("sex",), unit="person")
TWO = rr.Threshold.from_cell_size(2, "test")


def table(rows: list[Row]) -> pa.Table:
    names = ("person", "sex", "code", "month")
    kinds = (pa.string(), pa.string(), pa.string(), pa.int64())
    columns = list(zip(*rows, strict=True)) or [()] * 4
    return pa.table(
        {name: pa.array(list(of), kind) for name, of, kind in zip(names, columns, kinds, strict=True)}
    )


def asked(known: int = 2, **more: Any) -> rr.EventKnowledge:
    return rr.EventKnowledge(("code", "month"), known, **more)


BY_HAND: list[Row] = [
    ("a", "F", "XQZ", 1),
    ("a", "F", "y", 1),
    ("a", "F", "y", 1),
    ("b", "F", "XQZ", 1),
    ("b", "F", "y", 1),
    ("c", "F", "XQZ", 1),
    ("c", "F", "y", 2),
    ("d", "F", "XQZ", 1),
    ("d", "F", None, None),
    ("e", "M", "XQZ", 1),
]


def test_the_table_worked_by_hand() -> None:
    risk = rr.table_risk(table(BY_HAND), SCHEMA, threshold=TWO, events=asked())
    found = risk.to_dict()["longitudinal"]
    assert [row["highest"] for row in found["by_known"]] == [1, 1, 1]
    assert [row["average"] for row in found["by_known"]] == pytest.approx([0.4, 0.525, 0.65])
    assert [row["unique_share"] for row in found["by_known"]] == [0.2, 0.4, 0.4]
    assert [row["share_above_threshold"] for row in found["by_known"]] == [0.2, 0.4, 0.4]
    assert (found["persons"], found["events"], found["most_events"]) == (5, 8, 2)
    assert found["risk_curve"][-2:] == [
        {"risk": 0.5, "share_of_persons": 0.6},
        {"risk": 1.0, "share_of_persons": 1.0},
    ]
    assert not risk.acceptable
    assert "2 people of 5 may be in groups smaller than 2" in risk.to_dict()["reasons"][-1]
    assert "XQZ" not in str(risk) + json.dumps(risk.to_dict()) + risk._repr_html_()


def test_known_events_decide() -> None:
    rows = [row for row in BY_HAND if row[0] != "e"]
    assert rr.table_risk(table(rows), SCHEMA, threshold=TWO).figures_acceptable
    none = rr.table_risk(table(rows), SCHEMA, threshold=TWO, events=asked(0))
    assert none.acceptable
    assert none.to_dict()["longitudinal"]["by_known"][0]["highest"] == none.prosecutor.highest
    one = rr.table_risk(table(rows), SCHEMA, threshold=TWO, events=asked(1))
    assert (one.identity_acceptable, one.acceptable) == (True, False)
    assert "SINGLED" in str(one).upper()


def test_a_missing_value_is_a_value_unless_all_are_missing() -> None:
    rows: list[Row] = [("a", "F", "x", None), ("b", "F", "x", None), ("c", "F", None, None)]
    found = rr.table_risk(table(rows), SCHEMA, events=asked(1)).to_dict()["longitudinal"]
    assert (found["events"], found["persons_without_events"]) == (2, 1)
    assert found["by_known"][1]["average"] == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)


def test_a_sample_never_shows_that_all_is_well() -> None:
    codes = [f"c{n}" for n in range(12)]
    rows: list[Row] = [(person, "F", code, 1) for person in "abc" for code in codes]
    whole = rr.table_risk(table(rows), SCHEMA, threshold=TWO, events=asked(4))
    part = rr.table_risk(table(rows), SCHEMA, threshold=TWO, events=asked(4, budget=10))
    assert whole.acceptable
    assert not part.acceptable
    assert "only a sample" in part.to_dict()["reasons"][-1]
    assert part.to_dict()["longitudinal"]["highest_is_lower_bound"]
    assert "Sampled" in str(part)


ROWS = st.lists(
    st.tuples(
        st.sampled_from("abcde"),
        st.just("F"),
        st.sampled_from(["x", "y", None]),
        st.sampled_from([1, 2, None]),
    ),
    min_size=1,
    max_size=20,
)


@given(ROWS, st.integers(0, 3), st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None)
def test_against_sets_in_python(rows: list[Row], known: int, random: Any) -> None:
    people: dict[str, set[Any]] = {person: set() for person, *_ in rows}
    for person, _, *event in rows:
        if event != [None, None]:
            people[person].add(tuple(event))
    risks = []
    for has in people.values():
        some = combinations(has, min(known, len(has)))
        risks.append([1 / sum(set(part) <= other for other in people.values()) for part in some])
    found = rr.table_risk(table(rows), SCHEMA, events=asked(known), drivers=False).to_dict()["longitudinal"]
    assert found["by_known"][-1]["average"] == pytest.approx(mean(mean(of) for of in risks))
    assert found["by_known"][-1]["highest"] == max(map(max, risks))
    random.shuffle(rows)
    again = rr.table_risk(table(rows), SCHEMA, events=asked(known), drivers=False).to_dict()["longitudinal"]
    assert again == found


def test_what_was_counted_gives_the_same_result_after_a_rest() -> None:
    measured = measure_table(table(BY_HAND), SCHEMA, settings=MeasureSettings(events=asked()))
    again = TableMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    assert again.risk(TWO).to_dict() == measured.risk(TWO).to_dict()


def test_what_makes_no_sense_is_refused() -> None:
    rows = table(BY_HAND)
    with pytest.raises(InvalidSetting, match="which rows belong to one person"):
        rr.table_risk(rows, rr.Schema(quasi=("sex",)), events=asked())
    with pytest.raises(InvalidSetting, match="one role: sex"):
        rr.table_risk(rows, SCHEMA, events=rr.EventKnowledge(("sex",)))
    with pytest.raises(UnknownColumn, match="'kode'"):
        rr.table_risk(rows, SCHEMA, events=rr.EventKnowledge(("kode",)))
    with pytest.raises(NothingToMeasure):
        rr.table_risk(table([]), SCHEMA, events=asked())
    for known in (-1, 6, True):
        with pytest.raises(InvalidSetting, match="number of known events"):
            asked(known)
    with pytest.raises(InvalidSetting, match="not one text"):
        rr.EventKnowledge("code")  # type: ignore[arg-type]
    for columns in ((), ("code", "code")):
        with pytest.raises(InvalidSetting, match="no column, or the same column twice"):
            rr.EventKnowledge(columns)
    with pytest.raises(InvalidSetting, match="columns that form an event"):
        event_knowledge(None, 2)


def test_the_report_says_what_is_known(tmp_path: Path) -> None:
    risk = rr.table_risk(table(BY_HAND), SCHEMA, threshold=TWO, events=asked(counted=True))
    rr.write_report(risk, tmp_path)
    page = "".join((tmp_path / name).read_text(encoding="utf-8") for name in ("report.html", "annex.html"))
    for words in (
        "events per person, each described by",
        "Risk by the number of known events",
        "how often the same",
    ):
        assert words in page
    assert "XQZ" not in page

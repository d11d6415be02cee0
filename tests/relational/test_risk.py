"""The risk of people over linked tables: figures, verdict, drivers, views."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.relational.database import Database
from reidrisk.relational.exposure import JoinKnowledge, drawn_offsets, measure_people
from reidrisk.relational.people import People, people_of
from reidrisk.relational.risk import RelationalRisk, relational_risk, risk_of
from reidrisk.report.blocks.relational import checks_of
from reidrisk.report.page import fragment
from tests.relational.databases import config, write_crowd, write_people

TWO = Threshold.from_cell_size(2, "a test")


def test_tables_that_are_harmless_alone(tmp_path: Path) -> None:
    """The first worked example, from files to the verdict."""
    found = relational_risk(write_people(tmp_path), config(), threshold=TWO)
    result = found.to_dict()
    assert not found.acceptable
    assert [round(row["highest"], 4) for row in result["by_known"]] == [0.1667, 0.5, 1.0]
    assert result["highest"] == 1.0
    assert result["smallest_supports"] == [{"support": 1, "people": 2}, {"support": 2, "people": 4}]
    assert [row["unique_share"] for row in result["by_known"]] == [0, 0, 2 / 6]
    curve = {row["risk"]: row["share_of_people"] for row in result["risk_curve"]}
    assert curve == {0.05: 0, 0.09: 0, 0.1: 0, 0.2: 0, 1 / 3: 0, 0.5: 4 / 6, 1.0: 1}, "at most this risk"
    alone = {row["table"]: row["alone"]["highest"] for row in result["tables"]}
    assert alone == pytest.approx({"diagnosis": 1 / 3, "drug": 1 / 2})
    assert {row["table"]: row["without"]["share_above_threshold"] for row in result["tables"]} == {
        "diagnosis": 0.0,
        "drug": 0.0,
    }
    assert result["by_known"][2]["average_of"] == {"diagnosis": 1, "drug": 1}
    assert result["remedies"][0]["share_above_threshold"] == 0.0
    assert "the risk would be acceptable" in result["remedies"][0]["text"]
    assert result["evidence"][0]["grade"] == "proved"
    assert result["warnings"] == []
    one = relational_risk(write_people(tmp_path), config(), known=1, threshold=TWO)
    assert one.acceptable
    assert one.to_dict()["remedies"] == []


def test_limits_per_table_and_columns_that_drive(tmp_path: Path) -> None:
    folder = write_people(tmp_path, wards="aaaabb")
    found = relational_risk(folder, config(known={"total": 2, "drug": 0}), threshold=TWO).to_dict()
    assert [row["most_known"] for row in found["tables"]] == [2, 0]
    columns = {
        (row["table"], row["column"]): row["share_above_threshold"] for row in found["without_columns"]
    }
    assert columns[None, "person.ward"] < found["by_known"][-1]["share_above_threshold"]
    days = relational_risk(folder, config(dates={"offset": "none", "reason": "a test", "know": "days"}))
    by_column = {(row["table"], row["column"]) for row in days.to_dict()["without_columns"]}
    assert {("diagnosis", "code"), ("diagnosis", "day")} <= by_column
    with pytest.raises(InvalidSetting, match="no table of events"):
        relational_risk(folder, config(known={"total": 2, "visit": 1}))
    with pytest.raises(InvalidSetting, match="number of known events"):
        relational_risk(folder, config(), known=9)


def crowd(tmp_path: Path, *, intervals: bool = False) -> RelationalRisk:
    dates = {"offset": 30, "know": "intervals"} if intervals else {"know": "nothing"}
    return relational_risk(write_crowd(tmp_path / "crowd"), config(dates=dates), drivers=False)


def test_distances_between_dates_are_knowledge(tmp_path: Path) -> None:
    values, distances = crowd(tmp_path), crowd(tmp_path, intervals=True)
    assert (distances.worst.least <= values.worst.least).all()
    assert distances.worst.average > values.worst.average
    assert "distances between their dates" in distances.to_dict()["reasons"][0]
    assert "drawn with the seed" in distances.to_dict()["warnings"][-1]
    offsets = drawn_offsets(1000, JoinKnowledge(most=30))
    assert set(np.abs(offsets).tolist()) <= set(range(1, 31))
    assert np.array_equal(offsets, drawn_offsets(1000, JoinKnowledge(most=30)))


def test_days_tell_nothing_unless_distances_are_known() -> None:
    """Four people with two visits each; only the distance between them differs."""
    nobody = np.zeros(4, dtype=np.int64)
    visits = np.zeros(8, dtype=np.int64)
    day = np.array([0, 1, 0, 2, 0, 3, 0, 4])
    people = People(nobody, {}, ("visit",), np.repeat(np.arange(4), 2), visits, visits, day)
    values = measure_people(people, JoinKnowledge())
    assert values.worst.least.tolist() == [4] * 4
    assert values.shift is None, "no offsets are drawn"
    distances = measure_people(people, JoinKnowledge(intervals=True))
    assert distances.worst.least.tolist() == [1] * 4


def test_a_sample_is_not_accepted(tmp_path: Path) -> None:
    with Database.open(write_crowd(tmp_path / "crowd", people=1000, codes=3)) as database:
        people = people_of(database, config(quasi=[]))
    exact = risk_of(people, JoinKnowledge(), place="tables")
    assert exact.acceptable
    sampled = risk_of(people, JoinKnowledge(budget=1500), place="tables")
    assert sampled.worst.method == "sampled"
    assert not sampled.acceptable
    result = sampled.to_dict()
    assert result["highest_is_lower_bound"]
    assert "cannot prove" in result["reasons"][0]
    assert result["by_known"][2]["share_high"] < 0.02
    assert result["by_known"][2]["drawn"] == 400
    assert {row["rule"] for row in result["evidence"]} == {"relational.join", "relational.drawn"}
    assert "or more" in str(sampled)
    proved = risk_of(people, JoinKnowledge(budget=4000), place="tables")
    assert proved.worst.method == "sampled"
    assert proved.acceptable == bool((proved.worst.floor >= 5).all())


def test_a_population_for_the_classes_alone(tmp_path: Path) -> None:
    folder = write_people(tmp_path / "db", wards="aaaabb")
    people = tmp_path / "population.csv"
    people.write_text("sex,ward\n" + "F,a\n" * 50 + "F,b\n" * 9, encoding="utf-8")
    risk = relational_risk(folder, config(), population=people)
    found = risk.to_dict()["journalist"]
    assert found["highest"] == pytest.approx(1 / 9)
    assert found["average"] == pytest.approx((4 / 50 + 2 / 9) / 6)
    assert found["share_above_threshold"] == 0.0
    for size, share in ((9, 0), (10, 2 / 6), (50, 2 / 6), (51, 1)):
        judged = replace(risk, threshold=Threshold.from_cell_size(size, "a test"))
        assert judged.to_dict()["journalist"]["share_above_threshold"] == share
    people.write_text("sex,place\nF,a\n", encoding="utf-8")
    with pytest.raises(InvalidSetting, match="no column for person"):
        relational_risk(folder, config(), population=people)
    with pytest.raises(InvalidSetting, match="there are none"):
        relational_risk(folder, config(quasi=[]), population=people)


def test_every_view_and_no_value(tmp_path: Path) -> None:
    found = relational_risk(write_people(tmp_path, wards="aaaabb"), config())
    text, page = str(found), fragment(found.to_dict())
    for shown in (text, page):
        assert "Not acceptable" in shown or "NOT ACCEPTABLE" in shown.upper()
        assert "diagnosis" in shown
        assert "2020-01-1" not in shown
    shared = found.shared()
    assert shared["people"] == 5
    assert shared["highest"] == "above 0.2"
    assert "by_known" not in shared
    assert found.plot() is not None


def test_people_without_events(tmp_path: Path) -> None:
    found = relational_risk(write_people(tmp_path), config(events={}), threshold=TWO)
    assert found.acceptable
    assert found.to_dict()["tables"] == []
    with pytest.raises(InvalidSetting, match="no quasi-identifiers and no events"):
        relational_risk(tmp_path, config(events={}, quasi=[]))
    with Database.open(write_people(tmp_path)) as database:
        people = people_of(database, config())
    none = replace(people, person=people.person[:0], table=people.table[:0], event=people.event[:0])
    assert measure_people(none, JoinKnowledge()).worst.least.tolist() == [6] * 6


def test_it_says_whose_offsets_were_used(tmp_path: Path) -> None:
    settings = config(dates={"offset": 30, "know": "intervals"})
    with Database.open(write_crowd(tmp_path)) as database:
        people = people_of(database, settings)
    knowledge = JoinKnowledge(intervals=True, most=30)
    own = risk_of(
        people, knowledge, place="crowd", shift=drawn_offsets(len(people), knowledge), drivers=False
    )
    drawn = risk_of(people, knowledge, place="crowd", drivers=False)
    assert "were drawn with the seed" in drawn.to_dict()["warnings"][-1]
    assert "The release's own offsets were used, of up to 30 days." in own.to_dict()["warnings"][-1]


def test_what_was_not_checked_is_not_told_as_true() -> None:
    check = {"title": "", "holds": True, "checked": 0, "found": ""}
    rows = checks_of([check, {**check, "checked": 1}, {**check, "holds": False, "checked": 1}]).rows
    assert [row[1] for row in rows] == ["not checked", "yes", "NO"]

"""People and events of linked tables become numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reidrisk.engine.linked import NO_DAY
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.relational.config import RelationalConfig, config_of
from reidrisk.relational.database import Database
from reidrisk.relational.people import people_of
from tests.relational.making import written

FILES = {
    "person.csv": "person_id,sex,year_of_birth\n3,F,1950\n1,M,1960\n2,F,1950\n",
    "visit.csv": "visit_id,person_id,visit_date\n10,1,2020-01-05\n11,1,2020-03-01\n12,2,2020-02-01\n",
    "diagnosis.csv": "visit_id,code\n10,A\n11,B\n12,A\n",
    "death.csv": "person_id,day\n2,2021-01-01\n",
}
SETTINGS = {
    "person": "person.person_id",
    "keys": {
        "visit.person_id": "person.person_id",
        "diagnosis.visit_id": "visit.visit_id",
        "death.person_id": "person.person_id",
    },
    "quasi": ["person.sex", "dead", "age"],
    "derive": {
        "dead": {"column": "death.day", "rule": "exists"},
        "age": {"column": "visit.visit_date", "rule": "years", "since": "person.year_of_birth"},
    },
    "events": {"visit": ["visit_date"], "diagnosis": ["code"]},
}


def config(**changes: object) -> RelationalConfig:
    return config_of({**SETTINGS, **changes}, folder=Path(), place="rel.yaml")


def test_classes_attributes_and_events(tmp_path: Path) -> None:
    with Database.open(written(tmp_path / "db", FILES)) as database:
        people = people_of(database, config())
    assert len(people) == 3
    assert people.labels["person.sex"] == ("F", "M")
    assert people.columns["person.sex"].tolist() == [1, 0, 0]
    assert [people.labels["age"][code] for code in people.columns["age"]] == ["59", "69", None]
    assert [people.labels["dead"][code] for code in people.columns["dead"]] == [None, "true", None]
    assert len(set(people.static.tolist())) == 3
    assert people.tables == ("visit", "diagnosis")
    rows = list(zip(people.person, people.table, people.event, strict=True))
    assert rows == [(0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 1), (0, 1, 2), (1, 1, 1)]
    assert people.events == ((0, ()), (1, ("A",)), (1, ("B",)))
    assert people.day is not None
    days = np.array(["2020-01-05", "2020-03-01", "2020-02-01"], dtype="datetime64[D]").astype(np.int64)
    assert people.day.tolist() == [*days.tolist(), *[NO_DAY] * 3]


def test_the_first_value_is_that_of_the_first_row_that_has_one(tmp_path: Path) -> None:
    rows = [f"{100 + number},{number % 3 + 1},{number // 3 or ''}" for number in range(30_000)]
    files = {**FILES, "visit.csv": "\n".join(["visit_id,person_id,ward", *rows]) + "\n"}
    first = {"ward": {"column": "visit.ward", "rule": "first"}}
    given = config(quasi=["ward"], derive=first, events={"diagnosis": ["code"]})
    with Database.open(written(tmp_path / "db", files)) as database:
        people = people_of(database, given)
    assert [people.labels["ward"][code] for code in people.columns["ward"]] == ["1", "1", "1"]


def test_dates_are_part_of_the_event_if_they_stay(tmp_path: Path) -> None:
    dates = {"offset": "none", "reason": "years only"}
    with Database.open(written(tmp_path / "db", FILES)) as database:
        people = people_of(database, config(dates=dates))
    assert people.day is None
    assert people.events[0] == (0, ("2020-01-05",))


@pytest.mark.parametrize(
    ("rows", "problem"),
    [("1,F,1950\n1,M,1960\n", "only 1 different values"), (",F,1950\n1,M,1960\n", "1 row of person without")],
)
def test_a_person_key_that_is_missing_or_double_is_refused(tmp_path: Path, rows: str, problem: str) -> None:
    files = {**FILES, "person.csv": f"person_id,sex,year_of_birth\n{rows}"}
    with Database.open(written(tmp_path / "db", files)) as database, pytest.raises(BadData, match=problem):
        people_of(database, config())


def test_an_attribute_of_a_child_table_must_not_vary(tmp_path: Path) -> None:
    with (
        Database.open(written(tmp_path / "db", FILES)) as database,
        pytest.raises(BadData, match=r"visit\.visit_date has more than one value in 1 person"),
    ):
        people_of(database, config(quasi=["visit.visit_date"]))


def test_calendar_days_after_an_offset_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="days of the calendar"):
        config(dates={"offset": 365, "know": "days"})

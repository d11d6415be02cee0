from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.engine.opening import open_table
from reidrisk.engine.results import CodedColumn
from reidrisk.tables.attack.domain import ValueInterval, date_interval, domain_of, number_interval
from reidrisk.tables.attack.reading import ReadableColumn, read_column
from reidrisk.tables.hierarchy.hierarchy import Hierarchy


def column(values: list[Any]) -> CodedColumn:
    """A column as the engine codes it."""
    with open_table(pa.table({"c": values})) as table:
        return table.rows.coded(["c"])[0]


def read(
    released: list[Any], known: list[Any], hierarchy: Hierarchy | None = None
) -> tuple[ReadableColumn, dict[Any, list[Any]]]:
    """A column read, and for each released value what it stands for."""
    own, other = column(released), column(known)
    domain, [places] = domain_of([other])
    counts = np.bincount(places[other.codes], minlength=len(domain))
    found = read_column(own, domain, counts, hierarchy)
    codes = np.arange(len(domain), dtype=np.int32)
    held = {}
    for code, value in zip(own.codes.tolist(), released, strict=True):
        fits = found.compared.cover.holds(np.full(codes.size, code, np.int32), codes)
        held[value] = domain.objects()[fits].tolist()
    return found, held


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("20-29", (20, 29), (19, 30)),
        ("20–29", (20, 29), (19, 30)),
        ("-10 to -1", (-10, -1), (-11, 0)),
        ("[20, 30)", (20, 29.9), (30,)),
        ("(20, 30]", (20.1, 30), (20, 30.1)),
        ("[0, 10[", (0, 9.9), (10,)),
        ("]0; 10]", (0.1, 10), (0,)),
        ("<18", (17.9,), (18,)),
        ("<= 18", (18,), (18.1,)),
        ("≥90", (90, 120), (89,)),
        (">90", (91,), (90,)),
        ("90+", (90, 120), (89,)),
        ("531**", (53100, 53199), (53200, 531)),
        ("1e3..2e3", (1000, 2000), (2001,)),
    ],
)
def test_numbers_as_they_are_written(
    text: str, inside: tuple[float, ...], outside: tuple[float, ...]
) -> None:
    found = number_interval(text)
    assert found is not None
    assert all(len(found.places(np.array([float(value)]))) == 1 for value in inside)
    assert all(len(found.places(np.array([float(value)]))) == 0 for value in outside)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2019", "2019-01-01", "2019-12-31"),
        ("2019-03", "2019-03-01", "2019-03-31"),
        ("2019-Q4", "2019-10-01", "2019-12-31"),
        ("2019-H2", "2019-07-01", "2019-12-31"),
        ("2020-W01", "2019-12-30", "2020-01-05"),
        ("2010-2019", "2010-01-01", "2019-12-31"),
        ("2010s", "2010-01-01", "2019-12-31"),
        ("2019-03-14", "2019-03-14", "2019-03-14"),
        ("2019-03-14 to 2019-03-20", "2019-03-14", "2019-03-20"),
    ],
)
def test_dates_as_they_are_written(text: str, first: str, last: str) -> None:
    found = date_interval(text)
    days = [date.fromisoformat(day).toordinal() for day in (first, last)]
    around = np.array([days[0] - 1, *days, days[1] + 1], dtype=float)
    assert found is not None
    assert list(found.places(around)) == [1, 2]


@pytest.mark.parametrize("text", ["Ohio", "2019-13", "2019-W60", "", "9999-Q5", "[3, 2", "2019-02-30"])
def test_what_is_no_interval(text: str) -> None:
    assert date_interval(text) is None
    assert number_interval(text) is None or text.startswith("2019")


@given(st.floats(-1e6, 1e6), st.floats(0, 1e3), st.lists(st.floats(-1e6, 1e6)))
def test_places_are_those_of_the_values_inside(low: float, width: float, values: list[float]) -> None:
    ordered = np.array(sorted(values))
    for ends in ((False, False), (True, False), (False, True)):
        found = ValueInterval(low, low + width, *ends).places(ordered)
        inside = [
            at
            for at, value in enumerate(ordered)
            if (value > low if ends[0] else value >= low)
            and (value < low + width if ends[1] else value <= low + width)
        ]
        assert list(found) == inside


def test_generalized_values_stand_for_what_they_say() -> None:
    _, held = read(["20-29", "*", "<21", "25", "90+"], [20, 25, 31, 95])
    assert held == {"20-29": [20, 25], "*": [20, 25, 31, 95], "<21": [20], "25": [25], "90+": [95]}
    _, held = read(["531**", "{53101, 99}", "53", "M|F"], ["53101", "53102", "5310", "99", "F", "M"])
    assert held == {
        "531**": ["53101", "53102"],
        "{53101, 99}": ["53101", "99"],
        "53": ["5310", "53101", "53102"],
        "M|F": ["F", "M"],
    }


def test_dates_may_be_dates_moments_or_texts() -> None:
    days = [date(2019, 2, 3), date(2019, 5, 6)]
    assert read(["2019-Q1", "2019"], days)[1] == {"2019-Q1": days[:1], "2019": days}
    assert read([2019, 2020], days)[1] == {2019: days, 2020: []}
    assert read(["2019-02"], ["2019-02-03", "2019-05-06"])[1] == {"2019-02": days[:1]}
    noon = datetime(2020, 1, 1, 12)  # noqa: DTZ001
    assert read(["2020-01", "2020-01-02"], [noon])[1] == {"2020-01": [noon], "2020-01-02": []}
    assert read(days, days)[1] == {day: [day] for day in days}
    assert read([date(2020, 1, 1)], [noon])[1] == {date(2020, 1, 1): [noon]}
    assert read([noon], [noon])[0].compared.is_ordered


def test_what_cannot_be_read_matches_nobody_and_is_counted() -> None:
    found, held = read(["grown up", "20-29"], [20, 31])
    assert held["grown up"] == []
    assert found.unread == 1
    synthetic, _ = read([21, 22], [20, 31])
    assert synthetic.unread == 0
    assert synthetic.compared.is_ordered
    assert read([531, 532], ["53101", "53102"])[1] == {531: ["53101", "53102"], 532: []}


def test_a_hierarchy_tells_what_its_labels_stand_for() -> None:
    ages = Hierarchy.numbers("c", [{"round": 10}])
    assert read([20, 30], [18, 20, 24, 25, 31])[1] == {20: [20], 30: []}
    found, held = read([20, 30], [18, 20, 24, 25, 31], ages)
    assert held == {20: [18, 20, 24], 30: [25, 31]}
    assert not found.compared.is_ordered
    codes = Hierarchy.icd10("c")
    assert read(["M54", "*"], ["M54.5", "M54.2", "A00"], codes)[1] == {
        "M54": ["M54.2", "M54.5"],
        "*": ["A00", "M54.2", "M54.5"],
    }
    years = Hierarchy.dates("c", ["day", "quarter", "year"])
    days = [date(2019, 2, 3), date(2019, 5, 6)]
    assert read(["2019-Q2", "2019"], days, years)[1] == {"2019-Q2": days[1:], "2019": days}


def test_an_empty_cell_is_missing_or_suppressed() -> None:
    found, held = read(["F", "M", None], ["F", "M", None])
    assert not found.empty_is_suppressed
    assert held[None] == [None]
    found, held = read(["F", *([None] * 9)], ["F"] * 5 + ["M"] * 4 + [None])
    assert found.empty_is_suppressed
    assert held[None] == ["F", "M", None]
    found, held = read([3, 3, None], [3, 4, 4])
    assert held[None] == [3, 4]


def test_numbers_lie_where_they_say() -> None:
    found, _ = read(["20-29", "*", None], [20, 28, 120, None])
    extent, known = found.compared.released, found.compared.known
    assert extent is not None
    assert known is not None
    assert extent.middle[[1, 0]].tolist() == [0.24, 0.7]
    assert extent.half[[1, 0]].tolist() == [0.04, 0.5]
    assert np.isnan(extent.middle[2])
    assert np.isnan(known.middle[3])


def test_tables_share_one_domain_whatever_their_types() -> None:
    domain, maps = domain_of([column([1, 3, None]), column([Decimal("2.0"), Decimal("3.0")])])
    assert domain.kind == "number"
    assert domain.objects().tolist() == [1, 2, 3, None]
    assert [places.tolist()[:2] for places in maps] == [[0, 2], [1, 2]]
    words, places = domain_of([column(["b", "a"]), column([True])])
    assert words.kind == "category"
    assert words.texts == ("a", "b", "true")
    assert places[0].tolist()[:2] == [0, 1]
    assert domain_of([column([None])])[0].kind == "category"
    assert domain_of([column([1.5]), column(["x"])])[0].texts == ("1.5", "x")

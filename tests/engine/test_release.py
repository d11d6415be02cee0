"""What the search decided is done to the rows, and nothing else is."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.duckdb.release import released
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.plans import REMOVED, ReleasePlan
from reidrisk.engine.settings import ScanSettings
from tests.engine.builders import write_out
from tests.engine.releases import Masks, blanks, identity, rows_out

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")

PEOPLE = pa.table(
    {
        "id": ["p3", "p1", None, "p3", "p2"],
        "sex": ["F", "M", "F", None, "F"],
        "age": pa.array([34, 51, 34, 34, None], pa.int64()),
        "note": ["a", "b", "c", "d", "e"],
    }
)


def test_nothing_to_do_leaves_every_row() -> None:
    rows = rows_out(open_embedded(PEOPLE), ["sex", "age"])
    assert rows == list(zip(*PEOPLE.to_pydict().values(), strict=True))


def test_labels_take_the_place_of_values() -> None:
    decade = rows_out(open_embedded(PEOPLE), ["sex", "age"], labels={"age": lambda v: v and v // 10 * 10})
    assert [row[2] for row in decade] == [30, 50, 30, 30, None]
    text = rows_out(open_embedded(PEOPLE), ["age"], labels={"age": lambda v: "?" if v is None else f"{v}+"})
    assert [row[2] for row in text] == ["34+", "51+", "34+", "34+", "?"]


def test_one_label_for_all() -> None:
    """Whatever the codes are, and beside cells that are lost."""
    rows = rows_out(
        open_embedded(PEOPLE),
        ["sex", "age"],
        labels={"sex": lambda _: "it's *"},
        masks={(0, 0): [(0b10, 3)], (0, 1): [(0b01, 1)]},
    )
    assert [row[1:3] for row in rows] == [
        ("it's *", None), (None, 51), ("it's *", None), ("it's *", None), ("it's *", None),
    ]  # fmt: skip


def test_cells_by_tuple() -> None:
    """F and 34 lose the sex, M and 51 the age; nobody else loses anything."""
    rows = rows_out(open_embedded(PEOPLE), ["sex", "age"], masks={(0, 0): [(0b01, 2)], (1, 1): [(0b10, 1)]})
    assert [row[1:3] for row in rows] == [(None, 34), ("M", None), (None, 34), (None, 34), ("F", None)]


def test_removed_records_leave_no_row() -> None:
    rows = rows_out(
        open_embedded(PEOPLE), ["sex", "age"], masks={(0, 0): [(REMOVED, 2)], (2, 0): [(0b11, 1)]}
    )
    assert [row[3] for row in rows] == ["b", "d", "e"]
    assert rows[1][1:3] == (None, None)


def test_records_of_one_tuple_are_told_apart() -> None:
    """As many as were asked for, the same each time, and not by the values behind the generalized ones."""
    number = 400
    table = pa.table({"age": [30 + row // 40 for row in range(number)], "row": list(range(number))})

    def out() -> list[tuple[Any, ...]]:
        return rows_out(
            open_embedded(table),
            ["age"],
            labels={"age": lambda _: "30-39" if _ else None},
            masks={(0,): [(0, 200), (1, 150), (REMOVED, 50)]},
        )

    rows = out()
    assert rows == out()
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    shown = [row[1] // 40 for row in rows if row[0] is not None]
    starred = [row[1] // 40 for row in rows if row[0] is None]
    assert (len(shown), len(starred)) == (200, 150)
    assert set(shown) == set(starred) == set(range(10))


VISITS = pa.table(
    {
        "visit": ["b", "a", "b", "c", "a", "d"],
        "age": [31, 35, 31, 39, 35, 50],
        "drug": ["x1", "x2", "x3", "x4", "x5", "x6"],
    }
)


def test_units_are_treated_as_wholes() -> None:
    """Visit a, b and c are one tuple: one keeps, one loses, one goes, with all their rows."""
    rows = rows_out(
        open_embedded(VISITS),
        ["age"],
        labels={"age": lambda age: "30-39" if age < 40 else "50"},
        masks={(0,): [(0, 1), (1, 1), (REMOVED, 1)]},
        treatments={"visit": "number"},
        unit="visit",
    )
    of_visit = {drug: (number, age) for number, age, drug in rows}
    assert of_visit.pop("x6")[1] == "50"
    wholes = [{of_visit.get(drug) for drug in drugs} for drugs in (("x1", "x3"), ("x2", "x5"), ("x4",))]
    assert all(len(whole) == 1 for whole in wholes)
    told = [next(iter(whole)) for whole in wholes]
    assert sorted(str(one and one[1]) for one in told if one is not None) == ["30-39", "None"]
    assert told.count(None) == 1


def test_numbers_have_no_gap_for_people_who_are_left_out() -> None:
    """By first appearance among those who go out: c, who does not, has no number."""
    rows = rows_out(
        open_embedded(VISITS),
        ["age"],
        masks={(2,): [(REMOVED, 1)]},
        treatments={"visit": "number"},
        unit="visit",
    )
    assert [row[0] for row in rows] == [1, 2, 1, 2, 3]


def test_treatments_of_direct_identifiers() -> None:
    assert [row[0] for row in rows_out(open_embedded(PEOPLE), ["sex"], treatments={"id": "number"})] == [
        1, 2, None, 1, 3,
    ]  # fmt: skip
    assert [row[0] for row in rows_out(open_embedded(PEOPLE), ["sex"], treatments={"id": "keep"})] == [
        "p3", "p1", None, "p3", "p2",
    ]  # fmt: skip
    dropped = rows_out(open_embedded(PEOPLE), ["sex"], treatments={"id": "drop", "note": "drop"})
    assert dropped[0] == ("F", 34)


OURS = [
    "r0",
    "c0",
    "l0",
    "g0",
    "v0",
    "k0",
    "mask",
    "n",
    "i",
    "gkey",
    "tmask",
    "sn",
    "rank",
    "f",
    'a "b"',
    "x y",
    "'",
    "d0",
    "o0",
]


def test_columns_may_have_any_name() -> None:
    """Also those that the statements use themselves."""
    table = pa.table({name: [f"{name}{row % 2}" for row in range(6)] for name in OURS})
    quasi = ["mask", "r0", 'a "b"', "n"]
    rows = rows_out(
        open_embedded(table),
        quasi,
        labels={"r0": lambda value: value.upper()},
        masks={(0, 0, 0, 0): [(0b0001, 2), (0b1010, 1)]},
        treatments={"i": "number", "x y": "pseudonym", "'": "drop"},
    )
    names = [name for name in OURS if name != "'"]
    found = [dict(zip(names, row, strict=True)) for row in rows]
    assert [row["i"] for row in found] == [1, 2] * 3
    kept = {(None, "R00", "n0"): 2, ("mask0", None, None): 1, ("mask1", "R01", "n1"): 3}
    assert Counter((row["mask"], row["r0"], row["n"]) for row in found) == kept
    assert all(row["mask"] == "mask1" for row in found[1::2])
    for name in ("c0", "l0", "g0", "tmask", "rank", "f", "gkey", "sn"):
        assert [row[name] for row in found] == [f"{name}{row % 2}" for row in range(6)]


def test_units_with_names_of_our_own() -> None:
    table = pa.table({"n": ["a", "a", "b"], "mask": [1, 1, 2], "i": [7, 8, 9]})
    rows = rows_out(
        open_embedded(table), ["mask"], masks={(1,): [(1, 1)]}, treatments={"n": "keep"}, unit="n"
    )
    assert rows == [("a", 1, 7), ("a", 1, 8), ("b", None, 9)]


@pytest.mark.parametrize("order", ["random", "content"])
@pytest.mark.parametrize("numbered", [("i",), ("o0",), ("d1",), ("h",), ("i", "h"), ("o0", "d1", "h")])
def test_the_released_order_does_not_tell_that_of_the_source(numbered: tuple[str, ...], order: Any) -> None:
    """Also where columns are named like those of the statements."""
    columns = {
        name: [f"{name}{row * by % 7}" for row in range(30)]
        for by, name in enumerate(("i", "o0", "d1", "h"), 1)
    }
    table = pa.table({**columns, "sex": ["FM"[row % 2] for row in range(30)]})
    found = []
    for source in (
        table,
        table.take(list(range(29, -1, -1))),
        table.take([row * 7 % 30 for row in range(30)]),
    ):
        opened = open_embedded(source)
        tuples = distinct_tuples(opened, ["sex"], recodable=True)
        plan = ReleasePlan(
            tuples,
            (identity(["F", "M"]),),
            blanks({}, 1),
            dict.fromkeys(numbered, "number"),
            order=order,
            salt="7",
        )
        found.append(released(opened, opened, plan).fetchall())
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 30


def test_every_type_goes_through() -> None:
    moment = datetime.fromisoformat("2020-01-02 03:04:05.678901")
    columns: dict[str, Any] = {
        "day": pa.array([date(2020, 1, 2), None, date(2020, 1, 2)]),
        "moment": pa.array([moment, None, moment], pa.timestamp("us")),
        "zone": pa.array([moment, None, moment], pa.timestamp("us", tz="Europe/Vienna")),
        "price": pa.array([Decimal("1.50"), None, Decimal("1.50")], pa.decimal128(20, 2)),
        "yes": [True, None, True],
        "huge": pa.array([2**64 - 1, None, 2**64 - 1], pa.uint64()),
        "real": [float("nan"), None, float("nan")],
        "raw": [b"\x00\xff", None, b"\x00\xff"],
    }
    table = open_embedded(pa.table(columns))
    before = table.relation.project(
        "day, moment, CAST(zone AS VARCHAR), price, yes, huge, real, raw"
    ).fetchall()
    quasi = list(columns)
    records = distinct_tuples(table, quasi, recodable=True)
    assert records.counts.tolist() == [2, 1]
    plan = ReleasePlan(
        records, tuple(identity(values) for values in records.values), blanks({(1,) * 8: [(0xFF, 1)]}, 8), {}
    )
    after = released(table, table, plan)
    assert list(map(str, after.types)) == list(table.types.values())
    found = after.project("day, moment, CAST(zone AS VARCHAR), price, yes, huge, real, raw").fetchall()
    assert [repr(row) for row in found] == [repr(row) for row in before]


def test_more_codes_than_fit_into_one_number() -> None:
    """Twelve variables of 100 values: 80 bits. The tuples are looked up all the same."""
    factors = (3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31)
    columns = {f"q{by}": [row * by % 100 for row in range(400)] for by in factors}
    table = open_embedded(pa.table({**columns, "row": list(range(400))}))
    tuples = distinct_tuples(table, list(columns), recodable=True)
    first = {
        tuple(map(int, codes)): [(1 << (place % 12), int(number))]
        for place, (codes, number) in enumerate(zip(tuples.codes, tuples.counts, strict=True))
        if place % 3 == 0
    }
    rows = rows_out(table, list(columns), masks=first)
    expected = []
    for row in range(400):
        values = tuple(column[row] for column in columns.values())
        [(mask, _)] = first.get(values, [(0, 0)])
        expected.append((*(None if mask >> bit & 1 else value for bit, value in enumerate(values)), row))
    assert rows == expected
    assert sum(None in row for row in rows) > 100


@pytest.mark.parametrize("threads", [2, 8])
def test_the_order_of_many_rows_is_kept(threads: int) -> None:
    number = 300_000
    table = pa.table(
        {
            "visit": [row // 3 for row in range(number)],
            "age": [row // 3 % 97 for row in range(number)],
            "sex": ["FM"[row // 3 % 2] for row in range(number)],
            "row": list(range(number)),
        }
    )
    opened = open_embedded(table, settings=ScanSettings(threads=threads))
    age = {"age": lambda value: value // 10}
    masks: Masks = {(3, 0): [(1, 10), (2, number)], (4, 1): [(REMOVED, 50), (0, number)]}
    alone = rows_out(opened, ["age", "sex"], labels=age, masks=masks)
    assert [row[3] for row in alone] == sorted(row[3] for row in alone)
    assert len(alone) == number - 50
    units = rows_out(
        opened, ["age", "sex"], labels=age, masks=masks, treatments={"visit": "number"}, unit="visit"
    )
    assert [row[3] for row in units] == sorted(row[3] for row in units)
    assert len(units) == number - 150
    visits = {
        visit: number for number, visit in enumerate(dict.fromkeys(row[3] // 3 for row in units), start=1)
    }
    assert [row[0] for row in units] == [visits[row[3] // 3] for row in units]


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_a_parquet_file_does_not_list_texts_that_are_lost(tmp_path: Path, lost: int) -> None:
    """Its dictionary would name a value that nobody is left with."""
    table = open_embedded(pa.table({"town": ["Rare", "Rare", *["Usual"] * 5], "kept": [None, *"abcdef"]}))
    tuples = distinct_tuples(table, ["town", "kept"], recodable=True)
    masks: Masks = {(0, 0): [(REMOVED, 1)], (0, 6): [(0b01, 1)]}
    given = dict(list(masks.items())[:lost])
    recodes = tuple(identity(values) for values in tuples.values)
    plan = ReleasePlan(tuples, recodes, blanks(given, 2), {})
    file = tmp_path / "out.parquet"
    write_out(released(table, table, plan, short=True), file)
    assert (b"Rare" in file.read_bytes()) is (lost < 2)
    towns = pq.read_table(file)["town"]
    assert towns.type == pa.string()
    assert towns.to_pylist().count("Rare") == 2 - lost


def test_a_type_that_lists_its_values_becomes_text(tmp_path: Path) -> None:
    file = tmp_path / "in.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TYPE towns AS ENUM ('Rare', 'Usual', 'Never')")
        connection.execute("CREATE TABLE t AS SELECT CAST(x AS towns) AS town, CAST(x AS towns) AS other "
                           "FROM (VALUES ('Rare'), ('Usual')) v(x)")  # fmt: skip
    table = open_embedded(file)
    tuples = distinct_tuples(table, ["town"], recodable=True)
    recodes = tuple(identity(values) for values in tuples.values)
    for short in (False, True):
        plan = ReleasePlan(tuples, recodes, blanks({(0,): [(REMOVED, 1)]}, 1), {})
        after = released(table, table, plan, short=short)
        assert list(map(str, after.types)) == ["VARCHAR", "VARCHAR"]
        assert after.fetchall() == [("Usual", "Usual")]

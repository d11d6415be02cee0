from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from reidrisk.engine.duckdb.classes import count_rows
from reidrisk.engine.duckdb.coded import counted_column
from reidrisk.engine.duckdb.queries import check_query, query_desk
from reidrisk.engine.duckdb.rows import drawn_rows
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.results import Answer, Ask, Failed
from reidrisk.errors import InvalidSetting
from reidrisk.tables.attack.domain import number_interval

PLACE = "Zanzibar"
WRITTEN = [
    *("20-29", "20 - 29", "20–29", "[2.5, 5)", "531**", "Ohio", "90+", "<=5", "≥7", "5", "-3", "-5--2"),
    *("-5 to -1", "1e3", "2019-Q1", "*", "", "9-1", "(1;3]", "3/4", " 7 ", "<  8.5", "1.5 +", "12..14"),
    *("0**", "1_000", "nan", "inf", "[1,2", "7-", "--3", "2.5-2.5"),
]


def _table() -> DuckTable:
    return open_embedded(pa.table({"place": [PLACE, "Ohio", "Ohio"], "age": [30, 40, 50]}))


_DESK: list[Ask] = []


@pytest.fixture(scope="module", autouse=True)
def _one_desk() -> Iterator[None]:
    """One process for all queries that end."""
    with _table() as table, query_desk(table, seconds=60.0) as ask:
        _DESK[:] = [ask]
        yield


def _asked(sql: str, *, seconds: float | None = None) -> Answer | Failed:
    if seconds is None:
        return _DESK[0](sql)
    with _table() as table, query_desk(table, seconds=seconds) as ask:
        return ask(sql)


def test_figures_of_groups() -> None:
    found = _asked("SELECT place, avg(age) AS a, count(*) AS n FROM data GROUP BY place ORDER BY place")
    assert isinstance(found, Answer)
    assert found.names == ("place", "a", "n")
    assert found.kinds == ("group", "number", "number")
    assert found.rows == (("Ohio", 45.0, 2.0), (PLACE, 30.0, 1.0))
    assert PLACE not in repr(found)


@pytest.mark.parametrize("end", ["", ";", " -- by day"])
def test_times_with_a_zone_are_groups(end: str) -> None:
    sql = "SELECT TIMESTAMPTZ '2020-01-01 02:00:00+02' AS t, place, count(*) AS n FROM data GROUP BY ALL"
    found = _asked(f"{sql}{end}")
    assert isinstance(found, Answer)
    time = "2020-01-01 00:00:00+00"
    assert sorted(found.rows) == [(time, "Ohio", 2.0), (time, PLACE, 1.0)]
    assert found.kinds == ("group", "group", "number")
    assert found.names == ("t", "place", "n")


def test_the_middle_in_sql_is_that_of_the_attacks() -> None:
    expected = [getattr(number_interval(text), "middle", None) for text in WRITTEN]
    rows = pa.table({"x": WRITTEN, "nth": range(len(WRITTEN))})
    with open_embedded(rows) as table, query_desk(table, seconds=20) as ask:
        found = ask("SELECT middle(x) AS m FROM data ORDER BY nth")
    assert isinstance(found, Answer)
    assert [row[0] for row in found.rows] == expected
    assert expected[0] == 24.5
    assert expected[4] == 53149.5


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CAST(place AS INTEGER) FROM data",
        "SELECT sum(place) FROM data",
        "SELECT error(place) FROM data",
        "SELECT place::DATE FROM data",
        "SELECT nobody FROM data",
        "SELECT * FROM others",
        "SELECT nothing(place) FROM data",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM table_",
        "SELECT a.age FROM data a, range(10000)",
    ],
)
def test_complaints_tell_nothing_of_the_table(sql: str) -> None:
    found = _asked(sql)
    assert isinstance(found, Failed)
    assert PLACE not in repr(found)
    assert "passwd" not in found.reason
    assert found.hint


def test_complaints_say_what_is_wrong() -> None:
    reasons = {
        "SELECT nobody FROM data": "there is no column 'nobody' (line 1, near column 8)",
        "SELECT * FROM others": "there is no table 'others'",
        "SELECT * FROM read_csv('x.csv')": "it reaches for files or the network",
    }
    for sql, reason in reasons.items():
        found = _asked(sql)
        assert isinstance(found, Failed)
        assert found.reason.startswith(reason)
    cast = _asked("SELECT CAST(place AS INTEGER) FROM data")
    assert isinstance(cast, Failed)
    assert "middle(x)" in cast.hint


def test_a_query_without_end_is_ended() -> None:
    found = _asked("SELECT count(*) FROM range(1000000000000) a, range(1000000) b", seconds=0.2)
    assert found == Failed("it takes longer than 0.2 seconds", "Ask for less, or allow more time.")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; SELECT 2",
        "COPY data TO 'x.csv'",
        "ATTACH 'x.db'",
        "INSTALL httpfs",
        "SET memory_limit = '9GB'",
        "DELETE FROM data",
        "CREATE TABLE x AS SELECT 1",
        "",
        "EXPORT DATABASE 'x'",
    ],
)
def test_only_one_select_is_accepted(sql: str) -> None:
    with pytest.raises(InvalidSetting, match="'mine' is not one SELECT"):
        check_query("mine", sql)


def test_mistakes_in_sql_are_placed() -> None:
    with pytest.raises(InvalidSetting, match=r"no SQL \(line 2, near column 6\)"):
        check_query("mine", "SELECT age\nFROM FROM data")


def test_settings_cannot_be_changed_by_a_select() -> None:
    found = _asked(
        "SELECT current_setting('enable_external_access') AS x, current_setting('lock_configuration') AS y"
    )
    assert isinstance(found, Answer)
    assert found.rows == (("False", "True"),)


def test_columns_are_counted() -> None:
    rows = {"x": ["b", None, "a", "b"], "n": [2.0, float("nan"), None, 1.0]}
    with open_embedded(pa.table(rows)) as table:
        texts, numbers = counted_column(table, "x"), counted_column(table, "n")
    assert (texts.values.tolist(), texts.counts.tolist(), texts.kind) == (["a", "b"], [1, 2, 1], "text")
    assert (numbers.values.tolist(), numbers.counts.tolist()) == ([1.0, 2.0], [1, 1, 2])
    assert (texts.rows, texts.missing) == (4, 1)


def test_rows_are_drawn_by_the_seed() -> None:
    with open_embedded(pa.table({"x": range(5000)})) as table:
        some = [drawn_rows(table, 1000, seed=seed).relation.fetchall() for seed in (1, 1, 2)]
        assert drawn_rows(table, 5000, seed=1) is table
        assert drawn_rows(table, 1000, seed=1).columns == ("x",)
        assert count_rows(drawn_rows(table, 1000, seed=1)) == len(some[0])
    assert some[0] == some[1] != some[2]
    assert 850 < len(some[0]) < 1150


def test_a_query_that_eats_memory_or_time_ends_and_the_next_one_is_answered() -> None:
    with _table() as table, query_desk(table, seconds=3) as ask:
        eats = ask("SELECT length(string_agg(repeat('x', 100000), '')) AS n FROM range(1000000)")
        assert isinstance(eats, Failed)
        late = ask("SELECT count(*) AS n FROM range(1000000000000) a, range(1000000) b")
        assert isinstance(late, Failed)
        assert late.reason == "it takes longer than 3 seconds"
        found = ask("SELECT count(*) AS n FROM data")
        assert isinstance(found, Answer)
        assert found.rows == ((3.0,),)


def test_nothing_is_left_of_the_process() -> None:
    with _table() as table:
        with query_desk(table, seconds=20) as ask:
            ask("SELECT count(*) AS n FROM data")
            process = ask.__self__._process  # type: ignore[attr-defined]
            assert process.poll() is None
        assert process.poll() is not None
        assert not list(table.session.work.path.glob("*.duckdb"))


def test_a_sample_does_not_depend_on_the_order_of_rows() -> None:
    rows = [*range(2000), *[-1] * 3000]
    found = []
    for one in (rows, rows[::-1]):
        with open_embedded(pa.table({"x": one})) as table:
            found.append(drawn_rows(table, 500, seed=1).relation.fetchall())
    assert found[0] == found[1]
    assert found[0].count((-1,)) == 300

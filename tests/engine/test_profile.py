from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from reidrisk.engine.duckdb.search import (
    AT_ONCE,
    column_profiles,
    count_above,
    count_exact_dates,
    count_listed,
    count_matches,
    count_postal,
)
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.results import TextSearch
from reidrisk.errors import UnknownColumn

DIGITS = {"digits": TextSearch((r"^\d+$",)), "word": TextSearch((r"^[a-z]+$",))}


def test_counts_over_all_rows_and_patterns_over_the_first() -> None:
    table = pa.table({'odd "name"': ["a", "1", None, "2", "2", "b"]})
    with open_embedded(table) as opened:
        (found,) = column_profiles(opened, DIGITS, sample_rows=4)
    assert (found.rows, found.distinct, found.missing, found.filled) == (6, 4, 1, 5)
    assert (found.looked_at, dict(found.patterns)) == (3, {"digits": 2, "word": 1})
    assert found.share("digits") == pytest.approx(2 / 3)
    assert found.distinct_share == 0.8


def test_every_column_of_a_wide_table_keeps_its_own_numbers() -> None:
    width = 2 * AT_ONCE + 3
    table = pa.table({f"c{place}": [str(row % (place + 1)) for row in range(50)] for place in range(width)})
    with open_embedded(table) as opened:
        found = column_profiles(opened, DIGITS, sample_rows=10)
    assert [profile.distinct for profile in found] == [min(place + 1, 50) for place in range(width)]
    assert all(profile.patterns == {"digits": 10, "word": 0} for profile in found)


def test_nothing_is_left_behind_in_the_database() -> None:
    with open_embedded(pa.table({"dx": ["A", "B", "A"], "unit": [1, 1, 2]})) as opened:
        column_profiles(opened, DIGITS, sample_rows=4)
        found = count_listed(opened, {"dx": [("A", "whole")], "unit": [("2", "start")]}, unit="unit")
        assert (found.records, found.present, dict(found.by_column)) == (2, 2, {"dx": (2, 1), "unit": (1, 1)})
        assert opened.connection.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)


def test_shapes() -> None:
    day = datetime.date(2020, 1, 1)
    table = pa.table(
        {"t": ["a"], "i": [1], "f": [0.5], "d": [day], "b": [True], "s": [[1]], "x": [b"\x00"], "n": [None]}
    )
    with open_embedded(table) as opened:
        found = {one.name: one.shape for one in column_profiles(opened, DIGITS, sample_rows=4)}
    assert [found[name] for name in "tifdbsx"] == [
        *("text", "whole number", "number", "date", "yes or no", "other", "other"),
    ]


def test_checks_count_and_refuse_unknown_columns() -> None:
    with open_embedded(pa.table({"age": [90, 91, 91, 5, None]})) as opened:
        above = count_above(opened, "age", 89)
        assert (above.cells, above.distinct) == (3, 2)
        for check in (lambda: count_above(opened, "agge", 89), lambda: count_postal(opened, "agge", [])):
            with pytest.raises(UnknownColumn, match="Did you mean 'age'"):
                check()


def test_moments_with_and_without_zone() -> None:
    zone = datetime.UTC
    moments = [datetime.datetime(2020, 1, 1, tzinfo=zone), datetime.datetime(2020, 1, 1, 8, tzinfo=zone)]
    with open_embedded(pa.table({"at": moments, "year": [moments[0]] * 2})) as opened:
        assert count_exact_dates(opened, "at") == 2
        assert count_exact_dates(opened, "year") == 0


def test_counts_are_remembered_by_content_and_by_search() -> None:
    searches = {"digit": TextSearch(("[0-9]",)), "capital": TextSearch((r"\p{Lu}",), only=(r"\pL",))}

    def counted(values: list[str | None], wanted: dict[str, TextSearch]) -> tuple[int, dict[str, int]]:
        with open_embedded(pa.table({"x": pa.array(values, pa.string())})) as table:
            return count_matches(table, ["x"], wanted)["x"]

    first = counted(["a1", "B2", "a1", None], searches)
    assert first == (3, {"digit": 3, "capital": 1})
    assert counted(["B2", "a1", None, "a1"], searches) == first, "the order of rows does not matter"
    assert counted(["a1", "B2", "B2"], searches) == (3, {"digit": 3, "capital": 2})
    assert counted(["a1", "B2", "a1"], {"digit": TextSearch(("[3-9]",))}) == (3, {"digit": 0})
    assert counted([None], searches) == (0, {"digit": 0, "capital": 0})

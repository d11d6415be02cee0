"""Tables of a real PostgreSQL server, read and written by Spark through the system's driver."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from reidrisk.engine.spark import postgres
from reidrisk.engine.spark.postgres import JAR
from reidrisk.engine.spark.scan import SparkEngine
from reidrisk.errors import BadData, FailedCheck, InvalidSetting, UnreadableFile
from tests.engine.builders import COLUMNS, PEOPLE, SIZES
from tests.engine.test_postgres import connected, free_port, server
from tests.spark.plain_release import contents, plain_release, plan_of

__all__ = ["server"]
pa = pytest.importorskip("pyarrow")
TEXTS = {"sex": True, "age": False, "region": True, "born": False}


@pytest.fixture(scope="module")
def engine(spark: Any) -> SparkEngine:
    if not JAR.exists():
        pytest.skip("the JDBC driver is missing: apt-get install libpostgresql-jdbc-java")
    return SparkEngine.on(spark)


def asked(url: str, query: str, *, commit: bool = False) -> Any:
    with closing(connected(url)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute(query)
        if commit:
            connection.commit()
            return None
        return cursor.fetch_arrow_table()


def tables(url: str) -> set[str]:
    found = asked(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'care'")
    return set(found.column(0).to_pylist())


def test_a_table_by_url(engine: SparkEngine, server: str) -> None:
    table = engine.scan(f"jdbc:{server}?table=care.people")
    assert table.columns == COLUMNS
    assert table.class_sizes(COLUMNS) == SIZES
    assert dict(table.kinds) == {"sex": "text", "age": "whole number", "region": "text", "born": "date"}
    assert "hidden" not in repr(table)
    assert "tester" not in table.source
    odd = engine.scan(f'{server}?table=odd "one"')
    assert tuple(odd.kinds.values()) == ("number", "time", "text", "yes or no")
    assert set(odd.nulls(odd.columns).values()) == {1}


NUMBERS = "n * n % 5000 - 7"
SPLIT = {
    "keyed": ["CREATE TABLE care.keyed (id bigint PRIMARY KEY, v int)"],
    "unkeyed": ["CREATE TABLE care.unkeyed (id bigint, v int)"],
    "divided": [
        "CREATE TABLE care.divided (id bigint, v int) PARTITION BY RANGE (id)",
        "CREATE TABLE care.low PARTITION OF care.divided FOR VALUES FROM (-9) TO (900)",
        "CREATE TABLE care.high PARTITION OF care.divided DEFAULT",
    ],
}


def test_large_tables_are_read_in_parts(
    engine: SparkEngine, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By key, by pages, and by pages of partitions; a view is read as one."""
    monkeypatch.setattr(postgres, "PART_BYTES", 2**15)
    for name, commands in SPLIT.items():
        number = "n * 3 - 7" if name == "keyed" else NUMBERS
        rows = f"SELECT {number}, nullif(n % 7, 0) FROM generate_series(1, 3000) n"  # noqa: S608
        for one in (*commands, f"INSERT INTO care.{name} {rows}"):
            asked(server, one, commit=True)
        found = engine.scan(f"{server}#care.{name}")
        assert found.frame.rdd.getNumPartitions() > 2, name
        every = asked(server, f"SELECT id, v FROM care.{name}")  # noqa: S608
        assert contents(found.frame.toArrow()) == contents(every)
    asked(server, "CREATE VIEW care.seen AS SELECT * FROM care.keyed", commit=True)
    assert engine.scan(f"{server}#care.seen").frame.rdd.getNumPartitions() == 1
    asked(server, "DROP TABLE care.keyed, care.unkeyed, care.divided CASCADE", commit=True)


def test_a_release_appears_whole(engine: SparkEngine, server: str) -> None:
    asked(server, "CREATE TABLE care.out_reidrisk_0123456789ab (x int)", commit=True)
    table = engine.scan(f"{server}#care.people")
    plan = plan_of(table.tuples(["age", "region"]), labels={"age": lambda age: age and age // 10 * 10})
    seen: list[int] = []

    def look(written: Any) -> None:
        assert "out" not in tables(server)
        seen.append(written.count())

    def fail(_: Any) -> None:
        raise FailedCheck("The smallest class is 1.", hint="Report it.")

    with pytest.raises(FailedCheck):
        table.release(table, plan, f"{server}#care.out", fail)
    assert tables(server) == {"people"}
    table.release(table, plan, f"jdbc:{server}?table=care.out", look)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in PEOPLE]
    found = asked(server, "SELECT * FROM care.out")
    assert contents(found) == plain_release(rows, plan, TEXTS)
    assert seen == [found.num_rows]
    assert tables(server) == {"people", "out"}
    with pytest.raises(BadData, match="exists already"):
        table.release(table, plan, f"{server}#care.out", look)


def test_refusals(engine: SparkEngine, server: str) -> None:
    with pytest.raises(BadData, match=r"table care\.missing: there is no such table"):
        engine.scan(f"{server}#care.missing")
    with pytest.raises(InvalidSetting, match="names no table"):
        engine.scan(server)
    with pytest.raises(UnreadableFile, match="not reachable") as caught:
        engine.scan(f"postgresql://ann:hidden@127.0.0.1:{free_port()}/db?table=t")
    assert "hidden" not in str(caught.value)
    assert caught.value.__context__ is None

"""A text file is parsed once, whatever is asked of it, and its spelling is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.reading import TableReading
from reidrisk.core.schema import Schema
from reidrisk.engine.duckdb import session
from reidrisk.engine.duckdb.readers import delimited
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.errors import BadData
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.risk import table_risk
from reidrisk.tables.transform.run import transform_table

ROWS = 4000
READ = """SELECT coalesce(sum(bytes), 0) FROM duckdb_logs_parsed('FileSystem')
WHERE op = 'READ' AND path = ?"""
SCHEMA = Schema(quasi=("sex", "age"), unit="person", other={"code": "needed", "cost": "needed"})


@pytest.fixture(params=[0, 1], ids=["on disk", "in memory"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "IN_MEMORY", request.param)


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    rows = [f"{n // 2},{'FM'[n // 2 % 2]},{30 + n // 2 % 3},{n % 7:03d},{n % 5}.50" for n in range(ROWS)]
    path.write_text("\n".join(["person,sex,age,code,cost", *rows, ""]), encoding="utf-8")
    return path


@pytest.fixture
def times_read(visits: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """How often the databases of this test read the whole file, as their logs tell."""
    started: list[Any] = []
    read = 0
    connected, end = session._connected, session._end

    def logged(*given: Any) -> Any:
        connection = connected(*given)
        connection.execute("CALL enable_logging('FileSystem')")
        started.append(connection)
        return connection

    def counted(connection: Any, *rest: Any) -> None:
        nonlocal read
        if connection in started:
            started.remove(connection)
            read += int(connection.execute(READ, [str(visits)]).fetchone()[0])
        end(connection, *rest)

    monkeypatch.setattr(session, "_connected", logged)
    monkeypatch.setattr(session, "_end", counted)
    return lambda: read / visits.stat().st_size


HEADS = 3
"""The whole of a small file is also what its delimiter, types and header are found in."""


@pytest.mark.usefixtures("where")
def test_a_measurement_parses_the_file_once(visits: Path, times_read: Callable[[], float]) -> None:
    assert table_risk(visits, SCHEMA).to_dict()["records"] == ROWS // 2
    assert 1 <= times_read() <= 1 + HEADS


@pytest.mark.usefixtures("where")
def test_a_release_parses_the_file_once(
    visits: Path, tmp_path: Path, times_read: Callable[[], float]
) -> None:
    out = tmp_path / "out.csv"
    result = deidentify(visits, SCHEMA, {}, out=out)
    assert result.acceptable
    assert times_read() <= 1 + HEADS
    lines = out.read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) == ROWS
    assert {line.split(",")[3] for line in lines} == {f"{n:03d}" for n in range(7)}
    assert {line.split(",")[4] for line in lines} == {f"{n}.50" for n in range(5)}


@pytest.mark.usefixtures("where")
def test_cells_have_the_same_values_wherever_the_texts_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "n,x,day,time,flag,us,gap,comma\n"
        '7,1e3,2020-02-29,2020-01-01 10:00:00,true,12/31/2020,unknown,"1,5"\n'
        '-8,.5,1999-01-01,2020-01-01 10:00:00.5,false,01/02/2021,," 2,5"\n',
        encoding="utf-8",
    )
    reading = TableReading(null=("unknown",), date_format={"us": "%m/%d/%Y"})
    with open_embedded(path, reading=reading) as table:
        rows = table.relation.fetchall()
        assert [str(value) for value in rows[0]] == [
            *("7", "1000.0", "2020-02-29", "2020-01-01 10:00:00", "True", "2020-12-31", "None", "1,5"),
        ]
        assert table.as_stored(["n"]).relation.fetchall()[1] == (
            *(-8, ".5", "1999-01-01", "2020-01-01 10:00:00.5", "false", "01/02/2021", None, " 2,5"),
        )
        numbers = table.with_numbers(["n"], "nth").order("nth").fetchall()
        assert numbers == [(7, 1), (-8, 2)]


@pytest.mark.usefixtures("where")
def test_a_column_may_have_the_name_of_the_place_of_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("file_row_number,b\n5,x\n9,y\n", encoding="utf-8")
    with open_embedded(path) as table:
        assert table.relation.fetchall() == [(5, "x"), (9, "y")]
        assert table.with_numbers(["b"], "nth").order("nth").fetchall() == [("x", 1), ("y", 2)]


def _longer(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("9999,F,77,001,1.50\n")


def test_a_file_that_changes_while_it_is_read_is_noticed(visits: Path) -> None:
    table = open_embedded(visits)
    assert table.count() == ROWS
    _longer(visits)
    with pytest.raises(BadData, match=r"visits\.csv changed while it was read"), table:
        pass
    table = open_embedded(visits)
    visits.unlink()
    with pytest.raises(BadData, match="was removed"), table:
        pass


def test_nothing_is_written_from_a_file_that_changed(visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    table = open_embedded(visits)
    _longer(visits)
    with pytest.raises(BadData, match="changed while it was read"), table:
        table.edit.write(out)
    assert not out.exists()
    assert sorted(tmp_path.iterdir()) == [visits]


def test_a_result_may_take_the_place_of_its_source(visits: Path) -> None:
    transform_table(visits, [{"kind": "tails", "column": "age", "top": 0.1}], visits)
    with open_embedded(visits) as table:
        assert table.count() == ROWS

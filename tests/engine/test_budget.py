"""One budget for all databases and arrays that are open."""

from __future__ import annotations

import gc
import stat
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from reidrisk.core.limits import Limits, within
from reidrisk.engine import budget
from reidrisk.engine.budget import LEAST, OpenDatabase, enter, leave, room_for, room_for_tuples
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.errors import OverBudget

BUDGET = Limits(memory="1GB", cores=1)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that other tests left open do not count here."""
    gc.collect()
    monkeypatch.setattr(budget, "_registry", budget._Registry())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "t.parquet"
    duckdb.connect().sql("SELECT i AS a, i % 3 AS b FROM range(3000) r(i)").write_parquet(str(path))
    return path


@pytest.fixture
def limits() -> Iterator[None]:
    with within(BUDGET):
        yield


def setting(table: DuckTable, name: str) -> str:
    found = table.connection.execute(f"SELECT current_setting('{name}')").fetchone()
    assert found is not None
    return str(found[0])


def limit(table: DuckTable) -> float:
    assert table.session.shared is not None
    number, unit = setting(table, "memory_limit").split()
    size = float(number) * {"MiB": 2**20, "GiB": 2**30}[unit]
    assert size == pytest.approx(table.session.shared.limit, rel=0.01)
    return size


@pytest.mark.usefixtures("limits")
def test_tables_that_are_open_together_share_the_budget(file: Path) -> None:
    with open_embedded(file) as one:
        assert limit(one) == pytest.approx(0.8e9, rel=0.01)
        with open_embedded(file) as two, open_embedded(file) as three:
            assert sum(map(limit, (one, two, three))) == pytest.approx(0.8e9, rel=0.01)
        assert limit(one) == pytest.approx(0.8e9, rel=0.01)
        assert setting(one, "threads") == "1"


@pytest.mark.usefixtures("limits")
def test_a_table_may_be_freed_while_limits_are_shared(file: Path) -> None:
    """Python frees what nobody uses in the middle of other work, also while another table is closed."""
    with open_embedded(file) as one, open_embedded(file) as freed, open_embedded(file) as three:
        first, last = one.session.shared, freed.session.shared
        assert first is not None
        assert last is not None
        change = first.set_limit

        def set_and_free(size: int) -> bool:
            freed.session.close()
            return change(size)

        first.set_limit = set_and_free
        three.session.close()
        assert limit(one) == pytest.approx(0.4e9, rel=0.01), "those that were open when sharing began"
        assert last.used() == 0
        with open_embedded(file) as other:
            assert limit(other) == pytest.approx(0.4e9, rel=0.01)


@pytest.mark.usefixtures("limits")
def test_the_check_of_a_written_file_does_not_add_to_the_budget(file: Path, tmp_path: Path) -> None:
    seen: list[float] = []
    with open_embedded(file) as table:
        from reidrisk.engine.duckdb.verify import written_table

        with written_table(file, suffix=".parquet", like=table.form) as written:
            seen = [limit(table), limit(written)]
    assert sum(seen) <= 0.8e9 * 1.01


def test_work_goes_to_the_folder_that_was_named_and_nothing_is_left(file: Path, tmp_path: Path) -> None:
    temp = tmp_path / "temp"
    temp.mkdir()
    with within(Limits(temp=temp)), open_embedded(file) as table:
        [own] = temp.iterdir()
        assert stat.S_IMODE(own.stat().st_mode) == 0o700
        assert Path(setting(table, "temp_directory")).parent == own
    assert not list(temp.iterdir())


def stubborn(total: int, used: int) -> OpenDatabase:
    """A database that cannot go below what it uses."""
    return OpenDatabase(total, lambda size: size >= used, lambda: used, lambda: None)


def test_what_cannot_be_given_back_is_taken_from_the_others() -> None:
    busy, idle = stubborn(10**9, 600_000_000), stubborn(10**9, 0)
    enter(busy)
    assert busy.limit == 800_000_000
    enter(idle)
    assert busy.limit == 710_000_000
    assert busy.limit + idle.limit == 800_000_000
    leave(busy)
    assert idle.limit == 800_000_000


def test_everybody_has_enough_to_begin_with() -> None:
    every = [stubborn(10**9, 0) for _ in range(40)]
    for one in every:
        enter(one)
    assert {one.limit for one in every} == {LEAST}


@pytest.mark.usefixtures("limits")
def test_databases_leave_room_for_arrays_until_these_are_gone(file: Path) -> None:
    class Arrays:
        pass

    with open_embedded(file) as table:
        owner = Arrays()
        with room_for(500_000_000, what="", hint="") as room:
            assert limit(table) == pytest.approx(0.4e9, rel=0.01)
            room.keep_for(owner, left=100_000_000)
        assert limit(table) == pytest.approx(0.4e9, rel=0.01)
        with pytest.raises(OverBudget), room_for(200_000_000, what="Others", hint=""):
            pass
        room.shrink()
        with room_for(200_000_000, what="Others", hint=""):
            pass
        del owner
        gc.collect()
        with room_for(0, what="", hint=""):
            assert limit(table) == pytest.approx(0.8e9, rel=0.01)


@pytest.mark.usefixtures("limits")
def test_tuples_that_do_not_fit_are_refused_with_what_to_do(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "TUPLE", 250_000)
    with open_embedded(file) as table:
        assert len(table.tuples(["b"])) == 3
        with pytest.raises(OverBudget, match="3,000 distinct combinations of a, b") as error:
            table.tuples(["a", "b"])
        assert "750 MB" in error.value.problem
        for word in ("--memory", "min_level", "fewer"):
            assert word in error.value.hint
        assert len(table.tuples(["b"])) == 3


@pytest.mark.usefixtures("limits")
def test_tuples_of_a_closed_table_take_only_what_they_are(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "TUPLE", 150_000)
    with open_embedded(file) as table:
        first = table.tuples(["a"])
        with pytest.raises(OverBudget):
            table.tuples(["a"])
    with open_embedded(file) as table:
        assert len(table.tuples(["a"])) == len(first)


@pytest.mark.usefixtures("limits")
def test_rows_that_do_not_fit_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "CELL", 250_000)
    with open_embedded(file) as table, pytest.raises(OverBudget, match="3,000 rows of 1 column as"):
        table.rows.coded(["a"])


def test_without_limits_most_of_the_machine_may_be_used(file: Path) -> None:
    with open_embedded(file) as table:
        assert limit(table) == pytest.approx(budget.memory_of_machine() * 0.6, rel=0.01)
    with room_for_tuples(1000, ["a"], source="x"):
        pass

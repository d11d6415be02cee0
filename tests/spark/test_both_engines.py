"""One body over both engines: equal numbers, equal tuples, and equal rows that go out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.duckdb.table import embedded
from reidrisk.engine.opening import open_table
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import Table
from reidrisk.engine.spark.tuple_sets import DriverTupleSets
from tests.spark.plain_release import (
    contents,
    mixed_table,
    plain_release,
    plain_sample,
    plan_of,
    shown,
    write_parts,
)

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
Open = Callable[[Path], Table]


@pytest.fixture(scope="module")
def on_spark(spark: Any) -> Open:
    """How a table is opened on Spark: each file is a partition of its own, also one without rows."""
    from reidrisk.engine.spark.scan import SparkEngine

    engine = SparkEngine.on(spark)
    engine.session.conf.set("spark.sql.files.openCostInBytes", "1m")
    engine.session.conf.set("spark.sql.files.maxPartitionBytes", "1m")
    return engine.scan


@pytest.fixture(scope="module", params=["embedded", "spark"])
def opened(request: pytest.FixtureRequest) -> Open:
    """How a table is opened with the engine."""
    return open_table if request.param == "embedded" else request.getfixturevalue("on_spark")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(tmp_path_factory.mktemp("both") / "mixed", mixed_table())


def told(tuples: DistinctTuples) -> list[Any]:
    """Tuples as they can be compared."""
    values = [[(type(one).__name__, shown(one)) for one in column] for column in tuples.values]
    return [values, tuples.codes.tolist(), tuples.counts.tolist(), str(tuples.codes.dtype)]


def expected_tuples(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> list[Any]:
    """By plain Python; what is no number comes after all numbers, nothing comes last."""
    values = []
    for name in names:
        found = {shown(row[name]): None for row in rows}
        values.append(
            sorted(found, key=lambda one: (one is None, one == "NaN" and name != "name", _key(one)))
        )
    counts: dict[tuple[int, ...], int] = {}
    for row in rows:
        code = tuple(column.index(shown(row[name])) for name, column in zip(names, values, strict=True))
        counts[code] = counts.get(code, 0) + 1
    ordered = sorted(counts)
    typed = [[(_type(one), one) for one in column] for column in values]
    return [typed, [list(code) for code in ordered], [counts[code] for code in ordered], "int32"]


def _key(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else (value if value is not None else 0)


def _type(value: Any) -> str:
    return "float" if value == "NaN" else type(value).__name__


def texts_of(table: Any) -> dict[str, bool]:
    return {one.name: pa.types.is_string(one.type) for one in table.schema}


def test_numbers(opened: Open, mixed: Path) -> None:
    table = opened(mixed)
    rows = mixed_table().to_pylist()
    assert table.count() == 400
    assert table.class_sizes(["skewed"]) == ((3, 1), (6, 1), (13, 1), (15, 1), (363, 1))
    names = list(table.columns)
    assert table.nulls(names) == {name: sum(row[name] is None for row in rows) for name in names}
    some = ["name", "dose", "cost", "born", "seen", "ok"]
    assert table.distinct(some) == {name: len({shown(row[name]) for row in rows}) for name in some}
    people: dict[str, list[Any]] = {}
    for row in rows:
        people.setdefault(row["person"], []).append(row)
    for blanks in (True, False):
        several = {
            name: sum(
                len({shown(row[name]) for row in own if blanks or row[name] is not None}) > 1
                for own in people.values()
            )
            for name in ("region", "dose", "seen", "ok")
        }
        assert table.varying("person", list(several), blanks=blanks) == several
    assert table.smallest(["skewed", "ok"], unit="person") == 1
    assert table.smallest(["skewed"]) == 3


def test_a_partition_is_empty(on_spark: Open, mixed: Path) -> None:
    from pyspark.sql.functions import spark_partition_id

    frame: Any = getattr(on_spark(mixed), "frame")  # noqa: B009 - of Spark tables only
    assert frame.rdd.getNumPartitions() == 4
    assert frame.select(spark_partition_id()).distinct().count() == 3


@pytest.mark.parametrize(
    "names", [("name", "dose"), ("half", "cost", "ok"), ("born", "seen", "local", "visit")]
)
def test_tuples(opened: Open, mixed: Path, names: tuple[str, ...]) -> None:
    assert told(opened(mixed).tuples(names)) == expected_tuples(mixed_table().to_pylist(), names)


@pytest.mark.parametrize("one_in", [1, 4])
def test_sets_of_columns(mixed: Path, one_in: int) -> None:
    """Those of tuples on the driver are those of the embedded engine; a sample has whole classes only."""
    table = open_table(mixed)
    names = ["region", "dose", "born", "ok"]
    driver = DriverTupleSets(table.tuples(names))
    with table.tuple_sets(names) as embedded:
        assert (driver.sizes, driver.telling) == (embedded.sizes, embedded.telling)
        for places in ([0], [1, 3], [0, 1, 2], [2, 3], range(4), []):
            assert driver.alone(places) == embedded.alone(places)
            whole, some = dict(driver.alone(places)), driver.sampled(places, one_in)
            assert all(number <= whole[size] for size, number in some)
            assert (dict(some) == whole) == (one_in == 1 or not list(places))


def test_joined_classes(opened: Open, mixed: Path, tmp_path: Path) -> None:
    """The other table lacks some classes, has others, and counts in wider types."""
    other = mixed_table().slice(100, 150)
    wide = other.set_column(other.column_names.index("age"), "age", other.column("age").cast(pa.int64()))
    pq.write_table(wide, tmp_path / "other.parquet")
    table, population = opened(mixed), opened(tmp_path / "other.parquet")
    names = ["age", "dose", "seen"]
    here = expected_counts(mixed_table().to_pylist(), names)
    there = expected_counts(other.to_pylist(), names)
    joined = [(here[one], there.get(one, 0)) for one in here]
    assert table.joined_sizes(population, names) == tallied(joined)
    back = [(there[one], here.get(one, 0)) for one in there]
    assert population.joined_sizes(table, names) == tallied(back)
    every = [(here.get(one, 0), there.get(one, 0)) for one in here | there]
    assert table.changed_sizes(population, names) == tallied(every)


def expected_counts(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[tuple[Any, ...], int]:
    found: dict[tuple[Any, ...], int] = {}
    for row in rows:
        key = tuple(shown(row[name]) for name in names)
        found[key] = found.get(key, 0) + 1
    return found


def tallied(pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int, int], ...]:
    return tuple(sorted((*pair, pairs.count(pair)) for pair in set(pairs)))


def released(table: Table, records: Table, plan: Any, folder: Path) -> Any:
    """What was written: a file or a folder, as the engine writes."""
    target = folder / "out.parquet"
    seen: list[int] = []
    table.release(records, plan, target, lambda written: seen.append(written.count()))
    found = pq.read_table(target)
    assert seen == [found.num_rows]
    return found


def test_rows_drawn_by_content(opened: Open, mixed: Path, tmp_path: Path) -> None:
    table = opened(mixed)
    plan = plan_of(
        table.tuples(["dose", "born", "seen"], recodable=True),
        labels={"born": lambda day: None if day is None else day.year // 1000},
        treatments={"person": "pseudonym", "visit": "number", "name": "drop"},
    )
    found = released(table, table, plan, tmp_path)
    assert contents(found) == plain_release(mixed_table().to_pylist(), plan, texts_of(mixed_table()))


@pytest.mark.parametrize("unit", [None, "person", "visit"])
def test_a_sample_has_the_same_rows_in_the_same_order(opened: Open, tmp_path: Path, unit: str | None) -> None:
    """Contents that occur once, a few times, and so often that some of their rows are always drawn."""
    whole = mixed_table()
    every = pa.concat_tables([whole, *[whole.slice(0, 40)] * 6, *[whole.slice(7, 1)] * 50])
    source = write_parts(tmp_path / "repeated", every)
    with opened(source).sample(150, seed=5, unit=unit) as some:
        arrow = embedded(some).relation.to_arrow_table()
    found = [tuple(map(shown, row.values())) for row in arrow.to_pylist()]
    assert found == plain_sample(every, 150 / every.num_rows, seed=5, unit=unit)
    assert 60 < len(found) < 260


def test_units(opened: Open, tmp_path: Path) -> None:
    """People and visits are both numbered; a column has one label for all."""
    source = mixed_table().select(["person", "visit", "name", "region", "age", "dose", "seen", "ok"])
    table = opened(write_parts(tmp_path / "visits", source))
    records = table.per_unit("person", ["region", "age", "dose"], {"dose": "max"})
    plan = plan_of(
        records.tuples(["region", "age"], recodable=True),
        labels={"age": lambda age: f"{age // 20 * 20}+", "region": lambda _: "anywhere"},
        treatments={"person": "number", "visit": "number", "seen": "drop"},
        unit="person",
    )
    rows = source.to_pylist()
    expected = plain_release(rows, plan, texts_of(source))
    assert contents(released(table, records, plan, tmp_path)) == expected
    assert table.removed_rows(records, plan) == len(rows) - expected.total()
    assert told(records.tuples(["dose"]))[2] == told_greatest(rows)


def told_greatest(rows: Sequence[dict[str, Any]]) -> list[int]:
    """How many people have each value as their greatest dose; no number is greater than all numbers."""
    greatest: dict[str, tuple[Any, ...]] = {}
    for row in rows:
        dose = shown(row["dose"])
        rank = (-1, 0) if dose is None else (1, 0) if dose == "NaN" else (0, dose)
        greatest[row["person"]] = max(greatest.get(row["person"], (-1, 0)), rank)
    found = list(greatest.values())
    ordered = sorted(set(found) - {(-1, 0)}) + [(-1, 0)] * ((-1, 0) in found)
    return [found.count(one) for one in ordered]


ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")


def parquet_of(source: Path, path: Path) -> Path:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.read_csv(str(source)).write_parquet(str(path))
    return path


def agree(on_spark: Open, path: Path, quasi: Sequence[str], treatments: dict[str, Any], folder: Path) -> None:
    """Both engines find the same tuples and release the same rows."""
    found, written = [], []
    for place, table in enumerate((on_spark(path), open_table(path))):
        own = folder / str(place)
        own.mkdir()
        tuples = table.tuples(quasi, recodable=True)
        found.append(told(tuples))
        written.append(released(table, table, plan_of(tuples, treatments=treatments), own))
    assert found[0] == found[1]
    assert written[0].num_rows == written[1].num_rows > 0
    assert written[0].column_names == written[1].column_names
    assert differing(*written) == differing(*reversed(written)) == 0


def differing(one: Any, other: Any) -> int:
    """How many rows only the first table has; equal rows count each."""
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("one", one)
        connection.register("other", other)
        found = connection.sql("SELECT count(*) FROM (FROM one EXCEPT ALL FROM other)").fetchone()
    return int(found[0])


@pytest.mark.usefixtures("compiled_queries")
def test_adult(on_spark: Open, shared: Path, tmp_path: Path) -> None:
    path = parquet_of(shared / "adult" / "adult.csv", tmp_path / "adult.parquet")
    agree(on_spark, path, ADULT, {}, tmp_path)


@pytest.mark.usefixtures("compiled_queries")
def test_the_demo(on_spark: Open, demo_study: Path, tmp_path: Path) -> None:
    path = parquet_of(demo_study / "data" / "ae.csv", tmp_path / "ae.parquet")
    treatments = {"USUBJID": "number", "AETERM": "pseudonym", "STUDYID": "drop"}
    agree(on_spark, path, ("AESEV", "AESER", "AEOUT", "AEBODSYS"), treatments, tmp_path)

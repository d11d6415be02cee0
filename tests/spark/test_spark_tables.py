"""Tables on Spark: counted by workers, released as plain Python would, and whole or not at all."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reidrisk.core.file_set import together
from reidrisk.core.files import write_text
from reidrisk.core.reading import TableReading
from reidrisk.engine.plans import Blanks
from reidrisk.engine.spark import classes, jobs, recode
from reidrisk.engine.spark.commit import write_folder, write_with_manifest
from reidrisk.engine.spark.owner import Owner
from reidrisk.engine.spark.scan import SparkEngine
from reidrisk.engine.spark.storage import refuse_unfinished
from reidrisk.engine.spark.table import SparkTable
from reidrisk.errors import BadData, FailedCheck, InvalidSetting, UnreadableFile
from tests.spark.plain_release import (
    SALT,
    contents,
    few_columns,
    floats_of,
    mixed_table,
    plain_release,
    plan_of,
    row_hash,
    shown,
    write_parts,
)

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def engine(spark: Any) -> SparkEngine:
    return SparkEngine.on(spark)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(tmp_path_factory.mktemp("mixed") / "parts", mixed_table())


@pytest.fixture(scope="module")
def table(engine: SparkEngine, folder: Path) -> SparkTable:
    return engine.scan(folder)


@pytest.fixture(scope="module")
def narrow(engine: SparkEngine, tmp_path_factory: pytest.TempPathFactory) -> SparkTable:
    """A table of which it matters how it appears, and not what is in it."""
    return engine.scan(write_parts(tmp_path_factory.mktemp("narrow") / "parts", few_columns()))


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows reached the driver, job by job."""
    seen: list[int] = []
    real = jobs.collected

    def counting(frame: Any, *, most: int) -> Any:
        found = real(frame, most=most)
        seen.append(found.num_rows)
        return found

    for module in (jobs, classes):
        monkeypatch.setattr(module, "collected", counting)
    for name in ("collect", "toPandas", "toLocalIterator", "take", "head"):
        monkeypatch.setattr(f"pyspark.sql.classic.dataframe.DataFrame.{name}", refused)
    return seen


def refused(*_: Any, **__: Any) -> None:
    pytest.fail("rows reach the driver by another way")


def test_kinds(table: SparkTable) -> None:
    assert dict(table.kinds) == {
        "person": "text", "visit": "whole number", "name": "text", "region": "text", "age": "whole number",
        "dose": "number", "half": "number", "cost": "number", "born": "date", "seen": "time", "local": "time",
        "ok": "yes or no", "skewed": "whole number",
    }  # fmt: skip


def test_only_distinct_tuples_reach_the_driver(table: SparkTable, fetched: list[int]) -> None:
    sizes = Counter(Counter(row["skewed"] for row in mixed_table().to_pylist()).values())
    assert dict(table.class_sizes(["skewed"])) == sizes
    tuples = table.tuples(["skewed", "ok"])
    assert tuples.records == table.count()
    assert fetched == [len(sizes), len(tuples)]
    assert len(tuples) <= 15


def test_tuples_in_slices(table: SparkTable, monkeypatch: pytest.MonkeyPatch, fetched: list[int]) -> None:
    whole = table.tuples(["name", "dose"])
    monkeypatch.setattr(classes, "PER_JOB", 50)
    parts = table.tuples(["name", "dose"])
    assert (parts.codes == whole.codes).all()
    assert (parts.counts == whole.counts).all()
    assert sum(fetched[1:]) == len(whole)
    assert len(fetched) > 3
    monkeypatch.setattr(classes, "MOST_TUPLES", 5)
    with pytest.raises(BadData, match="the driver takes 5"):
        table.tuples(["name", "dose"])


def released(table: SparkTable, records: SparkTable, plan: Any, target: Path) -> Any:
    seen: list[int] = []
    table.release(records, plan, target, lambda written: seen.append(written.count()))
    found = pq.read_table(target)
    assert seen == [found.num_rows]
    return found


def test_order_follows_from_content(engine: SparkEngine, tmp_path: Path) -> None:
    """Rows come in the order of their hashes, whatever the order and the division of the source."""
    turned = mixed_table().take(list(range(399, -1, -1)))
    table = engine.scan(write_parts(tmp_path / "turned", turned, parts=5))
    plan = plan_of(table.tuples(["skewed", "ok"]), treatments={"person": "pseudonym"})
    found = released(table, table, plan, tmp_path / "out")
    texts = {one.name: pa.types.is_string(one.type) for one in turned.schema}
    assert contents(found) == plain_release(mixed_table().to_pylist(), plan, texts)
    is_text = [pa.types.is_string(one.type) for one in found.schema]
    order = [(row_hash(list(row.values()), is_text, SALT), *floats_of(row)) for row in found.to_pylist()]
    assert order == sorted(order)
    assert len(set(order)) == len(set(map(tuple, contents(found)))), "the order leaves nothing open"


def drawn_from(table: SparkTable, wanted: int) -> Any:
    """A plan by which so many records of the first tuple lose a cell."""
    tuples = table.tuples(["skewed", "ok"])
    codes = np.repeat(tuples.codes[:1], 2, axis=0)  # with one row all records would have its mask
    return replace(plan_of(tuples), blanks=Blanks(codes, np.array([0b01, 0b10]), np.array([wanted, 1])))


def whole_rows(table: SparkTable) -> Any:
    """A plan by which no cell is lost."""
    plan, none = plan_of(table.tuples(["skewed", "ok"])), np.zeros(0, dtype=np.int64)
    return replace(plan, blanks=Blanks(np.zeros((0, 2), dtype=np.int32), none, none))


@pytest.mark.parametrize("equal", [False, True])
def test_large_classes(
    engine: SparkEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, equal: bool
) -> None:
    """Only the least hashes are ranked, unless equal rows have too few of them."""
    source = few_columns().take([0] * 100) if equal else few_columns()
    pq.write_table(source, tmp_path / "a.parquet")
    monkeypatch.setattr(recode, "MANY", 20)
    counted: list[int] = []

    def counting(frame: Any, *, most: int) -> Any:
        counted.append(most)
        return jobs.collected(frame, most=most)

    monkeypatch.setattr(recode, "collected", counting)
    table = engine.scan(tmp_path / "a.parquet")
    plan = drawn_from(table, 3)
    texts = {one.name: pa.types.is_string(one.type) for one in source.schema}
    found = released(table, table, plan, tmp_path / "out")
    assert contents(found) == plain_release(source.to_pylist(), plan, texts)
    assert counted == [1]


def test_refusals(engine: SparkEngine, table: SparkTable, tmp_path: Path) -> None:
    plan = plan_of(table.tuples(["skewed", "ok"]))
    with pytest.raises(InvalidSetting, match="needs the embedded engine"):
        table.release(table, replace(plan, order="source"), tmp_path / "out", lambda _: None)
    with pytest.raises(InvalidSetting, match="needs the embedded engine"):
        table.per_unit("person", ["name"], {"name": "first"})
    with pytest.raises(BadData, match="column 'name' varies within"):
        table.per_unit("person", ["name"])
    for desk in ("dates", "search", "edit", "rows"):
        with pytest.raises(InvalidSetting, match="needs the embedded engine"):
            getattr(table, desk)
    with pytest.raises(InvalidSetting, match="needs the embedded engine"):
        engine.scan(tmp_path, reading=TableReading(date_format="%d.%m.%Y"))
    with pytest.raises(UnreadableFile, match="does not exist"):
        engine.scan("hive:nowhere.at_all")


@pytest.mark.parametrize(
    ("column", "match"),
    [
        (pa.array([[1]]), "column 'x' has the type array"),
        (pa.array([b"x"]), "column 'x' has the type binary"),
        (pa.array([1], pa.time64("us")), "'x'|cannot be read"),
        (pa.array([1], pa.timestamp("ns")), "column 'x' has times in nanoseconds"),
    ],
)
def test_types_that_differ_are_refused(engine: SparkEngine, tmp_path: Path, column: Any, match: str) -> None:
    pq.write_table(pa.table({"x": column}), tmp_path / "a.parquet")
    with pytest.raises(BadData, match=match):
        engine.scan(tmp_path / "a.parquet")


def test_years_that_python_has_not() -> None:
    late = pa.chunked_array([pa.array([3_000_000], pa.int32()).cast(pa.date32())])
    with pytest.raises(BadData, match="'born' has a date outside the years 1 to 9999") as caught:
        classes._coded(late, "column 'born'")
    assert caught.value.__context__ is None


def test_files_of_other_columns_are_refused(engine: SparkEngine, tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": [1], "y": [2]}), tmp_path / "b.parquet")
    with pytest.raises(BadData, match="has other columns or types"):
        engine.scan(tmp_path)


def test_text_files(engine: SparkEngine, tmp_path: Path) -> None:
    path = tmp_path / "a [1].csv"
    path.write_text('id,say\n007,"two\nlines, ""quoted"""\n,\\"\n""," "\nNA,x\n', encoding="utf-8")
    table = engine.scan(path, reading=TableReading(null=("NA",)))
    tuples = table.tuples(["id", "say"])
    assert set(table.kinds.values()) == {"text"}
    assert [list(values) for values in tuples.values] == [
        ["007", None], [" ", '\\"', 'two\nlines, "quoted"', "x"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "content", [b"a,b\n1,2\nsecret\n", b"a,b\n1,2,secret\n", "a,b\n1,sécret\n".encode("latin-1")]
)
def test_text_files_that_do_not_fit(engine: SparkEngine, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile) as caught:
        engine.scan(path)
    assert "cret" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_data_frame_of_another_session(engine: SparkEngine, spark: Any, tmp_path: Path) -> None:
    """Its session counts time in Tokyo; what is written counts it in UTC all the same."""
    other = spark.newSession()
    other.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    frame = other.sql("SELECT TIMESTAMP '2020-01-01 00:00:00' AS `t.x`, 'a.b' AS T")
    table = engine.scan(frame)
    plan = plan_of(table.tuples(["t.x", "T"]))
    [moment] = plan.tuples.values[0]
    assert shown(moment) == datetime(2019, 12, 31, 15)  # noqa: DTZ001
    table.release(table, plan, tmp_path / "out", lambda _: None)
    assert pq.read_table(tmp_path / "out").schema.field("t.x").type == pa.timestamp("us", tz="UTC")
    assert pq.read_table(tmp_path / "out").num_rows == 1
    assert frame.filter("`t.x` = TIMESTAMP '2020-01-01 00:00:00'").count() == 1


def test_tables_of_hive(engine: SparkEngine, spark: Any) -> None:
    """By Spark's own metastore. Texts of a fixed length come without the blanks that fill them."""
    assert spark.conf.get("spark.sql.catalogImplementation") == "hive"
    for command in (
        "CREATE DATABASE care",
        "CREATE TABLE care.kept (code CHAR(5), name STRING) STORED AS PARQUET",
        "INSERT INTO care.kept VALUES ('ab', 'x '), ('abcde', NULL)",
        "CREATE TABLE care.out_reidrisk_0123456789ab (left_by_a_dead_run INT)",
    ):
        spark.sql(command)
    table = engine.scan("hive:care.kept")
    plan = plan_of(table.tuples(["code", "name"]))
    assert [list(values) for values in plan.tuples.values] == [["ab", "abcde"], ["x ", None]]

    def names() -> set[str]:
        return {one.name for one in spark.catalog.listTables("care")}

    def fail(_: Any) -> None:
        raise FailedCheck("The smallest class is 1.", hint="Report it.")

    with pytest.raises(FailedCheck):
        table.release(table, plan, "hive:care.out", fail)
    assert names() == {"kept"}
    seen: list[int] = []
    table.release(table, plan, "hive:care.out", lambda written: seen.append(written.count()))
    assert names() == {"kept", "out"}
    rows: list[dict[str, Any]] = [{"code": "ab", "name": "x "}, {"code": "abcde", "name": None}]
    written = engine.scan("hive:care.out")
    assert contents(written.frame.toArrow()) == plain_release(rows, plan, {"code": True, "name": True})
    assert seen == [2]
    with pytest.raises(BadData, match="exists already"):
        table.release(table, plan, "hive:care.out", fail)
    with pytest.raises(InvalidSetting, match="does not name a table"):
        table.release(table, plan, "hive:a.b.c", fail)


def test_a_failed_check_leaves_nothing(narrow: SparkTable, tmp_path: Path) -> None:
    table, plan = narrow, whole_rows(narrow)

    def fail(_: Any) -> None:
        raise FailedCheck("The smallest class is 1.", hint="Report it.")

    with pytest.raises(FailedCheck):
        table.release(table, plan, tmp_path / "out", fail)
    assert not list(tmp_path.iterdir())
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("x")
    with pytest.raises(UnreadableFile, match="already exists"):
        table.release(table, plan, tmp_path / "out", fail)


def test_a_table_appears_with_the_other_files_of_its_set(table: SparkTable, tmp_path: Path) -> None:
    rows, run = table.frame.select("c0"), "0" * 12

    def write(*, divisor: int) -> None:
        with together():
            write_folder(table.session, lambda: rows, tmp_path / "out", lambda _: None, run=run)
            write_text(tmp_path / "codebook.md", str(1 / divisor))
            assert not (tmp_path / "out").exists()
            assert (tmp_path / f".out.{run}.part").stat().st_mode & 0o777 == 0o700

    with pytest.raises(ZeroDivisionError):
        write(divisor=0)
    assert not list(tmp_path.iterdir())
    write(divisor=1)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["codebook.md", "out"]
    assert pq.read_table(tmp_path / "out").num_rows == mixed_table().num_rows


def test_what_others_write_is_left_alone(narrow: SparkTable, tmp_path: Path) -> None:
    """The work of a run that may still live, here or on another machine, is not removed."""
    table, plan = narrow, whole_rows(narrow)
    work = tmp_path / ".out.0123456789ab.part"
    work.mkdir()
    for owner in (Owner.here(), replace(Owner.here(), host="another")):
        (work / "owner.json").write_text(json.dumps(owner.to_dict()))
        with pytest.raises(BadData, match="is being written by another run"):
            table.release(table, plan, tmp_path / "out", lambda _: None)
    assert (work / "owner.json").exists()


def test_a_manifest_comes_last(engine: SparkEngine, table: SparkTable, tmp_path: Path) -> None:
    url = f"file://{tmp_path}/store"
    found: list[set[str]] = []

    def look(_: Any) -> None:
        with pytest.raises(BadData, match="its writer was stopped"):
            refuse_unfinished(engine.session, url)
        found.append(
            {one.name for one in (tmp_path / "store").iterdir() if not one.name.startswith((".", "part"))}
        )

    rows = table.frame.select("c0", "c1")
    write_with_manifest(engine.session, lambda: rows, url, look)
    assert found == [{"_reidrisk_unfinished.json"}]
    parts = json.loads((tmp_path / "store" / "_reidrisk_manifest.json").read_text())["parts"]
    assert parts
    for part in parts:
        content = (tmp_path / "store" / part["name"]).read_bytes()
        assert (len(content), sha256(content).hexdigest()) == (part["bytes"], part["sha256"])
    with pytest.raises(UnreadableFile, match="already exists"):
        write_with_manifest(engine.session, lambda: rows, url, look)

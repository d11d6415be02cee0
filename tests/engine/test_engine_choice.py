"""Which engine opens a table, and what is refused before another one starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.reading import TableReading
from reidrisk.core.schema import Derived, Schema
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.opening import master_now, open_table, working
from reidrisk.engine.spark import scan, session
from reidrisk.errors import InvalidSetting
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.events import event_knowledge
from reidrisk.tables.rare import RareCode, RareCodes
from reidrisk.tables.risk import table_risk
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.utility.plan import UtilityPlan
from tests.cli.running import Run

MASTER = "spark://127.0.0.1:7077"
SCHEMA = Schema(quasi=("sex", "age"))


class Cluster:
    """Stands for Spark: says what was started, and opens tables with the embedded engine."""

    def __init__(self) -> None:
        self.log: list[str] = []

    @contextmanager
    def session(self, engine: Any, **_: Any) -> Iterator[str]:
        self.log.append(f"start {engine}")
        yield "session"
        self.log.append("stop")

    def on(self, found: str) -> Cluster:
        assert found == "session"
        return self

    def scan(self, source: Any, *, reading: TableReading | None = None) -> DuckTable:
        self.log.append("scan")
        return open_embedded(source, reading=reading)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    found = Cluster()
    monkeypatch.setattr(session, "spark_session", found.session)
    monkeypatch.setattr(scan, "SparkEngine", found)
    return found


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    rows = "".join(f"{'FM'[n % 2]},{30 + n % 3},{n}\n" for n in range(60))
    path.write_text(f"sex,age,visit\n{rows}", encoding="utf-8")
    return path


def test_one_session_serves_all_tables_and_is_stopped(table: Path, cluster: Cluster) -> None:
    with working(MASTER):
        assert master_now() == MASTER
        assert cluster.log == []
        with open_table(table), open_table(table):
            pass
        with working(None), open_table(table):
            pass
        with working("duckdb"), open_table(table):
            assert master_now() is None
    assert cluster.log == [f"start {MASTER}", "scan", "scan", "scan", "stop"]
    assert master_now() is None
    with open_table(table):
        assert len(cluster.log) == 5


def test_the_session_is_stopped_after_an_error(table: Path, cluster: Cluster) -> None:
    with pytest.raises(KeyError), working(MASTER), open_table(table):
        raise KeyError
    assert cluster.log[-1] == "stop"


def test_risk_is_counted_by_the_engine_that_was_named(table: Path, cluster: Cluster) -> None:
    schema = Schema(quasi=("sex", "age"), other={"visit": "needed"})
    here, there = table_risk(table, schema), table_risk(table, schema, engine=MASTER)
    assert cluster.log == [f"start {MASTER}", "scan", "stop"]
    assert there.sizes == here.sizes
    assert there.without == here.without
    assert table_risk(table, schema, engine="duckdb").to_dict() == here.to_dict()


REFUSED_RISK: dict[str, dict[str, Any]] = {
    "--events": {"events": event_knowledge(("age",), 1, counted=False)},
    "--rare": {"rare": RareCodes((RareCode("E84"),), ("age",))},
    "--by": {"by": ("sex",)},
    "--weights": {"sampling": Sampling.of({"weights": "visit"})},
}


@pytest.mark.parametrize("word", REFUSED_RISK)
def test_what_spark_cannot_measure_is_refused_before_it_starts(
    word: str, table: Path, cluster: Cluster
) -> None:
    schema = Schema(quasi=("sex",), unit="visit") if word == "--events" else SCHEMA
    with pytest.raises(InvalidSetting, match=word):
        table_risk(table, schema, engine=MASTER, **REFUSED_RISK[word])
    assert cluster.log == []


REFUSED_RELEASE: dict[str, DeidentifyOptions] = {
    "derived variables": DeidentifyOptions(derived=(Derived("days", "age", "visit", "days"),)),
    "utility": DeidentifyOptions(utility=UtilityPlan()),
    "--order keep": DeidentifyOptions(order="keep"),
    "method mondrian": DeidentifyOptions(method="mondrian"),
    "transformations": DeidentifyOptions(steps=({"kind": "sample", "share": 0.5},)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("word", REFUSED_RELEASE)
def test_what_spark_cannot_release_is_refused_before_it_starts(
    word: str, table: Path, cluster: Cluster
) -> None:
    with pytest.raises(InvalidSetting, match=word):
        deidentify(table, SCHEMA, options=REFUSED_RELEASE[word], engine=MASTER)
    assert cluster.log == []


def test_columns_that_vary_and_texts_are_refused(table: Path, cluster: Cluster) -> None:
    for schema, word in (
        (Schema(quasi=("age",), unit="visit", reduce={"age": "max"}), "--reduce"),
        (Schema(quasi=("age",), text={"sex": "deidentify"}, other={"sex": "kept"}), "--text"),
    ):
        with pytest.raises(InvalidSetting, match=word):
            deidentify(table, schema, engine=MASTER)
    assert cluster.log == []


def test_the_command_passes_the_master_on(command: Run, table: Path, cluster: Cluster) -> None:
    arguments = ("table", "risk", table, "--quasi", "sex,age", "--other", "visit=needed")
    code, _, _ = command(*arguments, "--master", MASTER)
    assert (code, cluster.log) == (0, [f"start {MASTER}", "scan", "stop"])
    code, _, error = command(*arguments, "--master", MASTER, "--by", "sex")
    assert code == 2
    assert "Spark cannot do this" in error


def test_a_master_has_the_form_of_a_url(table: Path) -> None:
    with pytest.raises(InvalidSetting, match="not the URL of a Spark master"):
        table_risk(table, SCHEMA, engine="somewhere")

"""The same input gives the same bytes, whatever the number of threads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import reidrisk as rr
from reidrisk.assess.kinds.relational import RelationalPart
from reidrisk.core.key import new_key
from reidrisk.core.limits import Limits, within
from reidrisk.core.threshold import Threshold
from reidrisk.engine.duckdb.linked.release import bits_of
from reidrisk.relational.risk import relational_risk
from reidrisk.relational.run import protect_relational
from tests.relational.databases import SETTINGS, config, write_crowd

KEY = b"k" * 32
FIVE = Threshold.from_cell_size(5, "a test")
COLUMNS = {
    "person.sex": "keep",
    "person.ward": "keep",
    "diagnosis.code": {"rare": 3},
    "diagnosis.day": "date",
    "drug.drug": "keep",
}
RULES = {"drug.drug": {"kind": "exact", "suppress": True}}


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_crowd(tmp_path_factory.mktemp("threads") / "crowd", people=80, events=3, codes=5)


def repeated(make: Any, *cores: int) -> None:
    """With one thread and with two, several times: all the same."""
    found: list[Any] = []
    for number in cores:
        with within(Limits(cores=number)):
            found.append(make(len(found)))
    assert found[1:] == found[:1] * (len(cores) - 1)


def test_entropy() -> None:
    """Values of many sizes: a sum of floats inside a database would depend on its threads."""
    values = (np.arange(300_000, dtype=np.int64) ** 2) % 100_003
    counts = np.unique(values, return_counts=True)[1] / len(values)

    with duckdb.connect(":memory:") as base:
        base.execute("CREATE TABLE t AS SELECT (i * i) % 100003 AS v FROM range(300000) AS r(i)")
        found = set()
        for threads in (1, 2, 4):
            base.execute(f"SET threads = {threads}")
            found.add(bits_of(base.table("t"), "v"))
    assert len(found) == 1
    assert found.pop() == pytest.approx(-(counts * np.log2(counts)).sum())


def test_risk(crowd: Path) -> None:
    settings = config(columns=COLUMNS, dates={"offset": 30, "know": "intervals"})
    repeated(lambda _: json.dumps(relational_risk(crowd, settings, threshold=FIVE).to_dict()), 1, 2, 2)


def test_protected_tables(crowd: Path, tmp_path: Path) -> None:
    settings = config(columns=COLUMNS, hierarchies=RULES, known=1)

    def made(at: int) -> list[Any]:
        out = tmp_path / f"out{at}"
        done = protect_relational(
            crowd, out, key=KEY, config=settings, threshold=FIVE, max_event_suppression=0.5
        )
        files = {file.name: file.read_bytes() for file in sorted(out.iterdir())}
        return [json.dumps(done.to_dict()).replace(str(out), "out"), files]

    repeated(made, 1, 2, 2)


def test_parts_together(crowd: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part is written aside once, whether parts are measured one after the other or at the same time."""
    written: list[str] = []
    aside = RelationalPart._written_aside

    def noted(part: RelationalPart, seed: int) -> Any:
        written.append(part.name)
        return aside(part, seed)

    monkeypatch.setattr(RelationalPart, "_written_aside", noted)
    new_key(tmp_path / "my.key", "pseudonyms")
    part = {
        **{name: SETTINGS[name] for name in ("person", "keys", "quasi", "events")},
        "kind": "relational",
        "folder": str(crowd),
        "key": str(tmp_path / "my.key"),
        "columns": COLUMNS,
        "dates": {"offset": 30, "know": "intervals"},
    }
    content = {
        "reidrisk": 1,
        "release": {"name": "A crowd"},
        "context": {"access": "public", "threshold": {"cell_size": 5, "reason": "a test"}},
        "parts": [{"name": "one", **part}, {"name": "two", **part}],
        "joint": [{"parts": ["one", "two"], "known": 1}],
    }

    def measured(at: int) -> str:
        parts = rr.assess(content, threads=at + 1).to_dict()["parts"]
        return json.dumps([one["result"] for one in parts])

    repeated(measured, 1, 2)
    assert sorted(written) == ["one", "one", "two", "two"]

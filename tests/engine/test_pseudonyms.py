"""Pseudonyms are those of Python's own HMAC, and the key stays secret."""

from __future__ import annotations

import hashlib
import hmac
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.duckdb.release import released
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.plans import ReleasePlan
from reidrisk.errors import InvalidSetting
from tests.engine.releases import KEY, blanks, identity, rows_out

pa = pytest.importorskip("pyarrow")


@pytest.mark.parametrize(
    "values",
    [
        ["Ann", "Bo", None, "Ann", "é\n'\""],
        [1, 2**40, None, 1, -7],
        [date(2020, 1, 2), None, date(1900, 3, 4)],
    ],
)
def test_pseudonyms_are_the_hmac_of_column_and_value(values: list[Any]) -> None:
    table = pa.table({"the 'id'": values, "sex": ["F"] * len(values)})
    found = [row[0] for row in rows_out(open_embedded(table), ["sex"], treatments={"the 'id'": "pseudonym"})]
    assert found == [
        None
        if value is None
        else hmac.new(KEY, f"the 'id'\0{value}".encode(), hashlib.sha256).hexdigest()[:24]
        for value in values
    ]


@pytest.mark.parametrize("key", [b"short-but-enough", b"k" * 64, b"k" * 65, bytes(range(256))])
def test_keys_of_every_length(key: bytes) -> None:
    table = open_embedded(pa.table({"id": ["Ann"], "sex": ["F"]}))
    tuples = distinct_tuples(table, ["sex"], recodable=True)
    plan = ReleasePlan(tuples, (identity(["F"]),), blanks({}, 1), {"id": "pseudonym"}, key=key)
    [(found, _)] = released(table, table, plan).fetchall()
    assert found == hmac.new(key, b"id\0Ann", hashlib.sha256).hexdigest()[:24]
    assert key.decode("latin-1") not in repr(plan)


def test_pseudonyms_without_a_key_are_refused() -> None:
    table = open_embedded(pa.table({"id": ["Ann"], "sex": ["F"]}))
    tuples = distinct_tuples(table, ["sex"], recodable=True)
    with pytest.raises(InvalidSetting, match="needs a key"):
        released(table, table, ReleasePlan(tuples, (identity(["F"]),), blanks({}, 1), {"id": "pseudonym"}))


ARMED = """
import sys
from pathlib import Path
from reidrisk.engine.duckdb.release import arm
from reidrisk.engine.duckdb.table import open_embedded

with open_embedded(Path(sys.argv[1])) as table:
    arm(table.session, b"a key of more than sixteen bytes")
    [(size,)] = table.session.connection.sql("SELECT octet_length(getvariable('reidrisk_inner'))").fetchall()
print(size, "pandas" in sys.modules)
"""


def test_a_key_does_not_make_the_database_load_pandas(tmp_path: Path) -> None:
    """That takes longer than all the rest of a small release."""
    (tmp_path / "a.csv").write_text("sex\nF\n")
    said = subprocess.check_output([sys.executable, "-c", ARMED, str(tmp_path / "a.csv")], text=True)
    assert said.split() == ["64", "False"]

"""A real server, started for these tests where its programs are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.duckdb.classes import class_sizes, count_nulls
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.relational.run import deidentify_relational, verify_relational
from tests.engine.builders import COLUMNS, PEOPLE, SIZES

postgres = pytest.importorskip("adbc_driver_postgresql.dbapi")
WAIT = 20.0


def programs() -> Path:
    """Where the server's programs are; a distribution may keep them off the search path."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    config = shutil.which("pg_config")
    if config:
        answer = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True)
        folder = Path(answer.stdout.strip())
        if (folder / "initdb").exists():
            return folder
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if debian:
        return debian[-1].parent
    pytest.skip("PostgreSQL is missing. Install it, for example: apt-get install postgresql")


def ordinary_user() -> str | None:
    """The server refuses to run as the superuser."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    pytest.skip("there is no ordinary user to run a PostgreSQL server")


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    folder, user = programs(), ordinary_user()
    base = Path(tempfile.mkdtemp(prefix="engine_pg_"))
    if user:
        shutil.chown(base, user)
    quiet = subprocess.DEVNULL
    run: dict[str, Any] = {"user": user, "cwd": base, "stdout": quiet, "stderr": quiet}
    data, port = base / "data", free_port()
    made: list[Any] = [folder / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8"]
    subprocess.run(made, check=True, **run)
    options = ["-p", str(port), "-k", str(base), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
    process = subprocess.Popen([folder / "postgres", "-D", data, *options], **run)
    try:
        url = f"postgresql://tester:hidden@127.0.0.1:{port}/postgres"
        fill(url)
        yield url
    finally:
        process.terminate()
        process.wait(WAIT)
        shutil.rmtree(base, ignore_errors=True)


def connected(url: str) -> Any:
    deadline = time.monotonic() + WAIT
    while True:
        try:
            return postgres.connect(url)
        except postgres.Error:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def fill(url: str) -> None:
    with closing(connected(url)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute("CREATE SCHEMA care")
        cursor.execute("CREATE TABLE care.people (sex text, age integer, region text, born date)")
        cursor.executemany("INSERT INTO care.people VALUES ($1, $2, $3, $4)", PEOPLE)
        cursor.execute('CREATE TABLE "odd ""one""" (dose numeric, at timestamptz, id uuid, ok boolean)')
        cursor.execute(
            'INSERT INTO "odd ""one""" VALUES '
            "(1.50, '2020-01-01 00:00+01', gen_random_uuid(), true), (NULL, NULL, NULL, NULL)"
        )
        connection.commit()


@pytest.mark.parametrize("end", ["?table=care.people", "#care.people"])
def test_a_table_by_url(server: str, end: str) -> None:
    table = open_embedded(server + end)
    assert table.columns == COLUMNS
    assert class_sizes(table, COLUMNS) == SIZES
    assert table.types["born"] == "DATE"
    assert "hidden" not in repr(table)
    assert "tester" not in table.source


def test_other_types_and_odd_names(server: str) -> None:
    table = open_embedded(server, settings=ScanSettings(table='odd "one"'))
    assert class_sizes(table, table.columns) == ((1, 2),)
    assert set(count_nulls(table, table.columns).values()) == {1}
    assert str(distinct_tuples(table, ["dose"]).values[0][0]).startswith("1.5")


def test_linked_tables_of_a_server_are_released_and_proved(server: str, tmp_path: Path) -> None:
    with closing(connected(server)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute("CREATE SCHEMA cdm")
        cursor.execute(
            "CREATE TABLE cdm.person (person_id integer, gender_concept_id integer, year_of_birth integer)"
        )
        cursor.execute(
            "INSERT INTO cdm.person SELECT i, 8507 + i % 2, 1960 FROM generate_series(1, 8) AS s(i)"
        )
        cursor.execute(
            "CREATE TABLE cdm.visit_occurrence (visit_occurrence_id bigint, person_id integer, "
            "visit_concept_id integer, visit_start_date date, visit_source_value text)"
        )
        cursor.execute(
            "INSERT INTO cdm.visit_occurrence SELECT i, 1 + i % 8, 9202, DATE '2019-01-01' + 9 * i, "
            "'room ' || i FROM generate_series(1, 24) AS s(i)"
        )
        connection.commit()
    source, out = f"{server}#cdm", tmp_path / "out"
    done = deidentify_relational(source, out, key=b"k" * 32, profile="omop")
    assert (done.people, done.acceptable) == (8, True)
    assert {file.name for file in out.iterdir()} == {
        "person.parquet",
        "visit_occurrence.parquet",
        "treatment.json",
    }
    assert verify_relational(out, against=source, key=b"k" * 32).acceptable
    assert "hidden" not in str(done.to_dict()) + (out / "treatment.json").read_text(encoding="utf-8")


def test_refusals(server: str) -> None:
    with pytest.raises(BadData, match=r"table care\.missing: there is no such table"):
        open_embedded(server + "#care.missing")
    with pytest.raises(InvalidSetting, match="names no table"):
        open_embedded(server)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(UnreadableFile, match="not reachable") as caught:
        open_embedded(f"postgresql://ann:hidden@127.0.0.1:{free_port()}/db?table=t")
    assert "hidden" not in str(caught.value)

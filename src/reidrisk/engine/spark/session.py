"""Start Spark, or take a session that is running already."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from reidrisk.engine.packages import needed
from reidrisk.engine.spark.waiting import watched
from reidrisk.errors import InvalidSetting, MissingPackage, SparkFailure

MASTER = re.compile(r"local(\[(\*|\d+)(,\d+)?\])?|yarn|k8s://\S+|spark://[^\s/]+:\d+(,[^\s/]+:\d+)*")
STANDALONE = "spark://"
SECONDS = 5.0
"""How long a master may take to answer."""

SQL_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.legacy.parquet.nanosAsLong": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "512",
    "spark.sql.broadcastTimeout": "-1",
}
"""Set in every session that we use; those of the caller's own session stay as they are.

How long a job waits for workers is our own concern (waiting.py), so that Spark sets no time for small tables
that it sends to them.
"""
START_SETTINGS = {
    "spark.app.name": "reidrisk",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.io.encryption.enabled": "true",
}
"""Set when we start Spark. What it keeps on disk between two steps contains text, so it is encrypted."""

METASTORE = {"spark.sql.catalogImplementation": "hive"}
"""Set only for tables of Hive: Spark's own metastore makes files in the folder where the command runs."""


@contextmanager
def spark_session(engine: Any, *, hive: bool = False) -> Iterator[Any]:
    """A session with our settings; `hive` says whether it should know the tables of a metastore.

    `engine` is the URL of a master, or a SparkSession. What was started here is stopped at the end. A session
    that was running shares its cluster with us, and keeps its own settings.
    """
    with warnings.catch_warnings():
        # We use Arrow only; PySpark asks for pandas, and warns of its newest versions.
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        sql = needed("pyspark.sql", extra="spark")
        for package in ("pandas", "pyarrow"):
            needed(package, extra="spark")
        running = engine if isinstance(engine, sql.SparkSession) else _running(sql, _checked(engine))
        session = running.newSession() if running is not None else _start(sql, engine, hive=hive)
        try:
            for name, value in SQL_SETTINGS.items():
                session.conf.set(name, value)
            with watched(session, owned=running is None):
                yield session
        finally:
            if running is None:
                session.stop()


def _checked(master: Any) -> str:
    if not isinstance(master, str) or MASTER.fullmatch(master) is None:
        shown = repr(master) if isinstance(master, str) else type(master).__name__
        raise InvalidSetting(
            f"{shown} is not the URL of a Spark master.",
            hint="Use spark://HOST:7077, yarn, k8s://HOST:PORT, or local[2] for this machine. "
            "A Spark Connect server (sc://) cannot be used.",
        )
    return master


def _running(sql: Any, master: str) -> Any:
    """The session of this process, if there is one: a process can have only one master."""
    session = sql.SparkSession.getActiveSession()
    if session is None:
        return None
    if session.sparkContext.master != master:
        raise InvalidSetting(
            "This process is already connected to another Spark master.",
            hint="Stop its SparkSession first, or pass the session itself.",
        )
    return session


def _start(sql: Any, master: str, *, hive: bool) -> Any:
    _check_java()
    hosts = _hosts(master)
    if hosts:
        _check_reachable(hosts)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    core, gateway = needed("pyspark", extra="spark"), needed("pyspark.java_gateway", extra="spark")
    conf = core.SparkConf().setMaster(master)
    settings = START_SETTINGS | SQL_SETTINGS | _own_address(hosts) | (METASTORE if hive else {})
    for name, value in settings.items():
        conf.set(name, value)
    try:
        # PySpark goes on with the Java process of an earlier session. What Java prints could end up in the
        # middle of a result.
        java = core.SparkContext._gateway or gateway.launch_gateway(
            conf, popen_kwargs={"stdout": DEVNULL, "stderr": DEVNULL}
        )
        context = core.SparkContext(conf=conf, gateway=java)
    except Exception:  # noqa: BLE001 - Java and Python errors of any kind
        raise SparkFailure(
            "Spark could not be started.",
            hint="Check the master, and that Java 17 or later is installed: java -version",
        ) from None
    return sql.SparkSession(context)


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and (Path(home) / "bin" / "java").exists()):
        raise MissingPackage(
            "Spark needs Java, which was not found.",
            hint="Install Java 17 or later (Debian: apt-get install openjdk-17-jre-headless). The Python "
            'packages come with: pip install "reidrisk[spark]"',
        )


def _hosts(master: str) -> list[tuple[str, int]]:
    if not master.startswith(STANDALONE):
        return []
    pairs = (one.rpartition(":") for one in master.removeprefix(STANDALONE).split(","))
    return [(host.strip("[]"), int(port)) for host, _, port in pairs]


def _check_reachable(hosts: list[tuple[str, int]]) -> None:
    """Ask before Spark does, which would try for minutes."""
    for host, port in hosts:
        try:
            with socket.create_connection((host, port), timeout=SECONDS):
                return
        except (OSError, OverflowError):
            continue
    raise SparkFailure(
        "The Spark master does not answer.", hint="Check its host and port, and that it is running."
    )


def _own_address(hosts: list[tuple[str, int]]) -> dict[str, str]:
    """A cluster on this machine finds us under the loopback address."""
    if not hosts or not all(_is_loopback(host) for host, _ in hosts):
        return {}
    return {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False

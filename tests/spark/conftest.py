"""A real cluster on this machine: a standalone master and two workers, and one session for all tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MISSING = [name for name in ("pyspark", "pandas", "pyarrow") if find_spec(name) is None]
ROOT = Path(__file__).parents[2]
SECONDS = 240
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
"""For Java processes that live for seconds: they would compile longer than they run."""
DEFAULTS = {
    "spark.driver.extraJavaOptions": QUICK_START,
    "spark.executor.extraJavaOptions": QUICK_START,
    "spark.executor.memory": "512m",
    "spark.cores.max": "2",
    "spark.sql.shuffle.partitions": "2",
}
"""Settings of Spark in all tests; ours come on top. No application takes the cores of another one."""


def needs_spark() -> None:
    """Skip where Spark cannot run, and say what is missing."""
    if MISSING:
        pytest.skip(f"{', '.join(MISSING)} not installed: make spark")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed: make spark")


@pytest.fixture(scope="session")
def cluster_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the processes of the cluster work, which all start quickly instead of running fast."""
    needs_spark()
    folder = tmp_path_factory.mktemp("spark-cluster")
    (folder / "conf").mkdir()
    hive = {
        "spark.driver.extraJavaOptions": f"{QUICK_START} -Dderby.system.home={folder}",
        "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:memory:metastore;create=true",
        "spark.sql.warehouse.dir": f"file:{folder}/warehouse",
    }
    write_defaults(folder / "conf", DEFAULTS | hive)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(folder / "conf"))
        patch.setenv("SPARK_DAEMON_JAVA_OPTS", QUICK_START)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield folder


def write_defaults(folder: Path, settings: Mapping[str, str]) -> None:
    """The settings of Spark for whoever has SPARK_CONF_DIR=folder."""
    lines = [f"{name} {value}\n" for name, value in settings.items()]
    (folder / "spark-defaults.conf").write_text("".join(lines))


@pytest.fixture(scope="session")
def spark_master(cluster_folder: Path) -> Iterator[str]:
    """The URL of a standalone master with two workers on the loopback address."""
    with started_cluster(cluster_folder, workers=2) as master:
        yield master


@pytest.fixture(scope="session")
def spark(spark_master: str) -> Iterator[Any]:
    """One session on the cluster; `--master URL` in this process uses it too."""
    from pyspark.sql import SparkSession

    from reidrisk.engine.spark.session import spark_session

    with spark_session(spark_master, hive=True) as session:
        yield session
    assert SparkSession.getActiveSession() is None


@contextmanager
def started_cluster(folder: Path, *, workers: int) -> Iterator[str]:
    """Start a master and workers of one core each; end them afterwards. Their logs are in the folder."""
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    place = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
    with daemon(folder, "master", "org.apache.spark.deploy.master.Master", *place):
        wait_for(lambda: answers(port), "the master does not answer")
        with started_workers(folder, master, [f"worker-{number}" for number in range(workers)]):
            yield master


@contextmanager
def started_workers(folder: Path, master: str, names: Sequence[str], *, cores: int = 1) -> Iterator[None]:
    """Start workers, whose work is below the folder under their names."""
    with ExitStack() as running:
        for own in (folder / name for name in names):
            own.mkdir()
            size = ("--cores", str(cores), "--memory", "1g", "--work-dir", str(own), "--webui-port", "0")
            main = "org.apache.spark.deploy.worker.Worker"
            running.enter_context(daemon(folder, own.name, main, "--host", "127.0.0.1", *size, master))
        logs = [folder / f"{name}.log" for name in names]
        wait_for(lambda: all(registered(log) for log in logs), "a worker does not register")
        yield


@contextmanager
def daemon(folder: Path, name: str, main: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Java process of Spark; it is ended with the block."""
    import pyspark

    home = Path(pyspark.__file__).parent
    own = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [str(home / "bin" / "spark-class"), main, *arguments],
            env=os.environ | own,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def registered(log: Path) -> bool:
    return "Successfully registered" in log.read_text(errors="replace")


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def wait_for(ready: Callable[[], bool], problem: str) -> None:
    end = time.monotonic() + SECONDS
    while not ready():
        if time.monotonic() > end:
            pytest.fail(problem)
        time.sleep(0.1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """PySpark leaves sockets to the garbage collector, which reports them in whichever test is running."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))

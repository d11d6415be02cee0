"""A real cluster on this machine: a standalone master and two workers, and one session for all tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MISSING = [name for name in ("pyspark", "pandas", "pyarrow") if find_spec(name) is None]
ROOT = Path(__file__).parents[2]
SECONDS = 240


def needs_spark() -> None:
    """Skip where Spark cannot run, and say what is missing."""
    if MISSING:
        pytest.skip(f"{', '.join(MISSING)} not installed: make spark")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed: make spark")


@pytest.fixture(scope="session")
def spark_master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a standalone master with two workers on the loopback address."""
    needs_spark()
    with started_cluster(tmp_path_factory.mktemp("spark-cluster"), workers=2) as master:
        yield master


@pytest.fixture(scope="session")
def spark(spark_master: str) -> Iterator[Any]:
    """One session on the cluster; `--master URL` in this process uses it too."""
    from pyspark.sql import SparkSession

    from reidrisk.engine.spark.session import spark_session

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        with spark_session(spark_master) as session:
            yield session
    assert SparkSession.getActiveSession() is None


@contextmanager
def started_cluster(folder: Path, *, workers: int) -> Iterator[str]:
    """Start a master and workers of one core each; end them afterwards. Their logs are in the folder."""
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    with ExitStack() as running:
        place = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        running.enter_context(daemon(folder, "master", "org.apache.spark.deploy.master.Master", *place))
        wait_for(lambda: answers(port), "the master does not answer")
        for number in range(workers):
            own = folder / f"worker-{number}"
            own.mkdir()
            size = ("--cores", "1", "--memory", "1g", "--work-dir", str(own), "--webui-port", "0")
            name = "org.apache.spark.deploy.worker.Worker"
            running.enter_context(daemon(folder, own.name, name, "--host", "127.0.0.1", *size, master))
        logs = [folder / f"worker-{number}.log" for number in range(workers)]
        wait_for(lambda: all(registered(log) for log in logs), "a worker does not register")
        yield master


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

"""A real cluster on this machine: a standalone master and two workers, and one session for all tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MISSING = [name for name in ("pyspark", "pandas", "pyarrow") if find_spec(name) is None]
ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
KILLED = HERE / "test_killed.py"
WORKERS = 2
SECONDS = 240
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -XX:MetaspaceSize=256m -Xlog:disable"
"""For Java processes that live for seconds: they would compile longer than they run."""
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
}
"""Queries on a few rows run in less time than Spark takes to compile them and to plan them again."""
DEFAULTS = INTERPRETED | {
    "spark.driver.extraJavaOptions": QUICK_START,
    "spark.executor.extraJavaOptions": QUICK_START,
    "spark.executor.memory": "512m",
    "spark.cores.max": "2",
    "spark.task.maxFailures": "1",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.cache.maxEntries": "1000",
    "spark.locality.wait": "0s",
    "spark.python.daemon.module": "tests.spark.python_daemon",
}
"""Settings of Spark in all tests; ours come on top. No application takes the cores of another one.

What fails is not tried again: every trial takes a new Python process. No task waits for the worker that has
its rows in memory.
"""


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
    hive = {
        "spark.driver.extraJavaOptions": f"{QUICK_START} -Dderby.system.home={folder}",
        "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:memory:metastore;create=true",
        "spark.sql.warehouse.dir": f"file:{folder}/warehouse",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SPARK_CONF_DIR", raising=False)
        patch.setenv("PYSPARK_SUBMIT_ARGS", with_settings(folder, DEFAULTS | hive))
        patch.setenv("SPARK_DAEMON_JAVA_OPTS", QUICK_START)
        patch.setenv("SPARK_LAUNCHER_OPTS", QUICK_START)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield folder


def with_settings(folder: Path, settings: Mapping[str, str]) -> str:
    """Write the settings of Spark; what PYSPARK_SUBMIT_ARGS says for who has them."""
    lines = [f"{name} {value}\n" for name, value in settings.items()]
    (folder / "spark-defaults.conf").write_text("".join(lines))
    return f"--properties-file {folder / 'spark-defaults.conf'} pyspark-shell"


@pytest.fixture(scope="session")
def spark_master(cluster_folder: Path) -> Iterator[str]:
    """The URL of a standalone master with two workers on the loopback address."""
    with started_cluster(cluster_folder, workers=WORKERS) as master:
        yield master


@pytest.fixture(scope="session")
def spark(spark_master: str) -> Iterator[Any]:
    """One session on the cluster; `--master URL` in this process uses it too."""
    from pyspark.sql import SparkSession

    from reidrisk.engine.spark.session import spark_session

    with spark_session(spark_master, hive=True) as session:
        yield session
    assert SparkSession.getActiveSession() is None


@pytest.fixture
def compiled_queries(spark: Any) -> Iterator[None]:
    """Spark compiles and plans as it does for users."""
    for name in INTERPRETED:
        spark.conf.set(name, "true")
    yield
    for name, value in INTERPRETED.items():
        spark.conf.set(name, value)


@pytest.fixture(scope="session")
def killing(
    spark: Any, spark_master: str, cluster_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Future[Any]]:
    """The workers and the driver that test_killed.py looks at are killed beside the other tests."""
    from tests.spark.killing import Place, kill_all

    place = Place(tmp_path_factory.mktemp("killed"))
    with ExitStack() as running, ThreadPoolExecutor(1) as beside:
        yield beside.submit(kill_all, place, spark_master, cluster_folder, running)
        running.close()  # so that it also ends where the tests were stopped before


@pytest.fixture(scope="session", autouse=True)
def killing_starts_early(request: pytest.FixtureRequest) -> None:
    """They mostly wait for each other, which costs no time if it begins with the session."""
    wanted = any(item.path == KILLED for item in request.session.items)
    if wanted and not MISSING and shutil.which("java"):
        request.getfixturevalue("killing")


@contextmanager
def started_cluster(folder: Path, *, workers: int) -> Iterator[str]:
    """Start a master and workers of one core each; end them afterwards. Their logs are in the folder.

    Workers register while the session starts, which waits for them.
    """
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    place = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
    with daemon(folder, "master", "org.apache.spark.deploy.master.Master", *place) as process:
        wait_for(lambda: answers(port) or process.poll() is not None, "the master does not answer")
        assert process.poll() is None, (folder / "master.log").read_text()
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


def taken(folder: Path) -> bool:
    """Whether the session has all workers, so that none is left for another application."""
    logs = [(folder / f"worker-{number}.log").read_text(errors="replace") for number in range(WORKERS)]
    return all("Asked to launch executor" in log for log in logs)


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
    """PySpark leaves sockets to the garbage collector, which reports them in whichever test is running.

    What is killed in the meantime is looked at last.
    """
    files = {path for path in {item.path for item in items} if HERE in path.parents}
    own = [item for item in items if item.path in files]
    last = iter(sorted(own, key=lambda item: item.path == KILLED))
    items[:] = [next(last) if item.path in files else item for item in items]
    for item in own:
        item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))
        item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))

"""Settings of all tests, and the data that lie beside a developer's checkout."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from reidrisk.core.limits import Limits, within
from tests.browsing import Chromium
from tests.cli.running import Run, run_demo, runner
from tests.sharing import made_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("steady")


ON_SPARK = Path(__file__).parent / "spark"
CHROMIUM = Chromium()
SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session", autouse=True)
def own_record(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What commands write is recorded here, and not in the files of the developer."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session", autouse=True)
def one_core() -> Iterator[None]:
    """Several processes that run tests have the cores among them: each computes with one."""
    with within(Limits(cores=1) if "PYTEST_XDIST_WORKER" in os.environ else None):
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """Corpora beside the project; a test that needs them is skipped where there are none."""
    if not SHARED.is_dir():
        pytest.skip("the shared corpora are not beside the project")
    return SHARED


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Where `reidrisk demo` was run by the real program; it is run when somebody asks for it.

    While you work on tests, the variable REIDRISK_TEST_DEMO can name a folder of an earlier run: with
    `demo-output` and, as `output.txt`, what the command printed.
    """
    ready = os.environ.get("REIDRISK_TEST_DEMO")
    if ready:
        return lambda: Path(ready)
    return lambda: made_once(tmp_path_factory, "reidrisk-demo", run_demo)


@pytest.fixture(scope="session")
def demo_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented trial of the demo."""
    from reidrisk.demo.study import write_study

    return made_once(tmp_path_factory, "reidrisk-study", write_study)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""
    return runner(capsys)


@pytest.fixture
def browser() -> Browser:
    """The browser that this test shares with those before and after it."""
    return CHROMIUM.started()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if "browser" not in _fixtures(item):
        CHROMIUM.stop()


def pytest_sessionfinish() -> None:
    CHROMIUM.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put modules together that share what is costly, so that one process makes it and none waits.

    First those on Spark, with one cluster and one session; then those with the browser; then those with the
    demo.
    """
    used: dict[Path, set[str]] = {}
    for item in items:
        used.setdefault(item.path, set()).update(_fixtures(item))
    places = {
        path: (ON_SPARK not in path.parents, "browser" not in names, "demo_folder" not in names)
        for path, names in used.items()
    }
    items.sort(key=lambda item: places[item.path])


def _fixtures(item: pytest.Item) -> tuple[str, ...]:
    """What the test uses, also by way of others."""
    return tuple(getattr(item, "fixturenames", ()))

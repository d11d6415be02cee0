"""Settings of all tests, and the data that lie beside a developer's checkout."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.cli.running import Run, run_demo, runner
from tests.sharing import made_once

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("steady")


ON_SPARK = Path(__file__).parent / "spark"
SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session", autouse=True)
def own_record(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What commands write is recorded here, and not in the files of the developer."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Corpora beside the project; a test that needs them is skipped where there are none."""
    if not SHARED.is_dir():
        pytest.skip("the shared corpora are not beside the project")
    return SHARED


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Where `reidrisk demo` was run by the real program; it is run when somebody asks for it."""
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on Spark come first: then one process takes them all, with one cluster and one session."""
    items.sort(key=lambda item: ON_SPARK not in item.path.parents)

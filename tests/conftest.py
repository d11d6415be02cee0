"""Settings of all tests, and the data that lie beside a developer's checkout."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from tests.cli.running import Run, runner

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("steady")

SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Corpora beside the project; a test that needs them is skipped where there are none."""
    if not SHARED.is_dir():
        pytest.skip("the shared corpora are not beside the project")
    return SHARED


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""
    return runner(capsys)

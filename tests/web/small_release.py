"""A small release for tests that change it, and its jobs."""

from __future__ import annotations

import atexit
import html
import os
import re
import shutil
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from reidrisk.assess.jobs import JobState, job_state, list_jobs
from reidrisk.report.assessment_folder import assess_and_report
from tests.assess.builders import write_data, write_file

NAME = "small"


def small_release(root: Path, *, extra: int = 0, is_assessed: bool = True) -> Path:
    """A release with a table of 60 records and `extra` odd ones, which make it not acceptable."""
    folder = root / NAME
    folder.parent.mkdir(parents=True, exist_ok=True)
    if is_assessed:
        shutil.copytree(_assessed(extra), folder)
        return folder
    folder.mkdir()
    write_data(folder, extra=extra)
    write_file(folder, "records")
    return folder


@lru_cache(maxsize=4)
def _assessed(extra: int) -> Path:
    """Such a release with its assessment, made once; it is removed when the tests end."""
    kept = TemporaryDirectory(prefix="reidrisk-small-")
    atexit.register(kept.cleanup)
    folder = small_release(Path(kept.name), extra=extra, is_assessed=False)
    assess_and_report(folder / "release.yaml", folder / "assessment")
    return folder


def ended(folder: Path, wanted: Callable[[JobState], bool] = lambda one: not one.is_alive) -> JobState:
    """Wait until the latest job is as wanted."""
    for _ in range(2400):
        state = job_state(folder, list_jobs(folder)[0].id)
        if wanted(state):
            return state
        time.sleep(0.05)
    pytest.fail(f"the job is still {state.status}")


def hold_jobs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New jobs wait in their first part, as a long query does."""
    held = folder.parent / "hold"
    held.mkdir()
    (held / "sitecustomize.py").write_text(
        "import os\nif os.environ.get('REIDRISK_HOLD'):\n"
        "    import time\n    from reidrisk.assess.kinds import table\n"
        "    table.measure_table = lambda *given, **named: time.sleep(600)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(held), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("REIDRISK_HOLD", "1")


def words(page: str) -> str:
    """The text of a page on one line, without its markup."""
    body = page[page.find("<main") :] if "<main" in page else page
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())

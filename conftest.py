"""How tests are found and shared out."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """What would be collected of the file; only a file with an example in it is searched for examples."""
    collected = yield
    if file_path.suffix != ".py" or b">>> " in file_path.read_bytes():
        return collected
    return [one for one in collected if not isinstance(one, DoctestModule)]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: tests of pages and of clusters wait for other programs."""
    return (os.cpu_count() or 1) + 1

"""A folder with the data of a small release."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.assess.builders import write_data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "data"
    place.mkdir()
    write_data(place)
    return place

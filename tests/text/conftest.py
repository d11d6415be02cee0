"""Tests of what is wrong where see the ids; that messages hide them has tests of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reidrisk.core.shown_ids import showing_ids


@pytest.fixture(autouse=True)
def ids_are_shown(request: pytest.FixtureRequest) -> Iterator[None]:
    with showing_ids(wanted="hides_ids" not in request.keywords):
        yield

"""Loops of local recoding as plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from reidrisk.stats.compiled import CompiledLoop


@pytest.fixture
def plain_loops(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run loops as plain Python: for a few tuples that is faster than to compile them."""
    monkeypatch.setattr(CompiledLoop, "machine_code", property(lambda loop: loop.function))
    with np.errstate(over="ignore"):  # hashes wrap around
        yield

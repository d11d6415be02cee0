from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def numbers_that_wrap_around() -> Iterator[None]:
    """Random numbers and bits are computed modulo 2^64; outside of machine code numpy would warn of it."""
    with np.errstate(over="ignore"):
        yield

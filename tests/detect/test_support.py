from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.detector import SILENCE, lower_unsupported
from reidrisk.detect.finding import Finding

SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 6)), max_size=8)


@given(SPANS, SPANS)
def test_only_what_no_rule_touches_becomes_less_sure(
    model: list[tuple[int, int]], rules: list[tuple[int, int]]
) -> None:
    found = [Finding(start, start + size, "NAME", 0.8, "model") for start, size in model]
    ruled = [Finding(start, start + size, "NAME", 0.1, "dictionary:name") for start, size in rules]
    masked = {place for one in ruled for place in range(one.start, one.end)}
    for one in lower_unsupported(found, ruled):
        touched = bool(masked & set(range(one.start, one.end)))
        assert (one.confidence == 0.8) == touched
        assert touched or one.confidence == pytest.approx(SILENCE * 4 / (SILENCE * 4 + 1))


@given(st.floats(0, 1))
def test_a_confidence_stays_one(sure: float) -> None:
    (one,) = lower_unsupported([Finding(0, 1, "NAME", sure, "model")], [])
    assert 0 <= one.confidence <= sure

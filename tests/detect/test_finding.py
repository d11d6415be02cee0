from __future__ import annotations

import pytest

from reidrisk.detect.finding import Finding
from reidrisk.errors import InvalidSetting


def test_findings_sort_by_place() -> None:
    late, early = Finding(4, 9, "NAME", 0.9, "model"), Finding(1, 3, "DATE", 0.5, "pattern:date")
    assert sorted([late, early]) == [early, late]


@pytest.mark.parametrize(
    ("start", "end", "confidence"), [(3, 3, 0.5), (-1, 3, 0.5), (0, 3, 1.1), (0, 3, -0.1)]
)
def test_a_finding_that_cannot_be_is_refused(start: int, end: int, confidence: float) -> None:
    with pytest.raises(InvalidSetting):
        Finding(start, end, "NAME", confidence, "model")

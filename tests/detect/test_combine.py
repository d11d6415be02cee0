from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.detector import combine
from reidrisk.detect.finding import Finding

FINDINGS = st.lists(
    st.builds(
        lambda start, size, kind, confidence: Finding(start, start + size, kind, confidence, "model"),
        st.integers(0, 40),
        st.integers(1, 9),
        st.sampled_from(["NAME", "DATE"]),
        st.floats(0, 1),
    )
)


@given(FINDINGS, st.floats(0, 1))
def test_the_union_is_kept_in_order_and_without_overlap(findings: list[Finding], threshold: float) -> None:
    combined = combine(findings, threshold=threshold)
    for before, after in pairwise(combined):
        assert before.end <= after.start
    masked = {place for finding in combined for place in range(finding.start, finding.end)}
    wanted = {place for one in findings if one.confidence >= threshold for place in range(one.start, one.end)}
    assert masked == wanted


@given(FINDINGS, st.floats(0, 1), st.floats(0, 1))
def test_a_lower_threshold_never_finds_less(findings: list[Finding], one: float, other: float) -> None:
    low, high = sorted((one, other))
    more, less = (
        {
            place
            for finding in combine(findings, threshold=limit)
            for place in range(finding.start, finding.end)
        }
        for limit in (low, high)
    )
    assert less <= more


def test_the_surest_finding_says_the_type() -> None:
    one, two = (
        Finding(0, 8, "IDNUM", 0.7, "pattern:long-number"),
        Finding(2, 8, "PHONE", 0.9, "pattern:phone"),
    )
    assert combine([one, two], threshold=0.5) == [Finding(0, 8, "PHONE", 0.9, "pattern:phone")]

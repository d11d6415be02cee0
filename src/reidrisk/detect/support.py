"""What the model finds and no rule supports is less sure: rules know most of what identifies in English."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from reidrisk.detect.finding import Finding

SILENCE = 0.15
"""By how much the odds of a finding fall where all rules are silent: to a quarter on invented sentences of
all kinds, to less on invented clinical notes."""


def supported(findings: Iterable[Finding], rules: Sequence[Finding]) -> list[Finding]:
    """The findings of a model, with lower confidence where no finding of a rule touches them."""
    ordered = sorted((one.start, one.end) for one in rules)
    starts = [start for start, _ in ordered]
    furthest = list(accumulate((end for _, end in ordered), max))
    return [one if _touched(one, starts, furthest) else _less_sure(one) for one in findings]


def _touched(finding: Finding, starts: list[int], furthest: list[int]) -> bool:
    before = bisect_right(starts, finding.end - 1)
    return before > 0 and furthest[before - 1] > finding.start


def _less_sure(finding: Finding) -> Finding:
    sure = finding.confidence
    return replace(finding, confidence=SILENCE * sure / (SILENCE * sure + 1 - sure) if sure < 1 else 1.0)

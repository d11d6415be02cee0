"""Many findings of many parts become one answer: places that do not overlap, sure enough, in order."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.detect.finding import IN_ORDER, Finding


def combine(findings: Iterable[Finding], *, threshold: float) -> list[Finding]:
    """The union of all findings that are sure enough; where some overlap the surest one says the type."""
    chosen = sorted((one for one in findings if one.confidence >= threshold), key=IN_ORDER)
    merged: list[Finding] = []
    for finding in chosen:
        if merged and finding.start < merged[-1].end:
            merged[-1] = _joined(merged[-1], finding)
        else:
            merged.append(finding)
    return merged


def _joined(first: Finding, second: Finding) -> Finding:
    best = max(first, second, key=_weight)
    return Finding(first.start, max(first.end, second.end), best.type, best.confidence, best.source)


def _weight(finding: Finding) -> tuple[float, int, bool]:
    """The surest, then the longest; what was found itself before what follows from another place."""
    return finding.confidence, finding.end - finding.start, not finding.source.startswith("consistency")

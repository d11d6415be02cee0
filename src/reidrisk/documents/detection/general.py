"""What identifies anybody, by the detector for texts; a study says which of it cannot be a participant's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reidrisk.detect.detector import CombinedDetector
from reidrisk.detect.finding import Finding

_CHUNK = 20_000
"""Characters that are looked at together."""


def general_findings(detector: CombinedDetector, text: str) -> Iterator[Finding]:
    """The findings of a long text, piece by piece, cut at ends of lines."""
    for start, end in _chunks(text):
        for one in detector.find(text[start:end]):
            yield Finding(one.start + start, one.end + start, one.type, one.confidence, one.source)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        end = len(text)
        if end - at > _CHUNK:
            cut = text.rfind("\n", at + 1, at + _CHUNK)
            end = cut + 1 if cut > 0 else at + _CHUNK
        yield at, end
        at = end


def outside(finding: Finding, taken: Sequence[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """The parts of a finding that others have not taken, as far as they hold a word or number."""
    at = finding.start
    for start, end in (*taken, (finding.end, finding.end)):
        if start > at:
            left = text[at:start]
            shift = len(left) - len(left.lstrip(" \t\n,;:.()/-"))
            right = left.rstrip(" \t\n,;:(/-")
            if sum(map(str.isalnum, left)) >= 3 or (at, start) == (finding.start, finding.end):
                yield at + shift, at + len(right)
        at = max(at, end)

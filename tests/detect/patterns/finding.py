"""What the patterns find in a text, as pairs of words and types."""

from __future__ import annotations

from reidrisk.detect.detector import combine
from reidrisk.detect.patterns.find import PatternDetector

ENGLISH, UNIVERSAL = PatternDetector(), PatternDetector(universal=True)


def found(text: str, *, universal: bool = False) -> list[tuple[str, str]]:
    """The findings of the patterns alone, combined at the usual threshold."""
    findings = (UNIVERSAL if universal else ENGLISH).find(text)
    return [(text[one.start : one.end], one.type) for one in combine(findings, threshold=0.5)]

"""A detector: codes of wards, such as W-17/B, which only your hospital has."""

from __future__ import annotations

import re

from reidrisk.detect.finding import Finding

WARD = re.compile(r"\bW-\d{2}/[A-Z]\b")


class WardDetector:
    """Finds codes of wards; made once per process, then asked for every text."""

    def find(self, text: str) -> list[Finding]:
        """Positions count characters from 0; the confidence is the share of such findings that are right."""
        return [
            Finding(one.start(), one.end(), "LOCATION-OTHER", 0.95, "wards") for one in WARD.finditer(text)
        ]

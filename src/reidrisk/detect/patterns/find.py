"""Runs the patterns over a text."""

from __future__ import annotations

import re

from reidrisk.detect.finding import Finding

_EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b")


class PatternDetector:
    """Finds what can be recognised by how it is written."""

    def find(self, text: str) -> list[Finding]:
        """The findings of all patterns; they may overlap."""
        return [Finding(*match.span(), "EMAIL", 0.99, "pattern:email") for match in _EMAIL.finditer(text)]

"""What counts as an identifier: everything of the i2b2 scheme, or only what the HIPAA Safe Harbor names."""

from __future__ import annotations

import re
from typing import Literal

from reidrisk.detect.finding import Finding

Scheme = Literal["i2b2", "hipaa"]
_OLD = re.compile(r"9\ds?|1\d\d|(?i:ninet(?:y|ies)|hundred)")
_YEAR = re.compile(r"(?:(?i:spring|summer|autumn|fall|winter)(?: of)?,? )?(?:1[89]|20)\d\ds?")
_ALLOWED = frozenset(("STATE", "COUNTRY", "PROFESSION"))


def counts(text: str, finding: Finding, scheme: Scheme) -> bool:
    """Whether a finding is an identifier under a scheme.

    45 CFR 164.514(b)(2) leaves ages up to 89, years alone, states, countries and professions in a text.
    """
    if scheme == "i2b2":
        return True
    if finding.type == "AGE":
        return _OLD.match(text, finding.start, finding.end) is not None
    if finding.type == "DATE":
        return _YEAR.fullmatch(text, finding.start, finding.end) is None
    return finding.type not in _ALLOWED

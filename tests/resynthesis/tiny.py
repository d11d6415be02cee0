"""A detector of a few words, and small sets of texts, for tests of the way from file to file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reidrisk.detect.finding import Finding

_PATTERNS = (
    ("NAME", re.compile(r"(?:Mr\. |Ms\. )?(?:Ann Lee|Lee|ANN LEE|Bob Ray|Ray|Zoë Núñez)\b")),
    ("DATE", re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4}")),
    ("MEDICALRECORD", re.compile(r"(?<=MRN )\d+")),
)
ANN = "Ms. Lee (Ann Lee, MRN 0012345) was seen on 2019-03-14 and again on 3/20/2019.\r\nANN LEE is well 🙂."
BOB = "Bob Ray, MRN 7700110, came on 2020-01-02. Mr. Ray left."
PLAIN = "Nothing is to be found here."


@dataclass(frozen=True)
class WordDetector:
    """Knows a few names, dates and numbers."""

    def find(self, text: str) -> Sequence[Finding]:
        """Every match."""
        return [
            Finding(*match.span(), kind, 0.9, f"pattern:{kind.lower()}")
            for kind, pattern in _PATTERNS
            for match in pattern.finditer(text)
        ]

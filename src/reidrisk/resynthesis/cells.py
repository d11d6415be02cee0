"""Replace identifiers in the cells of a column of free text, for tables that are de-identified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from reidrisk.core.cells import CleanedTexts
from reidrisk.detect.detector import build_detector
from reidrisk.detect.finding import Detector, find_in_each
from reidrisk.detect.settings import DetectSettings
from reidrisk.resynthesis.replace import merge_overlaps, placeholder_for, replace_findings
from reidrisk.resynthesis.settings import Mode


def cell_cleaner(
    detect: DetectSettings | Detector | None = None, *, mode: Mode = "label"
) -> Callable[[Sequence[str]], CleanedTexts]:
    """Return a function that replaces the identifiers in texts by the labels of their types.

    The detector is built when it is first needed.
    """

    @cache
    def detector() -> Detector:
        return build_detector(detect) if detect is None or isinstance(detect, DetectSettings) else detect

    def clean(texts: Sequence[str]) -> CleanedTexts:
        new: list[str] = []
        types: Counter[str] = Counter()
        label = placeholder_for(mode)
        for text, found in zip(texts, find_in_each(detector(), texts), strict=True):
            findings = merge_overlaps(found, len(text))
            types.update(one.type for one in findings)
            new.append(replace_findings(text, findings, label).text)
        return CleanedTexts(tuple(new), dict(sorted(types.items())))

    return clean

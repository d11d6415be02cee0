"""The whole detector: every part looks, and one answer comes out."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import cast

from reidrisk.detect.combine import combine
from reidrisk.detect.dictionaries.find import DictionaryDetector
from reidrisk.detect.finding import Detector, Finding
from reidrisk.detect.patterns.find import PatternDetector
from reidrisk.detect.settings import SHIPPED_MODEL, DetectSettings
from reidrisk.errors import UnreadableFile

MODEL_ROOM = "reidrisk.detect.model"
"""Loaded only where a model is used."""


class CombinedDetector:
    """Asks every part and combines what they found: in order, without overlaps, above the threshold."""

    def __init__(self, parts: Sequence[Detector], *, threshold: float) -> None:
        self._parts = tuple(parts)
        self._threshold = threshold

    def find(self, text: str) -> list[Finding]:
        """The findings of one text."""
        findings = [finding for part in self._parts for finding in part.find(text)]
        return combine(findings, threshold=self._threshold)


def build_detector(settings: DetectSettings | None = None) -> CombinedDetector:
    """Make the detector that the settings describe; worker processes get the settings and make their own."""
    settings = settings or DetectSettings()
    parts: list[Detector] = []
    if settings.rules_used != "none":
        parts.append(PatternDetector(universal=settings.rules_used == "universal"))
    if settings.rules_used == "english":
        parts.append(DictionaryDetector())
    if settings.model is not None and (settings.model != SHIPPED_MODEL or SHIPPED_MODEL.exists()):
        parts.append(_model(settings.model))
    return CombinedDetector(parts, threshold=settings.threshold)


def _model(path: Path) -> Detector:
    if not path.is_file():
        raise UnreadableFile(
            f"The model {path.name!r} does not exist.",
            hint="Make one with: reidrisk text train CORPUS --out MODEL.",
        )
    return cast(Detector, import_module(MODEL_ROOM).load_model(path))

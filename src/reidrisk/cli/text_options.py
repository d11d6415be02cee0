"""Options that commands about texts and documents share, and the detector that some of them describe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.cli.settings import setting_option
from reidrisk.core.setting_values import read_changes
from reidrisk.detect import settings as detection
from reidrisk.text import input_settings as inputs
from reidrisk.text import settings as evaluation

if TYPE_CHECKING:
    from reidrisk.detect.settings import DetectSettings

TYPES = setting_option(inputs.TYPES, repeats=False)
IGNORE_WORDS = setting_option(inputs.IGNORE_WORDS, filled=True)
MISALIGNED = setting_option(evaluation.MISALIGNED, filled=True)
PROFILE = setting_option(evaluation.PROFILE, filled=True)
MODEL = setting_option(detection.MODEL)
KNOWN = setting_option(detection.KNOWN)
TERMS = setting_option(detection.TERMS, repeats=True)
DETECTION_THRESHOLD = setting_option(detection.THRESHOLD, filled=True)
DETECTION_SETTINGS = tuple(one.name for one in detection.CHANGEABLE_SETTINGS)
"""Settings of --set that belong to the detector."""


def detect_settings(given: dict[str, Any], changes: dict[str, Any]) -> DetectSettings:
    """The detector that --model, --known, --terms, --threshold and --set describe."""
    model = given["model"]
    own = {name: text for name, text in changes.items() if name in DETECTION_SETTINGS}
    values = read_changes(detection.CHANGEABLE_SETTINGS, own, what="A detection option")
    plugins = str(values.pop(detection.PLUGIN.name, "")).split(";")
    return detection.DetectSettings(
        model=detection.SHIPPED_MODEL if model is None else None if model == "none" else Path(model),
        known=Path(given["known"]) if given["known"] else None,
        terms=tuple(Path(path) for path in given["terms"]),
        plugins=tuple(text.strip() for text in plugins if text.strip()),
        threshold=given["threshold"],
        **values,
    )

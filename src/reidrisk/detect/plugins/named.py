"""Which plug-in a name means."""

from __future__ import annotations

from reidrisk.detect.finding import Detector
from reidrisk.errors import InvalidSetting


def build_plugin(name: str) -> Detector:
    """`presidio`, `spacy:MODEL` or `command:ARGV`."""
    kind, _, rest = name.partition(":")
    if kind == "presidio" and not rest:
        from reidrisk.detect.plugins.presidio import PresidioDetector

        return PresidioDetector()
    if kind == "spacy":
        from reidrisk.detect.plugins.spacy import SpacyDetector

        return SpacyDetector(rest)
    if kind == "command":
        from reidrisk.detect.plugins.command import CommandDetector

        return CommandDetector(rest)
    raise InvalidSetting.among("A plug-in", name, ("presidio", "spacy:MODEL", "command:ARGV"))

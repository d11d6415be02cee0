"""Settings that tables, populations and release files share, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from reidrisk.core.settings import (
    AnyOf,
    AnyValue,
    FileName,
    MappingOf,
    NumberSetting,
    Setting,
    WholeNumber,
)

SEED = Setting("seed", WholeNumber(0), "Random seed; the same seed gives the same result.", 7, metavar="N")
CONTEXT = Setting(
    "context",
    AnyOf((FileName(), MappingOf(AnyValue("see the guide to contexts")))),
    "Who gets the data and under which controls, described in YAML. This sets the threshold. See "
    "`reidrisk context score`.",
    metavar="FILE",
)
CELL_SIZE = Setting("cell_size", WholeNumber(), "Smallest equivalence class you accept.", 5, metavar="N")
THRESHOLD = Setting(
    "threshold",
    NumberSetting(0, 1, above=True),
    "Threshold as a probability, such as 0.09. Replaces `cell_size`.",
    metavar="P",
)

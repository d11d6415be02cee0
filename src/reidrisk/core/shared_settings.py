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
    TextSetting,
    WholeNumber,
)

SEED = Setting("seed", WholeNumber(0), "Random seed; the same seed gives the same result.", 7, metavar="N")
CONTEXT = Setting(
    "context",
    AnyOf((FileName(), MappingOf(AnyValue("see the guide to contexts")))),
    "Who gets the data and under which controls, described in YAML. This sets the threshold. See "
    "`reidrisk context score`.",
    metavar="FILE",
    reads="file",
)
CELL_SIZE = Setting("cell_size", WholeNumber(), "Smallest equivalence class you accept.", 5, metavar="N")
THRESHOLD = Setting(
    "threshold",
    NumberSetting(0, 1, above=True),
    "Threshold as a probability, such as 0.09. Replaces `cell_size`.",
    metavar="P",
)

MEMORY = Setting(
    "memory",
    TextSetting("size, such as 4GB"),
    "Memory that may be used, such as 500MB or 4GB. What does not fit goes to `temp`.",
    default_text="three quarters of what there is",
    metavar="SIZE",
)
CORES = Setting("cores", WholeNumber(), "Processor cores that may be used.", default_text="all", metavar="N")
TEMP = Setting(
    "temp",
    FileName(),
    "Existing folder for temporary files, which are removed at the end.",
    default_text="next to the output, or the folder of the system",
    metavar="DIR",
    reads="folder",
)
LIMIT_SETTINGS = (MEMORY, CORES, TEMP)
"""How much of the machine may be used: `Limits` holds them under the same names."""

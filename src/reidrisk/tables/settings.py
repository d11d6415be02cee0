"""Settings that measuring and de-identifying a table share, each declared once: roles of columns, and events.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from typing import get_args

from reidrisk.core.schema import TREATMENTS, Reduction
from reidrisk.core.settings import (
    COLUMNS,
    AnyOf,
    Choice,
    MappingOf,
    Setting,
    TextSetting,
    WholeNumber,
    YesNo,
)

QUASI = Setting("quasi", COLUMNS, "Quasi-identifiers: columns that an intruder may know.", metavar="COLUMNS")
UNIT = Setting(
    "unit",
    TextSetting("column"),
    "Column that identifies the person or visit of each row.",
    default_text="each row is a record",
    metavar="COLUMN",
)
REDUCE = Setting(
    "reduce",
    MappingOf(Choice(get_args(Reduction))),
    "For a column that varies within a unit, which value to use: first, min, max or set.",
    metavar="COLUMN=RULE",
)
DIRECT = Setting(
    "direct",
    AnyOf((COLUMNS, MappingOf(Choice(TREATMENTS)))),
    "Direct identifiers and what to do with them: drop, pseudonym, number or keep.",
    metavar="COLUMN=ACTION",
)
SENSITIVE = Setting(
    "sensitive",
    COLUMNS,
    "Sensitive columns, which intruders do not know but want to learn.",
    metavar="COLUMNS",
)
COLUMN_SETTINGS = (QUASI, UNIT, REDUCE, DIRECT, SENSITIVE)
"""The roles of columns."""

MOST_KNOWN = 5
"""Largest number of known events: beyond it, a long history has too many subsets to examine."""
EVENTS = Setting(
    "events",
    COLUMNS,
    "For tables with several rows per person: the columns that describe an event.",
    metavar="COLUMNS",
)
KNOWN = Setting(
    "known",
    WholeNumber(0, MOST_KNOWN),
    "Number of events of a person that the intruder knows. Needs `events`.",
    2,
    metavar="P",
)
COUNT_EVENTS = Setting(
    "count_events",
    YesNo(),
    "The intruder also knows how often the same event happened. Needs `events`.",
    default=False,
)
EVENT_SETTINGS = (EVENTS, KNOWN, COUNT_EVENTS)
"""What an intruder knows about events."""

"""The settings of a de-identification, each declared once.

Options of the command line, keys of YAML files, the form of a release file and what a result records follow
from these declarations. This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from typing import Literal, get_args

from reidrisk.core.settings import (
    ABOVE_ZERO,
    COLUMNS,
    SHARE,
    AnyOf,
    AnyValue,
    Choice,
    ListOf,
    MappingOf,
    NumberSetting,
    Setting,
    TextSetting,
    WholeNumber,
)
from reidrisk.core.shared_settings import CELL_SIZE
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.stats.lattice.losses import LOSSES
from reidrisk.tables.settings import COLUMN_SETTINGS, EVENT_SETTINGS, HIERARCHIES, READING_SETTINGS
from reidrisk.tables.utility.settings import UTILITY

Method = Literal["global", "local", "mondrian", "microaggregate"]
"""One level per variable, as much as each record needs, recursive cuts (Mondrian), or means of groups."""
Aggregate = Literal["mean", "median"]
Suppress = Literal["cells", "records"]
Reading = Literal["value", "wildcard"]
"""Whether a suppressed cell counts as a separate value or matches every value."""
RowOrder = Literal["auto", "keep", "content"]

LADDER = Setting(
    "ladder",
    ListOf(WholeNumber()),
    "Cell sizes to try in this order until one has a solution, such as 5,3.",
    metavar="SIZES",
)
AVERAGE = Setting(
    "average",
    NumberSetting(0, 1, above=True),
    "Largest average risk you accept, in addition to the cell size.",
    metavar="P",
)
MAX_SUPPRESSION = Setting(
    "max_suppression",
    SHARE,
    "Largest share of records in which a value may be suppressed.",
    0.05,
    metavar="SHARE",
)
MAX_CELL_SUPPRESSION = Setting(
    "max_cell_suppression",
    SHARE,
    "Largest share of records in which the value of any one variable may be suppressed.",
    metavar="SHARE",
)
MAX_LEVEL = Setting(
    "max_level",
    MappingOf(AnyOf((WholeNumber(0), TextSetting("level")))),
    "Maximum acceptable generalization of a column.",
    metavar="COLUMN=LEVEL",
)
MAX_EVENT_SUPPRESSION = Setting(
    "max_event_suppression",
    SHARE,
    "Largest share of rows that may be suppressed. Needs `events`.",
    0.05,
    metavar="SHARE",
)
METHOD = Setting(
    "method",
    Choice(get_args(Method)),
    "global: one level per variable; local: only as much as each record needs; mondrian: split into ranges; "
    "microaggregate: replace values by the mean or median of a group.",
    "global",
)
AGGREGATE = Setting(
    "aggregate",
    Choice(get_args(Aggregate)),
    "What replaces numbers. Needs `method` microaggregate.",
    "mean",
)
SUPPRESS = Setting(
    "suppress", Choice(get_args(Suppress)), "Whether to suppress single cells or whole records.", "cells"
)
READING = Setting(
    "reading",
    Choice(get_args(Reading)),
    "How to count a suppressed cell: as a value of its own, or as a match for every value.",
    "value",
)
ORDER = Setting(
    "order",
    Choice(get_args(RowOrder)),
    "Order of the rows. keep: unchanged; content: an order that reveals nothing; auto: content only if the "
    "original order would reveal something.",
    "auto",
)
LOSS = Setting("loss", Choice(LOSSES), "Measure of information loss to minimize.", "loss_gm")
WEIGHTS = Setting(
    "weights",
    MappingOf(ABOVE_ZERO),
    "Weight of a column in the information loss.",
    default_text="1",
    option="--weight",
    metavar="COLUMN=NUMBER",
)
STEPS = Setting(
    "steps",
    ListOf(AnyValue("kind: and its settings")),
    "Transformations, applied in this order before measuring or searching; see the guide to transformations.",
)
DERIVED = Setting(
    "derived", MappingOf(AnyValue("from, to, unit")), "Variables that are computed from two dates."
)
LAYOUTS = Setting("layouts", MappingOf(COLUMNS), "Sets of variables, in order of preference.")
SOLUTIONS = Setting(
    "solutions", ListOf(AnyValue("name and levels")), "Proposals to show beside the solution."
)

RISK_LIMITS = (CELL_SIZE, LADDER, AVERAGE)
"""Limits on the risk, which a context can replace."""
LOSS_LIMITS = (MAX_SUPPRESSION, MAX_CELL_SUPPRESSION, MAX_LEVEL)
"""Limits on what may be done to the data."""
METHOD_SETTINGS = (METHOD, AGGREGATE, SUPPRESS, READING, ORDER, LOSS, WEIGHTS)
EVENT_LIMITS = (MAX_EVENT_SUPPRESSION,)
DEIDENTIFY_SETTINGS = (*RISK_LIMITS, *LOSS_LIMITS, *EVENT_LIMITS, *METHOD_SETTINGS)
"""The settings that only de-identification has."""
ALL_SETTINGS = (
    *COLUMN_SETTINGS,
    *DEIDENTIFY_SETTINGS,
    *SENSITIVE_SETTINGS,
    *EVENT_SETTINGS,
    *READING_SETTINGS,
)
"""The same, with those that it shares with the measurement of a table."""

OPTION_SETTINGS = (*METHOD_SETTINGS, MAX_CELL_SUPPRESSION, MAX_LEVEL, AVERAGE, *EVENT_LIMITS)
"""What `DeidentifyOptions` holds under the same names, in the order in which results record it."""
FILE_SETTINGS = (HIERARCHIES, DERIVED, STEPS, LAYOUTS, SOLUTIONS, UTILITY)
"""Settings with content of their own, which only a file can give completely."""

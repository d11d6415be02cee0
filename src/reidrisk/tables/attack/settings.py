"""The settings of an attack on a table, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from dataclasses import replace

from reidrisk.core.settings import COLUMNS, ListOf, NumberSetting, Setting, TextSetting, WholeNumber
from reidrisk.core.shared_settings import CELL_SIZE, THRESHOLD
from reidrisk.tables import settings as tables
from reidrisk.tables.settings import EXPLAINED, QUASI, SOURCE

MOST_NEIGHBOURS = 100
MOST_LEVEL = 0.9999
"""Above this level, intervals are unbounded."""

AGAINST = Setting(
    "against",
    SOURCE,
    "The original table, or a table of people with their names.",
    metavar="TABLE",
    reads="table",
)
CONTROL = Setting(
    "control", SOURCE, "Table of similar people who are not in the release.", metavar="TABLE", reads="table"
)
ID = Setting(
    "id",
    TextSetting("column"),
    "Column that identifies the person in both tables. Used only to check the guesses.",
    default_text="the order of rows",
    metavar="COLUMN",
)
UNIT = replace(
    tables.UNIT,
    help="Column of the original table (`against`) that identifies the person of each row.",
    default_text="each row is a person",
)
SENSITIVE = replace(
    tables.SENSITIVE, help="Sensitive columns that the intruder wants to infer.", former="secret"
)
KNOWN = Setting(
    "known",
    COLUMNS,
    "Columns from which the intruder infers sensitive values.",
    default_text="the quasi-identifiers",
    metavar="COLUMNS",
)
SETS = Setting(
    "sets",
    ListOf(COLUMNS, 2),
    "Two sets of columns that the intruder links through the release.",
    default_text="halves of the quasi-identifiers",
    metavar="A;B",
)
GUESSES = Setting("guesses", WholeNumber(), "Number of guesses per attack.", 2000, metavar="N")
ROWS = Setting(
    "rows",
    WholeNumber(1000),
    "Largest number of rows of a table that attacks use. Of a larger table, whole persons are sampled; also "
    "if its rows do not fit in the memory allowed.",
    1_000_000,
    metavar="N",
)
TOGETHER = Setting("together", WholeNumber(), "Number of columns in a statement that singles out.", 3)
LEVEL = Setting("level", NumberSetting(0, MOST_LEVEL, above=True), "Confidence level of the intervals.", 0.95)
TOLERANCE = Setting(
    "tolerance",
    NumberSetting(0, 1, below=True),
    "Largest error of a correct guess of a number, as a share of the number.",
    0.05,
)
NEIGHBOURS = Setting(
    "neighbours",
    WholeNumber(1, MOST_NEIGHBOURS),
    "For linkability: number of nearest records of which both sources must share one.",
    1,
)
CONFIDENCE = Setting(
    "confidence",
    NumberSetting(0, 1, above=True),
    "Smallest probability at which a probable link is claimed.",
    0.9,
)
PRESENT = Setting(
    "present",
    NumberSetting(0, 1, above=True),
    "Share of released records whose person is in the other table. The tables do not show it. Without it, "
    "probabilistic linkage expects what it would achieve if everybody is in the other table.",
)

COLUMN_SETTINGS = (QUASI, SENSITIVE, KNOWN, SETS, ID, UNIT)
NUMBER_SETTINGS = (ROWS, TOGETHER, LEVEL, TOLERANCE, NEIGHBOURS, CONFIDENCE, PRESENT)
"""The settings of --set."""
PLAN_NUMBERS = (GUESSES, *NUMBER_SETTINGS)
"""The numbers that `AttackPlan` holds under the same names."""
PART_NUMBERS = (GUESSES, ROWS, NEIGHBOURS, CONFIDENCE, PRESENT)
"""The numbers that a release file can change."""
PART_SETTINGS = (AGAINST, QUASI, CONTROL, SENSITIVE, KNOWN, SETS, ID, UNIT, *PART_NUMBERS, EXPLAINED)
"""The settings of a part of a release file."""
LIMITS = (
    replace(
        CELL_SIZE,
        help="Decide by the threshold 1/`cell_size`. Without a threshold nothing is decided.",
        default=None,
    ),
    replace(THRESHOLD, help="Decide by the largest success rate of an attack that you accept."),
)
"""On the command line; in a release file the context decides."""

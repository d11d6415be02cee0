"""The settings of a comparison of a released table with its source, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from dataclasses import replace

from reidrisk.core.settings import (
    COLUMNS,
    AnyValue,
    ListOf,
    MappingOf,
    NumberSetting,
    Setting,
    SettingGroup,
    TextSetting,
    WholeNumber,
    YesNo,
    form_entries,
)
from reidrisk.tables.attack.settings import LEVEL

LIMIT_NAMES = ("query", "query_largest", "model", "propensity", "distribution", "association")
"""Limits on the difference of a query, loss of a score, ratio, total variation, change of an association."""
DAY = 86_400
"""Largest time limit of a query in seconds."""

QUERIES = Setting(
    "queries",
    MappingOf(TextSetting("SQL")),
    "SELECT statement on the table named data, to compare its answers.",
    option="--query",
    metavar="NAME=SQL",
)
MODELS = Setting(
    "models",
    ListOf(AnyValue("`cost ~ age, sex`, or target and features")),
    "Regression to compare, such as 'cost ~ age, sex'.",
    option="--model",
    metavar="TEXT",
    repeated=True,
)
COMPARED = Setting(
    "columns",
    COLUMNS,
    "Columns to compare.",
    default_text="all columns in both tables",
    metavar="COLUMNS",
)
PROPENSITY = Setting(
    "propensity", YesNo(), "Whether to fit a model that tries to distinguish the tables.", default=True
)
INTERACTIONS = Setting(
    "interactions",
    ListOf(COLUMNS),
    "Interaction of two columns in the propensity model.",
    option="--interaction",
    metavar="A*B",
    repeated=True,
)
LIMITS = Setting(
    "limits",
    MappingOf(NumberSetting(0)),
    f"Largest loss you accept for {', '.join(LIMIT_NAMES[:-1])} or {LIMIT_NAMES[-1]}.",
    option="--limit",
    metavar="NAME=VALUE",
)
ROWS = Setting(
    "rows",
    WholeNumber(100),
    "Largest number of rows of each table for associations, propensity scores and models.",
    100_000,
)
SECONDS = Setting(
    "seconds",
    NumberSetting(0, DAY, above=True),
    "Time limit of each query, in seconds.",
    60.0,
    default_text="60",
)
FOLDS = Setting("folds", WholeNumber(2), "Number of folds of the cross-validation.", 5)
COEFFICIENT_LEVEL = replace(LEVEL, help="Confidence level of the intervals of coefficients.")
SMALLEST_GROUP = Setting(
    "cell_size", WholeNumber(), "Groups with fewer records are never named.", 5, metavar="N"
)
SHOW_GROUPS = Setting(
    "show_groups",
    YesNo(),
    "Name the groups of a query that differ most, if they are large enough.",
    default=False,
)

QUERY_SETTINGS = (QUERIES, MODELS, LIMITS)
"""What `table deidentify` can also measure."""
NUMBER_SETTINGS = (ROWS, SECONDS, FOLDS, COEFFICIENT_LEVEL)
"""The settings of --set."""
PLAIN_SETTINGS = (*NUMBER_SETTINGS, SMALLEST_GROUP, SHOW_GROUPS)
UTILITY_SETTINGS = (QUERIES, MODELS, COMPARED, PROPENSITY, INTERACTIONS, LIMITS, *PLAIN_SETTINGS)
"""The settings that `UtilityPlan` holds under the same names."""
RECORDED = (COMPARED, QUERIES, MODELS, INTERACTIONS, LIMITS, *PLAIN_SETTINGS)
"""What results record, in this order."""

UTILITY = Setting(
    "utility",
    SettingGroup(
        form_entries((*UTILITY_SETTINGS[:3], replace(PROPENSITY, default=False), *UTILITY_SETTINGS[4:])),
        title="`utility` of a table part that is de-identified",
        about="As in a file of `reidrisk table utility`; see the [guide](../guides/measure-utility.md). A "
        "limit that is not met is reported; it does not make the part unacceptable.",
    ),
    "What users need from the table; it does not affect the verdict.",
)
"""The settings of a comparison within a de-identification."""

"""The settings of measuring a population, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from dataclasses import replace

from reidrisk.core.settings import (
    COLUMNS,
    SHARE,
    AnyOf,
    FileName,
    ListOf,
    MappingOf,
    NumberSetting,
    Setting,
    TextSetting,
    WholeNumber,
    YesNo,
)

TOTAL = "total"
GROUP_SIZES = (1, 3, 5, 10)
"""The values of g in the published study."""
LAST_G = 50
"""A result has the shares for every g up to this one, besides those that were requested."""
EVEN, BY_CALENDAR = "uniform", "leap"

PEOPLE = Setting("population", TextSetting("path"), "Counts of people.")
STATE = Setting(
    "state",
    AnyOf((TextSetting(), ListOf(TextSetting()))),
    "Use only this state.",
    metavar="STATE",
    repeated=True,
)
AREAS = Setting(
    "areas", COLUMNS, "Columns that are geographic areas, largest areas first.", metavar="COLUMNS"
)
MODELLED = Setting(
    "modelled",
    TextSetting(),
    "How the counts were computed, if they were not counted. Shown in every report.",
    metavar="HOW",
)
OPEN_BAND_YEARS = Setting(
    "open_band_years",
    WholeNumber(),
    "Years of birth in the open age band at the top, such as 85 and over.",
    metavar="N",
)
YEAR = Setting(
    "year",
    AnyOf((WholeNumber(), TextSetting())),
    "Which estimate to use from a Census Bureau file.",
    metavar="YEAR",
)
SOURCE_SETTINGS = (STATE, AREAS, OPEN_BAND_YEARS, YEAR)
"""How the counts are read."""

DATASET = Setting(
    "dataset",
    TextSetting("path"),
    "Records of people in the population. The result shows their risk in particular.",
    metavar="FILE",
    reads="table",
)
COUNTED_IN = Setting(
    "counted_in",
    WholeNumber(1000, 3000),
    "Year in which the population was counted. Converts years of birth in `dataset` to ages.",
    metavar="YEAR",
)
DATASET_SETTINGS = (DATASET, COUNTED_IN)

POLICY = Setting(
    "policy",
    TextSetting("`limited`, `safe`, fields, or a path"),
    "What is shared: limited, safe, fields such as zip3,year_of_birth,sex, or a YAML file.",
    metavar="POLICY",
    reads="name",
)
POLICIES = replace(
    POLICY,
    name="policies",
    help=f"{POLICY.help} The first is compared with the last.",
    option="--policy",
    repeated=True,
)
"""On the command line; a release file has one policy, and others to compare it with."""
COMPARE = Setting(
    "compare",
    AnyOf((TextSetting("policy"), ListOf(TextSetting("policy")))),
    "Other policies to compare it with.",
)
COARSE = replace(
    POLICY, name="coarse", help="Policy that shares the least detail.", default="safe", option="--from"
)
FINE = replace(
    POLICY, name="fine", help="Policy that shares the most detail.", default="limited", option="--to"
)

ATTACKER = Setting(
    "attacker",
    TextSetting("`general`, `voter`, fields or a path"),
    "Who attacks: general, voter, fields of a list such as county,year_of_birth, or a YAML file.",
    "general",
    metavar="WHO",
    reads="name",
)
PRICE = Setting("price", NumberSetting(0), "Price of the attacker's list.", metavar="PRICE")
COVERAGE = Setting(
    "coverage", NumberSetting(0, 1, above=True), "Share of the people who are in the attacker's list."
)
"""Only in a file that describes the attacker."""
VOTER_LISTS = Setting(
    "voter_lists",
    FileName(),
    "Your own table of voter lists. Needs `attacker` voter.",
    metavar="FILE",
    reads="table",
)
ACROSS = Setting(
    "across",
    YesNo(),
    "The attacker does not know the state of a person (or the largest area of the population).",
    default=False,
)
ATTACKER_SETTINGS = (ATTACKER, PRICE, VOTER_LISTS, ACROSS)

MAX_SHARE = Setting(
    "max_share",
    MappingOf(SHARE),
    "Largest share you accept, instead of the limit of the context. For a g: share of g-distinct people; for "
    "total: total risk.",
    metavar="G=SHARE",
)
TARGET = Setting("target", SHARE, "Largest share of people at risk you accept.", metavar="SHARE")
MEASURE = Setting(
    "measure",
    TextSetting("`total` or a value of g"),
    "Risk that `target` limits and the frontier shows: total risk, or the share of g-distinct people.",
    TOTAL,
    metavar="total|G",
)
G = Setting(
    "g",
    ListOf(WholeNumber()),
    "Values of g: a g-distinct person shares all fields with fewer than g others.",
    GROUP_SIZES,
    default_text="1,3,5,10",
    metavar="SIZES",
)
BIRTH_DATES = Setting(
    "birth_dates",
    TextSetting("`uniform`, `leap` or a path"),
    "Distribution of birth dates over the year: uniform, leap, or a CSV file of month, day, births.",
    EVEN,
    metavar="HOW",
)
DAYS = Setting("days", WholeNumber(12), "Number of days in a year of birth.", 365, metavar="N")
MEASURE_SETTINGS = (G, BIRTH_DATES, DAYS)
BY = Setting(
    "by",
    TextSetting("column"),
    "Also show the risk of each area in this column, such as state or county.",
    metavar="AREA",
)

PART_SETTINGS = (
    *(PEOPLE, POLICY, COMPARE),
    *(ATTACKER, PRICE, VOTER_LISTS),
    *(STATE, AREAS, BY),
    *DATASET_SETTINGS,
    *(G, MAX_SHARE, ACROSS, BIRTH_DATES, DAYS),
    *(OPEN_BAND_YEARS, YEAR),
)
"""The settings of a part of a release file."""

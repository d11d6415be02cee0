"""The settings of measuring a table, each declared once; other commands for tables share some of them.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from reidrisk.core.schema import TEXT_TREATMENTS, TREATMENTS, Reduction
from reidrisk.core.settings import (
    COLUMNS,
    AnyOf,
    AnyValue,
    Choice,
    FileName,
    ListOf,
    MappingOf,
    NumberSetting,
    Setting,
    TextSetting,
    WholeNumber,
    YesNo,
)

Adversary = Literal["prosecutor", "journalist"]
JournalistRule = Literal["maximum", "strict_average", "average"]
FORMATS = "csv, tsv, parquet, arrow, xlsx, sqlite, duckdb, xpt, sav or dta"
SOURCE = TextSetting("path or URL")

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
FREE_TEXT = Setting(
    "text",
    AnyOf((COLUMNS, MappingOf(Choice(TEXT_TREATMENTS)))),
    "Columns of free text and what to do with them: drop, deidentify or keep. Text that is not dropped must "
    "also be accepted with `other`.",
    default_text="drop",
    metavar="COLUMN=ACTION",
)
OTHER = Setting(
    "other",
    MappingOf(TextSetting("reason")),
    "Column or item that may leave without being measured, and why. The reason is printed in every report.",
    metavar="COLUMN=REASON",
)
COLUMN_SETTINGS = (QUASI, UNIT, REDUCE, DIRECT, SENSITIVE, FREE_TEXT, OTHER)
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

HIERARCHIES = Setting(
    "hierarchies",
    AnyOf((FileName(), MappingOf(AnyValue("rules of a hierarchy")))),
    "How columns may be generalized: a YAML file, or a folder of files *hierarchy_COLUMN.csv.",
    metavar="DIR|FILE",
    reads="path",
)
EXPLAINED = replace(
    HIERARCHIES, help="Hierarchies that explain the generalized values of the released table."
)
"""The same setting, for a table that was generalized before."""
KEY = Setting(
    "key",
    FileName(),
    "Key file used for pseudonyms and random steps; see `reidrisk table key`.",
    metavar="FILE",
    reads="file",
)
ESCAPE_FORMULAS = Setting(
    "escape_formulas",
    YesNo(),
    "Whether to put an apostrophe before cells of a CSV or TSV file that spreadsheets run as formulas, "
    "such as =1+1.",
    default=False,
)
OUT = Setting(
    "out",
    FileName(),
    f"Table to write, if it is acceptable. Its suffix sets the format: {FORMATS}.",
    metavar="FILE",
)

DATE_FORMAT = Setting(
    "date_format",
    AnyOf((TextSetting("format"), MappingOf(TextSetting("format")))),
    "Format of dates, such as %m/%d/%Y: of all dates, or COLUMN=FORMAT of one column; may be repeated.",
    metavar="[COLUMN=]FORMAT",
)
ENCODING = Setting(
    "encoding",
    TextSetting("encoding"),
    "Encoding of a CSV or TSV file, such as cp1252.",
    default_text="utf-8, or utf-16 if the file says so",
    metavar="NAME",
)
DELIMITER = Setting(
    "delimiter",
    TextSetting("character or `tab`"),
    "Delimiter of a CSV file: one character, or tab.",
    default_text="detected",
    metavar="CHARACTER",
)
DECIMAL = Setting("decimal", Choice((".", ",")), "Decimal separator of a CSV or TSV file.", default_text=".")
NULL = Setting(
    "null",
    ListOf(TextSetting("text")),
    "Texts that mean that a value is missing, separated by commas, such as unknown,n/a.",
    metavar="VALUES",
    repeated=True,
)
READING_SETTINGS = (DATE_FORMAT, ENCODING, DELIMITER, DECIMAL, NULL)
"""How the cells of a table are read: `TableReading` holds them under the same names."""

POPULATION = Setting(
    "population",
    SOURCE,
    "Table of everyone who could be in the table, with the same columns.",
    metavar="POP",
    reads="table",
)
SAMPLING_FRACTION = Setting(
    "sampling_fraction",
    NumberSetting(0, 1, above=True),
    "Share of the population that is in the table, such as 0.01.",
    metavar="SHARE",
)
POPULATION_SIZE = Setting(
    "population_size",
    WholeNumber(),
    "Number of people in the population that the table was sampled from.",
    metavar="N",
)
SURVEY_WEIGHTS = Setting(
    "weights",
    TextSetting("column"),
    "Survey weights: the number of people that each record represents.",
    metavar="COLUMN",
)
SAMPLING_SETTINGS = (SAMPLING_FRACTION, POPULATION_SIZE, SURVEY_WEIGHTS)
"""How the table was sampled, if the population itself is not available."""
ORDINAL = Setting(
    "ordinal",
    COLUMNS,
    "Quasi-identifiers whose values have an order, such as age groups. Used to estimate the population.",
    default_text="columns with more than ten numbers or dates",
    metavar="COLUMNS",
)
ADVERSARY = Setting(
    "adversary",
    Choice(get_args(Adversary)),
    "Adversary whose risk decides. A journalist needs `population` or a description of the sample.",
    "prosecutor",
)
JOURNALIST_RULE = Setting(
    "journalist_rule",
    Choice(get_args(JournalistRule)),
    "What decides with `adversary` journalist. maximum: no record in a population class below the cell size. "
    "For restricted releases only: strict_average: the average risk, and no record in a population class "
    "below 3; average: the average risk alone, so that unique people may pass.",
    "maximum",
)
"""Only on the command line: in a release file, the context says which of them applies."""
CAP = 3
"""Under the rule of the strict average no record may be in a population class smaller than this."""
PREVIOUS = Setting(
    "previous",
    SOURCE,
    "Another release of the same data, coded in the same way. Classes that differ between the two by only a "
    "few records are refused.",
    metavar="TABLE",
    reads="table",
)
SPECIAL = Setting(
    "special",
    WholeNumber(),
    "Count special uniques: records that are unique on `special` columns or fewer.",
    metavar="N",
)
RARE = Setting(
    "rare",
    FileName(),
    "List of codes of rare and visible diseases or drugs, one per line. E84 includes E84.0. A table that "
    "contains one is not acceptable.",
    metavar="FILE",
    reads="file",
)
RARE_COLUMNS = Setting(
    "rare_columns",
    COLUMNS,
    "Column that contains such codes.",
    option="--rare-column",
    metavar="COLUMN",
    repeated=True,
)
RARE_SETTINGS = (RARE, RARE_COLUMNS)
COUNT_SETTINGS = (POPULATION, *SAMPLING_SETTINGS, ORDINAL, SPECIAL, PREVIOUS, *RARE_SETTINGS)
"""What is counted beside the classes."""
RECORD_CHANCES = Setting(
    "record_chances",
    FileName(),
    "Also write each record's chance of being unique in the population to this file, by row number. Needs a "
    "description of the sample. Do not release this file.",
    metavar="FILE",
)
"""Only on the command line."""
BY = Setting(
    "by",
    COLUMNS,
    "Also show the risk of each group of `by`.",
    metavar="COLUMN",
    repeated=True,
)
"""Only on the command line."""
SCENARIO = Setting(
    "scenario",
    TextSetting(),
    "Who attacks: neighbour, acquaintance, registry or insider.",
    default_text="anybody",
    metavar="NAME",
)
"""For the suggestion of roles; what each of them knows is in `data/intruders.yaml`."""
RISK_SETTINGS = (*COUNT_SETTINGS, ADVERSARY)
"""The settings that only measuring has."""

"""Settings of what a text evaluation reads, of the release, and of gold standards, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from reidrisk.context.settings import Treatment
from reidrisk.core.settings import (
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
from reidrisk.text.conflicts import Rule
from reidrisk.text.settings import UNMATCHED

WORD_LISTS = ("none", "default")
"""The lists of ignored words that are not files."""
ACCESSES = ("public", "semi-public", "non-public")

GOLD_FORMAT = Setting(
    "gold_format",
    TextSetting("name of a format"),
    "Format of the gold standard.",
    default_text="detected",
    metavar="F",
)
TOOL_FORMAT = Setting(
    "tool_format",
    TextSetting("name of a format"),
    "Format of the tool's annotations.",
    default_text="detected",
    metavar="F",
)
TYPES = Setting(
    "types",
    AnyOf((TextSetting("path, or TYPE=role,…"), MappingOf(AnyValue("roles")))),
    "Which annotation types are direct identifiers, quasi-identifiers or ignored. A YAML file, or "
    "TYPE=role,… with the roles direct, quasi and ignored.",
    metavar="FILE",
    reads="name",
)
IGNORE_WORDS = Setting(
    "ignore_words",
    TextSetting("`none`, `default` or a path"),
    "Words that do not need masking, such as titles.",
    "default",
    metavar="none|default|FILE",
    reads="name",
)
PATIENT = Setting(
    "patient",
    TextSetting("regular expression"),
    "Treat documents of the same patient as one. The first group of this pattern finds the patient in the "
    "document id.",
    metavar="REGEX",
)
SPLIT_PATIENTS = Setting(
    "split_patients",
    TextSetting("regular expression"),
    "Split texts about several patients. A new patient begins where this pattern matches, such as "
    "'^Patient: '.",
    metavar="REGEX",
)
BY = Setting(
    "by",
    TextSetting("folder, type, field:NAME, or a pattern"),
    "Also judge each group of documents separately: folder, type, field:NAME, or a pattern with one group.",
    metavar="GROUP",
)
CLUSTER = Setting(
    "cluster",
    TextSetting("a pattern with one group, a field, or folder"),
    "Documents of one cluster (author, template, source) leak alike and count as one draw. The first group "
    "of this pattern finds the cluster in the document id, or name a field of the documents, or folder.",
    metavar="REGEX|COLUMN",
)
COUNTING_SETTINGS = (TYPES, IGNORE_WORDS, PATIENT, SPLIT_PATIENTS, CLUSTER)
"""How documents are counted."""

ACCESS = Setting("access", Choice(ACCESSES), "Who can get the text.", default_text="public")
ATTEMPT = Setting(
    "attempt",
    TextSetting("probability, or low,mode,high"),
    "Chance that someone tries to re-identify a patient: 0.4, or low,mode,high.",
    default_text="1, if public",
    metavar="P",
)
TREATMENT = Setting(
    "treatment",
    Choice(get_args(Treatment)),
    "What is done to the identifiers that the tool finds: they are removed, or replaced by surrogates.",
    "redaction",
    option="--method",
)
RECOGNITION = Setting(
    "recognition",
    AnyOf((SHARE, ListOf(SHARE, 3), MappingOf(AnyValue("number")), TextSetting("0.1,0.2,0.3 or beta:a,b"))),
    "With resynthesis: chance that an intruder can tell a leaked identifier from surrogates.",
    metavar="P",
    repeated=True,
)
RELEASE_SETTINGS = (ACCESS, ATTEMPT, TREATMENT, RECOGNITION)
"""Who can get the texts, and what was done to them."""
INPUT_SETTINGS = (GOLD_FORMAT, TOOL_FORMAT, *COUNTING_SETTINGS, BY, *RELEASE_SETTINGS)
"""What results of a text evaluation record besides `TextSettings`, and how the texts were read."""

DOCUMENTS = Setting("documents", WholeNumber(), "How many documents to draw.", metavar="N")
STRATA = Setting(
    "strata",
    TextSetting("folder, type, column:NAME, or a pattern"),
    "Draw from each stratum in proportion to its size. Strata are given by folder, type, column:NAME, or a "
    "pattern with one group that is applied to the document id.",
    metavar="RULE",
)
RECALL = Setting("recall", NumberSetting(), "All-or-nothing recall that you expect of the tool.", metavar="R")
UPPER = Setting(
    "upper",
    NumberSetting(),
    "Upper limit of the share of leaking documents that you want to show.",
    default_text="the benchmark",
    metavar="P",
)
ASSURANCE = Setting(
    "assurance", NumberSetting(), "Chance of showing it, if the recall is as expected.", 0.8, metavar="P"
)
SAMPLE_SETTINGS = (DOCUMENTS, STRATA, RECALL, UPPER, ASSURANCE)
"""How many documents to annotate, and which."""

ANNOTATORS_UNMATCHED = replace(
    UNMATCHED, help="What to do if some annotators lack a document: stop, or use those who have it."
)
RULE = Setting("rule", Choice(get_args(Rule)), "How to settle conflicts that have no decision.", "majority")

"""The page docs/reference/accuracy.md: every figure comes from a file of the program or from another page."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

from reidrisk.core.evidence import MEANING, RULES
from reidrisk.validate.checks import CHECKS

DOCS = Path(__file__).parent
EXACT = "Computed"
PAGE = """# How accurate is it?

Generated from the files of the program and from the tables of other pages, which say how each figure was measured.
A result can be wrong in four ways. Each section answers one of them.

1. The program computes something else than the publication. [Numbers from publications](#numbers-from-publications).
2. The interval is too narrow. [How often limits are right](#how-often-limits-are-right).
3. A model does not fit your data. [The population from a sample](#the-population-from-a-sample).
4. An identifier is missed. [Identifiers in text](#identifiers-in-text).

## How well each rule is known

{grades}

A verdict is as strong as the weakest rule behind it, and says which one that is. [Grades of evidence](../concepts/evidence.md) explains
the grades; [all rules](evidence.md) are listed with their reasons.

## Numbers from publications

{total} numbers are computed again on your machine by [`reidrisk validate`](../guides/validate.md), and by the tests. Each has its own
tolerance, and the certificate shows the largest difference.

{sources}

"Exact computation" means a reference value that was computed in another way, with more digits or by counting every case.

Whole studies were repeated, too: [the hospital study](../hospital-study.md) and [the HIPAA study](../hipaa-study.md) show our figures next
to the printed ones, and say where they differ.

## What is checked on your machine

{checks}

## How often limits are right

The share of corpora whose upper limit covers the true risk. 0.975 is promised. `limit=observed` decides;
`limit=model` is the published model, shown for comparison. Method and conditions:
[uncertainty](../concepts/uncertainty.md#how-often-is-the-limit-right).

{coverage}

The last row misses the promise: large clusters leaked more, and the sample had none of them.

## The population from a sample

Samples were drawn from populations that are known. "before" is the rule of an earlier version. Each cell has the unsafe samples that were
accepted and the safe samples that were refused. Method and conditions:
[the population from a sample](../concepts/population-from-a-sample.md#repeat-it).

{decisions}

No unsafe sample was accepted. The price is that about half of the safe samples are refused, because a sample often cannot show that a table is safe.

{intervals}

The page also lists [where it does not work as well](../concepts/population-from-a-sample.md#where-most-values-of-a-column-are-rare): tables in
which most values of a column are rare.

## Identifiers in text

The share of the words of identifiers that were masked (recall), and the share of masked words that belong to an identifier (precision), for
our own detector. Method and conditions: [how identifiers are found](../concepts/finding-identifiers.md#how-well-it-finds).

{detector}

Your texts differ from all of these. [Measure on your own](../guides/evaluate-a-text-tool.md).
[Five tools on two corpora](../compare-tools.md) has figures for other programs.

## How fast is it?

[Benchmarks](../benchmarks.md) has times and memory, next to other programs.
"""  # noqa: E501 - lines of the page


def accuracy() -> str:
    """The page."""
    return PAGE.format(
        grades=_grades(),
        total=len(_values()),
        sources=_sources(),
        checks=_checks(),
        coverage=table_of("concepts/uncertainty.md", "How often is the limit right?"),
        decisions=table_of("concepts/population-from-a-sample.md", "Repeat it"),
        intervals=table_of("concepts/population-from-a-sample.md", "Repeat it", number=1),
        detector=table_of("concepts/finding-identifiers.md", "How well it finds"),
    )


def table_of(page: str, heading: str, *, number: int = 0) -> str:
    """The table with this number, from 0, below a heading of a page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    _, below = re.split(rf"^#+ {re.escape(heading)}$", text, maxsplit=1, flags=re.MULTILINE)
    section = re.split(r"^#", below, maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)[number].rstrip()


def _grades() -> str:
    found = Counter(rule.grade for rule in RULES.values())
    rows = [f"| {grade} | {text} | {found[grade]} |" for grade, text in MEANING.items()]
    return "\n".join(["| grade | meaning | rules |", "| --- | --- | ---: |", *rows])


def _values() -> list[dict[str, str]]:
    stored = files("reidrisk.validate") / "data" / "values.json"
    found: list[dict[str, str]] = json.loads(stored.read_text(encoding="utf-8"))
    return found


def _sources() -> str:
    named = Counter(re.split(r"[,(:]", one["source"])[0].strip() for one in _values())
    rows = [
        f"| {'exact computation' if source == EXACT else source} | {number} |"
        for source, number in named.most_common()
    ]
    return "\n".join(["| source | numbers |", "| --- | ---: |", *rows])


def _checks() -> str:
    rows = [f"| {one.id} | {one.title} | {one.expected} |" for one in CHECKS]
    return "\n".join(["| check | what | expected |", "| --- | --- | --- |", *rows])

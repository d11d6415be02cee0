"""How to read the risk of a table: its words, its assumptions and its sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

GUIDE = Guide(
    terms=(
        Fact(
            "Quasi-identifier",
            "A column that an intruder may know of a person: an age, a sex, a place, a date.",
        ),
        Fact(
            "Equivalence class",
            "Records with the same values in all quasi-identifiers. An empty cell is a value.",
        ),
        Fact("Cell size", "The smallest class that is accepted; the threshold is its inverse, 1/5 for five."),
        Fact(
            "Prosecutor risk",
            "The adversary knows that the person is in the data: one in the size of the class.",
        ),
        Fact(
            "Journalist risk",
            "The adversary knows only that the person is in the population: one in the class size there.",
        ),
        Fact("Marketer risk", "The share of records that an adversary who matches everybody gets right."),
        Fact(
            "Unit of analysis", "The person or visit that several rows belong to; the risk is counted for it."
        ),
    ),
    limits=(
        "The quasi-identifiers are those that were named; a column that was forgotten is not in the figures.",
        "Two values are alike only if they are written alike.",
        "This page is a measurement, not legal advice. People who answer for it decide on a release.",
    ),
    sources=(
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
    ),
)

"""How to read suggested roles and the HIPAA check: words, assumptions and sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

HIPAA = Source("45 CFR 164.514(b)(2) and (e)(2), HIPAA Privacy Rule, United States.")

SUGGESTION_GUIDE = Guide(
    terms=(
        Fact(
            "Direct identifier",
            "A column that names a person by itself: a name, a record number, a phone number.",
        ),
        Fact(
            "Quasi-identifier",
            "A column that an intruder may know of a person: an age, a sex, a place, a date.",
        ),
        Fact("Sensitive", "What an intruder would learn: a diagnosis, a drug, an income."),
        Fact("Unit", "The column that says which rows belong to one person or visit."),
        Fact(
            "Confidence", "Certain or likely by the name, the values, or both; possible by a weak sign only."
        ),
    ),
    limits=(
        ("Names, patterns and distinct values can mislead. A column without a sign can still identify."),
        ("What an intruder knows depends on the intruder; the scenarios are a beginning, not a law."),
        ("This page is a suggestion, not legal advice. People who answer for it decide on a release."),
    ),
    sources=(
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
        HIPAA,
    ),
)
HIPAA_GUIDE = Guide(
    terms=(
        Fact("Safe Harbor", "The rule that data without 18 listed identifiers count as de-identified."),
        Fact(
            "Limited data set",
            (
                "Data without 16 identifiers, released under an agreement; dates, towns and ZIP "
                "codes may stay."
            ),
        ),
        Fact(
            "Found, possible",
            "Told by the name or the values; by a weak sign only, to be looked at by a person.",
        ),
        Fact(
            "20,000 rule",
            ("The first three digits of a ZIP code may stay if more than 20,000 people live there."),
        ),
    ),
    limits=(
        "That nothing was found is necessary for Safe Harbor, and not sufficient.",
        ("Safe Harbor is a list, not a measurement: data that keep to it can have unique people in them."),
        "This page is a check by a program, not legal advice.",
    ),
    sources=(HIPAA,),
)

"""How to read a text evaluation: terms, limits and sources."""

from __future__ import annotations

from dataclasses import replace

from reidrisk.report.parts import Fact, Guide, Source

GUIDE = Guide(
    terms=(
        Fact("Direct identifier", "Names a person by itself: a name, a telephone number, a record number."),
        Fact(
            "Quasi-identifier",
            (
                "Names nobody by itself, but helps to single a person out together with others: a "
                "date, a place, an age."
            ),
        ),
        Fact(
            "Gold standard",
            ("The same documents with every identifier marked by people. It is taken as the truth."),
        ),
        Fact("Instance", "One place in a text where an identifier stands."),
        Fact(
            "Caught and leaked", "An instance is caught if all its words are masked. Anything less is a leak."
        ),
        Fact(
            "Micro recall",
            (
                "The share of all instances that were caught. It flatters: many caught dates can "
                "hide one lost name."
            ),
        ),
        Fact("Masking recall", "The share of all words of identifiers that were masked, whatever the label."),
        Fact(
            "All-or-nothing recall",
            (
                "The share of documents in which no instance of a type leaked, among those that "
                "hold the type. One leak in a document is enough for an adversary, so the risk "
                "rests on this recall."
            ),
        ),
        Fact(
            "Recognition",
            (
                "The chance that an adversary tells a leaked original from the surrogates around "
                "it. It is 1 where identifiers are blacked out, since what is left then stands out."
            ),
        ),
        Fact(
            "Gate",
            (
                "Surrogates hide a leak only if leaks are rare. Recognition below 1 counts only "
                "where recall reaches a cutoff: as observed, or significantly, so that chance in "
                "few documents is not taken for quality."
            ),
        ),
        Fact(
            "Attempt", ("The chance that somebody tries to re-identify at all. For a public release it is 1.")
        ),
        Fact(
            "Benchmark",
            (
                "The direct-identifier risk that a tool of accepted quality would leave. A tool "
                "passes if the upper limit of its own risk is not above the upper limit of the "
                "benchmark."
            ),
        ),
        Fact(
            "Threshold",
            (
                "The largest acceptable risk from quasi-identifiers, with its reason. A cell size "
                "of five means 1/5."
            ),
        ),
        Fact(
            "Interval: uncertainty of the mean risk",
            (
                "Where the average risk of such documents lies, given that only some were examined "
                "(parameter)."
            ),
        ),
        Fact(
            "Interval: risk of a random document",
            ("The same, and how much the risk differs from one document to the next (per_document)."),
        ),
        Fact(
            "Plug-in",
            ("The risk if the observed recalls were exact. It has no interval and is never the verdict."),
        ),
        Fact(
            "Precision",
            ("The share of masked words that had to be masked. Low precision costs usefulness, not privacy."),
        ),
    ),
    limits=(
        (
            "Documents are taken to be independent of each other. Documents of one patient "
            "should be joined first."
        ),
        "Leaks of different types are taken to be independent of each other.",
        ("The gold standard is taken as complete: identifiers that its annotators missed are not counted."),
        (
            "The figures hold for texts like those examined. Other clinics, years or kinds of "
            "notes need their own test."
        ),
        (
            "Recognition, attempt, benchmark and threshold are choices. They stand under the "
            "settings with the result."
        ),
        (
            "This page is a measurement, not legal advice. Whether to release is decided by "
            "people who answer for it."
        ),
    ),
    sources=(
        Source(
            "Scaiano M, Middleton G, Arbuckle L, et al. A unified framework for evaluating the risk of "
            "re-identification of text de-identification tools. Journal of Biomedical Informatics 63 (2016) "
            "174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
    ),
)

COMPARISON_GUIDE = replace(
    GUIDE,
    terms=(
        Fact(
            "Paired difference",
            (
                "Both tools are judged on the same documents, drawn anew many times with "
                "replacement; each time the difference of their risks is taken. What makes "
                "documents hard for both cancels out."
            ),
        ),
        Fact(
            "Only the first leaks",
            ("Documents that leak under one tool and not under the other: what a difference rests on."),
        ),
        *GUIDE.terms,
    ),
    limits=(
        ("A tool with the lower risk on this gold standard may be the worse one on other texts."),
        "Gates stay as they are on all documents while these are resampled.",
        *GUIDE.limits,
    ),
    sources=(
        *GUIDE.sources,
        Source(
            "Bonett DG, Price RM. Adjusted Wald confidence interval for a difference of binomial proportions "
            "based on paired data. Journal of Educational and Behavioral Statistics 37 (2012) 479–488.",
            "10.3102/1076998611411915",
        ),
    ),
)

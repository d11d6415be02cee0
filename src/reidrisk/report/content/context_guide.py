"""How to read the score of a context: words, assumptions and sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

CONTEXT_GUIDE = Guide(
    terms=(
        Fact(
            "Context",
            ("Who gets the data, under what controls, and what would happen if somebody were recognised."),
        ),
        Fact(
            "Access",
            (
                "Public: anybody can have the data. Semi-public: anybody who accepts terms of use. "
                "Non-public: a known recipient who is bound by an agreement."
            ),
        ),
        Fact(
            "Attempt",
            (
                "The chance that somebody tries to re-identify a person. It falls with better "
                "controls and rises with motives and capacity; for a public release it is 1."
            ),
        ),
        Fact("Acquaintance", "The chance that somebody who sees the data happens to know a person in them."),
        Fact("Risk of the context", "The largest of deliberate attempt, acquaintance and breach."),
        Fact(
            "Threshold",
            (
                "The largest risk that is accepted. 1/5 means that at least five people look "
                "alike: a cell size of five."
            ),
        ),
        Fact(
            "Strict average",
            (
                "The average risk of the records is compared, and no single record may be above a "
                "cap, usually 1/3."
            ),
        ),
        Fact("Core practice", "A practice of the checklist that all four guidelines name; 26 of 38 are."),
    ),
    limits=(
        ("A context decides nothing by itself: the risk in the data is measured by the other commands."),
        (
            "The spread around the chance of an attempt, the points of the questions and the "
            "levels of the checklist are ours; the table of attempts, the practices and the "
            "thresholds have the sources named."
        ),
        "What is answered is taken at its word. Evidence is asked for, not checked.",
        "This page is no legal advice. People who answer for it decide on a release.",
    ),
    sources=(
        Source(
            "Information and Privacy Commissioner of Ontario. De-identification Guidelines for "
            "Structured Data, June 2016."
        ),
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
        Source(
            "Scaiano M. et al. A unified framework for evaluating the risk of re-identification of text "
            "de-identification tools. Journal of Biomedical Informatics 63 (2016) 174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
        Source(
            "Kniola L. Calculating the risk of re-identification of patient-level data using quantitative "
            "approach. PhUSE 2016, paper DH09."
        ),
    ),
)

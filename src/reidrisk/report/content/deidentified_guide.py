"""How to read a de-identified table: its words, its assumptions and its sources."""

from __future__ import annotations

from reidrisk.report.content.table_guide import GUIDE as RISK
from reidrisk.report.parts import Fact, Guide, Source

GUIDE = Guide(
    terms=(
        *RISK.terms,
        Fact(
            "Generalization",
            (
                "A value is replaced by a coarser one everywhere: a day by its quarter, a postal "
                "code by its first letter. The steps are the levels of a generalization hierarchy."
            ),
        ),
        Fact(
            "Maximum acceptable generalization",
            (
                "The coarsest level at which a variable still serves those who asked for it. "
                "Nothing coarser is tried."
            ),
        ),
        Fact(
            "Cell suppression",
            (
                "Single cells are blanked in records that still look like too few others. The "
                "other cells of the record stay."
            ),
        ),
        Fact(
            "Loss",
            (
                "How much detail a solution costs. Of all solutions within the limits the one with "
                "the least loss is taken."
            ),
        ),
        Fact(
            "Solution",
            (
                "A choice of one level for each variable with which no record is above the "
                "threshold, and no more is suppressed than the limits allow."
            ),
        ),
        Fact(
            "Conditions",
            (
                "A higher threshold is acceptable only with stronger controls on the recipient. "
                "They belong in the data sharing agreement."
            ),
        ),
    ),
    limits=(
        *RISK.limits[:2],
        "The figures hold for this table. If the patients change over time, measure again.",
        ("Hierarchies, limits, weights and thresholds are choices. They stand under the settings."),
        RISK.limits[2],
    ),
    sources=(
        *RISK.sources,
        Source(
            "El Emam K. et al. A globally optimal k-anonymity method for the de-identification of health "
            "data. Journal of the American Medical Informatics Association 16(5) (2009) 670–682.",
        ),
    ),
)

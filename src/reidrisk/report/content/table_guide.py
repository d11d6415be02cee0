"""How to read the risk of a table: its words, its assumptions and its sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

GUIDE = Guide(
    terms=(
        Fact(
            say("content.table_guide.quasi_identifier"),
            say("content.table_guide.a_column_that"),
        ),
        Fact(
            say("content.table_guide.equivalence_class"),
            say("content.table_guide.records_with_the"),
        ),
        Fact(say("content.table_guide.cell_size"), say("content.table_guide.the_smallest_class")),
        Fact(
            say("content.table_guide.prosecutor_risk"),
            say("content.table_guide.the_adversary_knows"),
        ),
        Fact(
            say("content.table_guide.journalist_risk"),
            say("content.table_guide.the_adversary_knows_only"),
        ),
        Fact(say("content.table_guide.marketer_risk"), say("content.table_guide.the_share_of")),
        Fact(say("content.table_guide.unit_of_analysis"), say("content.table_guide.the_person_or")),
    ),
    limits=(
        say("content.table_guide.the_quasi_identifiers"),
        say("content.table_guide.two_values_are"),
        say("content.table_guide.this_page_is"),
    ),
    sources=(
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
    ),
)

"""How to read a de-identified table: its words, its assumptions and its sources."""

from __future__ import annotations

from reidrisk.report.content.table_guide import GUIDE as RISK
from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

GUIDE = Guide(
    terms=(
        *RISK.terms,
        Fact(
            say("content.deidentified_guide.generalization"),
            say("content.deidentified_guide.a_value_is"),
        ),
        Fact(
            say("content.deidentified_guide.maximum_acceptable_generalization"),
            say("content.deidentified_guide.the_coarsest_level"),
        ),
        Fact(
            say("content.deidentified_guide.cell_suppression"),
            say("content.deidentified_guide.single_cells_are"),
        ),
        Fact(
            say("content.deidentified_guide.loss"),
            say("content.deidentified_guide.how_much_detail"),
        ),
        Fact(
            say("content.deidentified_guide.solution"),
            say("content.deidentified_guide.a_choice_of"),
        ),
        Fact(
            say("content.deidentified_guide.conditions"),
            say("content.deidentified_guide.a_higher_threshold"),
        ),
    ),
    limits=(
        *RISK.limits[:2],
        say("content.deidentified_guide.the_figures_hold"),
        say("content.deidentified_guide.hierarchies_limits_weights"),
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

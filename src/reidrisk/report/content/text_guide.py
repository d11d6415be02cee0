"""How to read a text evaluation: its words, its assumptions and its sources."""

from __future__ import annotations

from dataclasses import replace

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

GUIDE = Guide(
    terms=(
        Fact(say("content.text_guide.direct_identifier"), say("content.text_guide.names_a_person")),
        Fact(
            say("content.text_guide.quasi_identifier"),
            say("content.text_guide.names_nobody_by"),
        ),
        Fact(
            say("content.text_guide.gold_standard"),
            say("content.text_guide.the_same_documents"),
        ),
        Fact(say("content.text_guide.instance"), say("content.text_guide.one_place_in")),
        Fact(say("content.text_guide.caught_and_leaked"), say("content.text_guide.an_instance_is")),
        Fact(
            say("content.text_guide.micro_recall"),
            say("content.text_guide.the_share_of"),
        ),
        Fact(say("content.text_guide.masking_recall"), say("content.text_guide.the_share_of_all")),
        Fact(
            say("content.text_guide.all_or_nothing"),
            say("content.text_guide.the_share_of_documents"),
        ),
        Fact(
            say("content.text_guide.recognition"),
            say("content.text_guide.the_chance_that"),
        ),
        Fact(
            say("content.text_guide.gate"),
            say("content.text_guide.surrogates_hide_a"),
        ),
        Fact(say("content.text_guide.attempt"), say("content.text_guide.the_chance_that_somebody")),
        Fact(
            say("content.text_guide.benchmark"),
            say("content.text_guide.the_direct_identifier"),
        ),
        Fact(
            say("content.text_guide.threshold"),
            say("content.text_guide.the_largest_acceptable"),
        ),
        Fact(
            say("content.text_guide.interval_uncertainty_of"),
            say("content.text_guide.where_the_average"),
        ),
        Fact(
            say("content.text_guide.interval_risk_of"),
            say("content.text_guide.the_same_and"),
        ),
        Fact(
            say("content.text_guide.plug_in"),
            say("content.text_guide.the_risk_if"),
        ),
        Fact(
            say("content.text_guide.precision"),
            say("content.text_guide.the_share_of_masked"),
        ),
    ),
    limits=(
        say("content.text_guide.documents_are_taken"),
        say("content.text_guide.leaks_of_different"),
        say("content.text_guide.the_gold_standard"),
        say("content.text_guide.the_figures_hold"),
        say("content.text_guide.recognition_attempt_benchmark"),
        say("content.text_guide.this_page_is"),
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
            say("content.text_guide.paired_difference"),
            say("content.text_guide.both_tools_are"),
        ),
        Fact(
            say("content.text_guide.only_the_first"),
            say("content.text_guide.documents_that_leak"),
        ),
        *GUIDE.terms,
    ),
    limits=(
        say("content.text_guide.a_tool_with"),
        say("content.text_guide.gates_stay_as"),
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

"""How to read the score of a context: words, assumptions and sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

CONTEXT_GUIDE = Guide(
    terms=(
        Fact(
            say("content.context_guide.context"),
            say("content.context_guide.who_gets_the"),
        ),
        Fact(
            say("content.context_guide.access"),
            say("content.context_guide.public_anybody_can"),
        ),
        Fact(
            say("content.context_guide.attempt"),
            say("content.context_guide.the_chance_that"),
        ),
        Fact(
            say("content.context_guide.acquaintance"), say("content.context_guide.the_chance_that_somebody")
        ),
        Fact(say("content.context_guide.risk_of_the"), say("content.context_guide.the_largest_of")),
        Fact(
            say("content.context_guide.threshold"),
            say("content.context_guide.the_largest_risk"),
        ),
        Fact(
            say("content.context_guide.strict_average"),
            say("content.context_guide.the_average_risk"),
        ),
        Fact(say("content.context_guide.core_practice"), say("content.context_guide.a_practice_of")),
    ),
    limits=(
        say("content.context_guide.a_context_decides"),
        say("content.context_guide.the_spread_around"),
        say("content.context_guide.what_is_answered"),
        say("content.context_guide.this_page_is"),
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

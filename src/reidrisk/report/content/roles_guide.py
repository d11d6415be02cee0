"""How to read suggested roles and the HIPAA check: words, assumptions and sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

HIPAA = Source("45 CFR 164.514(b)(2) and (e)(2), HIPAA Privacy Rule, United States.")

SUGGESTION_GUIDE = Guide(
    terms=(
        Fact(
            say("content.roles_guide.direct_identifier"),
            say("content.roles_guide.a_column_that"),
        ),
        Fact(
            say("content.roles_guide.quasi_identifier"),
            say("content.roles_guide.a_column_that_an"),
        ),
        Fact(say("content.roles_guide.sensitive"), say("content.roles_guide.what_an_intruder")),
        Fact(say("content.roles_guide.unit"), say("content.roles_guide.the_column_that")),
        Fact(say("content.roles_guide.confidence"), say("content.roles_guide.certain_or_likely")),
    ),
    limits=(
        say("content.roles_guide.names_patterns_and"),
        say("content.roles_guide.what_an_intruder_knows"),
        say("content.roles_guide.this_page_is"),
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
        Fact(say("content.roles_guide.safe_harbor"), say("content.roles_guide.the_rule_that")),
        Fact(
            say("content.roles_guide.limited_data_set"),
            say("content.roles_guide.data_without_16"),
        ),
        Fact(
            say("content.roles_guide.found_possible"),
            say("content.roles_guide.told_by_the"),
        ),
        Fact(
            say("content.roles_guide.n20_000_rule"),
            say("content.roles_guide.the_first_three"),
        ),
    ),
    limits=(
        say("content.roles_guide.that_nothing_was"),
        say("content.roles_guide.safe_harbor_is"),
        say("content.roles_guide.this_page_is_a"),
    ),
    sources=(HIPAA,),
)

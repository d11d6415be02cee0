"""How to read what a policy exposes: words for policy makers, assumptions and sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

_TERMS = (
    Fact(
        say("content.population_guide.policy"),
        say("content.population_guide.which_facts_about"),
    ),
    Fact(
        say("content.population_guide.general"),
        say("content.population_guide.an_attacker_who"),
    ),
    Fact(
        say("content.population_guide.voter"),
        say("content.population_guide.an_attacker_who_buys"),
    ),
    Fact(
        say("content.population_guide.g_distinct"),
        say("content.population_guide.a_person_is"),
    ),
    Fact(
        say("content.population_guide.total_risk"),
        say("content.population_guide.the_right_guesses"),
    ),
    Fact(
        say("content.population_guide.trust_differential"),
        say("content.population_guide.how_many_times"),
    ),
    Fact(say("content.population_guide.cost_of_one"), say("content.population_guide.price_of_the")),
    Fact(
        say("content.population_guide.modelled_population"),
        say("content.population_guide.where_only_totals"),
    ),
    Fact(
        say("content.population_guide.unknown"),
        say("content.population_guide.nobody_knows_or"),
    ),
)
_LIMITS = (
    say("content.population_guide.birthdays_are_spread"),
    say("content.population_guide.age_stands_for"),
    say("content.population_guide.everybody_is_taken"),
    say("content.population_guide.only_the_fields"),
    say("content.population_guide.this_page_is"),
)
_SOURCES = (
    Source(
        "Benitez K., Malin B. Evaluating re-identification risks with respect to the HIPAA privacy rule. "
        "Journal of the American Medical Informatics Association 17(2) (2010) 169–177.",
        "10.1136/jamia.2009.000026",
    ),
    Source(
        "Golle P. Revisiting the uniqueness of simple demographics in the US population. Workshop on "
        "Privacy in the Electronic Society (2006) 77–80."
    ),
)

GUIDE = Guide(_TERMS, _LIMITS, _SOURCES)

EXPLORER_GUIDE = Guide(
    (
        *_TERMS[:1],
        Fact(
            say("content.population_guide.detail"),
            say("content.population_guide.the_mean_over"),
        ),
        Fact(say("content.population_guide.frontier"), say("content.population_guide.policies_for_which")),
        *_TERMS[1:],
    ),
    _LIMITS,
    _SOURCES,
)

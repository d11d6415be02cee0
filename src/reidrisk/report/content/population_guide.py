"""How to read what a policy exposes: words for policy makers, assumptions and sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

_TERMS = (
    Fact(
        "Policy",
        (
            "Which facts about a person may be released, and how finely: the county or only "
            "the state, the date of birth or only its year. Safe Harbor is here year of birth, "
            "sex and race within a state; the Limited Dataset adds the county and the date of "
            "birth."
        ),
    ),
    Fact(
        "GENERAL",
        (
            "An attacker who has a list of everybody's names with all that the policy "
            "releases. The worst case: nobody may have such a list."
        ),
    ),
    Fact(
        "VOTER",
        (
            "An attacker who buys the voter list of the state. It helps only by what it tells: "
            "the fields used are those that the policy releases and the list has."
        ),
    ),
    Fact(
        "g-distinct",
        (
            "A person is 5-distinct whose released values are shared by at most four others in "
            "the population; 1-distinct is unique. Being distinct is not yet being "
            "re-identified: somebody must have a list."
        ),
    ),
    Fact(
        "Total risk",
        (
            "The right guesses of an attacker who matches every record, each person with the "
            "chance of one in those alike. As a share of the people, and as an expected number."
        ),
    ),
    Fact(
        "Trust differential",
        (
            "How many times as large the risk under one policy is as under another: how much "
            "more those are trusted who get the more detailed data."
        ),
    ),
    Fact("Cost of one", "Price of the attacker's list over the expected right guesses."),
    Fact(
        "Modelled population",
        (
            "Where only totals were counted (by county and race, by county and age), the full "
            "table is computed so that it agrees with them. The totals are facts, the cells "
            "are estimates."
        ),
    ),
    Fact(
        "Unknown",
        (
            "Nobody knows, or nobody wrote down, what a list tells or costs. It may be much or "
            "nothing; it is never taken for zero."
        ),
    ),
)
_LIMITS = (
    (
        "Birthdays are spread evenly over the days of the year unless said otherwise. In "
        "truth some days have more births, which makes people slightly less distinct on "
        "them and more on others."
    ),
    ("Age stands for the year of birth, and everybody is counted who lived there at the census."),
    (
        "Everybody is taken to be in the attacker's list unless its coverage is given, and "
        "the list to be without errors: an upper limit."
    ),
    (
        "Only the fields named are used. Diagnoses, dates of visits and whatever else is "
        "in the data can make people more distinct."
    ),
    ("This page is a measurement, not legal advice. People who answer for it decide on a policy."),
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
            "Detail",
            (
                "The mean over the fields of how far up each is: 0 % tells nothing, 100 % is the "
                "finest policy that was tried. It counts steps of granularity, not their worth to "
                "a study: that is yours to judge."
            ),
        ),
        Fact("Frontier", "Policies for which no other one tells at least as much at a lower risk."),
        *_TERMS[1:],
    ),
    _LIMITS,
    _SOURCES,
)

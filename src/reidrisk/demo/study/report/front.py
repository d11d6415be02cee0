"""The first sections: title, contents, synopsis, ethics, administration and plan."""

from __future__ import annotations

from collections.abc import Sequence

from reidrisk.demo.study.cohort import COUNTRIES, STUDY, Participant, Site, sites_for
from reidrisk.demo.study.elements import (
    Contents,
    Element,
    Grid,
    MarkedValue,
    Paragraph,
    Part,
    fill,
    heading,
    say,
    text,
)

DATES = {
    "protocol": "19 November 2018",
    "amendment": "04FEB2019",
    "approval": "14 January 2019",
    "cutoff": "30 September 2020",
    "lock": "20-Nov-2020",
    "report": "2021-02-17",
}
"""Dates of the study itself: before the first and after the last date of any participant."""
_FIELDS: dict[str, Part] = {name: MarkedValue(written, "study") for name, written in DATES.items()}


def front(people: Sequence[Participant]) -> list[Element]:
    """All elements up to section 9."""
    sites = sites_for(len(people))
    return [*_title(), Contents(), *_synopsis(people, sites), *_ethics(), *_administration(sites), *_plan()]


def _title() -> list[Element]:
    lines = (
        "A 24-week, randomised, double-blind, placebo-controlled study of zelvarutan 40 mg and 60 mg once "
        "daily "
        "in adults with chronic heart failure",
        f"Study number: {STUDY}. Phase: 3. Indication: chronic heart failure. EudraCT 2018-004999-54.",
    )
    dated = "Protocol of {protocol}, amended {amendment}. Data cut-off: {cutoff}. Report of {report}."
    signed = say(
        "Sponsor's responsible medical officer: ", MarkedValue("Marieke Van Houtte", "staff"), ", MD"
    )
    return [
        Paragraph(say("CLINICAL STUDY REPORT"), bold=True),
        *(text(line) for line in lines),
        Paragraph(fill(dated, _FIELDS)),
        Paragraph(signed),
        text(
            "Everything in this report is invented: the product, the study, the sites and the participants."
        ),
    ]


def _synopsis(people: Sequence[Participant], sites: Sequence[Site]) -> list[Element]:
    countries = sorted({COUNTRIES[site.country][0] for site in sites})
    dead = sum(one.death is not None for one in people)
    return [
        heading("2", "Synopsis"),
        text(
            f"Between 54 and 60 participants per arm would have given 90 % power; {len(people)} "
            f"participants were "
            f"randomised at {len(sites)} sites in {len(countries)} countries ({', '.join(countries)}). "
            f"Doses of "
            "40 mg and 60 mg were compared with placebo over 24 weeks. The mean change of NT-proBNP from "
            "baseline "
            "to Week 24 was -54 pg/mL (95 % CI -81 to -27) with 60 mg and -31 pg/mL (-58 to -4) with 40 mg."
        ),
        text(
            f"Serious adverse events occurred in {sum(any(e.serious for e in one.events) for one in people)} "
            f"participants; {dead} died. Tables 14.3.1 and 14.3.2 give the numbers, Section 12.3.2 the "
            f"narratives. "
            "White blood cell counts did not change; black, tarry stools were asked for at every visit."
        ),
        Paragraph(fill("The database was locked on {lock}; the cut-off was {cutoff}.", _FIELDS)),
    ]


def _ethics() -> list[Element]:
    return [
        heading("5", "Ethics"),
        heading("5.1", "Independent Ethics Committee"),
        Paragraph(
            fill(
                "The protocol (version 1.0 of {protocol}) and Amendment 2 ({amendment}) were approved by the "
                "committees of all sites, the first approval being given on {approval}.",
                _FIELDS,
            )
        ),
        heading("5.2", "Ethical Conduct of the Study"),
        text(
            "The study was conducted according to the Declaration of Helsinki (64th version, 2013) and ICH "
            "E6 (R2) "
            "of 2016. Risk factors were classified as in Ruiz et al., 2014, and Sandhu et al., 2009."
        ),
        heading("5.3", "Participant Information and Consent"),
        text(
            "Every participant gave written consent before any procedure; it was renewed after Amendment 2."
        ),
    ]


def _administration(sites: Sequence[Site]) -> list[Element]:
    rows = tuple(
        (
            say(MarkedValue(site.number, "site", "SITEID")),
            say(MarkedValue(site.name, "site", "SITENAM")),
            say(MarkedValue(site.city, "site")),
            say(MarkedValue(COUNTRIES[site.country][0], "site", "COUNTRY")),
            say("Dr. ", MarkedValue(site.investigator, "staff")),
        )
        for site in sites
    )
    header = ("Site", "Name", "City", "Country", "Principal investigator")
    contact = say(
        "Questions about a site go to ",
        MarkedValue("Renske Ottevanger", "staff"),
        ", clinical operations (",
        MarkedValue("renske.ottevanger@example.org", "staff"),
        ").",
    )
    return [
        heading("6", "Investigators and Study Administrative Structure"),
        text("The sites and their principal investigators are listed in Table 6.1."),
        Grid(say("Table 6.1 Study sites"), header, rows, (1, 4, 2, 2, 3)),
        Paragraph(contact),
    ]


def _plan() -> list[Element]:
    return [
        heading("7", "Introduction"),
        text(
            "Zelvarutan blocks a receptor of the vessel wall. In healthy volunteers single doses from 5 mg "
            "to 120 mg "
            "were tolerated; the half-life was 19 hours (range 12 to 27), and 54 % of a dose was found in "
            "urine."
        ),
        heading("9", "Investigational Plan"),
        heading("9.1", "Overall Study Design and Plan"),
        text(
            "After a screening of up to 28 days participants were randomised 1:1:1 on Day 1. Visits were "
            "planned on "
            "Days 15, 29, 57, 85, 113, 141 and 169, with a window of 3 days each, and a last contact on Day "
            "197."
        ),
        heading("9.3", "Selection of Study Population"),
        text(
            "Adults aged 18 years or older were eligible if they had had chronic heart failure for at least "
            "6 "
            "months, an ejection fraction between 25 % and 45 %, and NT-proBNP above 600 pg/mL. Women of "
            "childbearing potential used contraception. People aged 90 years or above were not eligible."
        ),
        heading("9.4", "Treatments"),
        text(
            "White, round tablets of 20 mg (lot L0412-19) and matching placebo (lot L0398-19) were supplied "
            "in "
            "bottles of 54. Tablets were to be stored below 25 degrees and used before 03/2022."
        ),
        heading("9.7", "Statistical Methods"),
        text(
            "Changes from baseline were compared by a mixed model with treatment, visit and country as "
            "factors and "
            "age group (below 65 years; 65 years or older) and sex as covariates; two-sided tests at 0.05."
        ),
    ]

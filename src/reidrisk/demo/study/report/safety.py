"""Sections 10 to 14: participants, results by group, and sentences about single participants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean, stdev

import numpy as np

from reidrisk.demo.entity import pick
from reidrisk.demo.study.cohort import ARMS, COUNTRIES, RACES, Event, Participant
from reidrisk.demo.study.elements import Element, Grid, MarkedText, Paragraph, fill, heading, join, say, text
from reidrisk.demo.study.voice import Voice

_TRAITS: tuple[tuple[str, Callable[[Participant], str], Mapping[str, tuple[str, ...]]], ...] = (
    ("Sex", lambda one: one.sex, {"F": ("Female",), "M": ("Male",)}),
    ("Race", lambda one: one.race, RACES),
    ("Country", lambda one: one.site.country, COUNTRIES),
)
_LEFT = (
    "Subject {number} (Site {site}) withdrew consent and took the last dose on {last_dose}.",
    "Participant {id}, aged {age}, stopped treatment on {last_dose} at the own wish.",
    "At Site {site} in {country}, Subject {tail} left the study; the last dose was taken on {last_dose}.",
)
_STRAYED = (
    "Subject {number} ({initials}) was randomised on {first_dose} although NT-proBNP was 540 pg/mL.",
    "Participant {tail}, {old} {person}, took 60 mg instead of 40 mg for 12 days from {first_dose}.",
    "For Subject {number} the date of birth was first recorded wrongly; it is {birth}.",
    "The visit of Day 57 was missed by Participant {id} ({hospital}).",
    "Subject {number}, age {years} years, sex {sex}, received {trap} tablets too few after {first_dose}.",
)
_BOTH = (
    "Subjects {number_0} and {number_1} (aged {age_0} and {age_1} years) were given each other's tablets on "
    "{first_dose_0} and {first_dose_1}, respectively."
)
_RESPONDED = (
    "The largest fall of NT-proBNP, by 812 pg/mL, was seen in Subject {number}, {old} {race} {person} who "
    "received {arm} from {first_dose} on.",
    "Participant {id} ({age} years, {s}, {country}) improved from class III to class I by Day 113.",
    "In Subject {tail}, {old} {person} with {illness} since {since}, {trap} mg/dL of creatinine were "
    "excreted on Day 85.",
)
_LAB = (
    "Subject {number} ({age}/{s}) had an ALT of 1{trap} U/L on Day {trap} and of {trap} U/L on Day 85.",
    "In Participant {tail} the haemoglobin fell from 14.1 to 12.3 g/dL; {coded} had begun on {onset}.",
    "Subject {number}, {years} years of age, had 2.1 x 10^9/L white blood cells {trap} days after the dose.",
)


def results(people: Sequence[Participant], *, rng: np.random.Generator) -> list[Element]:
    """Sections 10 and 11."""
    left = [one for one in people if one.discontinued and one.death is None]
    chosen = _some(people, len(people) // 5, rng=rng)
    return [
        heading("10", "Study Participants"),
        heading("10.1", "Disposition of Participants"),
        text(f"Of {len(people)} randomised participants {len(left)} left for reasons other than death."),
        Paragraph(_narratives(left, _LEFT, rng=rng)),
        heading("10.2", "Protocol Deviations"),
        Paragraph(_narratives(_some(people, len(people) // 6, rng=rng), _STRAYED, rng=rng)),
        Paragraph(_pair(*_some(people, 2, rng=rng), rng=rng)),
        heading("11", "Efficacy Evaluation"),
        heading("11.2", "Demographic and Other Baseline Characteristics"),
        text("Table 11.1 shows who took part; the arms were alike."),
        _demography(people),
        heading("11.4", "Efficacy Results and Tabulations of Individual Participant Data"),
        text(
            "With 60 mg, 19 participants reached the goal, with 40 mg 14, with placebo 8 (odds ratio 2.54, "
            "p = 0.0412). The effect did not depend on age, sex, race or country (Table 14.2.3)."
        ),
        *(Paragraph(_narratives([one], _RESPONDED, rng=rng)) for one in chosen[: max(3, len(chosen) // 2)]),
    ]


def safety(people: Sequence[Participant], *, rng: np.random.Generator) -> list[Element]:
    """Sections 12.1 to 12.3.1, before the narratives."""
    return [
        heading("12", "Safety Evaluation"),
        heading("12.1", "Extent of Exposure"),
        text(
            "Exposure lasted 158 days on average (SD 31; range 25 to 171). The mean daily dose was 39 mg or "
            "58 mg."
        ),
        heading("12.2", "Adverse Events"),
        text("Table 12.1 counts events by preferred term; nausea and headache were the most frequent."),
        _frequencies(people),
        heading("12.3", "Deaths, Other Serious Adverse Events, and Other Significant Adverse Events"),
        heading("12.3.1", "Listing of Deaths and Other Serious Adverse Events"),
        _serious(people, rng=rng),
    ]


def after_narratives(people: Sequence[Participant], *, rng: np.random.Generator) -> list[Element]:
    """Sections 12.4 to 13."""
    ill = [one for one in people if one.events]
    return [
        heading("12.4", "Clinical Laboratory Evaluation"),
        text("Medians stayed within the normal range; 54 of 1,412 values (3.8 %) were flagged."),
        Paragraph(_narratives(_some(ill, len(people) // 6, rng=rng), _LAB, rng=rng)),
        heading("12.5", "Vital Signs"),
        text(
            "The mean blood pressure was 128/76 mmHg at baseline and 124/74 mmHg on Day 169; pulse 68 per "
            "minute."
        ),
        heading("13", "Discussion and Overall Conclusions"),
        text(
            "Over 24 weeks, 60 mg lowered NT-proBNP more than 40 mg. Events were those that are known of the "
            "class. Experience in people of 75 years or older and outside Europe is limited."
        ),
    ]


def serious_events(people: Iterable[Participant]) -> list[tuple[Participant, Event]]:
    """All serious events, in the order of identifiers."""
    return [(one, event) for one in people for event in one.events if event.serious]


def _some(people: Sequence[Participant], count: int, *, rng: np.random.Generator) -> list[Participant]:
    at = sorted(rng.choice(len(people), min(max(count, 1), len(people)), replace=False).tolist())
    return [people[each] for each in at]


def _narratives(
    people: Sequence[Participant], templates: Sequence[str], *, rng: np.random.Generator
) -> MarkedText:
    said = []
    for one in people:
        event = pick(one.events, rng=rng) if one.events else None
        voice = Voice(one, rng=rng, event=event, illness=pick(one.illnesses, rng=rng))
        said.append(fill(pick(templates, rng=rng), voice))
    return join(said) if said else say("There was none.")


def _pair(one: Participant, other: Participant, *, rng: np.random.Generator) -> MarkedText:
    """A sentence about two participants; the first value belongs to the first one."""
    said = {
        f"{name}_{at}": Voice(each, rng=rng)[name]
        for at, each in enumerate((one, other))
        for name in ("number", "age", "first_dose")
    }
    return fill(_BOTH, said)


def _demography(people: Sequence[Participant]) -> Grid:
    by_arm = [[one for one in people if one.arm == arm] for arm in ARMS]
    groups = (*by_arm, list(people))
    rows = [("Age (years): mean (SD)", *(_spread(group) for group in groups))]
    rows.append(("Age (years): range", *(f"{min(a)}-{max(a)}" for a in map(_ages, groups))))
    for title, value, words in _TRAITS:
        rows += [
            (f"{title}: {words[key][0]}", *(_share(group, key, value) for group in groups))
            for key in words
            if any(value(one) == key for one in people)
        ]
    header = ("", *(f"{arm} (N = {len(group)})" for arm, group in zip((*ARMS, "All"), groups, strict=True)))
    return Grid(say("Table 11.1 Demographic characteristics"), header, _cells(rows), (3, 2, 2, 2, 2))


def _ages(group: Sequence[Participant]) -> list[int]:
    return [one.age for one in group]


def _spread(group: Sequence[Participant]) -> str:
    ages = _ages(group)
    return f"{mean(ages):.1f} ({stdev(ages):.1f})"


def _share(group: Sequence[Participant], key: str, value: Callable[[Participant], str]) -> str:
    count = sum(value(one) == key for one in group)
    return f"{count} ({100 * count / len(group):.1f})"


def _frequencies(people: Sequence[Participant]) -> Grid:
    found = Counter(
        (system, term, one.arm)
        for one in people
        for system, term in {(event.trouble.system, event.trouble.term) for event in one.events}
    )
    terms = sorted({(system, term) for system, term, _ in found})
    rows = [
        (
            system,
            term,
            *(str(found[system, term, arm]) for arm in ARMS),
            str(sum(found[system, term, arm] for arm in ARMS)),
        )
        for system, term in terms
    ]
    caption = say("Table 12.1 Participants with adverse events by preferred term")
    return Grid(
        caption, ("System organ class", "Preferred term", *ARMS, "All"), _cells(rows), (4, 4, 2, 2, 2, 1)
    )


def _cells(rows: Iterable[Sequence[str]]) -> tuple[tuple[MarkedText, ...], ...]:
    return tuple(tuple(say(cell) for cell in row) for row in rows)


def _serious(people: Sequence[Participant], *, rng: np.random.Generator) -> Grid:
    columns = ("{tail}", "{age}", "{s}", "{code}", "{coded}", "{onset}", "{day}")
    rows = []
    for one, event in serious_events(people):
        voice = Voice(one, rng=rng, event=event)
        rows.append((*(fill(column, voice) for column in columns), say(event.outcome.capitalize())))
    header = ("Participant", "Age", "Sex", "Country", "Preferred term", "Onset", "Day", "Outcome")
    caption = say("Table 12.2 Deaths and other serious adverse events")
    return Grid(caption, header, tuple(rows), (4, 2, 2, 3, 6, 5, 2, 6))

"""Narratives and listings of the synthetic report, and the whole report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import numpy as np

from reidrisk.demo.entity import pick
from reidrisk.demo.study.cohort import Participant
from reidrisk.demo.study.elements import (
    Element,
    Grid,
    Landscape,
    MarkedText,
    Paragraph,
    ReportHeading,
    fill,
    heading,
    join,
    say,
    text,
)
from reidrisk.demo.study.report.front import front
from reidrisk.demo.study.report.safety import after_narratives, results, safety
from reidrisk.demo.study.voice import Voice, day_writings

Row = tuple[MarkedText, ...]


def listings(people: Sequence[Participant], *, visits: int, rng: np.random.Generator) -> list[Element]:
    """Listings of deaths and of all participants, with laboratory values of `visits` visits each."""
    told: list[Element] = [
        heading("14", "Tables, Figures and Graphs Referred to but Not Included in the Text"),
        heading("14.3", "Safety Data"),
        heading("14.3.2", "Listings of Deaths, Other Serious and Significant Adverse Events"),
        _deaths(people, rng=rng),
        heading("14.3.3", "Narratives of Deaths, Other Serious and Certain Other Significant Adverse Events"),
        text("The narratives are given in Section 12.3.2."),
        Landscape(),
        heading("16", "Appendices"),
        heading("16.2", "Participant Data Listings"),
        heading("16.2.1", "Discontinued Participants"),
        _discontinuation_table(people, rng=rng),
        heading("16.2.4", "Demographic Data"),
        _demography(people, rng=rng),
        _history(people, rng=rng),
        heading("16.2.7", "Adverse Event Listings"),
        _events(people, rng=rng),
        heading("16.2.8", "Listing of Individual Laboratory Measurements"),
        _laboratory(people, visits, rng=rng),
    ]
    return told


def _row(template: str, voice: Voice) -> Row:
    """Fill in a row template, in which `|` separates cells."""
    return tuple(fill(cell, voice) for cell in template.split("|"))


def _deaths(people: Sequence[Participant], *, rng: np.random.Generator) -> Grid:
    rows = [
        _row("{id}|{age}|{sex}|{race}|{hospital}|{event}|{death}", Voice(one, rng=rng, event=event))
        for one in people
        for event in one.events
        if event.outcome == "FATAL"
    ]
    header = ("Participant", "Age (years)", "Sex", "Race", "Site", "Cause", "Date of death")
    return Grid(say("Table 14.3.2.1 Deaths"), header, tuple(rows), (6, 3, 2, 5, 6, 5, 4))


def _discontinuation_table(people: Sequence[Participant], *, rng: np.random.Generator) -> Grid:
    template = "{id}|{site}|{age}/{s}|{first_dose}|{last_dose}"
    rows = [
        (*_row(template, Voice(one, rng=rng)), say("Death" if one.death else "Withdrawal of consent"))
        for one in people
        if one.discontinued
    ]
    header = ("Participant", "Site", "Age/Sex", "First dose", "Last dose", "Reason")
    return Grid(say("Listing 16.2.1.1 Discontinuations"), header, tuple(rows), (6, 2, 3, 5, 5, 6))


def _demography(people: Sequence[Participant], *, rng: np.random.Generator) -> Grid:
    template = "{id}|{initials}|{site}|{code}|{birth}|{age}|{s}|{r}|{first_dose}|{arm}"
    rows = [_row(template, Voice(one, rng=rng)) for one in people]
    header = (
        *("Participant", "Initials", "Site", "Country", "Date of birth", "Age", "Sex", "Race"),
        *("First dose", "Treatment"),
    )
    caption = say("Listing 16.2.4.1 Demographic data")
    return Grid(caption, header, tuple(rows), (7, 3, 2, 3, 5, 2, 2, 7, 5, 6))


def _history(people: Sequence[Participant], *, rng: np.random.Generator) -> Grid:
    """The participant is named in the first row only, as in most listings."""
    who, what = "{tail}|{age}|{s}|", "{illness}|{known}|{since}"
    rows = [
        _row((who if at == 0 else "|||") + what, Voice(one, rng=rng, illness=illness))
        for one in people
        for at, illness in enumerate(one.illnesses)
    ]
    header = ("Participant", "Age", "Sex", "Reported term", "Preferred term", "Start")
    return Grid(say("Listing 16.2.4.2 Medical history"), header, tuple(rows), (3, 1, 1, 5, 5, 3))


def _events(people: Sequence[Participant], *, rng: np.random.Generator) -> Grid:
    template = "{number}|{age}/{s}/{r}|{event}|{coded}|{onset}|{day}|{stop}|{severity}"
    rows = [
        (*_row(template, Voice(one, rng=rng, event=event)), say("Yes" if event.serious else "No"))
        for one in people
        for event in one.events
    ]
    header = (
        *("Subject", "Age/Sex/Race", "Reported term", "Preferred term", "Start", "Day", "Stop"),
        *("Severity", "Serious"),
    )
    widths = (3, 8, 8, 9, 5, 2, 5, 4, 3)
    return Grid(say("Listing 16.2.7.1 Adverse events"), header, tuple(rows), widths)


def _laboratory(people: Sequence[Participant], visits: int, *, rng: np.random.Generator) -> Grid:
    rows = [row for one in people for row in _laboratory_rows(one, visits, rng=rng)]
    header = (
        "Participant",
        "Date",
        "Day",
        "ALT (U/L)",
        "Creatinine (umol/L)",
        "Haemoglobin (g/L)",
        "White cells",
    )
    caption = say("Listing 16.2.8.1 Laboratory measurements")
    return Grid(caption, header, tuple(rows), (6, 5, 2, 3, 4, 4, 3))


def _laboratory_rows(one: Participant, visits: int, *, rng: np.random.Generator) -> Iterable[Row]:
    voice = Voice(one, rng=rng)
    span = max((one.last_dose - one.first_dose).days, 1)
    for at in range(visits):
        day = round(span * at / max(visits, 1))
        when = voice.mark(day_writings(one.first_dose + timedelta(days=day))[0], "date", _variable(day))
        numbers = (str(int(rng.integers(*limits))) for limits in ((12, 95), (54, 140), (98, 160)))
        cells = (say(number) for number in (*numbers, f"{rng.uniform(3.1, 11.9):.1f}"))
        yield (fill("{id}", voice), say(when), say(str(day + 1)), *cells)


def _variable(day: int) -> str | None:
    """The variable of a visit day: only the first visit, the day of the first dose, is in the data."""
    return "RFSTDTC" if day == 0 else None


_TITLES = ("Participant {id}: {coded}", "Subject {tail}, {coded}", "Narrative for participant {id}")
_FACTS = (
    "Age/sex/race: {age}/{s}/{race}. Site: {site}, {country}. Treatment: {arm}. Preferred term: {coded}.",
    "Subject {number} ({initials}), {age} years, {sex}, {race}; {hospital}, {country}; {arm}.",
    "Participant: {id}. Age: {age} years. Sex: {sex}. Race: {race}. Country: {code}. First dose: "
    "{first_dose}.",
)
_WHO = (
    "Subject {number} was {old} {race} {person} from {country} who entered the study at Site {site}.",
    "This {years}-year-old {person}, enrolled at {hospital}, was {race}.",
    "The participant, {old} {person}, was treated at {hospital} (Site {site}) in {country}.",
    "The participant was a {person} aged {age} years, born {birth}, and described as {race}.",
)
_BEFORE = (
    "The medical history included {illness} since {since}.",
    "Relevant history: {illness} ({since}).",
    "There was {illness}, known since {since} and treated with metoprolol {trap} mg daily.",
)
_TAKEN = (
    "Treatment with {arm} once daily began on {first_dose}.",
    "The first dose of {arm} was taken on {first_dose}, after a body weight of {trap} kg had been recorded.",
    "Study drug ({arm}, bottle 0{bottle}B) was started on {first_dose}.",
)
_HAPPENED = (
    "On {onset} (Day {day}), the participant experienced {severity} {event} and was taken to hospital.",
    "On Day {day} ({onset}), {event} of {severity} intensity was diagnosed (preferred term: {coded}).",
    "From {onset} on, Subject {number} complained of symptoms that were recorded as {event} (Day {day}).",
)
_FOUND = (
    "Troponin was 0.{trap} ng/mL, creatinine 1.12 mg/dL, white blood cells 12.3 and platelets 1{trap} "
    "x 10^9/L.",
    "A computed tomography on {scan} showed a lesion of {trap} mm; the blood pressure was 154/81 mmHg.",
    "On {scan}, ALT was {trap} U/L and the haemoglobin 9.7 g/dL; stools were black. The ECG "
    "showed a rate of 112.",
    "The temperature was 38.4 degrees. Cultures were negative. The score was {trap} of 100 points.",
)
_DONE = (
    "Ceftriaxone 2 g daily was given for 7 days, and study drug was paused for 12 days.",
    "Furosemide 40 mg was given twice on the first day, then 20 mg; study drug was continued.",
    "The participant received {trap} units of insulin and 1,000 mL of saline. Study drug was stopped.",
)
_ENDED = ("After treatment {ended}.", "With this, {ended}.")
_DIED = (
    "The participant died on {death}. No autopsy was performed.",
    "Despite all measures Subject {number} died on {death}, {gap} days after the onset.",
)
_JUDGED = (
    "The investigator saw no relation to study drug; the sponsor agreed.",
    "The investigator considered the event possibly related because of the time since the first dose "
    "({first_dose}).",
    "The event was considered unrelated and explained by the age of {years} years and the {illness}.",
)


def narratives(people: Sequence[Participant], *, rng: np.random.Generator) -> list[Element]:
    """One narrative per participant, with a heading, a line of facts and three paragraphs."""
    told: list[Element] = [
        heading("12.3.2", "Narratives of Deaths, Other Serious Adverse Events"),
        text(
            "One narrative is given for each participant with a serious event. Study days count from the "
            "first dose."
        ),
    ]
    for number, one in enumerate((one for one in people if any(e.serious for e in one.events)), start=1):
        told += _narrative(f"12.3.2.{number}", one, rng=rng)
    return told


def _narrative(number: str, one: Participant, *, rng: np.random.Generator) -> list[Element]:
    event = max((each for each in one.events if each.serious), key=lambda each: each.outcome == "FATAL")
    voice = Voice(one, rng=rng, event=event, illness=pick(one.illnesses, rng=rng))

    def paragraph(*choices: Sequence[str]) -> Paragraph:
        return Paragraph(join([fill(pick(templates, rng=rng), voice) for templates in choices]))

    return [
        ReportHeading(number, fill(pick(_TITLES, rng=rng), voice), 4),
        Paragraph(fill(pick(_FACTS, rng=rng), voice), bold=True),
        paragraph(_WHO, _BEFORE, _TAKEN),
        paragraph(_HAPPENED, _FOUND, _DONE),
        paragraph(_DIED if event.outcome == "FATAL" else _ENDED, _JUDGED),
    ]


def study_report(
    people: Sequence[Participant], *, visits: int, rng: np.random.Generator
) -> tuple[Element, ...]:
    """The whole report, with laboratory values of `visits` visits per participant."""
    return (
        *front(people),
        *results(people, rng=rng),
        *safety(people, rng=rng),
        *narratives(people, rng=rng),
        *after_narratives(people, rng=rng),
        *listings(people, visits=visits, rng=rng),
    )

"""Sections 14 to 16.2: tables and listings with a row for a participant, an event or a visit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import numpy as np

from reidrisk.demo.study.cohort import Participant
from reidrisk.demo.study.marks import Piece, fill, say
from reidrisk.demo.study.report.elements import Element, Grid, Landscape, heading, text
from reidrisk.demo.study.voice import Voice
from reidrisk.demo.study.writings import day_writings

Row = tuple[Piece, ...]


def listings(people: Sequence[Participant], *, visits: int, rng: np.random.Generator) -> list[Element]:
    """The deaths, and then everything of everybody; `visits` of them have their laboratory values listed."""
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
        _discontinued(people, rng=rng),
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
    """Cells are separated by bars."""
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


def _discontinued(people: Sequence[Participant], *, rng: np.random.Generator) -> Grid:
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
    rows = [row for one in people for row in _measured(one, visits, rng=rng)]
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


def _measured(one: Participant, visits: int, *, rng: np.random.Generator) -> Iterable[Row]:
    voice = Voice(one, rng=rng)
    span = max((one.last_dose - one.first_dose).days, 1)
    for at in range(visits):
        day = round(span * at / max(visits, 1))
        when = voice.mark(day_writings(one.first_dose + timedelta(days=day))[0], "date", _variable(day))
        numbers = (str(int(rng.integers(*limits))) for limits in ((12, 95), (54, 140), (98, 160)))
        cells = (say(number) for number in (*numbers, f"{rng.uniform(3.1, 11.9):.1f}"))
        yield (fill("{id}", voice), say(when), say(str(day + 1)), *cells)


def _variable(day: int) -> str | None:
    """The first visit is the day of the first dose; the data have no other day of a visit."""
    return "RFSTDTC" if day == 0 else None

"""Section 12.3.2: what happened to every participant with a serious adverse event."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.demo.entity import pick
from reidrisk.demo.study.cohort import Participant
from reidrisk.demo.study.marks import fill, join
from reidrisk.demo.study.report.elements import Element, Heading, Paragraph, heading, text
from reidrisk.demo.study.voice import Voice

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
    """One narrative a participant, each with a heading, a line of facts and three paragraphs."""
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

    def told(*choices: Sequence[str]) -> Paragraph:
        return Paragraph(join([fill(pick(templates, rng=rng), voice) for templates in choices]))

    return [
        Heading(number, fill(pick(_TITLES, rng=rng), voice), 4),
        Paragraph(fill(pick(_FACTS, rng=rng), voice), bold=True),
        told(_WHO, _BEFORE, _TAKEN),
        told(_HAPPENED, _FOUND, _DONE),
        told(_DIED if event.outcome == "FATAL" else _ENDED, _JUDGED),
    ]

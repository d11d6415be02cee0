"""Sites, participants and events of the synthetic trial."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from reidrisk.demo.entity import pick


@dataclass(frozen=True, slots=True)
class Site:
    """A participating hospital."""

    number: str
    name: str
    city: str
    country: str
    """Three-letter ISO 3166 code, as in CDISC."""
    investigator: str


SITES = (
    Site("101", "Clinique des Tilleuls", "Lyon", "FRA", "Odile Marchand"),
    Site("204", "Klinikum am Lindenhof", "Ulm", "DEU", "Henning Brockmeyer"),
    Site("307", "Szpital Zielona Brama", "Lublin", "POL", "Agnieszka Wolska"),
    Site("412", "Cedar Hollow Medical Center", "Dayton", "USA", "Lorraine Pettigrew"),
    Site("105", "Hopital Saint-Aubin", "Nantes", "FRA", "Thibault Garnier"),
    Site("418", "Blue Ridge Clinical Research", "Asheville", "USA", "Desmond Oyelaran"),
    Site("209", "Universitaetsklinik Nordheim", "Kassel", "DEU", "Sigrid Ahlers"),
    Site("503", "Hospital Virgen del Olmo", "Zaragoza", "ESP", "Joaquin Barreda"),
    Site("311", "Centrum Medyczne Wisla", "Torun", "POL", "Zbigniew Kaczor"),
    Site("606", "Maple Bay Health Sciences Centre", "Halifax", "CAN", "Kathleen Drummond"),
)
COUNTRIES = {
    "FRA": ("France",),
    "DEU": ("Germany",),
    "POL": ("Poland",),
    "USA": ("United States", "USA"),
    "ESP": ("Spain",),
    "CAN": ("Canada",),
}
"""Written forms of each country."""
RACES = {
    "WHITE": ("White", "Caucasian", "white"),
    "BLACK OR AFRICAN AMERICAN": ("Black or African American", "Black", "African American"),
    "ASIAN": ("Asian",),
}
"""Written forms of each race, the controlled term first."""


def sites_for(subjects: int) -> tuple[Site, ...]:
    """Sites for a number of participants: about ten participants per site, at least three sites."""
    return SITES[: min(len(SITES), max(3, subjects // 10))]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A kind of adverse event: the site's term, the dictionary term, and its usual severity."""

    verbatim: tuple[str, ...]
    term: str
    system: str
    serious: float = 0.0


TROUBLES = (
    Trouble(("Nausea", "Feeling sick"), "Nausea", "Gastrointestinal disorders"),
    Trouble(("Loose stools", "Diarrhoea"), "Diarrhoea", "Gastrointestinal disorders"),
    Trouble(("Headache", "Pressing headache"), "Headache", "Nervous system disorders"),
    Trouble(("Light-headedness", "Dizzy spells"), "Dizziness", "Nervous system disorders"),
    Trouble(("Common cold", "Head cold"), "Nasopharyngitis", "Infections and infestations"),
    Trouble(("Back ache", "Lower back pain"), "Back pain", "Musculoskeletal disorders"),
    Trouble(("Itchy rash", "Skin rash"), "Rash", "Skin and subcutaneous tissue disorders"),
    Trouble(("Elevated ALT", "ALT increase"), "Alanine aminotransferase increased", "Investigations"),
    Trouble(("Low blood sugar",), "Hypoglycaemia", "Metabolism and nutrition disorders", 0.15),
    Trouble(
        ("Lung infection", "Right lower lobe pneumonia"), "Pneumonia", "Infections and infestations", 0.7
    ),
    Trouble(("Heart attack", "Acute STEMI"), "Myocardial infarction", "Cardiac disorders", 1.0),
    Trouble(("Worsening heart failure",), "Cardiac failure", "Cardiac disorders", 0.9),
    Trouble(("Gallstone attack",), "Cholelithiasis", "Hepatobiliary disorders", 0.6),
    Trouble(("Fracture of left hip", "Broken hip"), "Hip fracture", "Injury and poisoning", 1.0),
    Trouble(("Bleeding ulcer",), "Gastric ulcer haemorrhage", "Gastrointestinal disorders", 1.0),
    Trouble(("Clot in the leg", "DVT left calf"), "Deep vein thrombosis", "Vascular disorders", 0.8),
)
FATAL = ("Myocardial infarction", "Cardiac failure", "Pneumonia")
"""Causes of death in this study."""
ILLNESSES = (
    ("High blood pressure", "Hypertension", "Vascular disorders"),
    ("Type 2 diabetes", "Type 2 diabetes mellitus", "Metabolism and nutrition disorders"),
    ("Raised cholesterol", "Hypercholesterolaemia", "Metabolism and nutrition disorders"),
    ("Removal of appendix", "Appendicectomy", "Surgical and medical procedures"),
    ("Knee arthrosis", "Osteoarthritis", "Musculoskeletal disorders"),
    ("Underactive thyroid", "Hypothyroidism", "Endocrine disorders"),
    ("Migraine with aura", "Migraine with aura", "Nervous system disorders"),
    ("Heart bypass", "Coronary artery bypass", "Surgical and medical procedures"),
    ("Sarcoidosis of the lung", "Pulmonary sarcoidosis", "Respiratory disorders"),
)


STUDY = "DEMO-301"
ARMS = ("Zelvarutan 40 mg", "Zelvarutan 60 mg", "Placebo")
FIRST_DOSE, LAST_FIRST_DOSE = date(2019, 3, 11), date(2019, 11, 29)
PLANNED_DAYS = 168
_RACES = ("WHITE", "BLACK OR AFRICAN AMERICAN", "ASIAN")
_RACE_SHARES = {"USA": (0.62, 0.26, 0.12), "CAN": (0.76, 0.08, 0.16)}
_EUROPE = (0.9, 0.06, 0.04)
_LETTERS = "BCDFGHJKLMNPRSVWZ"


@dataclass(frozen=True, slots=True)
class Event:
    """An adverse event of one participant."""

    trouble: Trouble
    verbatim: str
    start: date
    end: date | None
    severity: str
    serious: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class TrialIllness:
    """An entry of the medical history; often only the year is known."""

    verbatim: str
    term: str
    system: str
    start: str
    """ISO 8601: a year, a month or a day."""


@dataclass(frozen=True, slots=True)
class Participant:
    """One row of ADSL."""

    row: int
    subject: str
    site: Site
    initials: str
    birth: str
    """ISO 8601 date, complete or only the month or year."""
    age: int
    sex: str
    race: str
    arm: str
    first_dose: date
    last_dose: date
    death: date | None
    events: tuple[Event, ...]
    illnesses: tuple[TrialIllness, ...]

    @property
    def name(self) -> str:
        """The unique identifier: study, site, number."""
        return f"{STUDY}-{self.site.number}-{self.subject}"

    @property
    def discontinued(self) -> bool:
        """Whether treatment ended early."""
        return self.death is not None or (self.last_dose - self.first_dose).days < PLANNED_DAYS - 10


def cohort(subjects: int, *, rng: np.random.Generator) -> tuple[Participant, ...]:
    """Generate participants, in the order of their identifiers."""
    sites = sites_for(subjects)
    numbers = rng.choice(np.arange(101, max(1000, 101 + 4 * subjects)), subjects, replace=False)
    where = rng.integers(len(sites), size=subjects)
    who = sorted((sites[at].number, f"{number:04d}", at) for at, number in zip(where, numbers, strict=True))
    return tuple(
        _participant(row, number, sites[at], rng=rng) for row, (_, number, at) in enumerate(who, start=1)
    )


def _participant(row: int, number: str, site: Site, *, rng: np.random.Generator) -> Participant:
    days = (LAST_FIRST_DOSE - FIRST_DOSE).days
    start = FIRST_DOSE + timedelta(days=int(rng.integers(days)))
    dies = rng.random() < 0.05
    stays = PLANNED_DAYS + int(rng.integers(-3, 4)) if rng.random() < 0.85 else int(rng.integers(25, 140))
    last = start + timedelta(days=int(rng.integers(30, 150)) if dies else stays)
    age = int(np.clip(round(rng.normal(56, 13)), 19, 88))
    events = list(_events(start, last, rng=rng))
    death = None
    if dies:
        death = last + timedelta(days=int(rng.integers(1, 5)))
        events.append(_fatal(last, death, rng=rng))
    return Participant(
        row=row,
        subject=number,
        site=site,
        initials="".join(pick(_LETTERS, rng=rng) for _ in range(3)),
        birth=_birth(start, age, rng=rng),
        age=age,
        sex="F" if rng.random() < 0.46 else "M",
        race=_RACES[int(rng.choice(3, p=_RACE_SHARES.get(site.country, _EUROPE)))],
        arm=pick(ARMS, rng=rng),
        first_dose=start,
        last_dose=last,
        death=death,
        events=tuple(sorted(events, key=lambda event: event.start)),
        illnesses=tuple(_illnesses(rng=rng)),
    )


def _birth(start: date, age: int, *, rng: np.random.Generator) -> str:
    whole = date(start.year - age, start.month, min(start.day, 28)) - timedelta(days=int(rng.integers(364)))
    return whole.isoformat()[: pick((10, 10, 7, 4), rng=rng)]


def _events(start: date, last: date, *, rng: np.random.Generator) -> list[Event]:
    found = []
    for at in rng.choice(len(TROUBLES), int(rng.poisson(2.0)), replace=False):
        trouble = TROUBLES[int(at)]
        if trouble.serious >= 0.5 and rng.random() < 0.5:
            continue
        onset = start + timedelta(days=int(rng.integers(1, max(2, (last - start).days - 12))))
        serious = rng.random() < trouble.serious
        lasting = rng.random() < 0.12
        end = None if lasting else onset + timedelta(days=int(rng.integers(1, 25)))
        severity = pick(("MODERATE", "SEVERE") if serious else ("MILD", "MILD", "MODERATE"), rng=rng)
        outcome = "NOT RECOVERED/NOT RESOLVED" if lasting else "RECOVERED/RESOLVED"
        verbatim = pick(trouble.verbatim, rng=rng)
        found.append(Event(trouble, verbatim, onset, end, severity, serious, outcome))
    return found


def _fatal(onset: date, death: date, *, rng: np.random.Generator) -> Event:
    trouble = pick([each for each in TROUBLES if each.term in FATAL], rng=rng)
    return Event(
        trouble,
        pick(trouble.verbatim, rng=rng),
        onset,
        death,
        severity="SEVERE",
        serious=True,
        outcome="FATAL",
    )


def _illnesses(*, rng: np.random.Generator) -> list[TrialIllness]:
    found = []
    for at in rng.choice(len(ILLNESSES), int(rng.integers(1, 4)), replace=False):
        whole = date(1995, 1, 1) + timedelta(days=int(rng.integers(365 * 22)))
        found.append(TrialIllness(*ILLNESSES[int(at)], whole.isoformat()[: pick((4, 4, 7, 10), rng=rng)]))
    return found

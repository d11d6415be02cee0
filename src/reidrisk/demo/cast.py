"""Everything a note will mention, and how often, from its plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reidrisk.demo.dates import age_on, birthday, dates, onset_age, visit_day
from reidrisk.demo.entity import Entity, pick, plain
from reidrisk.demo.medicine import Illness
from reidrisk.demo.people import NamePool, new_patient, people
from reidrisk.demo.places import homes, organizations, phones, record_numbers
from reidrisk.demo.plan import NotePlan
from reidrisk.demo.vocabulary import COUNTRIES


@dataclass(frozen=True, slots=True)
class Cast:
    """The identifiers of one note and the words that depend on its patient."""

    entities: tuple[Entity, ...]
    facts: Mapping[str, str]


def cast_for(plan: NotePlan, illness: Illness, *, rng: np.random.Generator) -> Cast:
    """Invent a patient with everything around; mentions add up to the plan."""
    pool = NamePool(rng)
    patient = new_patient(illness, pool, rng=rng)
    visit = visit_day(rng=rng)
    birth = birthday(visit, patient.stage, rng=rng)
    counts = dict(plan.counts)
    found = homes(counts, rng=rng)
    if "NAME" in counts:
        found += people(patient, counts["NAME"], kind=plan.kind, pool=pool, rng=rng)
    if "DATE" in counts:
        found += dates(counts["DATE"], kind=plan.kind, visit=visit, birth=birth, rng=rng)
    if "ID" in counts:
        found += record_numbers(counts["ID"], rng=rng)
    if "PHONE" in counts:
        found += phones(counts["PHONE"], rng=rng)
    if "ORGANIZATION" in counts:
        found += organizations(counts["ORGANIZATION"], kind=plan.kind, rng=rng)
    if "COUNTRY" in counts:
        found.append(plain("country", "COUNTRY", counts["COUNTRY"], pick(COUNTRIES, rng=rng)))
    if "AGE" in counts:
        found += _ages(counts["AGE"], str(age_on(visit, birth)), rng=rng)
    return Cast(tuple(found), patient.facts)


def _ages(mentions: int, own: str, *, rng: np.random.Generator) -> list[Entity]:
    """The patient's age, and a parent's where a second one is planned."""
    found = [plain("age", "AGE", 1, own)]
    return found if mentions == 1 else [*found, plain("onset", "AGE", 1, onset_age(rng=rng))]

"""Who appears in a note: the patient, the family and the staff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reidrisk.demo.entity import Entity, pick, shares
from reidrisk.demo.medicine import Illness
from reidrisk.demo.plan import DISCHARGE, HISTORY, PROGRESS, SOCIAL_WORK, allot
from reidrisk.demo.vocabulary import MEN, SURNAMES, WOMEN

_PRONOUNS = {
    "f": {"he": "she", "his": "her", "him": "her", "Mr": "Ms.", "man": "woman", "himself": "herself"},
    "m": {"he": "he", "his": "his", "him": "him", "Mr": "Mr.", "man": "man", "himself": "himself"},
}
_RELATIONS = {
    "elderly": (("daughter", "f"), ("son", "m"), ("niece", "f"), ("sister", "f"), ("grandson", "m")),
    "middle-aged": (("mother", "f"), ("brother", "m"), ("sister", "f"), ("daughter", "f"), ("cousin", "m")),
}
_SPOUSE = {"f": ("husband", "m"), "m": ("wife", "f")}
_PRESENCE: Mapping[str, Mapping[str, float]] = {
    SOCIAL_WORK: {"worker": 4, "kin": 5, "attending": 1, "nurse": 1, "pcp": 1},
    HISTORY: {"attending": 4, "consultant": 2, "pcp": 2, "kin": 2, "nurse": 1},
    PROGRESS: {"attending": 4, "consultant": 3, "nurse": 2, "kin": 1.5, "worker": 0.5},
    DISCHARGE: {"attending": 3, "consultant": 2, "pcp": 3, "kin": 2, "worker": 1},
}
"""Who besides the patient is named in which kind of note, and how often."""
_MOST = {"worker": 7, "kin": 9, "attending": 5, "nurse": 4, "pcp": 4, "consultant": 9}
"""The most mentions of a part; together enough for the longest list of names planned."""
_SEVERAL = ("kin", "consultant")


@dataclass(frozen=True, slots=True)
class Patient:
    """What every sentence must agree with, named or not."""

    sex: str
    stage: str
    first: str
    last: str
    specialties: tuple[str, ...]
    """The consultants whom the illness brings in."""

    @property
    def facts(self) -> dict[str, str]:
        """Pronouns and other words that depend on the patient, with capitals where asked for."""
        words = dict(_PRONOUNS[self.sex])
        words |= {"He": words["he"].capitalize(), "His": words["his"].capitalize()}
        article = "an" if self.stage == "elderly" else "a"
        return words | {"a_man": f"{article} {self.stage} {words['man']}", "stage": self.stage}


class NamePool:
    """Hands out names, none twice in one note."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Begin with every name free."""
        self._rng = rng
        self._used: set[str] = set()

    def first(self, sex: str) -> str:
        """A first name that suits the sex."""
        return self._fresh(WOMEN if sex == "f" else MEN)

    def last(self) -> str:
        """A surname."""
        return self._fresh(SURNAMES)

    def _fresh(self, names: tuple[str, ...]) -> str:
        name = pick(names, rng=self._rng)
        while name in self._used:
            name = pick(names, rng=self._rng)
        self._used.add(name)
        return name


def new_patient(illness: Illness, pool: NamePool, *, rng: np.random.Generator) -> Patient:
    """A patient of a stage of life at which the illness is usual."""
    sex, stage = pick("fm", rng=rng), pick(illness.stages, rng=rng)
    return Patient(sex, stage, pool.first(sex), pool.last(), illness.specialties)


def people(
    patient: Patient, mentions: int, *, kind: str, pool: NamePool, rng: np.random.Generator
) -> list[Entity]:
    """Share the mentions of names among patient, family and staff."""
    own = min(mentions, 1 + int(rng.binomial(mentions - 1, 0.36)), 11)
    found = [_person("patient", patient.first, patient.last, own)]
    presence = _PRESENCE[kind]
    weights = np.array(list(presence.values()))
    most = np.array([_MOST[part] for part in presence])
    drawn = allot(mentions - own, weights, most=most, rng=rng)
    for part, count in zip(presence, drawn, strict=True):
        if count:
            found += _players(part, int(count), patient=patient, pool=pool, rng=rng)
    return found


def _players(
    part: str, mentions: int, *, patient: Patient, pool: NamePool, rng: np.random.Generator
) -> list[Entity]:
    distinct = min(3, 1 + mentions // 3) if part in _SEVERAL else 1
    if part == "kin":
        return _family(shares(mentions, distinct, rng=rng), patient=patient, pool=pool, rng=rng)
    trades = rng.permutation(len(patient.specialties))
    return [
        _person(part, pool.first(pick("fm", rng=rng)), pool.last(), count, trade=patient.specialties[trade])
        for count, trade in zip(shares(mentions, distinct, rng=rng), trades, strict=False)
    ]


def _family(counts: list[int], *, patient: Patient, pool: NamePool, rng: np.random.Generator) -> list[Entity]:
    known = (*_RELATIONS[patient.stage], _SPOUSE[patient.sex])
    relatives = []
    for count, at in zip(counts, rng.permutation(len(known)), strict=False):
        relation, sex = known[at]
        last = patient.last if rng.random() < 0.6 else pool.last()
        words = _PRONOUNS[sex]
        facts = {"relation": relation, "he": words["he"], "Mr": words["Mr"]}
        relatives.append(_person("kin", pool.first(sex), last, count, **facts))
    return relatives


def _person(part: str, first: str, last: str, mentions: int, **facts: str) -> Entity:
    forms = {"full": f"{first} {last}", "listed": f"{last}, {first}", "last": last, "first": first}
    return Entity(part, "NAME", mentions, forms, ("full",), facts)

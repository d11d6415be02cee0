"""The people, places, dates and numbers in the notes of a synthetic patient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from reidrisk.demo import vocabulary as words
from reidrisk.demo.entity import Entity, pick, plain, shares
from reidrisk.demo.medicine import Illness
from reidrisk.demo.plan import DISCHARGE, HISTORY, PROGRESS, SOCIAL_WORK, NotePlan, allot
from reidrisk.demo.vocabulary import COUNTRIES, MEN, SURNAMES, WOMEN

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WRITINGS = ("us", "long", "short", "iso")
_AGES = {"elderly": (70, 93), "middle-aged": (44, 63)}


def visit_day(*, rng: np.random.Generator) -> date:
    """The day of the visit or admission."""
    return date(2012, 1, 1) + timedelta(days=int(rng.integers(4200)))


def birthday(visit: date, stage: str, *, rng: np.random.Generator) -> date:
    """A birth date that fits the stage of life."""
    years = int(rng.integers(*_AGES[stage]))
    return visit - timedelta(days=years * 365 + int(rng.integers(365)))


def dates(mentions: int, *, kind: str, visit: date, birth: date, rng: np.random.Generator) -> list[Entity]:
    """Dates of a note: about half as many distinct dates as mentions."""
    distinct = max(1, round(mentions * float(rng.uniform(0.34, 0.56))))
    counts = shares(mentions, distinct, rng=rng)
    found = [_date("visit", visit, counts[0])]
    used = {visit, birth}
    for part, count in zip(_parts(distinct - 1, kind=kind, rng=rng), counts[1:], strict=True):
        one = 1 if part == "dob" else count
        if one < count:  # a birth date is mentioned only once; further mentions go to the visit
            found[0] = _date("visit", visit, found[0].mentions + count - one)
        day = birth if part == "dob" else _fresh(part, visit, used, rng=rng)
        used.add(day)
        found.append(_date(part, day, one))
    return found


def _parts(more: int, *, kind: str, rng: np.random.Generator) -> list[str]:
    """The roles of the other dates; each role except `past` occurs at most once."""
    once = ["leave"] if kind == DISCHARGE else []
    once += [part for part, chance in (("dob", 0.6), ("future", 0.6)) if rng.random() < chance]
    return (once + ["past"] * more)[:more]


def _fresh(part: str, visit: date, used: set[date], *, rng: np.random.Generator) -> date:
    low, high = {"past": (-700, -10), "leave": (2, 9), "future": (12, 90)}[part]
    day = visit + timedelta(days=int(rng.integers(low, high)))
    while day in used:
        day = visit + timedelta(days=int(rng.integers(low, high)))
    return day


def _date(part: str, day: date, mentions: int) -> Entity:
    month = _MONTHS[day.month - 1]
    forms = {
        "us": f"{day.month:02d}/{day.day:02d}/{day.year}",
        "long": f"{month} {day.day}, {day.year}",
        "short": f"{day.day} {month[:3]} {day.year}",
        "iso": day.isoformat(),
    }
    return Entity(part, "DATE", mentions, forms, _WRITINGS)


def age_on(visit: date, birth: date) -> int:
    """Age in completed years."""
    return visit.year - birth.year - ((visit.month, visit.day) < (birth.month, birth.day))


def onset_age(*, rng: np.random.Generator) -> str:
    """The age at which a parent fell ill."""
    return str(pick(range(48, 69), rng=rng))


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
"""Who is named besides the patient, by kind of note, and how often."""
_MOST = {"worker": 7, "kin": 9, "attending": 5, "nurse": 4, "pcp": 4, "consultant": 9}
"""Largest number of mentions per role; together enough for the longest planned list of names."""
_SEVERAL = ("kin", "consultant")


@dataclass(frozen=True, slots=True)
class Patient:
    """Facts about the patient that every sentence must agree with."""

    sex: str
    stage: str
    first: str
    last: str
    specialties: tuple[str, ...]
    """The consultants who are involved because of the illness."""

    @property
    def facts(self) -> dict[str, str]:
        """Pronouns and other words that depend on the patient, also capitalized."""
        words = dict(_PRONOUNS[self.sex])
        words |= {"He": words["he"].capitalize(), "His": words["his"].capitalize()}
        article = "an" if self.stage == "elderly" else "a"
        return words | {"a_man": f"{article} {self.stage} {words['man']}", "stage": self.stage}


class NamePool:
    """Provides names without repeating one within a note."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Start with all names available."""
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
    """Create a patient at a stage of life that is typical for the illness."""
    sex, stage = pick("fm", rng=rng), pick(illness.stages, rng=rng)
    return Patient(sex, stage, pool.first(sex), pool.last(), illness.specialties)


def people(
    patient: Patient, mentions: int, *, kind: str, pool: NamePool, rng: np.random.Generator
) -> list[Entity]:
    """Distribute the mentions of names among patient, family and staff."""
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


_ORGANIZATIONS = {
    "facility": words.FACILITIES,
    "agency": words.AGENCIES,
    "pharmacy": words.PHARMACIES,
    "employer": words.EMPLOYERS,
}
_PHONES = ("unitphone", "homephone", "clinicphone", "kinphone", "pharmacyphone", "fax")
_RECORDS = ("account", "encounter", "member", "docid")


def homes(counts: dict[str, int], *, rng: np.random.Generator) -> list[Entity]:
    """Consistent street, city, state and ZIP code of the home, and at most one other of each."""
    name, short, zip2 = pick(words.STATES, rng=rng)
    found: list[Entity] = []
    for part, type_ in (("street", "STREET"), ("city", "CITY"), ("state", "STATE"), ("zip", "ZIP")):
        mentions = counts.get(type_, 0)
        away = int(mentions > 1 and rng.random() < _AWAY[type_])
        if mentions:
            writing = _home_writing(part, (name, short, zip2), rng=rng)
            found.append(Entity(part, type_, mentions - away, writing, ("full",)))
        if away:
            found.append(_other(part, type_, not_this=writing["full"], rng=rng))
    return found


_AWAY = {"STREET": 0.5, "CITY": 0.3, "STATE": 0.25, "ZIP": 0.0}


def _home_writing(part: str, state: tuple[str, ...], *, rng: np.random.Generator) -> dict[str, str]:
    if part == "street":
        return {"full": _street(rng=rng)}
    if part == "city":
        return {"full": pick(words.TOWNS, rng=rng)}
    if part == "state":
        return {"full": state[0], "abbr": state[1]}
    return {"full": f"{state[2]}{rng.integers(1000):03d}"}


def _other(part: str, type_: str, *, not_this: str, rng: np.random.Generator) -> Entity:
    text = not_this
    while text == not_this:
        if part == "street":
            text = _street(rng=rng)
        else:
            text = pick(words.TOWNS if part == "city" else [row[0] for row in words.STATES], rng=rng)
    return plain(f"other{part}", type_, 1, text)


def _street(*, rng: np.random.Generator) -> str:
    road = f"{rng.integers(2, 4990)} {pick(words.STREETS, rng=rng)} {pick(words.STREET_KINDS, rng=rng)}"
    return f"{road}, Apt {rng.integers(1, 40)}{pick('ABCD', rng=rng)}" if rng.random() < 0.3 else road


def organizations(mentions: int, *, kind: str, rng: np.random.Generator) -> list[Entity]:
    """Organizations of a note: usually one, sometimes two or three, never two of the same kind."""
    distinct = min(3, 1 + int(rng.binomial(mentions - 1, 0.2)))
    parts = ["agency", "facility"] if kind == SOCIAL_WORK else ["facility", "agency"]
    parts.append(pick(("pharmacy", "employer"), rng=rng))
    heads = rng.permutation(len(words.ORGANIZATION_HEADS))
    found = []
    for part, head, count in zip(parts, heads, shares(mentions, distinct, rng=rng), strict=False):
        text = f"{words.ORGANIZATION_HEADS[head]} {pick(_ORGANIZATIONS[part], rng=rng)}"
        forms = {"full": text, "short": words.ORGANIZATION_HEADS[head]}
        found.append(Entity(part, "ORGANIZATION", count, forms, ("full",)))
    return found


def phones(mentions: int, *, rng: np.random.Generator) -> list[Entity]:
    """Phone numbers from the range reserved for fiction; most are mentioned once."""
    order = rng.permutation(len(_PHONES))
    distinct = max(-(-mentions // 2), int(rng.integers(1, mentions + 1)))
    counts = [mentions // distinct + (at < mentions % distinct) for at in range(distinct)]
    lines = rng.permutation(100)
    area = int(rng.integers(201, 990))
    return [
        _phone(_PHONES[at], count, area=area, line=int(line))
        for at, line, count in zip(order, lines, counts, strict=False)
    ]


def _phone(part: str, mentions: int, *, area: int, line: int) -> Entity:
    forms = {"us": f"({area}) 555-01{line:02d}", "dashed": f"{area}-555-01{line:02d}"}
    return Entity(part, "PHONE", mentions, forms, ("us", "dashed"))


def record_numbers(mentions: int, *, rng: np.random.Generator) -> list[Entity]:
    """The medical record number, repeated in long notes, followed by numbers of single events."""
    own = min(mentions, 1 + int(rng.binomial(2, min(1.0, mentions / 12))))
    found = [plain("mrn", "ID", own, f"{rng.integers(10**6, 10**8)}")]
    once = [part for part in _RECORDS if rng.random() < 0.6][: mentions - own]
    found += [plain(part, "ID", 1, _record(part, rng=rng)) for part in once]
    rest = mentions - own - len(once)
    numbers = {_record("accession", rng=rng): None for _ in range(rest)}
    while len(numbers) < rest:
        numbers[_record("accession", rng=rng)] = None
    return found + [plain("accession", "ID", 1, number) for number in numbers]


def _record(part: str, *, rng: np.random.Generator) -> str:
    digits = f"{rng.integers(10**6, 10**7)}"
    if part == "accession":
        return f"{pick('SRHC', rng=rng)}{digits[:2]}-{digits[2:]}"
    return {"account": "A00", "encounter": "E-", "member": "XQK", "docid": "DOC-"}[part] + digits


@dataclass(frozen=True, slots=True)
class Cast:
    """The identifiers of one note and the words that depend on its patient."""

    entities: tuple[Entity, ...]
    facts: Mapping[str, str]
    patient: Patient
    visit: date
    birth: date


def cast_for(plan: NotePlan, illness: Illness, *, rng: np.random.Generator) -> Cast:
    """Create a patient and all other identifiers; their mentions add up to the plan."""
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
    return Cast(tuple(found), patient.facts, patient, visit, birth)


def _ages(mentions: int, own: str, *, rng: np.random.Generator) -> list[Entity]:
    """The patient's age, and a parent's age if a second age is planned."""
    found = [plain("age", "AGE", 1, own)]
    return found if mentions == 1 else [*found, plain("onset", "AGE", 1, onset_age(rng=rng))]

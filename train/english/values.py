"""An identifier for every slot that belongs to nobody in particular."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from english.dates import month_year, some_date
from english.numbers import digits, machine, number, phone, record_number, social_security, zip_code
from english.people import Person, plain
from english.places import city, hospital, organization, postal_code, region, state, street, street_name, unit
from english.words import names, pick, sections


def _year(rng: np.random.Generator) -> str:
    return str(rng.integers(1950, 2027))


def _email(rng: np.random.Generator) -> str:
    return Person.new(rng).email(pick(sections()["domain"], rng), rng)


def _url(rng: np.random.Generator) -> str:
    head = pick(("https://www.", "www.", "http://"), rng)
    tail = pick((".com", ".org/portal", f".net/a/b?id={digits(3, rng)}"), rng)
    return head + plain(pick(names()["surname"], rng)) + tail


def _user(rng: np.random.Generator) -> str:
    return plain(Person.new(rng).last) + digits(2, rng)


def _country(rng: np.random.Generator) -> str:
    return pick(names()["country"], rng)


SLOTS: dict[str, tuple[str, Callable[[np.random.Generator], str]]] = {
    "DATE": ("DATE", some_date),
    "MONTHYEAR": ("DATE", month_year),
    "YEAR": ("DATE", _year),
    "MRN": ("MEDICALRECORD", record_number),
    "ID": ("IDNUM", number),
    "PLAN": ("IDNUM", number),
    "SSN": ("IDNUM", social_security),
    "USER": ("IDNUM", _user),
    "PHONE": ("PHONE", phone),
    "FAX": ("PHONE", phone),
    "EMAIL": ("EMAIL", _email),
    "URL": ("URL", _url),
    "IP": ("URL", machine),
    "STREET": ("STREET", street),
    "STREETNAME": ("STREET", street_name),
    "UNIT": ("ROOM", unit),
    "REGION": ("STATE", region),
    "CODE": ("ZIP", postal_code),
    "CITY": ("CITY", city),
    "STATE": ("STATE", state),
    "ZIP": ("ZIP", zip_code),
    "COUNTRY": ("COUNTRY", _country),
    "HOSP": ("HOSPITAL", hospital),
    "ORG": ("ORGANIZATION", organization),
}
"""The type of each slot and what fills it. Fewer types than the rules tell apart: those say the rest."""

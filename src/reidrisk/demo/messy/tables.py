"""The twelve tables: who is in them, and the values that depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta

import numpy as np

from reidrisk.demo.messy.key import MessyTable
from reidrisk.demo.messy.people import (
    Resident,
    Rng,
    choose,
    filled,
    french_number,
    identity_card,
    land,
    nhs_number,
    residents,
    some_days,
    visits,
)
from reidrisk.demo.messy.sheet import fill, written
from reidrisk.stats.arrays import Floats, Ints

_TESTS = {
    "Sodium": (139, 3.5, "mmol/L", "135-145"),
    "Potassium": (4.2, 0.5, "mmol/L", "3.5-5.1"),
    "Creatinine": (1.1, 0.4, "mg/dL", "0.6-1.3"),
    "Glucose": (112, 34, "mg/dL", "70-99"),
    "Hemoglobin": (12.9, 1.9, "g/dL", "12.0-17.5"),
    "WBC": (7.8, 2.9, "10*3/uL", "4.5-11.0"),
    "HbA1c": (6.4, 1.3, "%", "4.0-5.6"),
    "TSH": (2.3, 1.4, "mIU/L", "0.4-4.0"),
}
"""Mean, standard deviation, unit and reference range of tests."""
_LETTERS = tuple("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789")
_US, _ISO, _GERMAN = ("%m/%d/%Y",), ("%Y-%m-%d", "%m/%d/%Y"), ("%d.%m.%Y", "%Y-%m-%d")


def _people(number: int, country: str, more: float, *, rng: Rng) -> list[Resident]:
    return visits(residents(number, land(country, rng=rng), rng=rng), more, rng=rng)


def _later(days: Sequence[date], more: Ints | Floats) -> list[date]:
    return [day + timedelta(days=int(wait)) for day, wait in zip(days, more.tolist(), strict=True)]


def _moments(days: Sequence[date], *, rng: Rng) -> list[datetime]:
    minutes = rng.integers(24 * 60, size=len(days))
    return [datetime.combine(day, time(*divmod(int(at), 60))) for day, at in zip(days, minutes, strict=True)]


def _of_each(who: Sequence[Resident], make: Callable[[Resident], str]) -> list[str]:
    """A value that all rows of a person share."""
    made = {one.number: make(one) for one in dict.fromkeys(who)}
    return [made[one.number] for one in who]


def admissions(rng: Rng) -> MessyTable:
    """Stays in a hospital, with phones and relatives in comments; a BOM and quoted line ends."""
    who = _people(760, "american", 0.3, rng=rng)
    into, stays = some_days(len(who), rng=rng), 1 + rng.gamma(1.3, 3.5, len(who)).astype(int)
    out = written(_later(into, stays), _ISO[:1], rng=rng)
    values = {"into": written(into, _ISO, rng=rng), "out": out, "stay": stays.tolist()}
    return fill("admissions", who, values, rng=rng)


def claims(rng: Rng) -> MessyTable:
    """Insurance claims, several rows per member; social security numbers under an innocent name."""
    who = _people(520, "american", 2.6, rng=rng)
    start = some_days(len(who), rng=rng)
    values = {
        "ssn": _of_each(who, lambda _: filled("#########", rng=rng)),
        "start": written(start, ("%Y%m%d",), rng=rng),
        "stop": written(_later(start, rng.geometric(0.8, len(who)) - 1), ("%Y%m%d",), rng=rng),
    }
    return fill("claims", who, values, rng=rng)


def lab_results(rng: Rng) -> MessyTable:
    """One row per test, several per person; tabs between the columns."""
    draws = _people(310, "american", 1.2, rng=rng)
    moments = _moments(some_days(len(draws), rng=rng), rng=rng)
    specimens = [f"{moment:%y%j}-{filled('######', rng=rng)}" for moment in moments]
    which = np.repeat(np.arange(len(draws)), rng.integers(2, 5, len(draws))).tolist()
    tests = choose(tuple(_TESTS), len(which), rng=rng, skew=0.5)
    results = [f"{abs(rng.normal(*_TESTS[test][:2])):.1f}" for test in tests]
    values = {
        "specimen": [specimens[at] for at in which],
        "drawn": written([moments[at] for at in which], ("%Y-%m-%d %H:%M",), rng=rng),
        "test": tests,
        "result": ["<0.1" if rng.random() < 0.01 else result for result in results],
        "unit": [_TESTS[test][2] for test in tests],
        "range": [_TESTS[test][3] for test in tests],
    }
    return fill("lab_results", [draws[at] for at in which], values, rng=rng)


def survey(rng: Rng) -> MessyTable:
    """An online survey: question numbers as names, IP addresses, several answers in one cell."""
    who = _people(620, "american", 0, rng=rng)
    begun = _moments(some_days(len(who), rng=rng, span=400), rng=rng)
    seconds = rng.lognormal(6, 0.6, len(who)).astype(int).tolist()
    ended = [day + timedelta(seconds=more) for day, more in zip(begun, seconds, strict=True)]
    codes = rng.choice(_LETTERS, (len(who), 15))
    values = {
        "begun": written(begun, ("%Y-%m-%d %H:%M:%S",), rng=rng),
        "ended": written(ended, ("%Y-%m-%d %H:%M:%S",), rng=rng),
        "ip": [".".join(map(str, parts)) for parts in rng.integers(11, 250, (len(who), 4)).tolist()],
        "seconds": seconds,
        "response": ["R_" + "".join(code) for code in codes.tolist()],
    }
    return fill("survey", who, values, rng=rng)


def registry(rng: Rng) -> MessyTable:
    """A registry of a rare disease, one row per patient; birth dates as text, deaths of a few."""
    who = _people(480, "british", 0, rng=rng)
    ends = some_days(len(who), rng=rng, span=900)
    died = [day if rng.random() < 0.12 else None for day in ends]
    numbers = _of_each(who, lambda _: nhs_number(rng=rng))
    return fill(
        "registry", who, {"nhs": numbers, "died": written(died, ("%d/%m/%Y", "%Y-%m-%d"), rng=rng)}, rng=rng
    )


def pharmacy(rng: Rng) -> MessyTable:
    """Dispensed drugs, several rows per person; stores write dates in two ways."""
    return fill("pharmacy", _people(430, "american", 2.4, rng=rng), {}, rng=rng)


def sas_export(rng: Rng) -> MessyTable:
    """A SAS transport file: names of eight letters, dates as numbers and as DDMMMYYYY text."""
    return fill("sasdata", _people(340, "american", 0.7, rng=rng), {}, rng=rng)


def german(rng: Rng) -> MessyTable:
    """A German hospital's export: semicolons, decimal commas, cp1252, dd.mm.yyyy."""
    who = _people(560, "german", 0.4, rng=rng)
    into = some_days(len(who), rng=rng)
    out = written(_later(into, rng.gamma(1.4, 3, len(who))), _GERMAN[:1], rng=rng)
    return fill("krankenhaus", who, {"into": written(into, _GERMAN, rng=rng), "out": out}, rng=rng)


def french(rng: Rng) -> MessyTable:
    """A French cancer registry: accents, postal codes of islands with few people, jj/mm/aaaa."""
    who = _people(640, "french", 0, rng=rng)
    found = some_days(len(who), rng=rng, span=850)
    values = {
        "nir": [french_number(one, rng=rng) for one in who],
        "found": written(found, ("%d/%m/%Y", "%Y-%m-%d"), rng=rng),
        "seen": written(_later(found, rng.gamma(2, 150, len(who))), ("%d/%m/%Y",), rng=rng),
    }
    return fill("registre", who, values, rng=rng)


def spanish(rng: Rng) -> MessyTable:
    """A Spanish emergency department: two surnames, identity cards, dd/mm/aaaa hh:mm."""
    who = _people(610, "spanish", 0.5, rng=rng)
    surnames = land("spanish", rng=rng).surnames
    came = _moments(some_days(len(who), rng=rng), rng=rng)
    left = [
        day + timedelta(minutes=int(more))
        for day, more in zip(came, rng.gamma(2, 150, len(who)), strict=True)
    ]
    cards = _of_each(who, lambda _: _card(rng=rng))
    values = {
        "second": _of_each(who, lambda _: choose(surnames, 1, rng=rng, skew=0.2)[0]),
        "card": ["" if rng.random() < 0.06 else card for card in cards],
        "came": written(came, ("%d/%m/%Y %H:%M",), rng=rng),
        "left": written(left, ("%d/%m/%Y %H:%M",), rng=rng),
    }
    return fill("urgencias", who, values, rng=rng)


def _card(*, rng: Rng) -> str:
    number = identity_card(rng=rng)
    dotted = f"{number[:2]}.{number[2:5]}.{number[5:8]}-{number[8]}"
    return choose((number, dotted, number.lower()), 1, rng=rng, skew=1.5)[0]


def medicaid(rng: Rng) -> MessyTable:
    """Eligibility: MM/DD/YYYY throughout, one column always on the first, ZIP+4, leading zeros."""
    who = _people(640, "american", 0.8, rng=rng)
    four = rng.integers(1000, 9999, len(who)).tolist()
    months = [date(2021 + at // 12, at % 12 + 1, 1) for at in rng.integers(0, 24, len(who)).tolist()]
    early = [day.replace(day=1 + day.day % 12) for day in some_days(len(who), rng=rng)]
    values = {
        "zip": [f"{one.postal}-{end}" if end % 3 else one.postal for one, end in zip(who, four, strict=True)],
        "start": written(months, _US, rng=rng),
        "renewal": written(early, _US, rng=rng),
    }
    return fill("medicaid", who, values, rng=rng)


def appointments(rng: Rng) -> MessyTable:
    """A log of bookings without names; record numbers, NHS numbers and e-mails in odd columns."""
    who = _people(520, "british", 0.9, rng=rng)
    made = _moments(some_days(len(who), rng=rng), rng=rng)
    slots = _later([day.date() for day in made], rng.integers(1, 60, len(who)))
    numbers = _of_each(who, lambda _: nhs_number(rng=rng))
    forms = choose(("{0}{1}{2}", "", "{0} {1} {2}", "NHS {0} {1} {2}"), len(who), rng=rng, skew=0.5)
    values = {
        "line": range(1, len(who) + 1),
        "made": written(made, ("%Y-%m-%dT%H:%M:%S",), rng=rng),
        "slot": written(slots, ("%d/%m/%Y", "%d-%b-%Y"), rng=rng),
        "nhs": [form.format(one[:3], one[3:6], one[6:]) for form, one in zip(forms, numbers, strict=True)],
    }
    return fill("appointments", who, values, rng=rng)

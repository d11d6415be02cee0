"""The dates of a note: the visit itself, what came before, what is to come, the birth."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np

from reidrisk.demo.entity import Entity, pick, shares
from reidrisk.demo.plan import DISCHARGE

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
    """About half as many distinct dates as mentions."""
    distinct = max(1, round(mentions * float(rng.uniform(0.34, 0.56))))
    counts = shares(mentions, distinct, rng=rng)
    found = [_date("visit", visit, counts[0])]
    used = {visit, birth}
    for part, count in zip(_parts(distinct - 1, kind=kind, rng=rng), counts[1:], strict=True):
        one = 1 if part == "dob" else count
        if one < count:  # a birth date is not repeated; its mentions go to the visit
            found[0] = _date("visit", visit, found[0].mentions + count - one)
        day = birth if part == "dob" else _fresh(part, visit, used, rng=rng)
        used.add(day)
        found.append(_date(part, day, one))
    return found


def _parts(more: int, *, kind: str, rng: np.random.Generator) -> list[str]:
    """The parts of the other dates; each but `past` at most once."""
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
    """Completed years."""
    return visit.year - birth.year - ((visit.month, visit.day) < (birth.month, birth.day))


def onset_age(*, rng: np.random.Generator) -> str:
    """The age at which a parent fell ill."""
    return str(pick(range(48, 69), rng=rng))

"""Dates in all usual writings."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np

from english.words import pick

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
LONG_AGO, RECENT = date(1930, 1, 1), date(2010, 1, 1)


def some_date(rng: np.random.Generator) -> str:
    """A day, seldom without its year."""
    first, days = (RECENT, 5800) if rng.random() < 0.7 else (LONG_AGO, 36000)
    day = first + timedelta(days=int(rng.integers(0, days)))
    return pick(numeric(day) if rng.random() < 0.5 else spelled(day), rng)


def numeric(day: date) -> tuple[str, ...]:
    """In digits."""
    y, m, d = day.year, day.month, day.day
    usual = (f"{m:02}/{d:02}/{y}", f"{m}/{d}/{y}", f"{m}/{d}/{y % 100:02}", f"{m:02}/{d:02}/{y % 100:02}")
    return (
        *usual,
        f"{y}-{m:02}-{d:02}",
        f"{m}-{d}-{y}",
        f"{m}/{d}",
        f"{d:02}.{m:02}.{y}",
        f"{y}/{m:02}/{d:02}",
    )


def spelled(day: date) -> tuple[str, ...]:
    """With the name of the month."""
    y, d, month = day.year, day.day, MONTHS[day.month - 1]
    short = month[:3]
    th = "th" if 10 < d < 14 else {1: "st", 2: "nd", 3: "rd"}.get(d % 10, "th")
    american = (
        f"{month} {d}, {y}",
        f"{month} {d}{th}, {y}",
        f"{month} {d}",
        f"{month} {d}{th}",
        f"{short} {d}, {y}",
    )
    british = (f"{d} {month} {y}", f"{d} {short} {y}", f"{d}{th} of {month} {y}", f"the {d}{th} of {month}")
    return (
        *american,
        *british,
        f"{short}. {d}, {y}",
        f"{d}-{short}-{y}",
        f"{d:02}{short.upper()}{y}",
        f"{short} {d}",
    )


def month_year(rng: np.random.Generator) -> str:
    """A month of a year."""
    year, month = int(rng.integers(1985, 2026)), pick(MONTHS, rng)
    return pick(
        (f"{month} {year}", f"{month[:3]} {year}", f"{rng.integers(1, 13):02}/{year}", f"{month} of {year}"),
        rng,
    )

"""The counties of the synthetic state: population, races, and special features.

"Our own" marks numbers that we chose as plausible without a source. No number was chosen by looking at risks.
"""

from __future__ import annotations

from dataclasses import dataclass

RACES = ("white", "black", "american_indian", "asian", "pacific_islander", "other", "two_or_more")
"""The seven categories of the 2000 census: one race alone, or two or more."""


@dataclass(frozen=True, slots=True)
class County:
    """A county of the synthetic state."""

    name: str
    people: int
    races: tuple[float, ...]
    """Percentage of its people, in the order of `RACES`."""
    older: float = 0.0
    """How much older its people are: the relative share doubles every 1 / older years."""
    students: float = 0.0
    """Share of its people who are college students."""
    soldiers: float = 0.0
    """Share of its people who live in barracks."""


COUNTIES = (
    County("Harbour", 842_000, (61.0, 24.0, 0.4, 6.0, 0.1, 6.0, 2.5), older=-0.004),
    County("Northgate", 318_000, (83.0, 6.0, 0.2, 7.0, 0.0, 1.8, 2.0), older=-0.002),
    County("Millbrook", 187_000, (78.0, 13.0, 0.3, 2.0, 0.0, 4.7, 2.0)),
    County("College", 96_000, (80.0, 7.0, 0.3, 8.0, 0.1, 2.2, 2.4), older=-0.004, students=0.24),
    County("Fort Mercer", 71_000, (63.0, 24.0, 0.9, 3.0, 0.6, 4.5, 4.0), older=-0.008, soldiers=0.14),
    County("Lakeshore", 64_000, (93.5, 3.0, 0.2, 1.0, 0.0, 1.0, 1.3), older=0.016),
    County("Orchard", 52_000, (66.0, 1.0, 0.9, 1.0, 0.1, 28.0, 3.0), older=-0.004),
    County("Coalfield", 38_000, (97.0, 1.4, 0.2, 0.3, 0.0, 0.3, 0.8), older=0.004),
    County("Prairie", 21_500, (96.5, 0.5, 0.6, 0.4, 0.0, 1.0, 1.0), older=0.006),
    County("Red Mesa", 13_200, (31.0, 0.3, 65.0, 0.3, 0.1, 0.8, 2.5), older=-0.008),
    County("High Plains", 6_400, (96.0, 0.3, 0.8, 0.3, 0.0, 1.8, 0.8), older=0.010),
    County("Basin", 1_900, (97.5, 0.1, 0.7, 0.2, 0.0, 0.8, 0.7), older=0.012),
)
"""A port, its suburb, an industrial town, a university, a base, a lake where people retire, orchards with
farm workers, mines, wheat, a reservation, ranches, and a county with fewer people than a village. Half of
the state lives in one county (in Delaware and Nevada it is more). Numbers and shares are our own, modeled on
real counties of each kind."""

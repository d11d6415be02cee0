"""Countries by their codes of ISO 3166, with their names and continents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

CONTINENTS = ("Africa", "Asia", "Europe", "North America", "Oceania", "South America")


@dataclass(frozen=True, slots=True)
class Country:
    """A country: codes of two and three letters, the continent, and the names that it goes by."""

    two: str
    three: str
    continent: str
    names: tuple[str, ...]


@cache
def countries() -> tuple[Country, ...]:
    """All countries of the list."""
    text = files("reidrisk.core").joinpath("data/countries.txt").read_text(encoding="utf-8")
    rows = ([part.strip() for part in line.split("|")] for line in text.splitlines())
    return tuple(Country(two, three, continent, tuple(names)) for two, three, continent, *names in rows)


@cache
def _continents() -> dict[str, str]:
    return {
        form.casefold(): one.continent for one in countries() for form in (one.two, one.three, *one.names)
    }


def continent_of(country: str) -> str | None:
    """The continent of a country, by code or name; None if the country is not in the list.

    >>> continent_of("DEU"), continent_of("united states"), continent_of("Atlantis")
    ('Europe', 'North America', None)
    """
    return _continents().get(country.strip().casefold())

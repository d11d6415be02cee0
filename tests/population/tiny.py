"""Populations small enough to count by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.population.people import AgeGroups, Population

Row = tuple[str | int, ...]


def population(
    rows: Sequence[Row], *, areas: Sequence[str] = (), fields: Sequence[str] = (), ages: bool = True
) -> Population:
    """Rows of areas, fields, first age, years of the band (if there are ages), people."""
    names = (*areas, *fields)
    columns = list(zip(*rows, strict=True))
    labels = {name: tuple(sorted({str(value) for value in columns[at]})) for at, name in enumerate(names)}
    codes = {
        name: np.array([labels[name].index(str(value)) for value in columns[at]], dtype=np.int32)
        for at, name in enumerate(names)
    }
    bands = (
        AgeGroups(*(np.array(columns[len(names) + at], dtype=np.int16) for at in (0, 1))) if ages else None
    )
    counts = np.array(columns[-1], dtype=np.int64)
    return Population(tuple(areas), tuple(fields), labels, codes, counts, bands, source="tiny")


def figure_1() -> Population:
    """The voters of figure 1 of Benitez and Malin, with their age in 2000."""
    years = [("F", 1953, 2), ("M", 1953, 1), ("M", 1955, 2), ("M", 1957, 1)]
    years += [("F", 1955, 1), ("F", 1957, 1), ("M", 1956, 1), ("F", 1956, 1)]
    return population([(sex, 2000 - year, 1, people) for sex, year, people in years], fields=["sex"])


def two_states() -> Population:
    """Two states of two counties, two races, two ages and a band of five years."""
    rows: list[Row] = []
    for state, counties in (("10", ("10001", "10003")), ("39", ("39001", "39003"))):
        for at, county in enumerate(counties):
            for race in ("black", "white"):
                for sex in ("F", "M"):
                    size = (at + 1) * (3 if race == "black" else 40) * (1 if state == "10" else 7)
                    rows += [(state, county, race, sex, age, 1, size + age % 7) for age in (24, 25)]
                    rows.append((state, county, race, sex, 100, 5, 4))
    return population(rows, areas=["state", "county"], fields=["race", "sex"])

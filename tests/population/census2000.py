"""The four margin files of the 2000 census that lie beside a developer's checkout, as populations.

Three margins are exact: county by race, by sex and by eight ages (Summary File 1). The estimates of July
2000 are of another day and of other races, so that they only give proportions to begin with: single years
of age of the nation, and sex by thirteen ages of each county and, in its state, of each race.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reidrisk.population.gather import CountRows, SourceBands, gather_counts
from reidrisk.population.people import Population

Floats = NDArray[np.float64]
RACES = {
    "white": ("white", "nh.white", "European-American/White"),
    "black": ("black", "nh.black", "African-American/Black"),
    "american_indian": ("ameri.es", "nh.ameri.es", "Native American/Alaskan"),
    "asian": ("asian", "nh.asian", "Asian/Pacific Islander"),
    "pacific_islander": ("hawn.pi", "nh.hawn.pi", "Asian/Pacific Islander"),
    "other": ("other", "nh.other", ""),
    "two_or_more": ("mult.race", "", ""),
}
"""Column of everybody, column without Hispanics, and the estimates' name of those without Hispanics."""
AGES = {
    "age.under5": (0, 4),
    "age.5.17": (5, 17),
    "age.18.21": (18, 21),
    "age.22.29": (22, 29),
    "age.30.39": (30, 39),
    "age.40.49": (40, 49),
    "age.50.64": (50, 64),
    "age.65.up": (65, 110),
}
SEXES = {"M": "Male", "F": "Female"}
CENTENARIANS = {(100, 104): 0.9, (105, 109): 0.0725, (110, 110): 0.0275}
"""How the people of 100 and over are split: an assumption."""
FINE = 1000
"""Proportions are kept to so many parts of a person."""


def census2000(folder: Path) -> tuple[list[Population], list[Population]]:
    """The margins to meet and the tables to start from."""
    counties = _lines(folder / "census2000_sf1_county_margins.csv")
    by_county = _county_sex_age(folder / "co_est00int_july2000_county_sex_age13.csv")
    margins = [
        _margin(counties, "race", {race: columns[0] for race, columns in RACES.items()}),
        _margin(counties, "sex", {"M": "males", "F": "females"}),
        _county_ages(counties),
    ]
    start = [
        _nation(folder / "us_national_2000_single_year_sex.csv"),
        _county_race_sex_age(counties, by_county, folder / "co_est00int_july2000_state_race_sex_age13.csv"),
        _sex_age(by_county),
    ]
    return margins, start


def _lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _rows(
    labels: dict[str, tuple[str, ...]],
    codes: dict[str, Sequence[int]],
    counts: Sequence[int],
    bands: Sequence[tuple[int, int]] | None,
) -> CountRows:
    ages = None
    if bands is not None:
        ends = np.array(bands, dtype=np.int64)
        ages = SourceBands(ends[:, 0], ends[:, 1], np.zeros(len(ends), dtype=np.bool_))
    return CountRows(
        labels,
        {name: np.array(code, dtype=np.int32) for name, code in codes.items()},
        np.array(counts, dtype=np.int64),
        ages,
    )


def _areas(fips: Sequence[str]) -> tuple[dict[str, tuple[str, ...]], dict[str, list[int]]]:
    labels = {"state": tuple(sorted({own[:2] for own in fips})), "county": tuple(sorted(set(fips)))}
    places = {name: {label: at for at, label in enumerate(own)} for name, own in labels.items()}
    codes = {
        "state": [places["state"][own[:2]] for own in fips],
        "county": [places["county"][own] for own in fips],
    }
    return labels, codes


def _margin(counties: list[dict[str, str]], field: str, columns: dict[str, str]) -> Population:
    labels, codes = _areas([line["fips"] for line in counties for _ in columns])
    counts = [int(line[column]) for line in counties for column in columns.values()]
    labels[field] = tuple(columns)
    rows = _rows(labels, {**codes, field: list(range(len(columns))) * len(counties)}, counts, None)
    return gather_counts(rows, areas=("state", "county"), fields=(field,), source=f"county by {field}")


def _county_ages(counties: list[dict[str, str]]) -> Population:
    labels, codes = _areas([line["fips"] for line in counties for _ in AGES])
    counts = [int(line[column]) for line in counties for column in AGES]
    rows = _rows(labels, dict(codes), counts, list(AGES.values()) * len(counties))
    return gather_counts(rows, areas=("state", "county"), fields=(), source="county by age")


def _nation(path: Path) -> Population:
    counts, sexes, bands = [], [], []
    for line in _lines(path):
        age = int(float(line["age"]))
        for code, column in enumerate(("male", "female")):
            people = float(line[column])
            for band, share in CENTENARIANS.items() if age == 100 else (((age, age), 1.0),):
                counts.append(round(people * share * FINE))
                sexes.append(code)
                bands.append(band)
    rows = _rows({"sex": tuple(SEXES)}, {"sex": sexes}, counts, bands)
    return gather_counts(rows, areas=(), fields=("sex",), source="nation by single year of age")


def _band(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\[(\d+),(\d+|Inf)\)", text)
    assert found, text
    return int(found[1]), 110 if found[2] == "Inf" else int(found[2]) - 1


def _county_sex_age(path: Path) -> dict[str, dict[tuple[str, tuple[int, int]], float]]:
    """By county: people by sex and band. The first three lines are two headers and an empty one."""
    with path.open(encoding="utf-8", newline="") as file:
        sexes, ages, _, *lines = list(csv.reader(file))
    keys = [(sex[0], _band(age)) for sex, age in zip(sexes[1:], ages[1:], strict=True)]
    return {
        line[0]: {key: float(cell or 0) for key, cell in zip(keys, line[1:], strict=True)} for line in lines
    }


def _sex_age(by_county: dict[str, dict[tuple[str, tuple[int, int]], float]]) -> Population:
    flat = [(county, *key, people) for county, own in by_county.items() for key, people in own.items()]
    labels, codes = _areas([row[0] for row in flat])
    labels["sex"] = tuple(SEXES)
    sexes = [labels["sex"].index(row[1]) for row in flat]
    rows = _rows(labels, {**codes, "sex": sexes}, [round(row[3]) for row in flat], [row[2] for row in flat])
    return gather_counts(rows, areas=("state", "county"), fields=("sex",), source="county by sex and 13 ages")


def _county_race_sex_age(
    counties: list[dict[str, str]],
    by_county: dict[str, dict[tuple[str, tuple[int, int]], float]],
    path: Path,
) -> Population:
    """The estimates have non-Hispanic races and Hispanics: each race is a mixture of both in its county."""
    keys = sorted(next(iter(by_county.values())), key=lambda key: (list(SEXES).index(key[0]), key[1]))
    shapes = _state_shapes(path, by_county, keys)
    table = np.zeros((len(counties), len(RACES), len(keys)))
    for at, line in enumerate(counties):
        own, elsewhere = shapes[line["fips"][:2]], 0.0
        for number, (everybody, apart, name) in enumerate(RACES.values()):
            people = float(line[everybody])
            alone = float(line[apart]) if apart else people - max(float(line["hispanic"]) - elsewhere, 0.0)
            elsewhere += people - alone
            table[at, number] = alone * own[name] + (people - alone) * own["Hispanic/Latino"]
    labels, codes = _areas([line["fips"] for line in counties for _ in range(table[0].size)])
    labels |= {"race": tuple(RACES), "sex": tuple(SEXES)}
    race, key = np.divmod(np.tile(np.arange(table[0].size), len(counties)), len(keys))
    sexes = np.array([labels["sex"].index(sex) for sex, _ in keys])
    rows = _rows(
        labels,
        {**codes, "race": race.tolist(), "sex": sexes[key].tolist()},
        np.rint(np.maximum(table, 0) * FINE).astype(np.int64).reshape(-1).tolist(),
        [band for _, band in keys] * (len(RACES) * len(counties)),
    )
    return gather_counts(
        rows, areas=("state", "county"), fields=("race", "sex"), source="county by race, sex and 13 ages"
    )


def _state_shapes(
    path: Path,
    by_county: dict[str, dict[tuple[str, tuple[int, int]], float]],
    keys: list[tuple[str, tuple[int, int]]],
) -> dict[str, dict[str, Floats]]:
    """By state and race of the estimates: shares of sexes and ages. Nobody's race is '': two or more."""
    places = {key: at for at, key in enumerate(keys)}
    counts: dict[str, dict[str, Floats]] = {}
    for line in _lines(path):
        own = counts.setdefault(line["GEOID"], {}).setdefault(line["Race"], np.zeros(len(keys)))
        own[places[line["Sex"][0], _band(line["Age"])]] += float(line["value"])
    for state, races in counts.items():
        everybody = np.zeros(len(keys))
        for county, cells in by_county.items():
            if county[:2] == state:
                everybody += [cells[key] for key in keys]
        races[""] = np.maximum(everybody - np.sum(list(races.values()), axis=0), 0.0)
    return {
        state: {race: own / max(own.sum(), 1.0) for race, own in races.items()}
        for state, races in counts.items()
    }

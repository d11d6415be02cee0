"""Voter lists of the states: their fields and prices, from a table that users can replace."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.population.attacker import Attacker
from reidrisk.population.fields import BIRTH, Birth, Fields

COLUMNS = ("state", "fips", "name", "birth", "sex", "race", "county", "source", "year", "price")
FIELDS = ("county", "sex", "race")
ANSWERS = ("yes", "no", "unknown")
AT_LEAST_YEAR = "year or finer"
BIRTHS = ("none", *BIRTH, AT_LEAST_YEAR, "unknown")


@dataclass(frozen=True, slots=True)
class VoterLists:
    """One attacker for each state."""

    source: str
    rows: Mapping[str, Attacker] = field(repr=False)
    """Lists by postal code, number and name of the state, in lower case."""
    price: float | None = None
    """A price that replaces the price of every list."""
    name: str = "VOTER"

    def of(self, state: str) -> Attacker | None:
        """The list of a state, given by postal code, number or name; None if the table has no row for it."""
        found = self.rows.get(_key(state))
        return None if found is None else found.with_price(self.price)

    def with_price(self, price: float | None) -> VoterLists:
        """The same lists at another price; None keeps the prices."""
        return self if price is None else replace(self, price=price)

    def to_dict(self) -> dict[str, Any]:
        """The lists as JSON types; the list of each state is shown with its figures."""
        return {
            "name": self.name,
            "fields": None,
            "price": self.price,
            "coverage": None,
            "source": self.source,
        }


@cache
def voter_lists() -> VoterLists:
    """The table that comes with the package; what nobody published is unknown."""
    place = files("reidrisk.population").joinpath("voter_lists.csv")
    return _lists(place.read_text(encoding="utf-8").splitlines(), source="voter_lists.csv of reidrisk")


def read_voter_lists(path: str | Path) -> VoterLists:
    """Read your own table, with the same columns as the one in the package."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise UnreadableFile(
            f"{path_text(path)} cannot be read.", hint="Check the path, and save it as UTF-8."
        ) from None
    return _lists(lines, source=path_text(path))


def state_names(state: str) -> tuple[str, ...]:
    """Postal code, number and name of a state; the text itself if it is not a state.

    >>> state_names("oh"), state_names("1")
    (('OH', '39', 'Ohio'), ('AL', '01', 'Alabama'))
    """
    return _names().get(_key(state), (state,))


def state_label(state: str, labels: Collection[str]) -> str | None:
    """The label that means a state: a postal code, a number with or without zeros, or a name."""
    if state in labels:
        return state
    return next((label for label in labels if state_names(label) == state_names(state)), None)


def _key(state: str) -> str:
    """The key of a state; a number may have lost its leading zero."""
    text = state.strip().casefold()
    return text.zfill(2) if text.isdecimal() else text


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    place = files("reidrisk.population").joinpath("voter_lists.csv")
    rows = csv.DictReader(place.read_text(encoding="utf-8").splitlines())
    called = [(row["state"], row["fips"], row["name"]) for row in rows]
    return {name.casefold(): names for names in called for name in names}


def _lists(lines: list[str], *, source: str) -> VoterLists:
    reader = csv.DictReader(lines)
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise BadData(
            f"{source} does not have the columns {', '.join(missing)}.",
            hint=f"It needs: {', '.join(COLUMNS)}.",
        )
    found: dict[str, Attacker] = {}
    rows = [(f"{source}, line {reader.line_num}", row) for row in reader]
    asked = [*FIELDS, *_further(reader.fieldnames or (), [row for _, row in rows])]
    for place, row in rows:
        own = {key: (row[key] or "").strip() for key in (*COLUMNS, *asked)}
        attacker = _attacker(own, asked, place)
        for name in (row["state"], row["fips"], row["name"]):
            key = (name or "").strip().casefold()
            if key in found:
                raise BadData(f"{place} repeats a state.", hint="Keep one row per state.")
            if key:
                found[key] = attacker
    return VoterLists(source, found)


def _further(columns: Sequence[str], rows: list[dict[str, str]]) -> list[str]:
    """Additional field columns: those with yes, no or unknown in every row."""
    free = [name for name in columns if name and name not in COLUMNS]
    return [name for name in free if all((row[name] or "").strip() in ANSWERS for row in rows)]


def _attacker(row: dict[str, str], asked: Sequence[str], place: str) -> Attacker:
    birth = row["birth"]
    if birth not in BIRTHS:
        raise InvalidSetting.among(f"{place}, birth,", birth, BIRTHS)
    unknown = {"birth"} if birth in (AT_LEAST_YEAR, "unknown") else set()
    columns = []
    for name in asked:
        if row[name] not in ANSWERS:
            raise InvalidSetting.among(f"{place}, {name},", row[name], ANSWERS)
        if row[name] == "unknown":
            unknown.add(name)
        elif row[name] == "yes":
            columns.append(name)
    year = f" ({row['year']})" if row["year"] else ""
    return Attacker(
        f"voter list of {row['name'] or row['state']}",
        Fields(_birth(birth), tuple(columns)),
        price=_price(row["price"], place),
        source=f"{row['source'] or 'unknown'}{year}",
        unknown=frozenset(unknown),
        answered=frozenset({*asked, "birth"}),
    )


def _birth(said: str) -> Birth | None:
    return "year" if said == AT_LEAST_YEAR else next((part for part in BIRTH if part == said), None)


def _price(text: str, place: str) -> float | None:
    if text in ("", "unknown"):
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidSetting(f"{place}, price, is not a number.", hint="Write 125, or unknown.") from None

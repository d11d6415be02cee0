"""Draft the section `joint`: which parts hold the same people, found by looking at the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.engine.opening import open_table
from reidrisk.errors import ReidRiskError
from reidrisk.relational.config import KEYS, config_of
from reidrisk.relational.database import Database
from reidrisk.text.read import read_documents

LEAST = 0.99
"""The share of people of a part who must be in the other, as for keys between tables."""
MOST_DOCUMENTS = 5_000
"""Documents that are looked at."""
ASKED = """
# What the parts tell together about a person. Until you say it here, the release is not acceptable.
# If parts hold the same people:
# joint:
#   - parts: [{parts}]
#     people: {{{last}: COLUMN}}  # by part: the column or field that names the person
#     known: 2                  # events of a person that the adversary knows, from all parts
# If no person is in two parts:
# joint: {{none: REASON}}
"""
FOUND = """
# What the parts tell together about a person. Found by looking at the keys: read and correct it.
joint:
  - parts: [{parts}]
    people:                    # by part: the column or field that names the person
{people}
    known: 2                   # events of a person that the adversary knows, from all parts
"""
OTHERS = """\
# No link was found for {0}. If their people are in no other part, write:
#  - parts: [{0}]
#    none: REASON
"""


@dataclass(frozen=True, slots=True)
class FoundPeople:
    """Where a part names people who are in another part."""

    part: str
    link: str
    inside: int
    of: int


def joint_lines(parts: Sequence[Mapping[str, Any]], folder: Path) -> str:
    """The section for parts that are about single people; empty if there are fewer than two.

    `parts` are their settings. A section that was found by looking is ready; otherwise it is a comment that
    asks for it.
    """
    names = [str(one["name"]) for one in parts]
    if len(names) < 2:
        return ""
    for one in parts:
        found = _same_people(one, parts, folder)
        if found:
            return _written(one, found, names)
    return ASKED.format(parts=", ".join(names), last=names[-1])


def _written(first: Mapping[str, Any], found: Sequence[FoundPeople], names: Sequence[str]) -> str:
    joined = [str(first["name"]), *(one.part for one in found)]
    people = [
        f"      {one.part}: {one.link}  # {one.inside:,} of {one.of:,} are in {first['name']}"
        for one in found
        if one.link
    ]
    if first["kind"] == "table":
        people.insert(0, f"      {first['name']}: {first['unit']}")
    text = FOUND.format(parts=", ".join(joined), people="\n".join(people))
    others = [name for name in names if name not in joined]
    return text + (OTHERS.format(", ".join(others)) if others else "")


def _same_people(
    first: Mapping[str, Any], parts: Sequence[Mapping[str, Any]], folder: Path
) -> list[FoundPeople]:
    """The other parts that name people of the first one, which must be linked tables or have a unit."""
    try:
        column, keys = _people(first, folder)
    except ReidRiskError:
        return []
    found = []
    for other in parts:
        if other is first:
            continue
        try:
            link = _link(other, column, keys, folder)
        except ReidRiskError:
            continue
        if link is not None:
            found.append(link)
    return found


def _people(part: Mapping[str, Any], folder: Path) -> tuple[str, frozenset[str]]:
    """The column that names the person, and all keys."""
    if part["kind"] == "relational":
        config = config_of(
            {key: part[key] for key in KEYS if part.get(key) is not None}, folder=folder, place=""
        )
        with Database.of(config) as database:
            keys = database.tables.person_keys(database.at(config.person), repeats=config.repeats)
        return config.person.column, frozenset(keys)
    if part["kind"] == "table" and part.get("unit"):
        unit = str(part["unit"])
        return unit, _values(part, unit, folder)
    return "", frozenset()


def _values(part: Mapping[str, Any], column: str, folder: Path) -> frozenset[str]:
    with open_table(folder / str(part["table"])) as table:
        if column not in table.columns:
            return frozenset()
        values = table.tuples((column,)).values[0]
    return frozenset(str(one).strip() for one in values if one is not None)


def _link(part: Mapping[str, Any], column: str, keys: frozenset[str], folder: Path) -> FoundPeople | None:
    """Where another part names people with these keys; None if it does not."""
    name = str(part["name"])
    if part["kind"] == "table":
        for wanted in dict.fromkeys((str(part.get("unit") or column), column)):
            own = _values(part, wanted, folder)
            if _are_inside(own & keys, own):
                return FoundPeople(name, wanted, len(own & keys), len(own))
    if part["kind"] == "text" and part.get("gold"):
        return _in_texts(name, folder / str(part["gold"]), keys)
    return None


def _in_texts(name: str, gold: Path, keys: frozenset[str]) -> FoundPeople | None:
    """The field of documents, or their id, that names people with these keys."""
    seen: dict[str, list[bool]] = {}
    number = 0
    for document in read_documents(gold):
        number += 1
        for field, value in (("id", document.id), *document.about):
            seen.setdefault(field, []).append(value in keys)
        if number == MOST_DOCUMENTS:
            break
    for field, inside in seen.items():
        if len(inside) == number and sum(inside) >= LEAST * number > 0:
            return FoundPeople(name, field, sum(inside), number)
    return None


def _are_inside(inside: frozenset[str], own: frozenset[str]) -> bool:
    return bool(own) and len(inside) >= LEAST * len(own)

"""Crosswalks: what a standard or guidance asks for, and the figure of this assessment that answers it.

Each framework is a file in `data/crosswalks`: its rows name fields of the JSON file. A list without an entry
answers nothing, like a field that is missing; a row without an answer is "not covered". `crosswalks_json`
makes the file beside a report; the annex shows the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from reidrisk.core.audience import INTERNAL, Audience, audience_of
from reidrisk.core.yaml_file import parse_lined_yaml
from reidrisk.report.case import Given, case_of
from reidrisk.report.document import Block, Prose, SectionHeading
from reidrisk.report.documents.outline import OutlineEntry
from reidrisk.report.numbers import count, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.traced import size

FILE = "crosswalks.json"
"""Its name beside a report."""
NOT_COVERED, COVERED = "not covered", "covered"
NAMES = ("iso_27559", "ico_anonymisation", "edpb_pseudonymisation", "ehds_minimisation")
NOT_CHECKED = "not checked against the original"
MOST_SHOWN = 4
"""Values of one figure in the annex; the JSON file has all."""
_STEP = re.compile(
    r"(?P<name>[a-z_0-9]+)(?:\[(?:\*|(?P<key>[a-z_]+)=(?P<value>[^\]]+))\](?P<every>))?(?P<number>#?)"
)
ABOUT = (
    "Each row names what a framework asks for, in our words, and the figures of this assessment that answer "
    "it, with their fields in the JSON file. A row without a figure is not covered: answer it elsewhere. A "
    "crosswalk is no certificate."
)


@dataclass(frozen=True, slots=True)
class FrameworkRow:
    """What a framework asks for, and the fields that may answer it."""

    clause: str
    asks: str
    fields: Mapping[str, str]
    """Path of a field -> what it is."""


@dataclass(frozen=True, slots=True)
class Framework:
    """A standard or guidance, and where we read about it."""

    name: str
    title: str
    source: str
    is_checked: bool
    """Whether the original text was read."""
    rows: tuple[FrameworkRow, ...]


@cache
def framework(name: str) -> Framework:
    """The declaration of a framework."""
    place = files("reidrisk.report").joinpath("data", "crosswalks", f"{name}.yaml")
    given = parse_lined_yaml(place.read_text(encoding="utf-8"), f"{name}.yaml").content
    rows = tuple(FrameworkRow(row["clause"], row["asks"], dict(row["fields"])) for row in given["rows"])
    return Framework(given["name"], given["title"], given["source"], bool(given["checked"]), rows)


def crosswalks(case: Mapping[str, Any]) -> dict[str, Any]:
    """All crosswalks of a case, as JSON types."""
    return {
        "kind": "crosswalks",
        "version": case["version"],
        "audience": audience_of(case),
        "release": case["release"].get("name"),
        "frameworks": [_framework_dict(framework(name), case) for name in NAMES],
    }


def crosswalks_json(given: Given | Sequence[Given], *, audience: Audience = INTERNAL) -> str:
    """The text of `crosswalks.json`: the same for the same results."""
    found = crosswalks(case_of(given, audience=audience))
    return json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _framework_dict(given: Framework, case: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": given.name,
        "title": given.title,
        "source": given.source,
        "checked_against_original": given.is_checked,
        "rows": [_row_dict(row, case) for row in given.rows],
    }


def _row_dict(row: FrameworkRow, case: Mapping[str, Any]) -> dict[str, Any]:
    found = [
        {"figure": meaning, "field": path, "part": part, "value": value}
        for field, meaning in row.fields.items()
        for path, part, value in values_at(field, case)
        if value or not field.endswith("#")
    ]
    return {
        "clause": row.clause,
        "asks": row.asks,
        "status": COVERED if found else NOT_COVERED,
        "figures": found,
    }


def values_at(field: str, case: Mapping[str, Any]) -> Iterator[tuple[str, str | None, Any]]:
    """The values of a field that are there: path, name of the part, value.

    `parts[*]` is every part, `inventory[role=direct identifier]` the entries with this role, and a # at the
    end the number of entries. An empty list counts as 0 entries.

    >>> case = {"parts": [{"name": "a", "judged": {"risk": 0.1}}, {"name": "b", "judged": None}]}
    >>> list(values_at("parts[*].judged.risk", case))
    [('parts[0].judged.risk', 'a', 0.1)]
    >>> list(values_at("parts#", case))
    [('parts', None, 2)]
    """
    found: list[tuple[str, str | None, Any]] = [("", None, case)]
    for step in _STEP.finditer(field):
        found = [one for before in found for one in _next(before, step)]
    yield from ((path, part, value) for path, part, value in found if _is_plain(value))


def _is_plain(value: Any) -> bool:
    return value is not None and not isinstance(value, Mapping | list)


def _next(before: tuple[str, str | None, Any], step: re.Match[str]) -> Iterator[tuple[str, str | None, Any]]:
    path, part, inside = before
    if not isinstance(inside, Mapping) or step["name"] not in inside:
        return
    value, name = inside[step["name"]], f"{path}.{step['name']}".removeprefix(".")
    key, is_list = step["key"], isinstance(value, list)
    entries = list(enumerate(value)) if is_list else []
    if key:
        entries = [(at, one) for at, one in entries if str(one.get(key)) == step["value"]]
    if step["number"]:
        if is_list:
            chosen = [one for _, one in entries] if key else value
            yield (f"{name}[{key}={step['value']}]" if key else name), part, size(chosen, among=value)
    elif step["every"] is not None:
        for at, one in entries:
            owner = one.get("name") if name == "parts" else part
            yield f"{name}[{at}]", owner, one
    else:
        yield name, part, value


def crosswalk_chapter(case: dict[str, Any]) -> tuple[Block, ...]:
    """One table per framework."""
    found: list[Block] = [Prose((ABOUT,))]
    for one in crosswalks(case)["frameworks"]:
        mark = "" if one["checked_against_original"] else f" ({NOT_CHECKED})"
        rows = tuple((f"{row['clause']}: {row['asks']}", _answer(row)) for row in one["rows"])
        covered = sum(row["status"] == COVERED for row in one["rows"])
        found += [
            SectionHeading(one["title"]),
            Prose((f"Source{mark}: {one['source']} Covered: {covered} of {len(rows)} rows.",)),
            Table(
                "What it asks for, and our figures",
                "The field in the JSON file stands in brackets.",
                (
                    Column("heading, and what it asks for", is_prose=True),
                    Column("our figures", is_prose=True),
                ),
                rows,
            ),
        ]
    return tuple(found)


def _answer(row: Mapping[str, Any]) -> str:
    """The figures of a row: each with its first values and its field."""
    if row["status"] == NOT_COVERED:
        return NOT_COVERED
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in row["figures"]:
        field = re.sub(r"\[\d+\]", "[*]", one["field"])
        groups.setdefault((one["figure"], field), []).append(one)
    return "; ".join(f"{figure}: {_values(found)} [{field}]" for (figure, field), found in groups.items())


def _values(found: Sequence[Mapping[str, Any]]) -> str:
    shown = [
        f"{_text(one['value'])} ({one['part']})" if one["part"] else _text(one["value"])
        for one in found[:MOST_SHOWN]
    ]
    left = len(found) - len(shown)
    return ", ".join([*shown, *([f"{left} more"] if left > 0 else [])])


def _text(value: Any) -> str:
    if value is True or value is False:
        return "yes" if value else "no"
    if isinstance(value, float):
        return probability(value)
    return count(value) if isinstance(value, int) else f"{value}"


CROSSWALKS = OutlineEntry("crosswalks", "Crosswalks to standards and guidance", crosswalk_chapter)
"""For the annex of every template."""

"""Fill one messy table from its plan, and write its answer key at the same time."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from reidrisk.demo.entity import pick
from reidrisk.demo.messy.key import RARE, RARE_TEXTS, AnswerKey, FullDetail, KeyedIdentifier, MessyTable
from reidrisk.demo.messy.people import Resident, Rng, choose, filled, some_days
from reidrisk.demo.study.tables import Value, xport_bytes

_SAS_ZERO = date(1960, 1, 1)
Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class MessyFile:
    """How a file is written."""

    delimiter: str = ","
    encoding: str = "utf-8"
    line_end: str = "\n"
    suffix: str = ".csv"
    twice: float = 0.0
    """Share of the rows that occur twice."""
    padded: float = 0.0
    """Share of the cells with trailing spaces, in one column of three."""


@dataclass(slots=True)
class _Draft:
    """What is known of a table while its columns are filled."""

    who: Sequence[Resident]
    rng: Rng
    markers: tuple[str, ...]
    columns: dict[str, list[str]] = field(default_factory=dict)
    direct: dict[str, tuple[str, ...]] = field(default_factory=dict)
    held: list[tuple[int, KeyedIdentifier]] = field(default_factory=list)
    details: list[FullDetail] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)
    person: str = ""
    names: dict[str, str] = field(default_factory=dict)
    """Columns of first and last names."""

    def some(self, share: float) -> list[int]:
        """Rows chosen at random."""
        drawn = self.rng.choice(len(self.who), round(share * len(self.who)), replace=False)
        return [int(at) for at in drawn]


@cache
def _plans() -> dict[str, Any]:
    text = Path(__file__).with_name("tables.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def fill(name: str, who: Sequence[Resident], values: Columns, *, rng: Rng) -> MessyTable:
    """Fill a table with one row per entry of `who`; `values` are those that the plan leaves to the code."""
    plan = _plans()[name]
    form = MessyFile(**plan["file"])
    draft = _Draft(who, rng, tuple(plan["markers"]))
    for column, rules in plan["columns"].items():
        notes = plan.get("notes", {})
        _add(draft, column, rules | {"texts": notes.get(column, notes)}, values.get(column))
    _join_names(draft)
    for column in [column for column in draft.columns if column not in draft.direct][::3]:
        for at in draft.some(form.padded):
            draft.columns[column][at] += "  "
    return _table(name, draft, form)


def _add(draft: _Draft, column: str, rules: Mapping[str, Any], values: Sequence[Any] | None) -> None:
    """Add one column and what the key has to say about it."""
    name = pick(rules["as"].split("|"), rng=draft.rng)
    if "notes" in rules:
        _add_notes(draft, name, rules)
        return
    cells = [str(cell) for cell in (_values(draft, column, rules) if values is None else values)]
    if "stable" in rules:
        first = {one.number: cell for one, cell in zip(reversed(draft.who), reversed(cells), strict=True)}
        cells = [first[one.number] for one in draft.who]
    for at in draft.some(rules.get("missing", 0)):
        cells[at] = pick(draft.markers, rng=draft.rng)
    draft.columns[name] = cells
    if "number" in rules:
        draft.numbers.add(name)
    if "detail" in rules:
        _add_detail(draft, FullDetail(name, rules["detail"], tuple(rules.get("styles", ()))))
    kind = "id" if "person" in rules else rules.get("direct")
    if kind:
        draft.direct[name] = (kind,)
        known = [(at, KeyedIdentifier(kind, name, cell)) for at, cell in enumerate(cells)]
        draft.held += [(at, one) for at, one in known if one.value not in draft.markers]
    if "person" in rules:
        draft.person = name
    if kind == "name":
        draft.names[column] = name


def _values(draft: _Draft, column: str, rules: Mapping[str, Any]) -> Sequence[Any]:
    """The values of a column as its plan says."""
    rng, number = draft.rng, len(draft.who)
    if "of" in rules:
        return [_patterned(rules["of"], one) for one in draft.who]
    if "pool" in rules:
        pool = rules["pool"] if isinstance(rules["pool"], list) else _plans()["pools"][rules["pool"]]
        return choose(pool, number, rng=rng, skew=rules.get("skew", 1))
    if "days" in rules or column == "born":
        born = [one.born for one in draft.who]
        days = some_days(number, rng=rng, span=rules["days"]) if "days" in rules else born
        return written(days, rules["styles"], rng=rng)
    if "digits" in rules:
        return [filled(rules["digits"], rng=rng) for _ in draft.who]
    if column == "sex":
        return _sexes(draft.who, rules.get("women_men"), rng=rng)
    mean, spread = rules["normal"] if "normal" in rules else rules["lognormal"]
    drawn = rng.normal(mean, spread, number)
    drawn = drawn if "normal" in rules else np.exp(drawn)
    cells = [format(value, rules["form"]) for value in drawn]
    return [cell.replace(".", ",") for cell in cells] if "comma" in rules else cells


def _patterned(pattern: str, one: Resident) -> str:
    return pattern.format(**{name: getattr(one, name) for name in _fields(pattern)})


@cache
def _fields(pattern: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"{(\w+)}", pattern)))


def _sexes(who: Sequence[Resident], words: Sequence[str] | None, *, rng: Rng) -> list[str]:
    """Sex in two given words, or as clerks write it: mostly one letter, sometimes not."""
    if words:
        return [words[one.sex == "M"] for one in who]
    spelled = {"F": ("F", "f", "Female", "F "), "M": ("M", "m", "Male", "M ")}
    how = choose(range(4), len(who), rng=rng, skew=3.5)
    return [spelled[one.sex][way] for one, way in zip(who, how, strict=True)]


def written(days: Sequence[date | None], styles: Sequence[str], *, rng: Rng) -> list[str]:
    """Dates as text; the first style is by far the most common one."""
    how = choose(styles, len(days), rng=rng, skew=4)
    cells = [day.strftime(style) if day else "" for day, style in zip(days, how, strict=True)]
    return [cell.upper() if styles[0] == "%d%b%Y" else cell for cell in cells]


_SLOTS = {
    "name": ("name", "{first} {last}", "{last}, {first}"),
    "kin": ("name", "{relation} {kin_first} {kin_last}", "{kin_last}, {kin_first}"),
    "phone": ("phone", "{phone}", "{phone}"),
    "mail": ("e-mail", "{mail}", "{mail}"),
    "street": ("address", "{street}", "{street}"),
    "id": ("id", "{number}", "{number}"),
}
"""Of each slot in a note: the kind of identifier, what the note says, and what the key lists."""


def _add_notes(draft: _Draft, name: str, rules: Mapping[str, Any]) -> None:
    """Add free text; some of it names the person, a relative, a phone."""
    rng, kinds, cells = draft.rng, set[str](), list[str]()
    for at, one in enumerate(draft.who):
        text = pick(rules["texts"]["naming" if rng.random() < rules["notes"] else "plain"], rng=rng)
        used = {slot: _SLOTS[slot] for slot in _fields(text)}
        cells.append(text.format(**{slot: _patterned(said, one) for slot, (_, said, _) in used.items()}))
        for kind, _, listed in used.values():
            draft.held.append((at, KeyedIdentifier(kind, name, _patterned(listed, one))))
            kinds.add(kind)
    draft.columns[name], draft.direct[name] = cells, tuple(sorted(kinds))


def _add_detail(draft: _Draft, detail: FullDetail) -> None:
    """List the values at full detail; of places and occupations, only those that few people share."""
    people: dict[str, set[str]] = defaultdict(set)
    for one, cell in zip(draft.who, draft.columns[detail.column], strict=True):
        normal = detail.normal(cell)
        if normal and cell not in draft.markers:
            people[normal].add(one.number)
    most = RARE if detail.kind in RARE_TEXTS else len(draft.who) + 1
    values = frozenset(value for value, several in people.items() if len(several) < most)
    if values:
        draft.details.append(replace(detail, values=values))


def _join_names(draft: _Draft) -> None:
    """First and last names in two columns are also listed as one name."""
    if {"first", "last"} <= draft.names.keys():
        column = draft.names["last"]
        for at, one in enumerate(draft.who):
            draft.held.append((at, KeyedIdentifier("name", column, f"{one.last}, {one.first}")))


def _table(name: str, draft: _Draft, form: MessyFile) -> MessyTable:
    """Put the columns in almost the planned order, repeat some rows, and write the file."""
    places = np.arange(len(draft.columns)) + 3 * draft.rng.random(len(draft.columns))
    heads = tuple(np.array(list(draft.columns))[np.argsort(places)].tolist())
    order = sorted([*range(len(draft.who)), *draft.some(form.twice)])
    rows = tuple(tuple(draft.columns[head][at] for head in heads) for at in order)
    by_person = defaultdict(list)
    for at, known in draft.held:
        by_person[draft.columns[draft.person][at]].append(known)
    identifiers = {who: tuple(dict.fromkeys(several)) for who, several in by_person.items()}
    key = AnswerKey(draft.person, draft.direct, tuple(draft.details), identifiers, heads, rows)
    content = _transport(draft, key, name) if form.suffix == ".xpt" else _delimited(key, form)
    return MessyTable(name, name + form.suffix, key, content)


def _transport(draft: _Draft, key: AnswerKey, name: str) -> bytes:
    columns: dict[str, list[Value]] = {}
    for head, *cells in zip(key.columns, *key.rows, strict=True):
        if head.endswith("DT"):
            columns[head] = [_sas_day(cell) for cell in cells]
        elif head in draft.numbers:
            columns[head] = [float(cell) if cell not in draft.markers else None for cell in cells]
        else:
            columns[head] = list(cells)
    return xport_bytes(name.upper()[:8], columns, {})


def _sas_day(cell: str) -> float | None:
    return float((date.fromisoformat(cell) - _SAS_ZERO).days) if cell[:1].isdigit() else None


def _delimited(key: AnswerKey, form: MessyFile) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=form.delimiter, lineterminator=form.line_end)
    writer.writerow(key.columns)
    writer.writerows(key.rows)
    return text.getvalue().encode(form.encoding)

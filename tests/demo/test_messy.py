"""Twelve messy tables, their answer keys, and the checker of released files."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from reidrisk.demo.messy import AnswerKey, KeyLeak, MessyTable, leaks, messy_tables
from reidrisk.demo.messy.key import DATES, RARE, RARE_TEXTS, fold
from reidrisk.demo.messy.leaks import read_rows
from reidrisk.demo.messy.sheet import _plans
from reidrisk.errors import BadData

NAMES = (
    *("admissions", "claims", "lab_results", "survey", "registry", "pharmacy"),
    *("sasdata", "krankenhaus", "registre", "urgencias", "medicaid", "appointments"),
)
SEED = 11
Change = Callable[[str, list[str]], Sequence[str] | None]
"""A new column in place of an old one; None drops it."""


@cache
def tables(seed: int) -> dict[str, MessyTable]:
    return {table.name: table for table in messy_tables(seed)}


@pytest.fixture(params=NAMES)
def table(request: pytest.FixtureRequest) -> MessyTable:
    return tables(SEED)[request.param]


def release(table: MessyTable, folder: Path, change: Change) -> tuple[KeyLeak, ...]:
    """Leaks of a release in which each column was changed, with the rows in another order."""
    columns = {}
    for at, name in enumerate(table.key.columns):
        cells = change(name, [row[at] for row in table.key.rows])
        if cells is not None:
            columns[name] = cells
    rows = list(zip(*columns.values(), strict=True))
    order = np.random.default_rng(5).permutation(len(rows))
    path = folder / "released.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([tuple(columns), *(rows[at] for at in order)])
    return leaks(path, table.key)


def dates(key: AnswerKey) -> set[str]:
    return {detail.column for detail in key.quasi if detail.kind in DATES}


def test_there_are_twelve_of_a_realistic_size() -> None:
    assert tuple(tables(SEED)) == NAMES
    for table in tables(SEED).values():
        assert 300 <= len(table.key.rows) <= 3_000
        assert len(set(table.key.columns)) == len(table.key.columns) >= 11


def test_no_two_columns_of_a_table_can_get_the_same_name() -> None:
    for name in NAMES:
        owners: dict[str, set[str]] = {}
        for column, rules in _plans()[name]["columns"].items():
            for one in rules["as"].split("|"):
                owners.setdefault(one.casefold(), set()).add(column)
        assert all(len(columns) == 1 for columns in owners.values()), name


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_layout() -> None:
    again, other = messy_tables(SEED), tables(SEED + 1)
    for table in again:
        assert table.content == tables(SEED)[table.name].content
        assert table.content != other[table.name].content
    assert sum(table.key.columns != other[table.name].key.columns for table in again) >= 11


def test_the_file_holds_the_rows_of_the_key(table: MessyTable, tmp_path: Path) -> None:
    columns, rows = read_rows(table.write(tmp_path / "new"))
    assert tuple(columns) == table.key.columns
    assert len(rows) == len(table.key.rows)
    if table.name != "sasdata":  # a SAS file stores numbers as numbers
        assert all(tuple(row) == known for row, known in zip(rows, table.key.rows, strict=True))


def test_every_listed_value_occurs_in_its_column(table: MessyTable, tmp_path: Path) -> None:
    columns, rows = read_rows(table.write(tmp_path))
    key = table.key
    assert key.person is not None
    at = {name: place for place, name in enumerate(columns)}
    of_person: dict[str, list[list[str]]] = {}
    for row in rows:
        of_person.setdefault(row[at[key.person]], []).append(row)
    assert of_person.keys() == key.identifiers.keys()
    absent = 0
    for who, several in key.identifiers.items():
        for known in several:
            cells = [
                fold(" ".join(row) if "," in known.value else row[at[known.column]]) for row in of_person[who]
            ]
            parts = [part.strip() for part in fold(known.value).split(",")]
            parts = parts if known.kind == "name" else [fold(known.value)]
            absent += not any(all(part in cell for part in parts) for cell in cells)
    for detail in key.quasi:
        found = {detail.normal(row[at[detail.column]]) for row in rows}
        assert detail.values, detail.column
        absent += len(detail.values - found)
    assert absent == 0


def test_every_direct_column_has_identifiers_and_every_kind_is_listed(table: MessyTable) -> None:
    found: dict[str, set[str]] = {}
    for several in table.key.identifiers.values():
        for known in several:
            found.setdefault(known.column, set()).add(known.kind)
    assert {name: set(kinds) for name, kinds in table.key.direct.items()} == found


def test_places_and_occupations_are_listed_only_if_few_people_share_them(table: MessyTable) -> None:
    key = table.key
    assert key.person is not None
    who = key.columns.index(key.person)
    for detail in key.quasi:
        if detail.kind in RARE_TEXTS:
            at = key.columns.index(detail.column)
            people: dict[str | None, set[str]] = {}
            for row in key.rows:
                people.setdefault(detail.normal(row[at]), set()).add(row[who])
            assert all(len(people[value]) < RARE for value in detail.values)


def test_the_raw_file_leaks_everything_that_the_key_lists(table: MessyTable, tmp_path: Path) -> None:
    found = leaks(table.write(tmp_path), table.key)
    kinds = {(leak.column, leak.kind) for leak in found}
    listed = {(name, kind) for name, several in table.key.direct.items() for kind in several}
    assert kinds >= listed | {(detail.column, detail.kind) for detail in table.key.quasi}
    assert {leak.column for leak in found} == set(table.key.listed)


@pytest.mark.parametrize("seed", [SEED, 2])
def test_nothing_leaks_without_the_listed_columns(seed: int, tmp_path: Path) -> None:
    for table in tables(seed).values():
        listed = table.key.listed
        assert release(table, tmp_path, lambda name, cells, out=listed: None if name in out else cells) == ()  # type: ignore[misc]


def test_each_listed_column_leaks_alone(table: MessyTable, tmp_path: Path) -> None:
    for listed in table.key.listed:
        found = release(table, tmp_path, lambda name, cells, kept=listed: cells if name == kept else None)  # type: ignore[misc]
        assert {leak.column for leak in found} == {listed}


def test_shifted_dates_months_pseudonyms_and_short_codes_are_no_leak(
    table: MessyTable, tmp_path: Path
) -> None:
    key = table.key
    details = {detail.column: detail for detail in key.quasi}
    rng = np.random.default_rng(3)
    whose = people(key)
    days = rng.choice([-1, 1], len(whose)) * rng.integers(1, 180, len(whose))
    offsets = {who: timedelta(days=int(more)) for who, more in zip(whose, days, strict=True)}
    codes = {who: f"{number:06x}" for number, who in enumerate(sorted(offsets), start=1000)}
    weekly = rng.random() < 0.5

    def changed(name: str, cells: list[str]) -> Sequence[str] | None:
        if name == key.person:
            return [codes[who] for who in whose]
        if name in dates(key):
            moved = zip(map(details[name].normal, cells), whose, strict=True)
            return [shifted(day, offsets[who], weekly=weekly) if day else "" for day, who in moved]
        if name in details and details[name].kind == "postal code":
            return [cell.strip()[:3] for cell in cells]
        if name in details and details[name].kind == "age over 89":
            return ["90" if int(cell) > 89 else cell for cell in cells]
        return None if name in key.listed else cells

    assert release(table, tmp_path, changed) == ()


def people(key: AnswerKey) -> list[str]:
    assert key.person is not None
    return [row[key.columns.index(key.person)] for row in key.rows]


def shifted(day: str, offset: timedelta, *, weekly: bool) -> str:
    weeks = offset - timedelta(days=offset.days % 7 or 7)
    return (date.fromisoformat(day) + (weeks if weekly else offset)).isoformat()


@pytest.mark.parametrize("first", ["month", "week"])
def test_dates_at_the_start_of_a_period_are_not_full_detail(
    table: MessyTable, tmp_path: Path, first: str
) -> None:
    key = table.key
    details = {detail.column: detail for detail in key.quasi}

    def start(cell: str) -> str:
        day = date.fromisoformat(cell)
        return str(day.replace(day=1) if first == "month" else day - timedelta(days=day.weekday()))

    def changed(name: str, cells: list[str]) -> Sequence[str] | None:
        if name in dates(key):
            return [start(day) if day else "" for day in map(details[name].normal, cells)]
        return None if name in key.listed else cells

    assert release(table, tmp_path, changed) == ()


@pytest.mark.parametrize("others", [True, False])
def test_dates_in_another_style_leak_even_if_most_are_suppressed(
    table: MessyTable, tmp_path: Path, *, others: bool
) -> None:
    """With the other columns, rows are matched; without them, the days themselves are compared."""
    key = table.key
    details = {detail.column: detail for detail in key.quasi}

    def changed(name: str, cells: list[str]) -> Sequence[str] | None:
        if name in dates(key):
            days = [details[name].normal(cell) or "" for cell in cells]
            return [day if number % 3 == 0 else day[:7] for number, day in enumerate(days)]
        return cells if others and name not in key.listed else None

    found = release(table, tmp_path, changed)
    assert {leak.column for leak in found} == dates(key)


def test_one_identifier_in_one_cell_is_found(tmp_path: Path) -> None:
    table = tables(SEED)["admissions"]
    for kind, said in one_of_each_kind(table.key):
        path = tmp_path / "released.csv"
        path.write_text(f"sex,remark\nF,{said}\nM,none\n", encoding="utf-8")
        assert leaks(path, table.key) == (KeyLeak("remark", kind, 1),), kind


def one_of_each_kind(key: AnswerKey) -> Iterator[tuple[str, str]]:
    """Identifiers written otherwise than in the raw file."""
    seen = set()
    for known in (one for several in key.identifiers.values() for one in several):
        if known.kind not in seen:
            seen.add(known.kind)
            digits = re.sub(r"\D", "", known.value)
            last, _, first = known.value.partition(", ")
            texts = {
                "name": f"seen with {first.upper()} {last.upper()}",
                "phone": f"tel {digits[:3]} {digits[3:6]} {digits[6:]} ok",
                "id": digits.lstrip("0"),
                "e-mail": f"<{known.value.upper()}>",
                "address": f"at {known.value.lower()} now",
            }
            yield known.kind, f'"{texts[known.kind]}"'
    assert seen == {"name", "phone", "id", "e-mail", "address"}


def test_first_names_short_numbers_and_hashes_are_not_counted(tmp_path: Path) -> None:
    table = tables(SEED)["registry"]
    key = table.key
    names = [known.value for several in key.identifiers.values() for known in several if "," in known.value]
    firsts = sorted({name.partition(", ")[2] for name in names})
    rng = np.random.default_rng(1)
    rows = [
        f"{firsts[at % len(firsts)]},{rng.integers(10**6)},{rng.bytes(16).hex()},{at}" for at in range(2_000)
    ]
    path = tmp_path / "released.csv"
    path.write_text("\n".join(["word,number,token,seq", *rows]) + "\n", encoding="utf-8")
    assert leaks(path, key) == ()


def test_nothing_shows_a_value(table: MessyTable, tmp_path: Path) -> None:
    shown = repr(table) + repr(table.key) + repr(leaks(table.write(tmp_path), table.key))
    shown += "".join(repr(known) for several in table.key.identifiers.values() for known in several[:1])
    values = {known.value for several in table.key.identifiers.values() for known in several}
    values |= {value for detail in table.key.quasi for value in detail.values}
    assert sum(value in shown for value in values if len(value) > 4) == 0


def test_the_mess_is_there() -> None:
    found = tables(SEED)
    for name in ("admissions", "survey", "registre", "medicaid"):
        assert found[name].content.startswith(b"\xef\xbb\xbf")
    with pytest.raises(UnicodeDecodeError):
        found["krankenhaus"].content.decode("utf-8")
    assert found["sasdata"].content.startswith(b"HEADER RECORD")
    assert re.search(rb'"[^"]*\n[^"]*"', found["admissions"].content)
    for name in ("claims", "lab_results", "pharmacy", "appointments"):
        assert len(set(people(found[name].key))) < 0.7 * len(found[name].key.rows)
    columns = [set(column) for table in found.values() for column in zip(*table.key.rows, strict=True)]
    assert sum(column == {""} for column in columns) >= 6
    assert sum(len(column) == 1 for column in columns) >= 10
    assert any(cell.endswith("  ") for column in columns for cell in column)
    assert all(
        any(cell == marker for column in columns for cell in column) for marker in ("unknown", "N/A", "-9")
    )


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "released.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadData, match=r"cannot read 'released\.parquet'"):
        leaks(tmp_path / "released.parquet", tables(SEED)["claims"].key)

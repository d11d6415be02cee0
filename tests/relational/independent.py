# ruff: noqa: S608 - names of tables and columns, in a database in memory
"""A release looked at without our code: DuckDB, pyreadstat and JSON alone, and without the key.

People are told apart by the distances between all their dates, which a release keeps.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pyreadstat

SUFFIXES = (".csv.gz", ".csv", ".parquet", ".xpt", ".ndjson.gz", ".ndjson")
DAY = r"\d{4}-\d\d-\d\d"
LONG = 6
"""Characters of the shortest text that is looked for in others."""
EXPRESSION = re.compile(r"\w+\(\s*(\w+)\s*(?:,.*)?\)")


@dataclass(slots=True)
class Looked:
    """What was counted; the first figures must be 0."""

    lost_keys: int = 0
    """Rows that name a parent that is not there."""
    other_intervals: int = 0
    """People whose distances between dates are nobody's in the originals."""
    unmoved: int = 0
    """People who can be told apart by these, and whose dates did not move."""
    ids_left: int = 0
    """Released keys that are original ones, and texts that contain the id of a person."""
    texts_left: int = 0
    """Released values that stood in columns that are not released, and nowhere else."""
    people: int = 0
    matched: int = 0
    """People who can be told apart by the distances."""
    rows: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def faults(self) -> int:
        return self.lost_keys + self.other_intervals + self.unmoved + self.ids_left + self.texts_left


def look(source: Path, released: Path) -> Looked:
    """Compare the tables of a release with the originals."""
    content = json.loads((released / "treatment.json").read_text(encoding="utf-8"))
    with duckdb.connect(":memory:") as base:
        originals = {name: path for name, path in files_of(source).items() if name in content["tables"]}
        read(base, "o", originals)
        read(base, "r", {name: released / file for name, file in content["tables"].items()})
        return _Look(base, content).found()


def files_of(folder: Path) -> dict[str, Path]:
    """The tables of a folder by name."""
    found = {}
    for path in sorted(folder.iterdir()):
        suffix = next((one for one in SUFFIXES if path.name.endswith(one)), None)
        if suffix is not None:
            found[path.name[: -len(suffix)].lower()] = path
    return found


def read(base: duckdb.DuckDBPyConnection, side: str, files: Mapping[str, Path]) -> None:
    """Make a table of texts of every file; whole numbers have no decimals."""
    base.execute(f"CREATE SCHEMA {side}")
    for name, path in files.items():
        if path.name.endswith(".xpt"):
            frame = pyreadstat.read_xport(str(path), encoding="WINDOWS-1252")[0]
            rows = base.from_df(frame)
        elif path.name.endswith(".parquet"):
            rows = base.read_parquet(str(path))
        else:
            rows = base.read_csv(str(path), all_varchar=True)
        cells = []
        for column in rows.columns:
            bare = EXPRESSION.fullmatch(column)
            text = f'trim(CAST("{column}" AS VARCHAR))'
            text = f"nullif(nullif(regexp_replace({text}, '^(-?\\d+)\\.0$', '\\1'), ''), 'nan')"
            cells.append(f'{text} AS "{bare[1] if bare else column}"')
        rows.project(", ".join(cells)).create(f'{side}."{name}"')


class _Look:
    def __init__(self, base: duckdb.DuckDBPyConnection, content: Mapping[str, Any]) -> None:
        self._base, self._content = base, content
        self._person = content["person"].split(".", 1)
        self._keys = [
            (child.split(".", 1), parent.split(".", 1)) for child, parent in content["keys"].items()
        ]
        self._there = {
            (side, table, column)
            for side, table, column in base.execute(
                "SELECT table_schema, table_name, column_name FROM information_schema.columns"
            ).fetchall()
        }

    def found(self) -> Looked:
        table, key = self._person
        result = Looked(people=self._number(f'SELECT count(DISTINCT "{key}") FROM r."{table}"'))
        result.lost_keys = self._lost_keys()
        result.other_intervals, result.matched, result.unmoved = self._intervals()
        result.ids_left = self._ids()
        result.texts_left = self._texts()
        for name in self._content["tables"]:
            then, now = (self._number(f'SELECT count(*) FROM {side}."{name}"') for side in "or")
            result.rows[name] = (then, now)
        return result

    def _number(self, sql: str) -> int:
        row = self._base.execute(sql).fetchone()
        return int(row[0] or 0) if row else 0

    def _has(self, side: str, at: list[str]) -> bool:
        return (side, at[0], at[1]) in self._there

    def _lost_keys(self) -> int:
        return sum(
            self._number(
                f'SELECT count(*) FROM r."{child[0]}" AS c WHERE c."{child[1]}" IS NOT NULL AND '
                f'c."{child[1]}" NOT IN (SELECT "{parent[1]}" FROM r."{parent[0]}")'
            )
            for child, parent in self._keys
            if self._has("r", child) and self._has("r", parent)
        )

    def _owner(self, table: str) -> str | None:
        if table == self._person[0]:
            return str(self._person[1])
        return next(
            (str(child[1]) for child, parent in self._keys if child[0] == table and parent == self._person),
            None,
        )

    def _dated(self) -> Iterator[tuple[list[str], str]]:
        """Columns of dates that are in both, and the columns of their people."""
        for one in self._content["columns"]:
            at, owner = [one["table"], one["column"]], self._owner(one["table"])
            if one["action"] == "date" and owner and self._has("o", at) and self._has("r", at):
                yield at, owner

    def _signatures(self, side: str) -> str:
        parts = []
        for at, owner in self._dated():
            cell = f'left("{at[1]}", 10)'
            parts.append(
                f"SELECT \"{owner}\" AS k, '{at[0]}.{at[1]}' AS c, CAST({cell} AS DATE) - DATE "
                f"'1970-01-01' AS d FROM {side}.\"{at[0]}\" WHERE regexp_full_match({cell}, '{DAY}')"
            )
        every = " UNION ALL ".join(parts)
        people = f'SELECT "{self._person[1]}" FROM {side}."{self._person[0]}"'
        since = f"d > last - 365.2425 * {self._content['dates']['oldest'] + 1}"
        own = f"SELECT *, max(d) OVER (PARTITION BY k) AS last FROM ({every}) WHERE k IN ({people})"
        return (
            "SELECT k, min(first) AS first, md5(string_agg(c || (d - first), ',' ORDER BY c, d)) AS s FROM "
            f"(SELECT *, min(d) OVER (PARTITION BY k) AS first FROM ({own}) WHERE {since}) GROUP BY k"
        )

    def _intervals(self) -> tuple[int, int, int]:
        if not any(self._dated()):
            return 0, 0, 0
        for side in ("o", "r"):
            self._base.execute(f"CREATE TABLE {side}.signature AS {self._signatures(side)}")
        odd = self._number(
            "SELECT count(*) FROM (SELECT s FROM r.signature EXCEPT ALL SELECT s FROM o.signature)"
        )
        single = "SELECT s, any_value(first) AS first FROM {}.signature GROUP BY s HAVING count(*) = 1"
        pairs = f"({single.format('o')}) AS a JOIN ({single.format('r')}) AS b USING (s)"
        return (
            odd,
            self._number(f"SELECT count(*) FROM {pairs}"),
            self._number(f"SELECT count(*) FROM {pairs} WHERE a.first = b.first"),
        )

    def _ids(self) -> int:
        left = 0
        for one in self._content["columns"]:
            at = [one["table"], one["column"]]
            renewed = one["action"] in ("person", "entity", "number")
            if renewed and self._has("o", at) and self._has("r", at):
                left += self._number(
                    f'SELECT count(DISTINCT "{at[1]}") FROM r."{at[0]}" WHERE "{at[1]}" IN '
                    f'(SELECT "{at[1]}" FROM o."{at[0]}")'
                )
        table, key = self._person
        ids = self._base.execute(
            f'SELECT DISTINCT "{key}" FROM o."{table}" WHERE length("{key}") >= {LONG}'
        ).fetchall()
        texts = "\0".join(sorted(self._values("r")))
        return left + sum(one in texts for (one,) in ids)

    def _values(self, side: str, actions: tuple[str, ...] | None = None) -> set[str]:
        """The texts of some columns that are not numbers."""
        found: set[str] = set()
        for one in self._content["columns"]:
            name = one["released_as"] or one["column"] if side == "r" else one["column"]
            if (side, one["table"], name) in self._there and (actions is None or one["action"] in actions):
                rows = self._base.execute(
                    f'SELECT DISTINCT "{name}" FROM {side}."{one["table"]}" WHERE length("{name}") >= {LONG} '
                    f'AND TRY_CAST("{name}" AS DOUBLE) IS NULL'
                ).fetchall()
                found |= {value for (value,) in rows}
        return found

    def _texts(self) -> int:
        gone = self._values("o", ("drop", "blank")) - self._values("o", ("keep", "rare", "labels", "by_name"))
        dates = {value for value in gone if re.match(DAY, value)}
        return len((gone - dates) & self._values("r"))


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file, packed or not."""
    if path.name.endswith(".gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from file
    else:
        with path.open(encoding="utf-8") as file:
            yield from file


def look_at_resources(source: Path, released: Path) -> Looked:
    """Compare the resources of FHIR with the originals."""
    before, after = (
        {name: [json.loads(line) for line in lines_of(path)] for name, path in files_of(folder).items()}
        for folder in (source, released)
    )
    result = Looked(people=len(after["patient"]))
    result.rows = {name: (len(before[name]), len(after[name])) for name in after}
    known = {f"{one['resourceType']}/{one['id']}" for some in after.values() for one in some}
    result.lost_keys = sum(
        ref not in known
        for some in after.values()
        for one in some
        for key, ref in walked(one)
        if key == "reference" and isinstance(ref, str) and ref.split("/")[0] in {"Patient", "Device"}
    )
    dated = {key for some in after.values() for one in some for key, value in walked(one) if is_day(value)}
    old, new = (_resource_intervals(some, dated) for some in (before, after))
    theirs, mine = (Counter(sign for sign, _ in side.values()) for side in (old, new))
    result.other_intervals = sum((mine - theirs).values())
    firsts = {sign: first for sign, first in old.values() if theirs[sign] == 1}
    pairs = [(firsts[sign], first) for sign, first in new.values() if sign in firsts and mine[sign] == 1]
    result.matched, result.unmoved = len(pairs), sum(a == b for a, b in pairs)
    text = "\n".join(json.dumps(one, ensure_ascii=False) for some in after.values() for one in some)
    ids = {one["id"] for some in before.values() for one in some}
    result.ids_left = sum(one in text for one in ids)
    result.texts_left = sum(value in text for value in _identifying(before["patient"]))
    return result


def walked(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a resource with the name of its element."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from walked(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from walked(inner, key)
    else:
        yield key, value


def is_day(value: Any) -> bool:
    """Whether a value is a date with a day, with or without a time."""
    return isinstance(value, str) and re.match(rf"{DAY}(T|$)", value) is not None


def _resource_intervals(
    tables: Mapping[str, list[dict[str, Any]]], dated: set[str]
) -> dict[str, tuple[str, int]]:
    """By patient: the distances between the days of released elements, and the first day."""
    days: dict[str, list[tuple[str, int]]] = {}
    for name, some in tables.items():
        for one in some if name != "patient" else ():
            about = one.get("patient") or one.get("subject") or {}
            person = str(about.get("reference", "")).rpartition("/")[2]
            for key, value in walked(one):
                if person and key in dated and is_day(value):
                    days.setdefault(person, []).append((key, date.fromisoformat(value[:10]).toordinal()))
    found = {}
    for person, own in days.items():
        first = min(day for _, day in own)
        found[person] = (repr(sorted((key, day - first) for key, day in own)), first)
    return found


def _identifying(patients: list[dict[str, Any]]) -> set[str]:
    """Names, phone numbers, addresses and record numbers of patients."""
    found = set()
    for one in patients:
        for element in ("name", "telecom", "address", "identifier"):
            for key, value in walked(one.get(element, [])):
                if key in ("family", "given", "value", "line") and isinstance(value, str):
                    found.add(value)
    return {value for value in found if len(value) >= LONG}

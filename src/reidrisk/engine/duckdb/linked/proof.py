"""A written release is read again and checked by plain SQL; nothing here is shared with the writing.

Old and new keys of people come from outside: Python computed them from the key file. Dates are checked in
`proof_dates.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.linked.database import LinkedTables, opened_in
from reidrisk.engine.duckdb.linked.proof_dates import DateProof, said
from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.types import TEXT
from reidrisk.engine.linked import LinkedProof, ProofCheck, ProofPlan, TableColumn
from reidrisk.engine.settings import ScanSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONG = 6
"""Characters of the shortest id that is searched for inside other texts."""
REPLACED = ("person", "entity", "number")


def prove(
    before: LinkedTables,
    plan: ProofPlan,
    people: tuple[list[str], list[str]],
    offsets: NDArray[np.int64] | None,
) -> LinkedProof:
    """Check the files that a release wrote."""
    watched = before.session.watched.found
    sources = dict(watched)
    after = opened_in(before.session, dict(plan.files), ScanSettings())
    watched.clear()  # the written files get other names when all of them are complete
    watched.update(sources)
    names = before.session.work_name()
    olds, news = people
    arrays: dict[str, NDArray[np.object_] | NDArray[np.int64]] = {
        "old": np.array(olds, dtype=object),
        "new": np.array(news, dtype=object),
        "days": np.zeros(len(olds), dtype=np.int64) if offsets is None else offsets,
    }
    with without_values("people"):
        before.session.from_arrays(arrays).create_view(names)
    proof = TablesProof(before, after, plan, names, keyed=offsets is not None)
    dates = DateProof(proof)
    checks = tuple(proof.checks(dates))
    return LinkedProof(proof.released(), checks, dates.narrowed)


@dataclass(eq=False)
class TablesProof:
    """The written files beside the originals."""

    before: LinkedTables
    after: LinkedTables
    plan: ProofPlan
    people: str
    """The table of old and new keys."""
    keyed: bool

    def checks(self, dates: DateProof) -> Iterator[ProofCheck]:
        """Check everything, and dates by their own proof."""
        yield self._columns()
        yield self._people()
        yield self._keys()
        yield self._named_keys()
        yield self._declared_keys()
        yield self._rows()
        yield from dates.checks()
        yield self._alike()
        yield self._twins()
        yield self._no_ids()
        yield self._no_ids_inside()
        yield self._emptied()

    # Small helpers.

    def number(self, sql: str, place: str = "The release") -> int:
        """The one number of a query."""
        return int(self.before.one(sql, place)[0] or 0)

    def check(self, name: str, title: str, checked: int, violations: int, what: str) -> ProofCheck:
        """What was checked; it holds without violations."""
        return ProofCheck(name, title, violations == 0, what, checked, violations)

    def released(self) -> int:
        """People who are in the release, or rows of their table if its key is not released."""
        at = self.plan.person
        if not self._is_there(at):
            return self.number(f"SELECT count(*) FROM {self.after.views[at.table]}")
        return self.number(f"SELECT count(DISTINCT {quoted(at.column)}) FROM {self.after.views[at.table]}")

    def owner(self, tables: LinkedTables, table: str) -> str | None:
        """SQL of the key of the person of a row, if the table has it in a column of its own."""
        if table == self.plan.person.table and self.plan.person.column in tables.tables[table].columns:
            return f"CAST({quoted(self.plan.person.column)} AS VARCHAR)"
        for link in self.plan.keys:
            leads = link.child.table == table and link.parent == self.plan.person
            if leads and link.child.column in tables.tables[table].columns:
                return f"CAST({quoted(link.child.column)} AS VARCHAR)"
        return None

    def both(self) -> list[str]:
        """Tables that are in the release and in the originals."""
        return [name for name in self.plan.files if name in self.before.tables]

    # The checks.

    def _columns(self) -> ProofCheck:
        promised = {at for at, (action, _, _) in self.plan.columns.items() if action != "drop"}
        promised = {
            TableColumn(at.table, self.plan.renamed.get(at, at.column))
            for at in promised
            if at.table in self.plan.files
        }
        promised |= {
            TableColumn(at.table, name)
            for at, (name, _) in self.plan.above.items()
            if at.table in self.plan.files
        }
        there = {
            TableColumn(name, column) for name, table in self.after.tables.items() for column in table.columns
        }
        odd = len(promised ^ there)
        return self.check(
            "columns",
            "Every column is accounted for",
            len(promised | there),
            odd,
            said(odd, "columns differ from what was promised"),
        )

    def _is_there(self, at: TableColumn) -> bool:
        return at.table in self.after.tables and at.column in self.after.tables[at.table].columns

    def _people(self) -> ProofCheck:
        at = self.plan.person
        if not self._is_there(at):
            return self.check("people", "One pseudonym per person", 0, 0, "the key is not released")
        view, cell = self.after.views[at.table], f"CAST({quoted(at.column)} AS VARCHAR)"
        rows = self.number(f"SELECT count(*) FROM {view}")
        distinct = self.number(f"SELECT count(DISTINCT {cell}) FROM {view}")
        double = 0 if self.plan.repeats else rows - distinct
        strange = self.number(
            f"SELECT count(*) FROM {view} AS r WHERE NOT EXISTS "
            f"(SELECT 1 FROM {self.people} AS p WHERE p.new = r.{quoted(at.column)}::VARCHAR)"
        )
        shared = self.number(f"SELECT count(*) - count(DISTINCT new) FROM {self.people}")
        originals = self.number(
            f"SELECT count(*) FROM {view} AS r SEMI JOIN {self.people} AS p ON p.old = "
            f"r.{quoted(at.column)}::VARCHAR"
        )
        bad = double + strange + shared + originals
        what = (
            f"{double:,} pseudonyms occur twice, {strange:,} belong to nobody, {shared:,} are shared, "
            f"{originals:,} are original ids"
        )
        return self.check("people", "One pseudonym per person", rows, bad, what)

    def _keys(self) -> ProofCheck:
        checked = lost = 0
        for link in self.plan.keys:
            if not self._is_released(link.child) or not self._is_released(link.parent):
                continue
            child, parent = quoted(link.child.column), quoted(link.parent.column)
            checked += 1
            lost += self.number(
                f"SELECT count(*) FROM {self.after.views[link.child.table]} AS c WHERE c.{child} IS "
                "NOT NULL AND "
                f"NOT EXISTS (SELECT 1 FROM {self.after.views[link.parent.table]} AS p "
                f"WHERE p.{parent}::VARCHAR = c.{child}::VARCHAR)"
            )
        return self.check(
            "keys",
            "Every key has its parent",
            checked,
            lost,
            said(lost, "rows name a parent that is not there"),
        )

    def _is_released(self, at: TableColumn) -> bool:
        action = self.plan.columns.get(at, ("drop", None, None))[0]
        return at.table in self.plan.files and action in REPLACED

    def _named_keys(self) -> ProofCheck:
        """Keys whose table and column stand in other columns, such as RDOMAIN, IDVAR and IDVARVAL."""
        checked = lost = 0
        for at, (action, _, name) in self.plan.columns.items():
            domain = self._column_named(at.table, "rdomain")
            if action != "by_name" or name is None or domain is None or at.column.lower() != "idvarval":
                continue
            now, then = (self._unresolved(tables, at, name, domain) for tables in (self.after, self.before))
            checked += now[0]
            lost += max(0, now[1] - then[1])
        return self.check(
            "named_keys",
            "Keys that are named in another column have their parent",
            checked,
            lost,
            said(lost, "rows lost the row that they describe"),
        )

    def _declared_keys(self) -> ProofCheck:
        """Columns that told the rows of a table apart still do, if all of them are released."""
        checked = lost = 0
        for table, names in self.plan.unique.items():
            columns = [self._column_named(table, name) for name in names]
            if not columns or None in columns or table not in self.before.tables:
                continue
            listed = ", ".join(quoted(str(name)) for name in columns)
            double = [
                self.number(
                    f"SELECT count(*) FROM (SELECT 1 FROM {tables.views[table]} GROUP BY {listed} "
                    "HAVING count(*) > 1)"
                )
                for tables in (self.before, self.after)
            ]
            checked, lost = checked + 1, lost + max(0, double[1] - double[0])
        return self.check(
            "declared_keys",
            "Keys that define.xml declares still identify rows",
            checked,
            lost,
            said(lost, "rows became alike"),
        )

    def _column_named(self, table: str, name: str) -> str | None:
        if table not in self.after.tables:
            return None
        return next((one for one in self.after.tables[table].columns if one.lower() == name), None)

    def _unresolved(self, tables: LinkedTables, at: TableColumn, name: str, domain: str) -> tuple[int, int]:
        view, owner = tables.views[at.table], self.owner(tables, at.table)
        if owner is None:
            return 0, 0
        pairs = tables.all(
            f"SELECT DISTINCT trim({quoted(domain)}), trim({quoted(name)}) FROM {view} "
            f"WHERE nullif(trim({quoted(name)}), '') IS NOT NULL",
            at.table,
        )
        checked = lost = 0
        for table, column in pairs:
            parent = str(table).lower()
            theirs = self.owner(tables, parent) if parent in tables.tables else None
            if theirs is None or column not in tables.tables[parent].columns:
                continue
            mine = self._plain(f"c.{quoted(at.column)}")
            checked += self.number(
                f"SELECT count(*) FROM {view} AS c WHERE trim({quoted(domain)}) = '{table}' AND "
                f"trim({quoted(name)}) = '{column}'"
            )
            lost += self.number(
                f"SELECT count(*) FROM (SELECT {owner} AS o, {mine} AS v FROM {view} AS c "
                f"WHERE trim({quoted(domain)}) = '{table}' AND trim({quoted(name)}) = '{column}') AS c "
                f"WHERE NOT EXISTS (SELECT 1 FROM (SELECT {theirs} AS o, {self._plain(quoted(column))} AS v "
                f"FROM {tables.views[parent]}) AS p WHERE p.o = c.o AND p.v = c.v)"
            )
        return checked, lost

    def _plain(self, cell: str) -> str:
        """SQL of a key as it is compared: trimmed, and a whole number without decimals."""
        text = f"trim(CAST({cell} AS VARCHAR))"
        return f"coalesce(CAST(TRY_CAST({text} AS BIGINT) AS VARCHAR), {text})"

    def _rows(self) -> ProofCheck:
        """People have as many rows in each table as before; fewer only if rows may go with their parent."""
        checked = odd = 0
        for table in self.both():
            mine, theirs = self.owner(self.after, table), self.owner(self.before, table)
            if mine is None or theirs is None:
                checked += 1
                odd += self._without_people(table)
                continue
            sign = ">" if self.plan.drops else "IS DISTINCT FROM"
            found = self.before.one(
                f"SELECT count(*), count(*) FILTER (WHERE coalesce(a.n, 0) {sign} coalesce(b.n, 0)) FROM "
                f"(SELECT p.old AS k, count(*) AS n FROM {self.after.views[table]} AS t JOIN "
                f"{self.people} AS p "
                f"ON p.new = {mine} GROUP BY k) AS a FULL JOIN "
                f"(SELECT {theirs} AS k, count(*) AS n FROM {self.before.views[table]} GROUP BY k) "
                "AS b ON a.k = b.k "
                f"WHERE coalesce(a.k, b.k) IN ({self._released_people()})",
                table,
            )
            checked, odd = checked + int(found[0]), odd + int(found[1])
        return self.check(
            "rows",
            "Every person has as many rows as before",
            checked,
            odd,
            said(odd, "people have another number of rows in a table"),
        )

    def _without_people(self, table: str) -> int:
        """Whether a table without a column of people has more rows than before."""
        now, then = (
            self.number(f"SELECT count(*) FROM {tables.views[table]}") for tables in (self.after, self.before)
        )
        return int(now > then)

    def _released_people(self) -> str:
        at = self.plan.person
        return (
            f"SELECT p.old FROM {self.people} AS p SEMI JOIN {self.after.views[at.table]} AS r "
            f"ON r.{quoted(at.column)}::VARCHAR = p.new"
        )

    # Values.

    def _twins(self) -> ProofCheck:
        """Columns that follow from others say no more than these: they are derived from released values."""
        checked = odd = 0
        for at, (action, _, name) in self.plan.columns.items():
            if not self._is_there(at) or name is None:
                continue
            if action == "twin" and self._is_there(TableColumn(at.table, name)):
                checked, odd = checked + 1, odd + self._beyond(at, name)
            if action == "body_mass":
                height, weight = name.split(" ")
                checked += 1
                found = quoted(at.column)
                counted = f"({quoted(weight)} / pow({quoted(height)} / 100, 2))"
                odd += self.number(
                    f"SELECT count(*) FROM {self.after.views[at.table]} WHERE {found} IS NOT NULL "
                    f"AND coalesce(abs({found} - {counted}) > 0.0501, true)"
                )
        for at, (name, limit) in self.plan.above.items():
            if self._is_there(at) and self._is_there(TableColumn(at.table, name)):
                checked, odd = checked + 1, odd + self._wrongly_above(at, name, limit)
        return self.check(
            "twins",
            "Values that follow from others are derived from what is released",
            checked,
            odd,
            said(odd, "values tell more than what they follow from"),
        )

    def _wrongly_above(self, at: TableColumn, name: str, limit: int) -> int:
        """Cells that say more than that a value is above the limit, or that too many values are."""
        cell, says = quoted(at.column), quoted(name)
        told, odd = self.before.one(
            f"SELECT count({says}), count(*) FILTER (WHERE {cell} > {limit} OR ({says} IS NOT NULL AND "
            f"({cell} IS NOT NULL OR {says} <> '>{limit}'))) FROM {self.after.views[at.table]}",
            at.table,
        )
        most = self.number(f"SELECT count(*) FROM {self.before.views[at.table]} WHERE {cell} > {limit}")
        return int(odd) + max(0, int(told) - most)

    def _beyond(self, at: TableColumn, name: str) -> int:
        """Cells that are filled where the other is not although it was, and values of one that became two."""
        mine, other = quoted(at.column), quoted(name)
        told = self.number(
            f"SELECT count(*) FROM {self.after.views[at.table]} WHERE {mine} IS NOT NULL AND {other} IS NULL"
        )
        before = self.number(
            f"SELECT count(*) FROM {self.before.views[at.table]} WHERE {mine} IS NOT NULL AND {other} IS NULL"
        )
        several = [
            self.number(
                f"SELECT count(*) FROM (SELECT {other} FROM {tables.views[at.table]} "
                f"WHERE {other} IS NOT NULL GROUP BY {other} HAVING count(DISTINCT {mine}) > 1)"
            )
            for tables in (self.before, self.after)
        ]
        return max(0, told - before) + max(0, several[1] - several[0])

    def _alike(self) -> ProofCheck:
        """A value of an attribute becomes the same value wherever it stands."""
        checked = odd = 0
        for columns in self.plan.same.values():
            pairs = [sql for at in columns if (sql := self._pairs(at))]
            if not pairs:
                continue
            checked += len(pairs)
            odd += self.number(
                f"SELECT count(*) FROM (SELECT o FROM ({' UNION ALL '.join(pairs)}) GROUP BY o "
                "HAVING count(DISTINCT n) > 1)"
            )
        return self.check(
            "alike",
            "The same value becomes the same value everywhere",
            checked,
            odd,
            said(odd, "values became several"),
        )

    def _pairs(self, at: TableColumn) -> str | None:
        """SQL of old and new values of people who have one of each."""
        if at.table not in self.both() or at.column not in self.after.tables[at.table].columns:
            return None
        mine, theirs = self.owner(self.after, at.table), self.owner(self.before, at.table)
        if mine is None or theirs is None:
            return None
        cell = f"CAST({quoted(at.column)} AS VARCHAR)"
        single = f"any_value({cell}) AS v, count(DISTINCT {cell}) AS n"
        return (
            f"SELECT b.v AS o, coalesce(a.v, '') AS n FROM (SELECT p.old AS k, {single} FROM "
            f"{self.after.views[at.table]} AS t JOIN {self.people} AS p ON p.new = {mine} GROUP BY "
            "k) AS a JOIN "
            f"(SELECT {theirs} AS k, {single} FROM {self.before.views[at.table]} GROUP BY k) AS b "
            "ON a.k = b.k "
            "WHERE a.n <= 1 AND b.n = 1"
        )

    def _no_ids(self) -> ProofCheck:
        """No released key is an original key of the same thing.

        Keys that refer to another table are among its keys, as another check says.
        """
        checked = left = 0
        follow = {
            link.child
            for link in self.plan.keys
            if self._is_released(link.child) and self._is_released(link.parent)
        }
        for at, (action, _, _) in self.plan.columns.items():
            if action not in REPLACED or at.table not in self.both() or at in follow:
                continue
            cell = quoted(at.column)
            checked += 1
            left += self.number(
                f"SELECT count(*) FROM (SELECT DISTINCT CAST({cell} AS VARCHAR) AS v FROM "
                f"{self.after.views[at.table]}) AS a SEMI JOIN (SELECT DISTINCT CAST({cell} AS "
                "VARCHAR) AS v FROM "
                f"{self.before.views[at.table]}) AS b ON a.v = b.v"
            )
        return self.check("ids", "No original id is left", checked, left, said(left, "original ids are left"))

    def _no_ids_inside(self) -> ProofCheck:
        """No text contains the original id of a person.

        Pseudonyms are digits and letters A to F by a hash: they contain short numbers by chance, which tells
        nothing, so that ids of such signs alone are not looked for in them.
        """
        lengths = [
            row[0]
            for row in self.before.all(
                f"SELECT DISTINCT length(old) FROM {self.people} WHERE length(old) >= {LONG} ORDER BY 1",
                "people",
            )
        ]
        checked = left = 0
        for name, table in self.after.tables.items() if lengths else ():
            for column in table.columns:
                if table.types[column] != TEXT:
                    continue
                checked += 1
                action = self.plan.columns.get(TableColumn(name, column), ("keep", None, None))[0]
                drawn = action in REPLACED
                left += sum(self._inside(name, column, length, drawn=drawn) for length in lengths)
        return self.check(
            "ids_inside",
            "No text contains the original id of a person",
            checked,
            left,
            said(left, "values contain an original id"),
        )

    def _inside(self, table: str, column: str, length: int, *, drawn: bool) -> int:
        cell = quoted(column)
        odd = "AND NOT regexp_full_match(p.old, '[0-9A-Fa-f]+')" if drawn else ""
        return self.number(
            "SELECT count(DISTINCT v) FROM (SELECT v, substr(v, unnest(range(1, length(v) - "
            f"{length} + 2))::INTEGER, "
            f"{length}) AS piece FROM (SELECT DISTINCT {cell} AS v FROM {self.after.views[table]} "
            f"WHERE length({cell}) >= {length})) AS w SEMI JOIN {self.people} AS p ON p.old = w.piece {odd}"
        )

    def _emptied(self) -> ProofCheck:
        checked = left = 0
        for at, (action, _, _) in self.plan.columns.items():
            if (
                action == "blank"
                and at.table in self.after.tables
                and at.column in self.after.tables[at.table].columns
            ):
                checked += 1
                cell = f"nullif(CAST({quoted(at.column)} AS VARCHAR), '')"
                left += self.number(f"SELECT count({cell}) FROM {self.after.views[at.table]}")
        return self.check(
            "emptied",
            "Columns that were to be emptied are empty",
            checked,
            left,
            said(left, "cells are not empty"),
        )

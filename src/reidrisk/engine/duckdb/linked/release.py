"""All tables as they are released: one pseudonym per person and thing, one offset per person.

Every pseudonym is drawn once, in a table of old and new keys, which all tables join. What becomes of
dates is in `dates.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from math import fsum, log2
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.linked.dates import ReleasedDates, has_people, run
from reidrisk.engine.duckdb.linked.people import day_sql, number_people, owned
from reidrisk.engine.duckdb.linked.writing import write_linked
from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.release import arm, pseudonym
from reidrisk.engine.duckdb.types import TEXT
from reidrisk.engine.linked import (
    ColumnLoss,
    ColumnPlan,
    EntityPlan,
    LinkedPlan,
    TableColumn,
    TableLink,
    TableRows,
    WrittenRelease,
)
from reidrisk.errors import FailedCheck

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.linked.database import LinkedTables

LEAST, SPAN = 10**14, 9 * 10**14
"""Pseudonyms that are numbers have 15 digits, which a double holds exactly."""
LETTERS = 16
"""Pseudonyms that are texts: hexadecimal digits."""
TRIES = 20
PERSON = "person"
"""The name of the entity that is a person."""
COUNTED = ("labels", "rare")
"""Treatments that make values coarser."""


def domain(entity: str, attempt: int) -> str:
    """What is hashed with a key to make its pseudonym; another thing has other pseudonyms."""
    return f"relational/{entity}/{attempt}"


@dataclass(eq=False)
class LinkedRelease:
    """The tables of a plan, made ready one after the other."""

    tables: LinkedTables
    plan: LinkedPlan
    people: str = ""
    """The table of people: key k, number i, pseudonym, days, and whether they are left out."""
    maps: dict[str, str] = field(default_factory=dict)
    """By entity: the table of old and new keys."""
    attempts: dict[str, int] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)
    """By table: its rows as the file spells them."""
    shrunk: set[str] = field(default_factory=set)
    """Tables that lost rows."""

    def __post_init__(self) -> None:
        self.dates = ReleasedDates(self.tables, self.plan)

    def write(self, folder: Path) -> WrittenRelease:
        """Write every table into a folder."""
        arm(self.tables.session, self.plan.key)
        self._prepare()
        rows: list[TableRows] = []
        losses: list[ColumnLoss] = []
        files: dict[str, str] = {}
        order = self._order()
        for name in order:
            self._base(name)
        for name in order:
            source, where = self._joined(name)
            rows.append(self._counted(name, source, where))
            if rows[-1].after < rows[-1].before:
                self.shrunk.add(name)
            self._own_keys(name, source, where)
        for name in self.plan.tables:
            source, where = self._joined(name)
            with (
                without_values(name),
                self.tables.session.kept_for_now(self._relation(name, source, where)) as released,
            ):
                files[name] = write_linked(self.tables, name, released, folder, self._changed(name))
                losses += self._losses(name, released)
        return WrittenRelease(tuple(rows), tuple(losses), files, dict(self.attempts))

    # People and things.

    def _prepare(self) -> None:
        person = self.plan.links.person
        number = number_people(self.tables, person, repeats=self.plan.links.repeats)
        keys = f"SELECT k FROM {number}"
        entity = next(one for one in self.plan.entities if one.name == PERSON)
        self.maps[PERSON] = self._draw(entity, keys)
        gone = self._left_out(number)
        days = self.dates.offsets(number)
        first = self.dates.prepare()
        self.people = self.tables.session.work_name()
        run(
            self.tables,
            f"CREATE TABLE {self.people} AS SELECT n.k, n.i, m.new, d.days, g.k IS NOT NULL AS gone, "
            f"f.first FROM {number} AS n JOIN {self.maps[PERSON]} AS m ON m.k = n.k "
            f"LEFT JOIN {days} AS d ON d.i = n.i LEFT JOIN {gone} AS g ON g.k = n.k "
            f"LEFT JOIN ({first}) AS f ON f.k = n.k",
            person.table,
        )
        for one in self.plan.entities:
            if one.name != PERSON and one.key is None:
                parts = [
                    f"SELECT CAST({quoted(at.column)} AS VARCHAR) AS k FROM {self.tables.views[at.table]}"
                    for at in one.columns
                ]
                keys = f"SELECT DISTINCT k FROM ({' UNION ALL '.join(parts)}) WHERE k IS NOT NULL"
                self.maps[one.name] = self._draw(one, keys)

    def _left_out(self, number: str) -> str:
        name, out = self.tables.session.work_name(), self.plan.left_out
        places = np.flatnonzero(out) if out is not None else np.zeros(0, dtype=np.int64)
        listed = self.tables.session.from_arrays({"i": places.astype(np.int64)})
        listed.create_view(f"{name}_i")
        run(
            self.tables,
            f"CREATE TABLE {name} AS SELECT n.k FROM {number} AS n JOIN {name}_i AS o ON o.i = n.i",
            "people",
        )
        return name

    def _draw(self, entity: EntityPlan, keys: str) -> str:
        """A table of keys and pseudonyms: no two alike, and none that is an original key."""
        if entity.given:
            return self._given(entity, keys)
        for attempt in range(TRIES):
            name = self.tables.session.work_name()
            digest = pseudonym(domain(entity.name, attempt), "k")
            number = f"CAST('0x' || left({digest}, 13) AS BIGINT) % {SPAN} + {LEAST}"
            new = f"upper(left({digest}, {LETTERS}))" if entity.is_text else number
            run(self.tables, f"CREATE TABLE {name} AS SELECT k, {new} AS new FROM ({keys})", entity.name)
            clash = (
                f"SELECT count(*) - count(DISTINCT new) + (SELECT count(*) FROM {name} AS a "
                f"JOIN {name} AS b ON CAST(a.new AS VARCHAR) = b.k) FROM {name}"
            )
            if self.tables.one(clash, entity.name)[0] == 0:
                self.attempts[entity.name] = attempt
                return name
            run(self.tables, f"DROP TABLE {name}", entity.name)
        raise FailedCheck(
            f"No pseudonyms were found for {entity.name} of which no two are alike.", hint="Use another key."
        )

    def _given(self, entity: EntityPlan, keys: str) -> str:
        """A table of keys and of the pseudonyms that were made for them elsewhere."""
        name = self.tables.session.work_name()
        arrays = {
            "k": np.array(list(entity.given), dtype=object),
            "new": np.array(list(entity.given.values()), dtype=object),
        }
        with without_values(entity.name):
            self.tables.session.from_arrays(arrays).create_view(f"{name}_given")
        run(
            self.tables,
            f"CREATE TABLE {name} AS SELECT g.k, g.new FROM {name}_given AS g SEMI JOIN ({keys}) AS o "
            "ON o.k = g.k",
            entity.name,
        )
        [lost] = self.tables.one(
            f"SELECT (SELECT count(*) FROM ({keys})) - count(DISTINCT new) FROM {name}", entity.name
        )
        if lost:
            raise FailedCheck(
                f"{plural(int(lost), 'key')} of {entity.name} without a new one of its own.",
                hint="Give every key another one.",
            )
        return name

    def _own_keys(self, table: str, source: str, where: str) -> None:
        """The keys of the rows that stay, for the tables that refer to them."""
        for entity in self.plan.entities:
            if entity.key is not None and entity.key.table == table and entity.name != PERSON:
                cell = f"CAST(t.{quoted(entity.key.column)} AS VARCHAR)"
                keys = f"SELECT DISTINCT {cell} AS k FROM {source} WHERE {where} AND {cell} IS NOT NULL"
                self.maps[entity.name] = self._draw(entity, keys)

    # Rows.

    def _order(self) -> list[str]:
        """Tables after those that they refer to; of tables that refer to each other, by name."""
        needs: dict[str, set[str]] = {name: set() for name in self.plan.tables}
        for link in self.plan.keys:
            if link.child.table != link.parent.table and {link.child.table, link.parent.table} <= set(needs):
                needs[link.child.table].add(link.parent.table)
        try:
            return list(
                TopologicalSorter({name: sorted(some) for name, some in needs.items()}).static_order()
            )
        except CycleError:
            return sorted(self.plan.tables)

    def _base(self, table: str) -> None:
        """The rows as the file spells them, but for columns that are computed with."""
        opened = self.tables.tables[table]
        computed = ("date", "year", "top", "birth_year", "study_day", "round", "body_mass")
        typed = {
            name
            for name, one in self.plan.tables[table].items()
            if one.action in computed or name in {other.date for other in self.plan.tables[table].values()}
        }
        stored = opened.as_stored(typed)
        self.bases[table] = self.tables.session.work_name()
        with without_values(table):
            stored.relation.create_view(self.bases[table])

    def _joined(self, table: str) -> tuple[str, str]:
        """SQL of the rows with all that they are looked up in, and of the condition that they stay."""
        source, key = owned(self.tables, self.plan.links, table)
        source = source.replace(f"{self.tables.views[table]} AS t", f"{self.bases[table]} AS t", 1)
        conditions = ["true"]
        if has_people(self.plan, table):
            source += f" JOIN {self.people} AS pe ON pe.k = {key}"
            conditions.append("NOT pe.gone")
        for place, (column, one) in enumerate(self.plan.tables[table].items()):
            cell = f"CAST(t.{quoted(column)} AS VARCHAR)"
            for alias, entity in self._entities(place, one):
                if entity in self.maps:
                    source += f" LEFT JOIN {self.maps[entity]} AS {alias} ON {alias}.k = {cell}"
            if one.action == "labels":
                source += f" LEFT JOIN {self._labels(table, column, one)} AS l{place} ON l{place}.v = {cell}"
                if one.removes:
                    conditions.append(f"(l{place}.v IS NULL OR l{place}.new IS NOT NULL)")
            if one.action == "rare":
                source += (
                    f" LEFT JOIN {self._frequent(table, column, one)} AS l{place} ON l{place}.v = {cell}"
                )
            if one.action == "study_day" and one.since is not None:
                source += f" LEFT JOIN {self._starts(one.since)} AS l{place} ON l{place}.k = pe.k"
        conditions += [self._stays(link) for link in self.plan.keys if link.child.table == table]
        conditions += self._describes_what_stays(table)
        return source, " AND ".join(conditions)

    def _describes_what_stays(self, table: str) -> Iterator[str]:
        """SQL of whether the row stays that a row describes by the names of a table and a column."""
        named = {name.lower(): name for name in self.plan.tables[table]}
        removing = [
            (parent, column, one)
            for parent, columns in self.plan.tables.items()
            for column, one in columns.items()
            if one.removes and parent != table
        ]
        if (
            not {"rdomain", "idvar", "idvarval"} <= set(named)
            or not has_people(self.plan, table)
            or not removing
        ):
            return
        domain, name = (f"trim(t.{quoted(named[one])})" for one in ("rdomain", "idvar"))
        for parent, column, one in removing:
            source, key = owned(self.tables, self.plan.links, parent)
            cell, gone = f"CAST(t.{quoted(column)} AS VARCHAR)", self._labels(parent, column, one)
            for other in self.plan.tables[parent]:
                keys = f"SELECT {key} AS o, {_plain_key(f't.{quoted(other)}')} AS v FROM {source} "
                keys += f"JOIN {gone} AS g ON g.v = {cell} WHERE g.new IS NULL"
                value = f"t.{quoted(named['idvarval'])}"
                yield (
                    f"NOT (lower({domain}) = {literal(parent)} AND {name} = {literal(other)} AND EXISTS "
                    f"(SELECT 1 FROM ({keys}) AS p WHERE p.o = pe.k AND "
                    f"p.v = {_plain_key(value)}))"
                )

    def _entities(self, place: int, one: ColumnPlan) -> Iterator[tuple[str, str]]:
        """Aliases of the tables of pseudonyms that a column needs."""
        if one.action == "entity":
            yield f"m{place}", one.entity
        for at, rule in enumerate(one.rules.values()):
            if rule.action == "entity":
                yield f"m{place}_{at}", rule.entity

    def _stays(self, link: TableLink) -> str:
        """SQL of whether a row stays, by one of its keys."""
        one = self.plan.tables[link.child.table].get(link.child.column)
        if one is None or one.action != "entity" or one.entity not in self.maps:
            return "true"
        if link.parent.table == link.child.table or link.parent.table not in self.plan.tables:
            return "true"
        place = list(self.plan.tables[link.child.table]).index(link.child.column)
        lost = f"t.{quoted(link.child.column)} IS NOT NULL AND m{place}.k IS NULL"
        if self.plan.orphans == "drop" and self.plan.on_parent == "cascade":
            return f"NOT ({lost})"
        parent = (
            f"CAST(t.{quoted(link.child.column)} AS VARCHAR) IN (SELECT CAST({quoted(link.parent.column)} "
            f"AS VARCHAR) FROM {self.tables.views[link.parent.table]})"
        )
        if self.plan.orphans == "drop":
            return f"NOT ({lost} AND NOT {parent})"
        if self.plan.on_parent == "cascade" and link.parent.table in self.shrunk:
            return f"NOT ({lost} AND {parent})"
        return "true"

    def _counted(self, table: str, source: str, where: str) -> TableRows:
        before = self.tables.rows(table)
        [after] = self.tables.one(f"SELECT count(*) FROM {source} WHERE {where}", table)
        nobody = left_out = 0
        if has_people(self.plan, table) and after < before:
            own, key = owned(self.tables, self.plan.links, table)
            nobody, left_out = self.tables.one(
                f"SELECT count(*) FILTER (WHERE pe.k IS NULL), count(*) FILTER (WHERE pe.gone) FROM {own} "
                f"LEFT JOIN {self.people} AS pe ON pe.k = {key}",
                table,
            )
        return TableRows(table, before, int(after), int(nobody), int(left_out))

    # Lookups.

    def _labels(self, table: str, column: str, one: ColumnPlan) -> str:
        name = f"{self.bases[table]}_{list(self.plan.tables[table]).index(column)}"
        if not self._made(name):
            values = np.array(list(one.labels), dtype=object)
            labels = np.array(list(one.labels.values()), dtype=object)
            with without_values(table):
                self.tables.session.from_arrays({"v": values, "new": labels}).create_view(name)
        return name

    def _frequent(self, table: str, column: str, one: ColumnPlan) -> str:
        """A table of the values that enough people have."""
        name = f"{self.bases[table]}_{list(self.plan.tables[table]).index(column)}"
        if not self._made(name):
            own, key = owned(self.tables, self.plan.links, table)
            run(
                self.tables,
                f"CREATE TABLE {name} AS SELECT CAST(t.{quoted(column)} AS VARCHAR) AS v FROM {own} "
                f"JOIN {self.people} AS pe ON pe.k = {key} WHERE NOT pe.gone AND t.{quoted(column)} "
                "IS NOT NULL "
                f"GROUP BY v HAVING count(DISTINCT pe.i) >= {one.limit}",
                table,
            )
        return name

    def _starts(self, since: TableColumn) -> str:
        """A table of people and the date of their first day in the study."""
        name = f"starts_{self.people}_{since.column.lower()}"
        if not self._made(name):
            source, key = owned(self.tables, self.plan.links, since.table)
            day = day_sql(self.tables, since, "t")
            run(
                self.tables,
                f"CREATE TABLE {name} AS SELECT {key} AS k, {day} AS d FROM {source}",
                since.table,
            )
        return name

    def _made(self, name: str) -> bool:
        sql = f"SELECT count(*) FROM duckdb_tables() WHERE table_name = {literal(name)}"
        views = f"SELECT count(*) FROM duckdb_views() WHERE view_name = {literal(name)}"
        return bool(self.tables.one(sql, name)[0] or self.tables.one(views, name)[0])

    # Cells.

    def _relation(self, table: str, source: str, where: str) -> DuckDBPyRelation:
        """The rows as they are released, in an order that follows from them and the key alone."""
        shown, numbers = [], []
        for place, (column, one) in enumerate(self.plan.tables[table].items()):
            if one.action == "drop":
                continue
            if one.action == "number":
                numbers.append(column)
            name = one.renamed or column
            shown.append(f"{self._cell(table, place, column, one)} AS {quoted(name)}")
            if one.above:
                says = f"CASE WHEN t.{quoted(column)} > {one.limit} THEN {literal(f'>{one.limit}')} END"
                shown.append(f"{says} AS {quoted(one.above)}")
        with without_values(table):
            rows = self.tables.connection.sql(f"SELECT {', '.join(shown)} FROM {source} WHERE {where}")
            digest = self._row_hash(rows, table)
            inner = rows.project(f"{', '.join(map(quoted, rows.columns))}, {digest} AS reidrisk_h")
            ordered = rows if self._is_whole(table) else inner.order("reidrisk_h")
            outputs = [
                f"row_number() OVER () + {self._above(table, name)} AS {quoted(name)}"
                if name in numbers
                else quoted(name)
                for name in rows.columns
            ]
            return ordered.project(", ".join(outputs))

    def _is_whole(self, table: str) -> bool:
        """Whether a table without people is released as it is: its order reveals nobody, and may matter."""
        return not has_people(self.plan, table) and all(
            one.action == "keep" for one in self.plan.tables[table].values()
        )

    def _row_hash(self, rows: DuckDBPyRelation, table: str) -> str:
        """SQL of a keyed hash of a row; another table has another order."""
        types = dict(zip(rows.columns, map(str, rows.types), strict=True))
        texts = [f"coalesce(CAST({quoted(name)} AS VARCHAR), chr(30))" for name in types]
        message = f"concat_ws(chr(31), {', '.join([literal(table), *texts])})"
        return f"sha256(getvariable('reidrisk_inner') || encode({message}))"

    def _above(self, table: str, column: str) -> int:
        """A power of ten above all original numbers of a key."""
        cell = f"TRY_CAST({quoted(column)} AS BIGINT)"
        [largest] = self.tables.one(f"SELECT max({cell}) FROM {self.tables.views[table]}", table)
        return int(10 ** len(str(abs(int(largest or 0)))))

    def _cell(self, table: str, place: int, column: str, one: ColumnPlan) -> str:
        """SQL of a cell as it is released."""
        if one.action in ("person", "entity", "number", "blank"):
            return self._replaced(table, place, column, one)
        if one.action in ("date", "year", "study_day"):
            return self._dated(table, place, column, one)
        return self._coarser(table, place, column, one)

    def _replaced(self, table: str, place: int, column: str, one: ColumnPlan) -> str:
        """SQL of a key, or of nothing; rows are numbered later."""
        if one.action == "person":
            return "pe.new"
        if one.action == "number":
            return "0"
        if one.action == "entity" and one.entity in self.maps:
            return f"m{place}.new"
        return f"CAST(NULL AS {self._type(table, column)})"

    def _dated(self, table: str, place: int, column: str, one: ColumnPlan) -> str:
        """SQL of a date, of its year, or of a day of the study."""
        if one.action == "date":
            return self.dates.moved(table, column)
        if one.action == "year":
            return f"year({day_sql(self.tables, TableColumn(table, column), 't')})"
        return self.dates.study_day(table, place, one, self._type(table, column))

    def _coarser(self, table: str, place: int, column: str, one: ColumnPlan) -> str:
        """SQL of a value that stays, or becomes coarser."""
        cell = f"t.{quoted(column)}"
        if one.action == "by_name":
            return self._by_name(table, place, column, one)
        if one.action == "twin":
            return self._twin(table, cell, one)
        if one.action == "body_mass":
            return self._body_mass(table, one)
        if one.action == "rare":
            other = "NULL" if one.becomes is None else literal(one.becomes)
            rare = f"CASE WHEN {cell} IS NOT NULL THEN CAST({other} AS {self._type(table, column)}) END"
            return f"CASE WHEN l{place}.v IS NULL THEN {rare} ELSE {cell} END"
        return {
            "labels": f"CASE WHEN l{place}.v IS NULL THEN CAST({cell} AS VARCHAR) ELSE l{place}.new END",
            "top": f"CASE WHEN {cell} <= {one.limit} THEN {cell} END",
            "birth_year": f"greatest({cell}, {one.limit})",
            "round": f"round({cell} / {one.limit}) * {one.limit}",
        }.get(one.action, cell)

    def _type(self, table: str, column: str) -> str:
        with without_values(table):
            base = self.tables.connection.view(self.bases[table])
            return str(dict(zip(base.columns, base.types, strict=True))[column])

    def _twin(self, table: str, cell: str, one: ColumnPlan) -> str:
        """SQL of a value that follows from another column: it goes where that one goes."""
        place = list(self.plan.tables[table]).index(one.name)
        other = self._cell(table, place, one.name, self.plan.tables[table][one.name])
        return f"CASE WHEN ({other}) IS NOT NULL OR t.{quoted(one.name)} IS NULL THEN {cell} END"

    def _body_mass(self, table: str, one: ColumnPlan) -> str:
        """SQL of the body mass index of the height and the weight that are released."""
        own = self.plan.tables[table]
        height, weight = (self._cell(table, list(own).index(name), name, own[name]) for name in one.parts)
        return f"round(10000 * ({weight}) / (({height}) * ({height})), 1)"

    def _by_name(self, table: str, place: int, column: str, one: ColumnPlan) -> str:
        cell, arms = f"CAST(t.{quoted(column)} AS VARCHAR)", []
        for at, (name, rule) in enumerate(one.rules.items()):
            made = {
                "keep": cell,
                "date": self.dates.moved(table, column),
                "entity": f"CAST(m{place}_{at}.new AS VARCHAR)",
            }.get(rule.action, "NULL")
            arms.append(f"WHEN {literal(name)} THEN {made}")
        default = cell if one.otherwise == "keep" else "NULL"
        if not arms:
            return f"CAST({default} AS VARCHAR)"
        return f"CASE trim(t.{quoted(one.name)}) {' '.join(arms)} ELSE {default} END"

    # What was lost.

    def _changed(self, table: str) -> list[str]:
        """Columns whose values have another type or form than in the source."""
        kinds = self.tables.tables[table].types
        changed = []
        for column, one in self.plan.tables[table].items():
            renamed = one.action in ("person", "entity") and kinds[column] != TEXT
            if one.action == "labels" or renamed:
                changed.append(column)
        return changed

    def _losses(self, table: str, released: DuckDBPyRelation) -> Iterator[ColumnLoss]:
        """What each column had in the source, and has in the released rows."""
        own = self.plan.tables[table]
        counts = ", ".join(f"count({quoted(name)})" for name in own)
        before = self.tables.one(f"SELECT {counts} FROM {self.tables.views[table]}", table)
        names = {column: one.renamed or column for column, one in own.items() if one.action != "drop"}
        shown = ", ".join(f"count({quoted(name)})" for name in names.values())
        after = dict(zip(names, released.aggregate(shown).fetchone() or (), strict=True))
        for (name, one), had in zip(own.items(), before, strict=True):
            bits: tuple[float | None, float | None] = None, None
            if one.action in COUNTED:
                source = self.tables.connection.view(self.tables.views[table])
                with without_values(table):
                    bits = bits_of(source, name), bits_of(released, names[name])
            yield ColumnLoss(table, name, int(had), int(after.get(name, 0)), *bits)


def bits_of(rows: DuckDBPyRelation, column: str) -> float:
    """The entropy of a column, from whole numbers: the same with any number of threads."""
    counted = rows.aggregate("count(*) AS n", quoted(column))
    sizes = counted.aggregate("n, count(*) AS number", "n").order("n").fetchall()
    total = sum(size * number for size, number in sizes)
    return max(0.0, fsum(number * size / total * log2(total / size) for size, number in sizes))


def _plain_key(cell: str) -> str:
    """SQL of a key as it is compared: trimmed, and a whole number without decimals."""
    text = f"trim(CAST({cell} AS VARCHAR))"
    return f"coalesce(CAST(TRY_CAST({text} AS BIGINT) AS VARCHAR), {text})"

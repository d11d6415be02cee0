"""The dates of a written release, checked by plain SQL: one offset per person, which nothing gives back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.readers.dates import ISO_TEXT, full_iso_day, iso_day
from reidrisk.engine.duckdb.types import TEXT
from reidrisk.engine.linked import ProofCheck, TableColumn
from reidrisk.engine.results import MOMENTS

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.linked.database import LinkedTables
    from reidrisk.engine.duckdb.linked.proof import TablesProof


def said(number: int, what: str) -> str:
    """What was counted, in words."""
    return f"{number:,} {what}"


@dataclass(eq=False)
class DateProof:
    """The dates of people in the written files beside those of the originals."""

    proof: TablesProof
    narrowed: int = 0
    """People whose offset the first and last days of all data narrow to less than half."""

    def __post_init__(self) -> None:
        self.before, self.after = self.proof.before, self.proof.after
        self.plan, self.people = self.proof.plan, self.proof.people

    def checks(self) -> Iterator[ProofCheck]:
        """Check offsets and partial dates if dates move, the ends of the data if they go, and ages."""
        if self.plan.moves:
            yield self._one_offset()
            yield self._partial()
        if self.plan.truncated:
            yield self._ends()
        yield self._ages()

    def _moved(self) -> Iterator[TableColumn]:
        for at, (action, _, _) in self.plan.columns.items():
            moved = action == "date" and at.table in self.proof.both()
            if moved and self.proof.owner(self.after, at.table) and self.proof.owner(self.before, at.table):
                yield at

    def _owners(self, at: TableColumn) -> tuple[str | None, str | None]:
        """SQL of the key of the person of a row, in the release and in the originals."""
        return self.proof.owner(self.after, at.table), self.proof.owner(self.before, at.table)

    def _day(self, tables: LinkedTables, at: TableColumn) -> str:
        """SQL of the day number of a full date."""
        table, cell = tables.tables[at.table], quoted(at.column)
        if table.kinds[at.column] in MOMENTS:
            day = f"CAST({cell} AS DATE)"
        elif table.types[at.column] == TEXT:
            day = full_iso_day(cell)
        else:
            return "CAST(NULL AS BIGINT)"
        return f"({day} - DATE '1970-01-01')"

    def _one_offset(self) -> ProofCheck:
        """All full dates of a person moved by one number of days, which is not 0 and follows from the key."""
        ends = self._first_and_last()
        if ends is None:
            return self.proof.check("offset", "One offset per person", 0, 0, "there are no dates of people")
        shifts = [self._shifts(at, *ends) for at in self._moved()]
        union = " UNION ALL ".join(shifts)
        wrong = "OR s.least <> p.days" if self.proof.keyed else ""
        days = self.plan.most or 0
        people, odd, lost, narrowed = self.before.one(
            f"SELECT count(*), count(*) FILTER (WHERE s.least <> s.most OR s.least = 0 {wrong}), "
            f"sum(s.lost), count(*) FILTER (WHERE least({days}, s.later) - greatest(-{days}, s.earlier) "
            f"< {days}) FROM (SELECT k, min(low) AS least, max(high) AS most, sum(lost) AS lost, "
            f"min(later) AS later, max(earlier) AS earlier FROM ({union}) GROUP BY k) AS s "
            f"JOIN {self.people} AS p ON p.old = s.k",
            "dates",
        )
        self.narrowed = int(narrowed) if self.plan.most else 0
        wild = sum(self._not_among(at) for at in self._moved()) if int(lost or 0) else 0
        what = f"{int(odd):,} people whose dates moved differently, {wild:,} dates of no original date"
        return self.proof.check("offset", "One offset per person", int(people), int(odd) + wild, what)

    def _first_and_last(self) -> tuple[int, int] | None:
        """The days on which the original data begin and end; None without a date."""
        days = [(self._day(self.before, at), self.before.views[at.table]) for at in self._moved()]
        if not days:
            return None
        ends = " UNION ALL ".join(f"SELECT min({day}) AS low, max({day}) AS high FROM {v}" for day, v in days)
        low, high = self.before.one(f"SELECT min(low), max(high) FROM ({ends})", "dates")
        return int(low or 0), int(high or 0)

    def _shifts(self, at: TableColumn, first: int, last: int) -> str:
        """SQL of the shift of first and last dates, of people who have as many as before."""
        mine, theirs = (
            self.proof.owner(self.after, at.table),
            self.proof.owner(self.before, at.table),
        )
        now, then = self._day(self.after, at), self._day(self.before, at)
        return (
            "SELECT b.k, CASE WHEN a.n = b.n THEN least(a.low - b.low, a.high - b.high, (a.total - "
            "b.total) / a.n) END "
            "AS low, CASE WHEN a.n = b.n THEN greatest(a.low - b.low, a.high - b.high, (a.total - "
            "b.total) / a.n) END "
            f"AS high, CASE WHEN a.n = b.n THEN 0 ELSE 1 END AS lost, a.low - {first} AS later, "
            f"a.high - {last} AS earlier FROM "
            f"(SELECT p.old AS k, count({now}) AS n, min({now}) AS low, max({now}) AS high, "
            f"sum({now}) AS total FROM "
            f"{self.after.views[at.table]} AS t JOIN {self.people} AS p ON p.new = {mine} GROUP BY "
            "k) AS a JOIN "
            f"(SELECT {theirs} AS k, count({then}) AS n, min({then}) AS low, max({then}) AS high, "
            f"sum({then}) AS total "
            f"FROM {self.before.views[at.table]} GROUP BY k) AS b ON a.k = b.k WHERE a.n > 0"
        )

    def _not_among(self, at: TableColumn) -> int:
        """Released dates of a person that are no original date of theirs, moved by their number of days."""
        if not self.proof.keyed:
            return 0
        mine, theirs = (
            self.proof.owner(self.after, at.table),
            self.proof.owner(self.before, at.table),
        )
        now, then = self._day(self.after, at), self._day(self.before, at)
        return self.proof.number(
            f"SELECT count(*) FROM (SELECT p.old AS k, {now} - p.days AS d FROM "
            f"{self.after.views[at.table]} AS t "
            f"JOIN {self.people} AS p ON p.new = {mine} WHERE {now} IS NOT NULL EXCEPT ALL "
            f"SELECT {theirs} AS k, {then} AS d FROM {self.before.views[at.table]})"
        )

    def _partial(self) -> ProofCheck:
        """Dates as texts are as exact as before: no day was added to a month, no time was lost."""
        checked = odd = 0
        for at in self._moved():
            if self.before.tables[at.table].types[at.column] != TEXT:
                continue
            mine, theirs = (
                self.proof.owner(self.after, at.table),
                self.proof.owner(self.before, at.table),
            )
            cell = f"nullif(trim(CAST({quoted(at.column)} AS VARCHAR)), '')"
            is_date = f"regexp_full_match({cell}, '{ISO_TEXT}')"
            shape = f"CASE WHEN {is_date} THEN length({cell}) || substr({cell}, 11) END"
            checked += 1
            odd += self.proof.number(
                f"SELECT count(*) FROM (SELECT p.old AS k, {shape} AS s FROM "
                f"{self.after.views[at.table]} AS t "
                f"JOIN {self.people} AS p ON p.new = {mine} WHERE {cell} IS NOT NULL EXCEPT ALL "
                f"SELECT {theirs} AS k, {shape} AS s FROM {self.before.views[at.table]})"
            )
        return self.proof.check(
            "partial",
            "Partial dates stay partial, and times stay",
            checked,
            odd,
            said(odd, "dates are more or less exact than before"),
        )

    def _ages(self) -> ProofCheck:
        """No two dates of a person are so far apart that they show an age above the limit."""
        parts = []
        for at, (action, _, _) in self.plan.columns.items():
            owner = self.proof.owner(self.after, at.table) if at.table in self.after.tables else None
            if action == "date" and owner is not None:
                day = self._any_day(at)
                parts.append(
                    f"SELECT {owner} AS k, min({day}) AS low, max({day}) AS high FROM "
                    f"{self.after.views[at.table]} GROUP BY k"
                )
        title = "No date shows an age above the limit"
        if self.plan.oldest is None or not parts:
            return self.proof.check("ages", title, 0, 0, "there is no limit, or there are no dates of people")
        people, odd = self.before.one(
            f"SELECT count(*), count(*) FILTER (WHERE low <= high - INTERVAL {self.plan.oldest + 2} YEAR) "
            "FROM "
            f"(SELECT k, min(low) AS low, max(high) AS high FROM ({' UNION ALL '.join(parts)}) GROUP BY k)",
            "dates",
        )
        return self.proof.check(
            "ages", title, int(people), int(odd), said(int(odd), "people have dates that are too far apart")
        )

    def _ends(self) -> ProofCheck:
        """No released date is so near the first or last day of the originals that it narrows an offset."""
        title = "No date shows where the original data begin or end"
        ends = self._first_and_last()
        if ends is None:
            return self.proof.check("ends", title, 0, 0, "there are no dates of people")
        days = self.plan.most or 0
        parts = (
            f"SELECT {self._day(self.after, at)} AS d FROM {self.after.views[at.table]}"
            for at in self._moved()
        )
        checked, odd = self.before.one(
            f"SELECT count(d), count(*) FILTER (WHERE d NOT BETWEEN {ends[0] + days} AND {ends[1] - days}) "
            f"FROM ({' UNION ALL '.join(parts)})",
            "dates",
        )
        return self.proof.check(
            "ends", title, int(checked), int(odd), said(int(odd), "dates are too near them")
        )

    def _any_day(self, at: TableColumn) -> str:
        """SQL of a day of the release; of a date without one, a day of its month or year."""
        if self.after.tables[at.table].kinds[at.column] in MOMENTS:
            return f"CAST({quoted(at.column)} AS DATE)"
        return iso_day(f"CAST({quoted(at.column)} AS VARCHAR)")

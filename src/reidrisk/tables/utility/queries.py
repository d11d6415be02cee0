"""Run the same queries on both tables and measure how far the answers differ, without showing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import median
from sys import float_info
from typing import Any

from reidrisk.engine.opening import sql_groups
from reidrisk.engine.results import Answer, Failed
from reidrisk.tables.utility.data import ComparedTables
from reidrisk.tables.utility.plan import UtilityPlan

MOST_NAMED = 5
MOST = float_info.max
GONE = 1.0
"""The relative difference of a figure that only one table has."""


@dataclass(frozen=True, slots=True)
class FigureChange:
    """The differences of one column of figures over all groups."""

    column: str
    figures: int
    """Number of groups in which both tables have a figure."""
    typical_relative: float | None
    """The median over groups; 1 for a figure that only one table has."""
    largest_relative: float | None
    typical_absolute: float | None
    largest_absolute: float | None
    from_zero: int
    """Number of figures that were 0 and no longer are; they have no relative difference."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class QueryChange:
    """The differences between a query's answers before and after."""

    name: str
    groups_before: int | None = None
    groups_after: int | None = None
    lost: int | None = None
    """Number of groups that the release does not have."""
    new: int | None = None
    figures: tuple[FigureChange, ...] = ()
    named: tuple[tuple[str, float], ...] = ()
    """Large groups that differ most, if they may be shown."""
    reason: str | None = None
    hint: str | None = None

    @property
    def typical(self) -> float | None:
        """The typical relative difference of the figure that differs most."""
        return _largest(figure.typical_relative for figure in self.figures)

    @property
    def largest(self) -> float | None:
        """The largest relative difference of any figure."""
        return _largest(figure.largest_relative for figure in self.figures)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types: differences, no answers."""
        return {
            **asdict(self),
            "figures": [figure.to_dict() for figure in self.figures],
            "named": [{"group": label, "relative": value} for label, value in self.named],
            "typical_relative": self.typical,
            "largest_relative": self.largest,
        }


def query_changes(both: ComparedTables, plan: UtilityPlan) -> tuple[QueryChange, ...]:
    """Run every query in the order given."""
    if not plan.queries:
        return ()
    with both.original.rows.queries(seconds=plan.seconds) as ask:
        before = {name: ask(sql) for name, sql in plan.queries.items()}
    with both.released.rows.queries(seconds=plan.seconds) as ask:
        after = {name: ask(sql) for name, sql in plan.queries.items()}
    return tuple(_compare(name, before[name], after[name], plan) for name in plan.queries)


def _compare(name: str, before: Answer | Failed, after: Answer | Failed, plan: UtilityPlan) -> QueryChange:
    for answer, where in ((before, "on the original"), (after, "on the release")):
        if isinstance(answer, Failed):
            return QueryChange(name, reason=f"Failed {where}: {answer.reason}.", hint=answer.hint)
    assert isinstance(before, Answer)  # noqa: S101 - checked above
    assert isinstance(after, Answer)  # noqa: S101
    matched = _match(before, after)
    if isinstance(matched, Failed):
        return QueryChange(name, reason=matched.reason, hint=matched.hint)
    figures, one, two = matched
    changes = tuple(_figure(before.names[at], at, one, two) for at in figures)
    return QueryChange(
        name,
        len(one),
        len(two),
        len(one.keys() - two.keys()),
        len(two.keys() - one.keys()),
        changes,
        _named(plan.queries[name], len(before.names), figures, (one, two), plan.cell_size)
        if plan.show_groups
        else (),
    )


_Rows = Mapping[tuple[Any, ...], tuple[Any, ...]]


def _match(before: Answer, after: Answer) -> tuple[list[int], _Rows, _Rows] | Failed:
    """Return the columns of figures, and the rows by their groups.

    Groups are texts, dates and Boolean values; leading numbers, as in SELECT year, count(*), are groups
    too if rows could not be distinguished without them.
    """
    if before.names != after.names:
        return Failed(
            "Its answers do not have the same columns on both tables.",
            "Name the columns instead of using *.",
        )
    both = list(zip(before.kinds, after.kinds, strict=True))
    figures = [at for at, kinds in enumerate(both) if "group" not in kinds]
    if not figures:
        return Failed(
            "Its answer has no column of numbers on both tables.",
            "Select a figure, such as count(*) or avg(middle(age)).",
        )
    while figures:
        one, two = (_by_group(answer, figures) for answer in (before, after))
        if one is not None and two is not None:
            return figures, one, two
        figures = figures[1:]
    return Failed(
        "Rows of its answer cannot be matched: several have the same groups.",
        "Select one row per group, with GROUP BY.",
    )


def _by_group(answer: Answer, figures: list[int]) -> _Rows | None:
    """Return rows by their groups; None if two rows have the same group."""
    keys = [at for at in range(len(answer.names)) if at not in figures]
    found = {tuple(None if row[at] is None else _text(row[at]) for at in keys): row for row in answer.rows}
    return found if len(found) == len(answer.rows) else None


def _text(cell: Any) -> str:
    """Write a group in the same way for both tables: 5.0 is 5."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _steady(figure: float | None) -> float | None:
    """Round to twelve digits: sums of many rows depend on their order in the last digits.

    >>> _steady(0.1 + 0.2) == _steady(0.3), _steady(None), _steady(7)
    (True, None, 7)
    """
    return float(f"{figure:.12g}") if isinstance(figure, float) else figure


def _figure(column: str, at: int, before: _Rows, after: _Rows) -> FigureChange:
    relative: list[float] = []
    absolute: list[float] = []
    zeros = 0
    for key in dict.fromkeys((*before, *after)):
        old, new = (_steady(side[key][at]) if key in side else None for side in (before, after))
        if old is None and new is None:
            continue
        if old is None or new is None:
            relative.append(GONE)
            continue
        absolute.append(min(abs(new - old), MOST))
        if old:
            relative.append(_relative(old, new))
        elif new:
            zeros += 1
        else:
            relative.append(0.0)
    return FigureChange(
        column,
        len(absolute),
        median(relative) if relative else None,
        max(relative, default=None),
        median(absolute) if absolute else None,
        max(absolute, default=None),
        zeros,
    )


def _named(
    sql: str, columns: int, figures: list[int], sides: tuple[_Rows, _Rows], least: int
) -> tuple[tuple[str, float], ...]:
    """Return the groups that differ most, among those for which the query counts at least `least` records."""
    groups = sql_groups(sql)
    if groups is None or not groups.shared.issuperset(set(range(columns)).difference(figures)):
        return ()
    before, after = sides
    found = []
    for key in before.keys() & after.keys():
        if not key or min(side[key][groups.records] or 0 for side in sides) < least:
            continue
        moved = [
            _relative(before[key][at], after[key][at])
            for at in figures
            if before[key][at] and after[key][at] is not None
        ]
        label = ", ".join("(missing)" if part is None else part for part in key)
        found.append((label, max(moved, default=0.0)))
    return tuple(sorted(found, key=lambda one: (-one[1], one[0]))[:MOST_NAMED])


def _relative(old: float, new: float) -> float:
    """Return the change as a share of the old figure, at most the largest floating-point number."""
    return min(abs(new - old) / abs(old), MOST)


def _largest(values: Any) -> float | None:
    return max((value for value in values if value is not None), default=None)

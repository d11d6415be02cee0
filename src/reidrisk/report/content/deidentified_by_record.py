"""A table whose records were treated one by one: in how many of them each variable is how exact."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import percent
from reidrisk.report.parts import Column, Table

GLOBAL = "global"


def is_by_record(result: dict[str, Any]) -> bool:
    """Whether records have levels of their own."""
    return bool(result.get("method", GLOBAL) != GLOBAL)


def by_record(result: dict[str, Any]) -> tuple[Table, ...]:
    """The table of shares, if there is anything to say."""
    if not is_by_record(result) or result["solution"] is None:
        return ()
    kept = result["solution"]["utility"]["by_column"]
    rows = tuple((row["column"], ways_of(row), percent(kept[row["column"]])) for row in result["variables"])
    columns = (
        Column("variable"),
        Column("released as", is_prose=True),
        Column("granularity kept", is_number=True),
    )
    return (
        Table(
            "How exact the records are",
            (
                "Each record is as exact as its own class allows: the share of the records in "
                "which each variable is released how. A record can be exact in one variable and "
                "general in another."
            ),
            columns,
            rows,
            (
                f"In all {percent(result['solution']['utility']['granularity'])} of the "
                "granularity is kept: one less the mean, over cells, of the share of the "
                "variable's values that a cell leaves open beyond its own."
            ),
        ),
    )


def ways_of(row: dict[str, Any]) -> str:
    """In which share of the records a variable is released how.

    >>> ways_of({"level_shares": {"exact": 0.91, "decade": 0.09}, "suppressed_share": 0.0})
    'exact: 91.0 %, decade: 9.0 %'
    """
    parts = [f"{name}: {percent(share)}" for name, share in row["level_shares"].items()]
    if row["suppressed_share"]:
        parts.append(f"suppressed: {percent(row['suppressed_share'])}")
    return ", ".join(parts)

"""A table whose records were treated one by one: in how many of them each variable is how exact."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import percent
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say

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
        Column(say("content.deidentified_by_record.variable")),
        Column(say("content.deidentified_by_record.released_as"), is_prose=True),
        Column(say("content.deidentified_by_record.granularity"), is_number=True),
    )
    return (
        Table(
            say("content.deidentified_by_record.how_exact"),
            say("content.deidentified_by_record.each_record"),
            columns,
            rows,
            say(
                "content.deidentified_by_record.in_all",
                granularity=percent(result["solution"]["utility"]["granularity"]),
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
        parts.append(say("content.deidentified_by_record.suppressed", share=percent(row["suppressed_share"])))
    return ", ".join(parts)

"""Optional parts of a table's risk."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Table

MOST_SETS = 15
MOST_BARS = 15
"""Bars of a chart; the table has all."""
RELEASES = {
    "classes": "classes of either",
    "changed": "classes that differ",
    "small": "that differ by too few",
    "records": "records given away",
}


def alarms(result: dict[str, Any]) -> tuple[str, ...]:
    """What no class protects."""
    rare = result.get("rare_codes")
    if not rare or not rare["records"]:
        return ()
    return (
        (
            f"{count(rare['records'])} records ({percent(rare['share'])}) hold a code listed "
            f"as rare and visible: {rare['warning']}."
        ),
    )


def blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """The tables of what was asked."""
    rare = (_rare(result["rare_codes"]),) if result.get("rare_codes") else ()
    names = dict.fromkeys(group["column"] for group in result.get("subgroups", ()))
    return (*_special(result), *_differencing(result), *rare, *(_subgroups(result, name) for name in names))


def _differencing(result: dict[str, Any]) -> tuple[Table, ...]:
    """Classes of this release and of another one."""
    found = result.get("differencing")
    if not found:
        return ()
    return (
        Table(
            "Two releases of the same data",
            (
                "Who has both releases can subtract them. A class that differs by fewer than "
                f"{found['cell_size']} records is a group of too few."
            ),
            (
                Column("other release"),
                *(Column(title, is_number=True) for title in RELEASES.values()),
            ),
            ((short_path(found["source"]), *(count(found[name]) for name in RELEASES)),),
        ),
    )


def _special(result: dict[str, Any]) -> tuple[Table, ...]:
    """Records that few columns single out: by column, by the size of the sets, and the sets."""
    found = result.get("special_uniques")
    if not found:
        return ()
    sizes = "; ".join(
        f"{count(one['records'])} records by sets of {one['columns']}" for one in found["by_size"]
    )
    columns = sorted(found["by_column"], key=lambda one: -one["score_share"])
    shares = Table(
        "Special uniques",
        (
            f"Records that {found['largest']} columns or fewer single out. The score of a "
            "record is the higher, the smaller and the more its sets are; a column has a share "
            "in the scores of the sets that it is in, so that the shares add up to more than "
            "all."
        ),
        (
            Column("column"),
            Column("share of scores", is_number=True),
        ),
        tuple((one["column"], percent(one["score_share"])) for one in columns),
        sizes or "No record is singled out by so few columns.",
    )
    sets = Table(
        "Sets of columns that single out",
        "No part of such a set singles the same record out.",
        (
            Column("columns"),
            Column("records", is_number=True),
        ),
        tuple((" + ".join(one["columns"]), count(one["records"])) for one in found["by_set"][:MOST_SETS]),
    )
    return (shares, *([sets] if found["by_set"] else []), *_intrusion(found.get("intrusion")))


def _intrusion(found: dict[str, Any] | None) -> tuple[Table, ...]:
    """How many records are matched rightly with more than some chance."""
    if not found:
        return ()
    return (
        Table(
            "Records by the chance that a match is right",
            (
                f"{percent(found['fraction'])} of a population are in the table. Somebody of it "
                "fits exactly one record: how likely is it that person's own? The higher the score "
                "of the record, the likelier (DIS-SUDA)."
            ),
            (
                Column("chance above", is_number=True),
                Column("records", is_number=True),
            ),
            tuple((probability(one["chance"]), count(one["records"])) for one in found["above"]),
            (
                f"Over all unique records {probability(found['right'])}; for the highest score "
                f"{probability(found['highest'])}."
            ),
        ),
    )


def _rare(rare: dict[str, Any]) -> Table:
    rows = tuple(
        (one["column"], count(one["records"]), percent(one["share"]), count(one["codes_present"]))
        for one in rare["by_column"]
    )
    return Table(
        "Rare codes",
        ("Records with a listed disease or drug, by which a person can be recognised whatever the class."),
        (
            Column("column"),
            Column("records", is_number=True),
            Column("share", is_number=True),
            Column(
                "listed codes that occur",
                is_number=True,
                short="codes that occur",
            ),
        ),
        rows,
        (
            f"In all: {count(rare['records'])} records ({percent(rare['share'])}); "
            f"{count(rare['codes_present'])} of {count(rare['codes_listed'])} listed codes "
            "occur."
        ),
    )


def _subgroups(result: dict[str, Any], column: str) -> Table:
    found = [group for group in result["subgroups"] if group["column"] == column]
    rows = tuple(
        (
            _label(group),
            count(group["records"]),
            count(group["smallest_class"]),
            probability(group["highest"]),
            probability(group["average"]),
            percent(group["share_above_threshold"]),
            count(group["unique_records"]),
        )
        for group in found
    )
    heads = (
        "records",
        "smallest class",
        "highest",
        "average",
        "above threshold",
        "unique records",
    )
    return Table(
        f"By {column}",
        ("The records of each group, in the classes of the whole table. Small groups are not named."),
        (Column("group"), *(Column(name, is_number=True) for name in heads)),
        rows,
    )


def _label(group: dict[str, Any]) -> str:
    if group["label"] is not None:
        return str(group["label"])
    return f"smaller groups ({count(group['groups'])})"


def option_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """What each column contributes to singling out by few columns."""
    found = result.get("special_uniques")
    if not found or not found["records"]:
        return ()
    ordered = sorted(found["by_column"], key=lambda one: -one["score_share"])
    most = ordered[0]["score_share"]
    rows = [(one["column"], one["score_share"], one["score_share"] == most) for one in ordered]
    bars = Bars(tuple(rows[:MOST_BARS]), "share of the scores")
    more = f" {count(len(rows) - MOST_BARS)} more are in the table below." if len(rows) > MOST_BARS else ""
    return (
        Chart(
            "special",
            "Special uniques by column",
            (
                "How much of the scores of special uniques comes from sets with each column. Dark: the "
                f"columns that single out most.{more}"
            ),
            f"The most: {rows[0][0]}, {percent(rows[0][1])}. The table below has every number.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )

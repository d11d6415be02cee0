"""What a table risk shows on request: special uniques, another release, rare codes and subgroups."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, more, percent, probability
from reidrisk.report.parts import Column, Table

MOST_SETS = 15
MOST_BARS = 15
"""Bars of a chart; the table shows all."""
RELEASES = {
    "classes": "classes in either",
    "changed": "classes that differ",
    "small": "differ by too few records",
    "records": "records exposed",
}


def alarms(result: dict[str, Any]) -> tuple[str, ...]:
    """Records with a code that identifies people whatever their class."""
    rare = result.get("rare_codes")
    if not rare or not rare["records"]:
        return ()
    return (
        (
            f"{count(rare['records'])} records ({percent(rare['share'])}) contain a code listed "
            f"as rare and visible: {rare['warning']}."
        ),
    )


def blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """The tables of everything that was requested."""
    rare = (_rare(result["rare_codes"]),) if result.get("rare_codes") else ()
    names = dict.fromkeys(group["column"] for group in result.get("subgroups", ()))
    return (*_special(result), *_differencing(result), *rare, *(_subgroups(result, name) for name in names))


def _differencing(result: dict[str, Any]) -> tuple[Table, ...]:
    """The classes of this release compared with those of another one."""
    found = result.get("differencing")
    if not found:
        return ()
    return (
        Table(
            "Two releases of the same data",
            (
                "Anyone who has both releases can subtract one from the other. Where a class differs by "
                f"fewer than {found['cell_size']} records, the difference is a group that is too small."
            ),
            (
                Column("other release"),
                *(Column(title, is_number=True) for title in RELEASES.values()),
            ),
            ((short_path(found["source"]), *(count(found[name]) for name in RELEASES)),),
        ),
    )


def _special(result: dict[str, Any]) -> tuple[Table, ...]:
    """Records singled out by a few columns: by column, by the size of the sets, and by set."""
    found = result.get("special_uniques")
    if not found:
        return ()
    sizes = "; ".join(
        f"{count(one['records'])} records by sets of {one['columns']} columns" for one in found["by_size"]
    )
    columns = sorted(found["by_column"], key=lambda one: -one["score_share"])
    shares = Table(
        "Special uniques",
        (
            f"Records singled out by {found['largest']} or fewer columns. A record has a higher score if "
            "more sets of columns single it out, and if these sets are smaller. The score of a set counts "
            "for every column in it, so the shares add up to more than 100 %."
        ),
        (
            Column("column"),
            Column("share of scores", is_number=True),
        ),
        tuple((one["column"], percent(one["score_share"])) for one in columns),
        sizes or "No record is singled out by this few columns.",
    )
    sets = Table(
        "Sets of columns that single out",
        "These sets are minimal: no subset of a set singles out the same record.",
        (
            Column("columns"),
            Column("records", is_number=True),
        ),
        tuple((" + ".join(one["columns"]), count(one["records"])) for one in found["by_set"][:MOST_SETS]),
    )
    return (shares, *([sets] if found["by_set"] else []), *_intrusion(found.get("intrusion")))


def _intrusion(found: dict[str, Any] | None) -> tuple[Table, ...]:
    """How many records would be matched correctly with more than a given probability."""
    if not found:
        return ()
    return (
        Table(
            "Records by the probability that a match is correct",
            (
                f"The table holds {percent(found['fraction'])} of a population. If a person of the "
                "population matches exactly one record, how likely is it that the record belongs to that "
                "person? The higher the record's score, the more likely (DIS-SUDA)."
            ),
            (
                Column("probability above", is_number=True),
                Column("records", is_number=True),
            ),
            tuple((probability(one["chance"]), count(one["records"])) for one in found["above"]),
            (
                f"All unique records: {probability(found['right'])}. Record with the highest score: "
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
        "Records with a listed disease or drug that can identify a person, whatever the class.",
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
            f"Total: {count(rare['records'])} records ({percent(rare['share'])}); "
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
        "The records of each group, in the classes of the whole table. Small groups are not named.",
        (Column("group"), *(Column(name, is_number=True) for name in heads)),
        rows,
    )


def _label(group: dict[str, Any]) -> str:
    if group["label"] is not None:
        return str(group["label"])
    return f"smaller groups ({count(group['groups'])})"


def option_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """How much each column contributes to the special uniques."""
    found = result.get("special_uniques")
    if not found or not found["records"]:
        return ()
    ordered = sorted(found["by_column"], key=lambda one: -one["score_share"])
    most = ordered[0]["score_share"]
    rows = [(one["column"], one["score_share"], one["score_share"] == most) for one in ordered]
    bars = Bars(tuple(rows[:MOST_BARS]), "share of the scores")
    rest = f" {more(len(rows) - MOST_BARS, 'in the table below')}" if len(rows) > MOST_BARS else ""
    return (
        Chart(
            "special",
            "Special uniques by column",
            (
                "Share of the scores that comes from sets with this column. Dark: the columns with the "
                f"largest share.{rest}"
            ),
            f"Highest: {rows[0][0]}, {percent(rows[0][1])}. The table below lists all numbers.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )

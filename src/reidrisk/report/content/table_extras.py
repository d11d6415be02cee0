"""What a table risk tells if asked: listed rare codes and subgroups."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Table


def alarms(result: dict[str, Any]) -> tuple[str, ...]:
    """What no class protects."""
    rare = result.get("rare_codes")
    if not rare or not rare["records"]:
        return ()
    return (
        f"{count(rare['records'])} records ({percent(rare['share'])}) hold a code listed as rare and "
        f"visible: {rare['warning']}.",
    )


def blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """The tables of what was asked."""
    rare = (_rare(result["rare_codes"]),) if result.get("rare_codes") else ()
    names = dict.fromkeys(group["column"] for group in result.get("subgroups", ()))
    return (*rare, *(_subgroups(result, name) for name in names))


def _rare(rare: dict[str, Any]) -> Table:
    rows = tuple(
        (one["column"], count(one["records"]), percent(one["share"]), count(one["codes_present"]))
        for one in rare["by_column"]
    )
    return Table(
        "Rare codes",
        "Records with a listed disease or drug, by which a person can be recognised whatever the class.",
        (
            Column("column"),
            Column("records", is_number=True),
            Column("share", is_number=True),
            Column("listed codes that occur", is_number=True, short="codes that occur"),
        ),
        rows,
        f"In all: {count(rare['records'])} records ({percent(rare['share'])}); "
        f"{count(rare['codes_present'])} of {count(rare['codes_listed'])} listed codes occur.",
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
    heads = ("records", "smallest class", "highest", "average", "above threshold", "unique records")
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

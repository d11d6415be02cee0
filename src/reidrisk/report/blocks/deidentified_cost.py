"""What de-identification achieves and what it costs: risk, suppressed cells and detail, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

from reidrisk.report.blocks.deidentified_release import is_by_record
from reidrisk.report.blocks.utility import association_table
from reidrisk.report.charts.bars import (
    LimitedShare,
    ShareChange,
    changes,
    changes_height,
    draw_changes,
    draw_limited,
    limited_height,
)
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.numbers import MISSING, count, loss, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import printable, wrap
from reidrisk.report.traced import size

MEASURES = {
    "precision": "1 if every variable is unchanged, 0 if every variable is at its most general level (Prec)",
    "discernibility": (
        "sum of the squared class sizes, and all records for each suppressed one; more means less detail (DM)"
    ),
    "entropy": "information lost by generalization; 0 means none (non-uniform entropy)",
    "granularity": (
        "1 if every cell is unchanged, 0 if no cell contains information: the mean share of a variable's "
        "values that a cell rules out"
    ),
}
LOSSES = {
    "loss_gm": "share of detail lost, geometric mean over the variables; 0 means none, 1 all",
    "loss_am": "share of detail lost, mean over the variables; 0 means none, 1 all",
    "prec": "mean height of the chosen levels; 0 means exact, 1 the most general",
    "entropy": "information lost by generalization",
    "dm": "sum of the squared class sizes, and all records for each suppressed one",
}
READINGS = {
    "value": "a suppressed cell is a value of its own: the cautious and usual interpretation",
    "wildcard": "a suppressed cell may be any value, so it matches every value",
}


def risks(result: dict[str, Any]) -> Table:
    """The risk before and after, side by side."""
    before, after = result["before"], result["after"]
    old = _figures(before)
    new = dict.fromkeys(old, MISSING) if after is None else _figures(after)
    rows = tuple((name, value, new[name]) for name, value in old.items())
    return Table(
        "Risk before and after",
        (
            "The probability that a record is matched to the right person, in the original table and in "
            "the released one."
        ),
        (
            Column("measure"),
            Column("before", is_number=True),
            Column("after", is_number=True),
        ),
        rows,
        before["journalist"].get("reason", ""),
    )


def risk_lines(result: dict[str, Any]) -> list[str]:
    """The risk for a terminal, also under both interpretations of a suppressed cell."""
    before, after = result["before"], result["after"]
    lines = ["", "RISK"]
    for name, part in (("before", before), ("after", after)):
        if part is not None:
            risk = part["prosecutor"]
            lines += wrap(
                f"{name.capitalize()}: smallest class {count(part['smallest_class'])}, highest risk "
                f"{probability(risk['highest'])}, average {probability(risk['average'])}, "
                f"{percent(risk['share_above_threshold'])} of records above the threshold."
            )
    for name, part in (result["readings"] or {}).items():
        lines += wrap(
            f"Suppressed cell as {name}: smallest class {count(part['smallest_class'])}, highest risk "
            f"{probability(part['highest'])}, {percent(part['share_above_threshold'])} above the threshold."
        )
    return lines


def _figures(risk: dict[str, Any]) -> dict[str, str]:
    prosecutor = risk["prosecutor"]
    return {
        "records": count(risk["records"]),
        "equivalence classes": count(risk["classes"]),
        "smallest class": count(risk["smallest_class"]),
        "highest risk (prosecutor)": probability(prosecutor["highest"]),
        "average risk (prosecutor)": probability(prosecutor["average"]),
        "records above a threshold": _above(risk),
        "unique records": percent(risk["unique_share"]),
        "highest risk (journalist)": probability(risk["journalist"]["highest"]),
        "share of correct matches (marketer)": probability(risk["marketer"]["average"]),
    }


def _above(risk: dict[str, Any]) -> str:
    """The share with its threshold, which can differ before and after."""
    return f"{percent(risk['prosecutor']['share_above_threshold'])} above 1/{risk['threshold']['cell_size']}"


def utility(result: dict[str, Any]) -> Facts:
    """Measures of information loss, each with an explanation."""
    measures = result["solution"]["utility"]
    name = measures["loss_name"]
    facts = [
        Fact(
            f"loss ({name})",
            loss(measures["loss"]),
            LOSSES.get(name, "the loss that decided"),
        )
    ]
    facts += [
        Fact(key, loss(measures[key]), meaning)
        for key, meaning in MEASURES.items()
        if key != name and key in measures
    ]
    explanation = "Measures of lost detail. The first one decided between solutions."
    return Facts("Information loss", explanation, tuple(facts))


def loss_lines(result: dict[str, Any]) -> list[str]:
    """Loss, proof and bound for a terminal."""
    solution, lattice = result["solution"], result["lattice"]
    evaluated = (
        f"{count(lattice['evaluated'])} of {count(lattice['nodes'])} combinations of levels were evaluated."
    )
    if solution is None:
        return wrap(evaluated)
    measures = "; ".join(f"{fact.name} {fact.value}" for fact in utility(result).facts)
    known = "proven to be the smallest" if solution["optimal"] else "NOT PROVEN to be the smallest"
    lines = ["", "LOSS", *wrap(f"{measures}.")]
    proof = f"The loss of the levels is {known} ({solution['proof']}). {evaluated} {_candidates(result)}"
    searched = f" {evaluated}" if lattice["nodes"] > 1 else ""
    lines += wrap(f"Found by {solution['proof']}.{searched}" if is_by_record(result) else proof)
    how = solution["cell_suppression"]
    if how is not None:
        lines += wrap(f"Suppressed cells: {bound_text(how)} ({how['method']}).")
    return lines


def _candidates(result: dict[str, Any]) -> str:
    number = size(result["candidates"])
    return f"{count(number)} candidate{'' if number == 1 else 's'} in total."


def associations(result: dict[str, Any]) -> Table:
    """The association of pairs of variables, the largest change first."""
    pairs = [
        {**row, "change": row["after"] - row["before"] if _is_known(row) else None}
        for row in result["associations"]
    ]
    return association_table(
        sorted(pairs, key=lambda row: -1.0 if row["change"] is None else abs(row["change"]), reverse=True),
        title="Associations before and after",
        explanation=(
            "How strongly two variables are associated: 0 means not at all, 1 (or -1) completely. An "
            "analysis keeps its meaning if the two numbers are close."
        ),
    )


def suppression(result: dict[str, Any]) -> Facts:
    """How many cells were suppressed, and how close that is to the minimum."""
    solution = result["solution"]
    if result["settings"].get("records") == "remove":
        explanation = "Records whose class is too small are removed."
    elif result["settings"]["suppress"] == "records" or solution["cell_suppression"] is None:
        explanation = "In records whose class is too small, all quasi-identifiers are suppressed."
    else:
        explanation = "In records whose class is too small, only as many cells as necessary are suppressed."
    facts = [
        Fact(
            "records with suppressed cells",
            _of(solution, "suppressed_records", "suppressed_share"),
        ),
        Fact(
            "suppressed cells",
            _of(solution, "suppressed_cells", "cell_share"),
        ),
        Fact("records removed from the file", count(solution["removed_records"])),
        *_bound(result, solution["cell_suppression"]),
    ]
    return Facts("Suppression", explanation, tuple(facts))


def bound_text(how: dict[str, Any]) -> str:
    """How close cell suppression is to the minimum, never better than proven.

    >>> bound_text({"optimal": False, "gap": 0.0201})
    'at most 2.1 % above the minimum'
    """
    if how["optimal"]:
        return "the proven minimum"
    gap = how["gap"]
    if gap is None or gap >= 1:
        return "no bound is proven"
    above = ceil(gap / (1 - gap) * 1000 - 1e-9) / 1000
    return f"at most {percent(above)} above the minimum"


def per_record(result: dict[str, Any]) -> Table:
    """How many cells are suppressed per record."""
    found, records = result["solution"]["cells_per_record"], result["solution"]["records"]
    rows = tuple(
        (count(row["cells"]), count(row["records"]), percent(row["records"] / records)) for row in found
    )
    return Table(
        "Suppressed cells per record",
        "Most records should have none, and the others only a few.",
        (
            Column("cells"),
            Column("records", is_number=True),
            Column("share of records", is_number=True),
        ),
        rows,
        "" if found else "No cells are suppressed.",
    )


def readings(result: dict[str, Any]) -> Table:
    """The risk under both interpretations of a suppressed cell."""
    found = result["readings"] or {}
    used = result["settings"]["reading"]
    rows = tuple(
        (f"{name} (decides)" if name == used else name, *_reading(found[name]), meaning)
        for name, meaning in READINGS.items()
        if name in found
    )
    return Table(
        "Two interpretations of a suppressed cell",
        "The risk depends on whether a suppressed cell counts as a value that distinguishes records.",
        (
            Column("interpretation"),
            Column("smallest class", is_number=True),
            Column("highest risk", is_number=True),
            Column(f"records above 1/{result['threshold']['cell_size']}", is_number=True),
            Column("meaning", is_prose=True),
        ),
        rows,
        "" if rows else "Nothing is suppressed, so both interpretations agree; or they were not computed.",
        tuple(at for at, row in enumerate(rows) if row[0].endswith("(decides)")),
    )


def _reading(part: dict[str, Any]) -> tuple[str, str, str]:
    above = percent(part["share_above_threshold"])
    return count(part["smallest_class"]), probability(part["highest"]), above


def _of(solution: dict[str, Any], number: str, share: str) -> str:
    return f"{count(solution[number])} ({percent(solution[share])})"


def _bound(result: dict[str, Any], how: dict[str, Any] | None) -> list[Fact]:
    if how is None or "gap" not in how:
        return []
    weights = set((result["settings"].get("weights") or {}).values())
    unit = "cells" if weights <= {1} else "weighted cells"
    least = f"at least {how['bound']:,.10g} {unit} must be suppressed" if how["bound"] else ""
    return [
        Fact("distance from the minimum", bound_text(how), least),
        Fact("method", how["method"]),
    ]


def _is_known(row: dict[str, Any]) -> bool:
    return row["before"] is not None and row["after"] is not None


def suppression_chart(result: dict[str, Any]) -> Chart:
    """The share of records in which each variable is suppressed."""
    solution, settings = result["solution"], result["settings"]
    total = LimitedShare(
        "any variable",
        solution["suppressed_share"],
        settings.get("max_suppression"),
        is_total=True,
    )
    most = settings.get("max_cell_suppression")
    rows = (total, *(LimitedShare(name, share, most) for name, share in solution["by_column_share"].items()))
    worst = max(rows[1:], key=lambda row: row.share, default=total)
    return Chart(
        "suppressed",
        "Records with suppressed cells",
        "Share of records in which each variable is suppressed. Dashed lines show the limits.",
        (
            f"{percent(total.share)} of records have a suppressed cell. The variable suppressed most often "
            f"is {printable(worst.name)}, in {percent(worst.share)}."
        ),
        limited_height(rows),
        partial(draw_limited, rows=rows, title="share of records"),
    )


def _values(row: dict[str, Any], number: int) -> Chart:
    found = changes(row["distribution"], other_labels=row["other_labels"] or 0)
    name, change = printable(row["column"]), printable(_largest_change(row, found))
    return Chart(
        f"values{number}",
        name,
        change,
        f"Values of {name} before and after. {change}",
        changes_height(found),
        partial(draw_changes, rows=found),
    )


def _largest_change(row: dict[str, Any], found: Sequence[ShareChange]) -> str:
    """The largest change in words."""
    largest = max(found, key=lambda change: change.size)
    level = f"Level: {row['level']}. " if row["level"] else ""
    if largest.size < 5e-4:
        return f"{level}No share changed noticeably."
    return (
        f"{level}Largest change: {largest.label}, from {percent(largest.before)} to {percent(largest.after)}."
    )


def distributions(result: dict[str, Any]) -> tuple[Chart, ...]:
    """One small chart per released variable."""
    return tuple(
        _values(row, number) for number, row in enumerate(result["variables"], start=1) if row["distribution"]
    )

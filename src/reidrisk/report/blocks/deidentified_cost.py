"""What de-identification achieves and what it costs: risk, suppressed cells and detail, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

from reidrisk.report.blocks.deidentified_release import is_by_record
from reidrisk.report.blocks.utility import association_table
from reidrisk.report.charts import before_after, limits
from reidrisk.report.charts.before_after import Change, changes, draw_changes
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.limits import LimitedShare, draw_limited
from reidrisk.report.numbers import MISSING, count, loss, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import printable, wrapped

MEASURES = {
    "precision": (
        "1 if every variable is as exact as it was, 0 if every one is at its coarsest level (Prec)"
    ),
    "discernibility": "records that look alike, counted in pairs with themselves: more is coarser (DM)",
    "entropy": ("information that the coarser values no longer hold; 0 means none (non-uniform entropy)"),
    "granularity": (
        "1 if every cell is as exact as it was, 0 if none tells anything: the mean share "
        "of a variable's values that a cell rules out"
    ),
}
LOSSES = {
    "loss_gm": "share of detail lost, as geometric mean over the variables; 0 none, 1 all",
    "loss_am": "share of detail lost, as mean over the variables; 0 none, 1 all",
    "prec": "mean height of the levels chosen; 0 exact, 1 the coarsest",
    "entropy": "information lost with the coarser values",
    "dm": "records that look alike",
}
READINGS = {
    "value": "a suppressed cell is a value of its own: cautious, the usual reading",
    "wildcard": "a suppressed cell may be any value, so that it is like all others",
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
            "The chance that a record is matched with the right person, in the table as it was "
            "and as released."
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
    """The risk in sentences, and by both readings of a suppressed cell."""
    before, after = result["before"], result["after"]
    lines = ["", "RISK"]
    for name, part in (("before", before), ("after", after)):
        if part is not None:
            risk = part["prosecutor"]
            lines += wrapped(
                f"{name}: smallest class {count(part['smallest_class'])}, highest risk "
                f"{probability(risk['highest'])}, average {probability(risk['average'])}, "
                f"{percent(risk['share_above_threshold'])} of records above the threshold."
            )
    for name, part in (result["readings"] or {}).items():
        lines += wrapped(
            f"suppressed cell read as {name}: smallest class {count(part['smallest_class'])}, highest risk "
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
        "share matched rightly (marketer)": probability(risk["marketer"]["average"]),
    }


def _above(risk: dict[str, Any]) -> str:
    """With the threshold, which need not be the same before and after."""
    return f"{percent(risk['prosecutor']['share_above_threshold'])} above 1/{risk['threshold']['cell_size']}"


def utility(result: dict[str, Any]) -> Facts:
    """The loss measures, each with a sentence."""
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
    explanation = "Measures of lost detail; the first one decided between solutions."
    return Facts("What is lost", explanation, tuple(facts))


def loss_lines(result: dict[str, Any]) -> list[str]:
    """Loss, proof and bound in running text."""
    solution, lattice = result["solution"], result["lattice"]
    counted = f"{count(lattice['evaluated'])} of {count(lattice['nodes'])} choices of levels were counted."
    if solution is None:
        return wrapped(counted)
    measures = "; ".join(f"{fact.name} {fact.value}" for fact in utility(result).facts)
    known = "proved to be the least" if solution["optimal"] else "NOT PROVED to be the least"
    lines = ["", "LOSS", *wrapped(f"{measures}.")]
    proved = f"The loss of the levels is {known} ({solution['proof']}). {counted} {_candidates(result)}"
    walked = f" {counted}" if lattice["nodes"] > 1 else ""
    lines += wrapped(f"Found by {solution['proof']}.{walked}" if is_by_record(result) else proved)
    how = solution["cell_suppression"]
    if how is not None:
        lines += wrapped(f"Suppressed cells: {bound_words(how)} ({how['method']}).")
    return lines


def _candidates(result: dict[str, Any]) -> str:
    number = len(result["candidates"])
    return f"{count(number)} candidate{'' if number == 1 else 's'} in all."


def associations(result: dict[str, Any]) -> Table:
    """How strongly pairs of variables go together, the largest change first."""
    pairs = [
        {**row, "change": row["after"] - row["before"] if _is_known(row) else None}
        for row in result["associations"]
    ]
    return association_table(
        sorted(pairs, key=lambda row: -1.0 if row["change"] is None else abs(row["change"]), reverse=True),
        title="Associations before and after",
        explanation=(
            "How strongly two variables go together: 0 not at all, 1 (or -1) completely. An "
            "analysis keeps its meaning where the two numbers are close."
        ),
    )


def suppression(result: dict[str, Any]) -> Facts:
    """How cells were suppressed, and how near that is to the least possible."""
    solution = result["solution"]
    if result["settings"]["suppress"] == "records" or solution["cell_suppression"] is None:
        explanation = "Records that look like too few others lose all their quasi-identifiers."
    else:
        explanation = "Records that look like too few others lose only as many cells as they must."
    facts = [
        Fact(
            "records with suppression",
            _of(solution, "suppressed_records", "suppressed_share"),
        ),
        Fact(
            "cells suppressed",
            _of(solution, "suppressed_cells", "cell_share"),
        ),
        Fact("records left out of the file", count(solution["removed_records"])),
        *_bound(result, solution["cell_suppression"]),
    ]
    return Facts("Suppression", explanation, tuple(facts))


def bound_words(how: dict[str, Any]) -> str:
    """How near cell suppression is to the least possible, never better than proved.

    >>> bound_words({"optimal": False, "gap": 0.0201})
    'at most 2.1 % above the least possible'
    """
    if how["optimal"]:
        return "the least possible: proved"
    gap = how["gap"]
    if gap is None or gap >= 1:
        return "no bound is proved"
    above = ceil(gap / (1 - gap) * 1000 - 1e-9) / 1000
    return f"at most {percent(above)} above the least possible"


def per_record(result: dict[str, Any]) -> Table:
    """How many cells a record loses."""
    found, records = result["solution"]["cells_per_record"], result["solution"]["records"]
    rows = tuple(
        (count(row["cells"]), count(row["records"]), percent(row["records"] / records)) for row in found
    )
    return Table(
        "Suppressed cells in a record",
        "Most records should lose none, and the others few.",
        (
            Column("cells"),
            Column("records", is_number=True),
            Column("share of all", is_number=True),
        ),
        rows,
        "" if found else "No cell is suppressed.",
    )


def readings(result: dict[str, Any]) -> Table:
    """The risk under both ways to read a suppressed cell."""
    found = result["readings"] or {}
    used = result["settings"]["reading"]
    rows = tuple(
        (f"{name} (decides)" if name == used else name, *_reading(found[name]), meaning)
        for name, meaning in READINGS.items()
        if name in found
    )
    return Table(
        "Two readings of a suppressed cell",
        ("What an adversary can make of a record depends on whether a suppressed cell tells records apart."),
        (
            Column("reading"),
            Column("smallest class", is_number=True),
            Column("highest risk", is_number=True),
            Column(f"records above 1/{result['threshold']['cell_size']}", is_number=True),
            Column("meaning", is_prose=True),
        ),
        rows,
        "" if rows else "Both readings are the same where nothing is suppressed, or were not computed.",
        tuple(at for at, row in enumerate(rows) if row[0].endswith("(decides)")),
    )


def _reading(part: dict[str, Any]) -> tuple[str, str, str]:
    above = percent(part["share_above_threshold"])
    return count(part["smallest_class"]), probability(part["highest"]), above


def _of(solution: dict[str, Any], number: str, share: str) -> str:
    return f"{count(solution[number])} ({percent(solution[share])})"


def _bound(result: dict[str, Any], how: dict[str, Any] | None) -> list[Fact]:
    if how is None:
        return []
    weights = set((result["settings"].get("weights") or {}).values())
    unit = "cells" if weights <= {1} else "weighted cells"
    least = f"no choice does with fewer than {how['bound']:,.10g} {unit}" if how["bound"] else ""
    return [
        Fact("nearness", bound_words(how), least),
        Fact("method", how["method"]),
    ]


def _is_known(row: dict[str, Any]) -> bool:
    return row["before"] is not None and row["after"] is not None


def suppression_chart(result: dict[str, Any]) -> Chart:
    """In how many records each variable is suppressed."""
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
        ("Share of records in which each variable is suppressed. A dashed line is the limit that was set."),
        (
            f"{percent(total.share)} of records have a suppressed cell. Most often it is "
            f"{printable(worst.name)}, in {percent(worst.share)}."
        ),
        limits.height(rows),
        partial(draw_limited, rows=rows, title="share of records"),
    )


def _values(row: dict[str, Any], number: int) -> Chart:
    found = changes(row["distribution"], other_labels=row["other_labels"] or 0)
    name, moved = printable(row["column"]), printable(_moved(row, found))
    return Chart(
        f"values{number}",
        name,
        moved,
        f"Values of {name} before and after. {moved}",
        before_after.height(found),
        partial(draw_changes, rows=found),
    )


def _moved(row: dict[str, Any], found: Sequence[Change]) -> str:
    """The largest change in words."""
    largest = max(found, key=lambda change: change.size)
    level = f"As {row['level']}. " if row["level"] else ""
    if largest.size < 5e-4:
        return f"{level}No value's share moved noticeably."
    return (
        f"{level}The share that moved most: {largest.label}, from "
        f"{percent(largest.before)} to {percent(largest.after)}."
    )


def distributions(result: dict[str, Any]) -> tuple[Chart, ...]:
    """One small chart a variable that is released."""
    return tuple(
        _values(row, number) for number, row in enumerate(result["variables"], start=1) if row["distribution"]
    )

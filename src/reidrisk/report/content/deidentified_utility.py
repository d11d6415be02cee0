"""What de-identification costs: suppressed cells, lost detail, weaker associations; and what it buys."""

from __future__ import annotations

from math import ceil
from typing import Any

from reidrisk.report.content.associations import association_table
from reidrisk.report.content.deidentified_solutions import figure
from reidrisk.report.content.table_risk import above
from reidrisk.report.numbers import MISSING, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table

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
            figure(measures["loss"]),
            LOSSES.get(name, "the loss that decided"),
        )
    ]
    facts += [
        Fact(key, figure(measures[key]), meaning)
        for key, meaning in MEASURES.items()
        if key != name and key in measures
    ]
    explanation = "Measures of lost detail; the first one decided between solutions."
    return Facts("What is lost", explanation, tuple(facts))


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
            Column(above(result), is_number=True),
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

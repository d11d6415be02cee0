"""What de-identification costs: suppressed cells, lost detail, weaker associations; and what it buys."""

from __future__ import annotations

from math import ceil
from typing import Any

from reidrisk.report.content.associations import association_table
from reidrisk.report.content.deidentified_solutions import figure
from reidrisk.report.content.table_risk import above
from reidrisk.report.numbers import MISSING, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say

MEASURES = {
    "precision": say("content.deidentified_utility.n1_if_every"),
    "discernibility": say("content.deidentified_utility.records_that_look"),
    "entropy": say("content.deidentified_utility.information_that_the"),
    "granularity": say("content.deidentified_utility.granularity"),
}
LOSSES = {
    "loss_gm": say("content.deidentified_utility.share_of_detail"),
    "loss_am": say("content.deidentified_utility.share_of_detail_lost"),
    "prec": say("content.deidentified_utility.mean_height_of"),
    "entropy": say("content.deidentified_utility.information_lost_with"),
    "dm": say("content.deidentified_utility.records_that_look_alike"),
}
READINGS = {
    "value": say("content.deidentified_utility.a_suppressed_cell"),
    "wildcard": say("content.deidentified_utility.a_suppressed_cell_may"),
}


def risks(result: dict[str, Any]) -> Table:
    """The risk before and after, side by side."""
    before, after = result["before"], result["after"]
    old = _figures(before)
    new = dict.fromkeys(old, MISSING) if after is None else _figures(after)
    rows = tuple((name, value, new[name]) for name, value in old.items())
    return Table(
        say("content.deidentified_utility.risk_before_and"),
        say("content.deidentified_utility.the_chance_that"),
        (
            Column(say("content.deidentified_utility.measure")),
            Column(say("content.deidentified_utility.before"), is_number=True),
            Column(say("content.deidentified_utility.after"), is_number=True),
        ),
        rows,
        before["journalist"].get("reason", ""),
    )


def _figures(risk: dict[str, Any]) -> dict[str, str]:
    prosecutor = risk["prosecutor"]
    return {
        "records": count(risk["records"]),
        say("content.deidentified_utility.equivalence_classes"): count(risk["classes"]),
        say("content.deidentified_utility.smallest_class"): count(risk["smallest_class"]),
        say("content.deidentified_utility.highest_risk_prosecutor"): probability(prosecutor["highest"]),
        say("content.deidentified_utility.average_risk_prosecutor"): probability(prosecutor["average"]),
        say("content.deidentified_utility.records_above_a"): _above(risk),
        say("content.deidentified_utility.unique_records"): percent(risk["unique_share"]),
        say("content.deidentified_utility.highest_risk_journalist"): probability(
            risk["journalist"]["highest"]
        ),
        say("content.deidentified_utility.share_matched_rightly"): probability(risk["marketer"]["average"]),
    }


def _above(risk: dict[str, Any]) -> str:
    """With the threshold, which need not be the same before and after."""
    return say(
        "content.deidentified_utility.above_1",
        share_above_threshold=percent(risk["prosecutor"]["share_above_threshold"]),
        cell_size=risk["threshold"]["cell_size"],
    )


def utility(result: dict[str, Any]) -> Facts:
    """The loss measures, each with a sentence."""
    measures = result["solution"]["utility"]
    name = measures["loss_name"]
    facts = [
        Fact(
            say("content.deidentified_utility.loss", name=name),
            figure(measures["loss"]),
            LOSSES.get(name, say("content.deidentified_utility.the_loss_that_decided")),
        )
    ]
    facts += [
        Fact(key, figure(measures[key]), meaning)
        for key, meaning in MEASURES.items()
        if key != name and key in measures
    ]
    explanation = say("content.deidentified_utility.measures_of_lost")
    return Facts(say("content.deidentified_utility.what_is_lost"), explanation, tuple(facts))


def associations(result: dict[str, Any]) -> Table:
    """How strongly pairs of variables go together, the largest change first."""
    pairs = [
        {**row, "change": row["after"] - row["before"] if _is_known(row) else None}
        for row in result["associations"]
    ]
    return association_table(
        sorted(pairs, key=lambda row: -1.0 if row["change"] is None else abs(row["change"]), reverse=True),
        title=say("content.deidentified_utility.associations_before_and"),
        explanation=say("content.deidentified_utility.how_strongly_two"),
    )


def suppression(result: dict[str, Any]) -> Facts:
    """How cells were suppressed, and how near that is to the least possible."""
    solution = result["solution"]
    if result["settings"]["suppress"] == "records" or solution["cell_suppression"] is None:
        explanation = say("content.deidentified_utility.records_that_look_like")
    else:
        explanation = say("content.deidentified_utility.records_that_look_like_too")
    facts = [
        Fact(
            say("content.deidentified_utility.records_with_suppression"),
            _of(solution, "suppressed_records", "suppressed_share"),
        ),
        Fact(
            say("content.deidentified_utility.cells_suppressed"),
            _of(solution, "suppressed_cells", "cell_share"),
        ),
        Fact(say("content.deidentified_utility.records_left_out"), count(solution["removed_records"])),
        *_bound(result, solution["cell_suppression"]),
    ]
    return Facts(say("content.deidentified_utility.suppression"), explanation, tuple(facts))


def bound_words(how: dict[str, Any]) -> str:
    """How near cell suppression is to the least possible, never better than proved.

    >>> bound_words({"optimal": False, "gap": 0.0201})
    'at most 2.1 % above the least possible'
    """
    if how["optimal"]:
        return say("content.deidentified_utility.the_least_possible")
    gap = how["gap"]
    if gap is None or gap >= 1:
        return say("content.deidentified_utility.no_bound_is")
    above = ceil(gap / (1 - gap) * 1000 - 1e-9) / 1000
    return say("content.deidentified_utility.at_most_above", above=percent(above))


def per_record(result: dict[str, Any]) -> Table:
    """How many cells a record loses."""
    found, records = result["solution"]["cells_per_record"], result["solution"]["records"]
    rows = tuple(
        (count(row["cells"]), count(row["records"]), percent(row["records"] / records)) for row in found
    )
    return Table(
        say("content.deidentified_utility.suppressed_cells_in"),
        say("content.deidentified_utility.most_records_should"),
        (
            Column(say("content.deidentified_utility.cells")),
            Column(say("content.deidentified_utility.records"), is_number=True),
            Column(say("content.deidentified_utility.share_of_all"), is_number=True),
        ),
        rows,
        "" if found else say("content.deidentified_utility.no_cell_is"),
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
        say("content.deidentified_utility.two_readings_of"),
        say("content.deidentified_utility.what_an_adversary"),
        (
            Column(say("content.deidentified_utility.reading")),
            Column(say("content.deidentified_utility.smallest_class"), is_number=True),
            Column(say("content.deidentified_utility.highest_risk"), is_number=True),
            Column(above(result), is_number=True),
            Column(say("content.deidentified_utility.meaning"), is_prose=True),
        ),
        rows,
        "" if rows else say("content.deidentified_utility.both_readings_are"),
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
    unit = "cells" if weights <= {1} else say("content.deidentified_utility.weighted_cells")
    least = (
        say("content.deidentified_utility.no_choice_does", bound=f"{how['bound']:,.10g}", unit=unit)
        if how["bound"]
        else ""
    )
    return [
        Fact(say("content.deidentified_utility.nearness"), bound_words(how), least),
        Fact(say("content.deidentified_utility.method"), how["method"]),
    ]


def _is_known(row: dict[str, Any]) -> bool:
    return row["before"] is not None and row["after"] is not None

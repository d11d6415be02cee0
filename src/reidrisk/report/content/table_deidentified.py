"""A de-identified table: the verdict, the way to it, and what is released."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.deidentified_by_record import is_by_record
from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import count, level, percent, probability
from reidrisk.report.parts import Column, Reason, Table, Verdict
from reidrisk.report.words.book import say

NONE = "–"
"""In a cell that has nothing to say."""
INTERRUPTED = say("content.table_deidentified.the_search_was")
UNPROVED = say("content.table_deidentified.what_follows_keeps")
INTERRUPTED_WITHOUT = say("content.table_deidentified.the_search_was_interrupted")


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table") or "table"))


def one_in(chance: float, cell_size: int | None) -> str:
    """A threshold as people write it.

    >>> one_in(1 / 3, 3), one_in(0.09, 12)
    ('1/3', '0.0900')
    """
    exact = cell_size is not None and abs(chance * cell_size - 1) < 1e-9
    return f"1/{cell_size}" if exact else probability(chance)


def threshold(result: dict[str, Any]) -> str:
    """The threshold that was reached, or the last that was tried."""
    return one_in(result["threshold"]["probability"], result["threshold"]["cell_size"])


def verdict(result: dict[str, Any]) -> Verdict:
    """Acceptable at which threshold, or that there is no solution."""
    reasons = tuple(Reason(text, result["acceptable"]) for text in result["reasons"])
    if result["acceptable"]:
        conditions = say("content.table_deidentified.on_conditions") if result["conditions"] else ""
        proved = "" if not alarms(result) else say("content.table_deidentified.not_proved_the")
        said = say(
            "content.table_deidentified.acceptable_at_a",
            threshold=threshold(result),
            conditions=conditions,
            proved=proved,
        )
    else:
        said = say("content.table_deidentified.no_solution") if result["solution"] is None else ""
    return Verdict(result["acceptable"], reasons, said)


def alarms(result: dict[str, Any]) -> tuple[str, ...]:
    """That the search did not come to its end, if so."""
    solution = result["solution"]
    if solution is None:
        said = [*result["reasons"], *result["notes"]]
        return (INTERRUPTED_WITHOUT,) if any("interrupted" in text.lower() for text in said) else ()
    if "interrupted" in solution["proof"].lower():
        return (INTERRUPTED,)
    return () if solution["optimal"] or is_by_record(result) else (UNPROVED,)


def loop(result: dict[str, Any]) -> Table:
    """One threshold after the other, until there is a solution."""
    rungs = result["threshold_ladder"]
    has_layouts = any(rung["layout"] for rung in rungs)
    columns = [
        Column(say("content.table_deidentified.threshold")),
        Column(say("content.table_deidentified.outcome")),
        Column(
            say("content.table_deidentified.records_with_suppressed"),
            is_number=True,
            short=say("content.table_deidentified.with_suppressed_cells"),
        ),
        *((Column(say("content.table_deidentified.variables")),) if has_layouts else ()),
        Column(say("content.table_deidentified.what_it_requires"), is_prose=True),
    ]
    rows = [
        (
            one_in(rung["probability"], rung["cell_size"]),
            rung["outcome"],
            NONE if rung["suppressed_share"] is None else percent(rung["suppressed_share"]),
            *((rung["layout"] or NONE,) if has_layouts else ()),
            rung_detail(rung),
        )
        for rung in rungs
    ]
    return Table(
        say("content.table_deidentified.the_way_to"),
        say("content.table_deidentified.the_strictest_threshold"),
        tuple(columns),
        tuple(rows),
        "" if rungs else say("content.table_deidentified.no_threshold_was"),
        tuple(at for at, rung in enumerate(rungs) if rung["outcome"] == "solution"),
    )


def rung_detail(rung: dict[str, Any]) -> str:
    """What a threshold requires and what was nearest to it."""
    requires = f"Requires: {rung['requires']}" if rung["requires"] else ""
    nearest = (rung["nearest"] or "").removeprefix(f"{rung['layout']}: ")
    return " ".join(part for part in (nearest, requires) if part) or NONE


def layout(result: dict[str, Any]) -> Table:
    """The quasi-identifiers as they are released, with what each of them loses."""
    if result["solution"] is None:
        return _allowed(result)
    columns = (
        Column(say("content.table_deidentified.variable")),
        Column(say("content.table_deidentified.released_as")),
        Column(say("content.table_deidentified.level"), is_number=True),
        Column(say("content.table_deidentified.most_that_is")),
        Column(say("content.table_deidentified.values_before"), is_number=True),
        Column(say("content.table_deidentified.values_after"), is_number=True),
        Column(say("content.table_deidentified.suppressed_cells"), is_number=True),
        Column(say("content.table_deidentified.share_of_records"), is_number=True),
        Column(say("content.table_deidentified.why"), is_prose=True),
    )
    chosen = f" Variables: {result['layout']}." if result["layout"] else ""
    return Table(
        say("content.table_deidentified.record_layout_to"),
        say("content.table_deidentified.how_exact_each", chosen=chosen),
        columns,
        tuple(_variable(row) for row in result["variables"]),
        suppressed_in_all(result),
    )


def _allowed(result: dict[str, Any]) -> Table:
    """Without a solution: how far each variable might have been generalized."""
    rows = tuple(
        (
            row["column"],
            " → ".join(row["levels"]),
            most_of(row),
            count(row["values_before"]),
            row["reason"] or NONE,
        )
        for row in result["variables"]
    )
    return Table(
        say("content.table_deidentified.limits_on_generalization"),
        say("content.table_deidentified.how_far_each"),
        (
            Column(say("content.table_deidentified.variable")),
            Column(say("content.table_deidentified.levels"), is_prose=True),
            Column(say("content.table_deidentified.most_that_is")),
            Column(say("content.table_deidentified.values_before"), is_number=True),
            Column(say("content.table_deidentified.why"), is_prose=True),
        ),
        rows,
        suppressed_in_all(result),
    )


def _variable(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["column"],
        NONE if row["level"] is None else row["level"],
        step_of(row),
        most_of(row),
        count(row["values_before"]),
        count(row["values_after"]),
        count(row["suppressed_cells"]),
        percent(row["suppressed_share"]),
        row["reason"] or NONE,
    )


def step_of(row: dict[str, Any]) -> str:
    """The place of a level among all of its hierarchy."""
    last = len(row["levels"]) - 1
    return (
        NONE
        if row["level_number"] is None
        else say("content.table_deidentified.of", level_number=row["level_number"], last=last)
    )


def most_of(row: dict[str, Any]) -> str:
    """The maximum acceptable generalization of a variable."""
    if len(row["levels"]) == 1:
        return say("content.table_deidentified.no_other_level")
    return row["max_level"] or say("content.table_deidentified.no_limit")


def suppressed_in_all(result: dict[str, Any]) -> str:
    """All suppression in a sentence."""
    solution = result["solution"]
    if solution is None:
        return say("content.table_deidentified.nothing_is_released")
    limit = result["settings"].get("max_suppression")
    within = "" if limit is None else say("content.table_deidentified.the_limit_is", limit=level(limit))
    removed = solution["removed_records"]
    left_out = (
        (" " + say("content.table_deidentified.records_are_left", removed=count(removed))) if removed else ""
    )
    return say(
        "content.table_deidentified.of_records_have",
        suppressed_records=count(solution["suppressed_records"]),
        records=count(solution["records"]),
        suppressed_share=percent(solution["suppressed_share"]),
        within=within,
        suppressed_cells=count(solution["suppressed_cells"]),
        cell_share=percent(solution["cell_share"]),
        left_out=left_out,
    )

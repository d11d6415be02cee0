"""A de-identified table: the verdict, the way to it, and what is released."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.deidentified_by_record import is_by_record
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, level, percent, probability
from reidrisk.report.parts import Column, Reason, Table, Verdict

NONE = "–"
"""In a cell that has nothing to say."""
INTERRUPTED = (
    "The search was interrupted. What follows is the best found so far: it keeps to "
    "the threshold, but is not proved to lose the least. Let the search run to its end "
    "before you settle for it."
)
UNPROVED = "What follows keeps to the threshold, but is not proved to lose the least."
INTERRUPTED_WITHOUT = (
    "The search was interrupted before everything was tried. That no solution was "
    "found so far does not mean that there is none: let the search run to its end."
)


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
        conditions = ", on conditions" if result["conditions"] else ""
        proved = "" if not alarms(result) else "; not proved the best"
        said = f"Acceptable at a threshold of {threshold(result)}{conditions}{proved}"
    else:
        said = "No solution" if result["solution"] is None else ""
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
        Column("threshold"),
        Column("outcome"),
        Column(
            "records with suppressed cells",
            is_number=True,
            short="with suppressed cells",
        ),
        *((Column("variables"),) if has_layouts else ()),
        Column("what it requires, or what stood in the way", is_prose=True),
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
        "The way to the threshold",
        (
            "The strictest threshold is tried first. Where nothing within the limits exists, "
            "the next one may be tried, if the controls on the recipient allow it."
        ),
        tuple(columns),
        tuple(rows),
        "" if rungs else "No threshold was tried.",
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
        Column("variable"),
        Column("released as"),
        Column("level", is_number=True),
        Column("most that is acceptable"),
        Column("values before", is_number=True),
        Column("values after", is_number=True),
        Column("suppressed cells", is_number=True),
        Column("share of records", is_number=True),
        Column("why", is_prose=True),
    )
    chosen = f" Variables: {result['layout']}." if result["layout"] else ""
    return Table(
        "Record layout to release",
        (
            "How exact each quasi-identifier is, the most generalization that its users "
            f"accept, and the records in which it is suppressed.{chosen}"
        ),
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
        "Limits on generalization",
        ("How far each quasi-identifier might be generalized. A coarser level may make room for a solution."),
        (
            Column("variable"),
            Column("levels", is_prose=True),
            Column("most that is acceptable"),
            Column("values before", is_number=True),
            Column("why", is_prose=True),
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
    return NONE if row["level_number"] is None else f"{row['level_number']} of {last}"


def most_of(row: dict[str, Any]) -> str:
    """The maximum acceptable generalization of a variable."""
    if len(row["levels"]) == 1:
        return "no other level"
    return row["max_level"] or "no limit"


def suppressed_in_all(result: dict[str, Any]) -> str:
    """All suppression in a sentence."""
    solution = result["solution"]
    if solution is None:
        return "Nothing is released: no solution was found."
    limit = result["settings"].get("max_suppression")
    within = "" if limit is None else f"; the limit is {level(limit)}"
    removed = solution["removed_records"]
    left_out = (" " + f"{count(removed)} records are left out of the file.") if removed else ""
    return (
        f"{count(solution['suppressed_records'])} of {count(solution['records'])} records "
        f"({percent(solution['suppressed_share'])}) have a suppressed cell{within}. In all "
        f"{count(solution['suppressed_cells'])} cells ({percent(solution['cell_share'])}) "
        f"are suppressed.{left_out}"
    )

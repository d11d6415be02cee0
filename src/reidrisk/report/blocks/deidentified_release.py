"""What is released of a de-identified table: the level of each variable, and what was done to each column."""

from __future__ import annotations

from typing import Any

from reidrisk.report.names import ends_of
from reidrisk.report.numbers import DASH, MISSING, count, level, percent
from reidrisk.report.parts import Column, Table
from reidrisk.report.plain_text import grid, heading, wrap
from reidrisk.report.traced import size

GLOBAL = "global"
SUPPRESSED_AS = "suppressed_as"
"""The setting with the mark of suppressed cells by column (null: an empty cell); sentences explain it."""


def layout(result: dict[str, Any]) -> Table:
    """The level at which each quasi-identifier is released, and how often it is suppressed."""
    if result["solution"] is None:
        return _allowed_levels(result)
    has_reasons = any(row["reason"] for row in result["variables"])
    columns = (
        Column("variable"),
        Column("released as"),
        Column("level", is_number=True),
        Column("maximum acceptable"),
        Column("values before", is_number=True),
        Column("values after", is_number=True),
        Column("suppressed cells", is_number=True),
        Column("share of records", is_number=True),
        *((Column("why", is_prose=True),) if has_reasons else ()),
    )
    chosen = f" Variables: {result['layout']}." if result["layout"] else ""
    return Table(
        "Released record layout",
        (
            "For each quasi-identifier: the released level, the maximum acceptable generalization, and "
            f"the share of records in which it is suppressed.{chosen}"
        ),
        columns,
        tuple(_variable(row)[: len(columns)] for row in result["variables"]),
        suppression_sentence(result),
    )


def _variable(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["column"],
        DASH if row["level"] is None else row["level"],
        step_of(row),
        most_of(row),
        count(row["values_before"]),
        count(row["values_after"]),
        count(row["suppressed_cells"]),
        percent(row["suppressed_share"]),
        row["reason"] or DASH,
    )


def step_of(row: dict[str, Any]) -> str:
    """The number of a level in its hierarchy."""
    last = size(row["levels"]) - 1
    return DASH if row["level_number"] is None else f"{row['level_number']} of {last}"


def most_of(row: dict[str, Any]) -> str:
    """The maximum acceptable generalization of a variable."""
    if len(row["levels"]) == 1:
        return "no other level"
    return row["max_level"] or "no limit"


def suppression_sentence(result: dict[str, Any]) -> str:
    """The whole suppression in words."""
    solution = result["solution"]
    if solution is None:
        return "Nothing is released: no solution was found."
    limit = result["settings"].get("max_suppression")
    within = "" if limit is None else f"; the limit is {level(limit)}"
    whole = result["settings"].get("suppress") == "records"
    return (
        f"{count(solution['suppressed_records'])} of {count(solution['records'])} records "
        f"({percent(solution['suppressed_share'])}) {'are suppressed' if whole else 'have a suppressed cell'}"
        f"{within}. In total, {count(solution['suppressed_cells'])} cells "
        f"({percent(solution['cell_share'])}) are suppressed.{_suppressed_records(result)}"
    )


def _suppressed_records(result: dict[str, Any]) -> str:
    """What happens to the rows of suppressed records."""
    solution, asked = result["solution"], result["settings"].get("records")
    removed, blank = solution["removed_records"], solution.get("blank_records", 0)
    rows = solution.get("removed_rows", removed)  # a shared result does not have it
    parts = []
    if blank and asked:
        parts.append(f"{count(blank)} suppressed records keep their rows, without any quasi-identifier.")
    if removed:
        few = ", because they are fewer than the cell size" if asked == "blank" else ""
        more = f" with {count(rows)} rows" if rows != removed else ""
        parts.append(f"{count(removed)} records are removed from the file{more}{few}.")
    return "".join(f" {part}" for part in parts)


def _allowed_levels(result: dict[str, Any]) -> Table:
    """Without a solution: how far each variable could be generalized."""
    rows = tuple(
        (
            row["column"],
            " → ".join(row["levels"]),
            most_of(row),
            count(row["values_before"]),
            row["reason"] or DASH,
        )
        for row in result["variables"]
    )
    return Table(
        "Limits on generalization",
        "How far each quasi-identifier may be generalized. A more general level may allow a solution.",
        (
            Column("variable"),
            Column("levels", is_prose=True),
            Column("maximum acceptable"),
            Column("values before", is_number=True),
            Column("why", is_prose=True),
        ),
        rows,
        suppression_sentence(result),
    )


def layout_lines(result: dict[str, Any]) -> list[str]:
    """The layout for a terminal, without the reasons."""
    if not result["variables"] or result["solution"] is None:
        return []
    columns = (
        Column("variable"),
        Column("released as"),
        Column("level", is_number=True),
        Column("at most"),
        Column("values before", is_number=True),
        Column("after", is_number=True),
        Column("suppressed", is_number=True),
        Column("share", is_number=True),
    )
    rows = tuple(
        (
            ends_of(row["column"], 28),
            ends_of(row["level"] or DASH, 16),
            step_of(row),
            ends_of(most_of(row), 14),
            count(row["values_before"]),
            count(row["values_after"]),
            count(row["suppressed_cells"]),
            percent(row["suppressed_share"]),
        )
        for row in result["variables"]
    )
    total = wrap(suppression_sentence(result))
    return ["", "RELEASED RECORD LAYOUT", *grid(columns, rows), *total]


def is_by_record(result: dict[str, Any]) -> bool:
    """Whether each record has its own levels."""
    return bool(result.get("method", GLOBAL) != GLOBAL)


def by_record(result: dict[str, Any]) -> tuple[Table, ...]:
    """The share of records at each level; empty unless each record has its own levels."""
    if not is_by_record(result) or result["solution"] is None:
        return ()
    kept = result["solution"]["utility"]["by_column"]
    rows = tuple(
        (row["column"], level_shares_text(row), percent(kept[row["column"]])) for row in result["variables"]
    )
    columns = (
        Column("variable"),
        Column("released as", is_prose=True),
        Column("granularity kept", is_number=True),
    )
    return (
        Table(
            "Levels by share of records",
            (
                "Each record is released in as much detail as its equivalence class allows. The table shows "
                "the share of records at each level. A record can be exact in one variable and general in "
                "another."
            ),
            columns,
            rows,
            (
                f"In total, {percent(result['solution']['utility']['granularity'])} of the granularity is "
                "kept: 1 minus the mean, over all cells, of the share of the variable's values that a cell "
                "leaves open beyond its own."
            ),
        ),
    )


def level_shares_text(row: dict[str, Any]) -> str:
    """The share of records at each level of a variable.

    >>> level_shares_text({"level_shares": {"exact": 0.91, "decade": 0.09}, "suppressed_share": 0.0})
    'exact: 91.0 %, decade: 9.0 %'
    """
    parts = [f"{name}: {percent(share)}" for name, share in row["level_shares"].items()]
    if row["suppressed_share"]:
        parts.append(f"suppressed: {percent(row['suppressed_share'])}")
    return ", ".join(parts)


def by_record_lines(result: dict[str, Any]) -> list[str]:
    """The table for a terminal, without granularity."""
    explanation = "For each variable, the share of records at each level."
    return [
        line
        for table in by_record(result)
        for line in (
            *heading(table.title, explanation),
            *grid(table.columns[:2], tuple(row[:2] for row in table.rows)),
        )
    ]


def codebook(result: dict[str, Any]) -> Table:
    """Every column of the table and what was done to it."""
    rows = tuple(
        (
            row["column"],
            row["role"],
            row["treatment"] or DASH,
            row["type_before"] or DASH,
            row["type_after"] or DASH,
            MISSING if row["position"] is None else count(row["position"]),
        )
        for row in result["codebook"]
    )
    return Table(
        "Codebook",
        "What was done to each column.",
        (
            Column("column"),
            Column("role"),
            Column("what was done", is_prose=True),
            Column("type before"),
            Column("type after"),
            Column("position", is_number=True),
        ),
        rows,
        overwritten_sentence(result) if rows else "No file was written.",
    )


def overwritten_sentence(result: dict[str, Any]) -> str:
    """Which rules gave rows the value of another row of the person."""
    return " ".join(
        f"--reduce {row['column']}={row['rule']} overwrites {_noun(row['rows_changed'], 'row', 'rows')} of "
        f"{count(row['rows'])}, within {_noun(row['people'], 'person', 'people')}."
        for row in result.get("reduced") or ()
        if row["people"]
    )


def _noun(number: Any, one: str, many: str) -> str:
    return f"{count(number)} {one if number == 1 else many}"


def missing_or_suppressed(result: dict[str, Any]) -> tuple[str, ...]:
    """How to distinguish missing from suppressed values, one sentence per variable."""
    written = result["settings"].get(SUPPRESSED_AS)
    rows = ({**row, "suppressed_cells": _cells_in_file(row, result)} for row in result["variables"])
    return tuple(_apart(row, written) for row in rows)


def _cells_in_file(row: dict[str, Any], result: dict[str, Any]) -> Any:
    """The number of suppressed cells of a variable without those of removed records; it may be in words."""
    solution, cells = result["solution"] or {}, row["suppressed_cells"]
    removed = solution.get("removed_records", 0)
    if result["settings"].get("suppress") == "records" and "blank_records" in solution:
        return solution["blank_records"]
    if isinstance(cells, str) or isinstance(removed, str):  # few removed records hardly change the number
        return cells
    return cells - removed


def _apart(row: dict[str, Any], written: dict[str, str | None] | None) -> str:
    missing, suppressed = count(row["missing_before"]), count(row["suppressed_cells"])
    numbers = f"{row['column']}: {missing} missing before, {suppressed} suppressed."
    if not row["missing_before"] and not row["suppressed_cells"]:
        return f"{row['column']}: no values are missing or suppressed."
    if 0 in (row["missing_before"], row["suppressed_cells"]):
        return f"{numbers} They cannot be confused: only one of the two occurs."
    if written is None or row["column"] not in written:
        return f"{numbers} See what was done to the column for how a suppressed cell is written."
    mark = written[row["column"]]
    if mark is None:
        return f"{numbers} Both are empty cells and CANNOT be distinguished in the file."
    return f"{numbers} A suppressed cell contains {mark}; a missing value is an empty cell."

"""What was done to each column, and the settings that do it again."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.table_deidentified import NONE, threshold
from reidrisk.report.numbers import MISSING, count
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say

MEANINGS = {
    "table": say("content.deidentified_settings.the_table_as"),
    "read_as": say("content.deidentified_settings.how_the_file"),
    "out": say("content.deidentified_settings.the_table_as_released"),
    "quasi": say("content.deidentified_settings.columns_that_an"),
    "unit": say("content.deidentified_settings.the_column_that"),
    "reduce": say("content.deidentified_settings.what_a_variable"),
    "method": say("content.deidentified_settings.whether_all"),
    "suppress": say("content.deidentified_settings.single_cells_or"),
    "reading": say("content.deidentified_settings.what_a_suppressed"),
    "loss": say("content.deidentified_settings.the_loss_that"),
    "weights": say("content.deidentified_settings.how_much_a"),
    "max_suppression": say("content.deidentified_settings.largest_share_of"),
    "max_cell_suppression": say("content.deidentified_settings.largest_share_of_records"),
    "ladder": say("content.deidentified_settings.cell_sizes_in"),
    "max_level": say("content.deidentified_settings.the_most_generalization"),
    "average": say("content.deidentified_settings.largest_average_risk"),
    "treatments": say("content.deidentified_settings.what_is_done"),
    "steps": say("content.deidentified_settings.transformations_before"),
    "derived": say("content.deidentified_settings.variables_that_are"),
    "layouts": say("content.deidentified_settings.choices_of_variables"),
    "sensitive": say("content.deidentified_settings.secret_columns"),
    "secrets": say("content.deidentified_settings.limits_on_what"),
    "events": say("content.deidentified_settings.events_that_an"),
    "max_event_suppression": say("content.deidentified_settings.rows_with_events"),
}
SEED = say("content.deidentified_settings.seed")
SUPPRESSED_AS = "suppressed_as"
"""By column, what a suppressed cell reads; null for an empty cell. Said in sentences of its own."""


def codebook(result: dict[str, Any]) -> Table:
    """Every column of the table and what became of it."""
    rows = tuple(
        (
            row["column"],
            row["role"],
            row["treatment"] or NONE,
            row["type_before"] or NONE,
            row["type_after"] or NONE,
            MISSING if row["position"] is None else count(row["position"]),
        )
        for row in result["codebook"]
    )
    return Table(
        say("content.deidentified_settings.codebook"),
        say("content.deidentified_settings.what_was_done"),
        (
            Column(say("content.deidentified_settings.column")),
            Column(say("content.deidentified_settings.role")),
            Column(say("content.deidentified_settings.what_was_done_2"), is_prose=True),
            Column(say("content.deidentified_settings.type_before")),
            Column(say("content.deidentified_settings.type_after")),
            Column(say("content.deidentified_settings.place"), is_number=True),
        ),
        rows,
        "" if rows else say("content.deidentified_settings.no_file_was"),
    )


def settings(result: dict[str, Any]) -> Facts:
    """Every setting, as the result file names it."""
    facts = [
        Fact(
            say("content.deidentified_settings.threshold"),
            f"{threshold(result)}: {result['threshold']['reason']}",
            say("content.deidentified_settings.largest_acceptable_risk"),
        ),
        *(
            Fact(name, plain(value), MEANINGS.get(name, ""))
            for name, value in result["settings"].items()
            if name != SUPPRESSED_AS
        ),
        Fact(
            SEED,
            plain(result["seed"]),
            say("content.deidentified_settings.start_of_the"),
        ),
    ]
    return Facts(
        say("content.deidentified_settings.settings"),
        say("content.deidentified_settings.with_these_the"),
        tuple(facts),
    )


def plain(value: Any) -> str:
    """A setting's value as people write it.

    >>> plain(["sex", "age"]), plain({"age": "week"}), plain(0.15), plain(None), plain([])
    ('sex, age', 'age: week', '0.15', 'not given', 'none')
    """
    if value is None:
        return say("content.deidentified_settings.not_given")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {plain(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        parts = [plain(one) for one in value]
        return ("; " if any("," in part for part in parts) else ", ").join(parts) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def told_apart(result: dict[str, Any]) -> tuple[str, ...]:
    """How a missing value and a suppressed one can be told apart, a sentence a variable."""
    written = result["settings"].get(SUPPRESSED_AS)
    return tuple(_apart(row, written) for row in result["variables"])


def _apart(row: dict[str, Any], written: dict[str, str | None] | None) -> str:
    missing, starred = count(row["missing_before"]), count(row["suppressed_cells"])
    numbers = say(
        "content.deidentified_settings.missing_before_suppressed",
        column=row["column"],
        missing=missing,
        starred=starred,
    )
    if not row["missing_before"] and not row["suppressed_cells"]:
        return say("content.deidentified_settings.no_value_is", column=row["column"])
    if 0 in (row["missing_before"], row["suppressed_cells"]):
        return say("content.deidentified_settings.they_cannot_be", numbers=numbers)
    if written is None or row["column"] not in written:
        return say("content.deidentified_settings.how_a_suppressed", numbers=numbers)
    mark = written[row["column"]]
    if mark is None:
        return say("content.deidentified_settings.both_are_empty", numbers=numbers)
    return say("content.deidentified_settings.a_suppressed_cell", numbers=numbers, mark=mark)

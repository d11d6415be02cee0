"""What was done to each column, and the settings that do it again."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.table_deidentified import NONE, threshold
from reidrisk.report.numbers import MISSING, count
from reidrisk.report.parts import Column, Fact, Facts, Table

MEANINGS = {
    "table": "the table as it was",
    "read_as": "how the file was understood",
    "out": "the table as released",
    "quasi": "columns that an intruder may know",
    "unit": "the column that says which rows belong to one person or visit",
    "reduce": "what a variable that varies within a unit becomes",
    "method": ("whether all records have the same level in a variable, or each what its class needs"),
    "suppress": "single cells, or all quasi-identifiers of a record",
    "reading": "what a suppressed cell counts as",
    "loss": "the loss that decides between solutions",
    "weights": "how much a variable matters; more means less loss there",
    "max_suppression": "largest share of records with suppressed cells",
    "max_cell_suppression": "largest share of records in which one variable is suppressed",
    "ladder": "cell sizes, in the order in which they are tried",
    "max_level": "the most generalization that is acceptable, where not that of the hierarchy",
    "average": "largest average risk, beside the threshold",
    "treatments": "what is done to columns that name people or units",
    "steps": "transformations before the search",
    "derived": "variables that are computed, and from what",
    "layouts": "choices of variables, in order of preference",
    "sensitive": "columns that are secret",
    "secrets": "limits on what classes may tell of them",
    "events": "events of a person that an adversary knows",
    "max_event_suppression": "largest share of rows with an event that may be left out",
}
SEED = "seed"
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
        "Codebook",
        "What was done to each column.",
        (
            Column("column"),
            Column("role"),
            Column("what was done", is_prose=True),
            Column("type before"),
            Column("type after"),
            Column("place", is_number=True),
        ),
        rows,
        "" if rows else "No file was written.",
    )


def settings(result: dict[str, Any]) -> Facts:
    """Every setting, as the result file names it."""
    facts = [
        Fact(
            "threshold",
            f"{threshold(result)}: {result['threshold']['reason']}",
            "largest acceptable risk",
        ),
        *(
            Fact(name, plain(value), MEANINGS.get(name, ""))
            for name, value in result["settings"].items()
            if name != SUPPRESSED_AS
        ),
        Fact(
            SEED,
            plain(result["seed"]),
            "start of the random numbers",
        ),
    ]
    return Facts(
        "Settings",
        "With these, the same table gives the same answer.",
        tuple(facts),
    )


def plain(value: Any) -> str:
    """A setting's value as people write it.

    >>> plain(["sex", "age"]), plain({"age": "week"}), plain(0.15), plain(None), plain([])
    ('sex, age', 'age: week', '0.15', 'not given', 'none')
    """
    if value is None:
        return "not given"
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
    numbers = f"{row['column']}: missing before {missing}, suppressed {starred}."
    if not row["missing_before"] and not row["suppressed_cells"]:
        return f"{row['column']}: no value is missing or suppressed."
    if 0 in (row["missing_before"], row["suppressed_cells"]):
        return f"{numbers} They cannot be confused: only one of the two occurs."
    if written is None or row["column"] not in written:
        return f"{numbers} How a suppressed cell is written stands with what was done to the column."
    mark = written[row["column"]]
    if mark is None:
        return f"{numbers} Both are empty cells and CANNOT be told apart in the file."
    return f"{numbers} A suppressed cell reads {mark}, a missing one is empty."

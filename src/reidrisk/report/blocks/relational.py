"""What results about linked tables share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.charts import linked_tables
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.linked_tables import TableArrow, TableBox, draw_linked, layers_of
from reidrisk.report.kind import ResultDict
from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Fact, Guide, Reason, Source, Table
from reidrisk.report.traced import size

GUIDE = Guide(
    terms=(
        Fact("Person key", "The column that names the person, in the table of people and in all others."),
        Fact("Orphan", "A row that refers to a row of another table that is not there."),
        Fact("Offset", "The number of days by which all dates of one person move. It follows from the key."),
        Fact("Loss", "The share of what a variable told that is gone: of its values, or of its bits."),
    ),
    limits=(
        "The proof is about what was promised: keys, pseudonyms, dates, columns. The risk of a person is "
        "measured by `reidrisk relational risk`.",
        "Intervals between the dates of a person stay. Whoever knows several dates of a person may "
        "recognize them by their distances.",
    ),
    sources=(
        Source("Hripcsak G. et al. Preserving temporal relations in clinical data while maintaining privacy. "
               "JAMIA 23 (2016) 1040.", "10.1093/jamia/ocw001"),
    ),
)  # fmt: skip


def checks_of(checks: list[ResultDict]) -> Table:
    """What was checked in the written files."""
    return Table(
        "Proof",
        "Checked by plain SQL on the written files, beside the originals.",
        (
            Column("check", is_prose=True),
            Column("holds"),
            Column("looked at", is_number=True),
            Column("found", is_prose=True),
        ),
        tuple((one["title"], _answer(one), count(one["checked"]), one["found"]) for one in checks),
    )


def _answer(check: ResultDict) -> str:
    if not check["holds"]:
        return "NO"
    if not check["checked"]:
        return "not checked"
    return "in part" if check.get("unchecked") else "yes"


def proof_reasons(checks: list[ResultDict]) -> tuple[Reason, ...]:
    """Each check with its answer; what was not checked, or only in part, is no success."""
    return tuple(_reason(one, _answer(one)) for one in checks)


def _reason(check: ResultDict, answer: str) -> Reason:
    if answer in ("yes", "NO"):
        return Reason(f"{check['title']}: {'yes' if check['holds'] else check['found']}.", check["holds"])
    return Reason(f"{check['title']}: {answer} ({check['found']}).", None)


GONE = ("removed", "emptied")
"""Treatments after which nothing is left of a variable."""
UNNAMED = "none"
INVENTORY, TREATMENT = "Inventory of tables and columns", "Treatment of each variable"
MAIN_BLOCKS = (INVENTORY, TREATMENT, "What each table adds", "What would help")
"""Titles of the blocks that a page about linked tables shows first."""
WHAT_TO_DO = {
    "linked": "Check that every table leads to the people, and that no key is missing. Keys stand in the "
    "release file under keys.",
    "tables": "Generalize or leave out the table without which the fewest people are above the threshold.",
    "known": "If the line rises at one known event, generalize what that event tells; at two, look for "
    "events that occur together in few people.",
    "parts": "Improve the part that adds most, leave it out, or give it to a recipient who does not get the "
    "others.",
}
"""By chart."""


def tables_and_columns(release: ResultDict) -> Table:
    """The inventory: every table with its rows, its columns, and those that somebody may know."""
    rows = []
    for one in release["tables"]:
        own = [row for row in release["variables"] if row["table"] == one["table"]]
        rows.append(
            (
                one["table"],
                count(one["before"]),
                count(one["after"]),
                count(size(own)),
                count(size([row for row in own if row["treatment"] in GONE], among=own)),
                *(_listed(own, role) for role in ("quasi-identifier", "event")),
            )
        )
    names = ("rows before", "rows after", "columns", "removed")
    return Table(
        INVENTORY,
        "Everything that the tables contain, and the columns that an intruder is assumed to know.",
        (
            Column("table"),
            *(Column(name, is_number=True) for name in names),
            *(Column(name, is_prose=True) for name in ("quasi-identifiers", "events")),
        ),
        tuple(rows),
    )


def _listed(rows: list[ResultDict], role: str) -> str:
    return ", ".join(row["variable"] for row in rows if row["role"] == role) or UNNAMED


def role_of(row: ResultDict) -> str:
    """The role of a variable; if nobody named one, what its treatment says."""
    if row["role"] != UNNAMED:
        return str(row["role"])
    if row["treatment"] in GONE:
        return "not released"
    is_key = row["treatment"].startswith(("pseudonym", "numbered"))
    return "key" if is_key else "other"


def treatments(release: ResultDict) -> Table:
    """What became of each variable, as anonymization reports list it."""
    has_labels = any(row.get("label") for row in release["variables"])
    rows = tuple(
        (
            row["table"],
            row["variable"],
            *((row.get("label") or MISSING,) if has_labels else ()),
            role_of(row),
            row["treatment"],
            MISSING if row["loss"] is None else percent(row["loss"]),
            row["source"],
        )
        for row in release["variables"]
    )
    return Table(
        TREATMENT,
        "Every variable with its role, what was done to it, and the rule or the person who asks for that. "
        "The loss is the share of what the variable told that is gone.",
        (
            Column("dataset"),
            Column("variable"),
            *((Column("label", is_prose=True),) if has_labels else ()),
            Column("role"),
            Column("treatment", is_prose=True),
            Column("loss", is_number=True),
            Column("reason or source", is_prose=True),
        ),
        rows,
    )


def graph(release: ResultDict) -> Chart:
    """The tables and their keys: people at the left, then the tables that lead to them."""
    keys = [(key["child"].rpartition("."), key["parent"].rpartition(".")) for key in release["keys"]]
    person = release["settings"]["person"].rpartition(".")[0]
    names = [one["table"] for one in release["tables"]]
    layers = layers_of(names, [(child[0], parent[0]) for child, parent in keys], person)
    boxes = tuple(
        TableBox(one["table"], plural(one["after"], "row"), layers[one["table"]])
        for one in sorted(release["tables"], key=lambda one: layers[one["table"]])
    )
    arrows = tuple(TableArrow(child[0], parent[0], child[2]) for child, parent in keys)
    spoken = "; ".join(f"{one.child} refers to {one.parent} by {one.columns}" for one in arrows)
    return Chart(
        "linked",
        "Tables and their keys",
        "An arrow leads from a key to the table that it names. The table of people is at the left.",
        f"{plural(len(boxes), 'table')}. {spoken or 'No table refers to another'}.",
        linked_tables.height(boxes),
        partial(draw_linked, boxes=boxes, arrows=arrows),
    )


def release_of(result: Mapping[str, Any]) -> ResultDict | None:
    """What became of the tables that a risk was measured on; None if they are as they were."""
    found: ResultDict | None = result.get("release")
    return found

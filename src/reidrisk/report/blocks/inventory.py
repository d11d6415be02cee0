"""What leaves with a release without being measured, and the complete inventory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reidrisk.report.numbers import more
from reidrisk.report.parts import Column, Table
from reidrisk.report.plain_text import heading, wrap

TITLE = "Released without being measured"
MOST = 12
"""Rows in the terminal and on the first page; items that stop the verdict come first."""
STOPS, ACCEPTED = "stops the verdict", "accepted"
ROLES = {"none": "other"}
"""Roles that are shown in other words."""


def unmeasured(
    result: Mapping[str, Any],
    *,
    most: int | None = None,
    most_items: int | None = None,
    rest: str = "in the result file",
) -> Table | None:
    """Items that no figure covers: those that stop the verdict first, then those that were accepted.

    Items of a part with the same role, status and reason share a row, which names at most `most_items` of
    them. `rest` says where the other rows are.
    """
    found = [one for one in result.get("inventory") or () if one["status"] in {"unmeasured", "accepted"}]
    if not found:
        return None
    found.sort(key=lambda one: (one["status"] != "unmeasured", one["reason"].startswith("no sign")))
    has_parts = any("part" in one for one in found)
    rows = _rows(found, has_parts=has_parts, most_items=most_items)
    shown = rows if most is None else rows[:most]
    left = len(rows) - len(shown)
    return Table(
        TITLE,
        "These items leave with the release, and no figure here covers them. The release can only be "
        "acceptable if somebody accepted each of them for the reason given.",
        (
            *((Column("part"),) if has_parts else ()),
            Column("item", is_prose=True),
            Column("role"),
            Column("status"),
            Column("reason", is_prose=True),
        ),
        tuple(shown),
        more(left, rest) if left else "",
    )


def unmeasured_lines(result: Mapping[str, Any]) -> list[str]:
    """The same for the terminal, with few items."""
    table = unmeasured(result, most=MOST)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    for *part, item, role, status, reason in table.rows:
        mark = "[no]" if status == STOPS else "[ok]"
        lines += wrap(": ".join((*part, f"{item} ({role}): {reason}.")), first=f"  {mark} ", rest=" " * 7)
    return [*lines, *(wrap(table.note) if table.note else ())]


def inventory(result: Mapping[str, Any]) -> Table | None:
    """Everything that leaves, with its role, what happens to it and how the verdict covers it."""
    found = result.get("inventory") or ()
    if not found:
        return None
    has_parts = any("part" in one for one in found)
    return Table(
        "Inventory: everything that leaves",
        "Each item was measured, removed, or accepted by name. Any other item stops the verdict.",
        (
            *((Column("part"),) if has_parts else ()),
            Column("item"),
            Column("role"),
            Column("treatment"),
            Column("status"),
            Column("reason", is_prose=True),
        ),
        tuple(
            (
                *((one["part"],) if has_parts else ()),
                one["item"],
                ROLES.get(one["role"], one["role"]),
                one["treatment"],
                one["status"],
                one["reason"],
            )
            for one in found
        ),
    )


def _rows(
    found: Sequence[Mapping[str, Any]], *, has_parts: bool, most_items: int | None
) -> list[tuple[str, ...]]:
    """One row for the items of a part that share role, status and reason."""
    items: dict[tuple[str, str, str, str], list[str]] = {}
    for one in found:
        status = STOPS if one["status"] == "unmeasured" else ACCEPTED
        role = ROLES.get(one["role"], one["role"])
        items.setdefault((str(one.get("part", "")), role, status, one["reason"]), []).append(one["item"])
    return [
        (*((part,) if has_parts else ()), _items(names, most_items), role, status, reason)
        for (part, role, status, reason), names in items.items()
    ]


def _items(names: Sequence[str], most: int | None) -> str:
    """The names, or the first of them and how many more there are."""
    shown = names if most is None else names[:most]
    left = len(names) - len(shown)
    return ", ".join(shown) + (f" and {left:,} more" if left else "")

"""Groups of documents of a text evaluation, side by side."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import MISSING, count, percent, probability, span
from reidrisk.report.parts import Column, Table


def groups(result: dict[str, Any]) -> Table | None:
    """Every group with its risks and its verdict; None where no grouping was asked for."""
    found = result.get("document_groups") or []
    if not found:
        return None
    return Table(
        "By group of documents",
        (
            "Each group judged on its own. Small groups have wide intervals: what is not "
            "acceptable may only be unknown."
        ),
        (
            Column("group"),
            Column("documents", is_number=True, short="docs"),
            Column("direct", is_number=True),
            Column("interval", is_number=True),
            Column("quasi", is_number=True),
            Column("interval", is_number=True),
            Column("direct leaks", is_number=True),
            Column("acceptable"),
        ),
        tuple(_row(group) for group in found),
        _note(found),
    )


def _row(group: dict[str, Any]) -> tuple[str, ...]:
    if group["direct"] is None or group["quasi"] is None:
        return (
            group["group"],
            count(group["documents"]),
            *(MISSING,) * 5,
            "not evaluated",
        )
    leaking = group["observed"]["documents_with_direct_leak"]
    return (
        group["group"],
        count(group["documents"]),
        *(text for role in ("direct", "quasi") for text in (_value(group[role]), span(group[role]))),
        f"{count(leaking)} ({percent(leaking / group['documents'])})",
        "yes" if group["acceptable"] else "NO",
    )


def _value(part: dict[str, Any]) -> str:
    return probability(part["value"])


def _note(found: list[dict[str, Any]]) -> str:
    empty = sum(group["direct"] is None for group in found)
    return "" if not empty else f"{count(empty)} without any identifier in the gold standard."

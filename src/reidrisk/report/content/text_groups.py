"""Groups of documents of a text evaluation, side by side."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import MISSING, count, percent, probability, span
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say


def groups(result: dict[str, Any]) -> Table | None:
    """Every group with its risks and its verdict; None where no grouping was asked for."""
    found = result.get("document_groups") or []
    if not found:
        return None
    return Table(
        say("content.text_groups.by_group_of"),
        say("content.text_groups.each_group_judged"),
        (
            Column(say("content.text_groups.group")),
            Column(
                say("content.text_groups.documents"), is_number=True, short=say("content.text_groups.docs")
            ),
            Column(say("content.text_groups.direct"), is_number=True),
            Column(say("content.text_groups.interval"), is_number=True),
            Column(say("content.text_groups.quasi"), is_number=True),
            Column(say("content.text_groups.interval"), is_number=True),
            Column(say("content.text_groups.direct_leaks"), is_number=True),
            Column(say("content.text_groups.acceptable")),
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
            say("content.text_groups.not_evaluated"),
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
    return "" if not empty else say("content.text_groups.without_any_identifier", empty=count(empty))

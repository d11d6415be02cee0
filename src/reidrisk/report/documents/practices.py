"""The practices of the recipient: what was answered, and what belongs in the agreement."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Prose
from reidrisk.report.numbers import MISSING
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import phrases


def agreement(case: dict[str, Any]) -> tuple[Block, ...]:
    """The practices that the verdict depends on."""
    rows = tuple(
        (
            str(row["clause"] or row["practice"]),
            str(row["practice"]),
            str(row["counted_for"] or MISSING),
        )
        for row in case["agreement"]
    )
    if not rows:
        return (Prose(("The verdict depends on no practice of the recipient.",)),)
    columns = (
        Column("what to agree on", is_prose=True),
        Column("practice"),
        Column("counted for", is_prose=True),
    )
    ours = "The wording of the clauses is ours." if any(row.get("ours") for row in case["agreement"]) else ""
    return (
        Table(
            "Practices that the verdict depends on",
            (
                "If one of these is not kept, the verdict does not hold. They belong in the "
                "data-sharing agreement."
            ),
            columns,
            rows,
            ours,
        ),
    )


def checklist(case: dict[str, Any]) -> tuple[Block, ...]:
    """Every practice and what was answered."""
    given = ((case["context"] or {}).get("controls") or {}).get("checklist") or []
    if not given:
        return (Prose(("No checklist was filled in.",)),)
    words = phrases("checklist")
    rows = tuple(
        (
            str(row["text"]),
            str(row.get("group") or ""),
            words["is_core"] if row.get("core") else "",
            words.get(str(row.get("answer")), words["unanswered"]),
            str(row.get("evidence") or row.get("reason") or ""),
        )
        for row in given
    )
    prose = {"practice", "group", "evidence"}
    names = ("practice", "group", "core", "answer", "evidence")
    columns = tuple(Column(words[name], is_prose=name in prose) for name in names)
    return (Table(words["title"], words["explanation"], columns, rows),)

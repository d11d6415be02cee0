"""How firm the verdict is: the choices that matter, varied one by one."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Heading, Prose
from reidrisk.report.documents.course import measured
from reidrisk.report.documents.figures import described, judged_word
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.views import kind_of


def sensitivity(case: dict[str, Any]) -> tuple[Block, ...]:
    """Other choices, other figures: does the verdict stand?"""
    found: list[Block] = [
        Prose(
            (
                (
                    "A verdict should not hang on one choice. Here the choices that matter are varied "
                    "one by one, on the same data."
                ),
            )
        )
    ]
    if case["sensitivity"]:
        found.append(_choices(case))
    for part in measured(case):
        own = kind_of(part["result"]).chapter("sensitivity", part["result"])
        if own:
            found += [Heading(f"{part['name']}: {described(part)}"), *own]
    return tuple(found)


def _choices(case: dict[str, Any]) -> Table:
    rows = tuple(
        (
            row["what"],
            row["part"] or "all",
            probability(row["risk"]),
            probability(row["overall"]),
            judged_word(row["acceptable"]),
        )
        for row in case["sensitivity"]
    )
    columns = (
        Column("choice", is_prose=True),
        Column("part"),
        Column("risk", is_number=True),
        Column("with attempt", is_number=True),
        Column("verdict"),
    )
    turned = _turned(case)
    note = "Shaded: this choice turns the verdict on its part." if turned else ""
    return Table(
        "Other choices",
        "The figures if one thing were chosen differently and all else stayed.",
        columns,
        rows,
        note,
        turned,
    )


def _turned(case: dict[str, Any]) -> tuple[int, ...]:
    """The rows whose verdict is not that of the part as it was judged."""
    judged = {part["name"]: part["judged"]["acceptable"] for part in measured(case)}
    return tuple(
        place
        for place, row in enumerate(case["sensitivity"])
        if row["part"] in judged and row["acceptable"] is not judged[row["part"]]
    )

"""The figures of parts in words: what was judged, against what, with which outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.numbers import MISSING, one_in, probability, span
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import phrases

FAILED = "failed"
HARD_SPACE = "\u00a0"
"""A line breaks before an interval, not within it."""


def failed(part: dict[str, Any]) -> bool:
    """Whether a part could not be measured."""
    return bool(part["status"] == FAILED or part["result"] is None)


def outcome(part: dict[str, Any]) -> str:
    """The verdict on a part in a word or two."""
    if failed(part):
        return "could not be judged"
    return judged_word(part["judged"]["acceptable"])


def judged_word(acceptable: bool | None) -> str:  # noqa: FBT001 - None is an answer too
    """Yes, no, or nothing decided."""
    if acceptable is None:
        return "nothing decided"
    return "acceptable" if acceptable else "NOT acceptable"


def described(part: dict[str, Any]) -> str:
    """What a part is."""
    names = phrases("kind")
    return names.get(f"{part['kind']}_{part['task']}") or names.get(part["kind"]) or str(part["kind"])


def risk_text(figures: dict[str, Any]) -> str:
    """The risk and its interval, where there is one."""
    text = probability(figures["risk"])
    if figures.get("low") is None or figures.get("high") is None:
        return text
    return f"{text} ({span(figures).replace(' ', HARD_SPACE)})"


def limit_text(judged: dict[str, Any]) -> str:
    """The threshold as people write it."""
    if judged["threshold"] is None:
        return MISSING
    return one_in(judged["threshold"], judged["cell_size"])


def decisive(judged: dict[str, Any]) -> float | None:
    """The number that is held against the threshold."""
    risk: float | None = judged["risk"] if judged["overall"] is None else judged["overall"]
    return risk


def parts_table(parts: Sequence[dict[str, Any]], *, most: int | None = None) -> Table:
    """Every part with its risk, its limit and its verdict."""
    counts = any(_is_weighed(part["judged"]) for part in parts)
    shown = parts if most is None else parts[:most]
    left = len(parts) - len(shown)
    columns = (
        Column("part"),
        Column("judged by", is_prose=True),
        Column("risk", is_number=True),
        *((Column("attempt", is_number=True),) if counts else ()),
        *((Column("with attempt", is_number=True),) if counts else ()),
        Column("limit", is_number=True),
        Column("verdict"),
    )
    notes = (
        [
            (
                "Where a context counts an attempt, the risk with it is held against the limit. "
                "The risk of texts contains it already."
            )
        ]
        if counts
        else []
    )
    notes += [f"{left} more parts stand in the full report."] if left else []
    rows = tuple(_row(part, counts=counts) for part in shown)
    return Table(
        "The parts of the release",
        (
            "The risk of each part, the limit that it is held against, and the verdict. In "
            "brackets the interval, where one exists."
        ),
        columns,
        rows,
        " ".join(notes),
    )


def _is_weighed(judged: dict[str, Any] | None) -> bool:
    return judged is not None and judged["attempt"] not in (None, 1, 1.0)


def _row(part: dict[str, Any], *, counts: bool) -> tuple[str, ...]:
    judged = part["judged"]
    blanks = (MISSING,) * (2 if counts else 0)
    if failed(part) or not judged:
        return (part["name"], described(part), MISSING, *blanks, MISSING, outcome(part))
    weighed = (probability(judged["attempt"]), probability(judged["overall"])) if counts else ()
    statistic = judged["statistic"] or "nothing decided"
    said = f"{described(part)}: {statistic}"
    return (part["name"], said, risk_text(judged), *weighed, limit_text(judged), outcome(part))

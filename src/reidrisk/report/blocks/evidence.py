"""What a verdict rests on: rules and their grades."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reidrisk.core.evidence import MEANING, evidence_sentence
from reidrisk.report.parts import Column, Reason, Table

EXPLANATION = (
    "Every estimator and rule has a grade. A verdict is as strong as the weakest rule that it rests on. "
    "Thresholds have no grade: people choose them."
)


def evidence_reason(result: Mapping[str, Any]) -> tuple[Reason, ...]:
    """The sentence below a verdict; none for results without grades, such as those of older versions."""
    said = evidence_sentence(result)
    return () if said is None else (Reason(said, None),)


def evidence_table(result: Mapping[str, Any]) -> Table | None:
    """The rules of a result."""
    return rules_table(result.get("evidence") or ())


def rules_table(evidence: Iterable[Mapping[str, Any]]) -> Table | None:
    """Rules in the order given, with what they are for and why they have their grade."""
    rows = tuple(
        (one["what"], one["grade"], "yes" if one["decides"] else "no", one["why"], one["source"])
        for one in evidence
    )
    if not rows:
        return None
    columns = (
        Column("rule", is_prose=True),
        Column("grade"),
        Column("decides"),
        Column("why", is_prose=True),
        Column("source", is_prose=True),
    )
    note = " ".join(f"{grade.capitalize()}: {text}." for grade, text in MEANING.items())
    return Table("Evidence", EXPLANATION, columns, rows, note)

"""Findings in documents, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.content.document_anonymization import name_of, settings_of
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

__all__ = [
    "about",
    "by_section",
    "by_source",
    "by_type",
    "by_variable",
    "documents",
    "name_of",
    "settings",
    "verdict",
]


def about(result: dict[str, Any]) -> str:
    """What was looked at."""
    looked = plural(len(result["documents"]), "document")
    if result["participants"] is None:
        return f"{looked}, {count(result['findings'])} findings."
    return (
        f"{looked}, {count(result['findings'])} findings; {count(result['mentioned'])} of "
        f"{plural(result['participants'], 'participant')} are mentioned."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether all were read; nothing is said of the risk."""
    word = say(f"content.document_detection.{'read' if result['acceptable'] else 'not_all'}")
    reasons = tuple(
        Reason(text, result["acceptable"] if at == 0 else None) for at, text in enumerate(result["reasons"])
    )
    return Verdict(result["acceptable"] or None, reasons, word)


def documents(result: dict[str, Any]) -> Table:
    """Every document, and what was found in it."""
    numbers = ("blocks", "findings", "attributed", "mentioned")
    rows = tuple(
        (row["document"], *(count(row[name]) if row["read"] else "n/a" for name in numbers))
        for row in result["documents"]
    )
    return Table(
        "Documents",
        (
            "Pages or parts that were read, what was found in them, how much of it was given "
            "to a participant, and how many participants are mentioned."
        ),
        (
            Column("document"),
            *(Column(say(f"content.document_detection.columns.{name}"), is_number=True) for name in numbers),
        ),
        rows,
        marked=tuple(at for at, row in enumerate(result["documents"]) if not row["read"]),
    )


def by_type(result: dict[str, Any]) -> Table:
    """How often each type was found."""
    return _tally(result, "type", explained=True)


def by_variable(result: dict[str, Any]) -> Table | None:
    """Which variables of the data appear, and of how many participants."""
    return _tally(result, "variable", explained=True) if _named(result, "variable") else None


def by_section(result: dict[str, Any]) -> Table | None:
    """Where in the report things were found."""
    return _tally(result, "section", explained=True) if _named(result, "section") else None


def by_source(result: dict[str, Any]) -> Table:
    """Which part of the detector found them."""
    return _tally(result, "source", explained=False)


def _named(result: dict[str, Any], what: str) -> bool:
    return any(row["name"] for row in result[f"by_{what}"])


def _tally(result: dict[str, Any], what: str, *, explained: bool) -> Table:
    none = say(f"content.document_detection.no_{what if what in ('variable', 'section') else 'name'}")
    rows = tuple(
        (row["name"] or none, count(row["findings"]), count(row["mentioned"])) for row in result[f"by_{what}"]
    )
    return Table(
        say(f"content.document_detection.by_{what}"),
        say(f"content.document_detection.by_{what}_explained") if explained else "",
        (
            Column(say(f"content.document_detection.{what}")),
            Column("findings", is_number=True),
            Column("participants", is_number=True),
        ),
        rows,
        "" if rows else "Nothing was found.",
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the run."""
    return settings_of("document_detection", result["settings"])

"""Documents redacted or replaced, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import phrases, say

FATES = ("redacted", "replaced", "unchanged", "kept", "left_out")


def name_of(result: dict[str, Any]) -> str:
    """The documents."""
    named = [row["document"] for row in result["documents"]]
    more = len(named) - 1
    return f"{named[0]} +{more}" if more else str(named[0])


def about(result: dict[str, Any]) -> str:
    """What was done to what."""
    return say(
        "content.document_anonymization.about",
        documents=plural(len(result["documents"]), "document"),
        findings=count(result["findings"]),
        mode=say(f"content.document_anonymization.mode.{result['mode']}"),
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether all were written; nothing is said of the risk."""
    done = "Written"
    said = done if result["acceptable"] else "Not all written"
    reasons = tuple(
        Reason(text, result["acceptable"] if at == 0 else None) for at, text in enumerate(result["reasons"])
    )
    return Verdict(result["acceptable"] or None, reasons, said)


def documents(result: dict[str, Any]) -> Table:
    """Every document, and what became of it."""
    rows = tuple(_row(row) for row in result["documents"])
    return Table(
        "Documents",
        (
            "What was done to each document, and how many values were searched for afterwards "
            "in how many places of the new file."
        ),
        (
            Column("document"),
            Column("blocks", is_number=True),
            Column("findings", is_number=True),
            Column("changes", is_number=True),
            Column("values removed", is_number=True),
            Column("places searched", is_number=True),
            Column("outcome"),
        ),
        rows,
        marked=tuple(at for at, row in enumerate(result["documents"]) if not row["written"]),
    )


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    if not row["written"]:
        nothing = ("n/a",) * 5
        return (row["document"], *nothing, "NOT written, see the notes")
    proof = row["proof"]
    return (
        row["document"],
        count(row["blocks"]),
        count(row["findings"]),
        count(row["changes"]),
        count(proof["values"]),
        count(proof["places"]),
        "written, proved",
    )


def fates(result: dict[str, Any]) -> Facts:
    """What became of the findings."""
    meanings = phrases("content.document_anonymization.fate")
    facts = [
        Fact(
            say(f"content.document_anonymization.fates.{fate}"), count(result["fates"][fate]), meanings[fate]
        )
        for fate in FATES
    ]
    facts.append(
        Fact(
            "found by the same value",
            count(result["same_values"]),
            "further places of a direct identifier that was found elsewhere",
        )
    )
    return Facts(
        "Findings",
        "What became of everything that was found.",
        tuple(facts),
    )


def by_type(result: dict[str, Any]) -> Table:
    """What became of each type."""
    return _tally(result["by_type"], "type", "by_type_explained")


def by_section(result: dict[str, Any]) -> Table | None:
    """What became of findings in each section of a report."""
    named = [row for row in result["by_section"] if row["name"]]
    return _tally(result["by_section"], "section", "by_section_explained") if named else None


def _tally(rows: list[dict[str, Any]], name: str, explained: str) -> Table:
    none = "outside any section"
    shown = tuple(
        (row["name"] or none, count(row["findings"]), *(count(row[fate]) for fate in FATES)) for row in rows
    )
    return Table(
        say(f"content.document_anonymization.by_{name}"),
        say(f"content.document_anonymization.{explained}"),
        (
            Column(say(f"content.document_anonymization.{name}")),
            Column("findings", is_number=True),
            *(Column(say(f"content.document_anonymization.fates.{fate}"), is_number=True) for fate in FATES),
        ),
        shown,
        "" if shown else "Nothing was found.",
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the run."""
    return settings_of("document_anonymization", result["settings"])


def settings_of(kind: str, settings: dict[str, Any]) -> Facts:
    """Settings by name, with what they mean, in the words of a kind of result."""
    meanings = phrases(f"content.{kind}.meaning")
    facts = tuple(Fact(name, said(value), meanings.get(name, "")) for name, value in settings.items())
    return Facts(say(f"content.{kind}.settings"), say(f"content.{kind}.settings_explained"), facts)


def said(value: object) -> str:
    """A setting in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {one}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)

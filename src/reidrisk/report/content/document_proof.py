"""A search of a document for values, as tables and facts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.content.document_anonymization import settings_of
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MOST = 50
"""Hits that are listed; the JSON has all."""


def name_of(result: dict[str, Any]) -> str:
    """The document."""
    return str(result["document"])


def about(result: dict[str, Any]) -> str:
    """What was searched for what."""
    return (
        f"{plural(result['values'], 'value')} searched for in "
        f"{plural(result['places'], 'place')} of the file."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether the document is free of the values."""
    word = "content.document_proof.none" if result["holds"] else "content.document_proof.some"
    reasons = tuple(Reason(text, result["holds"]) for text in result["reasons"])
    return Verdict(result["holds"], reasons, say(word))


def hits(result: dict[str, Any]) -> Table | None:
    """Where values are, by their numbers."""
    if not result["hits"]:
        return None
    where: dict[int, list[str]] = {}
    for hit in result["hits"]:
        where.setdefault(hit["value"], []).append(hit["where"])
    rows = tuple(
        (count(value), count(len(places)), "; ".join(places[:3]) + ("; …" if len(places) > 3 else ""))
        for value, places in list(where.items())[:MOST]
    )
    left = len(where) - len(rows)
    return Table(
        "Values that were found",
        "By their numbers in the order in which they were given, from 1.",
        (
            Column("value", is_number=True),
            Column("places", is_number=True),
            Column("where", is_prose=True),
        ),
        rows,
        f"{count(left)} more are in the JSON." if left else "",
    )


def places(result: dict[str, Any]) -> dict[str, int]:
    """How many values were found in each place, the fullest first."""
    found = Counter(hit["where"] for hit in result["hits"])
    return dict(found.most_common())


def covered(result: dict[str, Any]) -> Table | None:
    """Pages with words under boxes."""
    if not result["covered"]:
        return None
    return Table(
        "Words under boxes",
        "A box was drawn over these words; whoever opens the file can still copy them.",
        (
            Column("page", is_number=True),
            Column("words", is_number=True),
        ),
        tuple((count(one["page"]), count(one["words"])) for one in result["covered"]),
    )


def settings(result: dict[str, Any]) -> Facts:
    """How it was searched."""
    shown = {**result["settings"], "readers": result["readers"], "sha256": result["sha256"]}
    return settings_of("document_proof", shown)

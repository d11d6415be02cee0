"""Singling out, linkability and inference in documents, as a table."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say


def criteria(result: dict[str, Any]) -> Table | None:
    """Whether each is still possible, with its figures."""
    if not result["criteria"]:
        return None
    rows = tuple(
        (
            say(f"content.document_criteria.{one['criterion']}"),
            say("content.document_criteria.no" if one["met"] else "content.document_criteria.yes"),
            _figures(one),
        )
        for one in result["criteria"]
    )
    return Table(
        say("content.document_criteria.title"),
        say("content.document_criteria.explanation"),
        (
            Column(say("content.document_criteria.criterion")),
            Column(say("content.document_criteria.possible")),
            Column(say("content.document_criteria.figures"), is_prose=True),
        ),
        rows,
    )


def _figures(one: dict[str, Any]) -> str:
    if one["criterion"] == "singling_out":
        return say(
            "content.document_criteria.unique", unique=count(one["unique"]), participants=count(one["participants"])
        )
    if one["criterion"] == "linkability":
        return say(
            "content.document_criteria.shared",
            linked=count(one["sharing_two_or_more"]),
            participants=count(one["participants"]),
            alone=count(one["with_one_row_only"]),
        )
    guessed = [
        say(
            "content.document_criteria.guessed",
            variable=row["variable"],
            right=count(row["right"]),
            guesses=count(row["guesses"]),
            usual=count(row["right_without_the_document"]),
            gain=percent(row["gain"]["value"] if row["gain"] else None),
        )
        for row in one["variables"]
    ]
    return "; ".join(guessed) or say("content.document_criteria.nothing_masked")

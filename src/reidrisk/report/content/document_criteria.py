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
            figure,
        )
        for one in result["criteria"]
        for figure in _figures(one)
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


def _figures(one: dict[str, Any]) -> list[str]:
    if one["criterion"] == "inference":
        return [_guessed(row) for row in one["variables"]] or [
            say("content.document_criteria.nothing_masked")
        ]
    people, leaked = count(one["participants"]), one["leaked_on_reviewed_pages"]
    if one["criterion"] == "singling_out":
        found = [say("content.document_criteria.unique", unique=count(one["unique"]), participants=people)]
        more = say("content.document_criteria.leaked_direct", leaked=count(leaked))
    else:
        linked, alone = count(one["sharing_two_or_more"]), count(one["with_one_row_only"])
        found = [say("content.document_criteria.shared", linked=linked, participants=people, alone=alone)]
        more = say("content.document_criteria.leaked_two", leaked=count(leaked))
    return [*found, more] if leaked else found


def _guessed(row: dict[str, Any]) -> str:
    return say(
        "content.document_criteria.guessed",
        variable=row["variable"],
        right=count(row["right"]),
        guesses=count(row["guesses"]),
        usual=count(row["right_without_the_document"]),
        gain=percent(row["gain"]["value"] if row["gain"] else None),
    )

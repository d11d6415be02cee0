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
        "Singling out, linkability, inference",
        (
            "What must no longer be possible, by the values that can still be read of "
            "participants whom the documents mention. If one is possible, the risk decides."
        ),
        (
            Column("criterion"),
            Column("still possible"),
            Column("figures", is_prose=True),
        ),
        rows,
    )


def _figures(one: dict[str, Any]) -> list[str]:
    if one["criterion"] == "inference":
        return [_guessed(row) for row in one["variables"]] or ["nothing is masked that could be guessed"]
    people, leaked = count(one["participants"]), one["leaked_on_reviewed_pages"]
    if one["criterion"] == "singling_out":
        found = [f"{count(one['unique'])} of {people} are unique by what can be read of them"]
        more = f"on reviewed pages a direct identifier of {count(leaked)} had leaked"
    else:
        linked, alone = count(one["sharing_two_or_more"]), count(one["with_one_row_only"])
        found = [(f"{linked} of {people} share two values with rows of the data, {alone} with one row only")]
        more = f"on reviewed pages two values or more of {count(leaked)} had leaked"
    return [*found, more] if leaked else found


def _guessed(row: dict[str, Any]) -> str:
    return (
        f"{row['variable']}: {count(row['right'])} of {count(row['guesses'])} guessed "
        f"right, {count(row['right_without_the_document'])} without the document (gain "
        f"{percent(row['gain']['value'] if row['gain'] else None)})"
    )

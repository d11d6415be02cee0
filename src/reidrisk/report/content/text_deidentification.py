"""Texts with identifiers replaced, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MODES = {
    "redact": say("content.text_deidentification.a_mark_that"),
    "label": say("content.text_deidentification.the_type_in"),
    "mask": say("content.text_deidentification.blocks_of_the"),
    "surrogate": say("content.text_deidentification.an_invented_value"),
}
MEANINGS = {
    "date_days": say("content.text_deidentification.dates_of_a"),
    "keep_weekday": say("content.text_deidentification.whether_dates_move"),
    "date_order": say("content.text_deidentification.how_03_04"),
    "age_years": say("content.text_deidentification.ages_of_a"),
    "age_top": say("content.text_deidentification.nobody_is_older"),
    "places": say("content.text_deidentification.whether_states_countries"),
    "names": say("content.text_deidentification.whether_a_name"),
    "detector": say("content.text_deidentification.who_found_the"),
    "threshold": say("content.text_deidentification.how_sure_a"),
    "key": say("content.text_deidentification.the_secret_that"),
}
SURROGATES_ONLY = (
    "date_days",
    "keep_weekday",
    "date_order",
    "age_years",
    "age_top",
    "places",
    "names",
    "key",
)


def name_of(result: dict[str, Any]) -> str:
    """The texts."""
    return str(result["source"])


def about(result: dict[str, Any]) -> str:
    """What was done to what."""
    return say(
        "content.text_deidentification.characters_in_the",
        documents=plural(result["documents"], "text"),
        characters=count(result["characters"]),
        modes=MODES[result["mode"]],
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """That it is done, which says nothing of the risk."""
    return Verdict(None, tuple(Reason(text, None) for text in result["reasons"]), "Written")


def by_type(result: dict[str, Any]) -> Table:
    """What was replaced, the most frequent types first."""
    rows = tuple(
        (
            one["type"],
            one["role"] or say("content.text_deidentification.not_known"),
            count(one["replaced"]),
            percent(one["replaced"] / result["replaced"]),
        )
        for one in result["by_type"]
    )
    return Table(
        say("content.text_deidentification.replaced_by_type"),
        say("content.text_deidentification.direct_identifiers_name"),
        (
            Column(say("content.text_deidentification.type")),
            Column(say("content.text_deidentification.role")),
            Column(say("content.text_deidentification.identifiers"), is_number=True),
            Column(say("content.text_deidentification.share"), is_number=True),
        ),
        rows,
        "" if rows else say("content.text_deidentification.nothing_was_found"),
    )


def by_source(result: dict[str, Any]) -> Table:
    """Which part of the detector found them."""
    rows = tuple((one["source"], count(one["replaced"])) for one in result["by_source"])
    return Table(
        say("content.text_deidentification.found_by"),
        say("content.text_deidentification.where_several_parts"),
        (
            Column(say("content.text_deidentification.part_of_the")),
            Column(say("content.text_deidentification.identifiers"), is_number=True),
        ),
        rows,
        "" if rows else say("content.text_deidentification.nothing_was_found"),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the run."""
    surrogates = result["mode"] == "surrogate"
    facts = [
        Fact(name, _said(value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if surrogates or name not in SURROGATES_ONLY
    ]
    facts.append(
        Fact(
            say("content.text_deidentification.texts_without_findings"),
            count(result["documents_without_findings"]),
        )
    )
    if result["resumed"]:
        facts.append(Fact(say("content.text_deidentification.written_by_an"), count(result["resumed"])))
    return Facts(
        say("content.text_deidentification.settings"),
        say("content.text_deidentification.the_same_settings"),
        tuple(facts),
    )


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)

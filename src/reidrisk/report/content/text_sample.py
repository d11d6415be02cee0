"""A sample of documents to annotate, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import average, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MOST_STRATA = 20
"""Rows in the terminal; the page shows all."""


def name_of(result: dict[str, Any]) -> str:
    """The corpus, by the last part of its path."""
    return short_path(str(result["settings"]["corpus"]))


def about(result: dict[str, Any]) -> str:
    """What was drawn from what."""
    strata = result["settings"]["strata"]
    how = (
        say("content.text_sample.strata_by", strata=strata)
        if strata
        else say("content.text_sample.no_strata")
    )
    return say(
        "content.text_sample.of_documents",
        sampled=count(result["sampled"]),
        documents=count(result["documents"]),
        how=how,
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """That documents were drawn; yes or no only where a limit was wanted."""
    reasons = [Reason(text, None) for text in result["reasons"]]
    if result["needed"] is None:
        return Verdict(None, tuple(reasons), "Drawn")
    enough = result["acceptable"]
    reasons[-1] = Reason(reasons[-1].text, enough)
    reasons[0] = Reason(reasons[0].text, enough)
    return Verdict(
        enough,
        tuple(reasons),
        say("content.text_sample.enough_documents")
        if enough
        else say("content.text_sample.too_few_documents"),
    )


def strata(result: dict[str, Any], *, most: int | None = None) -> Table:
    """What was drawn from each stratum."""
    found = result["strata"]
    rows = tuple(
        (
            one["name"],
            count(one["documents"]),
            count(one["sampled"]),
            percent(one["sampled"] / one["documents"]),
            average(one["weight"]),
        )
        for one in found[:most]
    )
    left = len(found) - len(rows)
    return Table(
        say("content.text_sample.strata"),
        say("content.text_sample.documents_of_each"),
        (
            Column(say("content.text_sample.stratum")),
            Column(say("content.text_sample.documents"), is_number=True),
            Column(say("content.text_sample.drawn"), is_number=True),
            Column(say("content.text_sample.share"), is_number=True),
            Column(say("content.text_sample.weight"), is_number=True),
        ),
        rows,
        say("content.text_sample.more_are_on", left=count(left)) if left else "",
    )


def needed(result: dict[str, Any]) -> Facts | None:
    """How many documents the wanted limit takes."""
    given = result["needed"]
    if given is None:
        return None
    return Facts(
        say("content.text_sample.how_many_documents"),
        say("content.text_sample.one_direct_identifier"),
        (
            Fact(
                say("content.text_sample.wanted_upper_limit"),
                probability(given["upper"]),
                say("content.text_sample.of_the_share"),
            ),
            Fact(
                say("content.text_sample.expected_recall"),
                percent(given["recall"]),
                say("content.text_sample.share_of_documents"),
            ),
            Fact(
                say("content.text_sample.documents"),
                count(given["expected"]),
                say("content.text_sample.if_exactly_as"),
            ),
            Fact(
                say("content.text_sample.documents_assured"),
                count(given["assured"]),
                say("content.text_sample.to_show_the", assurance=percent(given["assurance"])),
            ),
            Fact(
                say("content.text_sample.chance_of_this"),
                percent(result["chance_to_show_upper_limit"]),
                say("content.text_sample.to_show_the_limit"),
            ),
        ),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the sample."""
    facts = (
        Fact(say("content.text_sample.corpus"), name_of(result)),
        Fact(
            say("content.text_sample.strata_2"),
            str(result["settings"]["strata"] or "none"),
            say("content.text_sample.parts_to_draw"),
        ),
        Fact(say("content.text_sample.written_to"), short_path(str(result["settings"]["out"] or "nowhere"))),
        Fact(say("content.text_sample.seed"), str(result["seed"]), say("content.text_sample.same_seed_same")),
    )
    return Facts(say("content.text_sample.settings"), say("content.text_sample.with_these_the"), facts)

"""A sample of documents to annotate, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.names import short_path
from reidrisk.report.numbers import average, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

MOST_STRATA = 20
"""Rows in the terminal; the page shows all."""


def name_of(result: dict[str, Any]) -> str:
    """The corpus, by the last part of its path."""
    return short_path(str(result["settings"]["corpus"]))


def about(result: dict[str, Any]) -> str:
    """What was drawn from what."""
    strata = result["settings"]["strata"]
    how = f"strata by {strata}" if strata else "no strata"
    return f"{count(result['sampled'])} of {count(result['documents'])} documents, {how}."


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
        "Enough documents" if enough else "Too few documents",
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
        "Strata",
        (
            "Documents of each part of the corpus and how many were drawn; the weight is how "
            "many documents of its stratum each drawn one stands for."
        ),
        (
            Column("stratum"),
            Column("documents", is_number=True),
            Column("drawn", is_number=True),
            Column("share", is_number=True),
            Column("weight", is_number=True),
        ),
        rows,
        f"{count(left)} more are on the page and in the result file." if left else "",
    )


def needed(result: dict[str, Any]) -> Facts | None:
    """How many documents the wanted limit takes."""
    given = result["needed"]
    if given is None:
        return None
    return Facts(
        "How many documents are needed",
        (
            "One direct identifier in every document, all direct types taken together, and "
            "every leak recognised: several types, or rare ones, take more."
        ),
        (
            Fact(
                "wanted upper limit",
                probability(given["upper"]),
                "of the share of leaking documents",
            ),
            Fact(
                "expected recall",
                percent(given["recall"]),
                "share of documents in which nothing leaks",
            ),
            Fact(
                "documents",
                count(given["expected"]),
                "if exactly as many leak as expected",
            ),
            Fact(
                "documents, assured",
                count(given["assured"]),
                f"to show the limit with a chance of {percent(given['assurance'])}",
            ),
            Fact(
                "chance of this sample",
                percent(result["chance_to_show_upper_limit"]),
                "to show the limit",
            ),
        ),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the sample."""
    facts = (
        Fact("corpus", name_of(result)),
        Fact(
            "strata",
            str(result["settings"]["strata"] or "none"),
            "parts to draw from in proportion",
        ),
        Fact("written to", short_path(str(result["settings"]["out"] or "nowhere"))),
        Fact("seed", str(result["seed"]), "same seed, same documents, in whatever order they are read"),
    )
    return Facts("Settings", "With these, the same corpus gives the same sample.", facts)

"""A sample of documents to annotate."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import average, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict

MOST_STRATA = 20
"""Rows in the terminal; the page shows all."""


def name_of(result: ResultDict) -> str:
    """The corpus, by the last part of its path."""
    return short_path(str(result["settings"]["corpus"]))


def about(result: ResultDict) -> str:
    """What was drawn from what."""
    strata = result["settings"]["strata"]
    how = f"strata by {strata}" if strata else "no strata"
    return f"{count(result['sampled'])} of {count(result['documents'])} documents, {how}."


def verdict(result: ResultDict) -> Verdict:
    """That documents were drawn; yes or no only where a limit was wanted."""
    if result["needed"] is None:
        return Verdict(None, reasons_of(result), "Drawn")
    enough = result["acceptable"]
    return Verdict(enough, reasons_of(result), "Enough documents" if enough else "Too few documents")


def strata(result: ResultDict, *, most: int | None = None) -> Table:
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


def needed(result: ResultDict) -> Facts | None:
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


def settings(result: ResultDict) -> Facts:
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


MOST = 20
"""Bars; the table shows all strata."""


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share drawn of each stratum."""
    found = sorted(result["strata"], key=lambda one: -one["documents"])
    rows = tuple((one["name"], one["sampled"] / one["documents"], True) for one in found[:MOST])
    bars = Bars(rows, "share of the documents that was drawn")
    left = len(found) - len(rows)
    most = max(rows, key=lambda row: row[1])
    return (
        Chart(
            "strata",
            "Drawn from each stratum",
            "Large strata first. Small ones give at least one document."
            + ((" " + f"{count(left)} smaller ones are in the table below.") if left else ""),
            (f"{count(len(found))} strata; the largest share, {percent(most[1])}, was drawn from {most[0]}."),
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


GUIDE = Guide(
    terms=(
        Fact(
            "Stratum",
            ("A part of the corpus, such as a ward or a kind of note, that is drawn from on its own."),
        ),
        Fact("Weight", "How many documents of its stratum a drawn document stands for."),
        Fact("All-or-nothing recall", "The share of documents in which no direct identifier leaks."),
        Fact(
            "Upper limit",
            (
                "What the share of leaking documents does not exceed, with 97.5 % confidence, "
                "after these documents."
            ),
        ),
    ),
    limits=(
        "The sample speaks for this corpus only, not for other clinics or years.",
        ("Documents are drawn as if each were one patient. Where patients have several, join them first."),
        (
            "The number of documents rests on one rate of leaks for all; types that are rare "
            "need more documents."
        ),
    ),
    sources=(
        Source(
            "Scaiano M, Middleton G, Arbuckle L, et al. A unified framework for evaluating the risk of "
            "re-identification of text de-identification tools. Journal of Biomedical Informatics 63 (2016) "
            "174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
    ),
)

KIND = Kind(
    title="Documents to annotate",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Sample of {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(needed),
        Show(strata, terminal=partial(strata, most=MOST_STRATA)),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "What was drawn from each corpus.",
        "corpus",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("drawn", is_number=True), lambda result: count(result["sampled"])),
            (Column("strata", is_number=True), lambda result: count(len(result["strata"]))),
        ),
    ),
)

"""A sample of documents to annotate: how many were drawn from each stratum, and whether they are enough."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import average, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.traced import size

MOST_STRATA = 20
"""Rows in the terminal; the page shows all."""
MOST_BARS = 20
"""Bars in the chart; the table shows all strata."""


def name_of(result: ResultDict) -> str:
    """The corpus, by the last part of its path."""
    return short_path(str(result["settings"]["corpus"]))


def about(result: ResultDict) -> str:
    """How many documents were drawn, in a sentence."""
    strata = result["settings"]["strata"]
    how = f"stratified by {strata}" if strata else "not stratified"
    return f"{count(result['sampled'])} of {count(result['documents'])} documents, {how}."


def verdict(result: ResultDict) -> Verdict:
    """Whether the sample is large enough; nothing is decided if no upper limit was requested."""
    if result["needed"] is None:
        return Verdict(None, reasons_of(result), "Sample drawn")
    enough = result["acceptable"]
    return Verdict(enough, reasons_of(result), "Enough documents" if enough else "Too few documents")


def size_needed(result: ResultDict) -> Facts | None:
    """How many documents the requested upper limit requires."""
    given = result["needed"]
    if given is None:
        return None
    return Facts(
        "How many documents are needed",
        (
            "This assumes that every document contains direct identifiers, that all direct types are "
            "counted together, and that every leak is recognized. Separate or rare types require more "
            "documents."
        ),
        (
            Fact(
                "requested upper limit",
                probability(given["upper"]),
                "for the share of documents with leaks",
            ),
            Fact(
                "expected recall",
                percent(given["recall"]),
                "expected share of documents without a leak",
            ),
            Fact(
                "documents needed",
                count(given["expected"]),
                "if exactly the expected number of documents leak",
            ),
            Fact(
                "documents needed with assurance",
                count(given["assured"]),
                f"to demonstrate the upper limit with a probability of {percent(given['assurance'])}",
            ),
            Fact(
                "probability with this sample",
                percent(result["chance_to_show_upper_limit"]),
                "that it demonstrates the upper limit",
            ),
        ),
    )


def strata(result: ResultDict, *, most: int | None = None) -> Table:
    """The number of documents drawn from each stratum."""
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
    left = size(found) - size(rows)
    return Table(
        "Strata",
        (
            "The documents in each stratum of the corpus, and how many were drawn. The weight is the "
            "number of documents of the stratum that each drawn document represents."
        ),
        (
            Column("stratum"),
            Column("documents", is_number=True),
            Column("drawn", is_number=True),
            Column("share", is_number=True),
            Column("weight", is_number=True),
        ),
        rows,
        f"The page and the result file show {count(left)} more strata." if left else "",
    )


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the sample."""
    facts = (
        Fact("corpus", name_of(result)),
        Fact(
            "strata",
            str(result["settings"]["strata"] or "none"),
            "how the corpus is divided; each part is sampled in proportion to its size",
        ),
        Fact("written to", short_path(str(result["settings"]["out"] or "not written"))),
        Fact("seed", str(result["seed"]), "the same seed gives the same documents, in any reading order"),
    )
    return Facts("Settings", "The same corpus and settings give the same sample.", facts)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share of documents drawn from each stratum."""
    found = sorted(result["strata"], key=lambda one: -one["documents"])
    rows = tuple((one["name"], one["sampled"] / one["documents"], True) for one in found[:MOST_BARS])
    bars = Bars(rows, "share of documents drawn")
    left = size(found) - size(rows)
    most = max(rows, key=lambda row: row[1])
    return (
        Chart(
            "strata",
            "Share drawn from each stratum",
            "The largest strata come first. At least one document is drawn from each stratum."
            + (f" The table below shows {count(left)} smaller strata." if left else ""),
            f"{count(len(found))} strata. The largest share, {percent(most[1])}, was drawn from {most[0]}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


GUIDE = Guide(
    terms=(
        Fact(
            "Stratum",
            "A part of the corpus that is sampled separately, such as a ward or a type of note.",
        ),
        Fact("Weight", "The number of documents of its stratum that a drawn document represents."),
        Fact("All-or-nothing recall", "The share of documents in which no direct identifier leaks."),
        Fact(
            "Upper limit",
            (
                "With 97.5 % confidence, the share of documents with leaks is not higher than this, given "
                "these documents."
            ),
        ),
    ),
    limits=(
        "The sample represents this corpus only, not other hospitals or years.",
        "Each document is treated as a different patient. If patients have several documents, combine them "
        "first.",
        (
            "The number of documents assumes one rate of leaks for all types. Rare types require more "
            "documents."
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
        Show(size_needed),
        Show(strata, terminal=partial(strata, most=MOST_STRATA)),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The documents drawn from each corpus.",
        "corpus",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("drawn", is_number=True), lambda result: count(result["sampled"])),
            (Column("strata", is_number=True), lambda result: count(len(result["strata"]))),
        ),
    ),
)

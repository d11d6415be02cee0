"""A search of a document for values that must not be in it."""

from __future__ import annotations

from collections import Counter
from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.documents import PROOF_GUIDE, document_settings, more_in_json
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Facts, Reason, Table, Verdict
from reidrisk.report.traced import size

MOST_VALUES = 50
"""Values in the table; the JSON file has all."""
MOST_BARS = 20
"""Bars of the chart; the table shows more."""
SETTINGS = {
    "document": "the file that was searched",
    "ocr": "languages in which pictures were read",
    "office": "whether LibreOffice was used",
    "readers": "the programs that read the file",
    "sha256": "hash of the file",
    "source": "the original document of the findings",
    "values": "what was searched for",
}


def name_of(result: ResultDict) -> str:
    """The document."""
    return str(result["document"])


def about(result: ResultDict) -> str:
    """How many values were searched for, in how many places."""
    values, places = plural(result["values"], "value"), plural(result["places"], "place")
    return f"{values} searched for in {places} of the file."


def verdict(result: ResultDict) -> Verdict:
    """Whether the document is free of the values, and all of it was searched."""
    holds, skipped = result["holds"], bool(result.get("not_searched"))
    word = "Values found" if not holds else "Not fully searched" if skipped else "No values found"
    found, *others = result["reasons"]  # the first is about what was searched, others about what was not
    reasons = (Reason(found, holds), *(Reason(text, holds=False) for text in others))
    return Verdict(holds and not skipped, reasons, word)


def hits(result: ResultDict) -> Table | None:
    """Where values were found; a value is shown by its number only."""
    if not result["hits"]:
        return None
    where: dict[int, list[str]] = {}
    for hit in result["hits"]:
        where.setdefault(hit["value"], []).append(hit["where"])
    rows = tuple(
        (count(value), count(size(places)), "; ".join(places[:3]) + ("; …" if size(places) > 3 else ""))
        for value, places in list(where.items())[:MOST_VALUES]
    )
    return Table(
        "Values found",
        "Values are numbered from 1, in the order in which you gave them.",
        (Column("value", is_number=True), Column("places", is_number=True), Column("where", is_prose=True)),
        rows,
        more_in_json(size(where) - size(rows)),
    )


def not_searched(result: ResultDict) -> Table | None:
    """Places in which a value could be that nobody looked for there."""
    places = result.get("not_searched")
    if not places:
        return None
    rows = tuple((one["where"], one["why"]) for one in places[:MOST_VALUES])
    return Table(
        "Not searched",
        "A value may be in these places. Look at them yourself.",
        (Column("where", is_prose=True), Column("why", is_prose=True)),
        rows,
        more_in_json(size(places) - size(rows)),
    )


def covered_pages(result: ResultDict) -> Table | None:
    """Pages with words under boxes."""
    if not result["covered"]:
        return None
    return Table(
        "Words under boxes",
        "Boxes were drawn over these words. Anyone who opens the file can still copy them.",
        (Column("page", is_number=True), Column("words", is_number=True)),
        tuple((count(one["page"]), count(one["words"])) for one in result["covered"]),
    )


def settings(result: ResultDict) -> Facts:
    """How the file was searched."""
    shown = {**result["settings"], "readers": result["readers"], "sha256": result["sha256"]}
    return document_settings(shown, "How the file was searched.", SETTINGS)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share of the values that was found in each place."""
    title = "Where values were found"
    places = Counter(hit["where"] for hit in result["hits"]).most_common()
    if not places:
        nothing = f"None of {plural(result['values'], 'value')} was found."
        return (Chart("places", title, nothing, nothing, 0.0, None),)
    rows = tuple((where, number / result["values"], True) for where, number in places[:MOST_BARS])
    bars = Bars(rows, "share of the values found there")
    return (
        Chart(
            "places",
            title,
            "Places with the most values first.",
            f"{plural(result['values_found'], 'value')} found in {plural(len(places), 'place')}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Search for values",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    headline=lambda result: f"Verified {name_of(result)}: {about(result)}",
    shows=(
        Show(hits),
        Show(not_searched),
        Show(covered_pages),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=PROOF_GUIDE,
    comparison=Comparison(
        "How many values were searched for and found.",
        "document",
        (
            (Column("values", is_number=True), lambda result: count(result["values"])),
            (Column("found", is_number=True), lambda result: count(result["values_found"])),
        ),
    ),
)

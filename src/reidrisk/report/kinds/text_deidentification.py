"""Texts in which identifiers were replaced."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.detect.settings import THRESHOLD
from reidrisk.report.blocks.settings import meanings, versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Prose
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, prose, reasons_of
from reidrisk.report.names import file_name
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.traced import size
from reidrisk.resynthesis.settings import SURROGATE_SETTINGS

MODES = {
    "redact": "a neutral placeholder",
    "label": "its type in brackets",
    "mask": "block characters of the same length",
    "surrogate": "an invented, realistic value",
}
MEANINGS = meanings((*SURROGATE_SETTINGS, THRESHOLD)) | {
    "detector": "what found the identifiers",
    "key": "key that the surrogates are derived from",
}
SURROGATES_ONLY = (*(one.name for one in SURROGATE_SETTINGS), "key")
MOST_BARS = 20
"""Bars in the chart; the table shows all types."""


def name_of(result: ResultDict) -> str:
    """The name of the texts."""
    return file_name(str(result["source"]))


def about(result: ResultDict) -> str:
    """What was done, in a sentence."""
    return (
        f"{plural(result['documents'], 'text')}, {count(result['characters'])} characters; "
        f"each identifier was replaced by {MODES[result['mode']]}."
    )


def verdict(result: ResultDict) -> Verdict:
    """That the texts were written; nothing is decided about the risk."""
    return Verdict(None, reasons_of(result), "Texts written")


def by_type(result: ResultDict) -> Table:
    """The number of identifiers replaced, the most frequent types first."""
    rows = tuple(
        (
            one["type"],
            one["role"] or "unknown",
            count(one["replaced"]),
            percent(one["replaced"] / result["replaced"]),
        )
        for one in result["by_type"]
    )
    return Table(
        "Identifiers replaced, by type",
        "Direct identifiers identify a person by themselves, quasi-identifiers in combination.",
        (
            Column("type"),
            Column("role"),
            Column("identifiers", is_number=True),
            Column("share", is_number=True),
        ),
        rows,
        "" if rows else "No identifiers were found.",
    )


def by_source(result: ResultDict) -> Table:
    """Which part of the detector found the identifiers."""
    rows = tuple((one["source"], count(one["replaced"])) for one in result["by_source"])
    return Table(
        "Found by",
        "If several parts found the same identifier, it is counted for the most confident one.",
        (
            Column("part of the detector"),
            Column("identifiers", is_number=True),
        ),
        rows,
        "" if rows else "No identifiers were found.",
    )


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the texts."""
    surrogates = result["mode"] == "surrogate"
    facts = [
        Fact(name, _text_of(value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if surrogates or name not in SURROGATES_ONLY
    ]
    facts.append(
        Fact(
            "texts without identifiers found",
            count(result["documents_without_findings"]),
        )
    )
    if result["resumed"]:
        facts.append(Fact("texts written by an earlier run", count(result["resumed"])))
    return Facts(
        "Settings",
        "The same settings and the same key give the same texts.",
        tuple(facts),
    )


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share of each type; direct identifiers are dark."""
    found = result["by_type"]
    if not found:
        return (
            Chart(
                "types",
                "Types of identifiers replaced",
                "No identifiers were found.",
                "No identifiers were found.",
                0.0,
                None,
            ),
        )
    rows = tuple(
        (one["type"], one["replaced"] / result["replaced"], one["role"] == "direct")
        for one in found[:MOST_BARS]
    )
    bars = Bars(rows, "share of all identifiers replaced; dark: direct identifiers")
    left = size(found) - size(rows)
    return (
        Chart(
            "types",
            "Types of identifiers replaced",
            "The most frequent types come first."
            + (f" The table below shows {count(left)} more types." if left else ""),
            f"{count(len(found))} types. The most frequent is {found[0]['type']}, {percent(rows[0][1])}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


HIDING_IN_PLAIN_SIGHT = Source(
    "Carrell D, Malin B, Aberdeen J, et al. Hiding in plain sight: use of realistic surrogates to reduce "
    "exposure of protected health information in clinical text. Journal of the American Medical "
    "Informatics Association 20 (2013) 342–348."
)
GUIDE = Guide(
    terms=(
        Fact("Surrogate", "An invented value of the same type and format that replaces a real one."),
        Fact(
            "Key",
            "The cryptographic key that surrogates are derived from. Anyone who has it can test guesses, so "
            "store it separately from the texts.",
        ),
        Fact(
            "Person",
            "All dates of a person are shifted together. Unless you specify the persons, each text counts as "
            "a person.",
        ),
        Fact("Leak", "An identifier that was not found and remains in the text unchanged."),
    ),
    limits=(
        "Identifiers that were not found are still in the texts. Only a sample annotated by people shows "
        "how many.",
        "File names, IDs and columns that you did not specify are written unchanged.",
        (
            "There are few possible dates, ages, states, countries and occupations. A surrogate is never the "
            "original value, but it may be the real value of another person."
        ),
    ),
    sources=(HIDING_IN_PLAIN_SIGHT,),
)
KIND = Kind(
    title="De-identified texts",
    name_of=name_of,
    about=about,
    headline=lambda result: f"De-identified {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(by_type),
        Show(by_source),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The texts written, and the identifiers replaced in them.",
        "texts",
        (
            (Column("mode"), lambda result: str(result["mode"])),
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("identifiers", is_number=True), lambda result: count(result["replaced"])),
        ),
    ),
    chapters=Chapters(
        measures=lambda result: (
            Prose((about(result),)),
            by_type(result),
        ),
        utility=prose("The usefulness of the texts was not measured."),
    ),
)

"""Identifiers detected in documents."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.documents import (
    DETECTION_GUIDE,
    NOTHING_FOUND,
    OUTSIDE,
    document_settings,
    name_of_documents,
)
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Facts, Table, Verdict
from reidrisk.report.traced import size

MOST_BARS = 20
"""Bars of a chart; the tables show all."""
COUNTS = {"blocks": "blocks", "findings": "findings", "attributed": "attributed", "mentioned": "participants"}
"""Columns of the table of documents, by their names in the result."""
SETTINGS = {
    "consistency": "whether a name that was found once is searched for in the whole text",
    "known": "a file of known values",
    "model": "the model that was used",
    "plugins": "other tools that were used",
    "rules": "the patterns and dictionaries that were used",
    "scheme": "what counts as an identifier",
    "detect": "whether more than the given values was searched for",
    "study": "the study whose data were used",
    "terms": "your own lists of terms",
    "threshold": "smallest score that counts as a finding",
    "values": "number of given values that were searched for",
}


def about(result: ResultDict) -> str:
    """The documents, the findings and the participants mentioned."""
    documents = plural(size(result["documents"]), "document")
    if result["participants"] is None:
        return f"{documents}, {count(result['findings'])} findings."
    return (
        f"{documents}, {count(result['findings'])} findings; {count(result['mentioned'])} of "
        f"{plural(result['participants'], 'participant')} are mentioned."
    )


def verdict(result: ResultDict) -> Verdict:
    """Whether all documents could be read; the risk is measured elsewhere."""
    word = "All documents read" if result["acceptable"] else "Some documents could not be read"
    return Verdict(result["acceptable"] or None, reasons_of(result), word)


def documents(result: ResultDict) -> Table:
    """Every document with its findings."""
    rows = tuple(
        (row["document"], *(count(row[name]) if row["read"] else "n/a" for name in COUNTS))
        for row in result["documents"]
    )
    return Table(
        "Documents",
        "For each document: pages or parts read, findings, findings linked to a participant, and "
        "participants mentioned.",
        (Column("document"), *(Column(shown, is_number=True) for shown in COUNTS.values())),
        rows,
        marked=tuple(at for at, row in enumerate(result["documents"]) if not row["read"]),
    )


def by_type(result: ResultDict) -> Table:
    """Findings by type of identifier."""
    explanation = "Types of identifiers. OTHER means values of the study's data without a type of their own."
    return _tally(result, "type", "By type", explanation, unnamed="none")


def by_variable(result: ResultDict) -> Table | None:
    """Findings by variable of the study's data."""
    if not _has_names(result, "variable"):
        return None
    explanation = "Variables of the study's data whose values appear in the documents."
    return _tally(result, "variable", "By variable", explanation, unnamed="not in the data")


def by_section(result: ResultDict) -> Table | None:
    """Findings by section of the report."""
    if not _has_names(result, "section"):
        return None
    return _tally(
        result, "section", "By section", "Sections of the report by their ICH E3 numbers.", unnamed=OUTSIDE
    )


def by_source(result: ResultDict) -> Table:
    """Findings by the part of the detector that found them."""
    return _tally(result, "source", "Found by", "", unnamed="none", head="part of the detector")


def _has_names(result: ResultDict, what: str) -> bool:
    return any(row["name"] for row in result[f"by_{what}"])


def _tally(
    result: ResultDict, what: str, title: str, explanation: str, *, unnamed: str, head: str = ""
) -> Table:
    rows = tuple(
        (row["name"] or unnamed, count(row["findings"]), count(row["mentioned"]))
        for row in result[f"by_{what}"]
    )
    columns = (
        Column(head or what),
        Column("findings", is_number=True),
        Column("participants", is_number=True),
    )
    return Table(title, explanation, columns, rows, "" if rows else NOTHING_FOUND)


def settings(result: ResultDict) -> Facts:
    """Everything needed to repeat the run."""
    explanation = "The same settings and data give the same findings."
    return document_settings(result["settings"], explanation, SETTINGS)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Findings by type, and by section where the document has sections."""
    total = result["findings"]
    types = _bars("types", "Findings by type", result["by_type"], total)
    if not _has_names(result, "section"):
        return (types,)
    return types, _bars("sections", "Findings by section", result["by_section"], total)


def _bars(what: str, title: str, found: list[ResultDict], total: int) -> Chart:
    if not found:
        return Chart(what, title, NOTHING_FOUND, NOTHING_FOUND, 0.0, None)
    ordered = sorted(found, key=lambda row: (-row["findings"], row["name"]))
    rows = tuple(
        (row["name"] or OUTSIDE, row["findings"] / total, row.get("role") == "direct")
        for row in ordered[:MOST_BARS]
    )
    bars = Bars(rows, "share of all findings")
    spoken = f"{count(len(found))} rows; most findings: {rows[0][0]}, {percent(rows[0][1])}."
    caption = "Most frequent first. Dark: direct identifiers."
    return Chart(what, title, caption, spoken, bars.height, partial(draw_bars, bars=bars))


KIND = Kind(
    title="Identifiers detected in documents",
    name_of=name_of_documents,
    about=about,
    verdict=verdict,
    charts=charts,
    headline=lambda result: f"Identifiers in {name_of_documents(result)}: {about(result)}",
    shows=(
        Show(documents),
        Show(by_type),
        Show(by_variable),
        Show(by_section),
        Show(by_source, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=DETECTION_GUIDE,
    comparison=Comparison(
        "The runs side by side.",
        "result",
        (
            (Column("documents", is_number=True), lambda result: count(len(result["documents"]))),
            (Column("findings", is_number=True), lambda result: count(result["findings"])),
        ),
    ),
)

"""Documents in which identifiers were redacted or replaced."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.documents import (
    ANONYMIZATION_GUIDE,
    NOTHING_FOUND,
    OUTSIDE,
    document_settings,
    name_of_documents,
)
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, only_in_terminal, reasons_of
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict
from reidrisk.report.plain_text import fact_lines
from reidrisk.report.traced import size

MOST_BARS = 20
"""Bars of the chart; the table shows all types."""
MOST_VALUES = 20
"""Given values that the terminal shows; the page shows all."""
MODES = {
    "redact": "identifiers redacted with boxes",
    "replace": "identifiers replaced with the values of the released data",
}
FATES = {
    "redacted": ("redacted", "removed, with a box in their place"),
    "replaced": ("replaced", "removed, with the value of the released data in their place"),
    "unchanged": ("unchanged", "the released data have the same value"),
    "kept": ("kept", "in a section that is left unchanged"),
    "left_out": ("left out", "in a section that is left out"),
}
"""What happens to findings: the name and its meaning."""
SETTINGS = {
    "confidential": "color of boxes over confidential information",
    "findings": "file with the findings, unless detected in this run",
    "label": "text on the boxes; none means PPD or CCI",
    "labels": "whether boxes have a label",
    "mode": "redact with a box, or replace with the value of the released data",
    "office": "whether LibreOffice was used to search the new files",
    "per_page": "whether pages that cannot be released are left out, with an explanation",
    "personal": "color of boxes over personal data",
    "rule": "how disagreements between reviewers are settled",
    "same_values": "whether a direct identifier found once is removed everywhere",
    "scanned": "treatment of pages that are pictures without text",
    "sections": "rules for sections of the report",
    "detect": "whether more than the given values was searched for, in this run",
    "study": "the study whose data were used",
    "text": "color of labels",
    "unreadable": "treatment of pages whose fonts hide their text",
    "values": "number of given values that were searched for",
}


def about(result: ResultDict) -> str:
    """The documents, the findings and the mode."""
    documents = plural(size(result["documents"]), "document")
    return f"{documents}, {count(result['findings'])} findings, {MODES[result['mode']]}."


def verdict(result: ResultDict) -> Verdict:
    """Whether all documents were written; the risk is measured elsewhere."""
    word = "All documents written" if result["acceptable"] else "Some documents were not written"
    return Verdict(result["acceptable"] or None, reasons_of(result), word)


def documents(result: ResultDict) -> Table:
    """Every document, and whether it was written."""
    return Table(
        "Documents",
        "The changes in each document, and the search of the new file for the removed values.",
        (
            Column("document"),
            Column("blocks", is_number=True),
            Column("findings", is_number=True),
            Column("changes", is_number=True),
            Column("values removed", is_number=True),
            Column("places searched", is_number=True),
            Column("result"),
        ),
        tuple(_document_row(row) for row in result["documents"]),
        marked=tuple(at for at, row in enumerate(result["documents"]) if not row["written"]),
    )


def _document_row(row: ResultDict) -> tuple[str, ...]:
    if not row["written"]:
        return (row["document"], *("n/a",) * 5, "NOT written, see the notes")
    proof = row["proof"]
    return (
        row["document"],
        count(row["blocks"]),
        count(row["findings"]),
        count(row["changes"]),
        count(proof["values"]),
        count(proof["places"]),
        "written and verified",
    )


def fates(result: ResultDict) -> Facts:
    """What happened to the findings."""
    facts = [Fact(name, count(result["fates"][fate]), meaning) for fate, (name, meaning) in FATES.items()]
    facts.append(
        Fact(
            "found by the same value",
            count(result["same_values"]),
            "further places of a direct identifier that was found elsewhere",
        )
    )
    return Facts("Findings", "What happened to each finding.", tuple(facts))


def given_values(result: ResultDict, most: int | None = None) -> Table | None:
    """What happened to each value that was given; those that were never found come first."""
    if not result.get("values"):
        return None
    found = sorted(result["values"], key=lambda row: (row["found"] > 0, row["removed"] >= row["found"]))
    rows = found[:most]
    return Table(
        "Given values",
        "How often each value of the list stands in the documents, and how many of these places went. Values "
        "are shown by their number in the list, never by their text.",
        (Column("value", is_number=True), Column("found", is_number=True), Column("removed", is_number=True)),
        tuple((count(row["value_number"]), count(row["found"]), count(row["removed"])) for row in rows),
        f"And {count(size(found) - size(rows))} more." if size(rows) < size(found) else "",
        marked=tuple(at for at, row in enumerate(rows) if not row["found"] or row["removed"] < row["found"]),
    )


def by_type(result: ResultDict) -> Table:
    """What happened to the findings of each type."""
    return _tally(result["by_type"], "type", "What happened to the findings of each type.")


def by_section(result: ResultDict) -> Table | None:
    """What happened to the findings in each section of a report."""
    if not any(row["name"] for row in result["by_section"]):
        return None
    explanation = "Sections of the report by their ICH E3 numbers, and what happened to the findings in them."
    return _tally(result["by_section"], "section", explanation)


def _tally(found: list[ResultDict], name: str, explanation: str) -> Table:
    rows = tuple(
        (row["name"] or OUTSIDE, count(row["findings"]), *(count(row[fate]) for fate in FATES))
        for row in found
    )
    return Table(
        f"By {name}",
        explanation,
        (
            Column(name),
            Column("findings", is_number=True),
            *(Column(shown, is_number=True) for shown, _ in FATES.values()),
        ),
        rows,
        "" if rows else NOTHING_FOUND,
    )


def settings(result: ResultDict) -> Facts:
    """Everything needed to repeat the run."""
    explanation = "The same settings and findings give the same documents."
    return document_settings(result["settings"], explanation, SETTINGS)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share of each type; types that were mostly replaced are dark."""
    title = "Findings by type"
    found = sorted(result["by_type"], key=lambda row: (-row["findings"], row["name"]))
    if not found:
        return (Chart("types", title, NOTHING_FOUND, NOTHING_FOUND, 0.0, None),)
    rows = tuple(
        (row["name"], row["findings"] / result["findings"], row["replaced"] > row["redacted"])
        for row in found[:MOST_BARS]
    )
    bars = Bars(rows, "share of all findings; dark: mostly replaced")
    return (
        Chart(
            "types",
            title,
            "Most frequent first. Dark: most findings of the type were replaced with released values.",
            f"{count(len(found))} types; most frequent: {found[0]['name']}, {percent(rows[0][1])}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Anonymized documents",
    name_of=name_of_documents,
    about=about,
    verdict=verdict,
    charts=charts,
    headline=lambda result: f"Anonymized {name_of_documents(result)}: {about(result)}",
    shows=(
        only_in_terminal(lambda result: fact_lines(fates(result))),
        Show(documents),
        Show(fates, terminal=False),
        Show(given_values, terminal=partial(given_values, most=MOST_VALUES)),
        Show(by_type),
        Show(by_section),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=ANONYMIZATION_GUIDE,
    comparison=Comparison(
        "The runs side by side.",
        "result",
        (
            (Column("documents", is_number=True), lambda result: count(len(result["documents"]))),
            (Column("findings", is_number=True), lambda result: count(result["findings"])),
        ),
    ),
)

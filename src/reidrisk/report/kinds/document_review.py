"""A review of what was detected in documents."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.documents import NOTHING_FOUND, REVIEW_GUIDE, more_in_json, setting_text
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import count, level, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict
from reidrisk.report.traced import size

MOST_CONFLICTS = 50
"""Conflicts in the table; the JSON file has all."""
MOST_BARS = 20
"""Bars of the chart; the table shows all types."""
ACTIONS = {
    "accept": "accepted",
    "reject": "rejected",
    "retype": "retyped",
    "add": "added",
    "pages": "pages read",
}
"""What a reviewer can do, and its column."""
CHANGES = ("findings", "rejected", "retyped", "added")
SHARES = {
    "page_recall": "pages with nothing missed",
    "recall": "identifiers that had been detected",
    "precision": "findings that are correct",
}


def name_of(result: ResultDict) -> str:
    """The files with the findings."""
    return ", ".join(result["settings"]["findings"])


def about(result: ResultDict) -> str:
    """What was reviewed, and by how many people."""
    return (
        f"{plural(result['findings'], 'finding')} in {plural(result['documents'], 'document')} with "
        f"{plural(result['pages'], 'page')}, {plural(size(result['reviewers']), 'reviewer')}."
    )


def verdict(result: ResultDict) -> Verdict:
    """Whether the reviewers agree; the risk is measured elsewhere."""
    word = "Reviewed" if result["acceptable"] else "Reviewers disagree"
    return Verdict(None, reasons_of(result), word if result["reviewers"] else "Nothing reviewed yet")


def reviewers(result: ResultDict) -> Table | None:
    """The decisions of each reviewer."""
    if not result["reviewers"]:
        return None
    return Table(
        "Reviewers",
        "The decisions of each reviewer.",
        (Column("reviewer"), *(Column(shown, is_number=True) for shown in ACTIONS.values())),
        tuple((row["reviewer"], *(count(row[action]) for action in ACTIONS)) for row in result["reviewers"]),
    )


def by_type(result: ResultDict) -> Table:
    """Findings and changes by type of identifier."""
    rows = tuple(
        (row["type"], row["role"], *(count(row[name]) for name in CHANGES)) for row in result["by_type"]
    )
    return Table(
        "By type",
        "What was detected, and what the reviewers changed.",
        (Column("type"), Column("role"), *(Column(name, is_number=True) for name in CHANGES)),
        rows,
        "" if rows else NOTHING_FOUND,
    )


def measured_recall(result: ResultDict) -> Facts | None:
    """What the pages that were read in full show about the detection."""
    found = result["measured"]
    if not found["pages"]:
        return None
    facts = [
        Fact("pages read in full", count(found["pages"])),
        Fact(
            "pages with a miss",
            count(found["pages_with_misses"]),
            "pages on which at least one identifier was missed",
        ),
        *(_share(shown, found[name]) for name, shown in SHARES.items()),
    ]
    for row in found["by_role"]:
        if row["recall"] is not None:
            name = f"{row['role']} identifiers that had been detected"
            facts.append(Fact(name, percent(row["recall"]["value"]), percent_span(row["recall"])))
    return Facts(
        "On pages read in full",
        "What had been detected, compared with what the reviewers marked.",
        tuple(facts),
    )


def _share(shown: str, estimate: ResultDict | None) -> Fact:
    if estimate is None:
        return Fact(shown, "n/a", "nothing to measure")
    limits = f"{percent_span(estimate)} ({level(estimate['level'])})"
    return Fact(shown, percent(estimate["value"]), limits)


def pages_needed(result: ResultDict) -> Facts:
    """How many pages must be read to show the recall that is wanted."""
    found = result["needed"]
    wanted = found["wanted"]
    pages = result["pages"]

    def needed(number: int | None) -> str:
        return "all" if number is not None and number > pages else count(number)

    facts = (
        Fact("pages without a miss", needed(found["none_missed"]), "if nothing is missed on any of them"),
        Fact("pages, as it looks now", needed(found["as_seen"]), "if no further page with a miss is found"),
        Fact(
            "pages to be sure",
            needed(found["assured"]),
            f"with a probability of {wanted['assurance']}, if the page recall is {wanted['expected']}",
        ),
    )
    return Facts(
        "How many pages to read",
        f"To show that nothing was missed on at least {percent(wanted['recall'])} of the pages. There "
        f"{'is 1 page' if pages == 1 else f'are {count(pages)} pages'}.",
        facts,
    )


def agreement(result: ResultDict) -> Table | None:
    """How well the reviewers agree."""
    rows = [row for row in (result["agreement"], *result["pairs"]) if row is not None]
    if not rows:
        return None
    return Table(
        "Agreement",
        "On places that all of them judged: the share with the same decision, and kappa, which corrects for "
        "agreement by chance.",
        (
            Column("reviewers"),
            Column("places", is_number=True),
            Column("same decision", is_number=True),
            Column("kappa", is_number=True),
        ),
        tuple(
            (
                ", ".join(row["reviewers"]),
                count(row["places"]),
                percent(row["same"] / row["places"] if row["places"] else None),
                probability(row["kappa"]),
            )
            for row in rows
        ),
    )


def conflicts(result: ResultDict) -> Table | None:
    """Places on which reviewers disagree."""
    if not result["conflicts"]:
        return None
    shown = result["conflicts"][:MOST_CONFLICTS]
    rows = tuple(
        (
            one["id"],
            f"{one['document']}, {one['block']}",
            one["kind"],
            ", ".join(f"{name}: {kind or 'none'}" for name, kind in one["opinions"].items()),
        )
        for one in shown
    )
    return Table(
        "Conflicts",
        "Places on which reviewers disagree.",
        (Column("id"), Column("where"), Column("kind"), Column("decisions", is_prose=True)),
        rows,
        more_in_json(size(result["conflicts"]) - size(shown)),
    )


def settings(result: ResultDict) -> Facts:
    """Everything needed to repeat the result."""
    facts = [Fact(name, setting_text(value)) for name, value in result["settings"].items()]
    facts.append(Fact("pages drawn", count(size(result["drawn"]))))
    facts.append(Fact("seed", str(result["seed"]), "used to draw the pages"))
    return Facts("Settings", "The same settings give the same result.", tuple(facts))


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share of findings of each type that reviewers changed; direct identifiers are dark."""
    title = "What reviewers changed, by type"
    rows = tuple(
        (row["type"], min(1.0, changed / (row["findings"] + row["added"])), row["role"] == "direct")
        for row in result["by_type"]
        if (changed := row["rejected"] + row["retyped"] + row["added"])
    )[:MOST_BARS]
    if not rows:
        nothing = "Reviewers changed nothing."
        return (Chart("changed", title, nothing, nothing, 0.0, None),)
    bars = Bars(rows, "share that reviewers changed; dark: direct identifiers")
    return (
        Chart(
            "changed",
            title,
            "Share of detected and added identifiers that reviewers rejected, retyped or added.",
            f"Reviewers changed {plural(len(rows), 'type')}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Review of findings",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    headline=lambda result: f"Review of {name_of(result)}: {about(result)}",
    shows=(
        Show(measured_recall),
        Show(pages_needed),
        Show(reviewers),
        Show(by_type),
        Show(agreement),
        Show(conflicts),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=REVIEW_GUIDE,
    comparison=Comparison(
        "The reviews side by side.",
        "result",
        (
            (Column("findings", is_number=True), lambda result: count(result["findings"])),
            (Column("conflicts", is_number=True), lambda result: count(len(result["conflicts"]))),
        ),
    ),
)

"""A review of findings in documents, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.content.document_anonymization import said
from reidrisk.report.numbers import count, level, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MOST = 50
"""Conflicts that are listed; the JSON has all."""


def name_of(result: dict[str, Any]) -> str:
    """The findings."""
    return ", ".join(result["settings"]["findings"])


def about(result: dict[str, Any]) -> str:
    """What was reviewed by whom."""
    return say(
        "content.document_review.about",
        findings=plural(result["findings"], "finding"),
        documents=plural(result["documents"], "document"),
        pages=plural(result["pages"], "page"),
        reviewers=plural(len(result["reviewers"]), "reviewer"),
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether reviewers agree; nothing is said of the risk."""
    key = "agreed" if result["acceptable"] else "differ"
    word = say(f"content.document_review.{key if result['reviewers'] else 'open'}")
    return Verdict(None, tuple(Reason(text, None) for text in result["reasons"]), word)


def reviewers(result: dict[str, Any]) -> Table | None:
    """What each reviewer decided."""
    if not result["reviewers"]:
        return None
    actions = ("accept", "reject", "retype", "add", "pages")
    return Table(
        say("content.document_review.reviewers"),
        say("content.document_review.reviewers_explained"),
        (
            Column(say("content.document_review.reviewer")),
            *(Column(say(f"content.document_review.columns.{one}"), is_number=True) for one in actions),
        ),
        tuple((row["reviewer"], *(count(row[action]) for action in actions)) for row in result["reviewers"]),
    )


def by_type(result: dict[str, Any]) -> Table:
    """What became of each type."""
    columns = ("findings", "rejected", "retyped", "added")
    rows = tuple(
        (row["type"], row["role"], *(count(row[name]) for name in columns)) for row in result["by_type"]
    )
    return Table(
        say("content.document_review.by_type"),
        say("content.document_review.by_type_explained"),
        (
            Column(say("content.document_review.type")),
            Column(say("content.document_review.role")),
            *(Column(say(f"content.document_review.columns.{name}"), is_number=True) for name in columns),
        ),
        rows,
        "" if rows else say("content.document_review.nothing"),
    )


def measured(result: dict[str, Any]) -> Facts | None:
    """What pages that were read as a whole say."""
    found = result["measured"]
    if not found["pages"]:
        return None
    facts = [
        Fact(say("content.document_review.pages_read"), count(found["pages"])),
        Fact(
            say("content.document_review.pages_missed"),
            count(found["pages_with_misses"]),
            say("content.document_review.pages_missed_explained"),
        ),
        *(_share(name, found[name]) for name in ("page_recall", "recall", "precision")),
    ]
    for row in found["by_role"]:
        if row["recall"] is not None:
            name = say("content.document_review.recall_of", role=row["role"])
            facts.append(Fact(name, percent(row["recall"]["value"]), percent_span(row["recall"])))
    return Facts(
        say("content.document_review.measured"),
        say("content.document_review.measured_explained"),
        tuple(facts),
    )


def _share(name: str, estimate: dict[str, Any] | None) -> Fact:
    shown = say(f"content.document_review.{name}")
    if estimate is None:
        return Fact(shown, "n/a", say("content.document_review.nothing_there"))
    limits = say(
        "content.document_review.limits", limits=percent_span(estimate), level=level(estimate["level"])
    )
    return Fact(shown, percent(estimate["value"]), limits)


def needed(result: dict[str, Any]) -> Facts:
    """How many pages show the recall that is wanted."""
    found = result["needed"]
    wanted = found["wanted"]
    rows = ("none_missed", "as_seen", "assured")
    facts = tuple(
        Fact(
            say(f"content.document_review.needed.{name}"),
            count(found[name]),
            say(f"content.document_review.needed_explained.{name}", **wanted)
            if name == "assured"
            else say(f"content.document_review.needed_explained.{name}"),
        )
        for name in rows
    )
    return Facts(
        say("content.document_review.needed_title"),
        say(
            "content.document_review.needed_about",
            recall=percent(wanted["recall"]),
            pages=count(result["pages"]),
        ),
        facts,
    )


def agreement(result: dict[str, Any]) -> Table | None:
    """How far reviewers agree."""
    rows = [row for row in (result["agreement"], *result["pairs"]) if row is not None]
    if not rows:
        return None
    return Table(
        say("content.document_review.agreement"),
        say("content.document_review.agreement_explained"),
        (
            Column(say("content.document_review.reviewers")),
            Column(say("content.document_review.places"), is_number=True),
            Column(say("content.document_review.same"), is_number=True),
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


def conflicts(result: dict[str, Any]) -> Table | None:
    """Places on which reviewers differ."""
    if not result["conflicts"]:
        return None
    listed = result["conflicts"][:MOST]
    none = say("content.document_review.none")
    rows = tuple(
        (
            one["id"],
            f"{one['document']}, {one['block']}",
            one["kind"],
            ", ".join(f"{name}: {kind or none}" for name, kind in one["opinions"].items()),
        )
        for one in listed
    )
    left = len(result["conflicts"]) - len(listed)
    return Table(
        say("content.document_review.conflicts"),
        say("content.document_review.conflicts_explained"),
        (
            Column("id"),
            Column(say("content.document_review.where")),
            Column(say("content.document_review.kind")),
            Column(say("content.document_review.opinions"), is_prose=True),
        ),
        rows,
        say("content.document_review.more", left=count(left)) if left else "",
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the review."""
    facts = [Fact(name, said(value)) for name, value in result["settings"].items()]
    facts.append(Fact(say("content.document_review.drawn"), count(len(result["drawn"]))))
    facts.append(Fact("seed", str(result["seed"]), say("content.document_review.of_pages")))
    return Facts(
        say("content.document_review.settings"),
        say("content.document_review.settings_explained"),
        tuple(facts),
    )

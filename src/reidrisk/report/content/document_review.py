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
    return (
        f"{plural(result['findings'], 'finding')} in "
        f"{plural(result['documents'], 'document')} with "
        f"{plural(result['pages'], 'page')}, "
        f"{plural(len(result['reviewers']), 'reviewer')}."
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
        "Reviewers",
        "What each of them decided.",
        (
            Column("reviewer"),
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
        "By type",
        "What was found, and what reviewers made of it.",
        (
            Column("type"),
            Column("role"),
            *(Column(say(f"content.document_review.columns.{name}"), is_number=True) for name in columns),
        ),
        rows,
        "" if rows else "Nothing was found.",
    )


def measured(result: dict[str, Any]) -> Facts | None:
    """What pages that were read as a whole say."""
    found = result["measured"]
    if not found["pages"]:
        return None
    facts = [
        Fact("pages read as a whole", count(found["pages"])),
        Fact(
            "pages with a miss",
            count(found["pages_with_misses"]),
            "on which something had not been found",
        ),
        *(_share(name, found[name]) for name in ("page_recall", "recall", "precision")),
    ]
    for row in found["by_role"]:
        if row["recall"] is not None:
            name = f"{row['role']} identifiers that had been found"
            facts.append(Fact(name, percent(row["recall"]["value"]), percent_span(row["recall"])))
    return Facts(
        "On pages read as a whole",
        "What had been found there, compared with what reviewers left.",
        tuple(facts),
    )


def _share(name: str, estimate: dict[str, Any] | None) -> Fact:
    shown = say(f"content.document_review.{name}")
    if estimate is None:
        return Fact(shown, "n/a", "nothing to measure")
    limits = f"{percent_span(estimate)} ({level(estimate['level'])})"
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
        "How many pages to read",
        (
            f"To show that on at least {percent(wanted['recall'])} of pages everything was "
            f"found; there are {count(result['pages'])}."
        ),
        facts,
    )


def agreement(result: dict[str, Any]) -> Table | None:
    """How far reviewers agree."""
    rows = [row for row in (result["agreement"], *result["pairs"]) if row is not None]
    if not rows:
        return None
    return Table(
        "Agreement",
        (
            "On places that all of them judged: same opinion of what it is, and kappa, which "
            "takes out what chance would agree on."
        ),
        (
            Column("Reviewers"),
            Column("places", is_number=True),
            Column("same opinion", is_number=True),
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
    none = "none"
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
        "Conflicts",
        "Places on which reviewers differ.",
        (
            Column("id"),
            Column("where"),
            Column("kind"),
            Column("opinions", is_prose=True),
        ),
        rows,
        f"{count(left)} more are in the JSON." if left else "",
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the review."""
    facts = [Fact(name, said(value)) for name, value in result["settings"].items()]
    facts.append(Fact("pages drawn", count(len(result["drawn"]))))
    facts.append(Fact("seed", str(result["seed"]), "of the pages drawn"))
    return Facts(
        "Settings",
        "With these the review reads the same.",
        tuple(facts),
    )

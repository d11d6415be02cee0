"""Probabilistic linkage: what was learned, and which links were claimed."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, expected, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say


def weights(result: dict[str, Any]) -> Table:
    """What the agreement of each column is worth."""
    rows = []
    last = None
    for one in result["probabilistic_linkage"]["levels"]:
        rows.append(
            (
                one["column"] if one["column"] != last else "",
                say(f"content.table_attack_linkage.level.{one['level']}"),
                probability(one["m"]),
                probability(one["u"]),
                f"{one['weight']:+.1f}",
            )
        )
        last = one["column"]
    return Table(
        say("content.table_attack_linkage.weights_title"),
        say("content.table_attack_linkage.weights_explained"),
        (
            Column(say("content.table_attack_linkage.column")),
            Column(say("content.table_attack_linkage.compared")),
            Column(say("content.table_attack_linkage.own"), is_number=True),
            Column(say("content.table_attack_linkage.anybody"), is_number=True),
            Column(say("content.table_attack_linkage.weight"), is_number=True),
        ),
        tuple(rows),
    )


def claims(result: dict[str, Any]) -> Facts:
    """Of which links the adversary was sure, and how rightly."""
    found = result["probabilistic_linkage"]
    main = result["linkage"]["probabilistic"]["main"]
    facts = [
        Fact(say("content.table_attack_linkage.tried"), count(found["records"])),
        Fact(
            say("content.table_attack_linkage.present"), probability(found["present"]), found["reason"] or ""
        ),
        Fact(
            say("content.table_attack_linkage.expected"),
            say(
                "content.table_attack_linkage.expected_and_found",
                expected=expected(found["expected_matches"]),
                found=count(main["successes"]) if main else "n/a",
            ),
        ),
        Fact(
            say("content.table_attack_linkage.claimed"),
            count(found["claimed"]),
            say("content.table_attack_linkage.claimed_meaning", confidence=probability(found["confidence"])),
        ),
        _share("precision", found["precision"]),
        _share("recall", found["recall"]),
    ]
    return Facts(
        say("content.table_attack_linkage.claims_title"),
        say("content.table_attack_linkage.claims_explained"),
        tuple(facts),
    )


def _share(name: str, found: dict[str, Any] | None) -> Fact:
    written = "n/a" if found is None else f"{probability(found['value'])} ({span(found)})"
    return Fact(
        say(f"content.table_attack_linkage.{name}"),
        written,
        say(f"content.table_attack_linkage.{name}_meaning"),
    )

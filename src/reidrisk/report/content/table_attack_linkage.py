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
        "What agreement is worth",
        (
            "How often a record agrees with its own person (m) and with anybody (u), learned "
            "without knowing who is who. The weight is log2(m/u); the person with the greatest "
            "sum of weights is taken. Near means within a tenth of the standard deviation."
        ),
        (
            Column("column"),
            Column("record and person"),
            Column("own person (m)", is_number=True),
            Column("anybody (u)", is_number=True),
            Column("weight", is_number=True),
        ),
        tuple(rows),
    )


def claims(result: dict[str, Any]) -> Facts:
    """Of which links the adversary was sure, and how rightly."""
    found = result["probabilistic_linkage"]
    main = result["linkage"]["probabilistic"]["main"]
    facts = [
        Fact("records tried", count(found["records"])),
        Fact("records believed to be there", probability(found["present"]), found["reason"] or ""),
        Fact(
            "right links expected",
            (
                f"{expected(found['expected_matches'])} "
                f"({count(main['successes']) if main else 'n/a'} were right)"
            ),
        ),
        Fact(
            "links claimed",
            count(found["claimed"]),
            f"of which the adversary is sure to {probability(found['confidence'])} or more",
        ),
        _share("precision", found["precision"]),
        _share("recall", found["recall"]),
    ]
    return Facts(
        "Probabilistic linkage",
        ("What an adversary who reckons with typing errors expects, and of which links it is sure."),
        tuple(facts),
    )


def _share(name: str, found: dict[str, Any] | None) -> Fact:
    written = "n/a" if found is None else f"{probability(found['value'])} ({span(found)})"
    return Fact(
        say(f"content.table_attack_linkage.{name}"),
        written,
        say(f"content.table_attack_linkage.{name}_meaning"),
    )

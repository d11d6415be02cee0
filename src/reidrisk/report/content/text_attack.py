"""An attack on released texts, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

MEANINGS = {
    "precision": "the smallest share of right flags that an adversary accepts",
    "folds": "parts of the documents; limits are learnt on the others",
    "level": "of the intervals",
}


def name_of(result: dict[str, Any]) -> str:
    """The texts that were attacked."""
    return str(result["settings"]["deidentified"])


def about(result: dict[str, Any]) -> str:
    """What was attacked."""
    return (
        f"{count(result['documents'])} documents by {result['method']}, "
        f"{count(result['instances'])} identifiers, {count(result['leaks'])} of them "
        "leaked."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """The recognition; nothing is decided by it alone."""
    found = result["recognition"]
    said = "Nothing to recognise" if found is None else f"Recognition {probability(found['value'])}"
    return Verdict(None, tuple(Reason(text, None) for text in result["reasons"]), said)


def recognition(result: dict[str, Any]) -> Facts:
    """The number for job 1."""
    found = result["recognition"]
    if found is None:
        facts = [Fact("recognition", "n/a", str(result["undefined"]))]
    else:
        facts = [
            Fact(
                "recognition",
                probability(found["value"]),
                "share of leaked originals that were recognised",
            ),
            Fact(
                "interval",
                span(found),
                f"{level(found['level'])}, Jeffreys",
            ),
        ]
    if result["bootstrap"] is not None:
        low, high = result["bootstrap"]
        facts.append(
            Fact(
                "by resampled documents",
                f"{probability(low)} to {probability(high)}",
                "as a check",
            )
        )
    if result["recognition_option"]:
        facts.append(Fact("for text evaluate", f"--recognition {result['recognition_option']}"))
    return Facts("Recognition", "How often a leaked original is told from the surrogates.", tuple(facts))


def attacks(result: dict[str, Any]) -> Table | None:
    """What every attack did."""
    if not result["attacks"]:
        return None
    rows = tuple(
        (
            one["attack"],
            count(one["right"]),
            count(one["wrong"]),
            percent(one["recognition"]),
            percent(one["precision"]),
        )
        for one in result["attacks"]
    )
    best = next(at for at, one in enumerate(result["attacks"]) if one["attack"] == result["best"])
    return Table(
        "Attacks",
        ("Flags are right if the value is an original. The attack that recognises most counts."),
        (
            Column("attack"),
            Column("right flags", is_number=True),
            Column("wrong flags", is_number=True),
            Column("recognition", is_number=True),
            Column("precision", is_number=True),
        ),
        rows,
        f"Best: {result['best']}. n/a: no flag at all.",
        marked=(best,),
    )


def trade(result: dict[str, Any]) -> Table | None:
    """Adversaries who accept more or fewer wrong flags."""
    if not result["trade"]:
        return None
    rows = tuple(
        (percent(one["accepted_precision"]), percent(one["recognition"]), percent(one["precision"]))
        for one in result["trade"]
    )
    return Table(
        "Other adversaries",
        "Who accepts more wrong flags recognises more, and must check more of them in vain.",
        (
            Column("accepted precision"),
            Column("recognition", is_number=True),
            Column(
                "precision in documents not learnt from",
                is_number=True,
                short="precision held",
            ),
        ),
        rows,
    )


def by_type(result: dict[str, Any]) -> Table:
    """The best attack on each type."""
    rows = tuple(
        (
            one["type"],
            one["role"],
            count(one["instances"]),
            count(one["leaks"]),
            count(one["flagged"]),
            percent(one["flagged"] / one["leaks"] if one["leaks"] else None),
        )
        for one in result["by_type"]
    )
    return Table(
        "By type",
        ("Identifiers of the gold standard, those that leaked, and those of them that were recognised."),
        (
            Column("type"),
            Column("role"),
            Column("identifiers", is_number=True),
            Column("leaked", is_number=True),
            Column("recognised", is_number=True),
            Column("recognition", is_number=True),
        ),
        rows,
    )


def risks(result: dict[str, Any]) -> Table:
    """The same texts under every recognition."""
    rows = tuple(
        (
            one["name"],
            probability(one["recognition"]),
            *(_risk(one[role]) for role in ("direct", "quasi")),
        )
        for one in result["risks"]
    )
    return Table(
        "What it does to the risk",
        "The probability of re-identification of a public release, with its interval.",
        (
            Column("recognition"),
            Column("value", is_number=True),
            Column("direct identifiers", is_number=True),
            Column("quasi-identifiers", is_number=True),
        ),
        rows,
        (
            "Recognition counts only where recall is high enough for certain (0.9 direct, 0.7 "
            "quasi); elsewhere every leak counts as recognised."
        ),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the attack."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(Fact("seed", str(result["seed"]), "of the folds and of the documents drawn again"))
    return Facts("Settings", "With these, the same texts give the same answer.", tuple(facts))


def _risk(estimate: dict[str, Any] | None) -> str:
    return "n/a" if estimate is None else f"{probability(estimate['value'])} ({span(estimate)})"

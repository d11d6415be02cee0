"""An attack on released texts, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MEANINGS = {
    "precision": say("content.text_attack.the_smallest_share"),
    "folds": say("content.text_attack.parts_of_the"),
    "level": say("content.text_attack.of_the_intervals"),
}


def name_of(result: dict[str, Any]) -> str:
    """The texts that were attacked."""
    return str(result["settings"]["deidentified"])


def about(result: dict[str, Any]) -> str:
    """What was attacked."""
    return say(
        "content.text_attack.documents_by_identifiers",
        documents=count(result["documents"]),
        method=result["method"],
        instances=count(result["instances"]),
        leaks=count(result["leaks"]),
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """The recognition; nothing is decided by it alone."""
    found = result["recognition"]
    said = (
        say("content.text_attack.nothing_to_recognise")
        if found is None
        else f"Recognition {probability(found['value'])}"
    )
    return Verdict(None, tuple(Reason(text, None) for text in result["reasons"]), said)


def recognition(result: dict[str, Any]) -> Facts:
    """The number for job 1."""
    found = result["recognition"]
    if found is None:
        facts = [Fact(say("content.text_attack.recognition"), "n/a", str(result["undefined"]))]
    else:
        facts = [
            Fact(
                say("content.text_attack.recognition"),
                probability(found["value"]),
                say("content.text_attack.share_of_leaked"),
            ),
            Fact(
                say("content.text_attack.interval"),
                span(found),
                say("content.text_attack.jeffreys", level=level(found["level"])),
            ),
        ]
    if result["bootstrap"] is not None:
        low, high = result["bootstrap"]
        facts.append(
            Fact(
                say("content.text_attack.by_resampled_documents"),
                say("content.text_attack.to", low=probability(low), high=probability(high)),
                say("content.text_attack.as_a_check"),
            )
        )
    if result["recognition_option"]:
        facts.append(
            Fact(
                say("content.text_attack.for_text_evaluate"), f"--recognition {result['recognition_option']}"
            )
        )
    return Facts(
        say("content.text_attack.recognition_2"), say("content.text_attack.how_often_a"), tuple(facts)
    )


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
        say("content.text_attack.attacks"),
        say("content.text_attack.flags_are_right"),
        (
            Column(say("content.text_attack.attack")),
            Column(say("content.text_attack.right_flags"), is_number=True),
            Column(say("content.text_attack.wrong_flags"), is_number=True),
            Column(say("content.text_attack.recognition"), is_number=True),
            Column(say("content.text_attack.precision"), is_number=True),
        ),
        rows,
        say("content.text_attack.best_n_a", best=result["best"]),
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
        say("content.text_attack.other_adversaries"),
        say("content.text_attack.who_accepts_more"),
        (
            Column(say("content.text_attack.accepted_precision")),
            Column(say("content.text_attack.recognition"), is_number=True),
            Column(
                say("content.text_attack.precision_in_documents"),
                is_number=True,
                short=say("content.text_attack.precision_held"),
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
        say("content.text_attack.by_type"),
        say("content.text_attack.identifiers_of_the"),
        (
            Column(say("content.text_attack.type")),
            Column(say("content.text_attack.role")),
            Column(say("content.text_attack.identifiers"), is_number=True),
            Column(say("content.text_attack.leaked"), is_number=True),
            Column(say("content.text_attack.recognised"), is_number=True),
            Column(say("content.text_attack.recognition"), is_number=True),
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
        say("content.text_attack.what_it_does"),
        say("content.text_attack.the_probability_of"),
        (
            Column(say("content.text_attack.recognition")),
            Column(say("content.text_attack.value"), is_number=True),
            Column(say("content.text_attack.direct_identifiers"), is_number=True),
            Column(say("content.text_attack.quasi_identifiers"), is_number=True),
        ),
        rows,
        say("content.text_attack.recognition_counts_only"),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the attack."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(
        Fact(say("content.text_attack.seed"), str(result["seed"]), say("content.text_attack.of_the_folds"))
    )
    return Facts(say("content.text_attack.settings"), say("content.text_attack.with_these_the"), tuple(facts))


def _risk(estimate: dict[str, Any] | None) -> str:
    return "n/a" if estimate is None else f"{probability(estimate['value'])} ({span(estimate)})"

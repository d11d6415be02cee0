"""An attack on a released table, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, expected, level, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MEANINGS = {
    "guesses": "of each attack, if there are so many records",
    "together": "columns in a predicate",
    "level": "of the intervals",
    "tolerance": "how far a guess of a secret number may be off",
    "neighbours": "nearest records of linkability of which both sources must share one",
    "confidence": "from which on a probable link is claimed",
    "id": "tells who is who; no attack sees it",
    "unit": "which rows are one person",
}
ANSWERS = {True: "yes", False: "no"}


def name_of(result: dict[str, Any]) -> str:
    """The table that was attacked."""
    return str(result["settings"]["released"])


def about(result: dict[str, Any]) -> str:
    """What was attacked with what."""
    control = result["control_records"]
    return (
        f"{count(result['records'])} released records against {count(result['people'])} "
        f"people of {result['settings']['against']}; control group: "
        f"{'none' if control is None else count(control)}."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether a threshold is kept, if one was given; a success alone decides nothing."""
    holds: list[bool | None] = [None]
    holds += [None if one["possible"] is None else not one["possible"] for one in result["criteria"]]
    if result["decided"]:
        holds.append(result["acceptable"])
    reasons = tuple(Reason(text, good) for text, good in zip(result["reasons"], holds, strict=True))
    said = "" if result["decided"] else "Attacked"
    return Verdict(result["acceptable"] if result["decided"] else None, reasons, said)


def predicted(result: dict[str, Any]) -> Table:
    """Risks from classes beside what linking achieved."""
    foreseen, linkage = result["predicted"], result["linkage"]
    rows = (
        _foreseen("content.table_attack.prosecutor_highest", foreseen["prosecutor"]["highest"]),
        _foreseen("content.table_attack.prosecutor_average", foreseen["prosecutor"]["average"]),
        _foreseen("content.table_attack.marketer", foreseen["marketer"]["average"]),
        _linked("content.table_attack.exact", linkage["exact"]),
        _linked("content.table_attack.nearest", linkage["nearest"]),
        _foreseen("content.table_attack.probable_expected", result["probabilistic_linkage"]["expected"]),
        _linked("content.table_attack.probabilistic", linkage["probabilistic"]),
    )
    return Table(
        "Predicted and measured",
        ("The risk that follows from classes, and how often a record was linked with the right person."),
        (
            Column("what"),
            Column("probability", is_number=True),
            Column("interval", is_number=True),
            Column("right of guesses", is_number=True),
        ),
        rows,
        _prediction(result),
        marked=(3,),
    )


def _prediction(result: dict[str, Any]) -> str:
    """Whether the prediction came true."""
    exact = result["linkage"]["exact"]
    if result["prediction_holds"] is None:
        return str(exact["reason"] or "")
    if result["prediction_holds"]:
        return "The predicted marketer risk lies inside the interval of the exact linkage."
    is_safe = result["predicted"]["marketer"]["average"] > exact["main"]["high"]
    return say(
        "content.table_attack.prediction_above" if is_safe else "content.table_attack.prediction_below"
    )


def _foreseen(key: str, risk: float) -> tuple[str, ...]:
    return say(key), probability(risk), "", ""


def _linked(key: str, outcome: dict[str, Any]) -> tuple[str, ...]:
    main = outcome["main"]
    if main is None:
        return say(key), "n/a", "n/a", "n/a"
    return say(key), probability(main["value"]), span(main), _of(main)


def attacks(result: dict[str, Any]) -> Table:
    """Singling out, linkability, inference: on the release, on the control, by guessing."""
    made = (*result["singling_out"], result["linkability"], *result["inference"])
    rows = tuple(
        (
            one["attack"],
            *(probability(one[name]["value"]) if one[name] else "n/a" for name in ("main", "control")),
            probability(one["baseline"]["value"]) if one["baseline"] else "n/a",
            probability(one["risk"]["value"]) if one["risk"] else "n/a",
            span(one["risk"]),
            _of(one["main"]) if one["main"] else "n/a",
        )
        for one in made
    )
    return Table(
        "Singling out, linkability, inference",
        (
            "The success on people of the release, on people who are not in it (control), and "
            "by guessing. The risk is what the release adds to the control."
        ),
        (
            Column("attack"),
            Column("success", is_number=True),
            Column("control", is_number=True),
            Column("guessing", is_number=True),
            Column("risk", is_number=True),
            Column("interval", is_number=True),
            Column("right of guesses", is_number=True),
        ),
        rows,
        " ".join(f"{one['attack']}: {one['reason']}" for one in made if one["reason"]),
    )


def criteria(result: dict[str, Any]) -> Table:
    """The questions of European guidance and their answers."""
    rows = tuple(
        (
            one["question"],
            ANSWERS.get(one["possible"], "not measured"),
            one["answer"],
        )
        for one in result["criteria"]
    )
    return Table(
        "Three questions of European guidance",
        (
            "European guidance calls data anonymous if all three answers are no. Otherwise the "
            "risk is to be evaluated."
        ),
        (
            Column("question"),
            Column("possible"),
            Column("by which attack", is_prose=True),
        ),
        rows,
        ("An answer holds for these attacks and these columns. Another adversary may know more."),
    )


def matching(result: dict[str, Any]) -> Facts:
    """How records and people were held against each other."""
    marketer = result["predicted"]["marketer"]
    return Facts(
        "Matching",
        "How released records and people were held against each other.",
        (
            Fact("who is who is known", result["truth"]["how"]),
            Fact("records that nobody fits", count(result["unmatched_records"])),
            Fact("right links predicted", expected(marketer["expected_matches"])),
        ),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the attack."""
    facts = [
        Fact(name, _written(name, value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if value not in (None, [])
    ]
    facts.append(Fact("seed", str(result["seed"])))
    return Facts("Settings", "With these, the same tables give the same answer.", tuple(facts))


def _written(name: str, value: Any) -> str:
    if name == "sets":
        return "; ".join(", ".join(part) for part in value)
    if name == "level":
        return level(value)
    return ", ".join(value) if isinstance(value, list) else str(value)


def _of(tally: dict[str, Any]) -> str:
    return f"{count(tally['successes'])} of {count(tally['guesses'])}"

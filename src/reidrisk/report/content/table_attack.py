"""An attack on a released table, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, expected, level, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MEANINGS = {
    "guesses": say("content.table_attack.guesses_meaning"),
    "together": say("content.table_attack.together_meaning"),
    "level": say("content.table_attack.level_meaning"),
    "tolerance": say("content.table_attack.tolerance_meaning"),
    "neighbours": say("content.table_attack.neighbours_meaning"),
    "confidence": say("content.table_attack.confidence_meaning"),
    "id": say("content.table_attack.id_meaning"),
    "unit": say("content.table_attack.unit_meaning"),
}
ANSWERS = {True: say("content.table_attack.yes"), False: say("content.table_attack.no")}


def name_of(result: dict[str, Any]) -> str:
    """The table that was attacked."""
    return str(result["settings"]["released"])


def about(result: dict[str, Any]) -> str:
    """What was attacked with what."""
    control = result["control_records"]
    return say(
        "content.table_attack.about",
        records=count(result["records"]),
        people=count(result["people"]),
        against=result["settings"]["against"],
        control=say("content.table_attack.no_control") if control is None else count(control),
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether a threshold is kept, if one was given; a success alone decides nothing."""
    holds: list[bool | None] = [None]
    holds += [None if one["possible"] is None else not one["possible"] for one in result["criteria"]]
    if result["decided"]:
        holds.append(result["acceptable"])
    reasons = tuple(Reason(text, good) for text, good in zip(result["reasons"], holds, strict=True))
    said = "" if result["decided"] else say("content.table_attack.measured")
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
        say("content.table_attack.predicted_title"),
        say("content.table_attack.predicted_explained"),
        (
            Column(say("content.table_attack.what")),
            Column(say("content.table_attack.probability"), is_number=True),
            Column(say("content.table_attack.interval"), is_number=True),
            Column(say("content.table_attack.right_of_guesses"), is_number=True),
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
        return say("content.table_attack.prediction_holds")
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
        say("content.table_attack.attacks_title"),
        say("content.table_attack.attacks_explained"),
        (
            Column(say("content.table_attack.attack")),
            Column(say("content.table_attack.success"), is_number=True),
            Column(say("content.table_attack.control"), is_number=True),
            Column(say("content.table_attack.guessing"), is_number=True),
            Column(say("content.table_attack.risk"), is_number=True),
            Column(say("content.table_attack.interval"), is_number=True),
            Column(say("content.table_attack.right_of_guesses"), is_number=True),
        ),
        rows,
        " ".join(f"{one['attack']}: {one['reason']}" for one in made if one["reason"]),
    )


def criteria(result: dict[str, Any]) -> Table:
    """The questions of European guidance and their answers."""
    rows = tuple(
        (
            one["question"],
            ANSWERS.get(one["possible"], say("content.table_attack.not_measured")),
            one["answer"],
        )
        for one in result["criteria"]
    )
    return Table(
        say("content.table_attack.criteria_title"),
        say("content.table_attack.criteria_explained"),
        (
            Column(say("content.table_attack.question")),
            Column(say("content.table_attack.possible")),
            Column(say("content.table_attack.answer"), is_prose=True),
        ),
        rows,
        say("content.table_attack.criteria_note"),
    )


def matching(result: dict[str, Any]) -> Facts:
    """How records and people were held against each other."""
    marketer = result["predicted"]["marketer"]
    return Facts(
        say("content.table_attack.matching_title"),
        say("content.table_attack.matching_explained"),
        (
            Fact(say("content.table_attack.who_is_who"), result["truth"]["how"]),
            Fact(say("content.table_attack.nobody_fits"), count(result["unmatched_records"])),
            Fact(say("content.table_attack.expected_links"), expected(marketer["expected_matches"])),
        ),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the attack."""
    facts = [
        Fact(name, _written(name, value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if value not in (None, [])
    ]
    facts.append(Fact(say("content.table_attack.seed"), str(result["seed"])))
    return Facts(
        say("content.table_attack.settings"), say("content.table_attack.settings_explained"), tuple(facts)
    )


def _written(name: str, value: Any) -> str:
    if name == "sets":
        return "; ".join(", ".join(part) for part in value)
    if name == "level":
        return level(value)
    return ", ".join(value) if isinstance(value, list) else str(value)


def _of(tally: dict[str, Any]) -> str:
    return say("content.table_attack.of", right=count(tally["successes"]), guesses=count(tally["guesses"]))

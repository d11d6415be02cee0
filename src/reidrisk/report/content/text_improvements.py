"""What would make a text evaluation acceptable, in words and as a table."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import ROLES
from reidrisk.report.numbers import MISSING, count, percent, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say

TITLE = say("content.text_improvements.what_would_make")
MEASURE = {"direct": say("content.text_improvements.all_or_nothing"), "quasi": "recall"}
MOST_NAMED = 4


def sentences(result: dict[str, Any]) -> tuple[str, ...]:
    """One sentence or two for each risk that is too high."""
    found = []
    for role, title in ROLES.items():
        part = (result.get("improvements") or {}).get(role)
        if part is not None and not part["acceptable"]:
            found.append(f"{title}: {_recalls(part, role)} {_documents(part)}")
    return tuple(found)


def brief(result: dict[str, Any]) -> str:
    """The same in few words, for a table of tools."""
    if result["acceptable"]:
        return "nothing"
    parts = []
    for role in ROLES:
        part = (result.get("improvements") or {}).get(role)
        if part is not None and not part["acceptable"]:
            parts.append(f"{role}: {_brief(part)}")
    return "; ".join(parts) or MISSING


def by_type(result: dict[str, Any]) -> Table | None:
    """What a better recall of each type alone would do, the most effective first."""
    improvements = result.get("improvements") or {}
    rows = tuple(
        (
            one["type"],
            role,
            percent(one["recall"]),
            say("content.text_improvements.not_alone")
            if one["needed_recall"] is None
            else percent(one["needed_recall"]),
            probability(one["high_if_perfect"]),
            probability(result[role]["threshold"]),
        )
        for role in ROLES
        for one in ((improvements.get(role) or {}).get("by_type") or ())
    )
    if not rows:
        return _in_words(result)
    return Table(
        TITLE,
        say("content.text_improvements.if_one_type"),
        (
            Column(say("content.text_improvements.type")),
            Column(say("content.text_improvements.role")),
            Column(say("content.text_improvements.recall_now"), is_number=True),
            Column(say("content.text_improvements.recall_needed"), is_number=True),
            Column(say("content.text_improvements.upper_limit_if"), is_number=True),
            Column(say("content.text_improvements.limit"), is_number=True),
        ),
        rows,
        " ".join(sentences(result)),
    )


def _in_words(result: dict[str, Any]) -> Table | None:
    """Where nothing leaks and the documents are too few, there is no type to improve."""
    said = [sentence.partition(": ") for sentence in sentences(result)]
    if not said:
        return None
    rows = tuple((role, text[:1].upper() + text[1:]) for role, _, text in said)
    return Table(
        TITLE,
        say("content.text_improvements.no_type_leaks"),
        (
            Column(say("content.text_improvements.risk_from")),
            Column(say("content.text_improvements.what_would_do"), is_prose=True),
        ),
        rows,
    )


def _recalls(part: dict[str, Any], role: str) -> str:
    alone = [one for one in part["by_type"] if one["needed_recall"] is not None]
    measure = MEASURE[role]
    if alone:
        named = " or ".join(_change(one) for one in alone[:MOST_NAMED])
        return say("content.text_improvements.one_type_would", measure=measure, named=named)
    if not part["together_suffices"]:
        return say("content.text_improvements.even_without_any")
    steps = part["together"]
    named = ", ".join(_change(step) for step in steps[:MOST_NAMED])
    more = (
        (" " + say("content.text_improvements.and_more_types", number=count(len(steps) - MOST_NAMED)))
        if len(steps) > MOST_NAMED
        else ""
    )
    return say("content.text_improvements.no_type_alone", measure=measure, named=named, more=more)


def _change(one: dict[str, Any]) -> str:
    return say(
        "content.text_improvements.from_to",
        type=one["type"],
        recall=percent(one["recall"]),
        needed_recall=percent(one["needed_recall"]),
    )


def _documents(part: dict[str, Any]) -> str:
    needed = part["needed_documents"]
    if needed is None:
        return say("content.text_improvements.at_the_same")
    return say("content.text_improvements.or_at_the", needed=count(needed))


def _brief(part: dict[str, Any]) -> str:
    alone = [one for one in part["by_type"] if one["needed_recall"] is not None]
    steps = alone[:1] or part["together"]
    if not alone and not part["together_suffices"]:
        text = say("content.text_improvements.no_recall_would")
    elif len(steps) > 2:
        perfect = sum(step["needed_recall"] == 1 for step in steps)
        text = say(
            "content.text_improvements.types_of_them", number=count(len(steps)), perfect=count(perfect)
        )
    else:
        text = " and ".join(
            say(
                "content.text_improvements.to",
                type=step["type"],
                needed_recall=percent(step["needed_recall"]),
            )
            for step in steps
        )
    documents = part["needed_documents"]
    return (
        text
        if documents is None
        else say("content.text_improvements.or_documents", text=text, documents=count(documents))
    )

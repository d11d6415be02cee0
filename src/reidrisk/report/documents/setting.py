"""The release and its context: who gets what, under which controls, with which threshold."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Bullets, Prose
from reidrisk.report.numbers import MISSING, one_in, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import phrases, say

DIMENSIONS = ("controls", "motives", "invasion")
RISKS = ("deliberate", "acquaintance", "breach")


def release(case: dict[str, Any]) -> tuple[Block, ...]:
    """What is released, by whom, to whom, for what."""
    given, names = case["release"], phrases("release")
    facts = [Fact(names[name], str(given[name])) for name in _STATED if given.get(name)]
    review = given.get("review") or {}
    if review.get("due"):
        facts.append(Fact(names["review"], f"{review['due']}, every {review['months']} months"))
    if not facts:
        return (Prose(("No release was described. What follows are results alone.",)),)
    return (Facts("The release", "As the release file states it.", tuple(facts)),)


_STATED = ("name", "purpose", "custodian", "recipient", "prepared_by", "date")


def context(case: dict[str, Any]) -> tuple[Block, ...]:
    """How the context was judged, and what follows from it."""
    given = case["context"]
    if not given:
        return (
            Prose(
                (
                    (
                        "No context was given. The threshold of each result is the one that it was "
                        "measured with."
                    ),
                )
            ),
        )
    found: list[Block] = [_levels(given), *_risks(given), threshold(case)]
    upcoming = given.get("next_threshold")
    if upcoming:
        found.append(Prose((_next(upcoming),)))
        if upcoming.get("missing"):
            practices = tuple(str(one["text"]) for one in upcoming["missing"])
            found.append(Bullets("Practices still missing for the next threshold", practices))
    if given.get("notes"):
        found.append(Bullets("What was assumed", tuple(given["notes"])))
    return tuple(found)


def threshold(case: dict[str, Any]) -> Facts:
    """The limit and why it is this one."""
    given = case["context"]
    limit, names = given["threshold"], phrases("context.threshold")
    facts = [
        Fact(names["limit"], _limit(limit), names["limit_meaning"]),
        Fact(names["reason"], str(limit.get("reason") or MISSING)),
        Fact(names["source"], names["ours"] if limit.get("ours") else str(limit.get("source") or MISSING)),
        Fact(names["rule"], phrases("context.rule").get(str(given.get("rule")), MISSING)),
        Fact(names["statistic"], phrases("context.statistic").get(str(given.get("statistic")), MISSING)),
    ]
    return Facts(names["title"], names["explanation"], tuple(facts))


def precedents(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who else uses which cell size."""
    given = (case["context"] or {}).get("precedents") or []
    sources = {str(row.get("source") or MISSING) for row in given}
    one = len(sources) == 1  # said once, not in every row
    rows = tuple(
        (
            one_in(1 / row["cell_size"], row["cell_size"]),
            str(row["precedent"]),
            *(() if one else (str(row.get("source") or MISSING),)),
        )
        for row in given
    )
    columns = (
        Column("limit"),
        Column("precedent", is_prose=True),
        *(() if one else (Column("source", is_prose=True),)),
    )
    note = f"{say('document.source')}: {next(iter(sources))}" if one else ""
    title = "Precedents"
    return (
        (Table(title, "Who else accepts which risk. A precedent is no permission.", columns, rows, note),)
        if rows
        else ()
    )


def _limit(limit: dict[str, Any]) -> str:
    if limit.get("probability") is None:
        return MISSING
    short = one_in(limit["probability"], limit.get("cell_size"))
    full = probability(limit["probability"])
    return full if short == full else f"{short} ({full})"


def _levels(given: dict[str, Any]) -> Facts:
    names, meanings, levels = phrases("context.name"), phrases("context.meaning"), phrases("context.level")
    access = str(given.get("access"))
    facts = [Fact(names["access"], phrases("context.access").get(access, access), meanings["access"])]
    preset = given.get("preset") or {}
    if preset.get("title"):
        facts.insert(0, Fact(names["preset"], str(preset["title"]), str(preset.get("about") or "")))
    for name in DIMENSIONS:
        part = given.get(name) or {}
        level = part.get("level")
        if level is not None:
            facts.append(Fact(names[name], _level(part, levels.get(level, level)), meanings[name]))
    attempt = given.get("attempt") or {}
    if attempt.get("value") is not None:
        facts.append(Fact(names["attempt"], _attempt(attempt), meanings["attempt"]))
    return Facts("The context", "What was stated or answered about the recipient and the data.", tuple(facts))


def _level(part: dict[str, Any], level: str) -> str:
    """The level, and from how many answers if a checklist was filled in."""
    answered, held = part.get("answered"), part.get("in_place")
    if not isinstance(answered, int) or not isinstance(held, int) or not answered:
        return level
    return f"{level} ({held} of {answered} practices in place)"


def _attempt(attempt: dict[str, Any]) -> str:
    ends = attempt.get("low"), attempt.get("high")
    value = probability(attempt["value"])
    if None in ends or ends[0] == ends[1]:
        return value
    return f"{value} ({probability(ends[0])} to {probability(ends[1])})"


def _risks(given: dict[str, Any]) -> list[Block]:
    """The three ways to an attempt; the largest counts."""
    risks = given.get("risks") or {}
    if not risks or given.get("access") == "public":
        return []
    names, why = phrases("context.risk"), given.get("undefined") or {}
    reasons = why if isinstance(why, dict) else {}
    rows = tuple(
        (names[name], names[f"{name}_meaning"], probability(risks.get(name)), _why(risks, reasons, name))
        for name in RISKS
    )
    columns = (
        Column("way"),
        Column("what it means", is_prose=True),
        Column("chance", is_number=True),
        Column("remark", is_prose=True),
    )
    total = f"The largest, {probability(given.get('context_risk'))}, is the context risk."
    return [
        Table(
            "How an attempt may come about",
            (
                "Three ways to an attempt at re-identification where data are not public. The "
                "likeliest one counts."
            ),
            columns,
            rows,
            total,
        )
    ]


def _why(risks: dict[str, Any], reasons: dict[str, Any], name: str) -> str:
    if risks.get(name) is not None:
        return ""
    return str(reasons.get(name) or reasons.get(f"risks.{name}") or "not stated")


def _next(upcoming: dict[str, Any]) -> str:
    limit = one_in(upcoming["probability"], upcoming["cell_size"])
    number = upcoming.get("missing_count")
    level = phrases("context.level").get(str(upcoming.get("level_needed")), "")
    if number == 0:
        return f"The next threshold, {limit}, may be used: the practices that it needs are in place."
    return (
        f"The next threshold, {limit}, would need the level of controls to be "
        f"{level or MISSING}. Practices missing: {MISSING if number is None else number}."
    )

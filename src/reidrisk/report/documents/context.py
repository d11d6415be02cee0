"""The release and its context: who gets which data, under which controls, with which threshold."""

from __future__ import annotations

from typing import Any

from reidrisk.context.checklist import practices
from reidrisk.report.document import Block, Bullets, Prose
from reidrisk.report.documents.outline import RELEASE_NAMES, OutlineEntry
from reidrisk.report.numbers import MISSING, more, one_in, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.traced import size

MOST_MISSING = 5
"""Missing practices that a report for a decision names; its annex lists all."""
NO_CONTEXT = "No context was given. Each result uses the threshold that it was measured with."
ACCESS = {
    "public": "public: everybody",
    "semi_public": "semi-public: everybody who accepts terms of use",
    "non_public": "restricted (non-public): only the recipient, under an agreement",
}
STATISTICS = {
    "highest": "the highest risk of a record",
    "strict_average": "the average risk of the records, if none is above a cap",
}
RULES = {
    "cell_size": (
        "The highest risk of a record or person must not exceed the limit, regardless of the chance of an "
        "attempt. Text is the exception: its risk includes the attempt."
    ),
    "overall": (
        "The risk times the chance of an attempt must not exceed the limit, and no single risk may be above "
        "the cap."
    ),
}
DIMENSIONS = {
    "controls": ("Controls of the recipient", "how well the recipient protects the data"),
    "motives": ("Motives and capacity", "how much the recipient could gain and do"),
    "invasion": ("Invasion of privacy", "how much a re-identification would harm the patients"),
}
RISKS = {
    "deliberate": ("deliberate", "The recipient, or someone there, tries on purpose."),
    "acquaintance": ("acquaintance", "Someone recognizes a person whom they know."),
    "breach": ("breach", "The data are lost or stolen, and someone else tries."),
}
ANSWERS = {"yes": "in place", "no": "MISSING", "not_applicable": "not applicable"}


def release(case: dict[str, Any]) -> tuple[Block, ...]:
    """What is released, by whom, to whom and for what purpose."""
    given = case["release"]
    facts = [Fact(shown, str(given[name])) for name, shown in RELEASE_NAMES.items() if given.get(name)]
    review = given.get("review") or {}
    if review.get("due"):
        facts.append(Fact("Next review", f"{review['due']}, every {review['months']} months"))
    return (Facts("The release", "As stated in the release file.", tuple(facts)),)


def context(case: dict[str, Any], *, most: int | None = None) -> tuple[Block, ...]:
    """How the context was judged, and what follows from it, with at most this many missing practices."""
    given = case["context"]
    if not given:
        return (Prose((NO_CONTEXT,)),)
    found: list[Block] = [_levels(given), *_attempt_risks(given), threshold(case)]
    upcoming = given.get("next_threshold")
    if upcoming:
        found += [Prose((_next_threshold(upcoming),)), *_missing(upcoming, most=most)]
    if given.get("notes"):
        found.append(Bullets("Assumptions", tuple(given["notes"])))
    return tuple(found)


def missing_practices(case: dict[str, Any]) -> tuple[Block, ...]:
    """Every practice that is missing for the next threshold."""
    upcoming = (case["context"] or {}).get("next_threshold")
    return (Prose((_next_threshold(upcoming),)), *_missing(upcoming, most=None)) if upcoming else ()


def _missing(upcoming: dict[str, Any], *, most: int | None) -> list[Block]:
    """The practices that all guidelines ask for come first."""
    core = {one.id for one in practices() if one.is_core}
    found = sorted(upcoming.get("missing") or (), key=lambda one: one["practice"] not in core)
    if not found:
        return []
    shown = found if most is None else found[:most]
    left = size(found) - size(shown)
    rest = (more(left, "in the annex"),) if left else ()
    title = "Missing for the next threshold, the most important first"
    return [Bullets(title, (*(str(one["text"]) for one in shown), *rest))]


def threshold(case: dict[str, Any]) -> Facts:
    """The limit and its reason."""
    given = case["context"]
    limit = given["threshold"]
    ours = "chosen by the custodian or proposed by reidrisk; no publication prescribes it"
    facts = (
        Fact("Limit", _limit_text(limit), "largest acceptable probability of re-identification"),
        Fact("Reason", str(limit.get("reason") or MISSING)),
        Fact("Source", ours if limit.get("ours") else str(limit.get("source") or MISSING)),
        Fact("Rule", RULES.get(str(given.get("rule")), MISSING)),
        Fact("Statistic", STATISTICS.get(str(given.get("statistic")), MISSING)),
    )
    return Facts("The threshold", "The largest acceptable risk, and the reason for it.", facts)


def precedents(case: dict[str, Any]) -> tuple[Block, ...]:
    """Cell sizes that others use."""
    given = (case["context"] or {}).get("precedents") or []
    if not given:
        return ()
    sources = {str(row.get("source") or MISSING) for row in given}
    one = len(sources) == 1  # named once below the table, not in every row
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
    explanation = "Risks that others accept. A precedent is not a permission."
    return (Table("Precedents", explanation, columns, rows, f"Source: {next(iter(sources))}" if one else ""),)


def _limit_text(limit: dict[str, Any]) -> str:
    if limit.get("probability") is None:
        return MISSING
    short = one_in(limit["probability"], limit.get("cell_size"))
    full = probability(limit["probability"])
    return full if short == full else f"{short} ({full})"


def _levels(given: dict[str, Any]) -> Facts:
    access = str(given.get("access"))
    preset = given.get("preset") or {}
    attempt = given.get("attempt") or {}
    facts = [Fact("Access", ACCESS.get(access, access), "who can get the data")]
    if preset.get("title"):
        facts.insert(0, Fact("Preset", str(preset["title"]), str(preset.get("about") or "")))
    for name, (shown, meaning) in DIMENSIONS.items():
        part = given.get(name) or {}
        if part.get("level") is not None:
            facts.append(Fact(shown, _level_text(part), meaning))
    if attempt.get("value") is not None:
        text = _attempt_text(attempt)
        facts.append(Fact("Chance of a deliberate attempt", text, "the most likely value and its range"))
    return Facts("The context", "What was stated about the recipient and the data.", tuple(facts))


def _level_text(part: dict[str, Any]) -> str:
    """The level, with the number of practices if a checklist was filled in."""
    answered, held = part.get("answered"), part.get("in_place")
    if not isinstance(answered, int) or not isinstance(held, int) or not answered:
        return str(part["level"])
    return f"{part['level']} ({held} of {answered} practices in place)"


def _attempt_text(attempt: dict[str, Any]) -> str:
    ends = attempt.get("low"), attempt.get("high")
    value = probability(attempt["value"])
    if None in ends or ends[0] == ends[1]:
        return value
    return f"{value} ({probability(ends[0])} to {probability(ends[1])})"


def _attempt_risks(given: dict[str, Any]) -> list[Block]:
    """The three ways in which an attempt can happen; the largest chance counts."""
    risks = given.get("risks") or {}
    if not risks or given.get("access") == "public":
        return []
    undefined = given.get("undefined") or {}
    reasons = undefined if isinstance(undefined, dict) else {}
    rows = tuple(
        (shown, meaning, probability(risks.get(name)), _remark(risks, reasons, name))
        for name, (shown, meaning) in RISKS.items()
    )
    columns = (
        Column("event"),
        Column("meaning", is_prose=True),
        Column("chance", is_number=True),
        Column("remark", is_prose=True),
    )
    table = Table(
        "How an attempt can happen",
        "Three ways in which someone may try to re-identify a person in data that are not public. The most "
        "likely one counts.",
        columns,
        rows,
        f"The largest, {probability(given.get('context_risk'))}, is the context risk.",
    )
    return [table]


def _remark(risks: dict[str, Any], reasons: dict[str, Any], name: str) -> str:
    if risks.get(name) is not None:
        return ""
    return str(reasons.get(name) or reasons.get(f"risks.{name}") or "not stated")


def _next_threshold(upcoming: dict[str, Any]) -> str:
    limit = one_in(upcoming["probability"], upcoming["cell_size"])
    number = upcoming.get("missing_count")
    if number == 0:
        return f"The next threshold, {limit}, may be used: the practices that it requires are in place."
    return (
        f"The next threshold, {limit}, would require controls of this level: "
        f"{upcoming.get('level_needed') or MISSING}. Practices missing: "
        f"{MISSING if number is None else number}."
    )


def agreement(case: dict[str, Any]) -> tuple[Block, ...]:
    """The practices that the verdict depends on, by what they were counted for."""
    found: dict[str, list[str]] = {}
    for row in case["agreement"]:
        title = f"Counted for {row['counted_for']}" if row["counted_for"] else "Other practices"
        found.setdefault(title, []).append(str(row["clause"] or row["practice"]))
    if not found:
        return ()
    start = (
        "The verdict is valid only if the recipient follows all of these practices."
        if case["acceptable"]
        else "The figures assume that the recipient follows all of these practices."
    )
    ours = (
        " The wording is a proposal of reidrisk; no guideline prescribes it."
        if any(row.get("ours") for row in case["agreement"])
        else ""
    )
    text = f"{start} They belong in the data-sharing agreement.{ours}"
    return (Prose((text,)), *(Bullets(title, tuple(clauses)) for title, clauses in found.items()))


def checklist(case: dict[str, Any]) -> tuple[Block, ...]:
    """Every practice with its answer."""
    given = ((case["context"] or {}).get("controls") or {}).get("checklist") or []
    if not given:
        return ()
    rows = tuple(
        (
            str(row["text"]),
            str(row.get("group") or ""),
            "core" if row.get("core") else "",
            ANSWERS.get(str(row.get("answer")), "not answered"),
            str(row.get("evidence") or row.get("reason") or ""),
        )
        for row in given
    )
    table = Table(
        "Practices of the recipient",
        "The answers. Core practices are those that all four guidelines behind the checklist ask for.",
        (
            Column("practice", is_prose=True),
            Column("group", is_prose=True),
            Column("core"),
            Column("answer"),
            Column("evidence or reason", is_prose=True),
        ),
        rows,
    )
    return (table,)


AGREEMENT = OutlineEntry("agreement", "Practices for the data-sharing agreement", agreement)
CHECKLIST = OutlineEntry("checklist", "Checklist of controls", checklist)

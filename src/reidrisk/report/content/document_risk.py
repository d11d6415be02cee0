"""The risk of documents as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import MISSING, count, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import phrases, say

SCENARIOS = phrases("content.document_risk.scenarios")
MEANINGS = phrases("content.document_risk.meanings")
RULES = phrases("content.document_risk.rules")


def name_of(result: dict[str, Any]) -> str:
    """The study."""
    return str(result["study"])


def about(result: dict[str, Any]) -> str:
    """Which scenario, for how many participants."""
    return f"{SCENARIOS[result['scenario']]} {count(result['participants'])} participants."


def verdict(result: dict[str, Any]) -> Verdict:
    """The verdict with its reasons."""
    pairs = zip(result["reasons"], result["holds"], strict=True)
    return Verdict(result["acceptable"], tuple(Reason(text, holds) for text, holds in pairs))


def stages(result: dict[str, Any]) -> Table:
    """Risk before and after the measures."""
    rows = tuple(
        (
            say(f"content.document_risk.{name}"),
            result[name]["level"] or _highest(result[name]),
            result[name]["why"],
        )
        for name in ("initial", "final")
    )
    return Table(
        "Before and after",
        "The risk of the participant who is exposed most.",
        (
            Column("documents"),
            Column("risk", is_number=True),
            Column("because", is_prose=True),
        ),
        rows,
    )


def _highest(stage: dict[str, Any]) -> str:
    return MISSING if stage["highest"] is None else probability(stage["highest"])


def measures(result: dict[str, Any]) -> Table | None:
    """What was done."""
    rows = tuple(
        (one["measure"], ", ".join(one["variables"]) or "–", one["detail"]) for one in result["measures"]
    )
    if not rows:
        return None
    return Table(
        "Measures",
        "What lowers the risk.",
        (
            Column("measure"),
            Column("variables", is_prose=True),
            Column("how", is_prose=True),
        ),
        rows,
    )


def sides(result: dict[str, Any]) -> Table | None:
    """Leak, catch and both together."""
    leak, catch, both = result["leak"], result["catch"], result["combined"]
    rows = []
    for role in ("direct", "quasi"):
        part = leak[role]
        if part is not None:
            limit = part["limit"] if role == "direct" else part["threshold"]
            rows.append(
                (
                    say(f"content.document_risk.leak_{role}"),
                    probability(part["value"]),
                    span(part),
                    probability(limit if both is None or role == "direct" else None),
                )
            )
    limit = probability(result["threshold"]["probability"])
    if catch is not None:
        decides = result["leak"]["quasi"] is None
        rows.append(
            (
                "what stands where others were caught",
                probability(catch["value"]),
                MISSING,
                limit if decides else MISSING,
            )
        )
    if both is not None:
        rows.append(("both together", probability(both["value"]), span(both), limit))
    if not rows:
        return None
    return Table(
        "Leak and catch",
        (
            "A participant can be re-identified by what was missed, and by the values that "
            "stand where others were found."
        ),
        (
            Column("through"),
            Column("risk", is_number=True),
            Column("interval", is_number=True),
            Column("at most", is_number=True),
        ),
        tuple(rows),
        "The upper limit of the interval decides." if leak["direct"] is not None else "",
    )


def classes(result: dict[str, Any]) -> Table | None:
    """Participants by what can be read of them and the size of their class."""
    rows = tuple(
        (
            ", ".join(one["variables"]) or "nothing",
            count(one["class_size"]),
            probability(one["risk"]),
            count(one["participants"]),
            *((", ".join(map(str, one["subjects"])),) if "subjects" in one else ()),
        )
        for one in result["subjects"][:MOST_CLASSES]
    )
    if not rows:
        return None
    left = len(result["subjects"]) - len(rows)
    asked = ("subjects" in result["subjects"][0]) if result["subjects"] else False
    shown = (Column("rows"),) if asked else ()
    return Table(
        "Classes",
        ("Participants by what can be read of them, and how many of the trial are alike on it."),
        (
            Column("can be read", is_prose=True),
            Column("alike", is_number=True),
            Column("risk", is_number=True),
            Column("participants", is_number=True),
            *shown,
        ),
        rows,
        f"{count(left)} more are in the JSON." if left else "",
    )


MOST_CLASSES = 20


def recall(result: dict[str, Any]) -> Table | None:
    """What the reviewed pages say of the detection."""
    found = result["leak"].get("by_type")
    if not found:
        return None
    rows = tuple(
        (
            one["type"],
            one["role"],
            count(one["documents"]),
            count(one["instances"]),
            percent(one["micro_recall"]),
            percent(one["all_or_nothing_recall"]),
        )
        for one in found
    )
    names = ("type", "role", "participants", "instances", "recall", "all_or_nothing")
    return Table(
        "Recall of the detection",
        ("What reviewers marked on the pages that they read as a whole, and how much of it had been found."),
        tuple(
            Column(say(f"content.document_risk.{name}"), is_number=at > 1) for at, name in enumerate(names)
        ),
        rows,
        " ".join(result["leak"]["notes"]),
    )


def sections(result: dict[str, Any]) -> Table | None:
    """Where identifiers were found, and what is done there."""
    rows = tuple(
        (
            one["section"],
            count(one["direct"]),
            count(one["quasi"]),
            count(one["participants"]),
            RULES[one["rule"]],
        )
        for one in result["sections"]
    )
    if not rows:
        return None
    return Table(
        "Sections of the report",
        "Identifiers by the section of the report, and what is done there.",
        (
            Column("section"),
            Column("direct", is_number=True),
            Column("quasi", is_number=True),
            Column("participants", is_number=True),
            Column("what is done"),
        ),
        rows,
    )


def qualitative(result: dict[str, Any]) -> Facts | None:
    """The four factors and what follows."""
    found = result["qualitative"]
    if found is None:
        return None
    before, after = found["initial"], found["final"]
    facts = [
        Fact(say(f"content.document_risk.factor_{name}"), value) for name, value in before["factors"].items()
    ]
    facts.append(Fact("as written", before["level"], before["action"]))
    if after is not None:
        facts.append(Fact("as published", after["level"], after["action"]))
    ours = before["ours"] or bool(after and after["ours"])
    explained = (
        (
            "Four factors; the weakest protection counts. This row of the table is a proposal "
            "of ours, not printed in the source."
        )
        if ours
        else "Four factors, as the source prints them."
    )
    return Facts("The risk in words", explained, tuple(facts))


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the result."""
    said, threshold = result["settings"], result["threshold"]
    size = f"{probability(threshold['probability'])}, {threshold['cell_size']}"
    facts = [
        Fact("threshold", size, threshold["reason"]),
        *(Fact(name, _said(said[name]), meaning) for name, meaning in MEANINGS.items() if name in said),
    ]
    facts.append(Fact("seed", str(result["seed"])))
    return Facts("Settings", "The same settings give the same result.", tuple(facts))


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "as given"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "none" if value is None else str(value)

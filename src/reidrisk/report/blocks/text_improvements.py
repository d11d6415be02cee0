"""Which changes would make the risk of a text acceptable."""

from __future__ import annotations

from reidrisk.report.blocks.text_counts import ROLES
from reidrisk.report.kind import ResultDict
from reidrisk.report.numbers import MISSING, count, percent, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.plain_text import INDENT, heading, wrap
from reidrisk.report.traced import size

TITLE = "What would make the risk acceptable"
MEASURE = {"direct": "all-or-nothing recall", "quasi": "recall"}
MOST_NAMED = 4


def sentences(result: ResultDict) -> tuple[str, ...]:
    """One or two sentences for each risk that is too high."""
    found = []
    for role, title in ROLES.items():
        part = (result.get("improvements") or {}).get(role)
        if part is not None and not part["acceptable"]:
            found.append(f"{title}: {_recalls(part, role)} {_documents(part)}")
    return tuple(found)


def improvement_lines(result: ResultDict) -> list[str]:
    """For a terminal: the sentences below a heading; nothing if the risks are acceptable."""
    found = sentences(result)
    if not found:
        return []
    lines = heading(TITLE, "The smallest change that is enough. The page shows every type.")
    for sentence in found:
        lines += wrap(sentence, rest=INDENT * 2)
    return lines


def brief(result: ResultDict) -> str:
    """The smallest change in a few words, for a table of tools."""
    if result["acceptable"]:
        return "nothing"
    parts = []
    for role in ROLES:
        part = (result.get("improvements") or {}).get(role)
        if part is not None and not part["acceptable"]:
            parts.append(f"{role}: {_brief(part)}")
    return "; ".join(parts) or MISSING


def needed_recalls(result: ResultDict) -> Table | None:
    """The effect of a better recall of each type alone, the most effective first."""
    improvements = result.get("improvements") or {}
    rows = tuple(
        (
            one["type"],
            role,
            percent(one["recall"]),
            "not enough alone" if one["needed_recall"] is None else percent(one["needed_recall"]),
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
        (
            "If the recall of only one type improves: the lowest recall that makes the risk from its "
            "role acceptable, and the upper limit of the risk if nothing of this type leaks. For direct "
            "types, recall means all-or-nothing recall."
        ),
        (
            Column("type"),
            Column("role"),
            Column("current recall", is_number=True),
            Column("recall needed", is_number=True),
            Column("upper limit at 100 % recall", is_number=True),
            Column("limit", is_number=True),
        ),
        rows,
        " ".join(sentences(result)),
    )


def _in_words(result: ResultDict) -> Table | None:
    """A table of sentences, for too few documents without leaks: no type can be improved."""
    parts = [sentence.partition(": ") for sentence in sentences(result)]
    if not parts:
        return None
    rows = tuple((role, text[:1].upper() + text[1:]) for role, _, text in parts)
    return Table(
        TITLE,
        "No identifier leaked.",
        (
            Column("risk from"),
            Column("what would help", is_prose=True),
        ),
        rows,
    )


def _recalls(part: ResultDict, role: str) -> str:
    alone = [one for one in part["by_type"] if one["needed_recall"] is not None]
    measure = MEASURE[role]
    if alone:
        named = " or ".join(_change(one) for one in alone[:MOST_NAMED])
        return f"improving one type is enough: raise the {measure} of {named}."
    if not part["together_suffices"]:
        return (
            "even without any leak, the upper limit would be too high, because too few documents were "
            "evaluated."
        )
    steps = part["together"]
    named = ", ".join(_change(step) for step in steps[:MOST_NAMED])
    more = f" and {count(size(steps) - MOST_NAMED)} more types" if size(steps) > MOST_NAMED else ""
    return f"improving one type is not enough. Raise the {measure} of {named}{more}."


def _change(one: ResultDict) -> str:
    return f"{one['type']} from {percent(one['recall'])} to {percent(one['needed_recall'])}"


def _documents(part: ResultDict) -> str:
    needed = part["needed_documents"]
    if needed is None:
        return "More documents would not help if the recalls stay the same."
    return f"Or evaluate about {count(needed)} documents: with the same recalls, this narrows the interval."


def _brief(part: ResultDict) -> str:
    alone = [one for one in part["by_type"] if one["needed_recall"] is not None]
    steps = alone[:1] or part["together"]
    if not alone and not part["together_suffices"]:
        text = "a better recall is not enough"
    elif len(steps) > 2:
        perfect = sum(step["needed_recall"] == 1 for step in steps)
        text = f"{count(size(steps))} types, {count(perfect)} of them to 100 %"
    else:
        text = " and ".join(f"{step['type']} to {percent(step['needed_recall'])}" for step in steps)
    documents = part["needed_documents"]
    return text if documents is None else f"{text}, or {count(documents)} documents"

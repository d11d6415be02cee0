"""What would make a text evaluation acceptable."""

from __future__ import annotations

from reidrisk.report.blocks.text_counts import ROLES
from reidrisk.report.kind import ResultDict
from reidrisk.report.numbers import MISSING, count, percent, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.plain_text import INDENT, heading, wrapped

TITLE = "What would make it acceptable"
MEASURE = {"direct": "all-or-nothing recall", "quasi": "recall"}
MOST_NAMED = 4


def sentences(result: ResultDict) -> tuple[str, ...]:
    """One sentence or two for each risk that is too high."""
    found = []
    for role, title in ROLES.items():
        part = (result.get("improvements") or {}).get(role)
        if part is not None and not part["acceptable"]:
            found.append(f"{title}: {_recalls(part, role)} {_documents(part)}")
    return tuple(found)


def lines(result: ResultDict) -> list[str]:
    """For the terminal: the sentences below a heading; nothing where the risks are acceptable."""
    found = sentences(result)
    if not found:
        return []
    lines = heading(TITLE, "The least change; the page has every type.")
    for sentence in found:
        lines += wrapped(sentence, rest=INDENT * 2)
    return lines


def brief(result: ResultDict) -> str:
    """The same in few words, for a table of tools."""
    if result["acceptable"]:
        return "nothing"
    parts = []
    for role in ROLES:
        part = (result.get("improvements") or {}).get(role)
        if part is not None and not part["acceptable"]:
            parts.append(f"{role}: {_brief(part)}")
    return "; ".join(parts) or MISSING


def by_type(result: ResultDict) -> Table | None:
    """What a better recall of each type alone would do, the most effective first."""
    improvements = result.get("improvements") or {}
    rows = tuple(
        (
            one["type"],
            role,
            percent(one["recall"]),
            "not alone" if one["needed_recall"] is None else percent(one["needed_recall"]),
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
            "If one type alone were caught better: the least recall that makes the risk from "
            "its role acceptable, and the upper limit that is left if nothing of it leaks. "
            "All-or-nothing recall for direct types."
        ),
        (
            Column("type"),
            Column("role"),
            Column("recall now", is_number=True),
            Column("recall needed", is_number=True),
            Column("upper limit if perfect", is_number=True),
            Column("limit", is_number=True),
        ),
        rows,
        " ".join(sentences(result)),
    )


def _in_words(result: ResultDict) -> Table | None:
    """Where nothing leaks and the documents are too few, there is no type to improve."""
    said = [sentence.partition(": ") for sentence in sentences(result)]
    if not said:
        return None
    rows = tuple((role, text[:1].upper() + text[1:]) for role, _, text in said)
    return Table(
        TITLE,
        "No type leaks.",
        (
            Column("risk from"),
            Column("what would do", is_prose=True),
        ),
        rows,
    )


def _recalls(part: ResultDict, role: str) -> str:
    alone = [one for one in part["by_type"] if one["needed_recall"] is not None]
    measure = MEASURE[role]
    if alone:
        named = " or ".join(_change(one) for one in alone[:MOST_NAMED])
        return f"one type would do; {measure} of {named}."
    if not part["together_suffices"]:
        return (
            "even without any leak the upper limit would be too high, since too few documents were examined."
        )
    steps = part["together"]
    named = ", ".join(_change(step) for step in steps[:MOST_NAMED])
    more = (" " + f"and {count(len(steps) - MOST_NAMED)} more types") if len(steps) > MOST_NAMED else ""
    return f"no type alone would do; together, {measure} of {named}{more}."


def _change(one: ResultDict) -> str:
    return f"{one['type']} from {percent(one['recall'])} to {percent(one['needed_recall'])}"


def _documents(part: ResultDict) -> str:
    needed = part["needed_documents"]
    if needed is None:
        return "At the same recalls no number of documents would do."
    return f"Or, at the same recalls, about {count(needed)} documents, for a narrower interval."


def _brief(part: ResultDict) -> str:
    alone = [one for one in part["by_type"] if one["needed_recall"] is not None]
    steps = alone[:1] or part["together"]
    if not alone and not part["together_suffices"]:
        text = "no recall would do"
    elif len(steps) > 2:
        perfect = sum(step["needed_recall"] == 1 for step in steps)
        text = f"{count(len(steps))} types, {count(perfect)} of them perfect"
    else:
        text = " and ".join(f"{step['type']} to {percent(step['needed_recall'])}" for step in steps)
    documents = part["needed_documents"]
    return text if documents is None else f"{text}, or {count(documents)} documents"

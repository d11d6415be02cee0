"""An assessment as a verdict, tables and facts."""

from __future__ import annotations

import shlex
from typing import Any

from reidrisk.report.content.context_score import ACCESS, limit, short
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

WHAT = {
    ("text", "risk"): "texts, a tool evaluated",
    ("table", "risk"): "table as it is",
    ("table", "deidentify"): "table, de-identified",
    ("documents", "risk"): "documents of a trial",
    ("table", "attack"): "table, attacked",
    ("table", "transform"): "table, transformed",
    ("table", "utility"): "table, held against its original",
    ("population", "risk"): "population, one policy",
    ("population", "compare"): "population, policies compared",
}
NOT_YET = "only another run can tell"


def name_of(result: dict[str, Any]) -> str:
    """What is released."""
    return str(result["release"]["name"])


def about(result: dict[str, Any]) -> str:
    """Who releases what to whom, in a sentence."""
    release, context = result["release"], result["context"]
    said = [f"A {ACCESS[context['access']]} release"]
    said += [f"by {release['custodian']}"] if release["custodian"] else []
    said += [f"to {release['recipient']}"] if release["recipient"] else []
    purpose = f" Purpose: {release['purpose']}" if release["purpose"] else ""
    return f"{' '.join(said)}.{purpose}"


def verdict(result: dict[str, Any]) -> Verdict:
    """Yes or no, and why; a part that could not be judged is a no."""
    reasons = tuple(Reason(_reason(one), one["holds"]) for one in result["reasons"])
    failed = [part["name"] for part in result["parts"] if part["status"] == "failed"]
    return Verdict(result["acceptable"], reasons, "Could not be judged" if failed else "")


def _reason(one: dict[str, Any]) -> str:
    return one["text"] if one["part"] is None else f"{one['part']}: {one['text']}"


def failures(result: dict[str, Any]) -> tuple[str, ...]:
    """Parts that could not be measured, with what to do."""
    return tuple(
        (f"{part['name']} could not be measured: {part['error']['problem']} {part['error']['hint']}")
        for part in result["parts"]
        if part["error"]
    )


def parts(result: dict[str, Any]) -> Table:
    """Each part against its limit."""
    rows = tuple(_part_row(part) for part in result["parts"])
    return Table(
        "Parts",
        "Every part is held against its own limit; all must be within.",
        (
            Column("part"),
            Column("what"),
            Column("risk before", is_number=True),
            Column("risk", is_number=True),
            Column("with attempt", is_number=True),
            Column("limit", is_number=True),
            Column("verdict"),
        ),
        rows,
    )


def _part_row(part: dict[str, Any]) -> tuple[str, ...]:
    judged, before = part["judged"], part["initial"]
    word = {
        True: "acceptable",
        False: "NOT acceptable",
        None: "could not be judged",
    }[judged["acceptable"]]
    return (
        part["name"],
        WHAT[part["kind"], part["task"]],
        "" if before is None else probability(before["risk"]),
        probability(judged["risk"]),
        probability(judged["overall"]),
        probability(judged["threshold"]),
        word,
    )


def remedies(result: dict[str, Any], *, typed: bool) -> Table | None:
    """What would help, the best first; `typed` with the options to try it on the command line."""
    if not result["remedies"]:
        return None
    rows = tuple(
        (str(one["rank"]), one["text"], _then(one), *([_typed(one["change"])] if typed else []))
        for one in result["remedies"]
    )
    return Table(
        "What would make it acceptable",
        "Computed from what was measured, without reading any data again; the best first.",
        (
            Column("rank"),
            Column("change", is_prose=True),
            Column("then", is_prose=True),
            *((Column("to try it", is_prose=True),) if typed else ()),
        ),
        rows,
        ("How changes are ranked is ours: what makes all parts acceptable, then one part, then the smaller."),
    )


def _then(one: dict[str, Any]) -> str:
    if one["acceptable_after"]:
        return "everything is acceptable"
    if one["acceptable_after"] is None:
        return NOT_YET
    what = "this part" if one["part"] else "a part"
    return f"{what} is acceptable, others are not" if one["part_acceptable_after"] else "not enough alone"


def _typed(change: dict[str, Any] | None) -> str:
    """As it is typed after --set, where that is short."""
    if not change:
        return ""
    pairs = [f"{key}={_plain(value)}" for key, value in change.items() if not key.endswith(".reason")]
    said = [f"--set {shlex.quote(pair)}" for pair in pairs]
    return " ".join(said[:2]) + ((" " + f"and {len(said) - 2} more") if len(said) > 2 else "")


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {entry}" for key, entry in value.items()) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


def sensitivity(result: dict[str, Any]) -> Table | None:
    """The same data under other choices."""
    if not result["sensitivity"]:
        return None
    rows = tuple(
        (
            one["part"],
            one["what"],
            probability(one["risk"]),
            probability(one["overall"]),
            "acceptable" if one["acceptable"] else "not acceptable",
        )
        for one in result["sensitivity"]
    )
    return Table(
        "If something else had been chosen",
        ("The same data under other thresholds, controls and assumptions, one changed at a time."),
        (
            Column("part"),
            Column("choice"),
            Column("risk", is_number=True),
            Column("with attempt", is_number=True),
            Column("verdict"),
        ),
        rows,
    )


def measures(result: dict[str, Any]) -> Table | None:
    """What was done to protect people."""
    rows = tuple((part["name"], text) for part in result["parts"] for text in part["measures"])
    if not rows:
        return None
    columns = (
        Column("part"),
        Column("measure", is_prose=True),
    )
    return Table("Measures taken", "What was done to the data before release.", columns, rows)


def agreement(result: dict[str, Any]) -> Table | None:
    """Clauses that the verdict rests on."""
    if not result["agreement"]:
        return None
    rows = tuple((one["clause"], one["counted_for"]) for one in result["agreement"])
    return Table(
        "For the agreement with the recipient",
        "The verdict counts on these; the wording is ours.",
        (
            Column("clause", is_prose=True),
            Column("counted for", is_prose=True),
        ),
        rows,
    )


def monitoring(result: dict[str, Any]) -> Table | None:
    """What has changed since an earlier assessment."""
    since = result["monitoring"]
    if since is None:
        return None
    rows = tuple(
        (
            one["part"] or "all",
            str(one["what"]).replace("_", " "),
            _value(one["before"]),
            _value(one["after"]),
        )
        for one in since["changes"]
    )
    verdict = "acceptable" if result["acceptable"] else "NOT acceptable"
    holds = (
        f"The verdict still holds: {verdict}."
        if since["still_holds"]
        else f"THE VERDICT HAS CHANGED: {verdict}."
    )
    late = (
        (" " + f"The review was due on {since['previous']['review_due']}: it is late.")
        if since.get("is_late")
        else ""
    )
    when = f" of {since['previous']['date']}" if since["previous"]["date"] else ""
    return Table(
        "Since the last assessment",
        f"Compared with the assessment{when}. {holds}{late}",
        (
            Column("part"),
            Column("what"),
            Column("before"),
            Column("now"),
        ),
        rows or (("all", "nothing has changed", "", ""),),
        f"The next review is due on {since['review_due']}." if since["review_due"] else "",
    )


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return probability(value) if isinstance(value, float) else "none" if value is None else str(value)


def context(result: dict[str, Any]) -> Facts:
    """The context in a few facts; its own view has all."""
    found = result["context"]
    review = result["release"]["review"]
    facts = [
        Fact("preset", found["preset"]["title"]),
        Fact("access", ACCESS[found["access"]]),
        Fact("controls", f"{found['controls']['level']}, {found['controls']['from']}"),
        Fact(
            "risk of the context",
            short(found["context_risk"]),
            "chance that somebody tries",
        ),
        Fact("threshold", f"{limit(found)}: {found['threshold']['reason']}"),
        Fact("date", result["release"]["date"] or "not stated"),
        Fact("next review", review["due"] or "not stated"),
    ]
    return Facts("Context", "Who gets the data, and what is accepted.", tuple(facts))


def inputs(result: dict[str, Any]) -> Table:
    """What was read, by its content."""
    rows = tuple(
        (
            one["path"],
            part["name"],
            one["sha256"] or "a server's table",
            f"{one['bytes'] or 0:,}",
        )
        for part in result["parts"]
        for one in part["inputs"]
    )
    columns = (
        Column("input"),
        Column("part"),
        Column("SHA-256"),
        Column("bytes", is_number=True),
    )
    return Table("Inputs", "The same bytes have the same hash.", columns, rows)

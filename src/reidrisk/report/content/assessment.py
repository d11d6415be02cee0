"""An assessment as a verdict, tables and facts."""

from __future__ import annotations

import shlex
from typing import Any

from reidrisk.report.content.context_score import ACCESS, limit, short
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

WHAT = {
    ("text", "risk"): say("content.assessment.texts_a_tool"),
    ("table", "risk"): say("content.assessment.table_as_it"),
    ("table", "deidentify"): say("content.assessment.table_de_identified"),
    ("documents", "risk"): say("content.assessment.clinical_documents"),
    ("table", "attack"): say("content.assessment.table_attacked"),
    ("table", "transform"): say("content.assessment.table_transformed"),
    ("table", "utility"): say("content.assessment.table_held_against"),
    ("population", "risk"): say("content.assessment.population_one_policy"),
    ("population", "compare"): say("content.assessment.population_policies_compared"),
}
NOT_YET = say("content.assessment.only_another_run")


def name_of(result: dict[str, Any]) -> str:
    """What is released."""
    return str(result["release"]["name"])


def about(result: dict[str, Any]) -> str:
    """Who releases what to whom, in a sentence."""
    release, context = result["release"], result["context"]
    said = [say("content.assessment.a_release", access=ACCESS[context["access"]])]
    said += [f"by {release['custodian']}"] if release["custodian"] else []
    said += [f"to {release['recipient']}"] if release["recipient"] else []
    purpose = f" Purpose: {release['purpose']}" if release["purpose"] else ""
    return f"{' '.join(said)}.{purpose}"


def verdict(result: dict[str, Any]) -> Verdict:
    """Yes or no, and why; a part that could not be judged is a no."""
    reasons = tuple(Reason(_reason(one), one["holds"]) for one in result["reasons"])
    failed = [part["name"] for part in result["parts"] if part["status"] == "failed"]
    return Verdict(result["acceptable"], reasons, say("content.assessment.could_not_be") if failed else "")


def _reason(one: dict[str, Any]) -> str:
    return one["text"] if one["part"] is None else f"{one['part']}: {one['text']}"


def failures(result: dict[str, Any]) -> tuple[str, ...]:
    """Parts that could not be measured, with what to do."""
    return tuple(
        say(
            "content.assessment.could_not_be_measured",
            name=part["name"],
            problem=part["error"]["problem"],
            hint=part["error"]["hint"],
        )
        for part in result["parts"]
        if part["error"]
    )


def parts(result: dict[str, Any]) -> Table:
    """Each part against its limit."""
    rows = tuple(_part_row(part) for part in result["parts"])
    return Table(
        say("content.assessment.parts"),
        say("content.assessment.every_part_is"),
        (
            Column(say("content.assessment.part")),
            Column(say("content.assessment.what")),
            Column(say("content.assessment.risk_before"), is_number=True),
            Column(say("content.assessment.risk"), is_number=True),
            Column(say("content.assessment.with_attempt"), is_number=True),
            Column(say("content.assessment.limit"), is_number=True),
            Column(say("content.assessment.verdict")),
        ),
        rows,
    )


def _part_row(part: dict[str, Any]) -> tuple[str, ...]:
    judged, before = part["judged"], part["initial"]
    word = {
        True: "acceptable",
        False: say("content.assessment.not_acceptable"),
        None: say("content.assessment.could_not_be_judged"),
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
        say("content.assessment.what_would_make"),
        say("content.assessment.computed_from_what"),
        (
            Column(say("content.assessment.rank")),
            Column(say("content.assessment.change"), is_prose=True),
            Column(say("content.assessment.then"), is_prose=True),
            *((Column(say("content.assessment.to_try_it"), is_prose=True),) if typed else ()),
        ),
        rows,
        say("content.assessment.how_changes_are"),
    )


def _then(one: dict[str, Any]) -> str:
    if one["acceptable_after"]:
        return say("content.assessment.everything_is_acceptable")
    if one["acceptable_after"] is None:
        return NOT_YET
    what = say("content.assessment.this_part") if one["part"] else say("content.assessment.a_part")
    return (
        say("content.assessment.is_acceptable_others", what=what)
        if one["part_acceptable_after"]
        else say("content.assessment.not_enough_alone")
    )


def _typed(change: dict[str, Any] | None) -> str:
    """As it is typed after --set, where that is short."""
    if not change:
        return ""
    pairs = [f"{key}={_plain(value)}" for key, value in change.items() if not key.endswith(".reason")]
    said = [f"--set {shlex.quote(pair)}" for pair in pairs]
    return " ".join(said[:2]) + (
        (" " + say("content.assessment.and_more", number=len(said) - 2)) if len(said) > 2 else ""
    )


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
            "acceptable" if one["acceptable"] else say("content.assessment.not_acceptable_2"),
        )
        for one in result["sensitivity"]
    )
    return Table(
        say("content.assessment.if_something_else"),
        say("content.assessment.the_same_data"),
        (
            Column(say("content.assessment.part")),
            Column(say("content.assessment.choice")),
            Column(say("content.assessment.risk"), is_number=True),
            Column(say("content.assessment.with_attempt"), is_number=True),
            Column(say("content.assessment.verdict")),
        ),
        rows,
    )


def measures(result: dict[str, Any]) -> Table | None:
    """What was done to protect people."""
    rows = tuple((part["name"], text) for part in result["parts"] for text in part["measures"])
    if not rows:
        return None
    columns = (
        Column(say("content.assessment.part")),
        Column(say("content.assessment.measure"), is_prose=True),
    )
    return Table(
        say("content.assessment.measures_taken"), say("content.assessment.what_was_done"), columns, rows
    )


def agreement(result: dict[str, Any]) -> Table | None:
    """Clauses that the verdict rests on."""
    if not result["agreement"]:
        return None
    rows = tuple((one["clause"], one["counted_for"]) for one in result["agreement"])
    return Table(
        say("content.assessment.for_the_agreement"),
        say("content.assessment.the_verdict_counts"),
        (
            Column(say("content.assessment.clause"), is_prose=True),
            Column(say("content.assessment.counted_for"), is_prose=True),
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
    verdict = "acceptable" if result["acceptable"] else say("content.assessment.not_acceptable")
    holds = (
        say("content.assessment.the_verdict_still", verdict=verdict)
        if since["still_holds"]
        else say("content.assessment.the_verdict_has", verdict=verdict)
    )
    late = (
        (" " + say("content.assessment.the_review_was", review_due=since["previous"]["review_due"]))
        if since.get("is_late")
        else ""
    )
    when = f" of {since['previous']['date']}" if since["previous"]["date"] else ""
    return Table(
        say("content.assessment.since_the_last"),
        say("content.assessment.compared_with_the", when=when, holds=holds, late=late),
        (
            Column(say("content.assessment.part")),
            Column(say("content.assessment.what")),
            Column(say("content.assessment.before")),
            Column(say("content.assessment.now")),
        ),
        rows or (("all", say("content.assessment.nothing_has_changed"), "", ""),),
        say("content.assessment.the_next_review", review_due=since["review_due"])
        if since["review_due"]
        else "",
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
        Fact(say("content.assessment.preset"), found["preset"]["title"]),
        Fact(say("content.assessment.access"), ACCESS[found["access"]]),
        Fact(
            say("content.assessment.controls"), f"{found['controls']['level']}, {found['controls']['from']}"
        ),
        Fact(
            say("content.assessment.risk_of_the"),
            short(found["context_risk"]),
            say("content.assessment.chance_that_somebody"),
        ),
        Fact(say("content.assessment.threshold"), f"{limit(found)}: {found['threshold']['reason']}"),
        Fact(
            say("content.assessment.date"), result["release"]["date"] or say("content.assessment.not_stated")
        ),
        Fact(say("content.assessment.next_review"), review["due"] or say("content.assessment.not_stated")),
    ]
    return Facts(say("content.assessment.context"), say("content.assessment.who_gets_the"), tuple(facts))


def inputs(result: dict[str, Any]) -> Table:
    """What was read, by its content."""
    rows = tuple(
        (
            one["path"],
            part["name"],
            one["sha256"] or say("content.assessment.a_server_s"),
            f"{one['bytes'] or 0:,}",
        )
        for part in result["parts"]
        for one in part["inputs"]
    )
    columns = (
        Column(say("content.assessment.input")),
        Column(say("content.assessment.part")),
        Column(say("content.assessment.sha_256")),
        Column(say("content.assessment.bytes"), is_number=True),
    )
    return Table(say("content.assessment.inputs"), say("content.assessment.the_same_bytes"), columns, rows)

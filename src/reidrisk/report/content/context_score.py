"""The score of a context as a verdict, tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

ACCESS = {"public": "public", "semi_public": "semi-public", "non_public": "non-public"}
RISKS = {
    "deliberate": (
        say("content.context_score.deliberate_attempt"),
        say("content.context_score.somebody_tries_on"),
    ),
    "acquaintance": ("acquaintance", say("content.context_score.somebody_who_sees")),
    "breach": ("breach", say("content.context_score.the_recipient_loses")),
}
STATISTICS = {
    "highest": say("content.context_score.the_highest_risk"),
    "strict_average": say("content.context_score.the_average_risk"),
}
ANSWERS = {
    "yes": "yes",
    "no": "no",
    "not_applicable": say("content.context_score.does_not_apply"),
    None: say("content.context_score.no_answer"),
}

PROSE = (2, 3)
"""Columns of the checklist that hold sentences."""


def name_of(result: dict[str, Any]) -> str:
    """The policy that was asked."""
    return str(result["preset"]["title"])


def verdict(result: dict[str, Any]) -> Verdict:
    """What the context asks of the data; nothing is decided."""
    reasons = [accepted(result), attempted(result), upward(result), *result["reasons"]]
    said = say(
        "content.context_score.threshold_risk_of",
        limit=limit(result),
        context_risk=short(result["context_risk"]),
    )
    return Verdict(None, tuple(Reason(text, None) for text in reasons if text), said)


def fraction(threshold: dict[str, Any]) -> str:
    """1/5 where a cell size is meant, otherwise the number.

    >>> fraction({"probability": 0.2, "cell_size": 5}), fraction({"probability": 0.09, "cell_size": 12})
    ('1/5', '0.09')
    """
    size = threshold["cell_size"]
    return f"1/{size}" if threshold["probability"] == 1 / size else short(threshold["probability"])


def limit(result: dict[str, Any]) -> str:
    """The threshold: a cell size where classes are compared, a number where a product is."""
    threshold = result["threshold"]
    return fraction(threshold) if result["rule"] == "cell_size" else short(threshold["probability"])


def spaced(name: str) -> str:
    """A name that a page may break.

    >>> spaced("need_to_know")
    'need to know'
    """
    return name.replace("_", " ")


def short(value: float) -> str:
    """A probability as people say it.

    >>> short(0.3), short(0.2481895), short(1.0)
    ('0.3', '0.248', '1')
    """
    return f"{value:.3g}"


def accepted(result: dict[str, Any]) -> str:
    """The rule in one sentence."""
    threshold, what = result["threshold"], STATISTICS[result["statistic"]]
    if result["rule"] == "cell_size":
        smallest = say("content.context_score.a_class_of", cell_size=threshold["cell_size"])
        return say(
            "content.context_score.accepted_at_most",
            what=what,
            limit=limit(result),
            smallest=smallest,
            reason=threshold["reason"],
        )
    also = ""
    if result["statistic"] == "strict_average":
        also = say("content.context_score.and_no_record", cap=short(result["cap"]))
    times = say("content.context_score.times_the_risk", context_risk=short(result["context_risk"]))
    return say(
        "content.context_score.accepted_at_most_2",
        what=what,
        times=times,
        limit=limit(result),
        also=also,
        reason=threshold["reason"],
    )


def attempted(result: dict[str, Any]) -> str:
    """How likely an attempt is, in one sentence."""
    if result["access"] == "public":
        return say("content.context_score.the_release_is")
    attempt = result["attempt"]
    spread = (
        (" " + say("content.context_score.to", low=short(attempt["low"]), high=short(attempt["high"])))
        if attempt["low"] < attempt["high"]
        else ""
    )
    text = say("content.context_score.chance_of_an", mode=short(attempt["mode"]), spread=spread)
    if result["access"] == "semi_public":
        return say("content.context_score.for_a_semi", text=text)
    levels = say(
        "content.context_score.controls_motives_and",
        level=result["controls"]["level"],
        level_2=result["motives"]["level"],
    )
    own = result["risks"]["deliberate"]
    raised = (
        ""
        if own == attempt["mode"]
        else say("content.context_score.alone_they_give", own=short(own), largest=_largest(result))
    )
    return say("content.context_score.with", text=text, levels=levels, raised=raised)


def _largest(result: dict[str, Any]) -> str:
    known = {name: risk for name, risk in result["risks"].items() if risk is not None}
    return {
        "acquaintance": say("content.context_score.the_chance_of"),
        "breach": say("content.context_score.the_chance_of_a"),
    }.get(max(known, key=lambda name: known[name]), say("content.context_score.the_recipient"))


def upward(result: dict[str, Any]) -> str:
    """What the next threshold asks for, in one sentence."""
    after = result["next_threshold"]
    if after is None:
        return ""
    where = f"1/{after['cell_size']}"
    if after["allowed"]:
        return say("content.context_score.may_be_used", where=where, limit=limit(result))
    if after["access_needed"]:
        return say("content.context_score.would_need_a", where=where, level_needed=after["level_needed"])
    if result["controls"]["from"] != "checklist":
        return say(
            "content.context_score.would_need_the", where=where, practices=result["controls"]["practices"]
        )
    lacks = [sum(one["lacks"] == what for one in after["missing"]) for what in ("practice", "evidence")]
    parts = [plural(lacks[0], say("content.context_score.more_practice"))] if lacks[0] else []
    parts += (
        [say("content.context_score.evidence_for", lacks=plural(lacks[1], "practice"))] if lacks[1] else []
    )
    return say("content.context_score.would_need", where=where, parts=" and ".join(parts))


def risks(result: dict[str, Any]) -> Table:
    """The ways in which somebody comes to be recognised."""
    rows = tuple(
        (
            name,
            probability(result["risks"][key]) if result["risks"][key] is not None else "unknown",
            result["undefined"].get(key) or meaning,
        )
        for key, (name, meaning) in RISKS.items()
    )
    known = [risk if risk is not None else -1.0 for risk in result["risks"].values()]
    return Table(
        say("content.context_score.risk_of_the"),
        say("content.context_score.the_largest_counts"),
        (
            Column(say("content.context_score.way")),
            Column(say("content.context_score.probability"), is_number=True),
            Column(say("content.context_score.what_it_means"), is_prose=True),
        ),
        rows,
        marked=(known.index(max(known)),),
    )


def missing(result: dict[str, Any]) -> Table | None:
    """What the next threshold still asks for."""
    after = result["next_threshold"]
    if after is None or not after["missing"] or result["controls"]["from"] != "checklist":
        return None
    rows = tuple((spaced(one["practice"]), one["text"]) for one in after["missing"])
    return Table(
        say("content.context_score.missing_for_1", cell_size=after["cell_size"]),
        say(
            "content.context_score.this_is_not",
            reason=after["reason"][:1].upper(),
            reason_2=after["reason"][1:],
        ),
        (
            Column(say("content.context_score.practice")),
            Column(say("content.context_score.what"), is_prose=True),
        ),
        rows,
    )


def agreement(result: dict[str, Any]) -> Table | None:
    """Clauses for the agreement with the recipient."""
    if not result["agreement"]:
        return None
    rows = tuple((spaced(one["practice"]), one["clause"], one["counted_for"]) for one in result["agreement"])
    return Table(
        say("content.context_score.for_the_data"),
        say("content.context_score.the_score_rests"),
        (
            Column(say("content.context_score.practice")),
            Column(say("content.context_score.clause"), is_prose=True),
            Column(say("content.context_score.counted_for"), is_prose=True),
        ),
        rows,
    )


def checklist(result: dict[str, Any]) -> Table | None:
    """Every practice with its answer."""
    listed = result["controls"]["checklist"]
    if not listed:
        return None
    rows = tuple(
        (
            spaced(one["practice"]),
            ANSWERS[one["answer"]],
            one["text"],
            one["evidence"] or one["reason"],
            say("content.context_score.all_four") if one["core"] else ", ".join(one["guidelines"]) or "none",
            f"{100 * one['boards']:.0f} %" if one["boards"] is not None else "",
        )
        for one in listed
    )
    heads = (
        say("content.context_score.practice"),
        say("content.context_score.in_place"),
        say("content.context_score.what"),
        say("content.context_score.evidence_or_reason"),
        say("content.context_score.guidelines"),
        say("content.context_score.ethics_boards"),
    )
    columns = tuple(Column(head, is_prose=at in PROSE) for at, head in enumerate(heads))
    return Table(
        say("content.context_score.checklist_of_practices"),
        result["controls"]["rule"],
        columns,
        rows,
        note=result["controls"]["source"],
    )


def questions(result: dict[str, Any], name: str, title: str) -> Table | None:
    """A questionnaire with its answers."""
    asked = result[name]["questions"]
    if not asked:
        return None
    rows = tuple(
        (
            one["question"],
            one["text"],
            one["meaning"] if one["answer"] else say("content.context_score.no_answer"),
            str(one["points"]),
        )
        for one in asked
    )
    columns = (
        Column(say("content.context_score.question")),
        Column(say("content.context_score.asked"), is_prose=True),
        Column(say("content.context_score.answer"), is_prose=True),
        Column(say("content.context_score.points"), is_number=True),
    )
    total = say(
        "content.context_score.points_the_points", points=result[name]["points"], level=result[name]["level"]
    )
    return Table(title, result[name]["rule"], columns, rows, note=total)


def precedents(result: dict[str, Any]) -> Table:
    """Cell sizes in use; the chosen one stands out."""
    chosen = result["threshold"]["cell_size"] if result["rule"] == "cell_size" else None
    here = " " + say("content.context_score.this_context")
    rows = tuple(
        (
            f"1/{one['cell_size']}",
            f"{one['precedent']}{here if one['cell_size'] == chosen else ''}",
        )
        for one in result["precedents"]
    )
    return Table(
        say("content.context_score.thresholds_in_use"),
        say("content.context_score.cell_sizes_that"),
        (
            Column(say("content.context_score.threshold")),
            Column(say("content.context_score.precedent"), is_prose=True),
        ),
        rows,
        note=result["precedents"][0]["source"],
        marked=tuple(at for at, one in enumerate(result["precedents"]) if one["cell_size"] == chosen),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was said of the release, and what was assumed."""
    preset, threshold = result["preset"], result["threshold"]
    named = {
        "stated": say("content.context_score.as_stated"),
        "questions": say("content.context_score.by_the_questions"),
        "checklist": say("content.context_score.by_the_checklist"),
    }
    facts = [
        Fact(
            say("content.context_score.preset"),
            say("content.context_score.version", name=preset["name"], version=preset["version"]),
            preset["about"],
        ),
        Fact(say("content.context_score.access"), ACCESS[result["access"]]),
        *(
            Fact(name, f"{result[name]['level']}, {named.get(result[name]['from'], 'assumed')}")
            for name in _counted(result)
        ),
        Fact(
            say("content.context_score.threshold"),
            f"{limit(result)}: {threshold['reason']}",
            threshold["source"],
        ),
        Fact(
            say("content.context_score.cap"),
            short(result["cap"]),
            say("content.context_score.no_single_record"),
        ),
    ]
    return Facts(
        say("content.context_score.settings"),
        say("content.context_score.what_was_said"),
        tuple(facts),
    )


def _counted(result: dict[str, Any]) -> list[str]:
    """The levels that mean something here."""
    known = ["controls", "motives"] if result["access"] == "non_public" else []
    return [*known, *(["invasion"] if result["invasion"]["counted"] else [])]


def sources(result: dict[str, Any]) -> Facts:
    """Who says so."""
    facts = tuple(Fact(str(place), text) for place, text in enumerate(result["sources"], start=1))
    return Facts(
        say("content.context_score.sources_of_this"),
        say("content.context_score.where_questions_scores"),
        facts,
    )

"""The score of a context as a verdict, tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

ACCESS = {"public": "public", "semi_public": "semi-public", "non_public": "non-public"}
RISKS = {
    "deliberate": (
        "deliberate attempt",
        "somebody tries on purpose",
    ),
    "acquaintance": ("acquaintance", "somebody who sees the data knows a person in them"),
    "breach": ("breach", "the recipient loses the data"),
}
STATISTICS = {
    "highest": "the highest risk of a record",
    "strict_average": "the average risk of the records",
}
ANSWERS = {
    "yes": "yes",
    "no": "no",
    "not_applicable": "does not apply",
    None: "no answer",
}

PROSE = (2, 3)
"""Columns of the checklist that hold sentences."""


def name_of(result: dict[str, Any]) -> str:
    """The policy that was asked."""
    return str(result["preset"]["title"])


def verdict(result: dict[str, Any]) -> Verdict:
    """What the context asks of the data; nothing is decided."""
    reasons = [accepted(result), attempted(result), upward(result), *result["reasons"]]
    said = f"Threshold {limit(result)}, risk of the context {short(result['context_risk'])}"
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
        smallest = f"a class of {threshold['cell_size']} or more"
        return f"Accepted: {what} at most {limit(result)}, {smallest} ({threshold['reason']})."
    also = ""
    if result["statistic"] == "strict_average":
        also = f", and no record above {short(result['cap'])}"
    times = f"times {short(result['context_risk'])}, the risk of the context,"
    return f"Accepted: {what} {times} at most {limit(result)}{also} ({threshold['reason']})."


def attempted(result: dict[str, Any]) -> str:
    """How likely an attempt is, in one sentence."""
    if result["access"] == "public":
        return "The release is public: an attempt is certain."
    attempt = result["attempt"]
    spread = (
        (" " + f"({short(attempt['low'])} to {short(attempt['high'])})")
        if attempt["low"] < attempt["high"]
        else ""
    )
    text = f"Chance of an attempt: {short(attempt['mode'])}{spread}"
    if result["access"] == "semi_public":
        return f"{text}, for a semi-public release."
    levels = f"controls {result['controls']['level']}, motives and capacity {result['motives']['level']}"
    own = result["risks"]["deliberate"]
    raised = (
        "" if own == attempt["mode"] else f"; alone they give {short(own)}, which {_largest(result)} raises"
    )
    return f"{text}, with {levels}{raised}."


def _largest(result: dict[str, Any]) -> str:
    known = {name: risk for name, risk in result["risks"].items() if risk is not None}
    return {
        "acquaintance": "the chance of an acquaintance",
        "breach": "the chance of a breach",
    }.get(max(known, key=lambda name: known[name]), "the recipient")


def upward(result: dict[str, Any]) -> str:
    """What the next threshold asks for, in one sentence."""
    after = result["next_threshold"]
    if after is None:
        return ""
    where = f"1/{after['cell_size']}"
    if after["allowed"]:
        return f"{where} may be used where {limit(result)} leaves too little of the data."
    if after["access_needed"]:
        return f"{where} would need a known recipient and controls of level {after['level_needed']}."
    if result["controls"]["from"] != "checklist":
        return f"{where} would need the checklist of {result['controls']['practices']} practices."
    lacks = [sum(one["lacks"] == what for one in after["missing"]) for what in ("practice", "evidence")]
    parts = [plural(lacks[0], "more practice")] if lacks[0] else []
    parts += [f"evidence for {plural(lacks[1], 'practice')}"] if lacks[1] else []
    return f"{where} would need {' and '.join(parts)}."


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
        "Risk of the context",
        "The largest counts: a risk in the data becomes real only if one of these happens.",
        (
            Column("way"),
            Column("probability", is_number=True),
            Column("what it means", is_prose=True),
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
        f"Missing for 1/{after['cell_size']}",
        f"{after['reason'][:1].upper()}{after['reason'][1:]}: this is not there yet.",
        (
            Column("practice"),
            Column("what", is_prose=True),
        ),
        rows,
    )


def agreement(result: dict[str, Any]) -> Table | None:
    """Clauses for the agreement with the recipient."""
    if not result["agreement"]:
        return None
    rows = tuple((spaced(one["practice"]), one["clause"], one["counted_for"]) for one in result["agreement"])
    return Table(
        "For the data-sharing agreement",
        "The score rests on these promises; if one falls, it falls. The wording is ours.",
        (
            Column("practice"),
            Column("clause", is_prose=True),
            Column("counted for", is_prose=True),
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
            "all four" if one["core"] else ", ".join(one["guidelines"]) or "none",
            f"{100 * one['boards']:.0f} %" if one["boards"] is not None else "",
        )
        for one in listed
    )
    heads = (
        "practice",
        "in place",
        "what",
        "evidence or reason",
        "guidelines",
        "ethics boards",
    )
    columns = tuple(Column(head, is_prose=at in PROSE) for at, head in enumerate(heads))
    return Table(
        "Checklist of practices",
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
            one["meaning"] if one["answer"] else "no answer",
            str(one["points"]),
        )
        for one in asked
    )
    columns = (
        Column("question"),
        Column("asked", is_prose=True),
        Column("answer", is_prose=True),
        Column("points", is_number=True),
    )
    total = f"{result[name]['points']} points: {result[name]['level']}. The points are ours."
    return Table(title, result[name]["rule"], columns, rows, note=total)


def precedents(result: dict[str, Any]) -> Table:
    """Cell sizes in use; the chosen one stands out."""
    chosen = result["threshold"]["cell_size"] if result["rule"] == "cell_size" else None
    here = " " + "(this context)"
    rows = tuple(
        (
            f"1/{one['cell_size']}",
            f"{one['precedent']}{here if one['cell_size'] == chosen else ''}",
        )
        for one in result["precedents"]
    )
    return Table(
        "Thresholds in use",
        ("Cell sizes that custodians accept: the fewer people must look alike, the more risk is accepted."),
        (
            Column("threshold"),
            Column("precedent", is_prose=True),
        ),
        rows,
        note=result["precedents"][0]["source"],
        marked=tuple(at for at, one in enumerate(result["precedents"]) if one["cell_size"] == chosen),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was said of the release, and what was assumed."""
    preset, threshold = result["preset"], result["threshold"]
    named = {
        "stated": "as stated",
        "questions": "by the questions",
        "checklist": "by the checklist",
    }
    facts = [
        Fact(
            "preset",
            f"{preset['name']}, version {preset['version']}",
            preset["about"],
        ),
        Fact("access", ACCESS[result["access"]]),
        *(
            Fact(name, f"{result[name]['level']}, {named.get(result[name]['from'], 'assumed')}")
            for name in _counted(result)
        ),
        Fact(
            "threshold",
            f"{limit(result)}: {threshold['reason']}",
            threshold["source"],
        ),
        Fact(
            "cap",
            short(result["cap"]),
            "no single record may have a higher risk",
        ),
    ]
    return Facts(
        "Settings",
        "What was said of the release; what was not said was assumed to be the worst.",
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
        "Sources of this score",
        "Where questions, scores and thresholds come from.",
        facts,
    )

"""The score of a context: who gets the data, how likely an attempt is, and which risk is accepted."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import context as drawing
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Reason, Source, Table, Verdict
from reidrisk.report.plain_text import bar, heading, table_lines, wrap

ACCESS = {"public": "public", "semi_public": "semi-public", "non_public": "restricted (non-public)"}
RISKS = {
    "deliberate": ("deliberate attempt", "someone at the recipient tries on purpose"),
    "acquaintance": ("acquaintance", "someone who sees the data knows a person in them"),
    "breach": ("breach", "the recipient loses the data"),
}
"""The ways in which a person may be recognized: the name and its meaning."""
STATISTICS = {"highest": "the highest risk of a record", "strict_average": "the average risk of the records"}
ANSWERS = {"yes": "yes", "no": "no", "not_applicable": "not applicable", None: "no answer"}
LEVEL_SOURCES = {
    "stated": "as stated",
    "questions": "from the questions",
    "checklist": "from the checklist",
}
SPREAD = "The line shows the range that we assume for an attempt."
NAME_WIDTH = 24
"""Columns of the terminal for the name of a practice."""
CONTEXT_GUIDE = Guide(
    terms=(
        Fact("Context", "Who gets the data, under which controls, and what harm re-identification would do."),
        Fact(
            "Access",
            "Public: anyone can get the data. Semi-public: anyone who accepts terms of use. Non-public: a "
            "known recipient who is bound by an agreement.",
        ),
        Fact(
            "Attempt",
            "The probability that someone tries to re-identify a person. Better controls lower it; motives "
            "and capacity raise it. For a public release it is 1.",
        ),
        Fact("Acquaintance", "The probability that someone who sees the data knows a person in them."),
        Fact("Context risk", "The largest probability of deliberate attempt, acquaintance and breach."),
        Fact(
            "Threshold",
            "The largest acceptable risk. 1/5 means that at least five people share the same values: a cell "
            "size of five.",
        ),
        Fact(
            "Strict average",
            "The average risk of the records is compared with the threshold, and no single record may be "
            "above a cap, usually 1/3.",
        ),
        Fact("Core practice", "A practice on the checklist that all four guidelines name: 26 of 38."),
    ),
    limits=(
        "A context alone decides nothing. Measure the risk in the data with the other commands.",
        "The range around the chance of an attempt, the points of the questions and the levels of the "
        "checklist are ours. The table of attempts, the practices and the thresholds come from the sources.",
        "Answers are accepted as given. Evidence is requested but not checked.",
        "This page is not legal advice. The people responsible decide on a release.",
    ),
    sources=(
        Source(
            "Information and Privacy Commissioner of Ontario. De-identification Guidelines for "
            "Structured Data, June 2016."
        ),
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
        Source(
            "Scaiano M. et al. A unified framework for evaluating the risk of re-identification of text "
            "de-identification tools. Journal of Biomedical Informatics 63 (2016) 174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
        Source(
            "Kniola L. Calculating the risk of re-identification of patient-level data using quantitative "
            "approach. PhUSE 2016, paper DH09."
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The preset."""
    return str(result["preset"]["title"])


def about(result: ResultDict) -> str:
    """The kind of access and the preset, in a sentence or two."""
    return f"A {ACCESS[result['access']]} release. {result['preset']['about']}"


def verdict(result: ResultDict) -> Verdict:
    """The threshold and what follows from the context; nothing is decided without data."""
    sentences = (limit_sentence(result), attempt_sentence(result), next_sentence(result))
    own = tuple(Reason(text, None) for text in sentences if text)
    word = f"Threshold {limit(result)}, context risk {short(result['context_risk'])}"
    return Verdict(None, (*own, *reasons_of(result)), word)


def fraction(threshold: ResultDict) -> str:
    """1/5 where a cell size is meant, otherwise the number.

    >>> fraction({"probability": 0.2, "cell_size": 5}), fraction({"probability": 0.09, "cell_size": 12})
    ('1/5', '0.09')
    """
    size = threshold["cell_size"]
    return f"1/{size}" if threshold["probability"] == 1 / size else short(threshold["probability"])


def limit(result: ResultDict) -> str:
    """The threshold: a cell size where classes are compared, a number where a product is compared."""
    threshold = result["threshold"]
    return fraction(threshold) if result["rule"] == "cell_size" else short(threshold["probability"])


def add_spaces(name: str) -> str:
    """A name with spaces, so that a page can break the line.

    >>> add_spaces("need_to_know")
    'need to know'
    """
    return name.replace("_", " ")


def short(value: float) -> str:
    """A probability with at most three digits.

    >>> short(0.3), short(0.2481895), short(1.0)
    ('0.3', '0.248', '1')
    """
    return f"{value:.3g}"


def limit_sentence(result: ResultDict) -> str:
    """The rule, in a sentence."""
    threshold, what = result["threshold"], STATISTICS[result["statistic"]]
    if result["rule"] == "cell_size":
        smallest = f"which means classes of {threshold['cell_size']} or more"
        return f"Limit: {what} must be at most {limit(result)}, {smallest} ({threshold['reason']})."
    cap = f", and no record may be above {short(result['cap'])}"
    product = f"{what} times the context risk of {short(result['context_risk'])}"
    return f"Limit: {product} must be at most {limit(result)}{cap} ({threshold['reason']})."


def attempt_sentence(result: ResultDict) -> str:
    """How likely an attempt is, in a sentence."""
    if result["access"] == "public":
        return "Public release: we assume that an attempt at re-identification is certain."
    attempt = result["attempt"]
    is_range = attempt["low"] < attempt["high"]
    spread = f" ({short(attempt['low'])} to {short(attempt['high'])})" if is_range else ""
    text = f"Chance of an attempt at re-identification: {short(attempt['mode'])}{spread}"
    if result["access"] == "semi_public":
        return f"{text}, for a semi-public release."
    controls, motives = result["controls"]["level"], result["motives"]["level"]
    text = f"{text}, given {controls} controls and {motives} motives and capacity"
    own = result["risks"]["deliberate"]
    if own == attempt["mode"]:
        return f"{text}."
    return f"{text}; these alone would give {short(own)}, but {_largest(result)} raises it."


def _largest(result: ResultDict) -> str:
    known = {name: risk for name, risk in result["risks"].items() if risk is not None}
    return {
        "acquaintance": "the chance of an acquaintance",
        "breach": "the chance of a breach",
    }.get(max(known, key=lambda name: known[name]), "the recipient")


def next_sentence(result: ResultDict) -> str:
    """What the next, less strict threshold requires, in a sentence."""
    after = result["next_threshold"]
    if after is None:
        return ""
    where = f"1/{after['cell_size']}"
    if after["allowed"]:
        return f"{where} may be used if {limit(result)} would leave too little of the data."
    if after["access_needed"]:
        return f"{where} would require a known recipient and {after['level_needed']} controls."
    if result["controls"]["from"] != "checklist":
        return f"{where} would require the checklist of {result['controls']['practices']} practices."
    lacks = [sum(one["lacks"] == what for one in after["missing"]) for what in ("practice", "evidence")]
    parts = [plural(lacks[0], "more practice")] if lacks[0] else []
    parts += [f"evidence for {plural(lacks[1], 'practice')}"] if lacks[1] else []
    return f"{where} would require {' and '.join(parts)}."


def risks(result: ResultDict) -> Table:
    """The ways in which a person may be recognized, with their probabilities."""
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
        "Context risk",
        "A risk in the data matters only if one of these happens. The largest probability counts.",
        (Column("event"), Column("probability", is_number=True), Column("meaning", is_prose=True)),
        rows,
        marked=(known.index(max(known)),),
    )


def _risk_lines(result: ResultDict) -> list[str]:
    """The table, and the range of the attempt as a bar."""
    lines = table_lines(risks(result))
    attempt = result["attempt"]
    if attempt["low"] < attempt["high"]:
        drawn = bar(attempt["low"], attempt["mode"], attempt["high"], limit=None, top=1.0)
        lines += ["", f"  attempt, from 0 to 1     |{drawn}|"]
    return lines


def missing(result: ResultDict) -> Table | None:
    """What is missing for the next threshold."""
    after = result["next_threshold"]
    if after is None or not after["missing"] or result["controls"]["from"] != "checklist":
        return None
    rows = tuple((add_spaces(one["practice"]), one["text"]) for one in after["missing"])
    return Table(
        f"Missing for 1/{after['cell_size']}",
        f"{after['reason'][:1].upper()}{after['reason'][1:]}. These practices are not in place yet:",
        (Column("practice"), Column("description", is_prose=True)),
        rows,
    )


def _missing_lines(result: ResultDict) -> list[str]:
    """Practices under the names that the checklist uses."""
    table = missing(result)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    for one in result["next_threshold"]["missing"]:
        lines += _practice_lines(one["practice"], one["text"])
    return lines


def agreement(result: ResultDict) -> Table | None:
    """Clauses for the agreement with the recipient."""
    if not result["agreement"]:
        return None
    rows = tuple(
        (add_spaces(one["practice"]), one["clause"], one["counted_for"]) for one in result["agreement"]
    )
    return Table(
        "For the data-sharing agreement",
        "The score is valid only if the recipient agrees to these clauses. The wording is ours.",
        (Column("practice"), Column("clause", is_prose=True), Column("counted for", is_prose=True)),
        rows,
    )


def _agreement_lines(result: ResultDict) -> list[str]:
    """The clauses, below a heading for each purpose that they are counted for."""
    table = agreement(result)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    purpose = ""
    for one in result["agreement"]:
        if one["counted_for"] != purpose:
            lines += wrap(f"Counted for {one['counted_for']}:")
            purpose = one["counted_for"]
        lines += _practice_lines(one["practice"], one["clause"])
    return lines


def _practice_lines(practice: str, text: str) -> list[str]:
    return wrap(text, first=f"    {practice:<{NAME_WIDTH}}  ", rest=" " * (NAME_WIDTH + 6))


def checklist(result: ResultDict) -> Table | None:
    """Every practice with its answer."""
    listed = result["controls"]["checklist"]
    if not listed:
        return None
    rows = tuple(
        (
            add_spaces(one["practice"]),
            ANSWERS[one["answer"]],
            one["text"],
            one["evidence"] or one["reason"],
            "all four" if one["core"] else ", ".join(one["guidelines"]) or "none",
            f"{100 * one['boards']:.0f} %" if one["boards"] is not None else "",
        )
        for one in listed
    )
    columns = (
        Column("practice"),
        Column("in place"),
        Column("description", is_prose=True),
        Column("evidence or reason", is_prose=True),
        Column("guidelines"),
        Column("ethics boards"),
    )
    controls = result["controls"]
    return Table("Checklist of practices", controls["rule"], columns, rows, note=controls["source"])


def practice_groups(result: ResultDict) -> dict[str, str]:
    """How many practices of each group are in place, or do not apply, in words."""
    found: dict[str, list[bool]] = {}
    for one in result["controls"]["checklist"]:
        found.setdefault(one["group"], []).append(one["answer"] in ("yes", "not_applicable"))
    return {group: f"{sum(rows)} of {len(rows)}" for group, rows in found.items()}


def questions(result: ResultDict, *, name: str, title: str) -> Table | None:
    """A questionnaire with its answers."""
    asked = result[name]["questions"]
    if not asked:
        return None
    rows = tuple(
        (one["question"], one["text"], one["meaning"] if one["answer"] else "no answer", str(one["points"]))
        for one in asked
    )
    columns = (
        Column("topic"),
        Column("question", is_prose=True),
        Column("answer", is_prose=True),
        Column("points", is_number=True),
    )
    total = f"{result[name]['points']} points: {result[name]['level']}. The points are ours."
    return Table(title, result[name]["rule"], columns, rows, note=total)


def precedents(result: ResultDict) -> Table:
    """Cell sizes in use; that of this context is marked."""
    chosen = result["threshold"]["cell_size"] if result["rule"] == "cell_size" else None
    rows = tuple(
        (
            f"1/{one['cell_size']}",
            f"{one['precedent']}{' (this context)' if one['cell_size'] == chosen else ''}",
        )
        for one in result["precedents"]
    )
    return Table(
        "Thresholds in use",
        "Cell sizes that data custodians accept. A smaller cell size accepts more risk.",
        (Column("threshold"), Column("precedent", is_prose=True)),
        rows,
        note=result["precedents"][0]["source"],
        marked=tuple(at for at, one in enumerate(result["precedents"]) if one["cell_size"] == chosen),
    )


def settings(result: ResultDict) -> Facts:
    """What was stated about the release, and what was assumed."""
    preset, threshold = result["preset"], result["threshold"]
    facts = [
        Fact("preset", f"{preset['name']}, version {preset['version']}", preset["about"]),
        Fact("access", ACCESS[result["access"]]),
        *(
            Fact(name, f"{result[name]['level']}, {LEVEL_SOURCES.get(result[name]['from'], 'assumed')}")
            for name in _counted_levels(result)
        ),
        Fact("threshold", f"{limit(result)}: {threshold['reason']}", threshold["source"]),
        Fact("cap", short(result["cap"]), "no single record may have a higher risk"),
    ]
    return Facts(
        "Settings",
        "What was stated about the release. Where nothing was stated, the worst case is assumed.",
        tuple(facts),
    )


def _counted_levels(result: ResultDict) -> list[str]:
    """The levels that count for this kind of access."""
    known = ["controls", "motives"] if result["access"] == "non_public" else []
    return [*known, *(["invasion"] if result["invasion"]["counted"] else [])]


def sources(result: ResultDict) -> Facts:
    """The publications that the score is based on."""
    facts = tuple(Fact(str(place), text) for place, text in enumerate(result["sources"], start=1))
    return Facts("Sources of this score", "Where the questions, scores and thresholds come from.", facts)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The three risks; the threshold and the practices where the context has them."""
    threshold = (_threshold_chart(result),) if result["rule"] == "cell_size" else ()
    practices = (_practices_chart(result),) if result["controls"]["checklist"] else ()
    return (_risks_chart(result), *threshold, *practices)


def _risks_chart(result: ResultDict) -> Chart:
    spread = result["deliberate"]
    known = {name: risk for name, risk in result["risks"].items() if risk is not None}
    largest = max(known, key=lambda name: known[name])
    rows = [
        drawing.Chance(
            RISKS[name][0],
            risk,
            spread["low"] if name == "deliberate" else risk or 0.0,
            spread["high"] if name == "deliberate" else risk or 0.0,
            name == largest,
        )
        for name, risk in result["risks"].items()
    ]
    spoken = "; ".join(f"{row.name} {row.label}" for row in rows)
    return Chart(
        "risks",
        "How a person may be recognized",
        f"The largest is the context risk.{' ' + SPREAD if spread['low'] < spread['high'] else ''}",
        f"Probabilities: {spoken}.",
        drawing.chances_height(rows),
        partial(drawing.draw_chances, rows=rows),
    )


def _threshold_chart(result: ResultDict) -> Chart:
    threshold, after = result["threshold"], result["next_threshold"]
    own = f"this context: {limit(result)}"
    marks = [drawing.ThresholdMark(threshold["probability"], own, is_chosen=True)]
    if after is not None:
        state = "allowed" if after["allowed"] else "not yet"
        name = f"next: 1/{after['cell_size']}, {state}"
        marks.append(drawing.ThresholdMark(after["probability"], name, is_chosen=False))
    known = [one["cell_size"] for one in result["precedents"]]
    return Chart(
        "threshold",
        "The threshold compared with those in use",
        "Small dots: cell sizes with a precedent. Filled: this context. Open: the next threshold.",
        f"{'; '.join(mark.name for mark in marks)}; in use: {', '.join(f'1/{size}' for size in known)}.",
        drawing.CELL_SIZES_HEIGHT,
        partial(drawing.draw_cell_sizes, known=known, marks=marks),
    )


def _practices_chart(result: ResultDict) -> Chart:
    listed = result["controls"]["checklist"]
    groups = [
        drawing.PracticeGroup(name, _counts([one for one in listed if one["group"] == name]))
        for name in dict.fromkeys(one["group"] for one in listed)
    ]
    states = zip(_counts(listed), drawing.STATES, strict=True)
    spoken = ", ".join(f"{number} {name}" for number, (name, *_) in states)
    return Chart(
        "practices",
        "Practices of the recipient",
        f"Of {len(listed)} practices: {spoken}. Level of controls: {result['controls']['level']}.",
        f"Practices: {spoken}.",
        drawing.practices_height(groups),
        partial(drawing.draw_practices, groups=groups),
    )


def _counts(listed: list[ResultDict]) -> tuple[int, int, int, int]:
    return (
        sum(one["answer"] == "yes" and bool(one["evidence"]) for one in listed),
        sum(one["answer"] == "yes" and not one["evidence"] for one in listed),
        sum(one["answer"] == "not_applicable" for one in listed),
        sum(one["answer"] in ("no", None) for one in listed),
    )


KIND = Kind(
    title="Context of a release",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=lambda result: result["notes"],
    charts=charts,
    headline=lambda result: f"Context of a {ACCESS[result['access']]} release: {name_of(result)}",
    figure_title=lambda result: f"{name_of(result)}: {verdict(result).word.lower()}",
    shows=(
        Show(risks, lines=_risk_lines),
        Show(missing, lines=_missing_lines),
        Show(agreement, lines=_agreement_lines),
        Show(precedents, terminal=False),
        Show(partial(questions, name="motives", title="Motives and capacity"), terminal=False),
        Show(partial(questions, name="invasion", title="Invasion of privacy"), terminal=False),
        Show(checklist, terminal=False),
        Show(settings),
        Show(sources, terminal=False),
        Show(versions, terminal=False),
    ),
    guide=CONTEXT_GUIDE,
    comparison=Comparison(
        "What each context requires of the data.",
        "context",
        (
            (Column("access"), lambda result: ACCESS[result["access"]]),
            (Column("controls"), lambda result: str(result["controls"]["level"])),
            (Column("context risk", is_number=True), lambda result: short(result["context_risk"])),
            (Column("threshold", is_number=True), lambda result: fraction(result["threshold"])),
        ),
    ),
)

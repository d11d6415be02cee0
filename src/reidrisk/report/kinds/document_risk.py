"""The risk of re-identification in clinical documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from reidrisk.report.blocks import inventory
from reidrisk.report.blocks.documents import known_events, more_in_json
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import intervals
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.kind import (
    Chapters,
    Comparison,
    Kind,
    ResultDict,
    Show,
    only_in_terminal,
    reasons_of,
)
from reidrisk.report.numbers import MISSING, count, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.plain_text import heading, wrap
from reidrisk.report.traced import size

MOST_CLASSES = 20
"""Rows of the table of classes; the JSON file has all."""
MOST_BARS = 15
"""Bars of the chart of classes; the table shows more."""
SCENARIOS = {
    "redacted": "Redacted, public release.",
    "replaced": "Replaced with the values of the de-identified data, public release.",
    "ipd": "By the data, all participants and their events.",
    "ipd_mentioned": "By the data, for the participants, values and events that the documents mention.",
    "qualitative": "Assessed in words.",
}
STAGES = {"initial": "as written", "final": "as published"}
LEAKS = {"direct": "leaked direct identifiers", "quasi": "leaked quasi-identifiers"}
CATCH = "replacement values"
BOTH = "both together"
RULES = {"keep": "left unchanged", "leave_out": "left out", "redact": "redacted", "replace": "replaced"}
FACTORS = {
    "population": "size of the population with the disease",
    "participants": "number of participants",
    "centres": "number and spread of study sites",
    "identifiers": "number of identifiers",
}
SETTINGS = {
    "catch": "where the risk of replacement values comes from",
    "combine": "how leak and catch are combined into one risk",
    "data": "the table of participants",
    "deidentified": "whether values of de-identified data replace the original values",
    "direct_limit": "the limit for the risk from direct identifiers",
    "findings": "what was detected in the documents",
    "given_catch": "risk of replacement values, if it was not measured",
    "known": "events of a participant that an adversary may know",
    "known_reason": "why events do not count",
    "quasi": "quasi-identifiers that an adversary may know",
    "recall": "recall figures that you gave",
    "remaining": "identifiers that remain after treatment",
    "review": "findings of which a sample was reviewed",
    "subject": "the column that identifies participants",
}
CRITERIA = {"singling_out": "Singling out", "linkability": "Linkability", "inference": "Inference"}
GUIDE = Guide(
    terms=(
        Fact("Virtual document", "Everything that a document says about one participant."),
        Fact("Leak", "An identifier that was missed and is still in the published document."),
        Fact(
            "Catch", "An identifier that was found. If it was replaced, the new value still reveals a little."
        ),
        Fact(
            "Class",
            "Participants of the trial with the same readable values. The risk of each is one divided by "
            "the size of the class.",
        ),
        Fact(
            "Known event",
            "A row of the study's other tables, such as an adverse event, that an adversary knows about. "
            "Only participants of the same class who have the same event are alike.",
        ),
    ),
    limits=(
        "Classes use the quasi-identifiers in the participants' table. Events count as they are released, "
        "with their dates. Shifted dates in the participants' table do not count.",
        "Leaks are estimated from the reviewed pages, unless all pages were reviewed; other kinds of pages "
        "may leak more.",
        "Participants are compared with each other, not with everybody who has the disease.",
        "The source prints the table of the qualitative scenario for only three of 81 combinations; the "
        "others are our proposal.",
    ),
    sources=(
        Source(
            "Kumar P., Sareen R. Evaluation of re-identification risk for anonymized clinical documents. "
            "PhUSE 2017."
        ),
        Source(
            "Scaiano M. et al. A unified framework for evaluating the risk of re-identification of text "
            "de-identification tools. Journal of Biomedical Informatics 63 (2016) 174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
        Source(
            "European Medicines Agency. External guidance on the implementation of the policy on the "
            "publication of clinical data, EMA/90915/2016."
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The study."""
    return str(result["study"])


def about(result: ResultDict) -> str:
    """The scenario and the number of participants."""
    return f"{SCENARIOS[result['scenario']]} {count(result['participants'])} participants."


def verdict(result: ResultDict) -> Verdict:
    """The verdict with its reasons."""
    return Verdict(result["acceptable"], reasons_of(result))


def _names(results: Sequence[ResultDict]) -> list[str]:
    """The study and, where several scenarios are shown, the scenario."""
    if len(results) == 1:
        return [name_of(results[0])]
    return [f"{name_of(one)}, {one['scenario']}" for one in results]


def stages(result: ResultDict) -> Table:
    """The risk before and after the measures."""
    rows = tuple((shown, _stage_risk(result[name]), result[name]["why"]) for name, shown in STAGES.items())
    return Table(
        "Before and after",
        "The risk of the most exposed participant.",
        (Column("documents"), Column("risk", is_number=True), Column("reason", is_prose=True)),
        rows,
    )


def _stage_risk(stage: ResultDict) -> str:
    return str(stage["level"] or (MISSING if stage["highest"] is None else probability(stage["highest"])))


def measures(result: ResultDict) -> Table | None:
    """What was done to reduce the risk."""
    rows = tuple(
        (one["measure"], ", ".join(one["variables"]) or "–", one["detail"]) for one in result["measures"]
    )
    if not rows:
        return None
    columns = (Column("measure"), Column("variables", is_prose=True), Column("details", is_prose=True))
    return Table("Measures", "What was done to reduce the risk.", columns, rows)


def _measure_lines(result: ResultDict) -> list[str]:
    """The lists of variables are too long for columns of a terminal."""
    table = measures(result)
    if table is None:
        return []
    lines = [line for row in table.rows for line in wrap(f"{row[0]} ({row[1]}): {row[2]}", rest="    ")]
    return [*heading(table.title, table.explanation), *lines]


def sides(result: ResultDict) -> Table | None:
    """The risk from leaks, from replacement values, and from both."""
    rows = [*_leak_rows(result), *_catch_rows(result)]
    if not rows:
        return None
    return Table(
        "Leak and catch",
        "A participant can be re-identified by identifiers that were missed, and by the replacement values.",
        (
            Column("source of the risk"),
            Column("risk", is_number=True),
            Column("interval", is_number=True),
            Column("limit", is_number=True),
        ),
        tuple(rows),
        "The upper end of the interval decides." if result["leak"]["direct"] is not None else "",
    )


def _leak_rows(result: ResultDict) -> Iterable[tuple[str, ...]]:
    for role, shown in LEAKS.items():
        part = result["leak"][role]
        if part is not None:
            decides = result["combined"] is None or role == "direct"
            limit = part["limit"] if role == "direct" else part["threshold"]
            yield shown, probability(part["value"]), span(part), probability(limit if decides else None)


def _catch_rows(result: ResultDict) -> Iterable[tuple[str, ...]]:
    catch, both, limit = (
        result["catch"],
        result["combined"],
        probability(result["threshold"]["probability"]),
    )
    if catch is not None:
        decides = both is None
        yield CATCH, probability(catch["value"]), MISSING, limit if decides else MISSING
    if both is not None:
        yield BOTH, probability(both["value"]), span(both), limit


def classes(result: ResultDict) -> Table | None:
    """Participants by their readable values and the size of their class."""
    every = result["subjects"]
    if not every:
        return None
    has_subjects = "subjects" in every[0]
    rows = tuple(
        (
            ", ".join(one["variables"]) or "nothing",
            count(one["class_size"]),
            probability(one["risk"]),
            count(one["participants"]),
            *((", ".join(map(str, one["subjects"])),) if "subjects" in one else ()),
        )
        for one in every[:MOST_CLASSES]
    )
    left = size(every) - size(rows)
    return Table(
        "Classes",
        "Participants by the values that can be read about them, and how many participants share them.",
        (
            Column("readable values", is_prose=True),
            Column("class size", is_number=True),
            Column("risk", is_number=True),
            Column("participants", is_number=True),
            *((Column("rows"),) if has_subjects else ()),
        ),
        rows,
        more_in_json(left),
    )


def review(result: ResultDict) -> Facts | None:
    """How much of the documents people read."""
    found = result["review"]
    if found is None:
        return None
    facts = [
        Fact("pages read completely", f"{count(found['reviewed'])} of {count(found['pages'])}"),
    ]
    if found["missing"]:
        facts.append(Fact("not reviewed, or changed since", ", ".join(found["missing"])))
    reading = (
        "What the detection had missed on these pages gives the risk through leaks."
        if result["scenario"] in LEAVING
        else "Leaks are ruled out only if people read every page."
    )
    return Facts("Review", reading, tuple(facts))


def recall(result: ResultDict) -> Table | None:
    """How much the detection found, according to the reviewed pages."""
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
    numbers = ("participants", "identifiers", "recall", "all-or-nothing recall")
    return Table(
        "Recall of the detection",
        "Identifiers that reviewers marked on the pages they read in full, and how many of them the "
        "detector had found.",
        (Column("type"), Column("role"), *(Column(name, is_number=True) for name in numbers)),
        rows,
        " ".join(result["leak"]["notes"]),
    )


def criteria(result: ResultDict) -> Table | None:
    """Whether singling out, linkability and inference are still possible."""
    if not result["criteria"]:
        return None
    rows = tuple(
        (CRITERIA[one["criterion"]], "no" if one["met"] else "yes", figure)
        for one in result["criteria"]
        for figure in _criterion_figures(one)
    )
    return Table(
        "Singling out, linkability and inference",
        "None of these should still be possible from the values that can be read about participants whom "
        "the documents mention. If one is possible, the risk decides.",
        (Column("criterion"), Column("still possible"), Column("figures", is_prose=True)),
        rows,
    )


def _criterion_figures(one: ResultDict) -> list[str]:
    if one["criterion"] == "inference":
        return [_guesses(row) for row in one["variables"]] or ["no masked value could be guessed"]
    people, leaked = count(one["participants"]), one["leaked_on_reviewed_pages"]
    if one["criterion"] == "singling_out":
        found = [f"{count(one['unique'])} of {people} are unique by their readable values"]
        more = f"on reviewed pages, a direct identifier of {count(leaked)} had leaked"
    else:
        linked, alone = count(one["sharing_two_or_more"]), count(one["with_one_row_only"])
        found = [f"{linked} of {people} share two values with rows of the data, {alone} with one row only"]
        more = f"on reviewed pages, two or more values of {count(leaked)} had leaked"
    return [*found, more] if leaked else found


def _guesses(row: ResultDict) -> str:
    gain = percent(row["gain"]["value"] if row["gain"] else None)
    return (
        f"{row['variable']}: {count(row['right'])} of {count(row['guesses'])} guesses right, "
        f"{count(row['right_without_the_document'])} without the document (gain {gain})"
    )


def sections(result: ResultDict) -> Table | None:
    """Where identifiers were found, and how each section is treated."""
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
        "Identifiers by section of the report, and how each section is treated.",
        (
            Column("section"),
            Column("direct", is_number=True),
            Column("quasi", is_number=True),
            Column("participants", is_number=True),
            Column("treatment"),
        ),
        rows,
    )


def qualitative(result: ResultDict) -> Facts | None:
    """The four factors of the qualitative scenario, and the risk level that follows from them."""
    found = result["qualitative"]
    if found is None:
        return None
    before, after = found["initial"], found["final"]
    facts = [Fact(FACTORS[name], value) for name, value in before["factors"].items()]
    facts.append(Fact(STAGES["initial"], before["level"], before["action"]))
    if after is not None:
        facts.append(Fact(STAGES["final"], after["level"], after["action"]))
    ours = before["ours"] or bool(after and after["ours"])
    explained = (
        "Four factors; the weakest protection counts. This row of the table is our proposal; the source does "
        "not print it."
        if ours
        else "Four factors, as printed in the source."
    )
    return Facts("The risk in words", explained, tuple(facts))


def settings(result: ResultDict) -> Facts:
    """Everything needed to repeat the result."""
    given, threshold = result["settings"], result["threshold"]
    size = f"{probability(threshold['probability'])}, {threshold['cell_size']}"
    facts = [
        Fact("threshold", size, threshold["reason"]),
        *(Fact(name, _setting(given[name]), meaning) for name, meaning in SETTINGS.items() if name in given),
        Fact("seed", str(result["seed"])),
    ]
    return Facts("Settings", "The same settings give the same result.", tuple(facts))


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "as given"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "none" if value is None else str(value)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The risk against the threshold, and participants by class size."""
    found = [_threshold_chart(result), _class_chart(result)]
    return tuple(chart for chart in found if chart is not None) or (_level_chart(result),)


def _threshold_chart(result: ResultDict) -> Chart | None:
    rows = _interval_rows(result)
    if not rows:
        return None
    limit = result["threshold"]["probability"]
    return Chart(
        "threshold",
        "Risk against the threshold",
        "Dots are means, lines are intervals. Bold rows decide: a bold line must end before the dashed line.",
        f"Highest risk {probability(result['highest'])}, threshold {probability(limit)}.",
        intervals.height(len(rows)),
        partial(draw_intervals, rows=rows, limit=limit, limit_name="threshold"),
    )


def _interval_rows(result: ResultDict) -> list[Interval]:
    leak, both, catch = result["leak"], result["combined"], result["catch"]
    rows = [
        Interval(shown, part["value"], part["low"], part["high"], decides=role == "direct" or both is None)
        for role, shown in LEAKS.items()
        if (part := leak[role]) is not None and part["value"] is not None
    ]
    if catch is not None:
        value = catch["value"]
        rows.append(Interval(CATCH, value, value, value, decides=not rows))
    if both is not None:
        rows.append(Interval(BOTH, both["value"], both["low"], both["high"], decides=True))
    return rows


def _class_chart(result: ResultDict) -> Chart | None:
    sizes: dict[int, int] = {}
    for one in result["subjects"]:
        sizes[one["class_size"]] = sizes.get(one["class_size"], 0) + one["participants"]
    if not sizes:
        return None
    total, cell_size = sum(sizes.values()), result["threshold"]["cell_size"]
    rows = tuple(
        (count(size), number / total, size < cell_size) for size, number in sorted(sizes.items())[:MOST_BARS]
    )
    bars = Bars(rows, "class size; share of the participants counted")
    return Chart(
        "classes",
        "Participants by class size",
        f"Dark: classes smaller than {cell_size}.",
        f"{count(total)} participants; the smallest class has {count(min(sizes))}.",
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _level_chart(result: ResultDict) -> Chart:
    level = result["final"]["level"] or probability(result["final"]["highest"])
    text = f"The risk is stated in words: {level}."
    return Chart("level", "Risk against the threshold", text, text, 0.0, None)


LEAVING = {"redacted": "identifiers removed", "replaced": "identifiers replaced"}
"""What happened to documents, in two words, where documents are what leaves."""


def _leaves(result: ResultDict) -> str:
    people = f"a study with {count(result['participants'])} participants"
    return f"{people}, {LEAVING[result['scenario']]}" if result["scenario"] in LEAVING else people


def _key(result: ResultDict) -> Iterable[Block | None]:
    charts = [chart for chart in (_threshold_chart(result), _class_chart(result)) if chart is not None]
    return (
        *(Notice(text) for text in result["warnings"]),
        stages(result),
        review(result),
        Pictures(tuple(charts[:1])),
    )


def _initial(result: ResultDict) -> Iterable[Block | None]:
    text = (
        "The documents as written. They identify participants by their IDs, and the details single them out."
    )
    return Prose((text,)), stages(result)


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (
        *(Notice(text) for text in result["warnings"]),
        known_events(result),
        review(result),
        sides(result),
        Pictures(charts(result)),
        classes(result),
        criteria(result),
        qualitative(result),
    )


def _identifiers(result: ResultDict) -> Iterable[Block | None]:
    given = result["settings"]
    text = (
        f"{given['subject']} and the other IDs identify participants directly. We assume that an intruder "
        f"knows: {', '.join(given['quasi'])}. Participants' dates are shifted or redacted. The table below "
        "shows where each was found, by section of the report."
    )
    return Prose((text,)), sections(result)


def _utility(result: ResultDict) -> Iterable[Block | None]:
    text = (
        "Detected identifiers were removed, so readers of the documents can no longer learn them. All other "
        "text is unchanged."
        if result["scenario"] == "redacted"
        else "Detected identifiers were replaced with the values of the de-identified data. Documents and "
        "data agree, and the text remains readable. Replaced values are as coarse as the data."
    )
    return Prose((text,)), measures(result)


KIND = Kind(
    title="Risk of re-identification in clinical documents",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    headline=lambda result: f"Risk of the documents of {name_of(result)}: {about(result)}",
    names=_names,
    shows=(
        only_in_terminal(_measure_lines),
        Show(inventory.unmeasured, lines=inventory.unmeasured_lines),
        Show(stages),
        Show(known_events),
        Show(review),
        Show(sides),
        Show(measures, terminal=False),
        Show(classes),
        Show(recall),
        Show(criteria),
        Show(sections),
        Show(qualitative),
        Show(inventory.inventory, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The risk of each scenario.",
        "documents",
        (
            (Column("before", is_number=True), lambda result: _stage_risk(result["initial"])),
            (Column("after", is_number=True), lambda result: _stage_risk(result["final"])),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
    leaves=_leaves,
    chapters=Chapters(
        key=_key,
        initial=_initial,
        measures=lambda result: (Prose((about(result),)), recall(result)),
        final=_final,
        identifiers=_identifiers,
        utility=_utility,
        settings=lambda result: (settings(result),),
        formulas=("direct", "quasi", "combined", "highest"),
    ),
)

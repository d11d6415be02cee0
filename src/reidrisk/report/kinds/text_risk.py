"""The re-identification risk that a de-identification tool leaves in text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from reidrisk.core.wording import undecided_words
from reidrisk.report.blocks import text_counts, text_improvements, text_settings
from reidrisk.report.blocks.settings import versions
from reidrisk.report.blocks.text_counts import (
    ROLES,
    is_recognition_certain,
    leaks_chart,
    level_of,
    no_chart,
    open_or_closed,
    recall_chart,
)
from reidrisk.report.blocks.text_guide import GUIDE
from reidrisk.report.charts import intervals
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, only_in_terminal, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, counted, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict
from reidrisk.report.plain_text import INDENT, bar, heading, wrap
from reidrisk.report.section import number_names
from reidrisk.report.traced import size

INTERVALS = {
    "observed": "observed risk per document",
    "parameter": "uncertainty of the mean risk",
    "per_document": "risk of a random document",
}


NOT_DECIDING = "does not decide"


def name_of(result: ResultDict) -> str:
    """The tool, by the last part of its path."""
    settings = result["settings"]
    return short_path(str(settings.get("tool") or settings.get("counts", "tool output")))


def titles(results: Sequence[ResultDict]) -> list[str]:
    """The names of the tools, with profile and number if two are the same."""
    plain = [name_of(result) for result in results]
    if len(set(plain)) == len(plain):
        return plain
    profiled = [
        f"{name} ({result['settings']['profile']})" for name, result in zip(plain, results, strict=True)
    ]
    return number_names(profiled)


def about(result: ResultDict) -> str:
    """What was evaluated, in a sentence."""
    settings = result["settings"]
    gold = short_path(str(settings.get("gold", "the gold standard")))
    where = "Computed from counts by type of" if "counts" in settings else f"Evaluated on {gold},"
    release = settings["release"]
    clusters = result.get("clusters")
    found = "" if clusters is None else f" in {counted(clusters['number'], 'cluster')}"
    return (
        f"{where} {counted(result['documents'], 'document')}{found}. "
        f"Profile: {settings['profile']}. "
        f"Release: {release['access'].replace('_', '-')}, {release['treatment']}."
    )


def headline(result: ResultDict) -> str:
    """The first line in a terminal."""
    documents = counted(result["documents"], "document")
    if "counts" in result["settings"]:
        return f"Re-identification risk from the counts in {name_of(result)} ({documents})"
    gold = short_path(str(result["settings"].get("gold", "gold standard")))
    if result["records"] != result["documents"]:
        documents += f" from {counted(result['records'], 'record')}"
    if result.get("clusters") is not None:
        documents += f" in {counted(result['clusters']['number'], 'cluster')}"
    return f"Re-identification risk with {name_of(result)}, evaluated on {gold} ({documents})"


def verdict(result: ResultDict) -> Verdict:
    """The verdict, with one reason per risk."""
    said = undecided_words(result.get("documents_needed")) if result.get("decision") == "undecided" else ""
    return Verdict(result["acceptable"], reasons_of(result), said)


def warnings(result: ResultDict) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    return (*result["warnings"], *result["notes"])


def warning_lines(result: ResultDict) -> list[str]:
    """For a terminal: the warnings, below the tables."""
    found = warnings(result)
    if not found:
        return []
    lines = heading("Warnings", "Keep these in mind when you interpret the results.")
    for warning in found:
        lines += wrap(warning, first="  ! ", rest=INDENT * 2)
    return lines


def risks(result: ResultDict) -> Table:
    """Both risks, the interval that does not decide, and the benchmark."""
    rows = []
    for role, title in ROLES.items():
        part = result[role]
        rows.append((title, *_estimate(part), probability(part["threshold"]), *_verdict_cells(part)))
        if "with_attempt" in part:
            other = part["with_attempt"]
            limit = probability(other["threshold"])
            rows.append(("  times the chance of an attempt", *_estimate(other), limit, "does not decide", ""))
        if "model" in part:
            own = part["model"]
            plug_in = probability(own["plug_in"])
            rows.append(
                (f"  model: {INTERVALS[own['interval']]}", *_estimate(own), "", NOT_DECIDING, plug_in)
            )
        if "other_interval" in part:
            other = part["other_interval"]
            rows.append((f"  {INTERVALS[other['interval']]}", *_estimate(other), "", NOT_DECIDING, ""))
        if role == "direct":
            rows.append(("  benchmark", *_estimate(result["benchmark"]), "", "sets the limit", ""))
    reasons = [result[role]["reason"] for role in ROLES if result[role].get("reason")]
    return Table(
        "Risk",
        "The probability that a document is re-identified. The upper limit of the interval decides.",
        (
            Column("risk from"),
            Column("mean", is_number=True),
            Column(f"{level_of(result)} interval", is_number=True),
            Column("limit", is_number=True),
            Column("verdict"),
            Column("plug-in", is_number=True),
        ),
        tuple(rows),
        " ".join([_deciding_interval(result), *reasons]).strip(),
    )


def _estimate(part: ResultDict) -> tuple[str, str]:
    return probability(part["value"]), span(part)


def _verdict_cells(part: ResultDict) -> tuple[str, str]:
    plug_in = "" if "model" in part else probability(part["plug_in"])
    return _verdict_word(part), plug_in


def _verdict_word(part: ResultDict) -> str:
    if part["acceptable"] is None:
        return "not evaluated"
    if part.get("decision") == "undecided":
        return "undecided"
    return "acceptable" if part["acceptable"] else "NOT acceptable"


def _deciding_interval(result: ResultDict) -> str:
    kind = result["quasi"].get("interval")
    if kind is None:
        return ""
    observed = (
        "The limits of the observed risk decide. They need no model of leaks, only independent documents. "
        "Direct identifiers are judged without the chance of an attempt."
    )
    if kind == "observed":
        return observed
    if result["direct"].get("interval") == "observed":
        return f"{observed} Without documents, the risk from quasi-identifiers is that of the model."
    return f"For quasi-identifiers, the interval for the {INTERVALS[kind]} decides ({kind})."


def bar_lines(result: ResultDict) -> list[str]:
    """For a terminal: direct risk and benchmark on one scale, quasi-identifiers on their own scale."""
    direct, quasi, benchmark = result["direct"], result["quasi"], result["benchmark"]
    lines = [""]
    if direct["value"] is not None:
        top = max(direct["high"], benchmark["high"])
        limit = direct["threshold"]
        lines.append(_bar("Direct", direct, limit=limit, top=top))
        lines.append(_bar("Benchmark", benchmark, limit=None, top=top))
    if quasi["value"] is not None:
        top = max(quasi["high"], quasi["threshold"])
        lines.append(_bar("Quasi", quasi, limit=quasi["threshold"], top=top))
    key = "[--o--] lower limit, mean, upper limit;  | largest acceptable upper limit"
    return [*lines, INDENT + key] if len(lines) > 1 else []


def _bar(name: str, part: ResultDict, *, limit: float | None, top: float) -> str:
    drawn = bar(part["low"], part["value"], part["high"], limit=limit, top=top)
    return f"{INDENT}{name:<10} 0 {drawn} {probability(top)}"


def groups(result: ResultDict) -> Table | None:
    """The risks and the verdict of each group of documents; None without groups."""
    found = result.get("document_groups") or []
    if not found:
        return None
    return Table(
        "By group of documents",
        (
            "Each group is evaluated separately. Small groups have wide intervals: a group may be "
            "undecided only because it has too few documents."
        ),
        (
            Column("group"),
            Column("documents", is_number=True, short="docs"),
            Column("direct", is_number=True),
            Column("interval", is_number=True),
            Column("quasi", is_number=True),
            Column("interval", is_number=True),
            Column("direct leaks", is_number=True),
            Column("acceptable"),
        ),
        tuple(_group_row(group) for group in found),
        _group_note(found),
    )


def _group_row(group: ResultDict) -> tuple[str, ...]:
    if group["direct"] is None or group["quasi"] is None:
        return (
            group["group"],
            count(group["documents"]),
            *(MISSING,) * 5,
            "not evaluated",
        )
    leaking = group["observed"]["documents_with_direct_leak"]
    return (
        group["group"],
        count(group["documents"]),
        *(text for role in ("direct", "quasi") for text in (_value(group[role]), span(group[role]))),
        f"{count(leaking)} ({percent(leaking / group['documents'])})",
        "undecided" if group.get("decision") == "undecided" else "yes" if group["acceptable"] else "NO",
    )


def _value(part: ResultDict) -> str:
    return probability(part["value"])


def _group_note(found: list[ResultDict]) -> str:
    empty = sum(group["direct"] is None for group in found)
    return "" if not empty else f"Groups without identifiers in the gold standard: {count(empty)}."


def strata(result: ResultDict) -> Table | None:
    """The risk in each stratum alone; None without strata."""
    found = result.get("strata") or []
    if not found:
        return None
    return Table(
        "Strata",
        "The risk in each stratum alone, and its share of the release. The verdict is about all together.",
        (
            Column("stratum"),
            Column("documents", is_number=True, short="docs"),
            Column("share", is_number=True),
            Column("direct", is_number=True),
            Column("interval", is_number=True),
            Column("quasi", is_number=True),
            Column("interval", is_number=True),
        ),
        tuple(
            (
                one["stratum"],
                count(one["documents"]),
                percent(one["share"]),
                *(
                    text
                    for role in ROLES
                    for text in ((MISSING, MISSING) if one[role] is None else _estimate(one[role]))
                ),
            )
            for one in found
        ),
    )


def clusters(result: ResultDict) -> Facts | None:
    """The clusters that were named, or groups of documents that leak alike."""
    named, likely = result.get("clusters"), result.get("likely_clusters")
    if named is not None:
        needed = ", ".join(
            f"{count(number)} ({ROLES[role].lower()})"
            for role, number in named["needed_without_leaks"].items()
            if number is not None
        )
        facts: tuple[Fact, ...] = (
            Fact("clusters", count(named["number"]), "each counts as one draw"),
            Fact("largest cluster", f"{count(named['largest'])} documents"),
            Fact("clusters needed if nothing leaks", needed or MISSING, "for clusters of equal size"),
        )
        return Facts("Clusters", "Documents of one cluster may leak alike, whatever the correlation.", facts)
    if likely is None:
        return None
    facts = tuple(
        Fact(
            ROLES[role].lower(),
            f"p = {likely[role]['p']:.2g}",
            ""
            if likely[role]["limits"] is None
            else f"with these groups as clusters: upper limit {_high(likely[role]['limits'])}",
        )
        for role in ROLES
        if role in likely
    )
    return Facts(
        "Groups of similar ids",
        f"The ids show {count(likely['groups'])} groups of documents. A small p means that documents of a "
        "group leak alike, so that they should be named as clusters.",
        facts,
    )


def gates(result: ResultDict) -> Table:
    """For each type, whether recognition below 1 may be used, under both rules."""
    return Table(
        "Gates",
        (
            "Surrogates hide a leak only if the tool misses few identifiers. Recognition below 1 is used "
            "for a type only if its recall reaches the cutoff, as observed or significantly."
        ),
        (
            Column("type"),
            Column("role"),
            Column("documents", is_number=True),
            Column("recall", is_number=True),
            Column("cutoff", is_number=True),
            Column("leaks, upper limit", is_number=True),
            Column("as observed"),
            Column("significantly"),
            Column("applied"),
        ),
        tuple(_gate_row(row) for row in result["gates"]),
        "Recognition is 1 here. Every leak counts fully, and gates have no effect."
        if is_recognition_certain(result)
        else _gate_levels(result["gates"]),
    )


def _gate_levels(rows: Sequence[ResultDict]) -> str:
    """At which levels the upper limits of the leaks were computed; empty where another rule decides."""
    levels = sorted({row["level"] for row in rows if row.get("level") is not None})
    if len(levels) < 2:
        return f"Upper limits of leaks at {level(levels[0])}." if levels else ""
    shared = size([row for row in rows if row["level"] == levels[-1]])
    return (
        f"Upper limits of leaks at {level(levels[0])}; at {level(levels[-1])} for the {count(shared)} direct "
        "types that are tested together, because each of their gates could open by chance."
    )


def _gate_row(row: ResultDict) -> tuple[str, ...]:
    applied = "varies by draw" if row["applied"] is None else open_or_closed(is_open=row["applied"])
    states = open_or_closed(is_open=row["observed"]), open_or_closed(is_open=row["significant"]), applied
    return (
        row["type"],
        row["role"],
        count(row["documents"]),
        percent(row["recall"]),
        percent(row["cutoff"]),
        MISSING if row.get("upper_leak") is None else percent(row["upper_leak"]),
        *states,
    )


def rules(result: ResultDict) -> Table:
    """The risks under each gate rule, side by side."""
    rows = tuple(
        (
            rule + (" (applied)" if rule == result["settings"]["gate"] else ""),
            *(_high(given[role]) for role in ROLES),
            _verdict_word(given),
        )
        for rule, given in result["gate_comparison"].items()
    )
    return Table(
        "Gate rules",
        (
            "The upper limit of each risk if recognition is used wherever recall reaches the cutoff "
            "(observed), or only where it does so significantly (significant); also with every gate closed "
            "(never), and with every gate open (always) if a recall is close to the cutoff."
        ),
        (
            Column("rule"),
            Column("direct, upper limit", is_number=True),
            Column("quasi, upper limit", is_number=True),
            Column("verdict"),
        ),
        rows,
        "" if rules_differ(result) else "The rules give the same risks here.",
    )


def rules_differ(result: ResultDict) -> bool:
    """Whether the gate rules give different risks."""
    first, *others = result["gate_comparison"].values()
    return any(other != first for other in others)


def _rules_that_differ(result: ResultDict) -> Table | None:
    return None if is_recognition_certain(result) or not rules_differ(result) else rules(result)


def _high(estimate: ResultDict | None) -> str:
    return MISSING if estimate is None else probability(estimate["high"])


def crosscheck(result: ResultDict) -> str:
    """How far the upper limits of a second engine differ, in one sentence."""
    checks = result["crosschecks"]
    if not checks:
        return "The upper limits of the model were not checked with a second engine."
    found = ", ".join(
        f"{round(100 * check['difference'], 2) + 0.0:+.2f} % ({check['role']})" for check in checks
    )
    return f"Check: the model's upper limits by the {checks[0]['engine']} engine differ by {found}."


def _checked_counts(result: ResultDict) -> Table:
    """Modeled risk and observed leaks, with the check by a second engine."""
    table = text_counts.modeled_and_observed(result)
    return replace(table, note=f"{table.note} {crosscheck(result)}".strip())


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Both risks, recall by type, and leaks per document."""
    return _direct_chart(result), _quasi_chart(result), recall_chart(result), leaks_chart(result)


def _direct_chart(result: ResultDict) -> Chart:
    title, part, benchmark = (
        "Risk from direct identifiers",
        result["direct"],
        result["benchmark"],
    )
    if part["value"] is None:
        return no_chart("direct", title, part["reason"])
    rows = (
        _interval("This tool", part, decides=True),
        _interval("Benchmark", benchmark, decides=False),
    )
    return Chart(
        "direct",
        title,
        (
            f"Dots are means, lines are {level(part['level'])} intervals. The tool passes if its interval "
            "ends before the dashed line, the upper limit of the benchmark."
        ),
        f"{_in_words(rows)} {_relation(part, 'the upper limit of the benchmark')}",
        intervals.height(len(rows)),
        partial(
            draw_intervals,
            rows=rows,
            limit=part["threshold"],
            limit_name="benchmark limit",
        ),
    )


def _quasi_chart(result: ResultDict) -> Chart:
    title, part = "Risk from quasi-identifiers", result["quasi"]
    if part["value"] is None:
        return no_chart("quasi", title, part["reason"])
    rows = [_interval(INTERVALS[part["interval"]].capitalize(), part, decides=True)]
    if "model" in part:
        own = part["model"]
        rows.append(_interval(f"Model: {INTERVALS[own['interval']]}", own, decides=False))
    elif "other_interval" in part:
        other = part["other_interval"]
        rows.append(_interval(INTERVALS[other["interval"]].capitalize(), other, decides=False))
    axis = intervals.axis_for(rows, part["threshold"])
    scale = (
        " The scale is logarithmic, because the risk is small compared with the threshold."
        if axis.is_log
        else ""
    )
    return Chart(
        "quasi",
        title,
        f"The bold interval decides. It must end before the dashed line, the threshold.{scale}",
        f"{_in_words(rows)} {_relation(part, 'the threshold')}",
        intervals.height(len(rows)),
        partial(draw_intervals, rows=rows, limit=part["threshold"], limit_name="threshold"),
    )


def _interval(name: str, part: ResultDict, *, decides: bool) -> Interval:
    return Interval(name, part["value"], part["low"], part["high"], decides)


def _in_words(rows: Iterable[Interval]) -> str:
    return " ".join(f"{row.name}: mean {row.label}." for row in rows)


def _relation(part: ResultDict, what: str) -> str:
    relation = "does not exceed" if part["acceptable"] else "exceeds"
    return f"The upper limit {probability(part['high'])} {relation} {what}, {probability(part['threshold'])}."


def _comparable(results: Sequence[ResultDict]) -> str:
    """A caution if the results are based on different data or settings."""
    grounds = {(result["settings"].get("gold"), result["documents"]) for result in results}
    releases = {
        str((result["settings"]["release"], result["threshold"], result["settings"]["profile"]))
        for result in results
    }
    found = []
    if len(grounds) > 1:
        found.append("The results are based on different gold standards and cannot be compared.")
    if len(releases) > 1:
        found.append("The results differ in release, threshold or profile.")
    return " ".join(found)


def _leaves(result: ResultDict) -> str:
    is_removed = result["settings"]["release"]["treatment"] == "redaction"
    done = "identifiers removed" if is_removed else "identifiers replaced by invented ones"
    return f"{done}; {counted(result['documents'], 'document')} examined"


def _key(result: ResultDict) -> Iterable[Block]:
    return (*(Notice(text) for text in result["warnings"]), risks(result), Pictures((recall_chart(result),)))


def _initial(result: ResultDict) -> Iterable[Block]:
    text = (
        "The original texts identify their patients directly. The figures below show how many values could "
        "leak."
    )
    return Prose((text,)), text_counts.quasi_model(result)


def _measures(result: ResultDict) -> Iterable[Block]:
    text = (
        "A de-identification tool masked identifiers in the texts. The tables show how many it caught, "
        "compared with the annotations made by people."
    )
    return Prose((text,)), text_counts.recall_by_type(result), text_counts.conventional_measures(result)


def _final(result: ResultDict) -> Iterable[Block]:
    return (
        *(Notice(text) for text in result["warnings"]),
        risks(result),
        Pictures((_direct_chart(result), _quasi_chart(result))),
        text_counts.modeled_and_observed(result),
        Pictures((recall_chart(result), leaks_chart(result))),
    )


def _utility(result: ResultDict) -> Iterable[Block]:
    text = (
        "Masking more than necessary makes texts less useful. Precision is the share of masked words that "
        "needed masking."
    )
    return Prose((text,)), text_counts.conventional_measures(result)


KIND = Kind(
    title="Re-identification risk of de-identified text",
    name_of=name_of,
    about=about,
    headline=headline,
    verdict=verdict,
    warnings=warnings,
    notes=lambda _: (),
    charts=charts,
    names=titles,
    shows=(
        Show(risks),
        only_in_terminal(bar_lines),
        Show(text_improvements.needed_recalls, lines=text_improvements.improvement_lines),
        Show(clusters, terminal=False),
        Show(strata),
        Show(groups, terminal=False),
        Show(text_counts.ambiguous_places, terminal=False),
        Show(text_counts.misaligned_annotations, terminal=False),
        Show(text_counts.recall_by_type, terminal=text_counts.lowest_recalls),
        Show(gates, terminal=False),
        Show(rules, terminal=_rules_that_differ),
        Show(groups, page=False),
        Show(text_counts.ambiguous_places, page=False),
        Show(text_counts.misaligned_annotations, page=False),
        Show(_checked_counts, terminal=text_counts.modeled_and_observed),
        Show(text_counts.quasi_model, lines=text_counts.quasi_model_lines),
        Show(text_counts.conventional_measures_of_documents, lines=text_counts.measure_lines),
        Show(text_counts.type_mapping_of_documents, lines=text_counts.mapping_lines),
        only_in_terminal(warning_lines),
        Show(text_settings.all_settings, lines=text_settings.setting_lines),
        only_in_terminal(lambda result: wrap(crosscheck(result))),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The upper limits of both risks, the largest acceptable values, and the share of masked words that "
        "needed masking.",
        "tool",
        (
            (Column("direct, upper limit", is_number=True), lambda result: _high(result["direct"])),
            (
                Column("benchmark, upper limit", is_number=True),
                lambda result: probability(result["direct"]["threshold"]),
            ),
            (Column("quasi, upper limit", is_number=True), lambda result: _high(result["quasi"])),
            (Column("threshold", is_number=True), lambda result: probability(result["quasi"]["threshold"])),
            (Column("verdict"), lambda result: verdict(result).word),
            (Column("precision", is_number=True), lambda result: percent(result["precision"])),
        ),
        note=_comparable,
    ),
    leaves=_leaves,
    chapters=Chapters(
        key=_key,
        initial=_initial,
        measures=_measures,
        final=_final,
        sensitivity=lambda result: (rules(result), gates(result)),
        identifiers=lambda result: (text_counts.type_mapping(result),),
        utility=_utility,
        settings=lambda result: (text_settings.all_settings(result),),
        formulas=("observed", "direct", "quasi", "limits"),
    ),
)

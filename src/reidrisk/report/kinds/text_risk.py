"""The re-identification risk of de-identified text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from reidrisk.report.blocks import text_counts, text_improvements, text_settings
from reidrisk.report.blocks.settings import versions
from reidrisk.report.blocks.text_counts import (
    ROLES,
    is_recognition_certain,
    leaks_chart,
    level_of,
    no_chart,
    open_or_shut,
    recall_chart,
)
from reidrisk.report.blocks.text_guide import GUIDE
from reidrisk.report.charts import intervals
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, only_in_terminal, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, level, percent, probability, span
from reidrisk.report.parts import Column, Table, Verdict
from reidrisk.report.plain_text import INDENT, bar, heading, wrapped
from reidrisk.report.section import numbered

INTERVALS = {
    "parameter": "uncertainty of the mean risk",
    "per_document": "risk of a random document",
}


def name_of(result: ResultDict) -> str:
    """The tool, by the last part of its path."""
    return short_path(str(result["settings"].get("tool", "tool output")))


def titles(results: Sequence[ResultDict]) -> list[str]:
    """The tools' names; where one occurs twice, with profile and number."""
    plain = [name_of(result) for result in results]
    if len(set(plain)) == len(plain):
        return plain
    profiled = [
        f"{name} ({result['settings']['profile']})" for name, result in zip(plain, results, strict=True)
    ]
    return numbered(profiled)


def about(result: ResultDict) -> str:
    """What was measured on what."""
    settings = result["settings"]
    gold = short_path(str(settings.get("gold", "the gold standard")))
    release = settings["release"]
    return (
        f"Judged on {gold}, {count(result['documents'])} documents. Profile: {settings['profile']}. "
        f"Release: {release['access'].replace('_', '-')}, {release['treatment']}."
    )


def headline(result: ResultDict) -> str:
    """The first line of the terminal."""
    gold = short_path(str(result["settings"].get("gold", "gold standard")))
    documents = f"{count(result['documents'])} documents"
    if result["records"] != result["documents"]:
        documents += f" from {count(result['records'])} records"
    return f"Risk of re-identification left by {name_of(result)}, judged on {gold} ({documents})"


def warnings(result: ResultDict) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    return (*result["warnings"], *result["notes"])


def warning_lines(result: ResultDict) -> list[str]:
    """For the terminal: the warnings below the tables."""
    found = warnings(result)
    if not found:
        return []
    lines = heading("Warnings", "What a statistician would ask about.")
    for warning in found:
        lines += wrapped(warning, first="  ! ", rest=INDENT * 2)
    return lines


def verdict(result: ResultDict) -> Verdict:
    """The verdict with a sentence a risk; a risk that was not evaluated speaks as the settings say."""
    return Verdict(result["acceptable"], reasons_of(result))


def risks(result: ResultDict) -> Table:
    """Both risks, the other interval, and the benchmark."""
    rows = []
    for role, title in ROLES.items():
        part = result[role]
        rows.append((title, *_estimate(part), probability(part["threshold"]), *_outcome(part)))
        if "other_interval" in part:
            other = part["other_interval"]
            rows.append(
                (
                    f"  {INTERVALS[other['interval']]}",
                    *_estimate(other),
                    "",
                    "does not decide",
                    "",
                )
            )
        if role == "direct":
            rows.append(
                (
                    "  benchmark",
                    *_estimate(result["benchmark"]),
                    "",
                    "sets the limit",
                    "",
                )
            )
    reasons = [result[role]["reason"] for role in ROLES if result[role].get("reason")]
    return Table(
        "Risk",
        ("The probability that a document is re-identified. The upper limit of the interval decides."),
        (
            Column("risk from"),
            Column("mean", is_number=True),
            Column(f"{level_of(result)} interval", is_number=True),
            Column("limit", is_number=True),
            Column("verdict"),
            Column("plug-in", is_number=True),
        ),
        tuple(rows),
        " ".join([_deciding(result), *reasons]).strip(),
    )


def bar_lines(result: ResultDict) -> list[str]:
    """For the terminal: direct risk and benchmark on one scale, quasi-identifiers on their own."""
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
    key = "[--o--] lower limit, mean, upper limit;  | what the upper limit must not exceed"
    return [*lines, INDENT + key] if len(lines) > 1 else []


def _bar(name: str, part: ResultDict, *, limit: float | None, top: float) -> str:
    drawn = bar(part["low"], part["value"], part["high"], limit=limit, top=top)
    return f"{INDENT}{name:<10} 0 {drawn} {probability(top)}"


def gates(result: ResultDict) -> Table:
    """Whether recognition may count, by type and under both rules."""
    return Table(
        "Gates",
        (
            "Surrogates hide a leak only where the tool misses few. Recognition below 1 counts "
            "for a type whose recall reaches the cutoff: as observed, or significantly."
        ),
        (
            Column("type"),
            Column("role"),
            Column("documents", is_number=True),
            Column("recall", is_number=True),
            Column("cutoff", is_number=True),
            Column("as observed"),
            Column("significantly"),
            Column("applied"),
        ),
        tuple(_gate(row) for row in result["gates"]),
        "Recognition is 1 here: every leak counts in full, and the gates change nothing."
        if is_recognition_certain(result)
        else "",
    )


def rules_differ(result: ResultDict) -> bool:
    """Whether the gate rules that are compared give different risks."""
    first, *others = result["gate_comparison"].values()
    return any(other != first for other in others)


def rules(result: ResultDict) -> Table:
    """The risks under the gate rules, side by side."""
    rows = tuple(
        (
            rule + (" (applied)" if rule == result["settings"]["gate"] else ""),
            *(_high(given[role]) for role in ROLES),
            _word(acceptable=given["acceptable"]),
        )
        for rule, given in result["gate_comparison"].items()
    )
    return Table(
        "Gate rules",
        (
            "The upper limit of each risk if recognition counts wherever recall reaches the "
            "cutoff (observed), or only where it does so significantly; where a recall is near "
            "the cutoff, also with every gate open (always) and shut (never)."
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


def _rules_that_differ(result: ResultDict) -> Table | None:
    return None if is_recognition_certain(result) or not rules_differ(result) else rules(result)


def crosscheck(result: ResultDict) -> str:
    """What another engine found for the upper limits, in one sentence."""
    checks = result["crosschecks"]
    if not checks:
        return "No second engine was run."
    found = ", ".join(
        f"{check['role']} {round(100 * check['difference'], 2) + 0.0:+.2f} %" for check in checks
    )
    return f"Upper limits as the {checks[0]['engine']} engine finds them, relative to those shown: {found}."


def _estimate(part: ResultDict) -> tuple[str, str]:
    return probability(part["value"]), span(part)


def _outcome(part: ResultDict) -> tuple[str, str]:
    return _word(acceptable=part["acceptable"]), probability(part["plug_in"])


def _word(*, acceptable: bool | None) -> str:
    if acceptable is None:
        return "not evaluated"
    return "acceptable" if acceptable else "NOT acceptable"


def _deciding(result: ResultDict) -> str:
    kind = result["quasi"].get("interval")
    if kind is None:
        return ""
    return f"Deciding interval for quasi-identifiers: {INTERVALS[kind]} ({kind})."


def _gate(row: ResultDict) -> tuple[str, ...]:
    applied = "by draw" if row["applied"] is None else open_or_shut(is_open=row["applied"])
    states = open_or_shut(is_open=row["observed"]), open_or_shut(is_open=row["significant"]), applied
    return (
        row["type"],
        row["role"],
        count(row["documents"]),
        percent(row["recall"]),
        percent(row["cutoff"]),
        *states,
    )


def _high(estimate: ResultDict | None) -> str:
    return MISSING if estimate is None else probability(estimate["high"])


def groups(result: ResultDict) -> Table | None:
    """Every group with its risks and its verdict; None where no grouping was asked for."""
    found = result.get("document_groups") or []
    if not found:
        return None
    return Table(
        "By group of documents",
        (
            "Each group judged on its own. Small groups have wide intervals: what is not "
            "acceptable may only be unknown."
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
        tuple(_row(group) for group in found),
        _note(found),
    )


def _row(group: ResultDict) -> tuple[str, ...]:
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
        "yes" if group["acceptable"] else "NO",
    )


def _value(part: ResultDict) -> str:
    return probability(part["value"])


def _note(found: list[ResultDict]) -> str:
    empty = sum(group["direct"] is None for group in found)
    return "" if not empty else f"{count(empty)} without any identifier in the gold standard."


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The four charts in their order."""
    return _direct_chart(result), _quasi_chart(result), recall_chart(result), leaks_chart(result)


def _direct_chart(result: ResultDict) -> Chart:
    title, part, benchmark = (
        "Direct identifiers against the benchmark",
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
            f"Dots are means, lines {level(part['level'])} intervals. The tool passes if its "
            "line ends before the dashed line, where the benchmark's ends."
        ),
        f"{_in_words(rows)} {_relation(part, 'the upper limit of the benchmark')}",
        intervals.height(len(rows)),
        partial(
            draw_intervals,
            rows=rows,
            limit=part["threshold"],
            limit_name="benchmark's upper limit",
        ),
    )


def _quasi_chart(result: ResultDict) -> Chart:
    title, part = "Quasi-identifiers against the threshold", result["quasi"]
    if part["value"] is None:
        return no_chart("quasi", title, part["reason"])
    rows = [_interval(INTERVALS[part["interval"]].capitalize(), part, decides=True)]
    if "other_interval" in part:
        other = part["other_interval"]
        rows.append(_interval(INTERVALS[other["interval"]].capitalize(), other, decides=False))
    axis = intervals.axis_for(rows, part["threshold"])
    scale = (
        (" " + "The scale is logarithmic, since the risk is small beside the threshold.")
        if axis.is_log
        else ""
    )
    return Chart(
        "quasi",
        title,
        (f"The bold interval decides. It must end before the dashed line, the threshold.{scale}"),
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


def _counts(result: ResultDict) -> Table:
    """Model and plain counts, with what another engine found."""
    table = text_counts.model_free(result)
    return replace(table, note=f"{table.note} {crosscheck(result)}".strip())


def _comparable(results: Sequence[ResultDict]) -> str:
    """A word of caution where the results do not rest on the same ground."""
    grounds = {(result["settings"].get("gold"), result["documents"]) for result in results}
    releases = {
        str((result["settings"]["release"], result["threshold"], result["settings"]["profile"]))
        for result in results
    }
    found = []
    if len(grounds) > 1:
        found.append("The results rest on different gold standards: they cannot be compared with each other.")
    if len(releases) > 1:
        found.append("Release, threshold or profile differ between the results.")
    return " ".join(found)


def _initial(result: ResultDict) -> Iterable[Block]:
    text = (
        "Texts as they were written name the patients in them: whoever reads them knows "
        "who is meant. What counts is how many values there are that could leak."
    )
    return Prose((text,)), text_counts.quasi_model(result)


def _measures(result: ResultDict) -> Iterable[Block]:
    text = (
        "A de-identification tool masked the texts. The tables say how much it caught, "
        "against what people had marked."
    )
    return Prose((text,)), text_counts.by_type(result), text_counts.measures(result)


def _final(result: ResultDict) -> Iterable[Block]:
    return (
        *(Notice(text) for text in result["warnings"]),
        risks(result),
        Pictures((_direct_chart(result), _quasi_chart(result))),
        text_counts.model_free(result),
        Pictures((recall_chart(result), leaks_chart(result))),
    )


def _utility(result: ResultDict) -> Iterable[Block]:
    text = (
        "Masking more than needed costs usefulness. Precision is the share of what was masked that had to be."
    )
    return Prose((text,)), text_counts.measures(result)


KIND = Kind(
    title="Risk of re-identification in de-identified text",
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
        Show(text_improvements.by_type, lines=text_improvements.lines),
        Show(groups, terminal=False),
        Show(text_counts.doubtful_places, terminal=False),
        Show(text_counts.by_type, terminal=text_counts.worst_recalls),
        Show(gates, terminal=False),
        Show(rules, terminal=_rules_that_differ),
        Show(groups, page=False),
        Show(text_counts.doubtful_places, page=False),
        Show(_counts, terminal=text_counts.model_free),
        Show(text_counts.quasi_model, lines=text_counts.quasi_model_lines),
        Show(text_counts.measures, lines=text_counts.measure_lines),
        Show(text_counts.mapping, lines=text_counts.mapping_lines),
        only_in_terminal(warning_lines),
        Show(text_settings.everything, lines=text_settings.setting_lines),
        only_in_terminal(lambda result: wrapped(crosscheck(result))),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The upper limits of both risks, the limits that they are held against, and how much of what was "
        "masked had to be.",
        "tool",
        (
            (Column("direct, upper limit", is_number=True), lambda result: _high(result["direct"])),
            (
                Column("benchmark's upper limit", is_number=True),
                lambda result: probability(result["direct"]["threshold"]),
            ),
            (Column("quasi, upper limit", is_number=True), lambda result: _high(result["quasi"])),
            (Column("threshold", is_number=True), lambda result: probability(result["quasi"]["threshold"])),
            (Column("verdict"), lambda result: verdict(result).word),
            (Column("precision", is_number=True), lambda result: percent(result["precision"])),
        ),
        note=_comparable,
    ),
    chapters=Chapters(
        initial=_initial,
        measures=_measures,
        final=_final,
        sensitivity=lambda result: (rules(result), gates(result)),
        identifiers=lambda result: (text_counts.mapping(result),),
        utility=_utility,
        settings=lambda result: (text_settings.everything(result),),
        formulas=("direct", "quasi", "limits"),
    ),
)

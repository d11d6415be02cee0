"""A text evaluation in the terminal: the verdict first, then what it rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reidrisk.report.content import text_alignment, text_counts, text_groups, text_improvements, text_settings
from reidrisk.report.content import text_risk as content
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import INDENT, bar, fact_lines, heading, table_lines, verdict_lines, wrapped

MOST_TYPES = 16
"""Rows of the recall table; the page shows all."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    lines = [
        *wrapped(_title(result), first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *table_lines(content.risks(result)),
        *_bars(result),
        *_improvements(result),
        *table_lines(_recall(result)),
        *(table_lines(content.rules(result)) if _gates_matter(result) else ()),
        *(table_lines(table) if (table := text_groups.groups(result)) else ()),
        *(table_lines(table) if (table := text_alignment.doubtful_places(result)) else ()),
        *table_lines(text_counts.model_free(result)),
        *wrapped(_inputs(result)),
        *_measures(result),
        *_mapping(result),
        *_warnings(result),
        *_settings(result),
    ]
    return "\n".join(lines)


def _improvements(result: dict[str, Any]) -> list[str]:
    said = text_improvements.sentences(result)
    if not said:
        return []
    lines = heading(text_improvements.TITLE, "The least change; the page has every type.")
    for sentence in said:
        lines += wrapped(sentence, rest=INDENT * 2)
    return lines


def _title(result: dict[str, Any]) -> str:
    gold = content.short_path(str(result["settings"].get("gold", "gold standard")))
    documents = f"{count(result['documents'])} documents"
    if result["records"] != result["documents"]:
        documents += f" from {count(result['records'])} records"
    return f"Risk of re-identification left by {content.name_of(result)}, judged on {gold} ({documents})"


def _bars(result: dict[str, Any]) -> list[str]:
    """Direct risk and benchmark on one scale, quasi-identifiers on their own."""
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


def _bar(name: str, part: dict[str, Any], *, limit: float | None, top: float) -> str:
    drawn = bar(part["low"], part["value"], part["high"], limit=limit, top=top)
    return f"{INDENT}{name:<10} 0 {drawn} {probability(top)}"


def _gates_matter(result: dict[str, Any]) -> bool:
    return not content.is_recognition_certain(result) and content.rules_differ(result)


def _recall(result: dict[str, Any]) -> Table:
    table = text_counts.by_type(result)
    types = len(result["by_type"])
    rows, groups = table.rows[:types], table.rows[types:]
    if not content.is_recognition_certain(result):
        states = {(row["type"], row["role"]): _state(row) for row in result["gates"]}
        pooled = next((_state(row) for row in result["gates"] if row["role"] == "quasi"), "")
        rows = tuple((*row, states.get((row[0], row[1]), "")) for row in rows)
        groups = tuple((*row, pooled if row[1] == "quasi" else "") for row in groups)
        gate = Column("gate", short="gate obs/sig")
        table = replace(table, columns=(*table.columns, gate), explanation=table.explanation + _GATE)
    left = types - MOST_TYPES
    note = (
        f"{table.note} {left} more types, none worse in its role, are on the page."
        if left > 0
        else table.note
    )
    return replace(table, rows=_worst(rows) + groups, note=note.strip())


_GATE = (
    " A gate lets recognition below 1 count: recall reaches the cutoff as observed (obs), or significantly "
    "(sig)."
)


def _state(row: dict[str, Any]) -> str:
    return "/".join(content.open_or_shut(is_open=row[rule]) for rule in ("observed", "significant"))


def _worst(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """As many rows as fit, the worst of each role in turn."""
    by_role = [[row for row in rows if row[1] == role] for role in content.ROLES]
    spare = max(MOST_TYPES - min(len(part) for part in by_role), MOST_TYPES // 2)
    return tuple(row for part in by_role for row in part[:spare])


def _inputs(result: dict[str, Any]) -> str:
    facts = text_counts.quasi_model(result).facts
    return "Quasi-identifier model: " + "; ".join(f"{fact.name} {fact.value}" for fact in facts) + "."


def _measures(result: dict[str, Any]) -> list[str]:
    masking, labelled = result["masking"], result["labelled"]["micro"]
    words = ", ".join(f"{name} {percent(masking[key])}" for name, key in _MEASURES)
    lines = heading("Conventional measures", "How well the tool works; no statement about risk.")
    reason = " (the tool masked nothing)" if masking["precision"] is None else ""
    lines += wrapped(f"Words masked, any label: {words}{reason}.")
    if labelled is None:
        return lines + wrapped(f"Right label required: n/a. {result['labelled']['reason']}")
    scores = ", ".join(f"{name} {percent(labelled[key])}" for name, key in _MEASURES[:3])
    return lines + wrapped(f"Right label required: {scores}.")


_MEASURES = (("precision", "precision"), ("recall", "recall"), ("F1", "f1"), ("F2", "f2"))


def _mapping(result: dict[str, Any]) -> list[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for row in result["type_map"]:
        name = row["type"] if row["type"] == row["counted_as"] else f"{row['type']} as {row['counted_as']}"
        groups.setdefault((row["role"], row["source"]), []).append(name)
    lines = heading("Types", "What the annotations of the gold standard counted as, and who said so.")
    for (role, source), names in sorted(groups.items()):
        lines += wrapped(f"{role} (according to {source}): {', '.join(names)}", rest=INDENT * 2)
    return lines


def _warnings(result: dict[str, Any]) -> list[str]:
    found = [*result["warnings"], *result["notes"]]
    if not found:
        return []
    lines = heading("Warnings", "What a statistician would ask about.")
    for warning in found:
        lines += wrapped(warning, first="  ! ", rest=INDENT * 2)
    return lines


def _settings(result: dict[str, Any]) -> list[str]:
    chosen = text_settings.chosen(result)
    changed = text_settings.changed(result["settings"])
    marked = tuple(
        Fact(f"{fact.name} (changed)", fact.value) if fact.name in changed else fact for fact in chosen.facts
    )
    rest = () if changed else (Fact("all else", "as the profile has it"),)
    return [
        *fact_lines(Facts(chosen.title, chosen.explanation, marked + rest)),
        *wrapped(content.crosscheck(result)),
    ]

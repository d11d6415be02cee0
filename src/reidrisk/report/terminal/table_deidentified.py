"""A de-identified table in the terminal: the verdict first, then the way to it and what is released."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import (
    deidentified_events,
    deidentified_settings,
    deidentified_solutions,
    deidentified_utility,
)
from reidrisk.report.content import table_deidentified as content
from reidrisk.report.content import table_secrets as secrets
from reidrisk.report.content.deidentified_by_record import by_record, is_by_record
from reidrisk.report.names import ends_of
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column
from reidrisk.report.plain_text import grid, heading, table_lines, verdict_lines, wrapped
from reidrisk.report.terminal.table_transformed import step_lines
from reidrisk.report.terminal.table_utility import beside_risk_lines

BY_RECORD = "Share of the records in which each variable is released at which level."
MOST_NAMED = 8
MOST_NOTES = 5
"""Lines of each list; the page shows all."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    records = count(result["before"]["records"])
    lines = [
        *wrapped(f"De-identification of {content.name_of(result)} ({records} records)", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *_listed(content.alarms(result), "  !! "),
        *_conditions(result),
        *_loop(result),
        *_layout(result),
        *step_lines(result),
        *_named(result),
        *_risks(result),
        *_secrets(result),
        *(line for table in deidentified_events.blocks(result) for line in table_lines(table)),
        *_best(result),
        *beside_risk_lines(result.get("usefulness")),
        *_notes(result),
        *_settings(result),
    ]
    return "\n".join(lines)


def _secrets(result: dict[str, Any]) -> list[str]:
    tables = secrets.blocks(result["after"] or result["before"])
    return [line for table in tables for line in table_lines(table)]


def _listed(texts: tuple[str, ...] | list[str], mark: str) -> list[str]:
    return [line for text in texts for line in wrapped(text, first=mark, rest=" " * len(mark))]


def _conditions(result: dict[str, Any]) -> list[str]:
    if not result["conditions"]:
        return []
    return [*wrapped("Only on these conditions:"), *_listed(result["conditions"], "  - ")]


def _loop(result: dict[str, Any]) -> list[str]:
    lines = ["", "THE WAY TO THE THRESHOLD"]
    for rung in result["threshold_ladder"]:
        share = rung["suppressed_share"]
        verb = "have" if rung["outcome"] == "solution" else "would need"
        needed = "" if share is None else f", {percent(share)} of records {verb} suppressed cells"
        layout = f", {rung['layout']}" if rung["layout"] else ""
        detail = content.rung_detail(rung)
        said = "" if detail == content.NONE else f" {detail}"
        where = content.one_in(rung["probability"], rung["cell_size"])
        lines += wrapped(f"{where}: {rung['outcome']}{layout}{needed}.{said}", rest=" " * 6)
    return lines


def _layout(result: dict[str, Any]) -> list[str]:
    if not result["variables"] or result["solution"] is None:
        return []
    columns = (
        Column("variable"),
        Column("released as"),
        Column("level", is_number=True),
        Column("at most"),
        Column("values before", is_number=True),
        Column("after", is_number=True),
        Column("suppressed", is_number=True),
        Column("share", is_number=True),
    )
    rows = tuple(
        (
            ends_of(row["column"], 28),
            ends_of(row["level"] or content.NONE, 16),
            content.step_of(row),
            ends_of(content.most_of(row), 14),
            count(row["values_before"]),
            count(row["values_after"]),
            count(row["suppressed_cells"]),
            percent(row["suppressed_share"]),
        )
        for row in result["variables"]
    )
    said = wrapped(content.suppressed_in_all(result))
    return ["", "RECORD LAYOUT TO RELEASE", *grid(columns, rows), *said, *_by_record(result)]


def _by_record(result: dict[str, Any]) -> list[str]:
    return [
        line
        for table in by_record(result)
        for line in (
            *heading(table.title, BY_RECORD),
            *grid(table.columns[:2], tuple(row[:2] for row in table.rows)),
        )
    ]


def _named(result: dict[str, Any]) -> list[str]:
    found, sizes = result["named_solutions"], deidentified_solutions.sizes_of(result)
    if not found:
        return []
    first = found[:MOST_NAMED]
    shown = first + [row for row in found[MOST_NAMED:] if row["chosen"]]
    columns = (
        Column("solution"),
        *(Column(f"at 1/{size}", is_number=True) for size in sizes),
    )
    rows = tuple(
        (
            deidentified_solutions.title_of(row),
            *(deidentified_solutions.share_at(row, size).replace("✓", "ok") for size in sizes),
        )
        for row in shown
    )
    left = len(found) - len(shown)
    more = wrapped(f"{count(left)} more are on the page.") if left else []
    explanation = "Share of records that need suppressed cells; ok means within all limits."
    return [*heading("Solutions compared", explanation), *grid(columns, rows), *more]


def _risks(result: dict[str, Any]) -> list[str]:
    before, after = result["before"], result["after"]
    lines = ["", "RISK"]
    for name, part in (("before", before), ("after", after)):
        if part is not None:
            risk = part["prosecutor"]
            lines += wrapped(
                f"{name}: smallest class {count(part['smallest_class'])}, highest risk "
                f"{probability(risk['highest'])}, average {probability(risk['average'])}, "
                f"{percent(risk['share_above_threshold'])} of records above the threshold."
            )
    for name, part in (result["readings"] or {}).items():
        lines += wrapped(
            f"suppressed cell read as {name}: smallest class {count(part['smallest_class'])}, highest risk "
            f"{probability(part['highest'])}, {percent(part['share_above_threshold'])} above the threshold."
        )
    return lines


def _best(result: dict[str, Any]) -> list[str]:
    """Loss, proof and bound in running text."""
    solution, lattice = result["solution"], result["lattice"]
    counted = f"{count(lattice['evaluated'])} of {count(lattice['nodes'])} choices of levels were counted."
    if solution is None:
        return wrapped(counted)
    utility = "; ".join(f"{fact.name} {fact.value}" for fact in deidentified_utility.utility(result).facts)
    known = "proved to be the least" if solution["optimal"] else "NOT PROVED to be the least"
    lines = ["", "LOSS", *wrapped(f"{utility}.")]
    said = f"The loss of the levels is {known} ({solution['proof']}). {counted} {_candidates(result)}"
    walked = f" {counted}" if lattice["nodes"] > 1 else ""
    lines += wrapped(f"Found by {solution['proof']}.{walked}" if is_by_record(result) else said)
    how = solution["cell_suppression"]
    if how is not None:
        lines += wrapped(f"Suppressed cells: {deidentified_utility.bound_words(how)} ({how['method']}).")
    return lines


def _candidates(result: dict[str, Any]) -> str:
    number = len(result["candidates"])
    return f"{count(number)} candidate{'' if number == 1 else 's'} in all."


def _notes(result: dict[str, Any]) -> list[str]:
    notes = result["notes"]
    if not notes:
        return []
    left = len(notes) - MOST_NOTES
    more = wrapped(f"{count(left)} more are on the page.") if left > 0 else []
    return ["", "PLEASE NOTE", *_listed(notes[:MOST_NOTES], "  ! "), *more]


def _settings(result: dict[str, Any]) -> list[str]:
    said = result["settings"]
    parts = [
        f"threshold {content.threshold(result)} ({result['threshold']['reason']})",
        *(
            f"{name.replace('_', ' ')} {deidentified_settings.plain(said[name])}"
            for name in _SETTINGS
            if name in said
        ),
        f"seed {deidentified_settings.plain(result['seed'])}",
    ]
    lines = ["", "SETTINGS", *wrapped("; ".join(parts) + ".")]
    files = "; ".join(f"{name} {path}" for name, path in result["files"].items() if path)
    return lines + (wrapped(f"Written: {files}.") if files else [])


_SETTINGS = (
    "method",
    "suppress",
    "reading",
    "loss",
    "max_suppression",
    "max_cell_suppression",
    "ladder",
    "unit",
)

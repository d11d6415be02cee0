"""The codebook of a de-identified table: what those who receive it must know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reidrisk.report.content import deidentified_settings as settings
from reidrisk.report.content import deidentified_utility as utility
from reidrisk.report.content import steps
from reidrisk.report.content import table_deidentified as content
from reidrisk.report.content import table_risk as as_it_is
from reidrisk.report.content.deidentified_by_record import ways_of
from reidrisk.report.markdown import escaped, facts_text, list_text, table_text

NO_CONDITIONS = "None was named."
OWN = ("table", "out")
"""Settings that name folders of those who release; a codebook goes to others."""


def codebook_text(result: dict[str, Any]) -> str:
    """Markdown, from the dictionary of a `table_deidentified` result, or of a table that was transformed."""
    if result["kind"] == "table_risk":
        return _of_steps(result)
    sections = [
        ("Verdict", _verdict(result)),
        ("Threshold and conditions", _conditions(result)),
        ("Transformations", _steps(result)),
        ("Columns", table_text(settings.codebook(result))),
        ("Quasi-identifiers", table_text(content.layout(result))),
        ("Levels of each hierarchy", _levels(result)),
        ("Suppressed and missing values", _suppressed(result)),
        ("Notes", list_text(result["notes"])),
        ("Settings", _settings(result)),
    ]
    return _book(content.name_of(result), sections)


def _of_steps(result: dict[str, Any]) -> str:
    """What was done to a table that is otherwise as it was."""
    columns = steps.columns(result)
    sections = [
        ("Transformations", _steps(result)),
        ("Columns", table_text(columns) if columns else ""),
        ("Notes", list_text(result["step_notes"])),
    ]
    return _book(as_it_is.name_of(result), sections)


def _book(name: str, sections: Sequence[tuple[str, str]]) -> str:
    parts = [f"# Codebook of {escaped(name)}"]
    parts += [f"## {title}\n\n{body}" for title, body in sections if body]
    return "\n\n".join(parts) + "\n"


def _verdict(result: dict[str, Any]) -> str:
    verdict = content.verdict(result)
    said = f"**{escaped(verdict.word)}**"
    reasons = list_text([*content.alarms(result), *(reason.text for reason in verdict.reasons)])
    return f"{said}\n\n{reasons}" if reasons else said


def _conditions(result: dict[str, Any]) -> str:
    reason = escaped(result["threshold"]["reason"])
    text = f"Largest acceptable risk of a record: {content.threshold(result)} ({reason})."
    return f"{text} Conditions of the release:\n\n{list_text(result['conditions'] or [NO_CONDITIONS])}"


def _steps(result: dict[str, Any]) -> str:
    return table_text(steps.done(result)) if result.get("steps") else ""


def _levels(result: dict[str, Any]) -> str:
    return list_text(
        f"{row['column']}: {' → '.join(row['levels'])}. Released as: {_released_as(row)}."
        for row in result["variables"]
    )


def _released_as(row: dict[str, Any]) -> str:
    return ways_of(row) if row.get("level_shares") else row["level"] or "not released"


def _suppressed(result: dict[str, Any]) -> str:
    if result["solution"] is None:
        return ""
    parts = [
        escaped(content.suppressed_in_all(result)),
        list_text(settings.told_apart(result)),
        table_text(utility.per_record(result)),
        table_text(utility.readings(result)),
    ]
    return "\n\n".join(part for part in parts if part)


def _settings(result: dict[str, Any]) -> str:
    every = settings.settings(result)
    # Who has the file and the seed could undo what was drawn.
    hidden = (*OWN, settings.SEED, "steps") if result.get("steps") else OWN
    return facts_text(replace(every, facts=tuple(fact for fact in every.facts if fact.name not in hidden)))

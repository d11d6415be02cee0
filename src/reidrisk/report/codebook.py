"""The codebook of a de-identified table as Markdown: what its recipients need to know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reidrisk.core.audience import audience_text
from reidrisk.core.shared_figures import shared
from reidrisk.report.blocks import deidentified_release as release
from reidrisk.report.blocks import steps
from reidrisk.report.kinds import table_deidentified as deidentified
from reidrisk.report.kinds import table_risk
from reidrisk.report.parts import Facts, Table

NO_CONDITIONS = "None."
OWN = ("table", "out")
"""Settings that contain paths of the data holder; a codebook goes to recipients."""


def codebook_text(result: Mapping[str, Any]) -> str:
    """The codebook of a `table_deidentified` result, or of a transformed table, as Markdown.

    It goes to recipients, so it is made from the shared result.
    """
    shown = shared(result)
    return _of_steps(shown) if shown["kind"] == "table_risk" else _of_levels(shown)


def _of_levels(result: dict[str, Any]) -> str:
    """The codebook of a de-identified table."""
    sections = [
        ("Verdict", _verdict(result)),
        ("Threshold and conditions", _conditions(result)),
        ("Transformations", _steps(result)),
        ("Columns", table_text(release.codebook(result))),
        ("Quasi-identifiers", table_text(release.layout(result))),
        ("Levels of each hierarchy", _levels(result)),
        ("Suppressed and missing values", _suppression_text(result)),
        ("How the table was read", list_text(result["settings"].get("read_as") or [])),
        ("Notes", list_text(result["notes"])),
        ("Settings", _settings(result)),
    ]
    return _book(result, deidentified.name_of(result), sections)


def _of_steps(result: dict[str, Any]) -> str:
    """The codebook of a table that was only transformed."""
    sections = [
        ("Transformations", _steps(result)),
        ("How the table was read", list_text(result["settings"].get("read_as") or result["notes"])),
        ("Notes", list_text(result["step_notes"])),
    ]
    return _book(result, table_risk.name_of(result), sections)


def _book(result: dict[str, Any], name: str, sections: Sequence[tuple[str, str]]) -> str:
    audience = f"Audience: {escape_markdown(audience_text(result))}"
    parts = [f"# Codebook of {escape_markdown(name)}", audience]
    parts += [f"## {title}\n\n{body}" for title, body in sections if body]
    return "\n\n".join(parts) + "\n"


def _verdict(result: dict[str, Any]) -> str:
    verdict = deidentified.verdict(result)
    word = f"**{escape_markdown(verdict.word)}**"
    reasons = list_text([*deidentified.alarms(result), *(reason.text for reason in verdict.reasons)])
    return f"{word}\n\n{reasons}" if reasons else word


def _conditions(result: dict[str, Any]) -> str:
    reason = escape_markdown(result["threshold"]["reason"])
    text = f"Largest acceptable risk per record: {deidentified.threshold(result)} ({reason})."
    return f"{text} Conditions for the release:\n\n{list_text(result['conditions'] or [NO_CONDITIONS])}"


def _steps(result: dict[str, Any]) -> str:
    return table_text(steps.steps_table(result)) if result.get("steps") else ""


def _levels(result: dict[str, Any]) -> str:
    return list_text(
        f"{row['column']}: {' → '.join(row['levels'])}. Released as: {_released_as(row)}."
        for row in result["variables"]
    )


def _released_as(row: dict[str, Any]) -> str:
    return release.level_shares_text(row) if row.get("level_shares") else row["level"] or "not released"


def _suppression_text(result: dict[str, Any]) -> str:
    if result["solution"] is None:
        return ""
    parts = [
        escape_markdown(release.suppression_sentence(result)),
        list_text(release.missing_or_suppressed(result)),
    ]
    return "\n\n".join(part for part in parts if part)


def _settings(result: dict[str, Any]) -> str:
    every = deidentified.settings(result)
    hidden = (*OWN, "read_as")
    return facts_text(replace(every, facts=tuple(fact for fact in every.facts if fact.name not in hidden)))


_MARKUP = re.compile(r"[\\`*\[\]<>|~&]")
_LOOSE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")


def escape_markdown(text: str) -> str:
    r"""Escape special characters; an underscore within a word is not special.

    >>> print(escape_markdown("length_of_stay"), escape_markdown("a|b <i> _x_"))
    length_of_stay a\|b \<i\> \_x\_
    """
    clean = "".join(letter if letter.isprintable() else "?" for letter in text)
    return _LOOSE_UNDERSCORE.sub(r"\\_", _MARKUP.sub(lambda found: f"\\{found.group()}", clean))


def table_text(table: Table) -> str:
    """A pipe table with its note."""
    heads = [escape_markdown(column.name) for column in table.columns]
    rules = ["---:" if column.is_number else "---" for column in table.columns]
    body = [[escape_markdown(cell.strip()) for cell in row] for row in table.rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules, *body)] if body else []
    parts = ["\n".join(lines), escape_markdown(table.note)]
    return "\n\n".join(part for part in parts if part)


def list_text(items: Iterable[str]) -> str:
    """One item per line."""
    return "\n".join(f"- {escape_markdown(item)}" for item in items)


def facts_text(facts: Facts) -> str:
    """One fact per line, with its meaning in parentheses."""
    return "\n".join(
        f"- **{escape_markdown(fact.name)}**: {escape_markdown(fact.value)}"
        + (f" ({escape_markdown(fact.meaning)})" if fact.meaning else "")
        for fact in facts.facts
    )

"""A text evaluation on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.text_risk import charts
from reidrisk.report.content import text_alignment, text_counts, text_groups, text_improvements, text_settings
from reidrisk.report.content import text_risk as content
from reidrisk.report.content.text_guide import GUIDE
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Facts, Guide, Table
from reidrisk.report.section import Section, drawn, numbered

TITLE = "Risk of re-identification in de-identified text"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=about(result),
        verdict=content.verdict(result),
        warnings=(*result["warnings"], *result["notes"]),
        pictures=drawn(charts(result), prefix=id),
        blocks=_blocks(result),
    )


def names(results: Sequence[dict[str, Any]]) -> list[str]:
    """The tools' names; where one occurs twice, with profile and number."""
    plain = [content.name_of(result) for result in results]
    if len(set(plain)) == len(plain):
        return plain
    profiled = [
        f"{name} ({result['settings']['profile']})" for name, result in zip(plain, results, strict=True)
    ]
    return numbered(profiled)


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = [
        (
            name,
            _high(result["direct"]),
            probability(result["direct"]["threshold"]),
            _high(result["quasi"]),
            probability(result["quasi"]["threshold"]),
            content.verdict(result).word,
            percent(result["precision"]),
        )
        for name, result in zip(names, results, strict=True)
    ]
    return Table(
        "Overview",
        "The upper limits of both risks, the limits that they are held against, and how much of what was "
        "masked had to be.",
        (
            Column("tool"),
            Column("direct, upper limit", is_number=True),
            Column("benchmark's upper limit", is_number=True),
            Column("quasi, upper limit", is_number=True),
            Column("threshold", is_number=True),
            Column("verdict"),
            Column("precision", is_number=True),
        ),
        tuple(rows),
        _comparable(results),
    )


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE


def about(result: dict[str, Any]) -> str:
    """What was measured on what."""
    settings = result["settings"]
    gold = content.short_path(str(settings.get("gold", "the gold standard")))
    release = settings["release"]
    return (
        f"Judged on {gold}, {count(result['documents'])} documents. Profile: {settings['profile']}. "
        f"Release: {release['access'].replace('_', '-')}, {release['treatment']}."
    )


def _blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    model = text_counts.model_free(result)
    more = (
        text_improvements.by_type(result),
        text_groups.groups(result),
        text_alignment.doubtful_places(result),
    )
    return (
        content.risks(result),
        *(table for table in more if table),
        text_counts.by_type(result),
        content.gates(result),
        content.rules(result),
        replace(model, note=f"{model.note} {content.crosscheck(result)}".strip()),
        text_counts.quasi_model(result),
        text_counts.measures(result),
        text_counts.mapping(result),
        text_settings.everything(result),
        versions(result),
    )


def _high(part: dict[str, Any]) -> str:
    return probability(part["high"])


def _comparable(results: Sequence[dict[str, Any]]) -> str:
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

"""The people over all parts: what the parts tell together, and what became of every table and variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.relational import graph, release_of, tables_and_columns, treatments
from reidrisk.report.document import Block, Pictures, Prose, SectionHeading
from reidrisk.report.documents.by_part import measured_parts, part_heading
from reidrisk.report.documents.outline import OutlineEntry
from reidrisk.report.kind import when_shown
from reidrisk.report.kinds import joint_risk
from reidrisk.report.views import kind_of

ABOUT = (
    "One recipient gets all parts. What they tell about a person is combined before anybody is renamed, and "
    "the most exposed person over all parts decides."
)


def has_people(case: dict[str, Any]) -> bool:
    """Whether parts were joined by people, or linked tables were released."""
    return any(part["kind"] in ("joint", "relational") for part in measured_parts(case))


def people(case: dict[str, Any]) -> tuple[Block, ...]:
    """Each group of parts with its waterfall; then tables, columns and the treatment of each variable."""
    found: list[Block] = [Prose((ABOUT,))]
    for part in measured_parts(case):
        if part["kind"] == "joint":
            found += _together(part)
    for part in measured_parts(case):
        if part["kind"] == "relational":
            found += when_shown(lambda own=part: _tables(own), part["result"], [])  # type: ignore[misc]
    return tuple(found)


def _together(part: dict[str, Any]) -> list[Block]:
    result = part["result"]
    heading = SectionHeading(f"{part['name']}: {', '.join(result['settings']['parts'])}")
    blocks: list[Block] = when_shown(lambda: _added(result), result, [])
    missing = joint_risk.unlinked(result)
    return [heading, kind_of(result).verdict_of(result), *blocks, *([] if missing is None else [missing])]


def _added(result: dict[str, Any]) -> list[Block]:
    return [Pictures(joint_risk.charts(result)), joint_risk.parts(result)]


def _tables(part: dict[str, Any]) -> list[Block]:
    release = release_of(part["result"])
    if release is None:
        return []
    return [
        part_heading(part),
        Pictures((graph(release),)),
        tables_and_columns(release),
        treatments(release),
    ]


PEOPLE = OutlineEntry("people", "People over all parts", people)


def with_people(chapters: Sequence[OutlineEntry], case: dict[str, Any], *, after: str) -> list[OutlineEntry]:
    """The outline with the chapter on people behind another one, if there is something to say."""
    if not has_people(case):
        return list(chapters)
    return [one for entry in chapters for one in ((entry, PEOPLE) if entry.name == after else (entry,))]

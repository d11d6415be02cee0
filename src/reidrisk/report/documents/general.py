"""The general report: what a decision needs, in a few pages; everything that supports it is in the annex."""

from __future__ import annotations

from typing import Any

from reidrisk.report.blocks import by_variable
from reidrisk.report.crosswalks import CROSSWALKS
from reidrisk.report.document import Block, ReportDocument
from reidrisk.report.documents import by_part, closing, context, opening
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.documents.people import PEOPLE, has_people
from reidrisk.report.kind import shown_of
from reidrisk.report.kinds import assessment
from reidrisk.report.views import kind_of


def release_and_context(case: dict[str, Any]) -> tuple[Block, ...]:
    """The release and its context, with the missing practices that matter most."""
    return (*context.release(case), *context.context(case, most=context.MOST_MISSING))


def measures(case: dict[str, Any]) -> tuple[Block, ...]:
    """The risk of each part at first and now, and what was done in between."""
    return (*by_part.before_and_after(case), *shown_of(case, assessment.measures))


def remaining(case: dict[str, Any]) -> tuple[Block, ...]:
    """All parts against their limits, then each with its verdict and the figures behind it."""
    return (
        by_part.parts_table(case["parts"]),
        *shown_of(case, opening.limit_pictures),
        *by_part.key_figures(case),
    )


def utility(case: dict[str, Any]) -> tuple[Block, ...]:
    """What users' queries and models still give."""
    return tuple(shown_of(case, assessment.utility))


def changes(case: dict[str, Any]) -> tuple[Block, ...]:
    """Changes that would help, and choices that the verdict hangs on."""
    return (*opening.most_remedies(case), *shown_of(case, closing.turning_choices))


def missing_practices(case: dict[str, Any]) -> tuple[Block, ...]:
    """Precedents of the threshold, and every practice that is missing for the next one."""
    return (*context.precedents(case), *context.missing_practices(case))


def losses(case: dict[str, Any]) -> tuple[Block, ...]:
    """Each variable before and after, and what queries and models still give."""
    found: list[Block] = []
    for part in by_part.measured_parts(case):
        rows = by_variable.variable_rows(part["result"])
        tables = (by_variable.before_and_after(rows), by_variable.replaced_and_redacted(rows))
        lost = kind_of(part["result"]).chapter("utility", part["result"])
        blocks = [*(table for table in tables if table is not None), *lost]
        found += [by_part.part_heading(part), *blocks] if blocks else []
    return tuple(found)


CHAPTERS = (
    opening.SUMMARY,
    OutlineEntry("context", "The release and its context", release_and_context),
    OutlineEntry("measures", "What was done to the data", measures),
    OutlineEntry("final", "The risk that is left", remaining),
    OutlineEntry("utility", "How useful the data still are", utility),
    OutlineEntry("changes", "What would change the verdict", changes),
    OutlineEntry("monitoring", "Changes since the last assessment", closing.monitoring),
    context.AGREEMENT,
    closing.LIMITATIONS,
)
ANNEX = (
    closing.INVENTORY,
    OutlineEntry("initial", "Initial risk", by_part.initial_by_part),
    OutlineEntry("treatment", "Measures and identifiers", by_part.measures_and_identifiers),
    OutlineEntry("figures", "All figures of the risk that is left", by_part.final),
    PEOPLE,
    OutlineEntry("losses", "What a researcher can still do", losses),
    closing.REMEDIES,
    closing.SENSITIVITY,
    OutlineEntry("practices", "Thresholds and missing practices", missing_practices),
    context.CHECKLIST,
    closing.METHODS,
    OutlineEntry("references", "References", closing.references),
    CROSSWALKS,
    closing.SETTINGS,
)


def document(case: dict[str, Any]) -> ReportDocument:
    """The report and its annex."""
    annex = [entry for entry in ANNEX if entry is not PEOPLE or has_people(case)]
    return make_document("general", "Risk of re-identification", case, CHAPTERS, annex=annex)

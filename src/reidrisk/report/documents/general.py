"""The general report: from the verdict to the settings that reproduce it."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, ReportDocument
from reidrisk.report.documents import by_part, closing, context, opening
from reidrisk.report.documents.outline import OutlineEntry, make_document


def release_and_context(case: dict[str, Any]) -> tuple[Block, ...]:
    """The release, its context and precedents."""
    return (*context.release(case), *context.context(case), *context.precedents(case))


def utility(case: dict[str, Any]) -> tuple[Block, ...]:
    """How useful the data still are."""
    return by_part.chapter_by_part(case, "utility")


CHAPTERS = (
    opening.SUMMARY,
    OutlineEntry("context", "The release and its context", release_and_context),
    OutlineEntry("initial", "Initial risk", by_part.initial),
    OutlineEntry("measures", "Measures taken", by_part.measures_and_identifiers),
    OutlineEntry("final", "Final risk", by_part.final),
    OutlineEntry("utility", "How useful the data still are", utility),
    closing.SENSITIVITY,
    closing.METHODS,
    closing.LIMITATIONS,
    OutlineEntry("agreement", "Practices for the data-sharing agreement", context.agreement),
    OutlineEntry("references", "References", closing.references),
)
APPENDICES = (
    closing.REMEDIES,
    OutlineEntry("monitoring", "Changes since the last assessment", closing.monitoring),
    context.CHECKLIST,
    closing.SETTINGS,
)


def document(case: dict[str, Any]) -> ReportDocument:
    """The report; it has a chapter on utility only if utility was measured."""
    has_utility = any((part["result"] or {}).get("usefulness") for part in case["parts"])
    chapters = [entry for entry in CHAPTERS if has_utility or entry.name != "utility"]
    return make_document("general", "Risk of re-identification", case, chapters, APPENDICES)

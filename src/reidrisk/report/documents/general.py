"""The general report: from the verdict to the settings that repeat it."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Document
from reidrisk.report.documents import closing, course, opening, practices, robustness, setting
from reidrisk.report.documents.outline import Outline, made


def context(case: dict[str, Any]) -> tuple[Block, ...]:
    """The release and its context."""
    return (*setting.release(case), *setting.context(case), *setting.precedents(case))


CHAPTERS: Outline = (
    ("summary", opening.summary),
    ("context", context),
    ("initial", course.initial),
    ("measures", course.measures_and_identifiers),
    ("final", course.final),
    ("sensitivity", robustness.sensitivity),
    ("methods", closing.methods),
    ("limits", closing.limits),
    ("agreement", practices.agreement),
    ("references", closing.references),
)
APPENDICES: Outline = (
    ("remedies", closing.remedies),
    ("monitoring", closing.monitoring),
    ("checklist", practices.checklist),
    ("settings", closing.appendix),
)


def document(case: dict[str, Any]) -> Document:
    """All chapters in their order."""
    return made("general", case, CHAPTERS, APPENDICES)

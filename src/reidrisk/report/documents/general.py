"""The general report: from the verdict to the settings that repeat it."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Document
from reidrisk.report.documents import closing, course, opening, practices, robustness, setting
from reidrisk.report.documents.outline import Outline, made


def context(case: dict[str, Any]) -> tuple[Block, ...]:
    """The release and its context."""
    return (*setting.release(case), *setting.context(case), *setting.precedents(case))


def utility(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the data are still good for."""
    return course.by_part(case, "utility")


CHAPTERS: Outline = (
    ("summary", opening.summary),
    ("context", context),
    ("initial", course.initial),
    ("measures", course.measures_and_identifiers),
    ("final", course.final),
    ("utility", utility),
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
    """All chapters in their order; utility has one if somebody asked for it."""
    asked = any((part["result"] or {}).get("usefulness") for part in case["parts"])
    chapters = [one for one in CHAPTERS if asked or one[0] != "utility"]
    return made("general", case, chapters, APPENDICES)

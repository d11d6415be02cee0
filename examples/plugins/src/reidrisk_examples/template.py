"""A report template: a letter to the data protection officer, in one chapter."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Bullets, Prose, ReportDocument, Signature
from reidrisk.report.documents.outline import OutlineEntry, make_document

ANSWERS = {True: "We propose to release these data.", False: "We do not propose to release these data."}


def letter(case: dict[str, Any]) -> ReportDocument:
    """The document of a case: the dictionary of an assessment, as assessment.json has it."""
    return make_document("letter", "Letter to the data protection officer", case, [OPENING])


def opening(case: dict[str, Any]) -> tuple[Block, ...]:
    """The answer, its reasons, and a line to sign."""
    return (
        Prose((ANSWERS[bool(case["acceptable"])],)),
        Bullets("Reasons", tuple(case["reasons"])),
        Signature(("Head of data management",)),
    )


OPENING = OutlineEntry("letter", "Our proposal", opening)

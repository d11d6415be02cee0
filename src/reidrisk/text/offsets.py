"""Annotations must lie within their text before anything is counted."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.errors import MisalignedOffsets
from reidrisk.text.corpus import Annotation, Document


def check_gold(gold: Document, text: str) -> None:
    """What is beyond the text, or blank, could never leak: it must not count as caught."""
    for number, mark in enumerate(gold.annotations, start=1):
        if mark.end > len(text) or text[mark.start : mark.end].isspace():
            raise MisalignedOffsets(
                f"{gold.place(number)}, lies beyond the text or covers white space only.",
                hint="Check that the offsets count characters of this very text.",
            )


def check_marks(gold: Document, text: str, marks: Iterable[Annotation]) -> None:
    """The tool cannot have marked what lies beyond the text."""
    for number, mark in enumerate(marks, start=1):
        if mark.end > len(text):
            raise MisalignedOffsets(
                f"The tool's annotation {number} of document {gold.id!r} ends at {mark.end}, "
                f"but the text has {len(text)} characters.",
                hint="Offsets count characters of the gold standard's text; did the tool read another text?",
            )

"""Bring the annotations of a tool to the text of the gold standard.

Some programs count a byte order mark at the start of a file as a character, others leave it out. Offsets are
those of the gold standard's text: annotations of a text that differs only by the mark are moved by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from reidrisk.text.corpus import Annotation, Document, Misaligned, MisalignedMark
from reidrisk.text.formats.align import fit_offsets
from reidrisk.text.formats.reader import BYTE_ORDER_MARK

MARK_UNKNOWN = (
    "the text begins with a byte order mark and the annotations are stored without any text, so offsets were "
    "read as counting the mark, as those of the gold standard do"
)


class TextKey(NamedTuple):
    """What identifies a text without keeping it."""

    content: int
    """Hash of the text without a byte order mark."""
    has_mark: bool

    @classmethod
    def of(cls, text: str) -> TextKey:
        """The key of a text."""
        return cls(hash(text.removeprefix(BYTE_ORDER_MARK)), text.startswith(BYTE_ORDER_MARK))


def same_text(one: str | TextKey, other: str | TextKey) -> bool:
    """Whether two texts are the same but for a byte order mark."""
    first, second = (TextKey.of(text) if isinstance(text, str) else text for text in (one, other))
    return first.content == second.content


def in_text(document: Document, own: TextKey | None, text: str, misaligned: Misaligned) -> Document:
    """The annotations of a document, with offsets in `text`.

    `own` is the key of the text that the document's file has, if any. Without it, stored texts of annotations
    decide how they were counted.
    """
    if own is not None:
        by = text.startswith(BYTE_ORDER_MARK) - own.has_mark
        return _shifted(document, by) if by else document
    unknown = text.startswith(BYTE_ORDER_MARK) and document.annotations and not document.surfaces
    notes = (*document.notes, MARK_UNKNOWN) if unknown else document.notes
    bare = replace(document, text=text, surfaces=(), notes=notes)
    if document.surfaces:
        return fit_offsets(bare, document.surfaces, misaligned)
    if misaligned == "refuse":
        return bare
    beyond = tuple(one for one in document.annotations if one.end > len(text))
    kept = tuple(one for one in document.annotations if one.end <= len(text))
    return replace(bare, annotations=kept, misaligned=tuple(MisalignedMark(one, None) for one in beyond))


def _shifted(document: Document, by: int) -> Document:
    marks = [
        MisalignedMark(_moved(one.stated, by) or one.stated, one.found and _moved(one.found, by), one.surface)
        for one in document.misaligned
    ]
    return replace(document, annotations=shift_annotations(document.annotations, by), misaligned=tuple(marks))


def shift_annotations(annotations: Iterable[Annotation], by: int) -> tuple[Annotation, ...]:
    """Annotations moved by some characters; what would be before the text is cut off."""
    return tuple(moved for one in annotations if (moved := _moved(one, by)) is not None)


def _moved(annotation: Annotation, by: int) -> Annotation | None:
    pieces = [(max(start + by, 0), max(end + by, 0)) for start, end in annotation.pieces]
    pieces = [piece for piece in pieces if piece[0] < piece[1]]
    if not pieces:
        return None
    fragments = tuple(pieces) if annotation.fragments and len(pieces) > 1 else ()
    return replace(annotation, start=pieces[0][0], end=pieces[-1][1], fragments=fragments)


def credited_marks(document: Document) -> tuple[Annotation, ...]:
    """What the annotations of a tool mask.

    In practice a tool masks the stated place. So a moved annotation masks only the characters that both its
    stated place and the place of its text cover; a skipped one masks nothing.
    """
    moved = {one.found for one in document.misaligned if one.found is not None}
    if not moved:
        return document.annotations
    kept = [one for one in document.annotations if one not in moved]
    for one in document.misaligned:
        common = _common(one)
        if common is not None:
            kept.append(common)
    return tuple(sorted(kept, key=lambda one: (one.start, one.end)))


def uncredited(marks: Sequence[MisalignedMark]) -> tuple[MisalignedMark, ...]:
    """The misaligned annotations of a tool that mask nothing at all."""
    return tuple(one for one in marks if _common(one) is None)


def _common(mark: MisalignedMark) -> Annotation | None:
    """The characters that the stated place and the found one share."""
    if mark.found is None:
        return None
    start, end = max(mark.stated.start, mark.found.start), min(mark.stated.end, mark.found.end)
    return replace(mark.found, start=start, end=end) if start < end else None

"""Check offsets against their text: code points first, another unit only if it is the only one that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.location import locate_error, misaligned, unreadable
from reidrisk.text.formats.rulers import Ruler, rulers_for

Surfaces = Sequence[str | None]
"""For each annotation, the text that the file stores with it, or None."""

_LOOSE_NOTE = "stored texts were compared ignoring differences in line ends, tabs and other white space"
_WHITE = re.compile(r"(?:\\[nrt]|\s)+")


def fit_offsets(document: Document, surfaces: Surfaces) -> Document:
    """The document with offsets that fit its text, or an error that names the first that does not."""
    text = document.text
    if text is None:
        stored = any(surface is not None for surface in surfaces)
        return replace(document, surfaces=tuple(surfaces)) if stored else document
    if "\0" in text:
        error = unreadable("the text contains a NUL character", hint="Save the text as UTF-8, not UTF-16.")
        raise locate_error(error, f"{document.source}, document {document.id!r}")
    misfit = _first_misfit(text, document.annotations, surfaces)
    if not misfit:
        return document
    # only a stored text is evidence: blank or overlong annotations without one do not prove another unit
    if any(
        surface not in (None, _piece(text, a))
        for a, surface in zip(document.annotations, surfaces, strict=True)
    ):
        fitting = _fitting(document, surfaces)
        if len(fitting) == 1:
            note, annotations = next(iter(fitting.items()))
            return replace(document, annotations=annotations, notes=(*document.notes, note))
        if fitting:
            raise _ambiguous(document, misfit)
    raise _misfit(document, misfit)


def convert_offsets(document: Document, surfaces: Surfaces, ruler: Ruler) -> Document:
    """The document with offsets in code points that fit, converted from the unit of its format."""
    if not ruler.starts:
        return fit_offsets(document, surfaces)
    found = []
    for number, annotation in enumerate(document.annotations, 1):
        annotation_moved = in_code_points(annotation, ruler)
        if annotation_moved is None:
            problem = "it starts or ends inside a character"
            hint = "The offsets belong to another text, or do not use the unit of the format."
            raise locate_error(misaligned(problem, hint=hint), document.place(number))
        found.append(annotation_moved)
    return fit_offsets(replace(document, annotations=tuple(found)), surfaces)


def _first_misfit(text: str, annotations: Sequence[Annotation], surfaces: Surfaces) -> int:
    """The number, from 1, of the first annotation that does not fit; 0 if all do."""
    size = len(text)
    for number, (annotation, surface) in enumerate(zip(annotations, surfaces, strict=True), 1):
        # every annotation passes here: most are continuous and need no call
        whole = not annotation.fragments
        piece = text[annotation.start : annotation.end] if whole else _piece(text, annotation)
        if piece != surface and surface is not None:
            return number
        if annotation.end > size or piece.isspace():
            return number
    return 0


def _piece(text: str, annotation: Annotation) -> str:
    return " ".join([text[start:end] for start, end in annotation.pieces])


@dataclass(frozen=True, slots=True)
class _OffsetReading:
    """One way to interpret the offsets and stored texts of a document."""

    ruler: Ruler | None
    loose: bool

    @property
    def note(self) -> str:
        notes = [] if self.ruler is None else [self.ruler.note]
        return "; ".join([*notes, _LOOSE_NOTE] if self.loose else notes)

    def apply(self, document: Document, surfaces: Surfaces) -> tuple[Annotation, ...] | None:
        """The annotations in this interpretation; None if one of them does not fit."""
        text = document.text or ""
        result = []
        for annotation, surface in zip(document.annotations, surfaces, strict=True):
            found = annotation if self.ruler is None else in_code_points(annotation, self.ruler)
            if found is None or not self._fits(text, found, surface):
                return None
            result.append(found)
        return tuple(result)

    def _fits(self, text: str, annotation: Annotation, surface: str | None) -> bool:
        piece = _piece(text, annotation)
        if annotation.end > len(text) or piece.isspace():
            return False
        if surface is None or piece == surface:
            return True
        return self.loose and _WHITE.sub(" ", piece) == _WHITE.sub(" ", surface)


def in_code_points(annotation: Annotation, ruler: Ruler) -> Annotation | None:
    """The annotation in code points; None if it starts or ends inside a character or outside the text."""
    pieces = []
    for unit_start, unit_end in annotation.pieces:
        start, end = ruler.position(unit_start), ruler.position(unit_end)
        if start is None or end is None or start >= end:
            return None
        pieces.append((start, end))
    fragments = tuple(pieces) if annotation.fragments else ()
    return replace(annotation, start=pieces[0][0], end=pieces[-1][1], fragments=fragments)


def _fitting(document: Document, surfaces: Surfaces) -> dict[str, tuple[Annotation, ...]]:
    """The interpretations that fit the whole document, by note; equal results count once.

    Another unit together with a loose comparison of stored texts is tried only if nothing else fits,
    because every additional freedom is a chance to be wrong.
    """
    rulers = rulers_for(document.text or "")
    exact = [_OffsetReading(ruler, loose=False) for ruler in rulers]
    simple = dict(_distinct_results([_OffsetReading(None, loose=True), *exact], document, surfaces))
    return simple or dict(
        _distinct_results([_OffsetReading(ruler, loose=True) for ruler in rulers], document, surfaces)
    )


def _distinct_results(
    readings: list[_OffsetReading], document: Document, surfaces: Surfaces
) -> Iterator[tuple[str, tuple[Annotation, ...]]]:
    seen: list[tuple[Annotation, ...]] = []
    for reading in readings:
        annotations = reading.apply(document, surfaces)
        if annotations is not None and annotations not in seen:
            seen.append(annotations)
            yield reading.note, annotations


def _ambiguous(document: Document, number: int) -> BadData:
    problem = "it does not fit its text, and more than one other unit of counting would fit"
    hint = "Write the offsets as code points from 0, the end exclusive, and read the file again."
    return locate_error(misaligned(problem, hint=hint), document.place(number))


def _misfit(document: Document, number: int) -> BadData:
    annotation, size = document.annotations[number - 1], len(document.text or "")
    if annotation.end > size:
        problem = f"it ends at {annotation.end}, beyond the {size} characters of the text"
    elif all((document.text or "")[start:end].isspace() for start, end in annotation.pieces):
        problem = "it covers only white space"
    else:
        problem = "it does not match the text that the file stores with it"
    hint = (
        "Check that text and annotations belong together and that the end is exclusive. If the file stores "
        "texts of annotations, code points, UTF-16 units, UTF-8 bytes, grapheme clusters, a byte order mark "
        "and other line ends were tried."
    )
    return locate_error(misaligned(problem, hint=hint), document.place(number))

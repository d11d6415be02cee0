"""Check offsets against their text: code points first, another unit only if it is the only one that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reidrisk.text.corpus import Annotation, Document, Misaligned, MisalignedMark, MisalignedNote
from reidrisk.text.formats.location import locate_error, unreadable
from reidrisk.text.formats.location import misaligned as misaligned_error
from reidrisk.text.formats.rulers import Ruler, rulers_for

Surfaces = Sequence[str | None]
"""For each annotation, the text that the file stores with it, or None."""

READ_ANYWAY = (
    "Commands that measure can read the corpus without such annotations: --misaligned skip, or search"
)
_LOOSE_NOTE = "stored texts were compared ignoring differences in line ends, tabs and other white space"
_WHITE = re.compile(r"(?:\\[nrt]|\s)+")


def fit_offsets(document: Document, surfaces: Surfaces, misaligned: Misaligned = "refuse") -> Document:
    """The document with offsets that fit its text; the settings decide about those that do not."""
    return settle_misfits(check_fit(document, surfaces), misaligned)


def check_fit(document: Document, surfaces: Surfaces) -> Document:
    """The document with offsets that fit its text, or with its misfits."""
    text = document.text
    if text is None:
        stored = any(surface is not None for surface in surfaces)
        return replace(document, surfaces=tuple(surfaces)) if stored else document
    if "\0" in text:
        error = unreadable("the text contains a NUL character", hint="Save the text as UTF-8, not UTF-16.")
        raise locate_error(error, document.where)
    misfits = _misfits(text, document.annotations, surfaces)
    if not misfits:
        return document
    fitting = _fitting(document, surfaces) if _is_evidence(document, surfaces) else {}
    if len(fitting) == 1:
        note, annotations = next(iter(fitting.items()))
        return replace(document, annotations=annotations, notes=(*document.notes, note))
    explain = _ambiguous if fitting else _misfit
    found = tuple(explain(document, number) for number in misfits)
    return replace(document, misfits=found, surfaces=tuple(surfaces))


def _is_evidence(document: Document, surfaces: Surfaces) -> bool:
    """Whether a stored text differs: blank or overlong annotations alone do not prove another unit."""
    text = document.text or ""
    pairs = zip(document.annotations, surfaces, strict=True)
    return any(surface not in (None, _piece(text, annotation)) for annotation, surface in pairs)


def convert_offsets(document: Document, surfaces: Surfaces, ruler: Ruler) -> Document:
    """The document with offsets converted from the unit of its format to code points, or with its misfits."""
    if not ruler.starts:
        return check_fit(document, surfaces)
    moved = [in_code_points(annotation, ruler) for annotation in document.annotations]
    inside = [number for number, annotation in enumerate(moved, 1) if annotation is None]
    annotations = tuple(new or old for new, old in zip(moved, document.annotations, strict=True))
    checked = check_fit(replace(document, annotations=annotations), surfaces)
    if not inside:
        return checked
    problem = "it starts or ends inside a character"
    hint = f"The offsets belong to another text, or do not use the unit of the format. {READ_ANYWAY}"
    found = {one.number: one for one in checked.misfits}
    found |= {number: MisalignedNote(number, problem, hint) for number in inside}
    misfits = tuple(found[number] for number in sorted(found))
    return replace(checked, misfits=misfits, surfaces=tuple(surfaces))


def _misfits(text: str, annotations: Sequence[Annotation], surfaces: Surfaces) -> list[int]:
    """The numbers, from 1, of the annotations that do not fit."""
    size = len(text)
    found = []
    for number, (annotation, surface) in enumerate(zip(annotations, surfaces, strict=True), 1):
        # every annotation passes here: most are continuous and need no call
        whole = not annotation.fragments
        piece = text[annotation.start : annotation.end] if whole else _piece(text, annotation)
        if (piece != surface and surface is not None) or annotation.end > size or piece.isspace():
            found.append(number)
    return found


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
        result = []
        for annotation in self.each(document, surfaces):
            if annotation is None:
                return None
            result.append(annotation)
        return tuple(result)

    def each(self, document: Document, surfaces: Surfaces) -> Iterator[Annotation | None]:
        """Each annotation in this interpretation, or None if it does not fit."""
        text = document.text or ""
        for annotation, surface in zip(document.annotations, surfaces, strict=True):
            found = annotation if self.ruler is None else in_code_points(annotation, self.ruler)
            yield found if found is not None and self._fits(text, found, surface) else None

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


def _ambiguous(document: Document, number: int) -> MisalignedNote:  # noqa: ARG001 - as `_misfit`
    problem = "it does not fit its text, and more than one other unit of counting would fit"
    hint = "Write the offsets as code points from 0, the end exclusive, and read the file again."
    return MisalignedNote(number, problem, hint)


def _misfit(document: Document, number: int) -> MisalignedNote:
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
        f"and other line ends were tried. {READ_ANYWAY}"
    )
    return MisalignedNote(number, problem, hint)


NEARBY = 100
"""How many characters before and after its stated place the text of an annotation is searched."""


def settle_misfits(document: Document, misaligned: Misaligned) -> Document:
    """The document after annotations that do not fit were refused, skipped or moved.

    Moved is only what is stored with its text, where this text occurs exactly once nearby and nothing of the
    same type is marked there. Everything else is skipped.
    """
    if not document.misfits:
        return document
    if misaligned == "refuse":
        first = document.misfits[0]
        raise locate_error(misaligned_error(first.problem, hint=first.hint), document.place(first.number))
    note, fitting = _best_reading(document)
    kept = [one for one in fitting if one is not None]
    taken = {(one.start, one.end, one.type) for one in kept}
    marks = []
    for number, stated in enumerate(document.annotations):
        if fitting[number] is not None:
            continue
        surface = document.surfaces[number]
        found = _search(document.text or "", stated, surface, taken) if misaligned == "search" else None
        if found is not None:
            taken.add((found.start, found.end, found.type))
            kept.append(found)
        marks.append(MisalignedMark(stated, found, surface))
    kept.sort(key=lambda one: (one.start, one.end))
    notes = (*document.notes, note) if note else document.notes
    return replace(
        document, annotations=tuple(kept), misaligned=tuple(marks), misfits=(), surfaces=(), notes=notes
    )


def _best_reading(document: Document) -> tuple[str, list[Annotation | None]]:
    """The unit with the fewest misfits: another one only if it alone has fewer than code points."""
    units = {one.number - 1 for one in document.misfits}
    plain = [None if at in units else one for at, one in enumerate(document.annotations)]
    if not _is_evidence(document, document.surfaces):
        return "", plain
    least, best = plain.count(None), [("", plain)]
    rulers: list[Ruler | None] = [None, *rulers_for(document.text or "")]
    for reading in (_OffsetReading(ruler, loose) for loose in (False, True) for ruler in rulers):
        found = list(reading.each(document, document.surfaces))
        if found.count(None) < least:
            least, best = found.count(None), [(reading.note, found)]
        elif found.count(None) == least and all(found != other for _, other in best):
            best.append((reading.note, found))
    return best[0] if len(best) == 1 else ("", plain)


def _search(
    text: str, stated: Annotation, surface: str | None, taken: set[tuple[int, int, str]]
) -> Annotation | None:
    """The annotation where its stored text is as whole words, if there is exactly one such place nearby."""
    if stated.fragments or surface is None or not surface.strip():
        return None
    before, after = (r"(?<!\w)" if surface[0].isalnum() else ""), (r"(?!\w)" if surface[-1].isalnum() else "")
    pattern = re.compile(f"{before}(?={re.escape(surface)}{after})")
    low, high = max(stated.start - NEARBY, 0), stated.end + NEARBY
    starts = (match.start() for match in pattern.finditer(text, low, high + 1))
    places = [(at, at + len(surface)) for at in starts if at + len(surface) <= high]
    free = [place for place in places if (*place, stated.type) not in taken]
    return replace(stated, start=free[0][0], end=free[0][1]) if len(free) == 1 else None

"""One operator that shows text: its glyphs one after the other."""

from __future__ import annotations

from typing import Any

from reidrisk.documents.pdf.affine import Matrix, shifted, times
from reidrisk.documents.pdf.glyph import Glyph, Show


def show_text(show: Show, items: list[Any], text: Matrix, span: int) -> Matrix:
    """Add the glyphs of the strings and steps in `items`; the text matrix afterwards.

    `along` counts from the start of the operator, before stretching; upright fonts count downward.
    """
    along, size = 0.0, show.size
    show.start = _offset(show, text)
    matrix, (dx, dy) = _pen(show, text)
    a, b, c, d, e, f = matrix
    codes, spacing, word_spacing, add = show.font.codes, show.spacing, show.word_spacing, show.glyphs.append
    for place, item in enumerate(items):
        if not isinstance(item, bytes):
            along -= float(item) / 1000 * size
            continue
        for start, end, number, says, width in codes(item):
            step = width * size + spacing
            if number == 32 and end - start == 1:
                step += word_spacing
            here = (a, b, c, d, e + along * dx, f + along * dy)
            add(Glyph(show, place, start, end, number, says, here, abs(width), step, span))
            along += step
    return shifted(text, 0.0, along) if show.font.vertical else shifted(text, along * show.stretch)


def _pen(show: Show, text: Matrix) -> tuple[Matrix, tuple[float, float]]:
    """From the unit square of the first glyph to the page, and how a step along the line moves it there."""
    unit: Matrix = (show.size * show.stretch, 0.0, 0.0, show.size, 0.0, show.rise)
    whole = times(text, show.ctm)
    a, b, c, d, e, f = times(unit, whole)
    if show.font.vertical:  # the glyph counts as a letter of a line that runs downward, centred on it
        return (-c, -d, a, b, e - 0.5 * a, f - 0.5 * b), (whole[2], whole[3])
    return (a, b, c, d, e, f), (whole[0] * show.stretch, whole[1] * show.stretch)


def _offset(show: Show, text: Matrix) -> float:
    """How far the text position already was from the start of the line, before stretching."""
    a, b, c, d, e, f = show.line
    if show.font.vertical:
        return ((text[4] - e) * c + (text[5] - f) * d) / ((c * c + d * d) or 1.0)
    return ((text[4] - e) * a + (text[5] - f) * b) / (((a * a + b * b) or 1.0) * (show.stretch or 1.0))

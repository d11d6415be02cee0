"""Pages whose text cannot be trusted to be all there is: scans, and fonts that do not tell what they say."""

from __future__ import annotations

from typing import Any, Literal

from reidrisk.documents.pdf.affine import at
from reidrisk.documents.pdf.fonts.font import number
from reidrisk.documents.pdf.glyph import Content

Concern = Literal["", "scanned", "recognised", "unreadable"]
"""A scan without text; a scan whose text was recognised; glyphs of which nobody knows what they say."""
_INVISIBLE = 3
_FEW = 50
"""A scan may carry a stamp: so many visible letters do not make it a page of text."""
_COVERED = 0.6
_ROW = 3
"""So many unreadable glyphs side by side could be a value."""


def concern_of(page: Any, content: Content) -> Concern:
    """What is wrong with the text of a page, if anything."""
    readable = [glyph for glyph in content.glyphs if glyph.text is not None and glyph.text.strip()]
    visible = sum(glyph.show.mode % 4 != _INVISIBLE for glyph in readable)
    covered = _covered(page, content)
    if visible < _FEW and (covered > _COVERED or (not visible and covered > _COVERED / 2)):
        return "recognised" if len(readable) > visible else "scanned"
    return "unreadable" if _unreadable(content) else ""


def _unreadable(content: Content) -> bool:
    row = 0
    for glyph in content.glyphs:
        told = glyph.text is not None or (glyph.span >= 0 and content.spans[glyph.span])
        row = 0 if told else row + 1
        if row >= _ROW:
            return True
    return False


def _covered(page: Any, content: Content) -> float:
    """The share of the page that its largest image covers."""
    left, bottom, right, top = (number(part) for part in page.cropbox)
    whole = abs((right - left) * (top - bottom)) or 1.0
    shares = [0.0]
    for picture in content.pictures:
        corners = [at(picture.matrix, x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
        across, upward = [x for x, _ in corners], [y for _, y in corners]
        wide = min(max(across), max(left, right)) - max(min(across), min(left, right))
        tall = min(max(upward), max(bottom, top)) - max(min(upward), min(bottom, top))
        shares.append(max(0.0, wide) * max(0.0, tall) / whole)
    return max(shares)

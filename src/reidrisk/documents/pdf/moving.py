"""Room for new values: what one operator draws behind them on their line moves along, if it can."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import hypot

import numpy as np
from numpy.typing import NDArray

from reidrisk.documents.pdf.glyphs import Glyph, TextShow, at
from reidrisk.documents.pdf.page_places import PagePlace
from reidrisk.documents.pdf.rendering import is_recognised

_SPACE = 0.25
"""What stays free before the next text on the line, by the height of the letters."""
_BEYOND = 1.2
"""How far beyond all other text of the page a line may reach, by the height of its letters."""
_WORTH = 0.1
_NATURAL = 0.95
"""Letters a little narrower than they are need no room."""
Natural = Callable[[PagePlace], float]
"""The width of a new value as its letters are."""
Points = NDArray[np.float64]


class LineSlack:
    """The glyphs of a page by where they begin and end."""

    def __init__(self, every: list[Glyph]) -> None:
        self._starts = np.array([glyph.matrix[4:] for glyph in every]).reshape(-1, 2)
        self._ends = np.array([at(glyph.matrix, glyph.advance, 0.0) for glyph in every]).reshape(-1, 2)
        self._shows = np.array([id(glyph.show) for glyph in every], dtype=np.int64)
        self._blank = np.array([(glyph.text or "x").isspace() for glyph in every], dtype=bool)

    def slack(self, place: PagePlace, tail: list[Glyph]) -> tuple[float, float]:
        """How far the tail of a place's operator can move, and where it ends now, in the place's frame."""
        ends = [place.inner(at(glyph.matrix, glyph.advance, 0.0)) for glyph in tail]
        end = max(along for along, _ in ends)
        if any(abs(upward) > 0.2 * place.height for _, upward in ends) or end <= place.end:
            return 0.0, end
        along, upward = _inner(place, self._starts)
        others = (self._shows != id(tail[0].show)) & ~self._blank & (np.abs(upward) < 0.8 * place.height)
        ahead = along[others & (along > place.end)]
        if len(ahead):
            return float(ahead.min()) - _SPACE * place.height - end, end
        edge = float(_inner(place, self._ends)[0].max())
        return edge + _BEYOND * place.height - end, end


def _inner(place: PagePlace, points: Points) -> tuple[Points, Points]:
    first, right, up = (place.inner(point) for point in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    x, y = points[:, 0], points[:, 1]
    along = first[0] + (right[0] - first[0]) * x + (up[0] - first[0]) * y
    return along, first[1] + (right[1] - first[1]) * x + (up[1] - first[1]) * y


def make_room(places: list[PagePlace], every: list[Glyph], natural: Natural) -> None:
    """Say of each place how far it moves, and how far it moves what stands behind it."""
    by_show: dict[int, list[PagePlace]] = defaultdict(list)
    for place in places:
        if place.glyphs and not is_recognised(place.glyphs[0]):
            by_show[id(place.glyphs[0].show)].append(place)
    line: LineSlack | None = None
    for own in by_show.values():
        if not any(place.change.new and place.seen for place in own):
            continue
        line = LineSlack(every) if line is None else line
        _along(own, own[0].glyphs[0].show, line, natural)


def _along(places: list[PagePlace], show: TextShow, line: LineSlack, natural: Natural) -> None:
    """The places in what one operator draws, from the first to the last."""
    order = {glyph: number for number, glyph in enumerate(show.glyphs)}
    moved = 0.0
    for place in sorted(places, key=lambda one: order[one.glyphs[0]]):
        place.moved = moved
        tail = show.glyphs[order.get(place.glyphs[-1], len(order)) + 1 :]
        if not place.change.new or not place.text or not place.seen or not show.inside or not tail:
            continue
        wanted = _NATURAL * natural(place) - place.room
        if wanted <= _WORTH * place.height:
            continue
        slack, end = line.slack(place, tail)
        extra = min(wanted, slack - moved)
        if extra > _WORTH * place.height:
            place.room += extra
            moved += extra
            place.pushes, place.tail = extra, end + moved


def in_text_space(place: PagePlace) -> float:
    """How far a place moves what stands behind it, in the units of its operator."""
    first = place.glyphs[0]
    scale = hypot(*first.matrix[:2]) / first.show.size if first.show.size else 0.0
    return place.pushes / scale if scale else 0.0

"""What is to happen on one page: places, glyphs that go, and what is drawn there instead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.drawing import color, drawing_of, natural, text_line
from reidrisk.documents.pdf.fonts import number as decimal
from reidrisk.documents.pdf.glyphs import Glyph, at, inverse
from reidrisk.documents.pdf.lettering import FONT, Lettering, fitted
from reidrisk.documents.pdf.moving import in_text_space, make_room
from reidrisk.documents.pdf.note_places import meet
from reidrisk.documents.pdf.notes import marked_on
from reidrisk.documents.pdf.operators import Pushing
from reidrisk.documents.pdf.page_places import PagePlace, places_of
from reidrisk.documents.pdf.pages import ReadPage
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from pikepdf import Pdf

_SIDE_BY_SIDE = 0.45
"""The widest space between two boxes that become one, by the height of the letters."""
_SPACE = 0.22
"""Between a new value and what stands after it, by the height of its letters."""


@dataclass(slots=True)
class Plan:
    """The work on one page."""

    places: list[PagePlace] = field(default_factory=list)
    removed: set[Glyph] = field(default_factory=set)
    drawings: dict[Glyph, list[bytes]] = field(default_factory=dict)
    cramped: int = 0
    """New values that had to be smaller than is good to read."""
    loose: list[bytes] = field(default_factory=list)
    """What is drawn over the page."""
    images: dict[tuple[tuple[int, ...], int], Any] = field(default_factory=dict)
    """New images, by the operator that draws the old ones."""
    unpicturable: bool = False
    """Whether pixels could not be taken out: then the page becomes a picture."""
    told: list[str] = field(default_factory=list, repr=False)
    """Texts that stand for stretches of the page and stay."""


def plan_page(page: ReadPage, changes: Iterable[Change], look: Look, lettering: Lettering) -> Plan:
    """Which glyphs go, and what is drawn at their places."""
    plan = Plan()
    for change in changes:
        plan.places += _places(page, change)
    every = page.content.glyphs
    plan.removed = {glyph for place in plan.places for glyph in place.glyphs}
    plan.removed |= _spans(every, plan.removed)
    plan.removed |= _under(every, plan.places)
    _rooms(plan.places, every, plan.removed)
    plan.places = _joined(plan.places, every, plan.removed)
    letters = lettering.own
    letters.learn(every, plan.removed)
    make_room(plan.places, every, lambda place: natural(place, letters))
    marked = marked_on(page.page.obj)
    for place in plan.places:
        covered = place.change.new is None and any(meet(place.bounds, one) for one in marked)
        place.on_top = covered or not place.seen
        drawing, fit = drawing_of(place, look, lettering, letters)
        width = max(place.end, fit.width) if fit is not None else place.end
        place.reach = max(place.moved + width, place.tail)
        if place.pushes:
            drawing = Pushing.by(drawing, in_text_space(place))
        if place.on_top:
            plan.loose.append(drawing)
        else:
            plan.drawings.setdefault(place.glyphs[0], []).append(drawing)
        plan.cramped += fit is not None and fit.cramped
    plan.removed |= {
        glyph
        for show in page.content.shows
        if (show.drawn.path, show.index) in page.content.concealed
        for glyph in show.glyphs
    }
    return plan


def _joined(places: list[PagePlace], every: list[Glyph], removed: set[Glyph]) -> list[PagePlace]:
    """Boxes of one kind that stand side by side on a line with nothing but a space between them are one."""
    rest: NDArray[np.float64] | None = None
    found: list[PagePlace] = []
    for place in places:
        last = found[-1] if found else None
        if last is None or not _is_beside(last, place):
            found.append(place)
            continue
        rest = _middles(every, removed) if rest is None else rest
        if _is_anything_between(last, place, rest):
            found.append(place)
            continue
        last.glyphs += place.glyphs
        last.end = max(last.end, last.inner(at(place.frame, place.end, 0.0))[0])
    return found


def _middles(every: list[Glyph], removed: set[Glyph]) -> NDArray[np.float64]:
    """The middles of the glyphs that stay and are seen."""
    stay = (glyph for glyph in every if glyph not in removed and not (glyph.text or "x").isspace())
    return np.array([at(glyph.matrix, glyph.advance / 2, 0.25) for glyph in stay]).reshape(-1, 2)


def _is_anything_between(last: PagePlace, place: PagePlace, rest: NDArray[np.float64]) -> bool:
    along, upward = _inner(last, rest)
    end = last.inner(at(place.frame, 0.0, 0.0))[0]
    low, high = last.descent * last.height, last.ascent * last.height
    return bool(((along > last.end) & (along < end) & (upward > low) & (upward < high)).any())


def _is_beside(last: PagePlace, place: PagePlace) -> bool:
    one, other = last.change, place.change
    same = (one.new, one.label, one.category) == (None, other.label, other.category) and other.new is None
    if not same or last.seen != place.seen or abs(last.height - place.height) > 0.1 * last.height:
        return False
    if last.glyphs[0].show.drawn is not place.glyphs[0].show.drawn or last.frame[:4] != place.frame[:4]:
        return False
    x, y = last.inner(at(place.frame, 0.0, 0.0))
    return abs(y) < 0.1 * last.height and -0.1 * last.height <= x - last.end < _SIDE_BY_SIDE * last.height


def _places(page: ReadPage, change: Change) -> list[PagePlace]:
    if change.end > len(page.text.letters):
        raise InvalidSetting(
            f"A change in {page.name} ends at {change.end}, after the end of its text.",
            hint="Take offsets from the blocks that read_pdf gives for the same file.",
        )
    glyphs = [glyph for of_letter in page.text.glyphs[change.start : change.end] for glyph in of_letter]
    places = places_of(change, list(dict.fromkeys(glyphs)))
    if change.new is None:
        for place in places:
            place.text = change.label
    else:
        _share(change.new, places)
    return places


def _share(new: str, places: list[PagePlace]) -> None:
    """Share the words of a new value among the lines that the old one stood on."""
    words, total = new.split(), sum(place.end for place in places)
    if not places or not total:
        return
    longest = max(places, key=lambda place: place.end)
    if len(words) < len(places):
        longest.text = " ".join(words)
        return
    given, reached = 0, 0.0
    for line, place in enumerate(places, 1):
        reached += place.end
        upto = len(words) - (len(places) - line) if line < len(places) else len(words)
        share = max(given + 1, min(upto, round(len(words) * reached / total)))
        place.text = " ".join(words[given:share])
        given = share


def _spans(every: list[Glyph], removed: set[Glyph]) -> set[Glyph]:
    """Unreadable glyphs go together with the stretch whose text told what they say."""
    spans = {glyph.span for glyph in removed if glyph.text is None and glyph.span >= 0}
    return {glyph for glyph in every if glyph.span in spans} if spans else set()


def _under(every: list[Glyph], places: list[PagePlace]) -> set[Glyph]:
    """Copies of the text at the same place: shadows, hidden layers, text recognised in a scan."""
    if not places:
        return set()
    points = np.array([at(glyph.matrix, glyph.advance / 2, 0.25) for glyph in every]).reshape(-1, 2)
    found: set[Glyph] = set()
    for place in places:
        along, upward = _inner(place, points)
        low, high = place.descent * place.height, place.ascent * place.height
        inside = (along > 0) & (along < place.end) & (upward > low) & (upward < high)
        found.update(every[index] for index in np.flatnonzero(inside))
    return found


def _rooms(places: list[PagePlace], every: list[Glyph], removed: set[Glyph]) -> None:
    """How far along its line each new value may reach before something else stands there."""
    new = [place for place in places if place.change.new is not None]
    if not new:
        return
    rest = [glyph for glyph in every if glyph not in removed and not (glyph.text or "x").isspace()]
    starts = [place.frame[4:] for place in places]
    points = np.array([*(glyph.matrix[4:] for glyph in rest), *starts]).reshape(-1, 2)
    for place in new:
        along, upward = _inner(place, points)
        beyond = (along > 0) & (along >= place.end - 0.2 * place.height)
        ahead = along[beyond & (np.abs(upward) < place.height)]
        nearest = min(float(ahead.min()) if len(ahead) else np.inf, place.end + 12 * place.height)
        place.room = max(place.end, nearest - _SPACE * place.height)


def _inner(place: PagePlace, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of the page in the frame of a place: along its line, and upward from its base line."""
    back = inverse(place.frame) or (0.0, 0.0, 0.0, 0.0, -1e9, -1e9)
    a, b, c, d, e, f = back
    x, y = points[:, 0], points[:, 1]
    return a * x + c * y + e, b * x + d * y + f


def explain(page: ReadPage, reason: str, lettering: Lettering, pdf: Pdf) -> None:
    """Replace everything on a page by a few words that tell why it is not there."""
    import pikepdf

    left, bottom, right, top = (decimal(part) for part in page.page.cropbox)
    wide, tall = abs(right - left), abs(top - bottom)
    if int(page.page.obj.get("/Rotate", 0)) % 180:
        wide, tall = tall, wide
    size = max(4.0, min(12.0, wide / 40))
    lines = [f"Page {page.number} of this document was left out.", *wrap(reason, 56)]
    parts = [color("#000000")]
    for at_line, line in enumerate(lines):
        spot = (1.0, 0.0, 0.0, 1.0, wide * 0.1, tall * 0.75 - at_line * 1.6 * size)
        fit = fitted(line, size=size, width=0.8 * wide, room=0.8 * wide)
        parts.append(text_line(line, fit, spot, lettering))
    for name in list(page.page.obj.keys()):
        if name not in ("/Type", "/Parent"):
            del page.page.obj[name]
    page.page.obj["/MediaBox"] = pikepdf.Array([0, 0, round(wide, 2), round(tall, 2)])
    page.page.obj["/Contents"] = pdf.make_stream(b"\n".join(parts))
    page.page.obj["/Resources"] = pikepdf.Dictionary(Font=pikepdf.Dictionary({FONT: lettering.font}))

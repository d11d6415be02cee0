"""What is to happen on one page: places, glyphs that go, and what is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.affine import at, inverse
from reidrisk.documents.pdf.glyph import Glyph
from reidrisk.documents.pdf.lettering.embed import Lettering
from reidrisk.documents.pdf.lettering.fit import Fit
from reidrisk.documents.pdf.pages import ReadPage
from reidrisk.documents.pdf.pictures.recognise import is_recognised
from reidrisk.documents.pdf.removal.drawing import box, value
from reidrisk.documents.pdf.removal.place import Place, places_of
from reidrisk.errors import InvalidSetting

_SPACE = 0.22
"""Between a new value and what stands after it, by the height of its letters."""


@dataclass(slots=True)
class Plan:
    """The work on one page."""

    places: list[Place] = field(default_factory=list)
    removed: set[Glyph] = field(default_factory=set)
    drawings: dict[Glyph, list[bytes]] = field(default_factory=dict)
    cramped: int = 0
    """New values that had to be smaller than is good to read."""
    loose: list[bytes] = field(default_factory=list)
    """What is drawn over the page at places where no operator draws text."""
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
    for place in plan.places:
        drawing, fit = _drawing(place, look, lettering)
        place.reach = max(place.end, fit.width) if fit is not None else place.end
        if is_recognised(place.glyphs[0]):
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


def _drawing(place: Place, look: Look, lettering: Lettering) -> tuple[bytes, Fit | None]:
    if place.change.new is None:
        return box(place, look, lettering), None
    return value(place, lettering)


def _places(page: ReadPage, change: Change) -> list[Place]:
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


def _share(new: str, places: list[Place]) -> None:
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


def _under(every: list[Glyph], places: list[Place]) -> set[Glyph]:
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


def _rooms(places: list[Place], every: list[Glyph], removed: set[Glyph]) -> None:
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


def _inner(place: Place, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of the page in the frame of a place: along its line, and upward from its base line."""
    back = inverse(place.frame) or (0.0, 0.0, 0.0, 0.0, -1e9, -1e9)
    a, b, c, d, e, f = back
    x, y = points[:, 0], points[:, 1]
    return a * x + c * y + e, b * x + d * y + f

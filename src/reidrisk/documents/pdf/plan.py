"""What is to happen on one page: places, glyphs that go, and what is drawn there instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import hypot
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.fonts import number as decimal
from reidrisk.documents.pdf.glyphs import Glyph, Matrix, Point, at, inverse, shifted, times
from reidrisk.documents.pdf.lettering import (
    FONT,
    STATE,
    Fit,
    Lettering,
    fit_width,
    fitted,
    label_fit,
    natural_width,
)
from reidrisk.documents.pdf.moving import in_text_space, make_room
from reidrisk.documents.pdf.operators import Pushing, matrix, number
from reidrisk.documents.pdf.own_letters import LineSet, OwnLetters
from reidrisk.documents.pdf.pages import ReadPage
from reidrisk.documents.pdf.rendering import is_recognised
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from pikepdf import Pdf

_INVISIBLE = 3
_MARGIN = 0.15
"""Of the letters' height, around text that a program recognised."""
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
_SIDE_BY_SIDE = 0.45
"""The widest space between two boxes that become one, by the height of the letters."""
_SPACE = 0.22
"""Between a new value and what stands after it, by the height of its letters."""


@dataclass(slots=True, eq=False)
class PagePlace:
    """A part of one line, in a frame of its own: along the line from 0, upward from the base line."""

    change: Change
    frame: Matrix
    """From the frame to the page; lengths stay as they are on the page."""
    height: float
    """Height of the letters."""
    ascent: float
    descent: float
    end: float
    glyphs: list[Glyph] = field(default_factory=list, repr=False)
    seen: bool = True
    """Whether the text was drawn to be seen; text over a scan is not."""
    text: str | None = field(default=None, repr=False)
    """What is written there afterwards: the part of a new value, or a label."""
    room: float = 0.0
    """How far along the line a new value may reach."""

    moved: float = 0.0
    """How far along the line it is drawn from where it was, because of new values before it."""
    pushes: float = 0.0
    """How far it moves what its operator draws behind it."""
    tail: float = 0.0
    """Where what it moves ends afterwards."""
    reach: float = 0.0
    """How far along the line something was drawn."""
    _back: Matrix | None = None

    def __post_init__(self) -> None:
        self._back = inverse(self.frame)

    def inner(self, point: Point) -> Point:
        """A point of the page in this frame."""
        return at(self._back, *point) if self._back is not None else (-1e9, -1e9)

    def add(self, glyph: Glyph) -> None:
        """Reach as far as a glyph does, to the right or, in scripts that run so, to the left."""
        self.glyphs.append(glyph)
        first = self.inner((glyph.matrix[4], glyph.matrix[5]))[0]
        last = self.inner(at(glyph.matrix, glyph.advance, 0.0))[0]
        self.end = max(self.end, last)
        if first < 0:
            self.frame = shifted(self.frame, first)
            self.end -= first
            self._back = inverse(self.frame)

    @property
    def corners(self) -> list[Point]:
        """The box around it on the page."""
        low, high = self.descent * self.height, self.ascent * self.height
        return [at(self.frame, x, y) for x, y in ((0, low), (self.end, low), (self.end, high), (0, high))]

    def drawn(self) -> list[Point]:
        """The box where it is drawn."""
        return [at(shifted(self.frame, self.moved), *self.inner(point)) for point in self.padded()]

    def padded(self) -> list[Point]:
        """The box with a margin where the text only lies over a scan: it seldom fits exactly."""
        if self.seen:
            return self.corners
        margin = _MARGIN * self.height
        low, high = self.descent * self.height - margin / 2, self.ascent * self.height + margin / 2
        left, right = -margin, self.end + margin
        return [at(self.frame, x, y) for x, y in ((left, low), (right, low), (right, high), (left, high))]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of the box on the page."""
        low, high = self.descent * self.height, self.ascent * self.height
        beyond = [at(self.frame, self.reach, low), at(self.frame, self.reach, high)]
        across, upward = zip(*self.padded(), *beyond, strict=True)
        return min(across), min(upward), max(across), max(upward)


def places_of(change: Change, glyphs: list[Glyph]) -> list[PagePlace]:
    """The places of one change, line by line."""
    places: list[PagePlace] = []
    for glyph in glyphs:
        if not places or not _goes_on(places[-1], glyph):
            places.append(_start(change, glyph))
        places[-1].add(glyph)
    return [place for place in places if not _blank(place)]


def _blank(place: PagePlace) -> bool:
    return all(glyph.text is not None and glyph.text.isspace() for glyph in place.glyphs)


def _start(change: Change, glyph: Glyph) -> PagePlace:
    a, b, c, d, e, f = glyph.matrix
    along, upward = hypot(a, b) or 1.0, hypot(c, d) or 1.0
    frame = (a / along, b / along, c / upward, d / upward, e, f)
    font = glyph.show.font
    seen = glyph.show.mode % 4 != _INVISIBLE
    return PagePlace(change, frame, upward, font.ascent, font.descent, 0.0, seen=seen)


def _goes_on(place: PagePlace, glyph: Glyph) -> bool:
    a, b, *_ = glyph.matrix
    length = hypot(a, b) or 1.0
    same = (a * place.frame[0] + b * place.frame[1]) / length > 0.98
    x, y = place.inner((glyph.matrix[4], glyph.matrix[5]))
    gap = max(x - place.end, -x - glyph.advance * length)
    return same and abs(y) < 0.5 * place.height and gap < 1.5 * place.height


def color(code: str) -> bytes:
    """The operator that sets a colour written as #rrggbb."""
    if not _COLOR.fullmatch(code):
        raise InvalidSetting(f"A colour is not {code!r}.", hint="Write it as #rrggbb, such as #0000ff.")
    parts = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return b" ".join(number(part) for part in parts) + b" rg"


def box(place: PagePlace, look: Look, lettering: Lettering) -> bytes:
    """A filled box with its label in the middle, in the space of the stream that the place is in."""
    back = _back(place)
    if back is None:
        return b""
    fill = look.personal if place.change.category == "PPD" else look.confidential
    parts = [
        b"q",
        STATE.encode() + b" gs",
        color(fill),
        _outline([at(back, *point) for point in place.drawn()]),
    ]
    if look.labels and place.text:
        height = (place.ascent - place.descent) * place.height
        fit = label_fit(place.text, height=height, width=place.end)
        spot = shifted(times(place.frame, back), place.moved + (place.end - fit.width) / 2)
        parts += [color(look.text), _line(place.text, fit, spot, lettering)]
    return b"\n".join([*parts, b"Q"])


def value(place: PagePlace, lettering: Lettering, letters: OwnLetters) -> tuple[bytes, Fit | None]:
    """A new value in the colour of the old one, and in its font if that has the letters."""
    back = _back(place)
    if back is None or not place.text:
        return b"", None
    spot = shifted(times(place.frame, back), place.moved)
    own = letters.line(place.text, place.glyphs[0].show.font) if place.seen else None
    if own is not None and place.glyphs[0].show.size > 0 and not is_recognised(place.glyphs[0]):
        return _in_own_font(place, own, spot)
    fit = fitted(place.text, size=place.height, width=place.end, room=place.room)
    parts = [b"q", STATE.encode() + b" gs"]
    if not place.seen:
        parts += [
            color("#ffffff"),
            _outline([at(back, *point) for point in place.padded()]),
            color("#000000"),
        ]
    return b"\n".join([*parts, _line(place.text, fit, spot, lettering), b"Q"]), fit


def _natural(place: PagePlace, letters: OwnLetters) -> float:
    """The width of a new value in letters as wide and as high as those of its line."""
    first = place.glyphs[0]
    own = letters.line(place.text or "", first.show.font)
    if own is None:
        return natural_width(place.text or "", place.height)
    return own.width * hypot(*first.matrix[:2])


def _in_own_font(place: PagePlace, own: LineSet, spot: Matrix) -> tuple[bytes, Fit]:
    """A new value in the font that is in use there, as wide for its height as the old one was."""
    first = place.glyphs[0]
    aspect = hypot(*first.matrix[:2]) / (hypot(*first.matrix[2:4]) or 1.0) or 1.0
    size, sides = place.height, {"width": place.end, "room": place.room}
    fit = fit_width(own.width * aspect, size=size, neighbours=size, **sides)
    stretch = min(fit.stretch, 1.0)
    a, b, c, d, e, f = spot
    scale = fit.size / first.show.size
    scaled = (a * scale, b * scale, c * scale, d * scale, e, f)
    setting = b"0 Tr 0 Tc 0 Tw 0 Ts " + number(100 * stretch * aspect) + b" Tz "
    line = b"BT " + setting + matrix(scaled) + b" Tm " + own.operator + b" ET"
    width = own.width * aspect * fit.size * stretch
    return b"\n".join([b"q", STATE.encode() + b" gs", line, b"Q"]), Fit(fit.size, stretch, width, fit.cramped)


def _back(place: PagePlace) -> Matrix | None:
    """From the page to the space in which the place's own stream draws."""
    return inverse(place.glyphs[0].show.ctm)


def _outline(points: list[Point]) -> bytes:
    first, *rest = [number(x) + b" " + number(y) for x, y in points]
    return b" ".join([first + b" m", *(point + b" l" for point in rest), b"h f"])


def _line(text: str, fit: Fit, spot: Matrix, lettering: Lettering) -> bytes:
    a, b, c, d, e, f = spot
    size = fit.size
    scaled = (a * size, b * size, c * size, d * size, e, f)
    setting = FONT.encode() + b" 1 Tf 0 Tr 0 Tc 0 Tw 0 Ts " + number(100 * fit.stretch) + b" Tz "
    return b"BT " + setting + matrix(scaled) + b" Tm " + lettering.encode(text) + b" Tj ET"


@dataclass(slots=True)
class Plan:
    """The work on one page."""

    places: list[PagePlace] = field(default_factory=list)
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
    plan.places = _joined(plan.places, every, plan.removed)
    letters = lettering.own
    letters.learn(every, plan.removed)
    make_room(plan.places, every, lambda place: _natural(place, letters))
    for place in plan.places:
        drawing, fit = _drawing(place, look, lettering, letters)
        width = max(place.end, fit.width) if fit is not None else place.end
        place.reach = max(place.moved + width, place.tail)
        if place.pushes:
            drawing = Pushing.by(drawing, in_text_space(place))
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


def _drawing(
    place: PagePlace, look: Look, lettering: Lettering, letters: OwnLetters
) -> tuple[bytes, Fit | None]:
    if place.change.new is None:
        return box(place, look, lettering), None
    return value(place, lettering, letters)


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
        parts.append(_line(line, fit, spot, lettering))
    for name in list(page.page.obj.keys()):
        if name not in ("/Type", "/Parent"):
            del page.page.obj[name]
    page.page.obj["/MediaBox"] = pikepdf.Array([0, 0, round(wide, 2), round(tall, 2)])
    page.page.obj["/Contents"] = pdf.make_stream(b"\n".join(parts))
    page.page.obj["/Resources"] = pikepdf.Dictionary(Font=pikepdf.Dictionary({FONT: lettering.font}))

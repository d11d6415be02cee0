"""What is drawn in the place of what goes: boxes with their labels, and new values."""

from __future__ import annotations

import re
from math import hypot

from reidrisk.documents.document import Look
from reidrisk.documents.pdf.glyphs import IDENTITY, Matrix, Point, at, inverse, lengths, shifted, times
from reidrisk.documents.pdf.lettering import (
    FONT,
    HAIR,
    STATE,
    Fit,
    Lettering,
    fit_width,
    fitted,
    label_fit,
    natural_width,
    shipped,
)
from reidrisk.documents.pdf.operators import Boxed, Label, matrix, number
from reidrisk.documents.pdf.own_letters import LineSet, OwnLetters
from reidrisk.documents.pdf.page_places import PagePlace
from reidrisk.documents.pdf.rendering import is_recognised
from reidrisk.errors import InvalidSetting

_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


def drawing_of(
    place: PagePlace, look: Look, lettering: Lettering, letters: OwnLetters
) -> tuple[bytes, Fit | None]:
    """What is drawn in a place: a box, or a new value and how it fits."""
    if place.change.new is None:
        return _box(place, look, lettering), None
    return _value(place, lettering, letters)


def color(code: str) -> bytes:
    """The operator that sets a colour written as #rrggbb."""
    if not _COLOR.fullmatch(code):
        raise InvalidSetting(f"{code!r} is not a color.", hint="Write it as #rrggbb, such as #0000ff.")
    parts = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return b" ".join(number(part) for part in parts) + b" rg"


def _box(place: PagePlace, look: Look, lettering: Lettering) -> bytes:
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
    under, label = b"\n".join([*parts, b"Q"]), None
    if look.labels and place.text:
        height = (place.ascent - place.descent) * place.height
        fit = label_fit(place.text, height=height, width=place.end)
        spot = shifted(times(place.frame, back), place.moved + (place.end - fit.width) / 2)
        parts += [color(look.text), text_line(place.text, fit, spot, lettering)]
        label = _label(place, fit, look, lettering)
    return Boxed.of(b"\n".join([*parts, b"Q"]), under, label)


def _label(place: PagePlace, fit: Fit, look: Look, lettering: Lettering) -> Label | None:
    """The label in the space of the text that it stands for."""
    text, first = place.text or "", place.glyphs[0]
    (along, upward), show = lengths(first.matrix), first.show
    em = show.size * show.font.em
    if not along or not upward or not em:
        return None
    size, stretch = em * fit.size / upward, fit.stretch * show.stretch * upward / along
    setting = number(size) + b" Tf 0 Tr 0 Tc 0 Tw " + number(100 * stretch) + b" Tz "
    start = (place.end - fit.width) / 2 - place.inner((first.matrix[4], first.matrix[5]))[0]
    width = shipped().written(text) * fit.size * fit.stretch
    style = FONT.encode() + b" " + setting + color(look.text)
    scale = em / along
    letters, hair = lettering.encode(text), lettering.hair()
    return Label(style, letters, start * scale, width * scale, hair, HAIR * size)


def _value(place: PagePlace, lettering: Lettering, letters: OwnLetters) -> tuple[bytes, Fit | None]:
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
    return b"\n".join([*parts, text_line(place.text, fit, spot, lettering), b"Q"]), fit


def natural(place: PagePlace, letters: OwnLetters) -> float:
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
    """From the page to the space in which the place is drawn, which is mostly that of its own stream."""
    return IDENTITY if place.on_top else inverse(place.glyphs[0].show.ctm)


def _outline(points: list[Point]) -> bytes:
    first, *rest = [number(x) + b" " + number(y) for x, y in points]
    return b" ".join([first + b" m", *(point + b" l" for point in rest), b"h f"])


def text_line(text: str, fit: Fit, spot: Matrix, lettering: Lettering) -> bytes:
    """A text object with one line at a spot."""
    a, b, c, d, e, f = spot
    size = fit.size
    scaled = (a * size, b * size, c * size, d * size, e, f)
    setting = FONT.encode() + b" 1 Tf 0 Tr 0 Tc 0 Tw 0 Ts " + number(100 * fit.stretch) + b" Tz "
    return b"BT " + setting + matrix(scaled) + b" Tm " + lettering.encode(text) + b" Tj ET"

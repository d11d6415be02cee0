"""What stands in a place afterwards: a box with its label, or a new value."""

from __future__ import annotations

import re

from reidrisk.documents.document import Look
from reidrisk.documents.pdf.affine import Matrix, Point, at, inverse, shifted, times
from reidrisk.documents.pdf.lettering.embed import FONT, STATE, Lettering
from reidrisk.documents.pdf.lettering.fit import Fit, fitted, label_fit
from reidrisk.documents.pdf.removal.operators import matrix, number
from reidrisk.documents.pdf.removal.place import Place
from reidrisk.errors import InvalidSetting

_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


def color(code: str) -> bytes:
    """The operator that sets a colour written as #rrggbb."""
    if not _COLOR.fullmatch(code):
        raise InvalidSetting(f"A colour is not {code!r}.", hint="Write it as #rrggbb, such as #0000ff.")
    parts = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return b" ".join(number(part) for part in parts) + b" rg"


def box(place: Place, look: Look, lettering: Lettering) -> bytes:
    """A filled box with its label in the middle, in the space of the stream that the place is in."""
    back = _back(place)
    if back is None:
        return b""
    fill = look.personal if place.change.category == "PPD" else look.confidential
    parts = [
        b"q",
        STATE.encode() + b" gs",
        color(fill),
        _outline([at(back, *point) for point in place.padded()]),
    ]
    if look.labels and place.text:
        height = (place.ascent - place.descent) * place.height
        fit = label_fit(place.text, height=height, width=place.end)
        spot = shifted(times(place.frame, back), (place.end - fit.width) / 2)
        parts += [color(look.text), _line(place.text, fit, spot, lettering)]
    return b"\n".join([*parts, b"Q"])


def value(place: Place, lettering: Lettering) -> tuple[bytes, Fit | None]:
    """A new value in the colour of the old one."""
    back = _back(place)
    if back is None or not place.text:
        return b"", None
    fit = fitted(place.text, size=place.height, width=place.end, room=place.room)
    spot = times(place.frame, back)
    parts = [b"q", STATE.encode() + b" gs"]
    if not place.seen:
        parts += [
            color("#ffffff"),
            _outline([at(back, *point) for point in place.padded()]),
            color("#000000"),
        ]
    return b"\n".join([*parts, _line(place.text, fit, spot, lettering), b"Q"]), fit


def _back(place: Place) -> Matrix | None:
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
